//! The extents of pack entries: each ends where the next one begins.

use super::{PackIndex, ReverseIndex};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::sort;

/// The entries of a pack, sorted by offset.
pub struct Extents {
    entries: Entries,
    end: u64,
}

/// The offset and the index position of each entry.
enum Entries {
    /// Packs below 4 GiB: both in one number, the position in its low 32 bits.
    Narrow(Vec<u64>),
    Wide(Vec<(u64, u32)>),
}

/// A pack whose entries end after this needs wide entries.
const NARROW_END: u64 = 1 << 32;

impl Entries {
    fn with_capacity(count: usize, end: u64) -> Entries {
        match end <= NARROW_END {
            true => Entries::Narrow(Vec::with_capacity(count)),
            false => Entries::Wide(Vec::with_capacity(count)),
        }
    }

    fn push(&mut self, offset: u64, position: u32) {
        match self {
            // An offset outside of the pack is reported when the entry is read.
            Entries::Narrow(list) => {
                list.push((offset.min(NARROW_END.saturating_sub(1)) << 32) | u64::from(position));
            }
            Entries::Wide(list) => list.push((offset, position)),
        }
    }

    fn sort(&mut self) {
        match self {
            Entries::Narrow(list) => sort::numbers(list),
            Entries::Wide(list) => {
                sort::by_keys(list, |(offset, _)| key_of(*offset), Ord::cmp);
            }
        }
    }

    fn get(&self, at: usize) -> Option<(u64, u32)> {
        match self {
            Entries::Narrow(list) => list.get(at).map(|entry| (entry >> 32, *entry as u32)),
            Entries::Wide(list) => list.get(at).copied(),
        }
    }

    /// Returns how many entries begin below `offset`.
    fn below(&self, offset: u64) -> usize {
        match self {
            Entries::Narrow(list) => list.partition_point(|entry| entry >> 32 < offset),
            Entries::Wide(list) => list.partition_point(|(start, _)| *start < offset),
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Entries::Narrow(list) => list.capacity(),
            Entries::Wide(list) => list.capacity(),
        }
    }
}

impl Extents {
    /// Reads all offsets of an index. `end` is the offset at which the pack's entries end.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn read<S: BlockSource>(index: &S, layout: &PackIndex, end: u64) -> Result<Extents> {
        let mut entries = Entries::with_capacity(layout.count() as usize, end);
        for position in 0..layout.count() {
            let left = u64::from(layout.count().saturating_sub(position)).saturating_mul(4);
            let offset = layout.offset_at(index, position).map_err(|error| error.widened(left))?;
            entries.push(offset, position);
        }
        entries.sort();
        Ok(Extents { entries, end })
    }

    /// As [`Extents::read`], in the order of a reverse index; `None` if the reverse index does
    /// not sort the offsets.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn read_in_order<S: BlockSource, I: BlockSource>(
        (order, reverse): (&ReverseIndex, &S),
        index: &I,
        layout: &PackIndex,
        end: u64,
    ) -> Result<Option<Extents>> {
        layout.touch_offsets(index)?;
        let mut entries = Entries::with_capacity(layout.count() as usize, end);
        let mut last = None;
        for at in 0..layout.count() {
            let (offset, position) = match order.entry(reverse, index, layout, at) {
                Err(error) if !error.is_missing() => return Ok(None),
                entry => entry?,
            };
            // If all offsets increase, each position occurs exactly once.
            if last.replace(offset) >= Some(offset) {
                return Ok(None);
            }
            entries.push(offset, position);
        }
        Ok(Some(Extents { entries, end }))
    }

    /// Returns the number of bytes of the entry at `offset`, including its head.
    pub fn extent_at(&self, offset: u64) -> Option<u64> {
        let at = self.entries.below(offset.saturating_add(1));
        let next = self.entries.get(at).map_or(self.end, |(start, _)| start);
        next.checked_sub(offset)
    }

    /// Returns how many entries begin at an offset or before it.
    pub fn after(&self, offset: u64) -> usize {
        self.entries.below(offset.saturating_add(1))
    }

    /// Returns the position of the object whose entry begins at `offset`.
    pub fn position_at(&self, offset: u64) -> Option<u32> {
        let (start, position) = self.entries.get(self.entries.below(offset))?;
        (start == offset).then_some(position)
    }

    /// Returns the number of the entry that begins at `offset`, in pack order.
    pub fn entry_at(&self, offset: u64) -> Option<usize> {
        let at = self.entries.below(offset);
        self.entries.get(at).filter(|(start, _)| *start == offset).map(|_| at)
    }

    /// Returns the offset and the position of an entry, by its number in pack order.
    pub fn entry(&self, at: usize) -> Option<(u64, u32)> {
        self.entries.get(at)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        Extents::memory_for(self.entries.capacity() as u64, self.end)
    }

    /// Returns how many bytes of memory [`Extents`] take for `count` entries of a pack whose
    /// entries end at `end`.
    pub fn memory_for(count: u64, end: u64) -> u64 {
        let each = if end <= NARROW_END { size_of::<u64>() } else { size_of::<(u64, u32)>() };
        count.saturating_mul(each as u64)
    }
}

/// Finds the extents of entries, and the positions of their bases, by a search of the whole index:
/// for packs with more entries than memory can hold.
pub struct Neighbours {
    /// The offset of each entry, sorted, and the least offset after it that was found so far.
    entries: Vec<(u64, u64)>,
    /// The offset of each base, sorted, and its position once it was found.
    bases: Vec<(u64, Option<u32>)>,
    next_position: u32,
}

