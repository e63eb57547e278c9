//! What is known of an object without making its content.

use super::deltas::End;
use super::{Location, Odb, ReadOrder};
use crate::block::{FileId, Files};
use crate::error::{Error, Result};
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::pack::{Delta, Entry, EntryKind, Step, MAX_SIZES_LEN};

/// What is known of an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ObjectInfo {
    /// Its id.
    pub id: ObjectId,
    /// Its type.
    pub object_type: ObjectType,
    /// The size of its content.
    pub size: u64,
    /// How many deltas are applied to make it.
    pub delta_depth: u32,
    /// The bytes it takes where it is stored, if that was asked for.
    pub disk_size: Option<u64>,
    /// What its own delta builds on, if that was asked for and it is a delta.
    pub delta_base: Option<ObjectId>,
    /// Where it is stored.
    pub stored: Stored,
}

/// Where an object is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stored {
    /// In a pack.
    Packed {
        /// The pack's file.
        pack: FileId,
        /// Where the entry begins.
        offset: u64,
    },
    /// In a file of its own.
    Loose {
        /// The file, which may be closed again.
        file: FileId,
    },
    /// Nowhere: the tree without entries is there in every repository.
    BuiltIn,
}

impl ObjectInfo {
    /// Returns the same of the object that was asked for, where another replaces it.
    pub(super) fn reported_as(&self, id: &ObjectId) -> ObjectInfo {
        ObjectInfo { id: *id, ..*self }
    }

    /// Returns what is known of the tree without entries, whose id this is.
    pub(super) fn of_empty_tree(id: &ObjectId) -> ObjectInfo {
        ObjectInfo {
            id: *id,
            object_type: ObjectType::Tree,
            size: 0,
            delta_depth: 0,
            disk_size: Some(0),
            delta_base: None,
            stored: Stored::BuiltIn,
        }
    }
}

impl Odb {
    /// Tells what is known of an object without inflating its content. What
    /// [`Odb::add_storage`] adds is left out.
    ///
    /// # Errors
    ///
    /// As [`Odb::read_into`](super::Odb::read_into), but nothing is verified.
    pub fn info(&mut self, files: &mut Files, id: &ObjectId) -> Result<ObjectInfo> {
        self.info_and(files, id, |_, _, _| Ok(()))
    }

    /// As [`Odb::info`], with what [`Odb::add_storage`] adds: where the index of a pack
    /// tells none of it, as while git deletes the pack, another place does.
    ///
    /// # Errors
    ///
    /// As [`Odb::info`].
    pub fn info_with_storage(&mut self, files: &mut Files, id: &ObjectId) -> Result<ObjectInfo> {
        self.info_and(files, id, Odb::add_storage)
    }

    fn info_and(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        mut add: impl FnMut(&mut Odb, &mut Files, &mut ObjectInfo) -> Result<()>,
    ) -> Result<ObjectInfo> {
        let asked = *id;
        let id = &self.real(files, id)?;
        let info = self.at_any_location(files, id, |odb, files, location, order| {
            let mut info = odb.info_at(files, id, location, order)?;
            add(odb, files, &mut info)?;
            Ok(info)
        })?;
        files.count_object(0);
        Ok(info.reported_as(&asked))
    }

    pub(super) fn info_at(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        place: Location,
        order: ReadOrder,
    ) -> Result<ObjectInfo> {
        match place {
            Location::Packed { pack, offset } => {
                let file = self.packs.file(pack)?;
                self.info_packed(files, id, (file, offset), order)
            }
            Location::Loose => self.info_loose(files, id),
            Location::BuiltIn(info) => Ok(info),
        }
    }

    pub(super) fn info_loose(&mut self, files: &mut Files, id: &ObjectId) -> Result<ObjectInfo> {
        let (info, _) = self.stored_loose(files, id)?;
        self.forget_loose_later(files, id);
        Ok(info)
    }

    pub(super) fn info_packed(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        (pack, offset): (FileId, u64),
        order: ReadOrder,
    ) -> Result<ObjectInfo> {
        let end = self.walk_chain(files, (pack, offset), None, order)?;
        let deltas = self.chain.deltas();
        let delta_depth = u32::try_from(deltas.len()).unwrap_or(u32::MAX);
        let delta_depth = delta_depth.saturating_add(end.depth());
        let own = deltas.first().copied();
        let (object_type, base_size) = match end {
            End::Whole(object_type, step) => (object_type, step.size),
            End::Elsewhere(object_type, content) => (object_type, content.len() as u64),
            End::Kept(found) => (found.object_type, found.size as u64),
            // There is a delta on it at least, which tells.
            End::Halfway(object_type, _) => (object_type, 0),
        };
        let size = match own {
            Some(step) => self.result_size(files, &step)?,
            None => base_size,
        };
        Ok(ObjectInfo {
            id: *id,
            object_type,
            size,
            delta_depth,
            disk_size: None,
            delta_base: None,
            stored: Stored::Packed { pack, offset },
        })
    }

    /// Tells how large the object of an entry is.
    pub(super) fn size_packed(
        &mut self,
        files: &mut Files,
        pack: FileId,
        offset: u64,
    ) -> Result<u64> {
        let Entry { kind, size, data_offset } =
            Entry::decode(&files.source(pack), self.hash, offset)?;
        match kind {
            EntryKind::Whole(_) => Ok(size),
            _ => self.result_size(files, &Step { pack, offset, data_offset, size }),
        }
    }

    /// Reads the size of what a delta makes, which its first bytes tell.
    fn result_size(&mut self, files: &Files, step: &Step) -> Result<u64> {
        let source = files.source(step.pack);
        let mut start = [0; MAX_SIZES_LEN];
        let filled = self.inflater.beginning(&source, step.data_offset, &mut start)?;
        let delta = Delta::decode(start.get(..filled).unwrap_or_default())
            .map_err(|error| error.at(step.pack, step.offset))?;
        Ok(delta.result_size)
    }

    /// Adds what only the order of the whole pack tells: how many bytes the
    /// entry takes, and which object its base is.
    ///
    /// # Errors
    ///
    /// Missing bytes; a delta on something that is no entry.
    pub fn add_storage(&mut self, files: &mut Files, info: &mut ObjectInfo) -> Result<()> {
        let Stored::Packed { pack, offset } = info.stored else {
            return Ok(());
        };
        let Some(number) = self.packs.number_of(pack) else {
            return Ok(());
        };
        let kind = Entry::decode(&files.source(pack), self.hash, offset)?.kind;
        let base = match kind {
            EntryKind::OfsDelta { base_offset } => Some(base_offset),
            _ => None,
        };
        let extent = self.extent_of(files, number, offset, base)?;
        info.disk_size = extent.length;
        info.delta_base = match (kind, extent.base_position) {
            (EntryKind::Whole(_), _) => None,
            (EntryKind::RefDelta { base }, _) => Some(base),
            (_, Some(position)) => Some(self.packs.id_at(files, number, position)?),
            (_, None) => {
                let what = "a delta on something that is no entry";
                return Err(Error::corrupt(what, pack, offset));
            }
        };
        Ok(())
    }
}
