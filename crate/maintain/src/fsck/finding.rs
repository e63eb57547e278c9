//! Findings, and the records in which they are returned.

use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::words::words;
use packlens_format::checks::{MessageId, Severity};
use packlens_format::object::ObjectType;

words! {
    /// The kind of a record: its number (1 byte) precedes the length of the record (u32).
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum FsckRecord {
        /// The progress: the [`FsckPhase`] (1 byte), then how much is done and how much there
        /// is in total (u64 each).
        Progress = "progress",
        /// A fault, or a notice.
        Finding = "finding",
    }
}

/// The bits of git's exit code.
pub(super) mod exit {
    pub(crate) const OBJECT: u8 = 1;
    pub(crate) const REACHABLE: u8 = 2;
    pub(crate) const PACK: u8 = 4;
    pub(crate) const REFS: u8 = 8;
    pub(crate) const COMMIT_GRAPH: u8 = 16;
    pub(crate) const MULTI_PACK_INDEX: u8 = 32;
    pub(crate) const REVERSE_INDEX: u8 = 64;
    pub(crate) const BITMAP: u8 = 128;
    /// git stops with exit code 128, which is the same bit.
    pub(crate) const GIVES_UP: u8 = 128;
}

words! {
    /// The phases of a check that report progress.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum FsckPhase {
        /// Packs are hashed; progress counts their bytes.
        Packs = "packs",
        /// Objects are read; progress counts them.
        Objects = "objects",
        /// Links are followed; progress counts objects.
        Connectivity = "connectivity",
    }
}

/// A fault, or a notice.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    /// The name of the finding: git's message id, if git has one.
    pub(super) id: &'static str,
    pub(super) severity: FindingLevel,
    /// The bits of git's exit code that the finding sets.
    pub(super) exit: u8,
    /// The object that the finding is about.
    pub(super) oid: Option<ObjectId>,
    pub(super) object_type: Option<ObjectType>,
    /// The object that `oid` links to.
    pub(super) to: Option<ObjectId>,
    pub(super) to_type: Option<ObjectType>,
    pub(super) message: Vec<u8>,
    /// The path of the object's file or pack, or the name of the ref.
    pub(super) place: Vec<u8>,
    /// The names by which the two objects are reached, if requested.
    pub(super) names: [Vec<u8>; 2],
}

words! {
    /// The severity of a finding.
    #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
    pub enum FindingLevel {
        /// A fault.
        #[default]
        Error = "error",
        /// A fault that git only warns of.
        Warn = "warn",
        /// A notice about something that is no fault.
        Info = "info",
    }
}

impl Finding {
    /// Returns a finding that is an error.
    pub(super) fn error(id: &'static str, exit: u8, message: &str) -> Finding {
        Finding { id, exit, message: message.as_bytes().to_vec(), ..Finding::default() }
    }

    /// Returns a finding that is a notice.
    pub(super) fn info(id: &'static str, message: &str) -> Finding {
        let message = message.as_bytes().to_vec();
        Finding { id, severity: FindingLevel::Info, message, ..Finding::default() }
    }

    /// Returns a finding from a message about an object; errors set `exit`.
    pub(super) fn of_message(id: MessageId, about: &[u8], severity: Severity, exit: u8) -> Finding {
        let (severity, exit) = match severity {
            Severity::Error | Severity::Fatal => (FindingLevel::Error, exit),
            Severity::Warn => (FindingLevel::Warn, 0),
            Severity::Info | Severity::Ignore => (FindingLevel::Info, 0),
        };
        let message = [id.text().as_bytes(), about].concat();
        Finding { id: id.name(), severity, exit, message, ..Finding::default() }
    }

    pub(super) fn of(self, oid: &ObjectId, object_type: Option<ObjectType>) -> Finding {
        Finding { oid: Some(*oid), object_type, ..self }
    }

    pub(super) fn to(self, to: &ObjectId, to_type: Option<ObjectType>) -> Finding {
        Finding { to: Some(*to), to_type, ..self }
    }

    pub(super) fn at(self, place: &[u8]) -> Finding {
        Finding { place: place.to_vec(), ..self }
    }

    /// Appends the record: the [`FindingLevel`], the numbers of both types or 0, and the exit
    /// bits (1 byte each); then both ids, the finding's name, the message, the place and the
    /// names of both objects, each after its length (u32).
    pub(super) fn append(&self, out: &mut Output) -> Result<()> {
        let number = |of: Option<ObjectType>| of.map_or(0, |of| of as u8);
        let bytes =
            |id: &Option<ObjectId>| id.as_ref().map_or(Vec::new(), |id| id.as_bytes().to_vec());
        let severity = self.severity.number();
        let (oid, to) = (bytes(&self.oid), bytes(&self.to));
        let [name, to_name] = &self.names;
        let texts: [&[u8]; 7] =
            [&oid, &to, self.id.as_bytes(), &self.message, &self.place, name, to_name];
        let length =
            texts.iter().fold(4usize, |sum, text| sum.saturating_add(4).saturating_add(text.len()));
        let mut out = out.appender();
        out.u8(FsckRecord::Finding.number())?;
        out.u32(u32::try_from(length).unwrap_or(u32::MAX))?;
        out.bytes(&[severity, number(self.object_type), number(self.to_type), self.exit])?;
        texts.iter().try_for_each(|text| out.string(text))
    }
}

/// Appends a record of the progress.
pub(super) fn append_progress(
    phase: FsckPhase,
    (done, total): (u64, u64),
    out: &mut Output,
) -> Result<()> {
    let mut out = out.appender();
    out.u8(FsckRecord::Progress.number())?;
    out.u32(17)?;
    out.u8(phase.number())?;
    out.u64(done)?;
    out.u64(total)
}
