//! Bitmaps of packs, and the objects that their bits stand for.

use super::{Odb, PackNumber};
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::bitmap::BitmapFile;
use packlens_format::id_table::read_id;
use packlens_format::multi_pack_index::MultiPackIndex;
use packlens_format::object::ObjectType;

/// A bitmap file may take one part in `FILE_SHARE` of the memory ceiling, because the whole
/// file is hashed before it is trusted; the order of its bits one part in `ORDER_SHARE`.
const FILE_SHARE: u64 = 4;
const ORDER_SHARE: u64 = 8;

/// Marks a position without a bit.
const NONE: u32 = u32::MAX;

/// The bitmaps of one pack, of a multi-pack-index, or of a chain of multi-pack-indexes.
///
/// Positions and bits are counted through all layers, the lowest first.
#[derive(Default)]
pub(crate) struct Bitmaps {
    layers: Vec<Layer>,
    /// Maps each bit to its position.
    positions: Vec<u32>,
    /// Maps each position to its bit.
    bits: Vec<u32>,
}

struct Layer {
    file: FileId,
    bitmaps: BitmapFile,
    of: Of,
    /// How many objects the layers below have.
    first: u32,
}

/// The pack or multi-pack-index that a layer describes.
enum Of {
    Pack(PackNumber),
    Set(FileId, MultiPackIndex),
}

impl Bitmaps {
    /// Returns the length of a bitmap in 64-bit words.
    pub(crate) fn words(&self) -> usize {
        self.bits.len().div_ceil(u64::BITS as usize)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let numbers = self.bits.capacity().saturating_add(self.positions.capacity());
        let layers = self.layers.iter().map(|layer| layer.bitmaps.memory());
        layers.fold((numbers as u64).saturating_mul(4), u64::saturating_add)
    }

    /// Returns the position and the bit of an object; `None` if the bitmaps do not cover it.
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
        for layer in self.layers.iter().rev() {
            let position = match &layer.of {
                Of::Pack(pack) => odb.packs.position_of(files, *pack, id)?,
                Of::Set(file, midx) => midx.find(&files.source(*file), id)?,
            };
            if let Some(position) = position.map(|position| layer.first.saturating_add(position)) {
                return Ok(self.bits.get(position as usize).map(|bit| (position, *bit)));
            }
        }
        Ok(None)
    }

    /// Returns the id of the object that a bit stands for.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(crate) fn id_of(&self, odb: &Odb, files: &Files, bit: u32) -> Result<ObjectId> {
        let position = self.positions.get(bit as usize).copied().unwrap_or(NONE);
        let layer = self.layers.iter().rfind(|layer| layer.first <= position);
        let local = |layer: &Layer| position.saturating_sub(layer.first);
        match layer.map(|layer| (&layer.of, local(layer))) {
            Some((Of::Pack(pack), local)) => odb.packs.id_at(files, *pack, local),
            Some((Of::Set(file, midx), local)) => midx.id_at(&files.source(*file), local),
            None => Err(Error::new(ErrorKind::BadInput, "a bit is in no bitmap")),
        }
    }

    /// Returns the bitmap of the commit at a position, if there is one. It may have fewer
    /// words than [`Bitmaps::words`].
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`].
    pub(crate) fn of_commit(&self, files: &Files, position: u32) -> Result<Option<Vec<u64>>> {
        for layer in self.layers.iter().rev() {
            if let Some(bitmap) = layer.bitmaps.find(position) {
                return layer.bitmaps.read(&files.source(layer.file), bitmap).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns the bitmap of all objects of a type.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`].
    pub(crate) fn of_type(&self, files: &Files, object_type: ObjectType) -> Result<Vec<u64>> {
        let mut words = vec![0; self.words()];
        for layer in &self.layers {
            let own = layer.bitmaps.of_type(&files.source(layer.file), object_type)?;
            words.iter_mut().zip(own).for_each(|(word, more)| *word |= more);
        }
        Ok(words)
    }
}

