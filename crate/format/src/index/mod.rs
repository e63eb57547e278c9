//! Pack indexes, versions 1 and 2, and how they are made from packs:
//! <https://git-scm.com/docs/gitformat-pack#_pack_idx_files_have_the_following_format>.

mod build;
mod extents;
mod reverse;

pub use build::{
    Build, Checking, Comparison, IndexHelper, IndexLeader, IndexRole, Indexes, Listing,
    PackFinding, Progress, SectionScanner, Strict, Thin,
};
pub use extents::{Extents, Neighbours};
pub use reverse::ReverseIndex;

use crate::id_table::{Fanout, IdTable, Rows, FANOUT_LEN};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId, Prefix};
use std::ops::Range;

const SIGNATURE: [u8; 4] = [0xff, b't', b'O', b'c'];

/// Marks an offset in the table as a row number of the table of 64-bit offsets; without this
/// bit it is an offset of 31 bits.
const LONG_OFFSET: u32 = 1 << 31;

/// The layout of a pack index. The tables themselves are read from the file when needed.
pub struct PackIndex {
    hash: HashKind,
    version: u32,
    ids: IdTable,
    offsets: Rows,
    long_offsets: u64,
}

impl PackIndex {
    /// Reads the header and the fanout.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if the size of the file does not fit its fanout,
    /// [`ErrorKind::Unsupported`] for versions other than 1 and 2.
    pub fn decode<S: BlockSource>(index: &S, hash: HashKind) -> Result<PackIndex> {
        let mut version = 1;
        let mut head = 0;
        if index.array_at(0)? == SIGNATURE {
            version = u32::from_be_bytes(index.array_at(4)?);
            head = 8;
        }
        if !matches!(version, 1 | 2) {
            let error =
                Error::new(ErrorKind::Unsupported, "the version of an index is neither 1 nor 2");
            return Err(error.at(index.file(), 4));
        }
        let fanout = Fanout::decode(index, head)?;
        let count = u64::from(fanout.count());
        let name = hash.len() as u64;
        let first = head.saturating_add(FANOUT_LEN);
        let row = name.saturating_add(if version == 1 { 4 } else { 8 });
        let least =
            first.saturating_add(count.saturating_mul(row)).saturating_add(name.saturating_mul(2));
        let long = index.size().checked_sub(least);
        // The first entry of a pack needs no 64-bit offset.
        let most = if version == 1 { 0 } else { count.saturating_sub(1).saturating_mul(8) };
        match long {
            Some(long) if long <= most && long % 8 == 0 => {
                let (ids, offsets) = if version == 1 {
                    // In version 1 each id follows its offset.
                    let ids = Rows { first: first.saturating_add(4), stride: row };
                    (IdTable::new(hash, fanout, ids), Rows { first, stride: row })
                } else {
                    let ids = Rows { first, stride: name };
                    let crcs_end = count.saturating_mul(name.saturating_add(4));
                    let offsets = Rows { first: first.saturating_add(crcs_end), stride: 4 };
                    (IdTable::new(hash, fanout, ids).beside(offsets), offsets)
                };
                Ok(PackIndex { hash, version, ids, offsets, long_offsets: long / 8 })
            }
            _ => Err(index.corrupt("the size of an index does not match its fanout", 0)),
        }
    }

    /// Returns how many objects there are.
    pub fn count(&self) -> u32 {
        self.ids.count()
    }

