//! Where the entries of a pack end: where the next ones begin.

use super::PackIndex;
use crate::block::BlockSource;
use crate::error::Result;

/// The entries of a pack in the order they lie there.
pub struct Extents {
    /// Offset and index position of every entry.
    entries: Vec<(u64, u32)>,
    end: u64,
}

impl Extents {
    /// Reads all offsets of an index. `end` is where the pack's entries end.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn read<S: BlockSource>(index: &S, layout: &PackIndex, end: u64) -> Result<Extents> {
        let mut entries = Vec::with_capacity(layout.count() as usize);
        for position in 0..layout.count() {
            let left = u64::from(layout.count().saturating_sub(position)).saturating_mul(4);
            let offset = layout.offset_at(index, position).map_err(|error| error.widened(left))?;
            entries.push((offset, position));
        }
        entries.sort_unstable();
        Ok(Extents { entries, end })
    }

    /// Returns how many bytes the entry at `offset` takes, its head included.
    pub fn extent_at(&self, offset: u64) -> Option<u64> {
        let at = self.entries.partition_point(|(start, _)| *start <= offset);
        let next = self.entries.get(at).map_or(self.end, |(start, _)| *start);
        next.checked_sub(offset)
    }

    /// Returns the position of the object whose entry begins at `offset`.
    pub fn position_at(&self, offset: u64) -> Option<u32> {
        let at = self.entries.binary_search_by_key(&offset, |(start, _)| *start).ok()?;
        self.entries.get(at).map(|(_, position)| *position)
    }

    /// Returns offsets and positions in the order of the pack.
    pub fn entries(&self) -> &[(u64, u32)] {
        &self.entries
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        Extents::memory_for(self.entries.capacity() as u64)
    }

    /// Returns how many bytes of memory it takes for so many entries.
    pub fn memory_for(count: u64) -> u64 {
        count.saturating_mul(size_of::<(u64, u32)>() as u64)
    }
}

/// What the order of a pack tells of one entry, found without keeping that order:
/// for packs of more entries than there is memory for.
pub struct Neighbours {
    offset: u64,
    base: Option<u64>,
    next_position: u32,
    end: u64,
    base_position: Option<u32>,
}

impl Neighbours {
    /// Begins to look for the end of the entry at `offset`, and for the position
    /// of the one at `base`. `end` is where the pack's entries end.
    pub fn new(offset: u64, base: Option<u64>, end: u64) -> Neighbours {
        Neighbours { offset, base, next_position: 0, end, base_position: None }
    }

    /// Tells whether this is about these entries.
    pub fn is_of(&self, offset: u64, base: Option<u64>) -> bool {
        (self.offset, self.base) == (offset, base)
    }

    /// Goes through the offsets of an index from where it stands.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index: provide them and go on.
    pub fn search<S: BlockSource>(&mut self, index: &S, layout: &PackIndex) -> Result<()> {
        while self.next_position < layout.count() {
            let position = self.next_position;
            let left = u64::from(layout.count().saturating_sub(position)).saturating_mul(4);
            let offset = layout.offset_at(index, position).map_err(|error| error.widened(left))?;
            if offset > self.offset {
                self.end = self.end.min(offset);
            }
            if self.base == Some(offset) {
                self.base_position = Some(position);
            }
            self.next_position = position.saturating_add(1);
        }
        Ok(())
    }

    /// Returns how many bytes the entry takes, its head included.
    pub fn extent(&self) -> Option<u64> {
        self.end.checked_sub(self.offset)
    }

    /// Returns the position of the base.
    pub fn base_position(&self) -> Option<u32> {
        self.base_position
    }
}
