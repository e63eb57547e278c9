//! A cursor over the reflog of a ref, in either storage.

use super::table_log::TableLog;
use super::{Reflog, ReflogEntry};
use packlens_base::block::Files;
use packlens_base::error::Result;

/// A cursor over a reflog, from the newest entry to the oldest.
pub enum LogCursor {
    /// A file below `logs/`.
    File(Reflog),
    /// Records of reftables.
    Table(Box<TableLog>),
}

impl LogCursor {
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
