//! The encoding of sections, in which scanners report entries to the leader.

use super::super::rows::Row;
use crate::object::ObjectType;
use crate::pack::{EntryKind, OFS_DELTA, REF_DELTA};
use packlens_base::oid::{HashKind, ObjectId};

/// Appends an entry of a section; `id` is its own, if it is no delta.
pub(super) fn append_entry(row: &Row, length: u64, kind: EntryKind, id: &[u8], out: &mut Vec<u8>) {
    out.extend(length.to_le_bytes());
    out.extend(row.crc.to_le_bytes());
    match kind {
        EntryKind::Whole(object_type) => {
            out.push(object_type as u8);
            out.extend(id);
        }
        EntryKind::OfsDelta { base_offset } => {
            out.push(OFS_DELTA);
            out.extend(row.offset.saturating_sub(base_offset).to_le_bytes());
        }
        EntryKind::RefDelta { base } => {
            out.push(REF_DELTA);
            out.extend(base.as_bytes());
        }
    }
}

/// An entry of a section.
pub(super) struct SectionEntry {
    pub(super) length: u64,
    pub(super) crc: u32,
    pub(super) kind: EntryKind,
    /// The id of an object that is no delta.
    pub(super) id: Option<ObjectId>,
}

impl SectionEntry {
    /// Splits off the next entry, whose offset in the pack is `offset`; `None` after the last.
    pub(super) fn split_from(
        rest: &mut &[u8],
        offset: u64,
        hash: HashKind,
    ) -> Option<SectionEntry> {
        let (length, after) = rest.split_first_chunk()?;
        let (crc, after) = after.split_first_chunk()?;
        let (kind, after) = after.split_first()?;
        let (length, crc) = (u64::from_le_bytes(*length), u32::from_le_bytes(*crc));
        if *kind == OFS_DELTA {
            let (back, after) = after.split_first_chunk()?;
            *rest = after;
            let base_offset = offset.checked_sub(u64::from_le_bytes(*back))?;
            return Some(SectionEntry {
                length,
                crc,
                kind: EntryKind::OfsDelta { base_offset },
                id: None,
            });
        }
        let (id, after) = after.split_at_checked(hash.len())?;
        *rest = after;
        let id = ObjectId::from_bytes(hash, id)?;
        Some(match ObjectType::from_number(*kind) {
            Some(known) => {
                SectionEntry { length, crc, kind: EntryKind::Whole(known), id: Some(id) }
            }
            None => SectionEntry { length, crc, kind: EntryKind::RefDelta { base: id }, id: None },
        })
    }
}
