//! The packs that have a multi-pack-index.

use super::{in_directory, PackNumber, Packs};
use crate::odb::pack_sets::PackOffset;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;

impl Packs {
    pub(in crate::odb) fn drop_sets(&mut self) {
        self.sets.clear();
        self.list.iter_mut().for_each(|pack| pack.in_set = false);
    }

    /// Opens the multi-pack-index of a directory whose packs were listed.
    pub(in crate::odb) fn open_set(&mut self, files: &Files, folder: &[u8]) -> Result<()> {
        let (list, by_stem) = (&mut self.list, &self.by_stem);
        let packs = self.sets.open(files, folder, |name| {
            let name = name.strip_suffix(b".idx").or_else(|| name.strip_suffix(b".pack"))?;
            by_stem.get(&in_directory(folder, name)).copied().map(PackNumber)
        })?;
        for number in packs {
            if let Some(pack) = list.get_mut(number.0) {
                pack.in_set = true;
            }
        }
        Ok(())
    }

    /// Returns the pack and the offset of an object in any multi-pack-index, without opening
    /// pack indexes.
    pub(in crate::odb) fn find_in_sets(
        &mut self,
        files: &Files,
        id: &ObjectId,
    ) -> Result<Option<PackOffset>> {
        let place = match self.sets.find(files, id) {
            Err(error) if !error.is_missing() => {
                // The pack indexes have the same objects, so the search continues there.
                self.drop_sets();
                return Ok(None);
            }
            place => place?,
        };
        let Some((number, offset)) = place else {
            return Ok(None);
        };
        let found = match self.is_unsearchable(number) {
            true => None,
            false => self.offset_in_opened(files, number, offset)?,
        };
        if found.is_none() {
            // Another pack may have the object as well, but a multi-pack-index names only one.
            self.drop_sets();
        }
        Ok(found.map(|offset| (number, offset)))
    }

    /// Returns whether an object that no multi-pack-index has is in none of their packs.
    pub(in crate::odb) fn sets_are_complete(&mut self, files: &Files) -> Result<bool> {
        self.sets.are_complete(files)
    }
}
