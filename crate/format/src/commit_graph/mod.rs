//! Commit-graph files: <https://git-scm.com/docs/gitformat-commit-graph>.

mod chain;
mod changed_paths;
mod numbers;

pub use chain::{CommitGraph, Layer};
pub use changed_paths::{ChangedPath, PathFilter};
pub use numbers::Numbers;
pub use numbers::MOST_LEVEL;

use crate::chunk_file::{length, Chunks};
use crate::id_table::{read_id, IdTable, Rows};
use changed_paths::Filters;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use std::ops::Range;

const SIGNATURE: [u8; 4] = *b"CGPH";
const HEADER_LEN: u64 = 8;

/// The position that stands for no parent.
const NO_PARENT: u32 = 0x7000_0000;
/// Marks a second parent as an index into the list of further parents. In that list it marks
/// the last parent.
const EDGE: u32 = 1 << 31;
/// Marks a date offset as a row of the table of 64-bit offsets.
const LONG_OFFSET: u32 = 1 << 31;

/// What a commit-graph has of a commit beside its ids.
#[derive(Clone, Copy)]
pub struct GraphRow {
    /// The date of the commit, and its generation numbers.
    pub numbers: Numbers,
    /// Two parents, or one and an index of further ones.
    parents: u64,
}

/// The layout of a commit-graph file: a whole graph, or a layer of a chain.
pub struct GraphFile {
    hash: HashKind,
    ids: IdTable,
    rows: Rows,
    edges: Range<u64>,
    /// The offsets of corrected commit dates, and the table of 64-bit ones, if there are any.
    dates: Option<(Rows, Range<u64>)>,
    bases: Range<u64>,
    filters: Option<Filters>,
}

impl GraphFile {
    /// Reads the header, the table of chunks and the fanout.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for other versions and hashes, [`ErrorKind::Corrupt`] if the
    /// size of a chunk does not fit the others.
    pub fn decode<S: BlockSource>(graph: &S, hash: HashKind) -> Result<GraphFile> {
        let [signature @ .., version, hash_version, chunk_count, base_count]: [u8; 8] =
            graph.array_at(0)?;
        if signature != SIGNATURE {
            return Err(graph.corrupt("a commit-graph has no signature", 0));
        }
        let known = if hash == HashKind::Sha1 { 1 } else { 2 };
        if version != 1 || hash_version != known {
            let what = "the version or hash of a commit-graph is not supported";
            return Err(Error::new(ErrorKind::Unsupported, what).at(graph.file(), 4));
        }
        let chunks = Chunks::decode(graph, hash, HEADER_LEN, chunk_count)?;
        let corrupt = |what| graph.corrupt(what, HEADER_LEN);
        let hash_len = hash.len() as u64;
        let ids = chunks.ids(graph, hash)?;
        let rows = ids
            .as_ref()
            .and_then(|ids| chunks.rows(b"CDAT", ids.count(), hash_len.saturating_add(16)));
        let (Some(ids), Some(rows)) = (ids, rows) else {
            return Err(corrupt("the tables of a commit-graph do not have the size of its fanout"));
        };
        let bases = chunks.find(b"BASE").unwrap_or_default();
        if length(&bases) != hash_len.saturating_mul(base_count.into()) {
            return Err(corrupt("a commit-graph does not name its base graphs"));
        }
        let dates = match chunks.find(b"GDA2") {
            None => None,
            Some(_) => match chunks.rows(b"GDA2", ids.count(), 4) {
                Some(dates) => Some((dates, chunks.find(b"GDO2").unwrap_or_default())),
                None => return Err(corrupt("a commit-graph lacks the dates of some commits")),
            },
        };
        let edges = chunks.find(b"EDGE").unwrap_or_default();
        let filters = Filters::find(&chunks, ids.count());
        let ids = ids.beside(rows);
        Ok(GraphFile { hash, ids, rows, edges, dates, bases, filters })
    }

    /// Returns how many commits there are.
    pub fn count(&self) -> u32 {
        self.ids.count()
    }

    /// Returns the positions of the commits whose ids begin with `byte`, as the fanout has it.
    pub fn range(&self, byte: u8) -> Range<u32> {
        self.ids.range(byte)
    }

    /// Returns whether the file has corrected commit dates.
    pub fn has_dates(&self) -> bool {
        self.dates.is_some()
    }

    /// Returns whether the file has a table of 64-bit date offsets.
    pub fn has_long_dates(&self) -> bool {
        self.dates.as_ref().is_some_and(|(_, long)| length(long) > 0)
    }

