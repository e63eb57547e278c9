//! What lies in one place, looked at for itself: whether it lies elsewhere as well, or
//! is replaced, does not count.

use super::{Location, Odb, PackNumber, ReadOrder};
use crate::appender::Output;
use crate::block::{FileId, Files};
use crate::error::Result;
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::sort;
use std::ops::Range;

impl Odb {
    /// Returns the packs that were listed, in the order of their names.
    pub(crate) fn pack_numbers(&self) -> Vec<PackNumber> {
        self.packs.in_order().collect()
    }

    /// Opens a pack and its index; `None` if they are gone or damaged.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn open_pack(&mut self, files: &Files, pack: PackNumber) -> Result<Option<FileId>> {
        self.packs.open(files, pack)
    }

    /// Returns why a pack cannot be used that was to be opened.
    pub(crate) fn damage_of(&self, pack: PackNumber) -> Option<&crate::Error> {
        self.packs.damage(pack)
    }

    /// Tells whether a pack cannot be used whose index can.
    pub(crate) fn is_unreadable(&self, pack: PackNumber) -> bool {
        self.packs.is_unreadable(pack)
    }

    /// Returns the path of a pack, without its ending.
    pub(crate) fn stem_of(&self, pack: PackNumber) -> &[u8] {
        self.packs.stem(pack)
    }

    /// Returns how many objects a pack has, which is open.
    pub(crate) fn count_in(&self, pack: PackNumber) -> u32 {
        self.packs.count(pack)
    }

    /// Returns the file that is the index of a pack, which is open.
    pub(crate) fn index_of(&self, pack: PackNumber) -> Option<FileId> {
        self.packs.index_file(pack)
    }

    /// Returns the position of an object in the index of a pack, which is open.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub(crate) fn position_in(
        &self,
        files: &Files,
        pack: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u32>> {
        self.packs.position_of(files, pack, id)
    }

    /// Returns the id at a position of the index of a pack, and where its entry begins.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub(crate) fn entry_in(
        &self,
        files: &Files,
        pack: PackNumber,
        position: u32,
    ) -> Result<(ObjectId, u64)> {
        let id = self.packs.id_at(files, pack, position)?;
        Ok((id, self.packs.offset_at(files, pack, position)?))
    }

    /// Returns offset and position of an entry in the order of a pack, which is open;
    /// `None` where there is no memory to know it.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub(crate) fn ordered_entry(
        &mut self,
        files: &mut Files,
        pack: PackNumber,
        at: usize,
    ) -> Result<Option<(u64, u32)>> {
        match self.read_order(files, pack)? {
            true => self.entry_at(files, pack, at).map(Some),
            false => Ok(None),
        }
    }

    /// Returns the checksum of an entry that the index of a pack has; version 1 has none.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(crate) fn crc_in(
        &self,
        files: &Files,
        pack: PackNumber,
        position: u32,
    ) -> Result<Option<u32>> {
        self.packs.crc_at(files, pack, position)
    }

    /// Returns the ids of the loose objects in one directory of objects that begin with
    /// `byte`, in order, and the names there that are none.
    ///
    /// # Errors
    ///
    /// A missing directory.
    pub(crate) fn loose_in(
        &self,
        files: &Files,
        directory: &[u8],
        byte: u8,
    ) -> Result<(Vec<ObjectId>, Vec<Vec<u8>>)> {
        let (mut ids, mut others) = (Vec::new(), Vec::new());
        for name in files.list_fresh(&crate::loose::directory_in(directory, byte))? {
            match crate::loose::id_of_name(self.hash, byte, name) {
                Some(id) => ids.push(id),
                None => others.push(name.clone()),
            }
        }
        sort::by_id(&mut ids, |id| id);
        Ok((ids, others))
    }

    /// Reads the object at a place, appends its content to `out` and returns its type
    /// and where in it the content is. Nothing is verified.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged entry or file;
    /// [`Limit`](crate::ErrorKind::Limit) if it is too large.
    pub(crate) fn read_at(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        place: Location,
        out: &mut Output,
    ) -> Result<(ObjectType, Range<usize>)> {
        let order = match self.take_expected(id) {
            Some(expected) if expected.planned => ReadOrder::Planned,
            _ => ReadOrder::Any,
        };
        let mut out = out.appender();
        let start = out.position();
        let info = self.read_here(files, id, (place, order), &mut |_, _| Ok(()), &mut out)?;
        self.counts.objects = self.counts.objects.saturating_add(1);
        Ok((info.object_type, start..out.position()))
    }

    /// Returns the type of the object at a place.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged entry or file.
    pub(crate) fn type_at(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        place: Location,
    ) -> Result<ObjectType> {
        self.info_at(files, id, place, ReadOrder::Any).map(|info| info.object_type)
    }

    /// Returns the file of a loose object, in the first directory that has it.
    ///
    /// # Errors
    ///
    /// Missing files.
    pub(crate) fn loose_file(&self, files: &Files, id: &ObjectId) -> Result<Option<FileId>> {
        self.find_loose(files, id)
    }
}
