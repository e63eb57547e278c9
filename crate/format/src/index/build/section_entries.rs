//! The encoding of sections, in which scanners report entries to the leader.

use super::sections::Section;
use super::Build;
use crate::object::ObjectType;
use crate::pack::{EntryKind, OFS_DELTA, REF_DELTA};
use packlens_base::oid::{HashKind, ObjectId};

impl Build {
    /// Returns the entries of a section once it is complete; `None` if there are none. First
    /// the offset of its first entry (8 bytes), then for each entry its length (8 bytes), its
    /// CRC-32 checksum (4 bytes), its kind as in its head (1 byte), and the distance to its
    /// base (8 bytes), the id of its base, or its own id.
    pub fn take_section(&mut self) -> Option<Vec<u8>> {
        let Section::Done { first } = self.section else {
            return None;
        };
        self.section = Section::None;
        let mut out = first.to_le_bytes().to_vec();
        for (at, kind) in (0u32..).zip(&self.kinds) {
            let row = self.rows.get(at)?;
            let next =
                self.rows.get(at.saturating_add(1)).map_or(self.next_offset, |next| next.offset);
            out.extend(next.saturating_sub(row.offset).to_le_bytes());
            out.extend(row.crc.to_le_bytes());
            match kind {
                EntryKind::Whole(object_type) => {
                    out.push(*object_type as u8);
                    out.extend(self.rows.id(at));
                }
                EntryKind::OfsDelta { base_offset } => {
                    out.push(OFS_DELTA);
                    out.extend(row.offset.saturating_sub(*base_offset).to_le_bytes());
                }
                EntryKind::RefDelta { base } => {
                    out.push(REF_DELTA);
                    out.extend(base.as_bytes());
                }
            }
        }
        self.forget_entries();
        Some(out)
    }

    /// Adds a section that [`Build::take_section`] returned.
    pub fn put_section(&mut self, section: &[u8]) {
        if let Some((first, entries)) = section.split_first_chunk() {
            let first = u64::from_le_bytes(*first);
            let at = self.sections.partition_point(|(other, _)| *other > first);
            self.sections.insert(at, (first, entries.to_vec()));
        }
    }

    /// Returns whether a section begins at the end of the known entries, or before it.
    pub(super) fn has_next_section(&self) -> bool {
        let first = self.sections.last();
        self.rows.len() < self.count && first.is_some_and(|(first, _)| *first <= self.next_offset)
    }

    /// Adds the entries of the next section, if it begins at the end of the known entries. A
    /// section that begins before that was found by mistake, and is dropped.
    pub(super) fn take_next_section(&mut self) {
        let Some((first, entries)) = self.sections.pop() else {
            return;
        };
        self.count_work(entries.len() as u64);
        if first != self.next_offset {
            return;
        }
        let mut rest = entries.as_slice();
        while self.rows.len() < self.count {
            let offset = self.next_offset;
            let Some(entry) = SectionEntry::split_from(&mut rest, offset, self.hash) else {
                return;
            };
            let at = self.add_row(offset, entry.crc, entry.kind);
            if let Some(id) = entry.id {
                self.rows.set_id(at, &id);
                self.hashed = self.hashed.saturating_add(1);
            }
            self.next_offset = offset.saturating_add(entry.length);
            self.summed = self.next_offset;
        }
    }
}

/// An entry of a section.
struct SectionEntry {
    length: u64,
    crc: u32,
    kind: EntryKind,
    /// The id of an object that is no delta.
    id: Option<ObjectId>,
}

impl SectionEntry {
    /// Splits off the next entry, whose offset in the pack is `offset`; `None` after the last.
    fn split_from(rest: &mut &[u8], offset: u64, hash: HashKind) -> Option<SectionEntry> {
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
