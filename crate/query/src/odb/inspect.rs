//! Access to single copies of objects: other copies and replacements are ignored.

use super::{Location, Odb, PackNumber, ReadHint, ReadOrder};
use packlens_base::appender::Output;
use packlens_base::block::{FileId, Files};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::object::ObjectType;
use std::ops::Range;

impl Odb {
    /// Returns the listed packs, sorted by name.
    pub fn pack_numbers(&self) -> Vec<PackNumber> {
        self.packs.in_order().collect()
    }

    /// Opens a pack and its index; `None` if they were deleted or are damaged.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn open_pack(&mut self, files: &Files, pack: PackNumber) -> Result<Option<FileId>> {
        self.packs.open(files, pack)
    }

    /// Returns why a pack could not be opened.
    pub fn damage_of(&self, pack: PackNumber) -> Option<&packlens_base::Error> {
        self.packs.damage(pack)
    }

    /// Returns whether a pack is damaged but its index is not.
    pub fn is_unreadable(&self, pack: PackNumber) -> bool {
        self.packs.is_unreadable(pack)
    }

    /// Returns the path of a pack without its suffix.
    pub fn stem_of(&self, pack: PackNumber) -> &[u8] {
        self.packs.stem(pack)
    }

    /// Returns the number of objects in an open pack.
    pub fn count_in(&self, pack: PackNumber) -> u32 {
        self.packs.count(pack)
    }

    /// Returns the index file of an open pack.
    pub fn index_of(&self, pack: PackNumber) -> Option<FileId> {
        self.packs.index_file(pack)
    }

    /// Returns the position of an object in the index of an open pack.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub fn position_in(
        &self,
        files: &Files,
        pack: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u32>> {
        self.packs.position_of(files, pack, id)
    }

    /// Returns the id at a position of a pack index, and the offset of its entry.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub fn entry_in(
        &self,
        files: &Files,
        pack: PackNumber,
        position: u32,
    ) -> Result<(ObjectId, u64)> {
        let id = self.packs.id_at(files, pack, position)?;
        Ok((id, self.packs.offset_at(files, pack, position)?))
    }

    /// Returns the offset and the index position of an entry of an open pack, given its number
    /// in pack order; `None` if there is no memory for the pack order.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub fn ordered_entry(
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

    /// Returns the offset and the index position of an entry of an open pack, given its number in
    /// pack order, or in index order if there is no memory for the pack order.
    ///
    /// # Errors
    ///
    /// Missing bytes; a damaged index.
    pub fn numbered_entry(
        &mut self,
        files: &mut Files,
        pack: PackNumber,
        at: usize,
    ) -> Result<(u64, u32)> {
        self.entry_at(files, pack, at)
    }

    /// Returns the number of pack entries among which the roots of a work unit are.
    pub fn work_unit_entries(&self) -> u32 {
        self.limits.work_unit_entries
    }

    /// Returns the CRC32 of an entry; `None` in an index of version 1.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn crc_in(&self, files: &Files, pack: PackNumber, position: u32) -> Result<Option<u32>> {
        self.packs.crc_at(files, pack, position)
    }

    /// Returns the sorted ids of the loose objects of one object directory that begin with
    /// `byte`, and the names there that are not object ids.
    ///
    /// # Errors
    ///
    /// A missing directory.
    pub fn loose_in(
        &self,
        files: &Files,
        directory: &[u8],
        byte: u8,
    ) -> Result<(Vec<ObjectId>, Vec<Vec<u8>>)> {
        let (mut ids, mut others) = (Vec::new(), Vec::new());
        for name in files.list_fresh(&packlens_format::loose::directory_in(directory, byte))? {
            match packlens_format::loose::id_of_name(self.hash, byte, name) {
                Some(id) => ids.push(id),
                None => others.push(name.clone()),
            }
        }
        sort::by_id(&mut ids, |id| id);
        Ok((ids, others))
    }

    /// Reads the object at a location and appends its content to `out`; returns its type and
    /// the range of the content. The content is not verified.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged entry or file;
    /// [`Limit`](packlens_base::ErrorKind::Limit) if it is too large.
    pub fn read_at(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        place: Location,
        out: &mut Output,
    ) -> Result<(ObjectType, Range<usize>)> {
        self.read_listed(files, (id, &ReadHint::default()), place, out)
    }

    /// Like [`Odb::read_at`], in the order of the listing that the hint is from.
    ///
    /// # Errors
    ///
    /// As [`Odb::read_at`].
    pub fn read_listed(
        &mut self,
        files: &mut Files,
        (id, hint): (&ObjectId, &ReadHint<'_>),
        place: Location,
        out: &mut Output,
    ) -> Result<(ObjectType, Range<usize>)> {
        let mut out = out.appender();
        let start = out.position();
        let info = self.read_here(files, id, (place, hint.order), &mut |_, _| Ok(()), &mut out)?;
        self.counts.objects = self.counts.objects.saturating_add(1);
        Ok((info.object_type, start..out.position()))
    }

    /// Returns the type of the object at a location.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged entry or file.
    pub fn type_at(
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
    pub fn loose_file(&self, files: &Files, id: &ObjectId) -> Result<Option<FileId>> {
        self.find_loose(files, id)
    }
}
