//! The order of a pack: where each entry ends, and which one follows.

use super::{Odb, PackNumber};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_format::index::{Extents, Neighbours};
use packlens_format::pack::entries_end;

/// The orders of packs may take one part in this many of the memory ceiling.
const ORDER_SHARE: u64 = 4;

/// The storage of one entry, as far as the pack order shows it.
pub(super) struct Extent {
    /// The length of the entry in bytes, its head included.
    pub(super) length: Option<u64>,
    /// The index position of the entry's base.
    pub(super) base_position: Option<u32>,
}

impl Odb {
    /// Returns the length of the entry at `offset` of an open pack, and the index position of
    /// the entry at `base`.
    pub(super) fn extent_of(
        &mut self,
        files: &mut Files,
        pack: PackNumber,
        offset: u64,
        base: Option<u64>,
    ) -> Result<Extent> {
        if self.read_order(files, pack)? {
            let extents = self.packs.extents(pack);
            let position = |base| extents.and_then(|extents| extents.position_at(base));
            return Ok(Extent {
                length: extents.and_then(|extents| extents.extent_at(offset)),
                base_position: base.and_then(position),
            });
        }
        let end = entries_end(&files.source(self.packs.file(pack)?), self.hash);
        if let Some([Some((found, _)), next]) = self.packs.in_reverse(files, pack, offset)? {
            let base_position = match base {
                Some(base) => match self.packs.in_reverse(files, pack, base)? {
                    Some([Some((found, position)), _]) if found == base => Some(position),
                    _ => None,
                },
                None => None,
            };
            let after = if found == offset { next } else { Some((found, 0)) };
            let length = after.map_or(end, |(next, _)| next).checked_sub(offset);
            return Ok(Extent { length, base_position });
        }
        let asked = [(offset, base)];
        let kept =
            self.neighbours.take().filter(|(of, kept)| *of == pack && kept.has(offset, base));
        let mut neighbours = kept.map_or_else(|| Neighbours::new(&asked, end), |(_, kept)| kept);
        let searched = self.packs.search_neighbours(files, pack, &mut neighbours);
        let extent = Extent {
            length: neighbours.extent(offset),
            base_position: base.and_then(|base| neighbours.base_position(base)),
        };
        self.neighbours = Some((pack, neighbours));
        searched.map(|()| extent)
    }

    /// Returns whether the entry at an offset of an open pack has an extent that takes no search
    /// of the whole index.
    pub(super) fn has_extents(
        &mut self,
        files: &mut Files,
        (pack, offset): (PackNumber, u64),
    ) -> Result<bool> {
        Ok(self.read_order(files, pack)? || self.packs.in_reverse(files, pack, offset)?.is_some())
    }

    /// Returns whether a search is for this entry and its base, too.
    pub(super) fn searches(&self, (pack, offset, base): (PackNumber, u64, Option<u64>)) -> bool {
        self.neighbours.as_ref().is_some_and(|(of, kept)| *of == pack && kept.has(offset, base))
    }

    /// Begins one search for several entries of an open pack, given the offset of each and of its
    /// base; [`Odb::extent_of`] goes on with it.
    pub(super) fn search_together(
        &mut self,
        files: &mut Files,
        pack: PackNumber,
        asked: &[(u64, Option<u64>)],
    ) -> Result<()> {
        let end = entries_end(&files.source(self.packs.file(pack)?), self.hash);
        let neighbours = Neighbours::new(asked, end);
        self.make_room(files, 0, neighbours.memory())?;
        self.neighbours = Some((pack, neighbours));
        Ok(())
    }

    /// Returns the offset and the index position of an entry of an open pack: in pack order,
    /// or in index order if there is no memory for the pack order.
    pub(super) fn entry_at(
        &mut self,
        files: &mut Files,
        pack: PackNumber,
        at: usize,
    ) -> Result<(u64, u32)> {
        if self.read_order(files, pack)? {
            let entry = self.packs.extents(pack).and_then(|extents| extents.entry(at));
            return Ok(entry.unwrap_or_default());
        }
        let position = u32::try_from(at).unwrap_or(u32::MAX);
        Ok((self.packs.offset_at(files, pack, position)?, position))
    }

    /// Reads the order of a pack unless it was read before; returns `false` if there is no
    /// memory for it.
    pub(super) fn read_order(&mut self, files: &mut Files, pack: PackNumber) -> Result<bool> {
        if self.packs.extents(pack).is_some() {
            return Ok(true);
        }
        self.packs.open(files, pack)?;
        if !self.has_room_for_order(files, pack)? {
            return Ok(false);
        }
        self.make_room(files, 0, self.order_memory(files, pack)?)?;
        self.packs.read_extents(files, pack, self.most_order_memory())?;
        Ok(true)
    }

    /// Returns whether there is enough memory for the order of an open pack.
    pub(super) fn has_room_for_order(&self, files: &Files, pack: PackNumber) -> Result<bool> {
        Ok(self.order_memory(files, pack)? <= self.most_order_memory())
    }

    fn order_memory(&self, files: &Files, pack: PackNumber) -> Result<u64> {
        let end = entries_end(&files.source(self.packs.file(pack)?), self.hash);
        Ok(Extents::memory_for(self.packs.count(pack).into(), end))
    }

    fn most_order_memory(&self) -> u64 {
        self.limits.memory.checked_div(ORDER_SHARE).unwrap_or(0)
    }
}
