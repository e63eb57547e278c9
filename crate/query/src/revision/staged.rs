//! Revisions that are looked up in the index: `:path`, `:2:path`.

use super::{no_path, parse, NOT_IN_INDEX};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::module::require_full;
use packlens_base::oid::ObjectId;
use packlens_format::index_file::{bytes_of, find_staged, Staged};
use packlens_format::object::ObjectType;

impl Repository {
    /// Returns the object that the worktree's index has at a path, which may begin with a
    /// stage. The index is read each time.
    pub(super) fn find_in_index(&mut self, spec: &[u8], path: &[u8]) -> Result<ObjectId> {
        let (stage, path) = parse::stage_of(path);
        let file = self.index_path()?;
        if file.is_empty() {
            return Err(no_path(NOT_IN_INDEX, spec));
        }
        let Some(bytes) = bytes_of(&self.files, &self.limits(), &file)? else {
            return Err(no_path(NOT_IN_INDEX, spec));
        };
        let found = find_staged(&bytes, self.hash(), path, stage);
        let file = self.files.find(&file)?;
        let found = match found.map_err(|damage| damage.error(file))? {
            Some(Staged::Split) => self.find_in_split(path, stage)?,
            found => found,
        };
        match found {
            None | Some(Staged::Split) => Err(no_path(NOT_IN_INDEX, spec)),
            Some(Staged::Is(id)) => Ok(id),
            Some(Staged::Below(tree, rest)) => {
                let found = self.find_path(&tree, rest)?.filter(|_| !rest.ends_with(b"/"));
                let (id, _) = found.ok_or_else(|| no_path(NOT_IN_INDEX, spec))?;
                match self.object_type(&id) {
                    Ok(ObjectType::Tree) => Err(no_path(NOT_IN_INDEX, spec)),
                    Err(error) if error.is_missing() => Err(error),
                    _ => Ok(id),
                }
            }
        }
    }
    /// Looks a path up in a split index.
    fn find_in_split<'a>(&mut self, path: &'a [u8], stage: u16) -> Result<Option<Staged<'a>>> {
        require_full()?;
        match self.read_index()? {
            Some(index) => index.find(path, stage).map_err(|damage| damage.error(None)),
            None => Ok(None),
        }
    }
}
