//! Inflated entries that other entries build on.

use crate::block::{over_ceiling, FileId};
use crate::error::Result;
use std::collections::VecDeque;

/// The largest segment, and the smallest.
const MOST_SEGMENT: usize = 1 << 20;
const LEAST_SEGMENT: usize = 32 << 10;

/// How many segments there can be, one after the other.
const MOST_SEGMENTS: u32 = u32::MAX / 2;

/// How many bytes of entries there are for each slot, about.
const BYTES_PER_SLOT: u64 = 384;

/// How many tenths of the segments are newer than one that is old.
const OLD_TENTHS: u64 = 7;

/// The fewest slots, and how many of them an entry may be in.
const LEAST_SLOTS: usize = 512;
const WAYS: usize = 4;

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
    /// Where entries are: each in one of the few slots that a hash of its place in
    /// the pack names. One too many takes the slot of the oldest.
    slots: Vec<Slot>,
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

#[derive(Clone, Copy)]
struct Slot {
    pack: FileId,
    offset: u64,
    place: Place,
}

/// Where the bytes of an entry are. Good until it is unpinned.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Place {
    segment: u32,
    start: u32,
    end: u32,
}

impl Place {
    /// Makes a place in a segment, which is never longer than 4 GiB.
    fn new(segment: u32, start: usize, end: usize) -> Place {
        Place { segment, start: start as u32, end: end as u32 }
    }

    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Slot {
    fn is_of(&self, pack: FileId, offset: u64) -> bool {
        self.pack == pack && self.offset == offset && self.place.segment > 0
    }
}

const EMPTY: Slot =
    Slot { pack: FileId::NONE, offset: 0, place: Place { segment: 0, start: 0, end: 0 } };

impl BaseCache {
    /// Makes a cache that takes at most `ceiling` bytes.
    pub fn new(ceiling: u64) -> BaseCache {
        BaseCache {
            slots: Vec::new(),
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
        let place = self.peek(pack, offset)?;
        self.hits = self.hits.saturating_add(1);
        let place = self.renew(pack, offset, place);
        self.pin(place);
        Some(place)
    }

    /// Returns where the bytes of an entry are, without pinning them there.
    pub fn peek(&self, pack: FileId, offset: u64) -> Option<Place> {
        let slots = self.slots.get(self.slots_of(pack, offset))?;
        let place = slots.iter().find(|slot| slot.is_of(pack, offset))?.place;
        self.segment(place.segment).filter(|held| !held.bytes.is_empty()).map(|_| place)
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
                (segment as u64).saturating_add(self.slots_growth(segment))
            }
        }
    }

    /// Makes a place for an entry of `length` bytes and has them filled in;
    /// `None` if it is too large to be kept. It is pinned.
    ///
    /// # Errors
    ///
    /// Those of `fill`, [`Limit`](crate::ErrorKind::Limit) if there is no memory.
    pub fn keep(
        &mut self,
        pack: FileId,
        offset: u64,
        length: usize,
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
        self.note(pack, offset, place);
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
    fn renew(&mut self, pack: FileId, offset: u64, place: Place) -> Place {
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
        self.note(pack, offset, place);
        place
    }

    fn note(&mut self, pack: FileId, offset: u64, place: Place) {
        let range = self.slots_of(pack, offset);
        let slots = self.slots.get_mut(range).unwrap_or_default();
        let same = slots.iter().position(|slot| slot.is_of(pack, offset));
        let slot = match same {
            Some(at) => slots.get_mut(at),
            None => slots.iter_mut().min_by_key(|slot| slot.place.segment),
        };
        if let Some(slot) = slot {
            *slot = Slot { pack, offset, place };
        }
    }

    fn pin(&mut self, place: Place) {
        if !self.pinned.contains(&place.segment) {
            let [_, last] = self.pinned;
            self.pinned = [last, place.segment];
        }
    }

    /// Returns the slots that may have an entry.
    fn slots_of(&self, pack: FileId, offset: u64) -> std::ops::Range<usize> {
        let key = offset ^ (u64::from(pack.number()) << 48);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let first = (hash as usize).checked_rem(self.slots.len() / WAYS).unwrap_or(0);
        let first = first.saturating_mul(WAYS);
        first..first.saturating_add(WAYS)
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

    /// Returns how many bytes more the slots take once there are `more` bytes.
    fn slots_growth(&self, more: usize) -> u64 {
        let count = self.slot_count(more);
        slots_len(count.saturating_sub(self.slots.len()))
    }

    /// Returns how many slots there should be once there are `more` bytes.
    fn slot_count(&self, more: usize) -> usize {
        let wanted = self.size.saturating_add(more as u64).min(self.ceiling) / BYTES_PER_SLOT;
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX).max(LEAST_SLOTS);
        match wanted > self.slots.len() {
            // Half as many more as needed: entries are put anew each time.
            true => wanted.saturating_add(wanted / 2) & !(WAYS - 1),
            false => self.slots.len(),
        }
    }

    fn grow_slots(&mut self, more: usize) -> Result<()> {
        let count = self.slot_count(more);
        if count == self.slots.len() {
            return Ok(());
        }
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).map_err(|_| over_ceiling())?;
        slots.resize(count, EMPTY);
        let old = std::mem::replace(&mut self.slots, slots);
        let grown = slots_len(count).saturating_sub(slots_len(old.len()));
        self.size = self.size.saturating_add(grown);
        for Slot { pack, offset, place } in old {
            if place.segment >= self.first {
                self.note(pack, offset, place);
            }
        }
        Ok(())
    }

    /// Begins a segment that has room for `length` bytes.
    fn open_segment(&mut self, length: usize) -> Result<()> {
        let size = self.segment_len(length);
        if self.filling > MOST_SEGMENTS && self.pinned == [0; 2] {
            *self = BaseCache { hits: self.hits, ..BaseCache::new(self.ceiling) };
        }
        self.grow_slots(size)?;
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

fn slots_len(count: usize) -> u64 {
    (count.saturating_mul(size_of::<Slot>())) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACK: FileId = FileId::NONE;

    fn keep(cache: &mut BaseCache, offset: u64, length: usize) -> bool {
        let fill = |bytes: &mut [u8]| {
            bytes.fill(offset as u8);
            Ok(())
        };
        let kept = cache.keep(PACK, offset, length, fill).unwrap().is_some();
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
        let failed = cache.keep(PACK, 10, 5, |_| Err(over_ceiling()));
        assert!(failed.is_err() && cache.find(PACK, 10).is_none());
    }

    #[test]
    fn what_is_pinned_does_not_leave() {
        let mut cache = BaseCache::new(1 << 20);
        let fill = |bytes: &mut [u8]| {
            bytes.fill(7);
            Ok(())
        };
        let place = cache.keep(PACK, 7, 1000, fill).unwrap().unwrap();
        for offset in 100..3000 {
            // A second place is pinned beside the first, and let go.
            let grown = cache.growth(40_000);
            let before = cache.size();
            cache.keep(PACK, offset, 40_000, |_| Ok(())).unwrap();
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
