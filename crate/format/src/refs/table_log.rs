//! The reflog of a ref that is stored in reftables.

use super::reftable::{LogRecord, Stacks};
use super::table_refs::stack_of;
use super::ReflogEntry;
use packlens_base::block::Files;
use packlens_base::error::Result;
use std::collections::VecDeque;

/// How many entries are read at once.
const BATCH: usize = 64;

/// A cursor over the reflog of a ref, from the newest entry to the oldest.
pub struct TableLog {
    name: Vec<u8>,
    stacks: Stacks,
    batch: VecDeque<ReflogEntry>,
    /// The newest update index that was not read yet; `None` after the oldest.
    next: Option<u64>,
}

impl TableLog {
    pub(super) fn new(name: &[u8], stacks: Stacks) -> TableLog {
        let (name, batch, next) = (name.to_vec(), VecDeque::new(), Some(u64::MAX));
        TableLog { name, stacks, batch, next }
    }

    /// Returns the next older entry; `None` after the oldest.
    pub(super) fn next(&mut self, files: &Files) -> Result<Option<ReflogEntry>> {
        while self.batch.is_empty() && self.next.is_some() {
            self.read_batch(files)?;
        }
        Ok(self.batch.pop_front())
    }

    /// Returns whether there is a log, even an empty one.
    pub(super) fn exists(&self, files: &Files) -> Result<bool> {
        let Some((stack, name)) = stack_of(files, &self.stacks, &self.name)? else {
            return Ok(false);
        };
        let mut logs = stack.logs();
        logs.seek_change(name, u64::MAX)?;
        Ok(logs.next()?.is_some_and(|record| record.name == name))
    }

    pub fn memory(&self) -> u64 {
        self.batch.iter().fold(0, |sum: u64, entry| {
            let texts = entry.committer.capacity().saturating_add(entry.message.capacity());
            sum.saturating_add(texts as u64).saturating_add(size_of::<ReflogEntry>() as u64)
        })
    }

    /// Reads the next entries: as many as the bytes in memory allow, but at least one.
    fn read_batch(&mut self, files: &Files) -> Result<()> {
        let Some(from) = self.next else {
            return Ok(());
        };
        let Some((stack, name)) = stack_of(files, &self.stacks, &self.name)? else {
            self.next = None;
            return Ok(());
        };
        let mut logs = stack.logs();
        logs.seek_change(name, from)?;
        while self.batch.len() < BATCH {
            match logs.next() {
                Ok(Some(record)) if record.name == name => {
                    self.next = record.update_index.checked_sub(1);
                    // git marks an existing but empty log by an entry with two null ids.
                    if !(record.old.is_null() && record.new.is_null()) {
                        self.batch.push_back(entry_of(record));
                    }
                }
                Ok(_) => {
                    self.next = None;
                    break;
                }
                Err(error) if error.is_missing() && !self.batch.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Returns the sorted names of the refs that have a log.
pub(super) fn names(files: &Files, stacks: &Stacks) -> Result<Vec<Vec<u8>>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    let Some((stack, _)) = stack_of(files, stacks, b"HEAD")? else {
        return Ok(names);
    };
    let mut logs = stack.logs();
    while let Some(record) = logs.next()? {
        if names.last() != Some(&record.name) {
            names.push(record.name);
        }
    }
    Ok(names)
}

/// Returns a log record in the form of a reflog file's entry.
fn entry_of(record: LogRecord) -> ReflogEntry {
    let LogRecord { old, new, who, email, seconds, zone, mut message, .. } = record;
    let sign = if zone < 0 { '-' } else { '+' };
    let when = format!("> {seconds} {sign}{:04}", zone.unsigned_abs());
    if message.ends_with(b"\n") {
        message.pop();
    }
    let committer = [who.as_slice(), b" <", &email, when.as_bytes()].concat();
    ReflogEntry { old, new, committer, message }
}
