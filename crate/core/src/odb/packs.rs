//! The packs of a repository, each with its index.

use super::any_index::AnyIndex;
mod build;
mod order;
mod sets;

use super::directories::Directories;
use super::pack_sets::PackSets;
use crate::block::{FileId, Files};
use crate::checksum::Checksums;
use crate::error::{Error, ErrorKind, Result};
use crate::index::{Build, Extents, PackIndex, ReverseIndex};
use crate::limits::Limits;
use crate::oid::{HashKind, ObjectId, Prefix};
use crate::pack::{entries_end, Header, HEADER_LEN};
use crate::sort;
use std::ops::Range;

/// Names a pack; stays the same as long as the repository is open.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct PackNumber(pub usize);

struct Pack {
    /// The path without its ending.
    stem: Vec<u8>,
    pack: Option<FileId>,
    index: Index,
    extents: Option<Extents>,
    /// Its folder has a reverse index of that name.
    has_reverse: bool,
    /// That, once it was looked at.
    reverse: Option<(FileId, ReverseIndex)>,
    /// It is one of a set.
    in_set: bool,
    /// It was deleted, and its bytes cannot be had any more.
    gone: bool,
    /// There is a file `.promisor` beside it.
    promisor: bool,
}

enum Index {
    NotOpen,
    File(FileId, PackIndex),
    Building(Box<Build>),
    /// In the making, elsewhere for the moment.
    Lent,
    Built(Vec<u8>, PackIndex),
}

/// The packs of a repository.
pub(super) struct Packs {
    hash: HashKind,
    list: Vec<Pack>,
    /// Those that are looked in together.
    sets: PackSets,
    checksums: Checksums,
    /// How many directories were listed.
    listed: usize,
    /// The newest question when the list was last looked at again.
    refreshed: u64,
    /// The pack that had the last object: the next one is likely there too.
    recent: usize,
    /// The indexes were made that were not there at the opening.
    has_all_indexes: bool,
    /// An index was made that packs which lack bases have not been looked for in yet.
    has_more: bool,
}

impl Packs {
    pub(super) fn new(hash: HashKind, limits: Limits) -> Packs {
        Packs {
            hash,
            list: Vec::new(),
            sets: PackSets::new(hash, limits),
            checksums: Checksums::default(),
            listed: 0,
            refreshed: 0,
            recent: 0,
            has_all_indexes: false,
            has_more: false,
        }
    }

    /// Looks at the list of packs again, once a question, and tells whether it
    /// is to be read anew. Packs that are open stay so.
    pub(super) fn refresh_once(&mut self, files: &mut Files, directories: &Directories) -> bool {
        if self.refreshed >= files.question() {
            return false;
        }
        // Questions that began before this look see what it finds. If each had
        // one of its own, two that take turns would go on for ever.
        self.refreshed = files.newest_question();
        for directory in directories.paths() {
            files.forget_listing(&in_directory(directory, b"pack"));
        }
        self.list_anew();
        true
    }

    fn list_anew(&mut self) {
        self.listed = 0;
        self.drop_sets();
    }

    /// Makes sure that the packs of all directories were listed.
    pub(super) fn list(&mut self, files: &Files, directories: &Directories) -> Result<()> {
        match directories.paths().len() > self.listed {
            true => self.list_rest(files, directories),
            false => Ok(()),
        }
    }

    #[cold]
    fn list_rest(&mut self, files: &Files, directories: &Directories) -> Result<()> {
        for directory in directories.paths().skip(self.listed) {
            let folder = in_directory(directory, b"pack");
            let mut names = files.list(&folder)?.to_vec();
            sort::names(&mut names);
            let has = |name: &[&[u8]]| names.binary_search(&name.concat()).is_ok();
            let in_set = names.iter().any(|name| name.starts_with(b"multi-pack-index"));
            for name in names.iter().filter_map(|name| name.strip_suffix(b".pack")) {
                let has_index = has(&[name, b".idx"]);
                // git does not see it either: it may be on its way into the repository.
                if self.has_all_indexes && !has_index && !in_set {
                    continue;
                }
                let stem = in_directory(&folder, name);
                let number = match self.list.iter().position(|pack| pack.stem == stem) {
                    Some(at) => at,
                    None => {
                        self.list.push(Pack::new(stem));
                        self.list.len().saturating_sub(1)
                    }
                };
                if let Some(pack) = self.list.get_mut(number) {
                    pack.gone = false;
                    pack.promisor = has(&[name, b".promisor"]);
                    pack.has_reverse = has(&[name, b".rev"]);
                }
            }
            if in_set {
                self.open_set(files, &folder)?;
            }
            self.listed = self.listed.saturating_add(1);
        }
        Ok(())
    }

