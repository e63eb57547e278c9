//! The cached ranges of one file.

use std::cell::Cell;
use std::ops::Range;

/// The most bytes that an allocator puts between two adjacent allocations.
const MOST_BETWEEN: usize = 32;

/// A cached range of a file.
struct Part {
    offset: u64,
    bytes: Vec<u8>,
    /// The time of the last use.
    used: Cell<u64>,
}

impl Part {
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes.len() as u64)
    }
}

/// The cached ranges, sorted by offset and without overlaps.
#[derive(Default)]
pub(super) struct Parts {
    list: Vec<Part>,
    /// The index of the range that was used last: most reads are sequential.
    recent: Cell<usize>,
}

impl Parts {
    /// Returns the longest run at `offset`, and marks its range as used at `now`.
    pub(super) fn run_at(&self, offset: u64, now: u64) -> Option<&[u8]> {
        let covers = |part: &&Part| part.offset <= offset && offset < part.end();
        let part = match self.list.get(self.recent.get()).filter(covers) {
            Some(part) => part,
            None => {
                let at = self.at(offset)?;
                let part = self.list.get(at).filter(covers)?;
                self.recent.set(at);
                part
            }
        };
        part.used.set(now);
        let skip = usize::try_from(offset.saturating_sub(part.offset)).ok()?;
        part.bytes.get(skip..)
    }

    /// Returns the index of the last range that begins at or before `offset`.
    fn at(&self, offset: u64) -> Option<usize> {
        let begins = |at: usize| self.list.get(at).is_some_and(|part| part.offset <= offset);
        // Most ranges are as long as the first, so if there are no gaps the index can be
        // computed.
        let first = self.list.first()?;
        let skip = offset.checked_sub(first.offset)?.checked_div(first.bytes.len() as u64)?;
        let guess = usize::try_from(skip).ok()?;
        if begins(guess) && !begins(guess.saturating_add(1)) {
            return Some(guess);
        }
        self.list.partition_point(|part| part.offset <= offset).checked_sub(1)
    }

    /// Adds the bytes at `offset` that are not cached yet. Returns how many bytes were added,
    /// and how many were dropped because the new bytes replace them.
    pub(super) fn add(&mut self, mut offset: u64, mut bytes: Vec<u8>, now: u64) -> (u64, u64) {
        let end = offset.saturating_add(bytes.len() as u64);
        let first = self.list.partition_point(|part| part.offset < offset);
        let after = self.list.partition_point(|part| part.offset < end);
        let inside = |part: &Part| part.end() <= end;
        let last = match after.checked_sub(1).and_then(|last| self.list.get(last)) {
            Some(part) if !inside(part) => after.saturating_sub(1),
            _ => after,
        };
        let dropped = self
            .list
            .drain(first..last.max(first))
            .fold(0, |sum: u64, part| sum.saturating_add(part.bytes.len() as u64));
        let at = self.list.partition_point(|part| part.offset <= offset);
        let before = at.checked_sub(1).and_then(|before| self.list.get(before));
        if let Some(covered) = before.and_then(|part| part.end().checked_sub(offset)) {
            let covered = usize::try_from(covered).unwrap_or(usize::MAX).min(bytes.len());
            bytes.drain(..covered);
            offset = offset.saturating_add(covered as u64);
        }
        if let Some(next) = self.list.get(at) {
            let room = next.offset.saturating_sub(offset);
            bytes.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        }
        // Frees the memory of cut bytes, which is not counted.
        bytes.shrink_to_fit();
        let added = bytes.len() as u64;
        if !bytes.is_empty() {
            self.list.insert(at, Part { offset, bytes, used: Cell::new(now) });
        }
        (added, dropped)
    }

    /// Returns the time at which the least recently used range was used.
    pub(super) fn oldest(&self) -> Option<u64> {
        self.list.iter().map(|part| part.used.get()).min()
    }

