//! The records that an index is told as while it is made.

use crate::appender::{Append, Output};
use crate::checks::MessageId;
use crate::error::Result;
use crate::fsck::FindingLevel;
use crate::index::PackFinding;
use crate::words::words;

words! {
    /// What a record of the answer is. Each is this number in a byte, the length of
    /// its content in 4 bytes, low ones first, and the content.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum IndexRecord {
        /// How much is done of how much, 8 bytes each.
        Progress = "progress",
        /// Bytes of the index.
        Index = "index",
        /// Bytes of the reverse index.
        Reverse = "reverse",
        /// The number of objects in 4 bytes, and the checksum of the pack.
        Facts = "facts",
        /// Text about the entries.
        Text = "text",
        /// Ids of objects, for the instance that leads.
        Ids = "ids",
        /// What completes a thin pack.
        Tail = "tail",
        /// Something that git would say of an object: its [`FindingLevel`] and whether it is
        /// late, a byte each; the id, git's name for it, and the message, each behind its
        /// length in 4 bytes.
        Finding = "finding",
        /// A section of the pack, for the instance that leads.
        Section = "section",
        /// Entries, for those that help.
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
