//! Writes refs, with planned changes, to one reftable.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::refs::{
    is_own, RefCursor, RefRecord, RefValue, ReftableOptions, ReftableWriter, TableRef,
    LINKED_WORKTREE, MAIN_WORKTREE, REFS, ROOT_REFS,
};
use std::collections::BTreeMap;

/// The update index that all refs of the table get.
const UPDATE_INDEX: u64 = 1;

/// How many refs are added before other questions get a turn.
const STEP: usize = 4096;

/// One reftable with all refs as they would be after some changes: those below `refs/`, and
/// the root refs that git knows, such as `HEAD`. The table is handed over in buffers.
///
/// Broken refs and reflogs are not included. Tags are peeled, and a table with more than a few
/// blocks has object blocks. The table is that of the main worktree: the own refs of a linked
/// worktree are in another stack.
pub struct RefTable {
    /// The changes that were not applied yet; `None` deletes a ref.
    changes: BTreeMap<Vec<u8>, Option<ObjectId>>,
    /// How many root refs were looked up.
    roots: usize,
    cursor: Option<RefCursor>,
    is_linked: bool,
    /// The next existing ref.
    next: Option<RefRecord>,
    writer: Option<ReftableWriter>,
    /// The finished table, and how many of its bytes were handed over.
    bytes: Vec<u8>,
    handed_over: usize,
}

impl RefTable {
    /// Starts a table. Each change has the ref's new object, or `None` if the ref is deleted.
    pub fn new(changes: impl IntoIterator<Item = (Vec<u8>, Option<ObjectId>)>) -> RefTable {
        let is_in_table = |name: &[u8]| name.starts_with(REFS) || ROOT_REFS.contains(&name);
        let mut in_table = BTreeMap::new();
        in_table.extend(changes.into_iter().filter(|(name, _)| is_in_table(name)));
        RefTable {
            changes: in_table,
            roots: 0,
            cursor: None,
            is_linked: false,
            next: None,
            writer: None,
            bytes: Vec::new(),
            handed_over: 0,
        }
    }

    /// Appends bytes of the table to `out` until it is `capacity` long; returns whether the
    /// table is complete. There are none until all refs were added.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes: provide them and call again. The errors of
    /// [`RefCursor::next`], of peeling tags, and of [`ReftableWriter::add_ref`].
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if self.bytes.is_empty() && !self.make(repository)? {
            return Ok(false);
        }
        let rest = self.bytes.get(self.handed_over..).unwrap_or_default();
        let length = rest.len().min(capacity.saturating_sub(out.len()));
        out.appender().bytes(rest.get(..length).unwrap_or_default())?;
        self.handed_over = self.handed_over.saturating_add(length);
        Ok(length == rest.len())
    }

    /// Returns how many bytes of memory the table takes.
    pub fn memory(&self) -> u64 {
        let cursor = self.cursor.as_ref().map_or(0, RefCursor::memory);
        let writer = self.writer.as_ref().map_or(0, ReftableWriter::memory);
        cursor.saturating_add(writer).saturating_add(self.bytes.capacity() as u64)
    }

    /// Adds some refs; returns whether all were added.
    fn make(&mut self, repository: &mut Repository) -> Result<bool> {
        if self.writer.is_none() {
            self.is_linked = repository.files.find_fresh(LINKED_WORKTREE)?.is_some();
            self.changes.retain(|name, _| !self.is_linked || !is_own(name));
            let options = ReftableOptions::new(repository.hash(), UPDATE_INDEX);
            self.writer = Some(ReftableWriter::new(options)?);
        }
        for _ in 0..STEP {
            self.look(repository)?;
            let there = self.next.as_ref().map(|record| &record.name);
            match (self.changes.keys().next(), there) {
                (Some(changed), Some(there)) if changed > there => self.add_next(repository)?,
                (Some(_), _) => self.add_change(repository)?,
                (None, Some(_)) => self.add_next(repository)?,
                (None, None) => {
                    let writer = self.writer.take();
                    self.bytes = writer.map_or(Ok(Vec::new()), ReftableWriter::finish)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Reads the next existing ref. Root refs come first: their names sort before `refs/`.
    fn look(&mut self, repository: &Repository) -> Result<()> {
        let (refs, files) = (&repository.refs, &repository.files);
        while self.next.is_none() {
            if let Some(name) = ROOT_REFS.get(self.roots) {
                let found = refs.get(files, &[MAIN_WORKTREE, name].concat())?;
                self.next = found.map(|record| RefRecord { name: name.to_vec(), ..record });
                self.roots = self.roots.saturating_add(1);
                continue;
            }
            let cursor = self.cursor.get_or_insert_with(|| refs.cursor());
            let Some(record) = cursor.next(files)? else { break };
            if !self.is_linked || !is_own(&record.name) {
                self.next = Some(record.clone());
            }
        }
        Ok(())
    }

    fn add_change(&mut self, repository: &mut Repository) -> Result<()> {
        let Some((name, after)) = self.changes.first_key_value() else {
            return Ok(());
        };
        if let Some(id) = after {
            let target = pointing_at(repository, *id, None)?;
            self.add(&name.clone(), target)?;
        }
        if let Some((changed, _)) = self.changes.pop_first() {
            self.next.take_if(|record| record.name == changed);
        }
        Ok(())
    }

    fn add_next(&mut self, repository: &mut Repository) -> Result<()> {
        if let Some(RefRecord { name, value, peeled }) = &self.next {
            let (name, value, peeled) = (name.clone(), value.clone(), *peeled);
            match &value {
                RefValue::Symbolic(target) => self.add(&name, TableRef::Symbolic(target))?,
                RefValue::Id(id) if !id.is_null() => {
                    self.add(&name, pointing_at(repository, *id, peeled)?)?;
                }
                RefValue::Id(_) | RefValue::Broken => {}
            }
        }
        self.next = None;
        Ok(())
    }

    fn add(&mut self, name: &[u8], target: TableRef<'_>) -> Result<()> {
        match &mut self.writer {
            Some(writer) => writer.add_ref(name, UPDATE_INDEX, target),
            None => Ok(()),
        }
    }
}

/// Returns the table's value for a ref to an object, peeled if the object is a tag.
fn pointing_at(
    repository: &mut Repository,
    id: ObjectId,
    peeled: Option<Option<ObjectId>>,
) -> Result<TableRef<'static>> {
    let peeled = peeled.map_or_else(|| repository.peeled(&id), Ok)?;
    Ok(peeled.map_or(TableRef::Id(id), |peeled| TableRef::Tag { id, peeled }))
}