impl Neighbours {
    /// Creates a search for the ends of the entries at some offsets, and for the positions of the
    /// entries at the offsets of their bases. `end` is the offset at which the pack's entries end.
    pub fn new(asked: &[(u64, Option<u64>)], end: u64) -> Neighbours {
        let mut entries: Vec<_> = asked.iter().map(|(offset, _)| (*offset, end)).collect();
        let mut bases: Vec<_> = asked.iter().filter_map(|(_, base)| *base).collect();
        sort::by_keys(&mut entries, |(offset, _)| key_of(*offset), Ord::cmp);
        entries.dedup();
        sort::numbers(&mut bases);
        bases.dedup();
        let bases = bases.into_iter().map(|base| (base, None)).collect();
        Neighbours { entries, bases, next_position: 0 }
    }

    /// Returns whether the search is for this entry and its base, too.
    pub fn has(&self, offset: u64, base: Option<u64>) -> bool {
        self.entry(offset).is_some() && base.is_none_or(|base| self.base(base).is_some())
    }

    /// Searches the offsets of an index from the position it has reached.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index: provide them and call again.
    pub fn search<S: BlockSource>(&mut self, index: &S, layout: &PackIndex) -> Result<()> {
        while self.next_position < layout.count() {
            let position = self.next_position;
            let left = u64::from(layout.count().saturating_sub(position)).saturating_mul(4);
            let offset = layout.offset_at(index, position).map_err(|error| error.widened(left))?;
            // The entries before the last one that begins below the offset end there at the latest.
            let below = self.entries.partition_point(|(entry, _)| *entry < offset);
            if let Some((_, end)) = self.entries.get_mut(below.wrapping_sub(1)) {
                *end = offset.min(*end);
            }
            let base = self.bases.partition_point(|(base, _)| *base < offset);
            if let Some((_, found)) = self.bases.get_mut(base).filter(|(base, _)| *base == offset) {
                *found = Some(position);
            }
            self.next_position = position.saturating_add(1);
        }
        Ok(())
    }

    /// Returns the number of bytes of an entry, including its head.
    pub fn extent(&self, offset: u64) -> Option<u64> {
        self.entry(offset)?.checked_sub(offset)
    }

    /// Returns the position of a base, if it was found.
    pub fn base_position(&self, base: u64) -> Option<u32> {
        self.base(base)?
    }

    /// Returns how many bytes of memory the search takes.
    pub fn memory(&self) -> u64 {
        let entries = self.entries.capacity().saturating_mul(size_of::<(u64, u64)>());
        let bases = self.bases.capacity().saturating_mul(size_of::<(u64, Option<u32>)>());
        entries.saturating_add(bases) as u64
    }

    fn entry(&self, offset: u64) -> Option<u64> {
        let at = self.entries.partition_point(|(entry, _)| *entry < offset);
        self.entries.get(at).filter(|(entry, _)| *entry == offset).map(|(_, end)| *end)
    }

    fn base(&self, offset: u64) -> Option<Option<u32>> {
        let at = self.bases.partition_point(|(base, _)| *base < offset);
        self.bases.get(at).filter(|(base, _)| *base == offset).map(|(_, position)| *position)
    }
}

/// Returns the number by which an offset is sorted first.
fn key_of(offset: u64) -> u32 {
    u32::try_from(offset >> 16).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::oid::HashKind;

    /// Entries of a short pack and of a long pack give the same answers.
    #[test]
    fn narrow_and_wide_entries_answer_the_same() {
        let offsets = [5000, 12, 90, 4_000_000_000, 700];
        for end in [4_200_000_000, 1 << 33] {
            let mut entries = Entries::with_capacity(offsets.len(), end);
            (0..).zip(offsets).for_each(|(position, offset)| entries.push(offset, position));
            entries.sort();
            let extents = Extents { entries, end };
            let order: Vec<_> = (0..6).map_while(|at| extents.entry(at)).collect();
            assert_eq!(order, [(12, 1), (90, 2), (700, 4), (5000, 0), (4_000_000_000, 3)]);
            assert_eq!(extents.extent_at(90), Some(610));
            assert_eq!(extents.extent_at(4_000_000_000), Some(end - 4_000_000_000));
            assert_eq!(extents.position_at(700), Some(4));
            assert_eq!([0, 13, end].map(|offset| extents.position_at(offset)), [None; 3]);
            assert_eq!(extents.memory(), if end < 1 << 32 { 40 } else { 80 });
        }
    }

    /// One search for many entries finds what the order of the pack says.
    #[test]
    fn a_search_for_many_entries_finds_each() {
        let offsets: Vec<u64> = (0..200).map(|at| 12 + at * 7919 % 200 * 31 + at % 3).collect();
        let mut index = vec![0xff, b't', b'O', b'c', 0, 0, 0, 2];
        index.extend([200u32.to_be_bytes(); 256].concat());
        index.resize(index.len() + 200 * 24, 0);
        offsets.iter().for_each(|offset| index.extend((*offset as u32).to_be_bytes()));
        index.resize(index.len() + 40, 0);
        let (index, end) = (index.as_slice(), 9000);
        let layout = PackIndex::decode(&index, HashKind::Sha1).unwrap();
        let extents = Extents::read(&index, &layout, end).unwrap();
        for step in [1, 2, 5, 199] {
            let asked: Vec<_> = offsets.iter().step_by(step).map(|at| (*at, Some(*at))).collect();
            let mut neighbours = Neighbours::new(&asked, end);
            neighbours.search(&index, &layout).unwrap();
            for (offset, base) in asked {
                assert!(neighbours.has(offset, base));
                assert_eq!(neighbours.extent(offset), extents.extent_at(offset));
                assert_eq!(neighbours.base_position(offset), extents.position_at(offset));
            }
            assert!(!neighbours.has(1, None) && !neighbours.has(offsets[0], Some(1)));
        }
    }
}
