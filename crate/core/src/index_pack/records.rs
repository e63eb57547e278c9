//! The records that an index is told as while it is made.

use crate::appender::{Append, Output};
use crate::checks::MessageId;
use crate::error::Result;
use crate::index::PackFinding;

/// What a record of the answer is. Each is this number in a byte, the length of
/// its content in 4 bytes, low ones first, and the content.
pub(super) enum Record {
    /// How much is done of how much, 8 bytes each.
    Progress,
    /// Bytes of the index.
    Index,
    /// Bytes of the reverse index.
    Reverse,
    /// The number of objects in 4 bytes, and the checksum of the pack.
    Facts,
    /// Text about the entries.
    Text,
    /// Ids of objects, for the instance that leads: [`take_ids`](crate::index::Build::take_ids).
    Ids,
    /// What completes a thin pack: [`take_tail`](crate::index::Indexes::take_tail).
    Tail,
    /// Something that git would say of an object: how much it weighs (0 an error, 1 a
    /// warning, 2 neither) and whether it is late, a byte each; the id, git's name for
    /// it, and the message, each behind its length in 4 bytes.
    Finding,
    /// A section of the pack, for the instance that leads:
    /// [`take_section`](crate::index::Build::take_section).
    Section,
    /// Entries, for those that help: [`take_rows`](crate::index::Build::take_rows).
    Rows,
}

/// Appends a record.
pub(super) fn append(out: &mut Output, record: &Record, content: &[u8]) -> Result<()> {
    let mut out = out.appender();
    out.u8(match record {
        Record::Progress => 0,
        Record::Index => 1,
        Record::Reverse => 2,
        Record::Facts => 3,
        Record::Text => 4,
        Record::Ids => 5,
        Record::Tail => 6,
        Record::Finding => 7,
        Record::Section => 8,
        Record::Rows => 9,
    })?;
    out.u32(content.len() as u32)?;
    out.bytes(content)
}

/// Appends a finding.
pub(super) fn append_finding(out: &mut Output, finding: &PackFinding) -> Result<()> {
    let id = finding.id;
    let severity = match id {
        MessageId::GitmodulesMissing => 2,
        _ if finding.is_error() => 0,
        _ => 1,
    };
    let mut content = vec![severity, u8::from(finding.is_late)];
    let message = [id.text().as_bytes(), &finding.about].concat();
    for text in [finding.oid.as_bytes(), id.name().as_bytes(), &message] {
        content.extend((text.len() as u32).to_le_bytes());
        content.extend(text);
    }
    append(out, &Record::Finding, &content)
}
