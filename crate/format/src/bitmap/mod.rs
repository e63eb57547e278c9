//! Reachability bitmaps of a pack, or of packs with a multi-pack-index:
//! <https://git-scm.com/docs/bitmap-format>.

pub(crate) mod ewah;

use crate::id_table::read_id;
use crate::object::ObjectType;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;

const SIGNATURE: [u8; 4] = *b"BITM";
/// The length of the header before the checksum of the pack.
const HEADER_LEN: u64 = 12;
/// The flag that all objects which the pack's objects reach are in the pack as well.
const FULL: u16 = 1;
/// The head of an entry: the commit's position, the XOR offset, and flags.
const ENTRY_HEAD: u64 = 6;
/// The fewest bytes of a compressed bitmap.
const LEAST_BITMAP: u64 = 12;
const TYPES: [ObjectType; 4] =
    [ObjectType::Commit, ObjectType::Tree, ObjectType::Blob, ObjectType::Tag];

/// The layout of a bitmap file; the bitmaps are read when needed. The optional tables after the
/// bitmaps are ignored.
pub struct BitmapFile {
    /// The checksum of the pack or multi-pack-index that the file belongs to.
    pub about: ObjectId,
    count: u32,
    /// The offset of each type's bitmap.
    types: [u64; 4],
    /// The entries in their stored order: each bitmap may be stored as an XOR with an earlier
    /// one.
    entries: Vec<Entry>,
    /// The indexes of the entries, sorted by commit position.
    by_position: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The position of the commit in the pack index or multi-pack-index.
    position: u32,
    /// The XOR offset: how many entries before this one the entry is whose bitmap is combined
    /// with this one; 0 for none.
    back: u8,
    bitmap: u64,
}

impl BitmapFile {
    /// Reads the header and the heads of the entries. `count` is the number of objects in the
    /// index.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Unsupported`] for other versions, [`ErrorKind::Corrupt`] if
    /// the file has fewer bitmaps than its header says.
    pub fn decode<S: BlockSource>(source: &S, hash: HashKind, count: u32) -> Result<BitmapFile> {
        let header: [u8; HEADER_LEN as usize] = source.array_at(0)?;
        let [signature @ .., v0, v1, f0, f1, a, b, c, d] = header;
        if signature != SIGNATURE {
            return Err(source.corrupt("a bitmap file has no signature", 0));
        }
        let flags = u16::from_be_bytes([f0, f1]);
        if u16::from_be_bytes([v0, v1]) != 1 || flags & FULL == 0 {
            let what = "the version of a bitmap file is not supported";
            return Err(Error::new(ErrorKind::Unsupported, what).at(source.file(), 4));
        }
        let about = read_id(source, hash, HEADER_LEN)?;
        let mut at = HEADER_LEN.saturating_add(hash.len() as u64);
        let mut types = [0; 4];
        for place in &mut types {
            *place = at;
            at = ewah::end_of(source, at)?;
        }
        let entry_count = u32::from_be_bytes([a, b, c, d]);
        let end = source.size().saturating_sub(hash.len() as u64);
        let least = u64::from(entry_count).saturating_mul(ENTRY_HEAD.saturating_add(LEAST_BITMAP));
        if at.saturating_add(least) > end {
            return Err(source.corrupt("a bitmap file has fewer bitmaps than its header says", 8));
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(entry_count as usize);
        for number in 0..entry_count {
            let [a, b, c, d, back, _flags]: [u8; ENTRY_HEAD as usize] = source.array_at(at)?;
            let position = u32::from_be_bytes([a, b, c, d]);
            if position >= count || u32::from(back) > number {
                return Err(source.corrupt("the commit of a bitmap is missing", at));
            }
            let bitmap = at.saturating_add(ENTRY_HEAD);
            entries.push(Entry { position, back, bitmap });
            at = ewah::end_of(source, bitmap)?;
            if at > end {
                return Err(source.corrupt("a bitmap ends after the end of its file", bitmap));
            }
        }
        let positions = entries.iter().map(|entry| entry.position);
        let by_position = sort::places_by(positions).map(|at| at as u32).collect();
        Ok(BitmapFile { about, count, types, entries, by_position })
    }

    /// Returns how many 64-bit words an uncompressed bitmap has.
    pub(crate) fn words(&self) -> usize {
        self.count.div_ceil(u64::BITS) as usize
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let entries = self.entries.capacity().saturating_mul(size_of::<Entry>());
        (entries.saturating_add(self.by_position.capacity().saturating_mul(4))) as u64
    }

    /// Returns the number of the bitmap of the commit at an index position, if it has one.
    pub fn find(&self, position: u32) -> Option<u32> {
        let position_of = |at: &u32| self.entries.get(*at as usize).map(|entry| entry.position);
        let at = self.by_position.partition_point(|at| position_of(at) < Some(position));
        let found = self.by_position.get(at)?;
        (position_of(found) == Some(position)).then_some(*found)
    }

    /// Reads the bitmap of a commit: the objects that it reaches, itself included.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`].
    pub fn read<S: BlockSource>(&self, source: &S, bitmap: u32) -> Result<Vec<u64>> {
        let mut words = vec![0; self.words()];
        let mut at = bitmap;
        while let Some(entry) = self.entries.get(at as usize) {
            ewah::xor_into(source, entry.bitmap, &mut words)?;
            match entry.back {
                0 => break,
                back => at = at.saturating_sub(back.into()),
            }
        }
        Ok(self.cut(words))
    }

    /// Reads the bitmap of all objects of a type.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`].
    pub fn of_type<S: BlockSource>(&self, source: &S, object_type: ObjectType) -> Result<Vec<u64>> {
        let mut words = vec![0; self.words()];
        let places = TYPES.iter().zip(self.types);
        for (_, place) in places.filter(|(own, _)| **own == object_type) {
            ewah::xor_into(source, place, &mut words)?;
        }
        Ok(self.cut(words))
    }

    /// Clears the bits after the last object.
    fn cut(&self, mut words: Vec<u64>) -> Vec<u64> {
        let used = self.count % u64::BITS;
        if let Some(last) = words.last_mut().filter(|_| used > 0) {
            *last &= u64::MAX >> u64::BITS.saturating_sub(used);
        }
        words
    }
}
