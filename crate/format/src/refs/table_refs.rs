//! Refs in reftables: one stack is shared by all worktrees, and each linked worktree has a
//! further one for its own refs.

use super::name::{is_refname, REFS};
use super::packed_order::PackedOrder;
use super::range::RefRange;
use super::reftable::{ReftableStack, Stacks, TableRefs};
use super::{files_refs, RefRecord, RefValue};
use packlens_base::block::{Files, OpenFile};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use std::collections::BTreeSet;

/// The directory of the shared stack.
const SHARED: &[u8] = b"reftable";

/// The directory of a linked worktree's own stack. No refname has this prefix, and the path
/// exists in linked worktrees only.
const OWN: &[u8] = b".worktree/reftable";

/// The directory that has one subdirectory for each linked worktree.
const WORKTREES: &[u8] = b"worktrees/";

/// Refs that git always keeps as files, because they hold more than an id.
const FILES: [&[u8]; 2] = [b"FETCH_HEAD", b"MERGE_HEAD"];

/// How many refs are read at once: few at first, because most look-ups need no more.
const FIRST_BATCH: usize = 8;
const MOST_BATCH: usize = 512;

/// Returns whether each worktree has its own ref of this name.
pub fn is_own(name: &[u8]) -> bool {
    let folders = [&b"refs/bisect/"[..], b"refs/worktree/", b"refs/rewritten/"];
    !name.contains(&b'/') || folders.iter().any(|folder| name.starts_with(folder))
}

/// Looks up a ref, in the worktree's own stack if the ref is per worktree.
pub fn get(files: &Files, stacks: &Stacks, name: &[u8]) -> Result<Option<RefRecord>> {
    if !is_refname(name) {
        return Ok(None);
    }
    if FILES.contains(&name) {
        let order = PackedOrder::default();
        return files_refs::get(files, stacks.hash(), stacks.limits(), &order, name);
    }
    let Some((stack, own)) = stack_of(files, stacks, name)? else {
        return Ok(None);
    };
    let found = stack.get(own)?;
    Ok(found.map(|record| RefRecord { name: name.to_vec(), ..record }))
}

/// Opens the stack that may have a ref; returns it with the ref's name in that stack.
pub(super) fn stack_of<'f, 'n>(
    files: &'f Files,
    stacks: &Stacks,
    name: &'n [u8],
) -> Result<Option<(ReftableStack<OpenFile<'f>>, &'n [u8])>> {
    let open = |directory: &[u8]| stacks.open(files, directory);
    let mut own = name;
    let stack = if let Some(of_main) = name.strip_prefix(files_refs::MAIN_WORKTREE) {
        own = of_main;
        open(SHARED)?
    } else if let Some((directory, of_other)) = of_worktree(name) {
        own = of_other;
        open(&directory)?
    } else {
        match is_own(name) {
            true => open(OWN)?,
            false => None,
        }
        .map_or_else(|| open(SHARED), |stack| Ok(Some(stack)))?
    };
    Ok(stack.map(|stack| (stack, own)))
}

/// Opens the stack of the current worktree and the shared one.
fn both<'f>(files: &'f Files, stacks: &Stacks) -> Result<[Option<ReftableStack<OpenFile<'f>>>; 2]> {
    Ok([stacks.open(files, OWN)?, stacks.open(files, SHARED)?])
}

/// See [`Refs::have_object_blocks`](super::Refs::have_object_blocks).
pub(super) fn have_object_blocks(files: &Files, stacks: &Stacks) -> Result<bool> {
    Ok(both(files, stacks)?.iter().flatten().any(ReftableStack::tells_of_objects))
}

/// See [`Refs::unsure`](super::Refs::unsure).
pub(super) fn unsure(files: &Files, stacks: &Stacks) -> Result<Vec<ObjectId>> {
    for stack in both(files, stacks)?.iter().flatten() {
        let unsure = stack.unsure()?;
        if !unsure.is_empty() {
            return Ok(unsure);
        }
    }
    Ok(Vec::new())
}

/// See [`Refs::leading_to`](super::Refs::leading_to).
pub(super) fn leading_to(
    files: &Files,
    stacks: &Stacks,
    ids: &[ObjectId],
    with_unindexed: bool,
) -> Result<Option<Vec<RefRecord>>> {
    let mut names = BTreeSet::new();
    for stack in both(files, stacks)?.iter().flatten() {
        match stack.candidates(ids, with_unindexed)? {
            Some(more) => names.extend(more),
            None => return Ok(None),
        }
    }
    let mut found = Vec::new();
    for name in names.iter().filter(|name| name.starts_with(REFS)) {
        found.extend(get(files, stacks, name)?);
    }
    Ok(Some(found))
}

/// Returns the stack directory of another worktree, and the ref's name there.
fn of_worktree(name: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let rest = name.strip_prefix(WORKTREES)?;
    let end = rest.iter().position(|byte| *byte == b'/')?;
    let (id, own) = (rest.get(..end)?, rest.get(end.saturating_add(1)..)?);
    Some(([WORKTREES, id, b"/", SHARED].concat(), own))
}

/// A cursor over the refs below `refs/`.
pub(super) struct TablesCursor {
    stacks: Stacks,
    range: RefRange,
    /// The next refs, read in one go.
    batch: Vec<RefRecord>,
    /// The number of refs in the batch, and the index of the next one. The last ref may be
    /// after the range, which shows that the range has no more.
    length: usize,
    at: usize,
    /// The name that the batch was read from, and whether no refs come after the batch.
    begin: Vec<u8>,
    is_last: bool,
    /// The question in which the batch was read; a later question reads the refs again.
    question: u64,
    next_length: usize,
    record: RefRecord,
}