    /// Returns the filter of the paths that the commit at a position of this file may have
    /// changed, compared with its first parent; `None` if it has none.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn path_filter<S: BlockSource>(
        &self,
        graph: &S,
        position: u32,
    ) -> Result<Option<PathFilter>> {
        self.filters.as_ref().map_or(Ok(None), |filters| filters.at(graph, position))
    }

    /// Returns how many layers are below this one.
    pub fn base_count(&self) -> u64 {
        length(&self.bases).checked_div(self.hash.len() as u64).unwrap_or(0)
    }

    /// Returns the name of a layer below; the lowest one is number 0.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn base_at<S: BlockSource>(&self, graph: &S, at: u64) -> Result<ObjectId> {
        let length = self.hash.len() as u64;
        read_id(graph, self.hash, self.bases.start.saturating_add(at.saturating_mul(length)))
    }

    /// Returns the hash at the end of this file, which is its name in a chain.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn name<S: BlockSource>(&self, graph: &S) -> Result<ObjectId> {
        read_id(graph, self.hash, graph.size().saturating_sub(self.hash.len() as u64))
    }

    /// Returns the id of the commit at a position of this file.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn id_at<S: BlockSource>(&self, graph: &S, position: u32) -> Result<ObjectId> {
        self.ids.id_at(graph, position)
    }

    /// Returns the position of a commit in this file; `None` if the file does not have it.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find<S: BlockSource>(&self, graph: &S, id: &ObjectId) -> Result<Option<u32>> {
        self.ids.find(graph, id)
    }

    /// Returns the position of a commit in this file, by bisection as git does. The result
    /// matches git's even if ids are not sorted.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find_by_halves<S: BlockSource>(&self, graph: &S, id: &ObjectId) -> Result<Option<u32>> {
        self.ids.find_by_halves(graph, id)
    }

    /// Returns the offset of the row of the commit at a position of this file.
    pub fn offset_of(&self, position: u32) -> u64 {
        self.rows.at(position)
    }

    /// Returns the id of the tree of the commit at a position of this file.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn tree_at<S: BlockSource>(&self, graph: &S, position: u32) -> Result<ObjectId> {
        read_id(graph, self.hash, self.offset_of(position))
    }

    /// Returns the row of the commit at a position of this file, without its corrected date.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn row_at<S: BlockSource>(&self, graph: &S, position: u32) -> Result<GraphRow> {
        let after_tree = self.offset_of(position).saturating_add(self.hash.len() as u64);
        let row = u128::from_be_bytes(graph.array_at(after_tree)?);
        let (parents, numbers) = ((row >> 64) as u64, row as u64);
        let (level, date) = ((numbers >> 34) as u32, numbers & ((1 << 34) - 1));
        Ok(GraphRow { numbers: Numbers { date, level, corrected: None }, parents })
    }

    /// Returns the corrected commit date of the commit at a position of this file, whose own
    /// date is `date`; `None` if the file has no corrected dates.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if the table of 64-bit offsets has no such row.
    pub fn corrected_date<S: BlockSource>(
        &self,
        graph: &S,
        position: u32,
        date: u64,
    ) -> Result<Option<u64>> {
        let Some((offsets, long)) = &self.dates else {
            return Ok(None);
        };
        let at = offsets.at(position);
        let offset = u32::from_be_bytes(graph.array_at(at)?);
        if offset & LONG_OFFSET == 0 {
            return Ok(Some(date.saturating_add(offset.into())));
        }
        let row = u64::from(offset & !LONG_OFFSET).saturating_mul(8);
        if row.saturating_add(8) > length(long) {
            return Err(graph.corrupt("a commit-graph lacks a large offset that it names", at));
        }
        let long = u64::from_be_bytes(graph.array_at(long.start.saturating_add(row))?);
        Ok(Some(date.saturating_add(long)))
    }

    /// As [`GraphFile::parents_of`], of the commit at a position of this file.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn parents_at<S: BlockSource>(
        &self,
        graph: &S,
        position: u32,
        parents: &mut Vec<u32>,
    ) -> Result<()> {
        self.parents_of(graph, &self.row_at(graph, position)?, parents)
    }

    /// Appends the positions in the graph of the parents in a row of this file; they may be in
    /// lower layers.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if the list of further parents has no such index,
    /// or no end.
    pub fn parents_of<S: BlockSource>(
        &self,
        graph: &S,
        row: &GraphRow,
        parents: &mut Vec<u32>,
    ) -> Result<()> {
        let (first, second) = ((row.parents >> 32) as u32, row.parents as u32);
        if first == NO_PARENT {
            return Ok(());
        }
        parents.push(first);
        if second & EDGE == 0 {
            if second != NO_PARENT {
                parents.push(second);
            }
            return Ok(());
        }
        let mut at = u64::from(second & !EDGE).saturating_mul(4);
        loop {
            let offset = self.edges.start.saturating_add(at);
            at = at.saturating_add(4);
            if at > length(&self.edges) {
                return Err(graph.corrupt("a commit-graph lacks parents that it names", offset));
            }
            let edge = u32::from_be_bytes(graph.array_at(offset)?);
            parents.push(edge & !EDGE);
            if edge & EDGE != 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file without commits.
    fn graph(version: u8, hash_version: u8, hash_len: usize) -> Vec<u8> {
        let chunks: [(&[u8; 4], usize); 3] = [(b"OIDF", 1024), (b"OIDL", 0), (b"CDAT", 0)];
        let mut bytes = [&b"CGPH"[..], &[version, hash_version, 3, 0]].concat();
        let mut at = bytes.len() as u64 + 4 * 12;
        for (name, length) in chunks {
            bytes.extend_from_slice(name);
            bytes.extend(at.to_be_bytes());
            at += length as u64;
        }
        bytes.extend([0; 4]);
        bytes.extend(at.to_be_bytes());
        bytes.extend(vec![0; 1024 + hash_len]);
        bytes
    }

    #[test]
    fn one_of_another_hash_or_version_is_not_read() {
        for (hash, known, other, length) in
            [(HashKind::Sha1, 1, 2, 20), (HashKind::Sha256, 2, 1, 32)]
        {
            let decoded = |version, hash_version| {
                let bytes = graph(version, hash_version, length);
                GraphFile::decode(&bytes.as_slice(), hash).err().map(|error| error.kind())
            };
            assert_eq!(decoded(1, known), None);
            for (version, hash_version) in [(1, other), (1, 0), (0, known), (2, known)] {
                assert_eq!(decoded(version, hash_version), Some(ErrorKind::Unsupported));
            }
        }
    }
}
