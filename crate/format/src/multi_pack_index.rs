//! Multi-pack-index files, versions 1 and 2:
//! <https://git-scm.com/docs/gitformat-pack#_multi_pack_index_midx_files_have_the_following_format>.

use crate::chunk_file::{length, Chunks};
use crate::id_table::{IdTable, Rows};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId, Prefix};
use std::ops::Range;

const SIGNATURE: [u8; 4] = *b"MIDX";
const HEADER_LEN: u64 = 12;

/// The bit that marks an offset as a row number in the table of long offsets, if there is one.
const LONG_OFFSET: u32 = 1 << 31;

/// The longest list of pack names that is read, in bytes.
const MOST_NAMES: u64 = 1 << 24;

/// The layout of a multi-pack-index, or of one layer in a chain; its tables stay in the file.
pub struct MultiPackIndex {
    ids: IdTable,
    /// The pack and the offset of each object.
    places: Rows,
    long_offsets: Option<Range<u64>>,
    names: Range<u64>,
    pack_count: u32,
    sorted_names: bool,
    /// The positions of the objects in the order of bitmap bits.
    order: Option<Rows>,
}

impl MultiPackIndex {
    /// Reads the header, the table of chunks and the fanout.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for another version or hash; [`ErrorKind::Corrupt`] if the
    /// sizes of the chunks do not match each other.
    pub fn decode<S: BlockSource>(midx: &S, hash: HashKind) -> Result<MultiPackIndex> {
        let header: [u8; HEADER_LEN as usize] = midx.array_at(0)?;
        let [signature @ .., version, hash_version, chunk_count, _, a, b, c, d] = header;
        if signature != SIGNATURE {
            return Err(midx.corrupt("a multi-pack-index has no signature", 0));
        }
        let known = if hash == HashKind::Sha1 { 1 } else { 2 };
        if !matches!(version, 1 | 2) || hash_version != known {
            let what = "the version or hash of a multi-pack-index is not supported";
            return Err(Error::new(ErrorKind::Unsupported, what).at(midx.file(), 4));
        }
        let chunks = Chunks::decode(midx, hash, HEADER_LEN, chunk_count)?;
        let ids = chunks.ids(midx, hash)?;
        let places = ids.as_ref().and_then(|ids| chunks.rows(b"OOFF", ids.count(), 8));
        let names = chunks.find(b"PNAM").filter(|names| length(names) <= MOST_NAMES);
        let (Some(ids), Some(places), Some(names)) = (ids, places, names) else {
            let what = "the tables of a multi-pack-index do not have the size of its fanout";
            return Err(midx.corrupt(what, HEADER_LEN));
        };
        Ok(MultiPackIndex {
            order: chunks.rows(b"RIDX", ids.count(), 4),
            ids: ids.beside(places),
            places,
            long_offsets: chunks.find(b"LOFF"),
            names,
            pack_count: u32::from_be_bytes([a, b, c, d]),
            sorted_names: version == 1,
        })
    }

    /// Returns the number of objects.
    pub fn count(&self) -> u32 {
        self.ids.count()
    }

    /// Returns the file names of the pack indexes. The pack numbers of
    /// [`MultiPackIndex::place_at`] are indices in this list, which has no packs of lower
    /// layers.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if there are fewer names than packs, or if they
    /// are unsorted, which version 1 does not allow.
    pub fn pack_names<S: BlockSource>(&self, midx: &S) -> Result<Vec<Vec<u8>>> {
        let corrupt = |what| midx.corrupt(what, self.names.start);
        let mut text = vec![0; usize::try_from(length(&self.names)).unwrap_or(0)];
        midx.read_at(self.names.start, &mut text)?;
        let mut names = Vec::new();
        let mut rest = text.as_slice();
        for _ in 0..self.pack_count {
            let Some(end) = rest.iter().position(|byte| *byte == 0) else {
                return Err(corrupt("a multi-pack-index names fewer packs than its header says"));
            };
            let (name, after) = rest.split_at(end);
            names.push(name.to_vec());
            rest = after.get(1..).unwrap_or_default();
        }
        if self.sorted_names && !names.is_sorted_by(|one, other| one < other) {
            return Err(corrupt("the packs of a multi-pack-index are out of order"));
        }
        Ok(names)
    }

    /// Returns the position of an object, if the index has it.
    ///
    /// # Errors
    ///
    /// Missing bytes: those around the estimated position and, as a guess, those with the
    /// object's pack and offset.
    pub fn find<S: BlockSource>(&self, midx: &S, id: &ObjectId) -> Result<Option<u32>> {
        self.ids.find(midx, id)
    }

