//! The packs of a repository and their indexes.

use super::any_index::AnyIndex;
mod build;
mod open;
mod order;
mod sets;

use super::directories::Directories;
use super::pack_sets::PackSets;
use open::no_index;
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::module::{FullOnly, IS_FULL};
use packlens_base::oid::{HashKind, ObjectId, Prefix};
use packlens_base::sort;
use packlens_base::sorted_map::SortedMap;
use packlens_format::checksum::Checksums;
use packlens_format::index::{Build, Extents, PackIndex, ReverseIndex};
use packlens_format::pack::{entries_end, HEADER_LEN};
use std::cell::Cell;
use std::ops::Range;

/// Identifies a pack as long as the repository is open.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct PackNumber(pub usize);

struct Pack {
    /// The path of the pack without its suffix.
    stem: Vec<u8>,
    pack: Option<FileId>,
    index: Index,
    extents: Option<Extents>,
    /// Whether the directory lists an index, and a reverse index, of the pack.
    has_index: bool,
    has_reverse: bool,
    /// The reverse index, once it was opened.
    reverse: Option<(FileId, ReverseIndex)>,
    /// Whether a multi-pack-index has the pack.
    in_set: bool,
    /// Whether the pack was deleted, so that none of it can be read any more.
    deleted: bool,
    /// Whether there is a `.promisor` file for the pack.
    promisor: bool,
    /// The damage of a pack that has a valid index, so that its objects are known but not
    /// readable.
    damage: Option<Error>,
}

enum Index {
    NotOpen,
    File(FileId, PackIndex),
    Building(FullOnly<Box<Build>>),
    /// Under construction, and taken out for the moment by [`Packs::lend_stuck`].
    Lent,
    Built(Vec<u8>, PackIndex),
    /// The error of the index; the objects of its pack are unknown.
    Damaged(Error),
}

/// The packs of a repository.
pub(super) struct Packs {
    hash: HashKind,
    list: Vec<Pack>,
    by_stem: SortedMap<Vec<u8>, usize>,
    by_file: SortedMap<FileId, usize>,
    /// Packs before this number have an index, or one under construction that lacks bases.
    indexed: usize,
    /// The memory of indexes and pack orders in bytes, `None` after a change.
    memory: Cell<Option<u64>>,
    /// The multi-pack-indexes.
    sets: PackSets,
    checksums: Checksums,
    /// How many object directories were listed.
    listed: usize,
    /// The newest question when the list was last refreshed.
    refreshed: u64,
    /// The pack that had the last object; the next one is probably there too.
    recent: usize,
    /// Whether the indexes that were missing at the start were built.
    has_all_indexes: bool,
    /// Whether an index was built that has not been searched yet for the bases of thin packs.
    has_more: bool,
}

impl Packs {
    pub fn new(hash: HashKind, limits: Limits) -> Packs {
        Packs {
            hash,
            list: Vec::new(),
            by_stem: SortedMap::default(),
            by_file: SortedMap::default(),
            indexed: 0,
            memory: Cell::new(None),
            sets: PackSets::new(hash, limits),
            checksums: Checksums::default(),
            listed: 0,
            refreshed: 0,
            recent: 0,
            has_all_indexes: false,
            has_more: false,
        }
    }

    /// Has the packs listed again, at most once per question; returns whether that is so. Open
    /// packs stay open.
    pub(super) fn refresh_once(&mut self, files: &mut Files, directories: &Directories) -> bool {
        if self.refreshed >= files.question() {
            return false;
        }
        // One look serves all questions that began before it. If each had its own, two
        // questions that take turns would refresh for ever.
        self.refreshed = files.newest_question();
        self.forget_damage(files);
        self.look_again(files, directories);
        true
    }

    /// Forgets the list of packs, but not what is known about each.
    pub(super) fn look_again(&mut self, files: &mut Files, directories: &Directories) {
        for directory in directories.paths() {
            files.forget_listing(&in_directory(directory, b"pack"));
        }
        // A pack that was listed before its index arrived may have its index by now.
        for pack in self.list.iter().filter(|pack| pack.deleted) {
            files.forget(&[&pack.stem, &b".idx"[..]].concat());
        }
        self.list_anew();
    }

    pub(super) fn list_anew(&mut self) {
        self.listed = 0;
        self.drop_sets();
    }

