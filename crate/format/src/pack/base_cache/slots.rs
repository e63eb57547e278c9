//! The hash table that finds entries in the base cache.

use crate::object::ObjectType;
use crate::pack::{Entry, EntryKind, HEADER_LEN};
use packlens_base::block::{over_ceiling, FileId};
use packlens_base::error::Result;

/// The approximate number of cached bytes per slot.
const BYTES_PER_SLOT: u64 = 384;

/// The fewest slots, and the number of slots in which an entry may be.
const LEAST_SLOTS: usize = 512;
const WAYS: usize = 4;

/// The position of an entry's bytes in the cache, valid until it is unpinned.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CachePosition {
    pub(super) segment: u32,
    start: u32,
    end: u32,
}

impl CachePosition {
    /// Creates a position in a segment, which is never longer than 4 GiB.
    pub fn new(segment: u32, start: usize, end: usize) -> CachePosition {
        CachePosition { segment, start: start as u32, end: end as u32 }
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An entry that is in the cache, or was: it is gone if its segment is.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pack: FileId,
    offset: u64,
    pub(super) place: CachePosition,
    /// The type number of a whole entry, or the offset of the base, which is never below the
    /// length of the pack header; 0 if neither is known.
    rests_on: u64,
}

impl Slot {
    pub fn new(
        (pack, offset): (FileId, u64),
        place: CachePosition,
        kind: Option<EntryKind>,
    ) -> Slot {
        let rests_on = match kind {
            Some(EntryKind::Whole(object_type)) => object_type as u64,
            Some(EntryKind::OfsDelta { base_offset }) => base_offset,
            Some(EntryKind::RefDelta { .. }) | None => 0,
        };
        Slot { pack, offset, place, rests_on }
    }

    pub(super) fn moved_to(self, place: CachePosition) -> Slot {
        Slot { place, ..self }
    }

    /// Returns the head of the entry, with 0 as the offset of the deflated bytes.
    pub(super) fn head(&self) -> Option<Entry> {
        let kind = match self.rests_on < HEADER_LEN {
            true => EntryKind::Whole(ObjectType::from_number(self.rests_on as u8)?),
            false => EntryKind::OfsDelta { base_offset: self.rests_on },
        };
        let size = self.place.range().len() as u64;
        Some(Entry { kind, size, data_offset: 0 })
    }

    fn is_of(&self, pack: FileId, offset: u64) -> bool {
        self.pack == pack && self.offset == offset && self.place.segment > 0
    }
}

/// A hash table of slots. The hash of an entry's pack and offset selects a group of slots. If
/// all of them are taken, the one with the oldest segment is replaced.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
}

impl Slots {
    pub fn find(&self, pack: FileId, offset: u64) -> Option<&Slot> {
        let slots = self.slots.get(self.range_of(pack, offset))?;
        slots.iter().find(|slot| slot.is_of(pack, offset))
    }

    pub(super) fn note(&mut self, noted: Slot) {
        let range = self.range_of(noted.pack, noted.offset);
        let slots = self.slots.get_mut(range).unwrap_or_default();
        let same = slots.iter().position(|slot| slot.is_of(noted.pack, noted.offset));
        let slot = match same {
            Some(at) => slots.get_mut(at),
            None => slots.iter_mut().min_by_key(|slot| slot.place.segment),
        };
        if let Some(slot) = slot {
            *slot = noted;
        }
    }

    /// Returns by how many bytes the table grows if the cache has `bytes` of entries.
    pub(super) fn growth(&self, bytes: u64) -> u64 {
        memory(self.needed_slots(bytes).saturating_sub(self.slots.len()))
    }

    /// Grows the table for `bytes` of entries; drops the entries of segments before `first`.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if there is no memory.
    pub(super) fn grow(&mut self, bytes: u64, first: u32) -> Result<()> {
        let count = self.needed_slots(bytes);
        if count == self.slots.len() {
            return Ok(());
        }
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).map_err(|_| over_ceiling())?;
        slots.resize(count, Slot::new((FileId::NONE, 0), CachePosition::default(), None));
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot.place.segment >= first {
                self.note(slot);
            }
        }
        Ok(())
    }

    fn needed_slots(&self, bytes: u64) -> usize {
        let count = usize::try_from(bytes / BYTES_PER_SLOT).unwrap_or(usize::MAX);
        let count = count.max(LEAST_SLOTS);
        match count > self.slots.len() {
            // Half again as many as needed, since each growth rehashes all entries.
            true => count.saturating_add(count / 2) & !(WAYS - 1),
            false => self.slots.len(),
        }
    }

    fn range_of(&self, pack: FileId, offset: u64) -> std::ops::Range<usize> {
        let key = offset ^ (u64::from(pack.number()) << 48);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let first = (hash as usize).checked_rem(self.slots.len() / WAYS).unwrap_or(0);
        let first = first.saturating_mul(WAYS);
        first..first.saturating_add(WAYS)
    }
}

fn memory(count: usize) -> u64 {
    count.saturating_mul(size_of::<Slot>()) as u64
}