    /// Returns the position of an object by plain binary search, as git would find it even if
    /// the ids are unsorted.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find_by_halves<S: BlockSource>(&self, midx: &S, id: &ObjectId) -> Result<Option<u32>> {
        self.ids.find_by_halves(midx, id)
    }

    /// Returns the positions of all objects whose id begins with `prefix`.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find_prefix<S: BlockSource>(&self, midx: &S, prefix: &Prefix) -> Result<Range<u32>> {
        self.ids.find_prefix(midx, prefix)
    }

    /// Returns the id at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn id_at<S: BlockSource>(&self, midx: &S, position: u32) -> Result<ObjectId> {
        self.ids.id_at(midx, position)
    }

    /// Returns the pack number and the offset of the object at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if the table of long offsets has no such row.
    pub fn place_at<S: BlockSource>(&self, midx: &S, position: u32) -> Result<(u32, u64)> {
        let at = self.places.at(position);
        let [a, b, c, d, offset @ ..]: [u8; 8] = midx.array_at(at)?;
        let pack = u32::from_be_bytes([a, b, c, d]);
        let offset = u32::from_be_bytes(offset);
        let Some(long) = self.long_offsets.as_ref().filter(|_| offset & LONG_OFFSET != 0) else {
            return Ok((pack, offset.into()));
        };
        let row = u64::from(offset & !LONG_OFFSET).saturating_mul(8);
        if row.saturating_add(8) > length(long) {
            return Err(midx.corrupt("a multi-pack-index lacks a large offset that it names", at));
        }
        let long = midx.array_at(long.start.saturating_add(row))?;
        Ok((pack, u64::from_be_bytes(long)))
    }

    /// Returns the position of the object for a bit of a bitmap; `None` without a reverse
    /// index chunk, or for a bit beyond the last.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn position_of_bit<S: BlockSource>(&self, midx: &S, bit: u32) -> Result<Option<u32>> {
        let Some(order) = self.order.filter(|_| bit < self.count()) else {
            return Ok(None);
        };
        let left = u64::from(self.count().saturating_sub(bit)).saturating_mul(4);
        let position = midx.array_at(order.at(bit)).map_err(|error| error.widened(left))?;
        Ok(Some(u32::from_be_bytes(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a file with no objects, and with packs of these names.
    fn midx(version: u8, hash_version: u8, hash_len: usize, names: &[&str]) -> Vec<u8> {
        let text: Vec<u8> =
            names.iter().flat_map(|name| [name.as_bytes(), b"\0"].concat()).collect();
        let chunks: [(&[u8; 4], Vec<u8>); 4] =
            [(b"PNAM", text), (b"OIDF", vec![0; 1024]), (b"OIDL", vec![]), (b"OOFF", vec![])];
        let mut bytes = [&b"MIDX"[..], &[version, hash_version, 4, 0]].concat();
        bytes.extend((names.len() as u32).to_be_bytes());
        let mut at = bytes.len() as u64 + 5 * 12;
        for (name, content) in &chunks {
            bytes.extend_from_slice(*name);
            bytes.extend(at.to_be_bytes());
            at += content.len() as u64;
        }
        bytes.extend([0; 4]);
        bytes.extend(at.to_be_bytes());
        chunks.iter().for_each(|(_, content)| bytes.extend(content));
        bytes.extend(vec![0; hash_len]);
        bytes
    }

    fn names(version: u8, names: &[&str]) -> Result<Vec<Vec<u8>>> {
        let bytes = midx(version, 1, 20, names);
        MultiPackIndex::decode(&bytes.as_slice(), HashKind::Sha1)?.pack_names(&bytes.as_slice())
    }

    #[test]
    fn version_1_has_the_names_of_packs_in_order_and_each_once() {
        assert_eq!(names(1, &["a.idx", "b.idx"]).unwrap(), [b"a.idx", b"b.idx"]);
        for wrong in [["b.idx", "a.idx"], ["a.idx", "a.idx"]] {
            let error = names(1, &wrong).unwrap_err();
            assert_eq!(error.what(), "the packs of a multi-pack-index are out of order");
            assert_eq!(names(2, &wrong).unwrap().len(), 2);
        }
    }

    #[test]
    fn one_of_the_other_hash_is_not_read() {
        for (hash, other, hash_len) in [(HashKind::Sha1, 2, 20), (HashKind::Sha256, 1, 32)] {
            let bytes = midx(1, other, hash_len, &["a.idx"]);
            let decoded = MultiPackIndex::decode(&bytes.as_slice(), hash);
            assert_eq!(decoded.err().map(|error| error.kind()), Some(ErrorKind::Unsupported));
        }
    }
}
