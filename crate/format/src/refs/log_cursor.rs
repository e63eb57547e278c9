//! A cursor over the reflog of a ref, in either storage.

use super::reftable::Stacks;
use super::table_log::TableLog;
use super::{Reflog, ReflogEntry};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::module::FullOnly;

/// A cursor over a reflog, from the newest entry to the oldest.
pub enum LogCursor {
    /// A file below `logs/`.
    File(Reflog),
    /// Records of reftables.
    Table(Box<FullOnly<TableLog>>),
}

impl LogCursor {
    /// Creates a cursor over the log of a ref in tables.
    pub(super) fn in_tables(name: &[u8], stacks: FullOnly<Stacks>) -> LogCursor {
        LogCursor::Table(Box::new(stacks.map(|stacks| TableLog::new(name, stacks))))
    }

    /// Returns the next older entry; `None` after the oldest, or if there is no log.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again; the errors of [`Reflog::next`],
    /// or of a damaged table.
    pub fn next(&mut self, files: &Files) -> Result<Option<ReflogEntry>> {
        match self {
            LogCursor::File(log) => log.next(files),
            LogCursor::Table(log) => log.next(files),
        }
    }

    /// Returns whether there is a log, even an empty one.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again; a damaged table.
    pub fn exists(&self, files: &Files) -> Result<bool> {
        match self {
            LogCursor::File(log) => log.exists(files),
            LogCursor::Table(log) => log.exists(files),
        }
    }

    /// Returns how many bytes of memory the cursor takes.
    pub fn memory(&self) -> u64 {
        match self {
            LogCursor::File(log) => log.memory(),
            LogCursor::Table(log) => log.memory(),
        }
    }
}
