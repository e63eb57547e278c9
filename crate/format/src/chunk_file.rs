//! The table of chunks at the start of commit-graphs and multi-pack-indexes:
//! <https://git-scm.com/docs/gitformat-chunk>.

use crate::id_table::{Fanout, IdTable, Rows, FANOUT_LEN};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId};
use std::ops::Range;

/// The length of a row in the table: a name and the offset of the chunk.
const CHUNK_ROW: u64 = 12;

/// The most layers in a chain: each one is searched for every id.
const MOST_LAYERS: usize = 64;

/// Returns the names of the layers in a chain file, the lowest first, up to the first
/// malformed line.
pub fn layers_in(hash: HashKind, text: &[u8]) -> Vec<ObjectId> {
    let lines = text.split(|byte| *byte == b'\n');
    lines.map_while(|line| ObjectId::from_hex(hash, line)).take(MOST_LAYERS).collect()
}

/// The chunks of a file: names and byte ranges.
pub(crate) struct Chunks(Vec<([u8; 4], Range<u64>)>);

impl Chunks {
    /// Reads the table of `count` chunks at the offset `table`. The chunks must be
    /// consecutive; after the last one only the hash of the file may follow.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the chunks are not
    /// consecutive, or a name occurs twice.
    pub fn decode<S: BlockSource>(
        source: &S,
        hash: HashKind,
        table: u64,
        count: u8,
    ) -> Result<Chunks> {
        let corrupt = || source.corrupt("the chunks of a file are out of order", table);
        let count = u64::from(count);
        let row = |at: u64| -> Result<([u8; 4], u64)> {
            let offset = table.saturating_add(at.saturating_mul(CHUNK_ROW));
            let left = count.saturating_add(1).saturating_sub(at).saturating_mul(CHUNK_ROW);
            let name = source.array_at(offset).map_err(|error| error.widened(left))?;
            Ok((name, u64::from_be_bytes(source.array_at(offset.saturating_add(4))?)))
        };
        let mut chunks = Vec::new();
        let (mut name, mut start) = row(0)?;
        if start < table.saturating_add(count.saturating_add(1).saturating_mul(CHUNK_ROW)) {
            return Err(corrupt());
        }
        for at in 1..=count {
            let (next, end) = row(at)?;
            let twice = chunks.iter().any(|(other, _)| *other == name);
            if name == [0; 4] || twice || end < start {
                return Err(corrupt());
            }
            chunks.push((name, start..end));
            (name, start) = (next, end);
        }
        if name != [0; 4] || start.checked_add(hash.len() as u64) != Some(source.size()) {
            return Err(corrupt());
        }
        Ok(Chunks(chunks))
    }

    /// Returns the byte range of a chunk.
    pub fn find(&self, name: &[u8; 4]) -> Option<Range<u64>> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, range)| range.clone())
    }

    /// Returns the rows of a chunk; `None` if it is missing, or its length is not that of
    /// `count` rows.
    pub(crate) fn rows(&self, name: &[u8; 4], count: u32, stride: u64) -> Option<Rows> {
        let chunk = self.find(name)?;
        let whole = u64::from(count).checked_mul(stride)?;
        (length(&chunk) == whole).then_some(Rows { first: chunk.start, stride })
    }

    /// Returns the id table of the file; `None` if a chunk is missing, or its length does not
    /// match the fanout.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the fanout is not ascending.
    pub(crate) fn ids<S: BlockSource>(
        &self,
        source: &S,
        hash: HashKind,
    ) -> Result<Option<IdTable>> {
        let fanout = self.find(b"OIDF").filter(|chunk| length(chunk) == FANOUT_LEN);
        let Some(fanout) = fanout else {
            return Ok(None);
        };
        let fanout = Fanout::decode(source, fanout.start)?;
        let ids = self.rows(b"OIDL", fanout.count(), hash.len() as u64);
        Ok(ids.map(|ids| IdTable::new(hash, fanout, ids)))
    }
}

/// Returns the length of a chunk.
pub(crate) fn length(chunk: &Range<u64>) -> u64 {
    chunk.end.saturating_sub(chunk.start)
}
