//! The content of one side of a change.

use super::change::Entry;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;

/// Returns the id of a content that is an object of this repository.
pub(crate) fn object_of((mode, id): Entry) -> Option<ObjectId> {
    (!mode.is_gitlink()).then_some(id)
}

/// Returns the content that git compares: of a submodule the line about its commit, nothing where
/// there is no file.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again. The errors of reading.
pub(crate) fn content(side: Option<Entry>, repository: &mut Repository) -> Result<Vec<u8>> {
    match side {
        None => Ok(Vec::new()),
        Some((mode, id)) if mode.is_gitlink() => {
            Ok(format!("Subproject commit {}\n", id.to_hex()).into_bytes())
        }
        Some((mode, id)) => repository.read_similar(&id, mode.object_type(), repository.verify),
    }
}
