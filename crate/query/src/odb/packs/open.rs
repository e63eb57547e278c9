//! Opens packs and their indexes. Damage affects only the objects of that pack: the pack
//! remembers its error, and searches continue without it.

use super::{Index, Pack, PackNumber, Packs};
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::index::PackIndex;
use packlens_format::pack::Header;

impl Packs {
    /// Opens a pack and its index; `None` if they were deleted, the index is not built yet, or
    /// one of them is damaged: see [`Packs::damage`].
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(in crate::odb) fn open(
        &mut self,
        files: &Files,
        number: PackNumber,
    ) -> Result<Option<FileId>> {
        match self.open_index(files, number)? {
            true => self.open_pack(files, number, None),
            false => Ok(None),
        }
    }

    /// Returns why a pack cannot be used; `None` if no damage was found so far.
    pub(in crate::odb) fn damage(&self, number: PackNumber) -> Option<&Error> {
        let pack = self.list.get(number.0)?;
        match &pack.index {
            Index::Damaged(error) => Some(error),
            _ => pack.damage.as_ref(),
        }
    }

    /// Returns the error of the first damaged index. Which objects its pack has is unknown.
    pub(in crate::odb) fn damaged_index(&self) -> Option<&Error> {
        self.list.iter().find_map(|pack| match &pack.index {
            Index::Damaged(error) => Some(error),
            _ => None,
        })
    }

    /// Returns whether a pack is damaged but its index is not, so that its objects are known.
    pub(in crate::odb) fn is_unreadable(&self, number: PackNumber) -> bool {
        let damaged = self.list.get(number.0).is_some_and(|pack| pack.damage.is_some());
        damaged && self.has_index(number)
    }

    /// Returns whether the index of a pack is open.
    pub(super) fn has_index(&self, number: PackNumber) -> bool {
        let index = self.list.get(number.0).map(|pack| &pack.index);
        matches!(index, Some(Index::File(..) | Index::Built(..)))
    }

    /// Opens the index of a pack; returns whether it can be searched.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(in crate::odb) fn open_index(&mut self, files: &Files, number: PackNumber) -> Result<bool> {
        if self.is_unsearchable(number) {
            return Ok(false);
        }
        let hash = self.hash;
        let Some(pack) = self.list.get_mut(number.0) else {
            return Ok(false);
        };
        match pack.index {
            Index::NotOpen => {}
            Index::Damaged(_) => return Ok(false),
            _ => return Ok(true),
        }
        let Some(file) = files.find(&[&pack.stem, &b".idx"[..]].concat())? else {
            // git deletes the index first, so a listed pack without one is being deleted. In a
            // set, the multi-pack-index has all that is needed of the index.
            match pack.in_set && !pack.has_index {
                true => pack.index = Index::Damaged(no_index(&pack.stem)),
                false => pack.deleted = self.has_all_indexes,
            }
            return Ok(false);
        };
        let decoded = PackIndex::decode(&files.source(file), hash).and_then(|layout| {
            if let Some(file) = pack.pack {
                check_count(&Header::decode(&files.source(file), hash)?, &layout, file)?;
            }
            Ok(layout)
        });
        let (index, usable) = match decoded {
            Ok(layout) => (Index::File(file, layout), true),
            Err(error) if is_damage(&error) => (Index::Damaged(error), false),
            Err(error) => return Err(error),
        };
        pack.index = index;
        Ok(usable)
    }

    /// Opens a pack whose index is open, or that is in a multi-pack-index; reading will start
    /// near `near`. `None` if the pack was deleted or is damaged.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn open_pack(
        &mut self,
        files: &Files,
        number: PackNumber,
        near: Option<u64>,
    ) -> Result<Option<FileId>> {
        let hash = self.hash;
        let Some(pack) = self.list.get_mut(number.0).filter(|pack| pack.damage.is_none()) else {
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
        match check_header(pack, files, file, hash) {
            Ok(()) => {
                pack.pack = Some(file);
                self.by_file.insert(file, number.0);
                Ok(Some(file))
            }
            Err(error) if is_damage(&error) => {
                pack.damage = Some(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the file of a pack whose index is open. Opens the pack if it is the only one, because
    /// the host has requested its beginning then.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(in crate::odb) fn open_beginning(
        &mut self,
        files: &Files,
        number: PackNumber,
    ) -> Result<Option<FileId>> {
        if !self.has_index(number) {
            return Ok(None);
        }
        match self.list.as_slice() {
            [one] if one.pack.is_none() => self.open_pack(files, number, None),
            list => Ok(list.get(number.0).and_then(|pack| pack.pack)),
        }
    }

    /// Returns the offset of an object in a pack. The pack is opened only if its index has the
    /// object.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; the damage of a pack whose index has the object.
    pub(in crate::odb) fn offset_in(
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
        match found {
            Some(offset) => self.offset_in_opened(files, number, offset),
            None => Ok(None),
        }
    }

    /// Opens a pack that has an object at an offset according to its index or
    /// multi-pack-index; returns the checked offset, or `None` if the pack was deleted.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; the damage of the pack.
    pub(super) fn offset_in_opened(
        &mut self,
        files: &Files,
        number: PackNumber,
        offset: u64,
    ) -> Result<Option<u64>> {
        if self.open_pack(files, number, Some(offset))?.is_some() {
            return self.checked_offset(files, number, offset).map(Some);
        }
        match self.list.get(number.0).and_then(|pack| pack.damage.clone()) {
            Some(error) => Err(error),
            None => Ok(None),
        }
    }

    /// Forgets damaged files, so that they are opened again: they may have been repaired.
    pub(super) fn forget_damage(&mut self, files: &mut Files) {
        for pack in &mut self.list {
            if matches!(pack.index, Index::Damaged(_)) {
                files.forget(&[&pack.stem, &b".idx"[..]].concat());
                pack.index = Index::NotOpen;
            }
            if pack.damage.take().is_some() {
                files.forget(&[&pack.stem, &b".pack"[..]].concat());
            }
        }
    }
}

/// Checks that a file is the pack that its index describes.
fn check_header(pack: &Pack, files: &Files, file: FileId, hash: HashKind) -> Result<()> {
    let header = Header::decode(&files.source(file), hash)?;
    match &pack.index {
        Index::File(_, layout) | Index::Built(_, layout) => check_count(&header, layout, file),
        Index::NotOpen | Index::Damaged(_) if pack.in_set => Ok(()),
        _ => Err(no_index(&pack.stem)),
    }
}

/// Checks that a pack has as many objects as its index.
fn check_count(header: &Header, layout: &PackIndex, file: FileId) -> Result<()> {
    if header.count == layout.count() {
        return Ok(());
    }
    Err(Error::corrupt("a pack and its index differ in their number of objects", file, 8))
}

/// Returns whether an error is about the bytes of a file, and so the same for every caller.
fn is_damage(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Corrupt | ErrorKind::Unsupported)
}

/// Creates the error for a pack whose index was deleted while the repository is open.
#[cold]
pub(super) fn no_index(stem: &[u8]) -> Error {
    Error::new(ErrorKind::Corrupt, "the index of a pack is missing").about(stem)
}
