//! Reports reflogs.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_format::refs::{LogCursor, ReflogEntry};

/// A reflog that is handed over in buffers, the newest entry first.
pub struct RefLog {
    name: Vec<u8>,
    log: Option<LogCursor>,
}

impl RefLog {
    /// Starts at the newest entry of the ref with this full name.
    pub fn new(name: &[u8]) -> RefLog {
        RefLog { name: name.to_vec(), log: None }
    }

    /// Appends entries to `out` until it is about `capacity` bytes long; returns whether the
    /// log is complete. The fields of an entry are the old id, the new id, the committer with
    /// the time, and the message, each after its length in 4 bytes.
    ///
    /// # Errors
    ///
    /// The errors of [`LogCursor::next`].
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let log = self.log.get_or_insert_with(|| repository.refs.log(&self.name));
        while out.len() < capacity {
            let Some(entry) = log.next(&repository.files)? else {
                return Ok(true);
            };
            let ReflogEntry { old, new, committer, message } = entry;
            let mut appender = out.appender();
            for field in [old.as_bytes(), new.as_bytes(), &committer, &message] {
                appender.string(field)?;
            }
        }
        Ok(false)
    }

    /// Returns how many bytes of memory the log takes.
    pub fn memory(&self) -> u64 {
        self.log.as_ref().map_or(0, LogCursor::memory)
    }
}
