//! The packs of multi-pack-indexes, which take one look-up instead of one per pack.
//!
//! A multi-pack-index repeats what the pack indexes say. One that is damaged, or that names a
//! missing pack, is ignored. An object that a valid one does not list is not in its packs.

use super::PackNumber;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, Result};
use packlens_base::limits::Limits;
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId, Prefix};
use packlens_format::checksum::Checksums;
use packlens_format::chunk_file::layers_in;
use packlens_format::multi_pack_index::MultiPackIndex;
use packlens_format::refs::text_of;

/// A file of at most one part in this many of the memory ceiling is hashed when it is opened.
/// Hashing delays the first answer, so the limit is low.
const OPENING_SHARE: u64 = 64;

/// The largest file that is ever hashed, as one part in this many of the memory ceiling. In a
/// larger multi-pack-index, a missing object may still be in one of its packs.
const CHECKED_SHARE: u64 = 4;

/// A multi-pack-index, or a chain of them, and its packs.
#[derive(Default)]
struct PackSet {
    /// The layers, the lowest first.
    layers: Vec<Layer>,
    /// The packs of all layers, in the order of the layers.
    packs: Vec<PackNumber>,
}

struct Layer {
    file: FileId,
    midx: MultiPackIndex,
    /// The index of the layer's first pack in `PackSet::packs`.
    first_pack: usize,
    pack_count: usize,
}

/// The pack and the offset that a multi-pack-index has for an object.
pub(super) type PackOffset = (PackNumber, u64);

/// The multi-pack-indexes of all pack directories.
pub(super) struct PackSets {
    hash: HashKind,
    limits: Limits,
    checksums: Checksums,
    list: Vec<FullOnly<PackSet>>,
}

impl PackSets {
    pub fn new(hash: HashKind, limits: Limits) -> PackSets {
        PackSets { hash, limits, checksums: Checksums::default(), list: Vec::new() }
    }

    /// Drops all multi-pack-indexes.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Returns whether there is no multi-pack-index.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds the multi-pack-index of a pack directory, if there is a valid one, and returns its
    /// packs. `pack` maps a file name to the pack, if that exists.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn open(
        &mut self,
        files: &Files,
        folder: &[u8],
        pack: impl Fn(&[u8]) -> Option<PackNumber>,
    ) -> Result<&[PackNumber]> {
        let Some(set) = self.set_in(files, folder, pack)? else {
            return Ok(&[]);
        };
        self.list.push(FullOnly::new(|| set)?);
        Ok(self.list.last().map_or(&[], |set| set.packs.as_slice()))
    }

    fn set_in(
        &mut self,
        files: &Files,
        folder: &[u8],
        pack: impl Fn(&[u8]) -> Option<PackNumber>,
    ) -> Result<Option<PackSet>> {
        let mut set = PackSet::default();
        let path = [folder, b"/multi-pack-index"].concat();
        if let Some(file) = files.find_fresh(&path)? {
            if self.push(&mut set, files, file, &pack)? {
                return Ok(Some(set));
            }
        }
        let chain = [folder, b"/multi-pack-index.d/multi-pack-index"].concat();
        let Some(file) = files.find_fresh(&[&chain, &b"-chain"[..]].concat())? else {
            return Ok(None);
        };
        let text = match text_of(files, file, &self.limits) {
            Err(error) if !error.is_missing() => return Ok(None),
            text => text?,
        };
        for name in layers_in(self.hash, &text) {
            let path = [&chain, format!("-{}.midx", name.to_hex()).as_bytes()].concat();
            match files.find(&path)? {
                Some(file) if self.push(&mut set, files, file, &pack)? => {}
                _ => break,
            }
        }
        Ok((!set.layers.is_empty()).then_some(set))
    }

    /// Adds a file as the top layer of a set; returns whether it is valid.
    fn push(
        &mut self,
        set: &mut PackSet,
        files: &Files,
        file: FileId,
        pack: impl Fn(&[u8]) -> Option<PackNumber>,
    ) -> Result<bool> {
        let source = files.source(file);
        if source.size() <= self.limits.memory / OPENING_SHARE
            && !self.checksums.is_whole(files, file, self.hash)?
        {
            return Ok(false);
        }
        let read = MultiPackIndex::decode(&source, self.hash)
            .and_then(|midx| midx.pack_names(&source).map(|names| (midx, names)));
        let (midx, names) = match read {
            Err(error) if !error.is_missing() => return Ok(false),
            read => read?,
        };
        let Some(packs) = names.iter().map(|name| pack(name)).collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        let first_pack = set.packs.len();
        set.layers.push(Layer { file, midx, first_pack, pack_count: packs.len() });
        set.packs.extend(packs);
        Ok(true)
    }

    /// Returns the number of objects in all multi-pack-indexes.
    pub(super) fn count(&self) -> u64 {
        let layers = self.list.iter().flat_map(|set| &set.layers);
        layers.fold(0, |sum, layer| sum.saturating_add(layer.midx.count().into()))
    }

    /// Returns the files of each multi-pack-index or chain, the lowest layer first.
    pub(super) fn files(&self) -> impl Iterator<Item = Vec<FileId>> + '_ {
        self.list.iter().map(|set| set.layers.iter().map(|layer| layer.file).collect())
    }

    /// Returns the pack and the offset of an object; `None` if no multi-pack-index has it.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the object is said to be in a
    /// pack that the multi-pack-index does not name.
    pub(super) fn find(&self, files: &Files, id: &ObjectId) -> Result<Option<PackOffset>> {
        for set in &self.list {
            if let Some(place) = set.find(files, id)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Adds the ids that begin with `prefix` to `found`.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn add_prefixed(
        &self,
        files: &Files,
        prefix: &Prefix,
        found: &mut Vec<ObjectId>,
    ) -> Result<()> {
        for layer in self.list.iter().flat_map(|set| &set.layers) {
            let source = files.source(layer.file);
            for position in layer.midx.find_prefix(&source, prefix)? {
                found.push(layer.midx.id_at(&source, position)?);
            }
        }
        Ok(())
    }

    /// Returns whether an object that no multi-pack-index has is in none of their packs. That
    /// holds if every file has the hash that its trailer says; large files are not hashed.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn are_complete(&mut self, files: &Files) -> Result<bool> {
        let most = self.limits.memory / CHECKED_SHARE;
        for layer in self.list.iter().flat_map(|set| &set.layers) {
            let small = files.source(layer.file).size() <= most;
            if !small || !self.checksums.is_whole(files, layer.file, self.hash)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl PackSet {
    fn find(&self, files: &Files, id: &ObjectId) -> Result<Option<PackOffset>> {
        for layer in self.layers.iter().rev() {
            let source = files.source(layer.file);
            if let Some(position) = layer.midx.find(&source, id)? {
                let (pack, offset) = layer.midx.place_at(&source, position)?;
                return self.pack_at(layer, pack).map(|pack| Some((pack, offset)));
            }
        }
        Ok(None)
    }

    fn pack_at(&self, layer: &Layer, pack: u32) -> Result<PackNumber> {
        let own = usize::try_from(pack).ok().filter(|pack| *pack < layer.pack_count);
        let at = own.and_then(|own| self.packs.get(layer.first_pack.saturating_add(own)));
        at.copied().ok_or_else(|| {
            Error::corrupt("a multi-pack-index has a pack number out of range", layer.file, 0)
        })
    }
}
