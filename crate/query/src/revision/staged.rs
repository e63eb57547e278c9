//! Revisions that are looked up in the index: `:path`, `:2:path`.

use super::{no_path, parse, NOT_IN_INDEX};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::index_file::{bytes_of, find_staged, is_split, Damage, Staged};
use packlens_format::object::ObjectType;

impl Repository {
    /// Returns the object that the worktree's index has at a path, which may begin with a
    /// stage. The index is read each time.
    pub(super) fn find_in_index(&mut self, spec: &[u8], path: &[u8]) -> Result<ObjectId> {
        let (stage, path) = parse::stage_of(path);
        let file = self.boundaries().index_file.clone();
        if file.is_empty() {
            return Err(no_path(NOT_IN_INDEX, spec));
        }
        let Some(bytes) = bytes_of(&self.files, &self.limits(), &file)? else {
            return Err(no_path(NOT_IN_INDEX, spec));
        };
        match find_staged(&bytes, self.hash(), path, stage)
            .map_err(|damage| damaged(damage, &file))?
        {
            None => Err(no_path(NOT_IN_INDEX, spec)),
            Some(Staged::Is(id)) => Ok(id),
            Some(Staged::Below(tree, rest)) => {
                let found = self.find_path(&tree, rest)?.filter(|_| !rest.ends_with(b"/"));
                let id = found.ok_or_else(|| no_path(NOT_IN_INDEX, spec))?;
                match self.object_type(&id) {
                    Ok(ObjectType::Tree) => Err(no_path(NOT_IN_INDEX, spec)),
                    Err(error) if error.is_missing() => Err(error),
                    _ => Ok(id),
                }
            }
        }
    }
}

/// Creates an error for a damaged index, with git's message.
fn damaged(damage: Damage, file: &[u8]) -> Error {
    let corrupt = |what| Error::new(ErrorKind::Corrupt, what);
    match damage {
        Damage::Split => is_split(file),
        Damage::Short => corrupt("index file smaller than expected").about(file),
        Damage::Frame(what) => corrupt("index file corrupt").about(what),
        Damage::Entries(what) => corrupt("an index file has damaged entries").about(what),
    }
}
