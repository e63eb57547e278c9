//! Reading of a commit what a walk needs.

use crate::appender::{Appender, Output};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{CommitLinks, ObjectType};
use crate::odb::Verify;
use crate::oid::ObjectId;
use crate::repository::Repository;

/// Reads a commit, of which only what a walk needs is looked at.
pub(in crate::history) fn read_links(
    repository: &mut Repository,
    id: &ObjectId,
    verify: Verify,
    (content, parents): (&mut Output, &mut Vec<ObjectId>),
) -> Result<CommitLinks> {
    if verify == Verify::None {
        if let Some(links) = read_beginning(repository, id, parents)? {
            return Ok(links);
        }
        parents.clear();
    }
    let mut out = content.appender();
    let links = read_whole(repository, id, verify, (&mut out, parents));
    out.discard();
    links
}

/// As [`read_links`]; what the commit holds is appended.
pub(super) fn read_whole(
    repository: &mut Repository,
    id: &ObjectId,
    verify: Verify,
    (out, parents): (&mut Appender<'_>, &mut Vec<ObjectId>),
) -> Result<CommitLinks> {
    let hash = repository.hash();
    let info =
        repository.odb.read_into(&mut repository.files, id, &mut |_, _| Ok(()), verify, out)?;
    match info.object_type {
        ObjectType::Commit => {
            CommitLinks::decode(hash, out.since(0), |parent| parents.push(parent))
                .map_err(|error| error.about(id.to_hex()))
        }
        _ => {
            let what = "the object is of another type";
            Err(Error::new(ErrorKind::WrongType, what).about(id.to_hex()))
        }
    }
}

/// How much of a commit is inflated first where all of it need not be: what stands
/// before the message of most.
const BEGINNING: usize = 384;

/// As [`read_links`], from the beginning of a commit; `None` if that is not enough.
fn read_beginning(
    repository: &mut Repository,
    id: &ObjectId,
    parents: &mut Vec<ObjectId>,
) -> Result<Option<CommitLinks>> {
    let mut beginning = [0; BEGINNING];
    let read = repository.odb.read_beginning(&mut repository.files, id, &mut beginning)?;
    let Some((ObjectType::Commit, filled)) = read else {
        return Ok(None);
    };
    let content = beginning.get(..filled).unwrap_or_default();
    let links = CommitLinks::decode(repository.hash(), content, |parent| parents.push(parent));
    // Without a date it may have been cut off before.
    Ok(links.ok().filter(|links| links.date.is_some()))
}
