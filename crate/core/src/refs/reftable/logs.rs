//! The logs of the refs of a stack of tables: what each was changed to, and by whom.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::merged::Merged;
use super::record::Value;
use super::table::Reftable;
use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::oid::ObjectId;

/// What stands between the name of a ref and the number of a transaction.
const SEPARATOR: u8 = 0;

/// One change of a ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogRecord {
    /// The full name of the ref.
    pub name: Vec<u8>,
    /// The number of the transaction that changed it.
    pub update_index: u64,
    /// What the ref was before; the null id if it is new. Where both are null
    /// nothing changed: git keeps such an entry for a log that is empty.
    pub old: ObjectId,
    /// What it was then; the null id if it was deleted.
    pub new: ObjectId,
    /// Who changed it.
    pub who: Vec<u8>,
    /// Their address, without `<` and `>`.
    pub email: Vec<u8>,
    /// Seconds since 1970.
    pub seconds: u64,
    /// Their time zone as it is stored. git writes `+0230` as 230, others as 150
    /// minutes; a table does not say which.
    pub zone: i16,
    /// Why; what git writes ends with a line feed.
    pub message: Vec<u8>,
}

/// A place among the logs of a stack of tables: refs in the order of their names,
/// the newest change of each first.
pub struct TableLogs<'t, S> {
    merged: Merged<'t, S>,
}

impl<'t, S: BlockSource> TableLogs<'t, S> {
    /// Starts before the first change; the oldest table comes first.
    pub(super) fn new(tables: &'t [Reftable<S>]) -> TableLogs<'t, S> {
        TableLogs { merged: Merged::new(tables, BlockKind::Logs) }
    }

    /// Goes to the newest change of the ref `name`, or of the first ref behind it.
    ///
    /// # Errors
    ///
    /// As [`TableLogs::next`].
    pub fn seek(&mut self, name: &[u8]) -> Result<()> {
        self.merged.seek(name)
    }

    /// Goes to the newest change of the ref `name` up to transaction `update_index`, or
    /// of the first ref behind it.
    ///
    /// # Errors
    ///
    /// As [`TableLogs::next`].
    pub fn seek_change(&mut self, name: &[u8], update_index: u64) -> Result<()> {
        self.merged.seek(&log_key(name, update_index))
    }

    /// Returns the next change; `None` behind the last.
    ///
    /// # Errors
    ///
    /// Missing bytes: seek to the change behind the last one that came. [`ErrorKind::Corrupt`] for
    /// damaged tables.
    #[allow(clippy::should_implement_trait, reason = "an iterator would go on behind an error")]
    pub fn next(&mut self) -> Result<Option<LogRecord>> {
        while let Some(cursor) = self.merged.step()? {
            if let Some(record) = log_at(cursor)? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}

/// Returns the key of a change: the newest of a ref sorts first.
pub(super) fn log_key(name: &[u8], update_index: u64) -> Vec<u8> {
    [name, &[SEPARATOR], &(!update_index).to_be_bytes()].concat()
}

/// Returns the change that a cursor is at; `None` if it was deleted.
fn log_at<S: BlockSource>(cursor: &Cursor<'_, S>) -> Result<Option<LogRecord>> {
    let Some(Value::Log(Some(log))) = cursor.value() else {
        return Ok(None);
    };
    let parts = || {
        let (rest, number) = cursor.key().split_last_chunk::<8>()?;
        let name = rest.strip_suffix(&[SEPARATOR]).filter(|name| !name.is_empty())?;
        Some((name.to_vec(), !u64::from_be_bytes(*number)))
    };
    let (name, update_index) = parts().ok_or_else(|| {
        Error::new(ErrorKind::Corrupt, "a log of a reftable without the name of a ref")
    })?;
    Ok(Some(LogRecord {
        name,
        update_index,
        old: log.old,
        new: log.new,
        who: cursor.bytes(&log.name).to_vec(),
        email: cursor.bytes(&log.email).to_vec(),
        seconds: log.seconds,
        zone: log.zone,
        message: cursor.bytes(&log.message).to_vec(),
    }))
}