    /// Evicts the range that was used at `used`; returns its bytes.
    pub(super) fn evict(&mut self, used: u64) -> Option<Vec<u8>> {
        let at = self.list.iter().position(|part| part.used.get() == used)?;
        Some(self.list.remove(at).bytes)
    }

    /// Evicts a range that was used before `until` and is adjacent in memory to a gap; returns
    /// its bytes.
    pub(super) fn evict_beside(&mut self, gap: &Range<usize>, until: u64) -> Option<Vec<u8>> {
        let at = self
            .list
            .iter()
            .position(|part| part.used.get() < until && touch(gap, &place(&part.bytes)))?;
        Some(self.list.remove(at).bytes)
    }

    /// Returns how many bytes are cached.
    pub(super) fn len(&self) -> u64 {
        self.list.iter().fold(0, |sum, part| sum.saturating_add(part.bytes.len() as u64))
    }
}

/// Returns the address range of bytes in memory.
pub(super) fn place(bytes: &[u8]) -> Range<usize> {
    let range = bytes.as_ptr_range();
    range.start as usize..range.end as usize
}

/// Returns whether two address ranges are adjacent.
fn touch(one: &Range<usize>, other: &Range<usize>) -> bool {
    let beside =
        |end: usize, start: usize| (end..=end.saturating_add(MOST_BETWEEN)).contains(&start);
    beside(one.end, other.start) || beside(other.end, one.start)
}

/// Returns the gap extended by another address range if they are adjacent, else that range.
pub(super) fn joined(gap: Range<usize>, other: Range<usize>) -> Range<usize> {
    match touch(&gap, &other) {
        true => gap.start.min(other.start)..gap.end.max(other.end),
        false => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(range: std::ops::Range<u64>) -> Vec<u8> {
        range.map(|at| at as u8).collect()
    }

    /// Tries every way to add two more ranges to one: all bytes that were added can be read
    /// and are right, and none is held twice.
    #[test]
    fn parts_may_overlap_in_any_way() {
        for (first, second) in (0..144).flat_map(|a| (0..144).map(move |b| (a, b))) {
            let mut parts = Parts::default();
            let mut held = 0;
            let mut known = [false; 12];
            let ranges = [4..8, first / 12..first % 12, second / 12..second % 12];
            for (now, range) in ranges.into_iter().enumerate() {
                let (added, dropped) = parts.add(range.start, bytes(range.clone()), now as u64);
                held = held + added - dropped;
                range.for_each(|at| known[at as usize] = true);
            }
            assert_eq!(held, parts.len());
            assert_eq!(held, known.iter().filter(|known| **known).count() as u64);
            for (at, known) in known.into_iter().enumerate() {
                let run = parts.run_at(at as u64, 9);
                assert_eq!(run.map(|run| run[0]), known.then_some(at as u8));
            }
        }
    }

    #[test]
    fn a_part_beside_a_gap_is_evicted_unless_it_is_new() {
        let filled = || {
            let mut parts = Parts::default();
            parts.add(0, vec![1; 100], 7);
            let range = place(parts.run_at(0, 7).unwrap_or_default());
            (parts, range)
        };
        let around = |range: &Range<usize>, between: usize| {
            [
                range.start - between - 50..range.start - between,
                range.end + between..range.end + between + 50,
            ]
        };
        let (_, range) = filled();
        assert_eq!(range.len(), 100);
        for (between, until, leaves) in
            [(0, 8, true), (MOST_BETWEEN, 8, true), (MOST_BETWEEN + 1, 8, false), (0, 7, false)]
        {
            for side in 0..2 {
                let (mut parts, range) = filled();
                let left = parts.evict_beside(&around(&range, between)[side], until);
                assert_eq!(left.is_some(), leaves, "{between} {until} {side}");
                assert_eq!(parts.len(), if leaves { 0 } else { 100 });
            }
        }
        assert_eq!(joined(10..20, 24..30), 10..30);
        assert_eq!(joined(24..30, 10..20), 10..30);
        assert_eq!(joined(10..20, 90..99), 90..99);
    }
}