impl Odb {
    /// Opens the bitmaps of the repository; `None` if there are none that are usable.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn open_bitmaps(&mut self, files: &mut Files) -> Result<Option<Bitmaps>> {
        self.list_packs(files)?;
        for layers in self.packs.sets().files().collect::<Vec<_>>() {
            let opened = self.bitmaps_of_set(files, &layers);
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

    /// Opens the bitmaps of a multi-pack-index; in a chain every layer must have its own, as
    /// in git.
    fn bitmaps_of_set(&mut self, files: &mut Files, layers: &[FileId]) -> Result<Option<Bitmaps>> {
        let mut opened = Bitmaps::default();
        for file in layers {
            let source = files.source(*file);
            let trailer = source.size().saturating_sub(self.hash.len() as u64);
            let checksum = read_id(&source, self.hash, trailer)?;
            let path = files.path(*file).unwrap_or_default();
            let path = match path.strip_suffix(b".midx") {
                Some(stem) => [stem, b".bitmap"].concat(),
                None => [path, format!("-{}.bitmap", checksum.to_hex()).as_bytes()].concat(),
            };
            let Some(bitmaps) = files.find(&path)? else {
                return Ok(None);
            };
            let midx = MultiPackIndex::decode(&files.source(*file), self.hash)?;
            let (count, of) = (midx.count(), Of::Set(*file, midx));
            if !self.open_layer(files, (bitmaps, checksum), count, of, &mut opened)? {
                return Ok(None);
            }
        }
        Ok(Some(opened))
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
        // The last two hashes in an index are the checksum of its pack and its own checksum.
        let source = files.source(index);
        let hashes = (self.hash.len() as u64).saturating_mul(2);
        let checksum = read_id(&source, self.hash, source.size().saturating_sub(hashes))?;
        let count = self.packs.count(pack);
        let mut opened = Bitmaps::default();
        let good =
            self.open_layer(files, (bitmaps, checksum), count, Of::Pack(pack), &mut opened)?;
        Ok(good.then_some(opened))
    }

    /// Adds a bitmap file as the top layer if it is valid and names the checksum `about`;
    /// returns whether it was added.
    fn open_layer(
        &mut self,
        files: &mut Files,
        (file, about): (FileId, ObjectId),
        count: u32,
        of: Of,
        opened: &mut Bitmaps,
    ) -> Result<bool> {
        let first = opened.bits.len() as u32;
        let all = first.saturating_add(count);
        let size = files.source(file).size();
        let memory = u64::from(all).saturating_mul(8);
        let fits =
            size <= self.limits.memory / FILE_SHARE && memory <= self.limits.memory / ORDER_SHARE;
        if !fits || !self.packs.is_whole(files, file)? {
            return Ok(false);
        }
        let bitmaps = BitmapFile::decode(&files.source(file), self.hash, all)?;
        if bitmaps.about != about || !self.order_bits(files, &of, count, opened)? {
            return Ok(false);
        }
        opened.layers.push(Layer { file, bitmaps, of, first });
        Ok(true)
    }

    /// Adds the mapping between the bits and positions of a layer; returns whether it is
    /// known.
    fn order_bits(
        &mut self,
        files: &mut Files,
        of: &Of,
        count: u32,
        opened: &mut Bitmaps,
    ) -> Result<bool> {
        if let Of::Pack(pack) = of {
            if !self.read_order(files, *pack)? {
                return Ok(false);
            }
        }
        let first = opened.bits.len() as u32;
        opened.bits.resize(opened.bits.len().saturating_add(count as usize), NONE);
        for own in 0..count {
            let position = match of {
                Of::Pack(pack) => {
                    let extents = self.packs.extents(*pack);
                    extents.and_then(|extents| extents.entry(own as usize)).map(|(_, at)| at)
                }
                Of::Set(file, midx) => midx.position_of_bit(&files.source(*file), own)?,
            };
            let known = position.filter(|position| *position >= first);
            match known.and_then(|position| opened.bits.get_mut(position as usize)) {
                Some(bit) if *bit == NONE => *bit = first.saturating_add(own),
                _ => return Ok(false),
            }
            opened.positions.extend(position);
        }
        Ok(true)
    }
}

/// Turns every error into `None`, except missing bytes: bitmaps only make answers faster.
fn left_aside(opened: Result<Option<Bitmaps>>) -> Result<Option<Bitmaps>> {
    match opened {
        Err(error) if !error.is_missing() => Ok(None),
        opened => opened,
    }
}
