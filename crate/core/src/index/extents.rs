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
        let mut entries = Vec::new();
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
        (self.entries.capacity() as u64).saturating_mul(16)
    }
}
