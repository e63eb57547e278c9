//! Pack indexes, versions 1 and 2:
//! <https://git-scm.com/docs/gitformat-pack#_pack_idx_files_have_the_following_format>.

mod build;
mod extents;

pub use build::{Build, Progress};
pub use extents::Extents;

use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::oid::{HashKind, ObjectId, Prefix, MAX_OID_LEN};
use std::cmp::Ordering;
use std::ops::Range;

const FANOUT_LEN: u64 = 256 * 4;
const SIGNATURE: [u8; 4] = [0xff, b't', b'O', b'c'];

/// An offset of 31 bits, or with this bit the place in the table of long ones.
const LONG_OFFSET: u32 = 1 << 31;

/// How many objects have an id whose first byte is at most that of the row.
pub struct Fanout(Box<[u32]>);

impl Fanout {
    fn decode<S: BlockSource>(index: &S, offset: u64) -> Result<Fanout> {
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

    /// Returns the position of an object, if it is there.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn find<S: BlockSource>(&self, index: &S, id: &ObjectId) -> Result<Option<u32>> {
        let Range { mut start, mut end } = self.fanout.range(id.first_byte());
        while start < end {
            let middle = start.midpoint(end);
            match self.compare(index, middle, id)? {
                Ordering::Less => start = middle.saturating_add(1),
                Ordering::Greater => end = middle,
                Ordering::Equal => return Ok(Some(middle)),
            }
        }
        Ok(None)
    }

    /// Returns the positions of all objects whose id begins with `prefix`.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn find_prefix<S: BlockSource>(&self, index: &S, prefix: &Prefix) -> Result<Range<u32>> {
        let lowest = prefix.lowest();
        // A prefix of one digit covers 16 rows of the fanout.
        let (mut start, mut end) = (self.fanout.range(lowest.first_byte()).start, self.count());
        while start < end {
            let middle = start.midpoint(end);
            match self.compare(index, middle, lowest)? {
                Ordering::Less => start = middle.saturating_add(1),
                _ => end = middle,
            }
        }
        let mut last = start;
        while last < self.count() && prefix.matches(&self.id_at(index, last)?) {
            last = last.saturating_add(1);
        }
        Ok(start..last)
    }

    /// Returns the id at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index.
    pub fn id_at<S: BlockSource>(&self, index: &S, position: u32) -> Result<ObjectId> {
        let mut bytes = [0; MAX_OID_LEN];
        let offset = self.name_offset(position);
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
        if self.version == 1 {
            let row = 4u64.saturating_add(self.hash.len() as u64);
            let at = FANOUT_LEN.saturating_add(row.saturating_mul(position.into()));
            return Ok(u64::from(u32::from_be_bytes(index.array_at(at)?)));
        }
        let names = (self.hash.len() as u64).saturating_add(4);
        let offsets = self.table(names);
        let at = offsets.saturating_add(u64::from(position).saturating_mul(4));
        let offset = u32::from_be_bytes(index.array_at(at)?);
        if offset & LONG_OFFSET == 0 {
            return Ok(offset.into());
        }
        let row = u64::from(offset & !LONG_OFFSET);
        if row >= self.long_offsets {
            return Err(index.corrupt("an index without the long offset it names", at));
        }
        let long = self.table(names.saturating_add(4));
        Ok(u64::from_be_bytes(index.array_at(long.saturating_add(row.saturating_mul(8)))?))
    }

    /// Returns where a table of version 2 begins, `row` bytes an object behind
    /// the fanout.
    fn table(&self, row: u64) -> u64 {
        FANOUT_LEN.saturating_add(8).saturating_add(row.saturating_mul(self.count().into()))
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

    fn compare<S: BlockSource>(&self, index: &S, position: u32, id: &ObjectId) -> Result<Ordering> {
        let offset = self.name_offset(position);
        match index.run_at(offset)?.get(..self.hash.len()) {
            Some(bytes) => Ok(bytes.cmp(id.as_bytes())),
            None => Ok(self.id_at(index, position)?.cmp(id)),
        }
    }
}
