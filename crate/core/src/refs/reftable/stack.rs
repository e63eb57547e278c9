//! A stack of tables: `tables.list` names them, the oldest first.

use super::block::BlockKind;
use super::logs::TableLogs;
use super::pointing::refs_pointing_at;
use super::refs::{ref_at, TableRefs};
use super::table::Reftable;
use crate::block::{BlockSource, Files, OpenFile};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::oid::{HashKind, ObjectId};
use crate::refs::{text_of, RefRecord, RefValue};
use std::collections::BTreeSet;

/// Tables that together are the refs of a repository, or of one worktree. Records
/// of newer tables hide those of older ones.
pub struct ReftableStack<S> {
    tables: Vec<Reftable<S>>,
}

impl<'f> ReftableStack<OpenFile<'f>> {
    /// Opens the stack in a directory; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes. A table that is gone asks for `tables.list` anew,
    /// since the stack was compacted; [`Corrupt`](crate::ErrorKind::Corrupt) if it is listed still.
    /// Those of [`Reftable::open`].
    pub fn open(
        files: &'f Files,
        directory: &[u8],
        hash: HashKind,
        limits: &Limits,
    ) -> Result<Option<ReftableStack<OpenFile<'f>>>> {
        let list = [directory, b"/tables.list"].concat();
        let Some(file) = files.find_fresh(&list)? else {
            return Ok(None);
        };
        let text = text_of(files, file, limits)?;
        let mut tables = Vec::new();
        for name in text.split(|byte| *byte == b'\n').filter(|name| !name.is_empty()) {
            if name.starts_with(b".") || name.contains(&b'/') || name.contains(&0) {
                let error = Error::corrupt("no name of a reftable", file, 0);
                return Err(error.about(name));
            }
            let path = [directory, b"/", name].concat();
            let Some(table) = files.find(&path)? else {
                files.look_again(&list, &path)?;
                let error = Error::corrupt("a reftable that is listed but not there", file, 0);
                return Err(error.about(name));
            };
            tables.push(Reftable::open(files.source(table), hash, limits)?);
        }
        Ok(Some(ReftableStack { tables }))
    }
}

impl<S: BlockSource> ReftableStack<S> {
    /// Makes a stack of tables, the oldest first.
    pub fn of(tables: Vec<Reftable<S>>) -> ReftableStack<S> {
        ReftableStack { tables }
    }

    /// Returns the ref of a name, `None` if there is none.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) for a damaged table.
    pub fn get(&self, name: &[u8]) -> Result<Option<RefRecord>> {
        for table in self.tables.iter().rev() {
            let mut cursor = table.cursor(BlockKind::Refs);
            if cursor.seek(name)? {
                return Ok(ref_at(&cursor));
            }
        }
        Ok(None)
    }

    /// Returns the refs, in the order of their names.
    pub fn refs(&self) -> TableRefs<'_, S> {
        TableRefs::new(&self.tables)
    }

    /// Returns what was logged of the refs.
    pub fn logs(&self) -> TableLogs<'_, S> {
        TableLogs::new(&self.tables)
    }

    /// Returns the refs that point at an object, or at a tag of it.
    ///
    /// Tables may tell which of their blocks to look into. Nothing vouches for
    /// that: where it is damaged, a ref may be left out.
    ///
    /// # Errors
    ///
    /// As [`ReftableStack::get`].
    pub fn pointing_at(&self, id: &ObjectId) -> Result<Vec<RefRecord>> {
        let mut names = BTreeSet::new();
        for table in &self.tables {
            refs_pointing_at(table, id, |name| {
                names.insert(name.to_vec());
            })?;
        }
        let mut found = Vec::new();
        for name in names {
            // A newer table may have hidden or changed it.
            if let Some(record) = self.get(&name)? {
                if record.value == RefValue::Id(*id) || record.peeled == Some(Some(*id)) {
                    found.push(record);
                }
            }
        }
        Ok(found)
    }
}