impl TablesCursor {
    pub fn new(stacks: Stacks) -> TablesCursor {
        TablesCursor {
            stacks,
            range: RefRange::default(),
            batch: Vec::new(),
            length: 0,
            at: 0,
            begin: Vec::new(),
            is_last: false,
            question: 0,
            next_length: FIRST_BATCH,
            record: RefRecord::default(),
        }
    }

    /// Moves to the first ref of a range. Keeps the batch if that covers the start of the
    /// range.
    pub(super) fn seek(&mut self, range: RefRange) {
        self.range = range;
        let read = self.batch.get(..self.length).unwrap_or_default();
        let from = self.range.from();
        let is_before = |record: &RefRecord| record.name.as_slice() < from;
        let reaches_start = self.is_last || read.last().is_some_and(|last| !is_before(last));
        if reaches_start && self.begin.as_slice() <= from {
            self.at = read.partition_point(is_before);
        } else {
            (self.length, self.at, self.is_last) = (0, 0, false);
        }
        self.next_length = FIRST_BATCH;
    }

    /// Returns the next name without moving.
    pub(super) fn peek_name(&mut self, files: &Files) -> Result<Option<&[u8]>> {
        Ok(self.peek(files)?.map(|record| record.name.as_slice()))
    }

    /// Returns the next ref and moves past it.
    pub(super) fn next(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
        if self.peek(files)?.is_none() {
            return Ok(None);
        }
        if let Some(record) = self.batch.get(self.at) {
            self.record.clone_from(record);
        }
        self.at = self.at.saturating_add(1);
        self.range.pass(&self.record.name);
        if !is_refname(&self.record.name) {
            self.record.value = RefValue::Broken;
        }
        Ok(Some(&self.record))
    }

    /// Moves past the next ref.
    pub(super) fn pass(&mut self, files: &Files) -> Result<()> {
        self.next(files).map(|_| ())
    }

    /// Returns how many bytes of memory the batch takes.
    pub fn memory(&self) -> u64 {
        self.batch.iter().fold(0, |sum: u64, record| {
            let each = record.name.capacity().saturating_add(size_of::<RefRecord>());
            sum.saturating_add(each as u64)
        })
    }

    fn peek(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
        let is_over = self.at >= self.length && !self.is_last;
        if is_over || self.question != files.question() {
            self.read_batch(files)?;
        }
        let next = self.batch.get(self.at).filter(|_| self.at < self.length);
        Ok(next.filter(|record| self.range.may_hold(&record.name)))
    }

    /// Reads the next refs: as many as the bytes in memory allow, but at least one.
    fn read_batch(&mut self, files: &Files) -> Result<()> {
        if self.at < self.length {
            // Each question reads the refs again, so batches stay small.
            self.next_length = FIRST_BATCH;
        }
        (self.length, self.at, self.is_last) = (0, 0, false);
        self.question = files.question();
        let [own, shared] = both(files, &self.stacks)?;
        let from = self.range.from().max(REFS);
        self.begin.clear();
        self.begin.extend_from_slice(from);
        let mut own = Side::new(own.as_ref(), from)?;
        let mut shared = Side::new(shared.as_ref(), from)?;
        let has_own = own.refs.is_some();
        while self.length < self.next_length {
            match self.read_next(&mut own, &mut shared, has_own) {
                Ok(true) => {}
                Ok(false) => break,
                // The refs that were read are returned first.
                Err(error) if error.is_missing() && self.length > 0 => break,
                Err(error) => return Err(error),
            }
        }
        self.next_length = self.next_length.saturating_mul(4).min(MOST_BATCH);
        Ok(())
    }

    /// Reads one ref into the batch; `false` if it is after the range, or if there are no
    /// more.
    fn read_next(
        &mut self,
        own: &mut Side<'_, '_>,
        shared: &mut Side<'_, '_>,
        has_own: bool,
    ) -> Result<bool> {
        own.advance(is_own)?;
        shared.advance(|name| !has_own || !is_own(name))?;
        let is_own = match (&own.next, &shared.next) {
            (Some(own), Some(shared)) => own.name < shared.name,
            (own, _) => own.is_some(),
        };
        let record = if is_own { own.next.take() } else { shared.next.take() };
        let Some(record) = record.filter(|record| record.name.starts_with(REFS)) else {
            self.is_last = true;
            return Ok(false);
        };
        let in_range = self.range.may_hold(&record.name);
        match self.batch.get_mut(self.length) {
            Some(place) => *place = record,
            None => self.batch.push(record),
        }
        self.length = self.length.saturating_add(1);
        Ok(in_range)
    }
}

/// One of the two stacks, with its next ref.
struct Side<'s, 'f> {
    refs: Option<TableRefs<'s, OpenFile<'f>>>,
    next: Option<RefRecord>,
}

impl<'s, 'f> Side<'s, 'f> {
    fn new(stack: Option<&'s ReftableStack<OpenFile<'f>>>, from: &[u8]) -> Result<Side<'s, 'f>> {
        let mut refs = stack.map(ReftableStack::refs);
        if let Some(refs) = &mut refs {
            refs.seek(from)?;
        }
        Ok(Side { refs, next: None })
    }

    /// Reads on until the next accepted ref is known.
    fn advance(&mut self, accepts: impl Fn(&[u8]) -> bool) -> Result<()> {
        while let (None, Some(refs)) = (&self.next, &mut self.refs) {
            match refs.next()? {
                Some(record) if accepts(&record.name) => self.next = Some(record),
                Some(_) => {}
                None => self.refs = None,
            }
        }
        Ok(())
    }
}
