//! Pack indexes, versions 1 and 2:
//! <https://git-scm.com/docs/gitformat-pack#_pack_idx_files_have_the_following_format>.

mod build;
mod extents;
mod reverse;

pub use build::{
    Build, Checking, Comparison, Indexes, Listing, PackFinding, Progress, Share, Strict, Thin,
};
pub use extents::{Extents, Neighbours};
pub(crate) use reverse::ReverseIndex;

use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::id_table::{Fanout, IdTable, Rows, FANOUT_LEN};
use crate::oid::{HashKind, ObjectId, Prefix};
use std::ops::Range;

const SIGNATURE: [u8; 4] = [0xff, b't', b'O', b'c'];

/// An offset of 31 bits, or with this bit the place in the table of long ones.
const LONG_OFFSET: u32 = 1 << 31;

/// The layout of a pack index; its tables stay where they are.
pub struct PackIndex {
    hash: HashKind,
    version: u32,
    ids: IdTable,
    offsets: Rows,
    long_offsets: u64,
}

impl PackIndex {
    /// Reads header and fanout.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if the file has not the size its fanout calls for,
    /// [`ErrorKind::Unsupported`] for versions other than 1 and 2.
    pub fn decode<S: BlockSource>(index: &S, hash: HashKind) -> Result<PackIndex> {
        let mut version = 1;
        let mut head = 0;
        if index.array_at(0)? == SIGNATURE {
            version = u32::from_be_bytes(index.array_at(4)?);
            head = 8;
        }
        if !matches!(version, 1 | 2) {
            let error = Error::new(ErrorKind::Unsupported, "an index version other than 1 and 2");
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
        // The first entry of a pack needs no long offset.
        let most = if version == 1 { 0 } else { count.saturating_sub(1).saturating_mul(8) };
        match long {
            Some(long) if long <= most && long % 8 == 0 => {
                let (ids, offsets) = if version == 1 {
                    // Each id has its offset before it.
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
            _ => Err(index.corrupt("an index of another size than its fanout says", 0)),
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

    /// Returns the position of an object, if it is there.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index: those around where the id should stand, and
    /// as a guess those of its offset.
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

    /// Returns where in the pack the entry at a position begins.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index; [`ErrorKind::Corrupt`] if the table of long
    /// offsets has no such row.
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
            return Err(index.corrupt("an index without the long offset it names", at));
        }
        let long = self.table((self.hash.len() as u64).saturating_add(8));
        Ok(u64::from_be_bytes(index.array_at(long.saturating_add(row.saturating_mul(8)))?))
    }

    /// Makes sure that the table of offsets is in memory.
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

    /// Tells whether there are checksums of entries.
    pub(crate) fn has_crcs(&self) -> bool {
        self.version > 1
    }

    /// Returns the checksum of the entry at a position; version 1 has none.
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

    /// Returns where a table of version 2 begins, `row` bytes an object behind
    /// the fanout.
    fn table(&self, row: u64) -> u64 {
        FANOUT_LEN.saturating_add(8).saturating_add(row.saturating_mul(self.count().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of so many objects, all of one first byte, and rows of long offsets.
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

    /// The first entry of a pack has none: it lies behind the header.
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
