//! Which commit a submodule has checked out.

use crate::repository::Repository;
use crate::worktree::{in_source, listing, FileKind};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::refs::{is_refname, text_of, PackedRefs, RefValue, PACKED_REFS};

const HEAD: &[u8] = b"HEAD";

/// The most symbolic refs that lead to a commit.
const MOST_REFS: usize = 5;

/// Returns the commit that is checked out in the directory of a submodule; `None` if no repository
/// is there, or it has no commit that its files of refs name.
///
/// # Errors
///
/// Missing files and bytes: provide them and call again. Errors of reading.
pub(super) fn checked_out_commit(
    path: &[u8],
    repository: &mut Repository,
) -> Result<Option<ObjectId>> {
    let listed = listing(&mut repository.files, path)?;
    if !listed.iter().any(|listed| listed.kind == FileKind::Repository) {
        return Ok(None);
    }
    // Sources find the git directory from `.git`, which may be a file, and the file in it.
    let git_dir = [in_source(path).as_slice(), b"/.git//"].concat();
    let mut name = HEAD.to_vec();
    for _ in 0..MOST_REFS {
        if !is_refname(&name) && name != HEAD {
            return Ok(None);
        }
        let Some(text) = text_in(&git_dir, &name, repository)? else {
            return packed(&git_dir, &name, repository);
        };
        let text = text.trim_ascii_end();
        match text.strip_prefix(b"ref:") {
            Some(target) => name = target.trim_ascii_start().to_vec(),
            None => return Ok(ObjectId::from_hex(repository.hash(), text)),
        }
    }
    Ok(None)
}

fn text_in(git_dir: &[u8], name: &[u8], repository: &Repository) -> Result<Option<Vec<u8>>> {
    let file = repository.files.find_fresh(&[git_dir, name].concat())?;
    file.map(|file| text_of(&repository.files, file, &repository.limits())).transpose()
}

fn packed(git_dir: &[u8], name: &[u8], repository: &Repository) -> Result<Option<ObjectId>> {
    let Some(file) = repository.files.find_fresh(&[git_dir, PACKED_REFS].concat())? else {
        return Ok(None);
    };
    let source = repository.files.source(file);
    let found = PackedRefs::open(&source, repository.hash())?.find(name)?;
    Ok(found.and_then(|record| match record.value {
        RefValue::Id(id) => Some(id),
        _ => None,
    }))
}
