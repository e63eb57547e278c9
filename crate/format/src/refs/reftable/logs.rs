//! The reflogs in a stack of reftables.

use super::block::BlockKind;
use super::cursor::Cursor;
use super::merged::Merged;
use super::record::Value;
use super::table::Reftable;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;

/// The byte between the refname and the update index in a log key.
const SEPARATOR: u8 = 0;

/// One change of a ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogRecord {
    /// The full name of the ref.
    pub name: Vec<u8>,
    /// The update index of the transaction that changed the ref.
    pub update_index: u64,
    /// The object before the change; the null id if the ref was created. If both ids are null
    /// nothing changed: git marks an empty log by such a record.
    pub old: ObjectId,
    /// The object after the change; the null id if the ref was deleted.
    pub new: ObjectId,
    /// The name of the committer.
    pub who: Vec<u8>,
    /// The committer's email address, without `<` and `>`.
    pub email: Vec<u8>,
    /// The time of the change in seconds since 1970.
    pub seconds: u64,
    /// The committer's time zone in its stored form. git writes `+0230` as 230, other writers
    /// as 150 minutes, and the table does not say which.
    pub zone: i16,
    /// The reason for the change; git writes it with a line feed at the end.
    pub message: Vec<u8>,
}

/// A cursor over the logs in a stack of tables: sorted by refname, the newest change of each
/// ref first.
pub struct TableLogs<'t, S> {
    merged: Merged<'t, S>,
}

impl<'t, S: BlockSource> TableLogs<'t, S> {
    /// Starts before the first change; `tables` are given from the oldest to the newest.
    pub fn new(tables: &'t [Reftable<S>]) -> TableLogs<'t, S> {
        TableLogs { merged: Merged::new(tables, BlockKind::Logs) }
    }

    /// Moves to the newest change of the ref `name`, or of the first ref after it.
    ///
    /// # Errors
    ///
    /// As [`TableLogs::next`].
    pub fn seek(&mut self, name: &[u8]) -> Result<()> {
        self.merged.seek(name)
    }

    /// Moves to the newest change of the ref `name` with at most this update index, or to the
    /// next change after that.
    ///
    /// # Errors
    ///
    /// As [`TableLogs::next`].
    pub fn seek_change(&mut self, name: &[u8], update_index: u64) -> Result<()> {
        self.merged.seek(&log_key(name, update_index))
    }

    /// Returns the next change; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing bytes: seek to the change after the last one that was returned.
    /// [`ErrorKind::Corrupt`] for damaged tables.
    #[allow(clippy::should_implement_trait, reason = "an iterator would continue after an error")]
    pub fn next(&mut self) -> Result<Option<LogRecord>> {
        while let Some(cursor) = self.merged.step()? {
            if let Some(record) = log_at(cursor)? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }
}

/// Returns the key of a change. The update index is inverted, so the newest change of a ref
/// sorts first.
pub(super) fn log_key(name: &[u8], update_index: u64) -> Vec<u8> {
    [name, &[SEPARATOR], &(!update_index).to_be_bytes()].concat()
}

/// Returns the change at a cursor; `None` if it was deleted.
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
