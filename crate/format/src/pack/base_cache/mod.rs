//! A cache of inflated entries that deltas need as bases.

mod slots;

pub use slots::CachePosition;
use slots::{Slot, Slots};

use super::{Entry, EntryKind};
use packlens_base::block::{over_ceiling, FileId};
use packlens_base::error::Result;
use std::collections::VecDeque;

/// The largest and the smallest segment, in bytes.
const MOST_SEGMENT: usize = 1 << 20;
const LEAST_SEGMENT: usize = 32 << 10;

/// The highest segment number before the cache is reset.
const MOST_SEGMENTS: u32 = u32::MAX / 2;

/// An entry is old if more than this many tenths of the segments are newer.
const OLD_TENTHS: u64 = 7;

/// A cache of the inflated bytes of pack entries, limited in bytes.
///
/// Entries are cached in stored form, deltas included, and not as the objects that they stand
/// for: an entry is much smaller, and serves all objects above it in the delta tree.
///
/// Entries are appended to segments, and the oldest segment is evicted when there is no room.
/// An entry that is found in an old segment moves to the newest, so entries in use stay. If
/// entries of all sizes were freed one by one, memory would be fragmented.
pub struct BaseCache {
    slots: Slots,
    segments: VecDeque<Segment>,
    /// The number of the oldest segment. Numbers are never reused: before they run out, the
    /// cache is reset.
    first: u32,
    /// The segment that new entries are written to.
    filling: u32,
    /// Segments that must not be evicted: those of a base and of a delta on it.
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
    /// Creates a cache that takes at most `ceiling` bytes.
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

    /// Finds the entry at `offset` of `pack`, and pins its segment.
    pub fn find(&mut self, pack: FileId, offset: u64) -> Option<CachePosition> {
        let slot = *self.slot(pack, offset)?;
        self.hits = self.hits.saturating_add(1);
        let place = self.renew(slot);
        self.pin(place);
        Some(place)
    }

    /// Finds an entry without pinning its segment.
    pub fn peek(&self, pack: FileId, offset: u64) -> Option<CachePosition> {
        self.slot(pack, offset).map(|slot| slot.place)
    }

    /// Returns the head of a cached entry, if `keep` got its kind. The offset of the deflated
    /// bytes is 0, and a base is given by its offset, even if the pack has its id.
    pub fn head(&self, pack: FileId, offset: u64) -> Option<Entry> {
        self.slot(pack, offset)?.head()
    }

    /// Returns the bytes at a place.
    pub fn bytes(&self, place: CachePosition) -> &[u8] {
        self.segment(place.segment)
            .and_then(|segment| segment.bytes.get(place.range()))
            .unwrap_or_default()
    }

    /// Returns by how many bytes the cache grows if an entry of `length` bytes is added.
    pub fn growth(&self, length: usize) -> u64 {
        match self.fits(length) {
            true => 0,
            false => {
                let segment = self.segment_len(length);
                (segment as u64).saturating_add(self.slots.growth(self.size_with(segment)))
            }
        }
    }

    /// Adds an entry of `length` bytes, which `fill` writes, and pins its segment; `None` if
    /// the entry is too large to be cached. `kind` is the entry's kind, if its base is in the
    /// same pack.
    ///
    /// # Errors
    ///
    /// The errors of `fill`; [`Limit`](packlens_base::ErrorKind::Limit) if there is no memory.
    pub fn keep(
        &mut self,
        pack: FileId,
        offset: u64,
        length: usize,
        kind: Option<EntryKind>,
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<Option<CachePosition>> {
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
        let place = CachePosition::new(number, start, end);
        self.slots.note(Slot::new((pack, offset), place, kind));
        self.pin(place);
        Ok(Some(place))
    }

    /// Unpins all segments.
    pub fn unpin(&mut self) {
        self.pinned = [0; 2];
    }

    /// Evicts the oldest segments until the cache takes at most `size` bytes, or only pinned
    /// segments are left.
    pub fn shrink_to(&mut self, size: u64) {
        while self.size > size && self.drop_oldest().is_some() {}
    }

    /// Returns how many bytes the cache takes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns how often an entry was found.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Moves an entry from an old segment to the newest, if there is room.
    fn renew(&mut self, slot: Slot) -> CachePosition {
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
        let place = CachePosition::new(self.filling, start, end);
        self.slots.note(slot.moved_to(place));
        place
    }

    fn slot(&self, pack: FileId, offset: u64) -> Option<&Slot> {
        let slot = self.slots.find(pack, offset)?;
        self.segment(slot.place.segment).filter(|held| !held.bytes.is_empty()).map(|_| slot)
    }

    fn pin(&mut self, place: CachePosition) {
        if !self.pinned.contains(&place.segment) {
            let [_, last] = self.pinned;
            self.pinned = [last, place.segment];
        }
    }

    /// Returns whether the current segment has room for `length` bytes.
    fn fits(&self, length: usize) -> bool {
        self.segment(self.filling)
            .is_some_and(|segment| segment.used.saturating_add(length) <= segment.bytes.len())
    }

    /// Returns the length of the next segment, which grows with the size of the cache.
    fn segment_len(&self, length: usize) -> usize {
        let most = usize::try_from(self.ceiling / 16).unwrap_or(MOST_SEGMENT).min(MOST_SEGMENT);
        let size = usize::try_from(self.size).unwrap_or(MOST_SEGMENT);
        size.clamp(LEAST_SEGMENT.min(most), most).max(length)
    }

    /// Returns the size of the cache after a segment of this length is added.
    fn size_with(&self, segment: usize) -> u64 {
        self.size.saturating_add(segment as u64).min(self.ceiling)
    }

    /// Starts a segment with room for `length` bytes.
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

    /// Evicts the oldest segment that is not pinned, and returns its buffer.
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
    use crate::pack::HEADER_LEN;
    use packlens_base::oid::{HashKind, ObjectId};

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
    fn used_entries_stay_and_the_rest_are_evicted() {
        let mut cache = BaseCache::new(1 << 20);
        for offset in 0..3000 {
            assert!(keep(&mut cache, offset, 1000));
            assert!(has(&mut cache, offset, 1000));
            // Each use renews the entry, so it outlives the unused ones.
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
    fn the_base_of_an_entry_is_remembered_while_the_entry_is_cached() {
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
        // The kind survives a growth of the slots and a move to a newer segment.
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
    fn pinned_entries_are_not_evicted() {
        let mut cache = BaseCache::new(1 << 20);
        let fill = |bytes: &mut [u8]| {
            bytes.fill(7);
            Ok(())
        };
        let place = cache.keep(PACK, 7, 1000, None, fill).unwrap().unwrap();
        for offset in 100..3000 {
            // Another segment is pinned beside the first, then unpinned.
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
