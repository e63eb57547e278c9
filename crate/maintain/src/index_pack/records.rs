//! The records in which an index is returned while it is made.

use crate::fsck::FindingLevel;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::words::words;
use packlens_format::checks::MessageId;
use packlens_format::index::PackFinding;

words! {
    /// The kind of a record. A record is this number (1 byte), the length of its content (u32,
    /// little-endian), and the content.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum IndexRecord {
        /// How much is done and how much there is in total (u64 each).
        Progress = "progress",
        /// Bytes of the index.
        Index = "index",
        /// Bytes of the reverse index.
        Reverse = "reverse",
        /// The number of objects (u32), and the checksum of the pack.
        Facts = "facts",
        /// Text about the entries.
        Text = "text",
        /// Ids of objects, for the leader.
        Ids = "ids",
        /// The bytes that complete a thin pack.
        Tail = "tail",
        /// A finding about an object: its [`FindingLevel`] and whether it is late (1 byte
        /// each); then the object's id, git's message id and the message, each after its length
        /// (u32).
        Finding = "finding",
        /// A section of the pack, for the leader.
        Section = "section",
        /// Entries, for the helpers.
        Rows = "rows",
    }
}

/// Appends a record.
pub(super) fn append(out: &mut Output, record: IndexRecord, content: &[u8]) -> Result<()> {
    let mut out = out.appender();
    out.u8(record.number())?;
    out.u32(content.len() as u32)?;
    out.bytes(content)
}

/// Appends a finding.
pub(super) fn append_finding(out: &mut Output, finding: &PackFinding) -> Result<()> {
    let id = finding.id;
    let severity = match id {
        MessageId::GitmodulesMissing => FindingLevel::Info,
        _ if finding.is_error() => FindingLevel::Error,
        _ => FindingLevel::Warn,
    };
    let mut content = vec![severity.number(), u8::from(finding.is_late)];
    let message = [id.text().as_bytes(), &finding.about].concat();
    for text in [finding.oid.as_bytes(), id.name().as_bytes(), &message] {
        content.extend((text.len() as u32).to_le_bytes());
        content.extend(text);
    }
    append(out, IndexRecord::Finding, &content)
}
