//! Inflated entries that other entries build on.

mod slots;

pub use slots::Place;
use slots::{Slot, Slots};

use super::{Entry, EntryKind};
use crate::block::{over_ceiling, FileId};
use crate::error::Result;
use std::collections::VecDeque;

/// The largest segment, and the smallest.
const MOST_SEGMENT: usize = 1 << 20;
const LEAST_SEGMENT: usize = 32 << 10;

/// How many segments there can be, one after the other.
const MOST_SEGMENTS: u32 = u32::MAX / 2;

/// How many tenths of the segments are newer than one that is old.
const OLD_TENTHS: u64 = 7;

/// The inflated bytes of pack entries, bounded by bytes.
///
/// It holds entries as they are stored, deltas included, and not the objects
/// they stand for: an entry is much smaller, and serves all objects that are
/// built on it.
///
/// Entries lie one behind the other in segments, the oldest of which leaves
/// when there is no room. One that is found in an old segment moves to the
/// newest: what is of use stays. Freed one by one, entries of all sizes would
/// leave gaps all over the memory.
pub struct BaseCache {
    slots: Slots,
    segments: VecDeque<Segment>,
    /// The number of the oldest segment. Numbers are never used twice: when they
    /// run out, all is forgotten.
    first: u32,
    /// The segment that small entries are written to.
    filling: u32,
    /// Segments that may not leave: those of a base and of a delta on it.
    pinned: [u32; 2],
    ceiling: u64,
    size: u64,
    hits: u64,
}

#[derive(Default)]
struct Segment {
    bytes: Vec<u8>,
    used: usize,
}

impl BaseCache {
    /// Makes a cache that takes at most `ceiling` bytes.
    pub fn new(ceiling: u64) -> BaseCache {
        BaseCache {
            slots: Slots::default(),
            segments: VecDeque::new(),
            first: 1,
            filling: 0,
            pinned: [0; 2],
            ceiling,
            size: 0,
            hits: 0,
        }
    }

    /// Returns where the bytes of the entry at `offset` of `pack` are, and pins
    /// them there.
    pub fn find(&mut self, pack: FileId, offset: u64) -> Option<Place> {
        let slot = *self.slot(pack, offset)?;
        self.hits = self.hits.saturating_add(1);
        let place = self.renew(slot);
        self.pin(place);
        Some(place)
    }

    /// Returns where the bytes of an entry are, without pinning them there.
    pub fn peek(&self, pack: FileId, offset: u64) -> Option<Place> {
        self.slot(pack, offset).map(|slot| slot.place)
    }

    /// Returns the head of an entry that is held, if that was told: without where its
    /// deflated bytes begin, and with a place for its base, also where the pack has an id.
    pub fn head(&self, pack: FileId, offset: u64) -> Option<Entry> {
        self.slot(pack, offset)?.head()
    }

    /// Returns the bytes at a place.
    pub fn bytes(&self, place: Place) -> &[u8] {
        self.segment(place.segment)
            .and_then(|segment| segment.bytes.get(place.range()))
            .unwrap_or_default()
    }

    /// Returns how many bytes more are held once an entry of `length` is.
    pub fn growth(&self, length: usize) -> u64 {
        match self.fits(length) {
            true => 0,
            false => {
                let segment = self.segment_len(length);
                (segment as u64).saturating_add(self.slots.growth(self.size_with(segment)))
            }
        }
    }

