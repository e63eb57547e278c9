//! The refs in a stack of reftables.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::merged::Merged;
use super::record::{Target, Value};
use super::table::Reftable;
use crate::refs::{is_refname, RefRecord, RefValue};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;

/// A cursor over the refs in a stack of tables, sorted by name.
pub struct TableRefs<'t, S> {
    merged: Merged<'t, S>,
}

impl<'t, S: BlockSource> TableRefs<'t, S> {
    /// Starts before the first ref; `tables` are given from the oldest to the newest.
    pub fn new(tables: &'t [Reftable<S>]) -> TableRefs<'t, S> {
        TableRefs { merged: Merged::new(tables, BlockKind::Refs) }
    }

    /// Moves to the first ref with a name at or after `name`.
    ///
    /// # Errors
    ///
    /// As [`TableRefs::next`].
    pub fn seek(&mut self, name: &[u8]) -> Result<()> {
        self.merged.seek(name)
    }

    /// Returns the next ref; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing bytes: seek to the ref after the last one that was returned.
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) for damaged tables.
    #[allow(clippy::should_implement_trait, reason = "an iterator would continue after an error")]
    pub fn next(&mut self) -> Result<Option<RefRecord>> {
        while let Some(cursor) = self.merged.step()? {
            if let Some(record) = ref_at(cursor) {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}

/// Returns the ref at a cursor; `None` if it was deleted.
pub(super) fn ref_at<S: BlockSource>(cursor: &Cursor<'_, S>) -> Option<RefRecord> {
    let Some(Value::Ref { target, .. }) = cursor.value() else {
        return None;
    };
    let (value, peeled) = match target {
        Target::Deleted => return None,
        // No object has the null id, so git treats such a ref as broken.
        Target::Id(id) | Target::Tag { id, .. } if id.is_null() => (RefValue::Broken, None),
        // Some writers store a tag in this form, so whether it peels is unknown.
        Target::Id(id) => (RefValue::Id(*id), None),
        Target::Tag { id, peeled } => (RefValue::Id(*id), Some(Some(*peeled))),
        Target::Symbolic(name) => match cursor.bytes(name) {
            name if is_refname(name) => (RefValue::Symbolic(name.to_vec()), None),
            _ => (RefValue::Broken, None),
        },
    };
    Some(RefRecord { name: cursor.key().to_vec(), value, peeled })
}
