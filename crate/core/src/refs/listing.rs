//! Refs that are gone over once, by somebody who is asked again where bytes are missing.

use super::{is_refname, RefCursor, RefRecord, Refs};
use crate::block::Files;
use crate::error::Result;

/// The refs whose names begin with a prefix, one after the other. Each stays until what is
/// done with it is done, so that none is read again.
pub(crate) struct RefListing {
    cursor: RefCursor,
    record: Option<RefRecord>,
    is_over: bool,
}

impl RefListing {
    pub(crate) fn new(refs: &Refs, prefix: &[u8]) -> RefListing {
        let mut cursor = refs.cursor();
        cursor.seek_prefix(prefix);
        RefListing { cursor, record: None, is_over: false }
    }

    /// Returns the ref that it stands at; `None` behind the last. Those whose names break
    /// git's rules are passed over.
    ///
    /// # Errors
    ///
    /// As [`RefCursor::next`], and a turn for the caller.
    pub(crate) fn peek(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
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

    /// Goes behind that ref.
    pub(crate) fn advance(&mut self) {
        self.record = None;
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        self.cursor.memory()
    }
}