    /// Makes a place for an entry of `length` bytes and has them filled in;
    /// `None` if it is too large to be kept. It is pinned. `kind` tells what it rests on,
    /// if that is in the same pack.
    ///
    /// # Errors
    ///
    /// Those of `fill`, [`Limit`](crate::ErrorKind::Limit) if there is no memory.
    pub fn keep(
        &mut self,
        pack: FileId,
        offset: u64,
        length: usize,
        kind: Option<EntryKind>,
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<Option<Place>> {
        if length as u64 > self.ceiling / 4 {
            return Ok(None);
        }
        if !self.fits(length) {
            self.open_segment(length)?;
        }
        let number = self.filling;
        let Some(segment) = self.segment_mut(number) else {
            return Ok(None);
        };
        let start = segment.used;
        let end = start.saturating_add(length);
        fill(segment.bytes.get_mut(start..end).unwrap_or_default())?;
        segment.used = end;
        let place = Place::new(number, start, end);
        self.slots.note(Slot::new((pack, offset), place, kind));
        self.pin(place);
        Ok(Some(place))
    }

    /// Lets places go that were pinned.
    pub fn unpin(&mut self) {
        self.pinned = [0; 2];
    }

    /// Drops the oldest entries until at most `size` bytes are held, or only what
    /// is pinned is left.
    pub fn shrink_to(&mut self, size: u64) {
        while self.size > size && self.drop_oldest().is_some() {}
    }

    /// Returns how many bytes are held.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns how often an entry was found.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Moves an entry of an old segment to the newest, if there is room.
    fn renew(&mut self, slot: Slot) -> Place {
        let place = slot.place;
        let age = u64::from(self.filling.saturating_sub(place.segment)).saturating_mul(10);
        let old = age > (self.segments.len() as u64).saturating_mul(OLD_TENTHS);
        let length = place.range().len();
        if !old || !self.fits(length) {
            return place;
        }
        let Some(newest) = self.segment_mut(self.filling) else {
            return place;
        };
        let mut newest = std::mem::take(newest);
        let (start, end) = (newest.used, newest.used.saturating_add(length));
        if let Some(target) = newest.bytes.get_mut(start..end) {
            target.copy_from_slice(self.bytes(place));
            newest.used = end;
        }
        if let Some(segment) = self.segment_mut(self.filling) {
            *segment = newest;
        }
        let place = Place::new(self.filling, start, end);
        self.slots.note(slot.moved_to(place));
        place
    }

    fn slot(&self, pack: FileId, offset: u64) -> Option<&Slot> {
        let slot = self.slots.find(pack, offset)?;
        self.segment(slot.place.segment).filter(|held| !held.bytes.is_empty()).map(|_| slot)
    }

    fn pin(&mut self, place: Place) {
        if !self.pinned.contains(&place.segment) {
            let [_, last] = self.pinned;
            self.pinned = [last, place.segment];
        }
    }

    /// Tells whether there is room in the segment that is being filled.
    fn fits(&self, length: usize) -> bool {
        self.segment(self.filling)
            .is_some_and(|segment| segment.used.saturating_add(length) <= segment.bytes.len())
    }

    /// Returns how long the next segment is: longer as there are more of them.
    fn segment_len(&self, length: usize) -> usize {
        let most = usize::try_from(self.ceiling / 16).unwrap_or(MOST_SEGMENT).min(MOST_SEGMENT);
        let size = usize::try_from(self.size).unwrap_or(MOST_SEGMENT);
        size.clamp(LEAST_SEGMENT.min(most), most).max(length)
    }

    /// Returns how many bytes are held once there is a segment more, of so many.
    fn size_with(&self, segment: usize) -> u64 {
        self.size.saturating_add(segment as u64).min(self.ceiling)
    }

    /// Begins a segment that has room for `length` bytes.
    fn open_segment(&mut self, length: usize) -> Result<()> {
        let size = self.segment_len(length);
        if self.filling > MOST_SEGMENTS && self.pinned == [0; 2] {
            *self = BaseCache { hits: self.hits, ..BaseCache::new(self.ceiling) };
        }
        let bytes = self.size_with(size);
        let growth = self.slots.growth(bytes);
        self.slots.grow(bytes, self.first)?;
        self.size = self.size.saturating_add(growth);
        let mut bytes = Vec::new();
        while self.size.saturating_add(size as u64) > self.ceiling {
            match self.drop_oldest() {
                Some(dropped) => bytes = dropped,
                None => break,
            }
        }
        if bytes.len() != size {
            bytes = Vec::new();
            bytes.try_reserve_exact(size).map_err(|_| over_ceiling())?;
            bytes.resize(size, 0);
        }
        self.size = self.size.saturating_add(size as u64);
        self.segments.push_back(Segment { bytes, used: 0 });
        self.filling = self.first.saturating_add(self.segments.len() as u32).saturating_sub(1);
        Ok(())
    }

    /// Drops the oldest segment that is not pinned, and returns its buffer.
    fn drop_oldest(&mut self) -> Option<Vec<u8>> {
        let first = self.first;
        let pinned = self.pinned;
        let mut numbered = (first..).zip(self.segments.iter_mut());
        let (_, oldest) =
            numbered.find(|(number, held)| !held.bytes.is_empty() && !pinned.contains(number))?;
        let bytes = std::mem::take(oldest).bytes;
        self.size = self.size.saturating_sub(bytes.len() as u64);
        while self.segments.front().is_some_and(|held| held.bytes.is_empty()) {
            self.segments.pop_front();
            self.first = self.first.saturating_add(1);
        }
        Some(bytes)
    }

    fn segment(&self, number: u32) -> Option<&Segment> {
        self.segments.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    fn segment_mut(&mut self, number: u32) -> Option<&mut Segment> {
        self.segments.get_mut(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::ObjectType;
    use crate::oid::{HashKind, ObjectId};
    use crate::pack::HEADER_LEN;

    const PACK: FileId = FileId::NONE;

    fn keep(cache: &mut BaseCache, offset: u64, length: usize) -> bool {
        let fill = |bytes: &mut [u8]| {
            bytes.fill(offset as u8);
            Ok(())
        };
        let kept = cache.keep(PACK, offset, length, None, fill).unwrap().is_some();
        cache.unpin();
        kept
    }

    fn has(cache: &mut BaseCache, offset: u64, length: usize) -> bool {
        let found = cache.find(PACK, offset);
        cache.unpin();
        found.is_some_and(|place| {
            assert_eq!(cache.bytes(place), vec![offset as u8; length]);
            true
        })
    }

    #[test]
    fn what_is_of_use_stays_and_the_rest_leaves() {
        let mut cache = BaseCache::new(1 << 20);
        for offset in 0..3000 {
            assert!(keep(&mut cache, offset, 1000));
            assert!(has(&mut cache, offset, 1000));
            // Each use moves it on, so it outlives all that nobody asks for.
            assert!(has(&mut cache, 0, 1000), "after {offset}");
            assert!(cache.size() <= 1 << 20);
        }
        assert!(!has(&mut cache, 1, 1000));
        let held = (0..3000).filter(|at| has(&mut cache, *at, 1000)).count();
        assert!((500..1000).contains(&held), "{held}");
        cache.shrink_to(0);
        assert!(!has(&mut cache, 2999, 1000));
        assert!(keep(&mut cache, 1, 1000) && has(&mut cache, 1, 1000));
    }

    #[test]
    fn entries_of_any_size_are_what_they_were() {
        let mut cache = BaseCache::new(1 << 20);
        for (offset, length) in [0, 1, 70_000, 5, 262_144, 40_000, 100].into_iter().enumerate() {
            assert!(keep(&mut cache, offset as u64, length), "{length}");
            assert!(has(&mut cache, offset as u64, length));
        }
        assert!(!keep(&mut cache, 9, (1 << 18) + 1), "more than a quarter");
        let failed = cache.keep(PACK, 10, 5, None, |_| Err(over_ceiling()));
        assert!(failed.is_err() && cache.find(PACK, 10).is_none());
    }

    #[test]
    fn what_an_entry_rests_on_is_remembered_as_long_as_it_is_held() {
        let mut cache = BaseCache::new(1 << 20);
        let base = ObjectId::from_bytes(HashKind::Sha1, &[1; 20]).unwrap();
        let whole = EntryKind::Whole(ObjectType::Tag);
        let delta = EntryKind::OfsDelta { base_offset: HEADER_LEN };
        let kinds = [
            (Some(whole), Some(whole)),
            (Some(delta), Some(delta)),
            (Some(EntryKind::RefDelta { base }), None),
            (None, None),
        ];
        for (offset, (kind, _)) in (20..).zip(kinds) {
            assert!(cache.keep(PACK, offset, 5, kind, |_| Ok(())).unwrap().is_some());
        }
        let heads = |cache: &BaseCache| {
            let head = |offset| cache.head(PACK, offset);
            let head = |offset| head(offset).map(|entry| (entry.kind, entry.size));
            [20, 21, 22, 23, 24].map(head)
        };
        assert_eq!(heads(&cache)[..4], kinds.map(|(_, kind)| kind.map(|kind| (kind, 5))));
        cache.unpin();
        // More slots, and a newer place: it is remembered all the same.
        for offset in 1000..4000 {
            assert!(keep(&mut cache, offset, 1000));
            assert!(cache.find(PACK, 21).is_some());
            cache.unpin();
        }
        assert_eq!(heads(&cache), [None, Some((delta, 5)), None, None, None]);
        cache.shrink_to(0);
        assert_eq!(heads(&cache), [None; 5]);
    }

    #[test]
    fn what_is_pinned_does_not_leave() {
        let mut cache = BaseCache::new(1 << 20);
        let fill = |bytes: &mut [u8]| {
            bytes.fill(7);
            Ok(())
        };
        let place = cache.keep(PACK, 7, 1000, None, fill).unwrap().unwrap();
        for offset in 100..3000 {
            // A second place is pinned beside the first, and let go.
            let grown = cache.growth(40_000);
            let before = cache.size();
            cache.keep(PACK, offset, 40_000, None, |_| Ok(())).unwrap();
            assert!(cache.size() <= before + grown);
            cache.shrink_to(1 << 17);
            assert_eq!(cache.bytes(place), [7; 1000]);
            cache.unpin();
            cache.pin(place);
        }
        assert_eq!(cache.bytes(place), [7; 1000]);
        cache.unpin();
        cache.shrink_to(1 << 20);
        assert!(cache.size() <= 1 << 20);
    }
}
