//! A stack of reftables, which `tables.list` names from the oldest to the newest.

use super::block::BlockKind;
use super::logs::TableLogs;
use super::opened::Stacks;
use super::pointing::refs_pointing_at;
use super::refs::{ref_at, TableRefs};
use super::table::Reftable;
use crate::refs::{RefRecord, RefValue};
use packlens_base::block::{BlockSource, Files, OpenFile};
use packlens_base::error::Result;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};
use std::collections::BTreeSet;

/// How many bytes of refs are scanned in a table without object blocks.
const MOST_SCANNED: u64 = 64 << 10;

/// The most candidates that are looked up one by one.
const MOST_CANDIDATES: usize = 1 << 14;

/// The tables with the refs of a repository, or of one worktree. Records of newer tables hide
/// those of older ones.
pub struct ReftableStack<S> {
    tables: Vec<Reftable<S>>,
}

impl<'f> ReftableStack<OpenFile<'f>> {
    /// Opens the stack in a directory; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes. If a listed table is gone, `tables.list` is read again, since
    /// the stack may have been compacted; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the table
    /// is still listed. The errors of [`Reftable::open`].
    pub fn open(
        files: &'f Files,
        directory: &[u8],
        hash: HashKind,
        limits: &Limits,
    ) -> Result<Option<ReftableStack<OpenFile<'f>>>> {
        Stacks::new(hash, *limits).open(files, directory)
    }
}

impl<S: BlockSource> ReftableStack<S> {
    /// Creates a stack from its tables, the oldest first.
    pub fn of(tables: Vec<Reftable<S>>) -> ReftableStack<S> {
        ReftableStack { tables }
    }

    /// Looks up a ref by its name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged table.
    pub fn get(&self, name: &[u8]) -> Result<Option<RefRecord>> {
        for table in self.tables.iter().rev() {
            let mut cursor = table.cursor(BlockKind::Refs);
            if cursor.seek(name)? {
                return Ok(ref_at(&cursor));
            }
        }
        Ok(None)
    }

    /// Returns a cursor over the refs, sorted by name.
    pub fn refs(&self) -> TableRefs<'_, S> {
        TableRefs::new(&self.tables)
    }

    /// Returns a cursor over the logs of the refs.
    pub fn logs(&self) -> TableLogs<'_, S> {
        TableLogs::new(&self.tables)
    }

    /// Returns whether any table has object blocks, which list the refs to each object.
    pub(crate) fn tells_of_objects(&self) -> bool {
        let has_objects =
            |table: &Reftable<S>| table.layout().section(BlockKind::Objects).is_some();
        self.tables.iter().any(has_objects)
    }

    /// Returns the objects for which [`ReftableStack::candidates`] needs to know whether they
    /// are tags; empty once all is known.
    ///
    /// # Errors
    ///
    /// As [`ReftableStack::get`]: call again to resume.
    pub(crate) fn unsure(&self) -> Result<Vec<ObjectId>> {
        for table in &self.tables {
            let unindexed = &mut *table.known.unindexed.borrow_mut();
            unindexed.advance(table)?;
            if !unindexed.unsure().is_empty() {
                return Ok(unindexed.unsure());
            }
        }
        Ok(Vec::new())
    }

    /// Returns the names of all refs that point at one of some objects or at a tag of one;
    /// other names may be among them. `with_unindexed` adds the refs that object blocks do not
    /// cover. Returns `None` if a walk over all refs is no slower.
    ///
    /// # Errors
    ///
    /// As [`ReftableStack::get`].
    pub fn candidates(
        &self,
        ids: &[ObjectId],
        with_unindexed: bool,
    ) -> Result<Option<BTreeSet<Vec<u8>>>> {
        let mut names = BTreeSet::new();
        for table in &self.tables {
            let unindexed = table.known.unindexed.borrow();
            if with_unindexed {
                names.extend(unindexed.names().iter().cloned());
            }
            let mut is_complete = !with_unindexed || !unindexed.is_too_much();
            for id in ids {
                is_complete = is_complete
                    && refs_pointing_at(table, id, MOST_SCANNED, |name| {
                        names.insert(name.to_vec());
                    })?;
            }
            if !is_complete || names.len() > MOST_CANDIDATES {
                return Ok(None);
            }
        }
        Ok(Some(names))
    }

    /// Returns the refs that point at an object, or at a tag of it.
    ///
    /// Object blocks say which ref blocks to read. No checksum covers them: if they are
    /// damaged, a ref may be missing from the result.
    ///
    /// # Errors
    ///
    /// As [`ReftableStack::get`].
    pub fn pointing_at(&self, id: &ObjectId) -> Result<Vec<RefRecord>> {
        let mut names = BTreeSet::new();
        for table in &self.tables {
            refs_pointing_at(table, id, u64::MAX, |name| {
                names.insert(name.to_vec());
            })?;
        }
        let mut found = Vec::new();
        for name in names {
            // A newer table may have hidden or changed the ref.
            if let Some(record) = self.get(&name)? {
                if record.value == RefValue::Id(*id) || record.peeled == Some(Some(*id)) {
                    found.push(record);
                }
            }
        }
        Ok(found)
    }
}
