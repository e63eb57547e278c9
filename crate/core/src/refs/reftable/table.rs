//! One table: a file that never changes.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::layout::Layout;
use crate::block::BlockSource;
use crate::error::Result;
use crate::limits::Limits;
use crate::oid::HashKind;

/// A table of refs and of their logs: a file of a reftable stack.
pub struct Reftable<S> {
    pub(super) source: S,
    pub(super) layout: Layout,
    pub(super) limits: Limits,
}

impl<S: BlockSource> Reftable<S> {
    /// Reads header and footer.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`Corrupt`](crate::ErrorKind::Corrupt) if this is no table of
    /// ids of `hash`, or its header or footer are damaged;
    /// [`Unsupported`](crate::ErrorKind::Unsupported) for versions other than 1 and 2.
    pub fn open(source: S, hash: HashKind, limits: &Limits) -> Result<Reftable<S>> {
        let layout = Layout::decode(&source, hash)?;
        Ok(Reftable { source, layout, limits: *limits })
    }

    pub(super) fn cursor(&self, kind: BlockKind) -> Cursor<'_, S> {
        Cursor::new(self, kind)
    }
}
