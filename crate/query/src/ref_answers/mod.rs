//! Answers about refs, in the form in which JavaScript gets them.

mod available;
mod list;
mod log;
mod patterns;
mod table;
mod tracking;

pub use list::{RefList, RefListOptions};
pub use log::RefLog;
pub use table::RefTable;

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_format::refs::{RefRecord, RefValue};

/// The most bytes of a ref's record beside its names: four lengths and two ids.
const MOST_IDS: usize = 4 * 4 + 2 * MAX_OID_LEN;

/// The objects that a ref leads to.
struct ResolvedRef {
    /// The object at the end of symbolic refs.
    id: Option<ObjectId>,
    /// The object that the tag peels to, if the ref's object is a tag and was peeled.
    peeled: Option<ObjectId>,
}

impl ResolvedRef {
    /// Returns the object that is a commit, if the ref leads to one. It may be a tag if the
    /// tag was not peeled.
    fn commit(&self) -> Option<ObjectId> {
        self.peeled.or(self.id)
    }
}

impl Repository {
    /// Appends the record of a ref; nothing if there is none. If `short` is set, the name is
    /// expanded by git's rules.
    ///
    /// # Errors
    ///
    /// The errors of [`Refs::get`](packlens_format::refs::Refs::get), and of peeling a tag.
    pub fn ref_row(&mut self, name: &[u8], short: bool, out: &mut Output) -> Result<()> {
        let found = match short {
            true => {
                let interpreted = self.interpret(name)?;
                self.refs.expand(&self.files, interpreted.as_deref().unwrap_or(name))?
            }
            false => self.refs.get(&self.files, name)?,
        };
        match found {
            Some(record) => self.write_ref(&record, true, out),
            None => Ok(()),
        }
    }

    /// Appends the record of a ref: its name, the target of a symbolic ref, the id that it
    /// leads to, and the peeled id, each after its length in 4 bytes.
    fn write_ref(&mut self, record: &RefRecord, peel: bool, out: &mut Output) -> Result<()> {
        let ResolvedRef { id, peeled } = self.resolve_listed(record, peel)?;
        let target = match &record.value {
            RefValue::Symbolic(target) => target.as_slice(),
            _ => b"",
        };
        let length = record.name.len().saturating_add(target.len()).saturating_add(MOST_IDS);
        out.appender().reserved(length, |to| {
            to.string(&record.name)?;
            to.string(target)?;
            for id in [id, peeled] {
                to.string(id.as_ref().map_or(&[], |id| id.as_bytes()))?;
            }
            Ok(())
        })
    }

    fn resolve_listed(&mut self, record: &RefRecord, peel: bool) -> Result<ResolvedRef> {
        let id = self.refs.id_of(&self.files, record)?;
        let peeled = match (record.peeled, id) {
            (Some(peeled), _) => peeled,
            (None, Some(id)) if peel => self.peeled(&id)?,
            _ => None,
        };
        Ok(ResolvedRef { id, peeled })
    }
}
