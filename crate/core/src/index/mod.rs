//! Pack indexes, versions 1 and 2:
//! <https://git-scm.com/docs/gitformat-pack#_pack_idx_files_have_the_following_format>.

mod build;
mod extents;
mod search;

pub use build::{Build, Comparison, Indexes, Listing, Progress, Share};
pub use extents::{Extents, Neighbours};

use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::oid::{HashKind, ObjectId, MAX_OID_LEN};
use std::ops::Range;

const FANOUT_LEN: u64 = 256 * 4;
const SIGNATURE: [u8; 4] = [0xff, b't', b'O', b'c'];

/// An offset of 31 bits, or with this bit the place in the table of long ones.
const LONG_OFFSET: u32 = 1 << 31;

/// How many objects have an id whose first byte is at most that of the row.
pub struct Fanout(Box<[u32]>);

impl Fanout {
    pub(crate) fn decode<S: BlockSource>(index: &S, offset: u64) -> Result<Fanout> {
        let mut bytes = [0; FANOUT_LEN as usize];
        index.read_at(offset, &mut bytes)?;
        let rows: Box<[u32]> = bytes
            .chunks_exact(4)
            .filter_map(|row| row.first_chunk())
            .map(|row| u32::from_be_bytes(*row))
            .collect();
        if !rows.is_sorted() {
            return Err(index.corrupt("an index whose fanout goes down", offset));
        }
        Ok(Fanout(rows))
    }

    /// Returns how many objects there are.
    pub fn count(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    /// Returns the positions of the ids that begin with `byte`.
    pub fn range(&self, byte: u8) -> Range<u32> {
        let row = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let start = usize::from(byte).checked_sub(1).map_or(0, row);
        start..row(usize::from(byte))
    }
}

/// The layout of a pack index; its tables stay where they are.
pub struct PackIndex {
    hash: HashKind,
    version: u32,
    fanout: Fanout,
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
        let row = match version {
            1 => 4u64.saturating_add(hash.len() as u64),
            _ => 8u64.saturating_add(hash.len() as u64),
        };
        let trailer = (hash.len() as u64).saturating_mul(2);
        let least = head
            .saturating_add(FANOUT_LEN)
            .saturating_add(count.saturating_mul(row))
            .saturating_add(trailer);
        let long = index.size().checked_sub(least);
        // The first entry of a pack needs no long offset.
        let most = if version == 1 { 0 } else { count.saturating_sub(1).saturating_mul(8) };
        match long {
            Some(long) if long <= most && long % 8 == 0 => {
                Ok(PackIndex { hash, version, fanout, long_offsets: long / 8 })
            }
            _ => Err(index.corrupt("an index of another size than its fanout says", 0)),
        }
    }

    /// Returns how many objects there are.
    pub fn count(&self) -> u32 {
        self.fanout.count()
    }

    /// Returns the id at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn id_at<S: BlockSource>(&self, index: &S, position: u32) -> Result<ObjectId> {
        let offset = self.name_offset(position);
        if let Some(id) = ObjectId::from_bytes(self.hash, index.run_at(offset)?) {
            return Ok(id);
        }
        let mut bytes = [0; MAX_OID_LEN];
        if let Some(bytes) = bytes.get_mut(..self.hash.len()) {
            index.read_at(offset, bytes)?;
        }
        ObjectId::from_bytes(self.hash, &bytes).ok_or_else(|| index.corrupt("no object id", offset))
    }

    /// Returns where in the pack the entry at a position begins.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index; [`ErrorKind::Corrupt`] if the table of long
    /// offsets has no such row.
    pub fn offset_at<S: BlockSource>(&self, index: &S, position: u32) -> Result<u64> {
        let at = self.offset_row(position);
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

    /// Returns where the row of the table of offsets lies that is an object's.
    fn offset_row(&self, position: u32) -> u64 {
        let position = u64::from(position);
        let length = self.hash.len() as u64;
        match self.version {
            1 => FANOUT_LEN.saturating_add(position.saturating_mul(length.saturating_add(4))),
            _ => self.table(length.saturating_add(4)).saturating_add(position.saturating_mul(4)),
        }
    }

    fn name_offset(&self, position: u32) -> u64 {
        let length = self.hash.len() as u64;
        let position = u64::from(position);
        match self.version {
            1 => FANOUT_LEN
                .saturating_add(position.saturating_mul(length.saturating_add(4)))
                .saturating_add(4),
            _ => self.table(0).saturating_add(position.saturating_mul(length)),
        }
    }
}
