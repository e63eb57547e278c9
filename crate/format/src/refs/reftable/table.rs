//! One reftable: a file that never changes.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::layout::Layout;
use super::unindexed::Unindexed;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::limits::Limits;
use packlens_base::oid::HashKind;
use std::cell::RefCell;
use std::rc::Rc;

/// A table of refs and their logs, one file of a stack.
pub struct Reftable<S> {
    pub(super) source: S,
    pub(super) known: Rc<TableProperties>,
    pub(super) limits: Limits,
}

/// Cached properties of a table, which hold as long as the file exists.
pub(super) struct TableProperties {
    pub(super) layout: Layout,
    pub(super) unindexed: RefCell<Unindexed>,
}

impl<S: BlockSource> Reftable<S> {
    /// Reads header and footer.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the file is not a reftable
    /// with ids of `hash`, or its header or footer is damaged;
    /// [`Unsupported`](packlens_base::ErrorKind::Unsupported) for versions other than 1 and 2.
    pub fn open(source: S, hash: HashKind, limits: &Limits) -> Result<Reftable<S>> {
        let layout = Layout::decode(&source, hash)?;
        let known = TableProperties { layout, unindexed: RefCell::default() };
        Ok(Reftable::known(source, Rc::new(known), limits))
    }

    /// Opens a table whose properties are cached.
    pub(super) fn known(source: S, known: Rc<TableProperties>, limits: &Limits) -> Reftable<S> {
        Reftable { source, known, limits: *limits }
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.known.layout
    }

    pub(super) fn cursor(&self, kind: BlockKind) -> Cursor<'_, S> {
        Cursor::new(self, kind)
    }
}