    /// Lists the packs of all directories that were not listed yet.
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
            // The reader takes the index of each pack instead.
            let in_set = IS_FULL && names.iter().any(|name| name.starts_with(b"multi-pack-index"));
            for name in names.iter().filter_map(|name| name.strip_suffix(b".pack")) {
                let has_index = has(&[name, b".idx"]);
                // git ignores such a pack as well: it may still be on its way into the
                // repository.
                if self.has_all_indexes && !has_index && !in_set {
                    continue;
                }
                let stem = in_directory(&folder, name);
                let number = self.by_stem.get(&stem).copied().unwrap_or_else(|| {
                    let number = self.list.len();
                    self.by_stem.insert(stem.clone(), number);
                    self.list.push(Pack::new(stem));
                    number
                });
                if let Some(pack) = self.list.get_mut(number) {
                    pack.deleted = false;
                    pack.promisor = has(&[name, b".promisor"]);
                    pack.has_index = has_index;
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

    /// Returns the index file of a pack, if the index is open and was not built in memory.
    pub(super) fn index_file(&self, number: PackNumber) -> Option<FileId> {
        match self.list.get(number.0)?.index {
            Index::File(file, _) => Some(file),
            _ => None,
        }
    }

    /// Returns the position of an object in the index of an open pack.
    pub(super) fn position_of(
        &self,
        files: &Files,
        number: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u32>> {
        self.with_index(files, number, |layout, index| layout.find(&index, id))
    }

    /// Returns whether a file has the hash that its trailer says.
    pub(super) fn is_whole(&mut self, files: &Files, file: FileId) -> Result<bool> {
        self.checksums.is_whole(files, file, self.hash)
    }

    /// Returns the multi-pack-indexes.
    pub(super) fn sets(&self) -> &PackSets {
        &self.sets
    }

    /// Returns whether a multi-pack-index has the pack.
    pub(super) fn is_in_set(&self, number: PackNumber) -> bool {
        self.list.get(number.0).is_some_and(|pack| pack.in_set)
    }

    /// Has the packs of a directory listed again at the next look-up.
    pub(super) fn list_again(&mut self, files: &mut Files, directory: &[u8]) {
        files.forget_listing(&in_directory(directory, b"pack"));
        self.listed = 0;
    }

    /// Returns the files of the promisor packs; `None` for those that are not open.
    pub(super) fn promisors(&self) -> impl Iterator<Item = Option<FileId>> + use<'_> {
        self.list.iter().filter(|pack| pack.promisor).map(|pack| pack.pack)
    }

    /// Returns all packs, the one that had the last object first.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = PackNumber> + use<> {
        let count = self.list.len();
        let first = (self.recent < count).then_some(self.recent);
        let recent = self.recent;
        first.into_iter().chain((0..count).filter(move |at| *at != recent)).map(PackNumber)
    }

    /// Returns whether there is one pack.
    pub(super) fn is_alone(&self) -> bool {
        self.list.len() == 1
    }

    /// Returns the packs in the order in which they were listed: sorted by name in each
    /// directory.
    pub(super) fn in_order(&self) -> impl Iterator<Item = PackNumber> + use<> {
        (0..self.list.len()).map(PackNumber)
    }

    /// Returns whether a pack cannot be searched because it was deleted or its index is under
    /// construction.
    fn is_unsearchable(&self, number: PackNumber) -> bool {
        self.list.get(number.0).is_some_and(|pack| {
            pack.deleted || matches!(pack.index, Index::Building(_) | Index::Lent)
        })
    }

    /// Returns the error for a pack that was deleted.
    #[cold]
    pub(super) fn no_index(&self, number: PackNumber) -> Error {
        no_index(self.stem(number))
    }

    /// Returns whether a pack was deleted.
    pub(super) fn is_deleted(&self, number: PackNumber) -> bool {
        self.list.get(number.0).is_some_and(|pack| pack.deleted)
    }

    /// Returns the path of a pack without its suffix.
    pub(super) fn stem(&self, number: PackNumber) -> &[u8] {
        self.list.get(number.0).map_or(&[], |pack| &pack.stem)
    }

    /// Returns whether a pack is open.
    pub(super) fn is_open(&self, number: PackNumber) -> bool {
        self.list.get(number.0).is_some_and(|pack| pack.pack.is_some())
    }

    /// Forgets the deleted pack that a file belonged to, and has the packs listed again.
    pub(super) fn forget(&mut self, file: FileId, files: &mut Files, directories: &Directories) {
        let path = files.path(file).unwrap_or_default();
        let ending = path.strip_suffix(b".pack").or_else(|| path.strip_suffix(b".idx"));
        let stem = ending.unwrap_or_default().to_vec();
        files.forget(&[&stem, &b".pack"[..]].concat());
        files.forget(&[&stem, &b".idx"[..]].concat());
        let number = self.by_stem.get(&stem).copied();
        if let Some(pack) = number.and_then(|number| self.list.get_mut(number)) {
            let file = pack.pack;
            *pack = Pack { deleted: true, ..Pack::new(stem) };
            file.map(|file| self.by_file.remove(&file));
            self.memory.set(None);
        }
        self.look_again(files, directories);
    }

    pub(super) fn set_recent(&mut self, pack: PackNumber) {
        self.recent = pack.0;
    }

    /// Returns how many bytes of memory indexes and pack orders take.
    pub fn memory(&self) -> u64 {
        if let Some(memory) = self.memory.get() {
            return memory;
        }
        let mut changes = false;
        let memory = self.list.iter().fold(0, |sum: u64, pack| {
            let index = match &pack.index {
                Index::Built(bytes, _) => bytes.capacity() as u64,
                Index::Building(build) => {
                    changes = true;
                    build.memory()
                }
                _ => 0,
            };
            let extents = pack.extents.as_ref().map_or(0, Extents::memory);
            sum.saturating_add(index).saturating_add(extents)
        });
        self.memory.set(Some(memory).filter(|_| !changes));
        memory
    }

    /// Returns the file of an open pack.
    pub(super) fn file(&self, number: PackNumber) -> Result<FileId> {
        let pack = self.pack(number)?;
        pack.pack.ok_or_else(|| not_open(pack))
    }

    /// Returns the number of the pack with this file.
    pub(super) fn number_of(&self, file: FileId) -> Option<PackNumber> {
        self.by_file.get(&file).copied().map(PackNumber)
    }

    /// Returns the offset of an object in an open pack.
    pub(super) fn offset_of(
        &self,
        files: &Files,
        number: PackNumber,
        id: &ObjectId,
    ) -> Result<Option<u64>> {
        if matches!(self.pack(number)?.index, Index::NotOpen | Index::Damaged(_)) {
            // An object that the multi-pack-index has in another pack is read from there.
            let found = self.sets.find(files, id)?.filter(|(pack, _)| *pack == number);
            return Ok(found.map(|(_, offset)| offset));
        }
        let position = self.with_index(files, number, |layout, index| layout.find(&index, id))?;
        position.map(|position| self.offset_at(files, number, position)).transpose()
    }

    /// Returns the offset of the entry at a position of the index.
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

    /// Checks that an offset is inside an open pack.
    fn checked_offset(&self, files: &Files, number: PackNumber, offset: u64) -> Result<u64> {
        let file = self.file(number)?;
        let end = entries_end(&files.source(file), self.hash);
        if !(HEADER_LEN..end).contains(&offset) {
            let what = "an index points outside its pack";
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

    /// Returns whether the index of an open pack has CRC32 values.
    pub(super) fn has_crcs(&self, number: PackNumber) -> bool {
        match self.list.get(number.0).map(|pack| &pack.index) {
            Some(Index::File(_, layout) | Index::Built(_, layout)) => layout.has_crcs(),
            _ => false,
        }
    }

    /// Returns the CRC32 of an entry from the index of an open pack.
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

    /// Returns whether a pack's open index has an object; `false` if the pack is neither open
    /// nor damaged.
    pub(super) fn has(&self, files: &Files, number: PackNumber, id: &ObjectId) -> Result<bool> {
        let is_known =
            self.has_index(number) && (self.is_open(number) || self.is_unreadable(number));
        match is_known {
            true => self
                .with_index(files, number, |layout, index| Ok(layout.find(&index, id)?.is_some())),
            false => Ok(false),
        }
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
            Index::Damaged(error) => Err(error.clone()),
            _ => Err(no_index(&self.pack(number)?.stem)),
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
            has_index: false,
            has_reverse: false,
            reverse: None,
            in_set: false,
            deleted: false,
            promisor: false,
            damage: None,
        }
    }
}

#[cold]
#[inline(never)]
fn not_open(pack: &Pack) -> Error {
    let what = "a pack was deleted while its objects were listed: list them again";
    match pack.deleted {
        true => Error::new(ErrorKind::Changed, what).about(&pack.stem),
        false => Error::new(ErrorKind::BadInput, "no open pack"),
    }
}