    /// Returns the index of a pack, if that is open and a file.
    pub(super) fn index_file(&self, number: PackNumber) -> Option<FileId> {
        match self.list.get(number.0)?.index {
            Index::File(file, _) => Some(file),
            _ => None,
        }
    }

    /// Returns the position of an object in the index of a pack, which is open.
    pub(super) fn position_of(
        &self,
        files: &Files,
        number: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u32>> {
        self.with_index(files, number, |layout, index| layout.find(&index, id))
    }

    /// Tells whether a file is what the hash at its end says.
    pub(super) fn is_whole(&mut self, files: &Files, file: FileId) -> Result<bool> {
        self.checksums.check(files, file, self.hash)
    }

    /// Returns the sets.
    pub(super) fn sets(&self) -> &PackSets {
        &self.sets
    }

    /// Tells whether a pack is one of a set.
    pub(super) fn is_in_set(&self, number: PackNumber) -> bool {
        self.list.get(number.0).is_some_and(|pack| pack.in_set)
    }

    /// Lists the packs of a directory again when they are next looked for.
    pub(super) fn list_again(&mut self, files: &mut Files, directory: &[u8]) {
        files.forget_listing(&in_directory(directory, b"pack"));
        self.listed = 0;
    }

    /// Returns the files of the packs that promise what they refer to, as far as they
    /// are open.
    pub(super) fn promisors(&self) -> impl Iterator<Item = Option<FileId>> + use<'_> {
        self.list.iter().filter(|pack| pack.promisor).map(|pack| pack.pack)
    }

