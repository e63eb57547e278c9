//! Compares two files that revisions name, as `git diff <blob> <blob>` does.

use super::change::{Entry, Origin, OriginKind, TreeChange};
use crate::repository::Repository;
use crate::revision::split_path;
use packlens_base::error::{ErrorKind, Result};
use packlens_format::object::{Mode, ObjectType};

/// The mode of a file that was named without a tree.
const PLAIN_FILE: Mode = Mode(0o100_644);

/// Returns how two files differ, with their paths if the revisions have these, otherwise with the
/// revisions as paths; `None` unless both name files.
pub(super) fn difference(
    repository: &mut Repository,
    specs: [Option<&[u8]>; 2],
) -> Result<Option<TreeChange>> {
    let [Some(old), Some(new)] = specs else { return Ok(None) };
    let Some((old, from)) = file_of(old, repository)? else { return Ok(None) };
    let Some((new, path)) = file_of(new, repository)? else { return Ok(None) };
    let origin = (from != path).then_some(Origin { kind: OriginKind::Named, score: 0, path: from });
    Ok(Some(TreeChange { sides: [Some(old), Some(new)], path, origin }))
}

/// Returns the file that a revision names, and its path; `None` if that is another object.
fn file_of(spec: &[u8], repository: &mut Repository) -> Result<Option<(Entry, Vec<u8>)>> {
    let id = repository.resolve(spec)?;
    let id = match repository.peel(&id, Some(ObjectType::Blob)) {
        Err(error) if error.kind() == ErrorKind::WrongType => return Ok(None),
        id => id?,
    };
    let Some((tree, path)) = split_path(spec) else {
        return Ok(Some(((PLAIN_FILE, id), spec.to_vec())));
    };
    let mode = match tree.is_empty() {
        // A path in the index, whose modes are not known here.
        true => PLAIN_FILE,
        false => {
            let tree = repository.resolve_to(tree, ObjectType::Tree)?;
            repository.find_path(&tree, path)?.map_or(PLAIN_FILE, |(_, mode)| mode)
        }
    };
    Ok(Some(((mode, id), path.to_vec())))
}
