//! What is told of a repository, and how it leaves.

use crate::appender::{Append, Output};
use crate::checks::{MessageId, Severity};
use crate::error::Result;
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::words::words;

words! {
    /// What a record of a check is: this number in a byte, and the length of what follows in
    /// 4 bytes.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum FsckRecord {
        /// How far it has come: the [`FsckPhase`] in a byte, and how much is done of how much,
        /// 8 bytes each.
        Progress = "progress",
        /// What is wrong, or to be known.
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
    /// git tells no more; it is the same bit.
    pub(crate) const GIVES_UP: u8 = 128;
}

words! {
    /// What a check is at.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum FsckPhase {
        /// Files are hashed; counted in bytes of packs.
        Packs = "packs",
        /// Objects are read.
        Objects = "objects",
        /// What leads to what is followed.
        Connectivity = "connectivity",
    }
}

/// Something that is wrong, or to be known.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    /// Its name: git's, where it has one.
    pub(super) id: &'static str,
    pub(super) severity: FindingLevel,
    /// What of git's exit code it sets.
    pub(super) exit: u8,
    /// The object it is about.
    pub(super) oid: Option<ObjectId>,
    pub(super) object_type: Option<ObjectType>,
    /// What that leads to.
    pub(super) to: Option<ObjectId>,
    pub(super) to_type: Option<ObjectType>,
    pub(super) message: Vec<u8>,
    /// The file it lies in, or the ref that leads there.
    pub(super) place: Vec<u8>,
    /// How those two objects are reached, if that was asked for.
    pub(super) names: [Vec<u8>; 2],
}

words! {
    /// How much a finding weighs.
    #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
    pub enum FindingLevel {
        /// A fault.
        #[default]
        Error = "error",
        /// A fault that git only warns of.
        Warn = "warn",
        /// No fault.
        Info = "info",
    }
}

impl Finding {
    /// Makes a finding that is an error.
    pub(super) fn error(id: &'static str, exit: u8, message: &str) -> Finding {
        Finding { id, exit, message: message.as_bytes().to_vec(), ..Finding::default() }
    }

    /// Makes a finding that is no fault.
    pub(super) fn info(id: &'static str, message: &str) -> Finding {
        let message = message.as_bytes().to_vec();
        Finding { id, severity: FindingLevel::Info, message, ..Finding::default() }
    }

    /// Makes it of a message about an object; errors set `exit`.
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

    /// Appends the record: its [`FindingLevel`], the
    /// numbers of both types or 0, the exit bits, a byte each; then both ids, the name,
    /// the message, the place and both objects' names, each behind its length in 4 bytes.
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

/// Appends how far a check has come.
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
