//! A cursor over all refs, in either storage.

use super::files_refs::FilesCursor;
use super::range::RefRange;
use super::reftable::Stacks;
use super::table_refs::TablesCursor;
use super::RefRecord;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::module::FullOnly;

/// A cursor over the refs of a repository, sorted by the bytes of their names.
///
/// If something is missing a call returns an error and the cursor stays: provide it and call
/// again. Refs may change between two calls. Later refs are reported as they are then, and no
/// name is reported twice.
pub struct RefCursor {
    backend: Backend,
}

/// The cursor of a storage format.
pub(super) enum Backend {
    /// Files below `refs/`, and `packed-refs`.
    Files(Box<FilesCursor>),
    /// Reftables.
    Tables(Box<FullOnly<TablesCursor>>),
}

impl Backend {
    /// Creates a cursor over tables.
    pub(super) fn tables(stacks: FullOnly<Stacks>) -> Backend {
        Backend::Tables(Box::new(stacks.map(TablesCursor::new)))
    }
}

impl RefCursor {
    pub(super) fn new(backend: Backend) -> RefCursor {
        RefCursor { backend }
    }

    /// Moves to the first ref with a name at or after `name`.
    pub fn seek(&mut self, name: &[u8]) {
        self.seek_range(RefRange::new(name, b""));
    }

    /// Moves to the first ref whose name begins with `prefix`, and ends the walk after the
    /// last of them.
    pub fn seek_prefix(&mut self, prefix: &[u8]) {
        self.seek_range(RefRange::new(prefix, prefix));
    }

    /// Returns the next ref and moves past it; `None` at the end. A ref whose name breaks
    /// git's rules is returned as broken.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes;
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged `packed-refs` or table.
    pub fn next(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
        match &mut self.backend {
            Backend::Files(cursor) => cursor.next(files),
            Backend::Tables(cursor) => cursor.next(files),
        }
    }

    /// Returns the next name without moving, and without reading the ref's value.
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

    /// Looks up the files and directories that decide whether the next ref is loose.
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

    /// Moves past the next ref without reading its value.
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

    /// Returns how many bytes of memory the cursor takes.
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
