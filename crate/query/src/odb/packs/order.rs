//! The order of a pack: sorted here, or read from its reverse index.

use super::{PackNumber, Packs};
use packlens_base::block::{FileId, Files};
use packlens_base::error::Result;
use packlens_format::index::{Extents, Neighbours, ReverseIndex};
use packlens_format::pack::entries_end;

/// The offset and index position of an entry and of the next one, if they exist.
pub(in crate::odb) type Neighbouring = [Option<(u64, u32)>; 2];

impl Packs {
    /// Returns the order of a pack, if it was read.
    pub(in crate::odb) fn extents(&self, number: PackNumber) -> Option<&Extents> {
        self.list.get(number.0)?.extents.as_ref()
    }

    /// Reads the order of an open pack. Drops the orders of the other packs if they do not all
    /// fit into `most` bytes.
    pub(in crate::odb) fn read_extents(
        &mut self,
        files: &Files,
        number: PackNumber,
        most: u64,
    ) -> Result<()> {
        let end = entries_end(&files.source(self.file(number)?), self.hash);
        // On high-latency storage, sorting is faster than fetching the reverse index.
        let near = !files.is_high_latency(self.file(number)?);
        let reverse = if near { self.reverse(files, number)? } else { None };
        let extents = self.with_index(files, number, |layout, index| {
            if let Some((file, order)) = &reverse {
                let order = (order, &files.source(*file));
                if let Some(extents) = Extents::read_in_order(order, &index, layout, end)? {
                    return Ok(extents);
                }
            }
            Extents::read(&index, layout, end)
        })?;
        let held = self.list.iter().filter_map(|pack| pack.extents.as_ref());
        let held = held.fold(extents.memory(), |sum, other| sum.saturating_add(other.memory()));
        if held > most {
            self.list.iter_mut().for_each(|pack| pack.extents = None);
            self.memory.set(None);
        }
        if let Some(pack) = self.list.get_mut(number.0) {
            pack.extents = Some(extents);
            self.memory.set(None);
        }
        Ok(())
    }

    /// Searches the index of an open pack for the neighbours of one entry.
    pub(in crate::odb) fn search_neighbours(
        &self,
        files: &Files,
        number: PackNumber,
        neighbours: &mut Neighbours,
    ) -> Result<()> {
        self.with_index(files, number, |layout, index| neighbours.search(&index, layout))
    }

    /// Returns the reverse index of an open pack; `None` if there is none for the same pack as
    /// the index.
    fn reverse(
        &mut self,
        files: &Files,
        number: PackNumber,
    ) -> Result<Option<(FileId, ReverseIndex)>> {
        let pack = self.pack(number)?;
        if !pack.has_reverse || pack.reverse.is_some() {
            return Ok(pack.reverse);
        }
        let found = match files.find(&[&pack.stem, &b".rev"[..]].concat())? {
            None => None,
            Some(file) => {
                let decoded = self.with_index(files, number, |layout, index| {
                    ReverseIndex::decode(&files.source(file), &index, layout, self.hash)
                });
                match decoded {
                    Err(error) if error.is_missing() => return Err(error),
                    decoded => decoded.ok().map(|reverse| (file, reverse)),
                }
            }
        };
        if let Some(pack) = self.list.get_mut(number.0) {
            pack.reverse = found;
            pack.has_reverse = found.is_some();
        }
        Ok(found)
    }

    /// Returns the offset and index position of the first entry at or after `offset` in an
    /// open pack, and of the entry that follows; `None` if there is no valid reverse index.
    pub(in crate::odb) fn in_reverse(
        &mut self,
        files: &Files,
        number: PackNumber,
        offset: u64,
    ) -> Result<Option<Neighbouring>> {
        let Some((file, order)) = self.reverse(files, number)? else {
            return Ok(None);
        };
        // The checksum replaces a check of every row, which would take too long here.
        if !self.checksums.is_whole(files, file, self.hash)? {
            return Ok(None);
        }
        let reverse = files.source(file);
        self.with_index(files, number, |layout, index| {
            let first = order.below(&reverse, &index, layout, offset)?;
            let entry = |at: u32| match at < layout.count() {
                true => order.entry(&reverse, &index, layout, at).map(Some),
                false => Ok(None),
            };
            Ok(Some([entry(first)?, entry(first.saturating_add(1))?]))
        })
    }
}
