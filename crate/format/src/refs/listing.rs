//! A single pass over refs that can be resumed when bytes are missing.

use super::{is_refname, RefCursor, RefRecord, Refs};
use packlens_base::block::Files;
use packlens_base::error::Result;

/// The refs whose names begin with a prefix. The current ref is kept until the caller is done
/// with it, so a retry does not read it again.
pub struct RefListing {
    cursor: RefCursor,
    record: Option<RefRecord>,
    is_over: bool,
}

impl RefListing {
    /// Creates a listing of the refs that begin with `prefix`, before the first.
    pub fn new(refs: &Refs, prefix: &[u8]) -> RefListing {
        let mut cursor = refs.cursor();
        cursor.seek_prefix(prefix);
        RefListing { cursor, record: None, is_over: false }
    }

    /// Returns the current ref; `None` after the last. Refs whose names break git's rules are
    /// skipped.
    ///
    /// # Errors
    ///
    /// As [`RefCursor::next`]; a [`Need::Turn`](packlens_base::Need::Turn) that yields to the caller.
    pub fn peek(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
        while self.record.is_none() && !self.is_over {
            files.step()?;
            match self.cursor.next(files)? {
                Some(record) if !is_refname(&record.name) => {}
                Some(record) => self.record = Some(record.clone()),
                None => self.is_over = true,
            }
        }
        Ok(self.record.as_ref())
    }

    /// Moves past the current ref.
    pub fn advance(&mut self) {
        self.record = None;
    }

    /// Returns how many bytes of memory the listing takes.
    pub fn memory(&self) -> u64 {
        self.cursor.memory()
    }
}
