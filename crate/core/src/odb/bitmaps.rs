//! Which objects a bit of a bitmap stands for.

use super::{Odb, PackNumber};
use crate::bitmap::BitmapFile;
use crate::block::{BlockSource, FileId, Files};
use crate::error::Result;
use crate::id_table::read_id;
use crate::multi_pack_index::MultiPackIndex;
use crate::object::ObjectType;
use crate::oid::ObjectId;

/// The share of the ceiling that a file of bitmaps may take, and the order of its
/// bits: the file is hashed before it is believed.
const FILE_SHARE: u64 = 4;
const ORDER_SHARE: u64 = 8;

/// No bit.
const NONE: u32 = u32::MAX;

/// The bitmaps of a pack, or of packs with a multi-pack-index.
pub(crate) struct Bitmaps {
    file: FileId,
    bitmaps: BitmapFile,
    of: Of,
    /// Of each position of the index, which bit stands for it.
    bits: Vec<u32>,
}

/// Whose bitmaps they are.
enum Of {
    Pack(PackNumber),
    Set(FileId, MultiPackIndex),
}

impl Bitmaps {
    /// Returns how many words a bitmap has.
    pub(crate) fn words(&self) -> usize {
        self.bitmaps.words()
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        (self.bits.capacity() as u64).saturating_mul(4).saturating_add(self.bitmaps.memory())
    }

    /// Returns position and bit of an object; `None` if it has none.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(crate) fn find(
        &self,
        odb: &Odb,
        files: &Files,
        id: &ObjectId,
    ) -> Result<Option<(u32, u32)>> {
        let position = match &self.of {
            Of::Pack(pack) => odb.packs.position_of(files, *pack, id)?,
            Of::Set(file, midx) => midx.find(&files.source(*file), id)?,
        };
        Ok(position.and_then(|position| Some((position, *self.bits.get(position as usize)?))))
    }

    /// Returns the bitmap of the commit at a position of the index, if it has one.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt).
    pub(crate) fn of_commit(&self, files: &Files, position: u32) -> Result<Option<Vec<u64>>> {
        let source = files.source(self.file);
        self.bitmaps.find(position).map(|bitmap| self.bitmaps.read(&source, bitmap)).transpose()
    }

    /// Returns the bitmap of all objects of a type.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt).
    pub(crate) fn of_type(&self, files: &Files, object_type: ObjectType) -> Result<Vec<u64>> {
        self.bitmaps.of_type(&files.source(self.file), object_type)
    }
}

impl Odb {
    /// Opens the bitmaps of the repository; `None` if there are none that are good.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn open_bitmaps(&mut self, files: &mut Files) -> Result<Option<Bitmaps>> {
        self.list_packs(files)?;
        for file in self.packs.sets().single_files().collect::<Vec<_>>() {
            let opened = self.bitmaps_of_set(files, file);
            if let Some(bitmaps) = left_aside(opened)? {
                return Ok(Some(bitmaps));
            }
        }
        for pack in self.packs.in_order() {
            let opened = self.bitmaps_of_pack(files, pack);
            if let Some(bitmaps) = left_aside(opened)? {
                return Ok(Some(bitmaps));
            }
        }
        Ok(None)
    }

    fn bitmaps_of_set(&mut self, files: &mut Files, file: FileId) -> Result<Option<Bitmaps>> {
        let source = files.source(file);
        let trailer = source.size().saturating_sub(self.hash.len() as u64);
        let checksum = read_id(&source, self.hash, trailer)?;
        let ending = format!("-{}.bitmap", checksum.to_hex());
        let path = [files.path(file).unwrap_or_default(), ending.as_bytes()].concat();
        let Some(bitmaps) = files.find(&path)? else {
            return Ok(None);
        };
        let midx = MultiPackIndex::decode(&files.source(file), self.hash)?;
        self.open_file(files, bitmaps, checksum, midx.count(), Of::Set(file, midx))
    }

    fn bitmaps_of_pack(&mut self, files: &mut Files, pack: PackNumber) -> Result<Option<Bitmaps>> {
        let path = [self.packs.stem(pack), b".bitmap"].concat();
        let Some(bitmaps) = files.find(&path)? else {
            return Ok(None);
        };
        self.packs.open(files, pack)?;
        let Some(index) = self.packs.index_file(pack) else {
            return Ok(None);
        };
        // An index ends with the checksum of its pack, and its own.
        let source = files.source(index);
        let hashes = (self.hash.len() as u64).saturating_mul(2);
        let checksum = read_id(&source, self.hash, source.size().saturating_sub(hashes))?;
        let count = self.packs.count(pack);
        self.open_file(files, bitmaps, checksum, count, Of::Pack(pack))
    }

    fn open_file(
        &mut self,
        files: &mut Files,
        file: FileId,
        about: ObjectId,
        count: u32,
        of: Of,
    ) -> Result<Option<Bitmaps>> {
        let size = files.source(file).size();
        let memory = u64::from(count).saturating_mul(8);
        let fits =
            size <= self.limits.memory / FILE_SHARE && memory <= self.limits.memory / ORDER_SHARE;
        if !fits || !self.packs.is_whole(files, file)? {
            return Ok(None);
        }
        let bitmaps = BitmapFile::decode(&files.source(file), self.hash, count)?;
        if bitmaps.about != about {
            return Ok(None);
        }
        let bits = self.bits_of(files, &of, count)?;
        Ok(bits.map(|bits| Bitmaps { file, bitmaps, of, bits }))
    }

    /// Returns of each position which bit stands for it; `None` if that is not known.
    fn bits_of(&mut self, files: &mut Files, of: &Of, count: u32) -> Result<Option<Vec<u32>>> {
        if let Of::Pack(pack) = of {
            if !self.read_order(files, *pack)? {
                return Ok(None);
            }
        }
        let mut bits = vec![NONE; count as usize];
        for bit in 0..count {
            let position = match of {
                Of::Pack(pack) => {
                    let extents = self.packs.extents(*pack);
                    extents.and_then(|extents| extents.entry(bit as usize)).map(|(_, at)| at)
                }
                Of::Set(file, midx) => midx.position_of_bit(&files.source(*file), bit)?,
            };
            match position.and_then(|position| bits.get_mut(position as usize)) {
                Some(known) if *known == NONE => *known = bit,
                _ => return Ok(None),
            }
        }
        Ok(Some(bits))
    }
}

/// Takes what is wrong with bitmaps, but for missing bytes, as "none".
fn left_aside(opened: Result<Option<Bitmaps>>) -> Result<Option<Bitmaps>> {
    match opened {
        Err(error) if !error.is_missing() => Ok(None),
        opened => opened,
    }
}