    /// Returns the id at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn id_at<S: BlockSource>(&self, index: &S, position: u32) -> Result<ObjectId> {
        self.ids.id_at(index, position)
    }

    /// Returns the position of an object; `None` if the index does not have it.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index: those around the place where the id would be, and as a guess
    /// those of its offset.
    pub fn find<S: BlockSource>(&self, index: &S, id: &ObjectId) -> Result<Option<u32>> {
        self.ids.find(index, id)
    }

    /// Returns the positions of all objects whose id begins with `prefix`.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn find_prefix<S: BlockSource>(&self, index: &S, prefix: &Prefix) -> Result<Range<u32>> {
        self.ids.find_prefix(index, prefix)
    }

    /// Returns the offset in the pack of the entry at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index; [`ErrorKind::Corrupt`] if the table of 64-bit offsets has no
    /// such row.
    pub fn offset_at<S: BlockSource>(&self, index: &S, position: u32) -> Result<u64> {
        let at = self.offsets.at(position);
        if self.version == 1 {
            return Ok(u64::from(u32::from_be_bytes(index.array_at(at)?)));
        }
        let offset = u32::from_be_bytes(index.array_at(at)?);
        if offset & LONG_OFFSET == 0 {
            return Ok(offset.into());
        }
        let row = u64::from(offset & !LONG_OFFSET);
        if row >= self.long_offsets {
            return Err(index.corrupt("an index lacks a large offset that it names", at));
        }
        let long = self.table((self.hash.len() as u64).saturating_add(8));
        Ok(u64::from_be_bytes(index.array_at(long.saturating_add(row.saturating_mul(8)))?))
    }

    /// Reads the whole table of offsets into memory, if it is not there yet.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub(crate) fn touch_offsets<S: BlockSource>(&self, index: &S) -> Result<()> {
        let (mut at, end) = (self.offsets.at(0), self.offsets.at(self.count()));
        while at < end {
            let left = end.saturating_sub(at);
            let run = index.run_at(at).map_err(|error| error.widened(left))?;
            at = at.saturating_add(run.len() as u64);
        }
        Ok(())
    }

    /// Returns whether the index has CRC-32 checksums of the entries.
    pub fn has_crcs(&self) -> bool {
        self.version > 1
    }

    /// Returns the CRC-32 checksum of the entry at a position; `None` in version 1.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn crc_at<S: BlockSource>(&self, index: &S, position: u32) -> Result<Option<u32>> {
        if self.version == 1 {
            return Ok(None);
        }
        let table = self.table(self.hash.len() as u64);
        let at = table.saturating_add(u64::from(position).saturating_mul(4));
        Ok(Some(u32::from_be_bytes(index.array_at(at)?)))
    }

    /// Returns the offset of a table of version 2. `row` is the number of bytes per object in
    /// the tables between the fanout and this one.
    fn table(&self, row: u64) -> u64 {
        FANOUT_LEN.saturating_add(8).saturating_add(row.saturating_mul(self.count().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an index of `objects` objects whose ids begin with the same byte, with `long`
    /// rows of 64-bit offsets.
    fn index(version: u32, objects: u32, long: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        if version == 2 {
            bytes.extend([&b"\xfftOc"[..], &2u32.to_be_bytes()].concat());
        }
        (0..256).for_each(|_| bytes.extend(objects.to_be_bytes()));
        let row = if version == 2 { 28 } else { 24 };
        bytes.extend(vec![0; (objects * row + long * 8 + 40) as usize]);
        bytes
    }

    fn decoded(version: u32, objects: u32, long: u32) -> Option<ErrorKind> {
        let bytes = index(version, objects, long);
        PackIndex::decode(&bytes.as_slice(), HashKind::Sha1).err().map(|error| error.kind())
    }

    /// The first entry of a pack needs no 64-bit offset: it follows the header.
    #[test]
    fn there_are_fewer_long_offsets_than_objects() {
        for objects in 1..4 {
            for long in 0..objects {
                assert_eq!(decoded(2, objects, long), None, "{long} of {objects}");
            }
            for long in [objects, objects + 1, 100] {
                assert_eq!(
                    decoded(2, objects, long),
                    Some(ErrorKind::Corrupt),
                    "{long} of {objects}"
                );
            }
            assert_eq!(decoded(1, objects, 0), None);
            assert_eq!(decoded(1, objects, 1), Some(ErrorKind::Corrupt));
        }
    }
}
