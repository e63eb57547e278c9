//! Sorted tables of ids with a fanout, which pack indexes, multi-pack-indexes and
//! commit-graphs have in common.

mod numbered;
mod search;

pub use numbered::Ids;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId, MAX_OID_LEN};
use std::ops::Range;

/// The length of a fanout in bytes.
pub(crate) const FANOUT_LEN: u64 = 256 * 4;

/// For each byte, the number of ids whose first byte is at most that byte.
pub(crate) struct Fanout(Box<[u32]>);

impl Fanout {
    pub fn decode<S: BlockSource>(source: &S, offset: u64) -> Result<Fanout> {
        let mut bytes = [0; FANOUT_LEN as usize];
        source.read_at(offset, &mut bytes)?;
        let rows: Box<[u32]> = bytes
            .chunks_exact(4)
            .filter_map(|row| row.first_chunk())
            .map(|row| u32::from_be_bytes(*row))
            .collect();
        if !rows.is_sorted() {
            return Err(source.corrupt("the fanout of an index decreases", offset));
        }
        Ok(Fanout(rows))
    }

    /// Returns the number of ids.
    pub fn count(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    /// Returns the positions of the ids that begin with `byte`.
    fn range(&self, byte: u8) -> Range<u32> {
        let row = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let start = usize::from(byte).checked_sub(1).map_or(0, row);
        start..row(usize::from(byte))
    }
}

/// The layout of an id table; the ids stay in the file.
pub(crate) struct IdTable {
    hash: HashKind,
    fanout: Fanout,
    ids: Rows,
    /// The rows that are read after an id was found.
    beside: Option<Rows>,
}

/// Consecutive rows of equal length.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// The offset of the first row.
    pub(crate) first: u64,
    /// The length of a row in bytes.
    pub(crate) stride: u64,
}

impl Rows {
    /// Returns the offset of the row at a position.
    pub(crate) fn at(&self, position: u32) -> u64 {
        // A position has 32 bits, a stride less. To saturate takes a call in WebAssembly.
        self.first.saturating_add(u64::from(position).wrapping_mul(self.stride))
    }
}

impl IdTable {
    /// Creates the layout of a table in which each row of `ids` begins with an id.
    pub fn new(hash: HashKind, fanout: Fanout, ids: Rows) -> IdTable {
        IdTable { hash, fanout, ids, beside: None }
    }

    /// Sets the rows that are read after an id was found, one per id, so that they are
    /// prefetched.
    pub(crate) fn beside(self, rows: Rows) -> IdTable {
        IdTable { beside: Some(rows), ..self }
    }

    /// Returns the number of ids.
    pub fn count(&self) -> u32 {
        self.fanout.count()
    }

    /// Returns the positions of the ids that begin with `byte`, from the fanout.
    pub(crate) fn range(&self, byte: u8) -> Range<u32> {
        self.fanout.range(byte)
    }

    /// Returns the id at a position.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn id_at<S: BlockSource>(&self, source: &S, position: u32) -> Result<ObjectId> {
        read_id(source, self.hash, self.ids.at(position))
    }
}

/// Reads the id at an offset.
///
/// # Errors
///
/// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) at the end of the file.
pub fn read_id<S: BlockSource>(source: &S, hash: HashKind, offset: u64) -> Result<ObjectId> {
    if let Some(id) = ObjectId::from_bytes(hash, source.run_at(offset)?) {
        return Ok(id);
    }
    let mut bytes = [0; MAX_OID_LEN];
    if let Some(bytes) = bytes.get_mut(..hash.len()) {
        source.read_at(offset, bytes)?;
    }
    ObjectId::from_bytes(hash, &bytes).ok_or_else(|| source.corrupt("no object id", offset))
}
