//! The metadata of objects: type, size and storage, without the content.

use super::deltas::End;
use super::{Location, Odb, PackNumber, ReadHint, ReadOrder};
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use packlens_format::pack::{Delta, Entry, EntryKind, Step, MAX_SIZES_LEN};

/// The metadata of an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ObjectInfo {
    /// The object id.
    pub id: ObjectId,
    /// The object type.
    pub object_type: ObjectType,
    /// The size of the content in bytes.
    pub size: u64,
    /// The number of deltas that are applied to make the object.
    pub delta_depth: u32,
    /// The bytes that the object takes in its pack or file, if requested.
    pub disk_size: Option<u64>,
    /// The base of the object's own delta, if requested and the object is stored as a delta.
    pub delta_base: Option<ObjectId>,
    /// Where the object is stored.
    pub stored: Stored,
}

/// Where an object is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stored {
    /// In a packfile.
    Packed {
        /// The pack's file.
        pack: FileId,
        /// The offset of the entry.
        offset: u64,
    },
    /// In a loose object file.
    Loose {
        /// The file, which may have been closed since.
        file: FileId,
    },
    /// In no file: the empty tree exists in every repository.
    BuiltIn,
}

/// The base of an entry.
#[derive(Clone, Copy)]
pub(super) enum StoredBase {
    /// The entry is not a delta.
    None,
    /// The base by its id.
    Id(ObjectId),
    /// The base by its position in the index of a pack.
    At((PackNumber, u32)),
}

impl ObjectInfo {
    /// Returns this metadata under the id that was requested, which is another one if the
    /// object was replaced.
    pub(super) fn reported_as(&self, id: &ObjectId) -> ObjectInfo {
        ObjectInfo { id: *id, ..*self }
    }

    /// Returns the metadata of the empty tree, whose id the caller passes.
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
    /// Returns the metadata of an object without inflating its content, and without the fields
    /// that [`Odb::add_storage`] fills.
    ///
    /// # Errors
    ///
    /// As [`Odb::read_into`](super::Odb::read_into), but the content is not verified.
    pub fn info(&mut self, files: &mut Files, id: &ObjectId) -> Result<ObjectInfo> {
        self.info_hinted(files, (id, &ReadHint::default()))
    }

    /// Like [`Odb::info`], with what the caller knows of the object.
    #[inline(never)]
    pub(crate) fn info_hinted(
        &mut self,
        files: &mut Files,
        asked: (&ObjectId, &ReadHint<'_>),
    ) -> Result<ObjectInfo> {
        self.info_and(files, asked, |_, _, _| Ok(()))
    }

    /// Like [`Odb::info_hinted`], with the fields that [`Odb::add_storage`] fills. If the index of a
    /// pack cannot be read for these, as while git deletes the pack, another copy is used.
    ///
    /// # Errors
    ///
    /// As [`Odb::info`].
    #[inline(never)]
    pub(crate) fn info_with_storage(
        &mut self,
        files: &mut Files,
        asked: (&ObjectId, &ReadHint<'_>),
    ) -> Result<ObjectInfo> {
        self.info_and(files, asked, Odb::add_storage)
    }

    fn info_and(
        &mut self,
        files: &mut Files,
        (asked, hint): (&ObjectId, &ReadHint<'_>),
        mut add: impl FnMut(&mut Odb, &mut Files, &mut ObjectInfo) -> Result<()>,
    ) -> Result<ObjectInfo> {
        if let Some(info) = hint.info() {
            let mut info = *info;
            if info.disk_size.is_none() {
                add(self, files, &mut info)?;
            }
            return Ok(info);
        }
        let (id, hint) = &self.hinted(asked, hint)?;
        let info = self.at_any_location(files, id, hint, |odb, files, location, order| {
            let mut info = odb.info_at(files, id, location, order)?;
            add(odb, files, &mut info)?;
            Ok(info)
        })?;
        files.count_object(0);
        Ok(info.reported_as(asked))
    }

    pub(super) fn info_at(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        place: Location,
        order: ReadOrder<'_>,
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
        order: ReadOrder<'_>,
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
            // The size comes from the delta on it, of which there is at least one.
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

    /// Returns the size of the object of an entry.
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

    /// Reads the size of a delta's result, which is in the first bytes of the delta.
    fn result_size(&mut self, files: &Files, step: &Step) -> Result<u64> {
        let source = files.source(step.pack);
        let mut start = [0; MAX_SIZES_LEN];
        let filled = self.inflater.beginning(&source, step.data_offset, &mut start)?;
        let delta = Delta::decode(start.get(..filled).unwrap_or_default())
            .map_err(|error| error.at(step.pack, step.offset))?;
        Ok(delta.result_size)
    }

    /// Returns the offset of the base of an object whose metadata was read last, if it is a delta on
    /// an entry of the same pack.
    pub(super) fn base_offset(&self, info: &ObjectInfo) -> Option<u64> {
        let Stored::Packed { pack, offset } = info.stored else { return None };
        let own = self.chain.deltas().first()?;
        ((own.pack, own.offset) == (pack, offset)).then(|| self.chain.base_of(0))?
    }

    /// Fills the fields that take the order of the whole pack: how many bytes the entry takes,
    /// and the id of its base.
    ///
    /// # Errors
    ///
    /// Missing bytes; a delta on something that is no entry.
    pub fn add_storage(&mut self, files: &mut Files, info: &mut ObjectInfo) -> Result<()> {
        let (disk_size, base) = self.storage_of(files, info)?;
        let base = match base {
            StoredBase::At((pack, position)) => Some(self.packs.id_at(files, pack, position)?),
            StoredBase::Id(id) => Some(id),
            StoredBase::None => info.delta_base,
        };
        (info.disk_size, info.delta_base) = (disk_size, base);
        Ok(())
    }

    /// Returns how many bytes the entry of an object takes, and its base.
    pub(super) fn storage_of(
        &mut self,
        files: &mut Files,
        info: &ObjectInfo,
    ) -> Result<(Option<u64>, StoredBase)> {
        let packed = match info.stored {
            Stored::Packed { pack, offset } => self.packs.number_of(pack).zip(Some((pack, offset))),
            _ => None,
        };
        let Some((number, (pack, offset))) = packed else {
            return Ok((info.disk_size, StoredBase::None));
        };
        let kind = Entry::decode(&files.source(pack), self.hash, offset)?.kind;
        let base = match kind {
            EntryKind::OfsDelta { base_offset } => Some(base_offset),
            _ => None,
        };
        let extent = self.extent_of(files, number, offset, base)?;
        let base = match (kind, extent.base_position) {
            (EntryKind::Whole(_), _) => StoredBase::None,
            (EntryKind::RefDelta { base }, _) => StoredBase::Id(base),
            (_, Some(position)) => StoredBase::At((number, position)),
            (_, None) => {
                let what = "the base of a delta is not an entry of the pack";
                return Err(Error::corrupt(what, pack, offset));
            }
        };
        Ok((extent.length, base))
    }
}