    /// Returns the packs, the one that was of use last first.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = PackNumber> + use<> {
        let count = self.list.len();
        let first = (self.recent < count).then_some(self.recent);
        let recent = self.recent;
        first.into_iter().chain((0..count).filter(move |at| *at != recent)).map(PackNumber)
    }

    /// Returns the packs in the order of their names.
    pub(super) fn in_order(&self) -> impl Iterator<Item = PackNumber> + use<> {
        (0..self.list.len()).map(PackNumber)
    }

    /// Tells whether a pack has no objects for anybody: it was deleted, or its index is
    /// in the making.
    fn is_away(&self, number: PackNumber) -> bool {
        self.list
            .get(number.0)
            .is_some_and(|pack| pack.gone || matches!(pack.index, Index::Building(_) | Index::Lent))
    }

    /// Returns the path of a pack, without its ending.
    pub(super) fn stem(&self, number: PackNumber) -> &[u8] {
        self.list.get(number.0).map_or(&[], |pack| &pack.stem)
    }

    /// Tells whether a pack is open.
    pub(super) fn is_open(&self, number: PackNumber) -> bool {
        self.list.get(number.0).is_some_and(|pack| pack.pack.is_some())
    }

    /// Forgets the pack that a file belongs to: it was deleted, and no more of it
    /// can be read. The packs are listed again.
    pub(super) fn forget(&mut self, file: FileId, files: &mut Files, directories: &Directories) {
        let path = files.path(file).unwrap_or_default();
        let ending = path.strip_suffix(b".pack").or_else(|| path.strip_suffix(b".idx"));
        let stem = ending.unwrap_or_default().to_vec();
        files.forget(&[&stem, &b".pack"[..]].concat());
        files.forget(&[&stem, &b".idx"[..]].concat());
        if let Some(pack) = self.list.iter_mut().find(|pack| pack.stem == stem) {
            *pack = Pack { gone: true, ..Pack::new(stem) };
        }
        for directory in directories.paths() {
            files.forget_listing(&in_directory(directory, b"pack"));
        }
        self.list_anew();
    }

    pub(super) fn set_recent(&mut self, pack: PackNumber) {
        self.recent = pack.0;
    }

    /// Returns how many bytes of memory indexes and extents take.
    pub(super) fn memory(&self) -> u64 {
        self.list.iter().fold(0, |sum, pack| {
            let index = match &pack.index {
                Index::Built(bytes, _) => bytes.capacity() as u64,
                Index::Building(build) => build.memory(),
                _ => 0,
            };
            let extents = pack.extents.as_ref().map_or(0, Extents::memory);
            sum.saturating_add(index).saturating_add(extents)
        })
    }

    /// Returns the pack's file, which was opened before.
    pub(super) fn file(&self, number: PackNumber) -> Result<FileId> {
        self.pack(number)?.pack.ok_or_else(|| Error::new(ErrorKind::BadInput, "no open pack"))
    }

    /// Returns the number of the pack that is this file.
    pub(super) fn number_of(&self, file: FileId) -> Option<PackNumber> {
        self.list.iter().position(|pack| pack.pack == Some(file)).map(PackNumber)
    }

    /// Opens a pack and its index. `None` if they are gone, or the index is
    /// still to be made.
    pub(super) fn open(&mut self, files: &Files, number: PackNumber) -> Result<Option<FileId>> {
        if !self.open_index(files, number)? {
            return Ok(None);
        }
        self.open_pack(files, number, None)
    }

    /// Opens the index of a pack; tells whether the pack is there.
    fn open_index(&mut self, files: &Files, number: PackNumber) -> Result<bool> {
        let hash = self.hash;
        if self.is_away(number) {
            return Ok(false);
        }
        if let Some(pack) = self.list.get_mut(number.0) {
            if matches!(pack.index, Index::NotOpen) {
                let Some(file) = files.find(&[&pack.stem, &b".idx"[..]].concat())? else {
                    // It had one when it was listed.
                    pack.gone = self.has_all_indexes && !pack.in_set;
                    return if pack.gone { Ok(false) } else { Err(unindexed(&pack.stem)) };
                };
                let layout = PackIndex::decode(&files.source(file), hash)?;
                if let Some(file) = pack.pack {
                    check_count(&Header::decode(&files.source(file), hash)?, &layout, file)?;
                }
                pack.index = Index::File(file, layout);
            }
        }
        Ok(true)
    }

    /// Opens a pack whose index is open, or that is one of a set, to read from `near`
    /// on. `None` if it is gone.
    fn open_pack(
        &mut self,
        files: &Files,
        number: PackNumber,
        near: Option<u64>,
    ) -> Result<Option<FileId>> {
        let hash = self.hash;
        let Some(pack) = self.list.get_mut(number.0) else {
            return Ok(None);
        };
        if let Some(file) = pack.pack {
            return Ok(Some(file));
        }
        let path = [&pack.stem, &b".pack"[..]].concat();
        let found = files.find(&path).map_err(|error| match near {
            Some(offset) => error.near(offset),
            None => error,
        });
        let Some(file) = found? else {
            return Ok(None);
        };
        let header = Header::decode(&files.source(file), hash)?;
        match &pack.index {
            Index::File(_, layout) | Index::Built(_, layout) => check_count(&header, layout, file)?,
            Index::NotOpen if pack.in_set => {}
            _ => return Err(unindexed(&pack.stem)),
        }
        pack.pack = Some(file);
        Ok(Some(file))
    }

    /// Returns where in a pack an object lies. The pack is opened only if its
    /// index has the object.
    pub(super) fn offset_in(
        &mut self,
        files: &Files,
        number: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u64>> {
        if !self.open_index(files, number)? {
            return Ok(None);
        }
        let found = self.with_index(files, number, |layout, index| {
            let position = layout.find(&index, id)?;
            position.map(|position| layout.offset_at(&index, position)).transpose()
        })?;
        let Some(offset) = found else {
            return Ok(None);
        };
        match self.open_pack(files, number, Some(offset))? {
            Some(_) => self.checked_offset(files, number, offset).map(Some),
            None => Ok(None),
        }
    }

    /// Returns where in a pack that is open an object lies.
    pub(super) fn offset_of(
        &self,
        files: &Files,
        number: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u64>> {
        if matches!(self.pack(number)?.index, Index::NotOpen) {
            // Where a set has it elsewhere, it is read from there.
            let found = self.sets.find(files, id)?.filter(|(pack, _)| *pack == number);
            return Ok(found.map(|(_, offset)| offset));
        }
        let position = self.with_index(files, number, |layout, index| layout.find(&index, id))?;
        position.map(|position| self.offset_at(files, number, position)).transpose()
    }

    /// Returns where the entry at a position of the index begins.
    pub(super) fn offset_at(
        &self,
        files: &Files,
        number: PackNumber,
        position: u32,
    ) -> Result<u64> {
        let offset =
            self.with_index(files, number, |layout, index| layout.offset_at(&index, position))?;
        self.checked_offset(files, number, offset)
    }

    /// Makes sure that an offset is one inside of the pack, which is open.
    fn checked_offset(&self, files: &Files, number: PackNumber, offset: u64) -> Result<u64> {
        let file = self.file(number)?;
        let end = entries_end(&files.source(file), self.hash);
        if !(HEADER_LEN..end).contains(&offset) {
            let what = "an index that points outside its pack";
            return Err(Error::corrupt(what, file, offset));
        }
        Ok(offset)
    }

    pub(super) fn id_at(
        &self,
        files: &Files,
        number: PackNumber,
        position: u32,
    ) -> Result<ObjectId> {
        self.with_index(files, number, |layout, index| layout.id_at(&index, position))
    }

    /// Tells whether the index of a pack, which is open, has checksums of entries.
    pub(super) fn has_crcs(&self, number: PackNumber) -> bool {
        match self.list.get(number.0).map(|pack| &pack.index) {
            Some(Index::File(_, layout) | Index::Built(_, layout)) => layout.has_crcs(),
            _ => false,
        }
    }

    /// Returns the checksum that the index of a pack, which is open, has of an entry.
    pub(super) fn crc_at(
        &self,
        files: &Files,
        number: PackNumber,
        position: u32,
    ) -> Result<Option<u32>> {
        self.with_index(files, number, |layout, index| layout.crc_at(&index, position))
    }

    pub(super) fn count(&self, number: PackNumber) -> u32 {
        match self.list.get(number.0).map(|pack| &pack.index) {
            Some(Index::File(_, layout) | Index::Built(_, layout)) => layout.count(),
            _ => 0,
        }
    }

    pub(super) fn find_prefix(
        &self,
        files: &Files,
        number: PackNumber,
        prefix: &Prefix,
    ) -> Result<Range<u32>> {
        self.with_index(files, number, |layout, index| layout.find_prefix(&index, prefix))
    }

    /// Tells whether a pack has an object; one that is not open has none for anybody.
    pub(super) fn has(&self, files: &Files, number: PackNumber, id: &ObjectId) -> Result<bool> {
        if !self.is_open(number) {
            return Ok(false);
        }
        self.with_index(files, number, |layout, index| Ok(layout.find(&index, id)?.is_some()))
    }

    fn pack(&self, number: PackNumber) -> Result<&Pack> {
        self.list.get(number.0).ok_or_else(|| Error::new(ErrorKind::BadInput, "no such pack"))
    }

    fn with_index<T>(
        &self,
        files: &Files,
        number: PackNumber,
        ask: impl FnOnce(&PackIndex, AnyIndex<'_>) -> Result<T>,
    ) -> Result<T> {
        match &self.pack(number)?.index {
            Index::File(file, layout) => ask(layout, AnyIndex::File(files.source(*file))),
            Index::Built(bytes, layout) => ask(layout, AnyIndex::Built(bytes)),
            _ => Err(unindexed(&self.pack(number)?.stem)),
        }
    }
}

fn in_directory(directory: &[u8], name: &[u8]) -> Vec<u8> {
    [directory, b"/", name].concat()
}

impl Pack {
    fn new(stem: Vec<u8>) -> Pack {
        Pack {
            stem,
            pack: None,
            index: Index::NotOpen,
            extents: None,
            has_reverse: false,
            reverse: None,
            in_set: false,
            gone: false,
            promisor: false,
        }
    }
}

/// Makes sure that a pack has as many objects as its index.
fn check_count(header: &Header, layout: &PackIndex, file: FileId) -> Result<()> {
    if header.count == layout.count() {
        return Ok(());
    }
    Err(Error::corrupt("a pack with another number of objects than its index", file, 8))
}

#[cold]
fn unindexed(stem: &[u8]) -> Error {
    Error::new(ErrorKind::BadInput, "a pack whose index is not made yet").about(stem)
}
