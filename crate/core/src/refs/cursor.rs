//! A place among all refs, whatever they are stored in.

use super::files_refs::FilesCursor;
use super::range::RefRange;
use super::table_refs::TablesCursor;
use super::RefRecord;
use crate::block::Files;
use crate::error::Result;

/// A place among the refs of a repository in the order of their names, by bytes.
///
/// What is missing comes back as an error; the place stays, so the same step is
/// asked for again when it was provided. Refs may change between two steps: what
/// comes later is seen as it is then, and no name comes twice.
pub struct RefCursor {
    backend: Backend,
}

/// What refs are stored in, and a place there.
pub(super) enum Backend {
    /// Files below `refs/`, and `packed-refs`.
    Files(Box<FilesCursor>),
    /// Reftables.
    Tables(Box<TablesCursor>),
}

impl RefCursor {
    pub(super) fn new(backend: Backend) -> RefCursor {
        RefCursor { backend }
    }

    /// Goes to the first ref whose name is `name` or comes behind it.
    pub fn seek(&mut self, name: &[u8]) {
        self.seek_range(RefRange::new(name, b""));
    }

    /// Goes to the first ref whose name begins with `prefix`; behind the last of
    /// them there is none.
    pub fn seek_prefix(&mut self, prefix: &[u8]) {
        self.seek_range(RefRange::new(prefix, prefix));
    }

    /// Returns the next ref and goes behind it, `None` at the end. Refs whose names
    /// break git's rules come as well, as broken ones.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes;
    /// [`Corrupt`](crate::ErrorKind::Corrupt) for a damaged `packed-refs` or table.
    pub fn next(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
        match &mut self.backend {
            Backend::Files(cursor) => cursor.next(files),
            Backend::Tables(cursor) => cursor.next(files),
        }
    }

    /// Returns the next name and stays before it. What it points at is not read.
    ///
    /// # Errors
    ///
    /// As [`RefCursor::next`].
    pub fn peek_name(&mut self, files: &Files) -> Result<Option<&[u8]>> {
        match &mut self.backend {
            Backend::Files(cursor) => cursor.peek_name(files),
            Backend::Tables(cursor) => cursor.peek_name(files),
        }
    }

    /// Looks at the files and directories that say whether a loose ref is next.
    ///
    /// # Errors
    ///
    /// Missing directories.
    pub(super) fn look_at_files(&mut self, files: &Files) -> Result<()> {
        match &mut self.backend {
            Backend::Files(cursor) => cursor.look_at_loose(files),
            Backend::Tables(_) => Ok(()),
        }
    }

    /// Goes behind the next ref without reading it.
    ///
    /// # Errors
    ///
    /// As [`RefCursor::next`].
    pub fn pass(&mut self, files: &Files) -> Result<()> {
        match &mut self.backend {
            Backend::Files(cursor) => cursor.pass(files),
            Backend::Tables(cursor) => cursor.pass(files),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        match &self.backend {
            Backend::Files(cursor) => cursor.memory(),
            Backend::Tables(cursor) => cursor.memory(),
        }
    }

    fn seek_range(&mut self, range: RefRange) {
        match &mut self.backend {
            Backend::Files(cursor) => cursor.seek(range),
            Backend::Tables(cursor) => cursor.seek(range),
        }
    }
}
