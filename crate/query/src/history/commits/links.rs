//! Reads the links of a commit: its tree, its parents and its date.

use crate::odb::{ReadHint, Verify};
use crate::repository::Repository;
use packlens_base::appender::{Appender, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::{CommitLinks, ObjectType};

/// Reads the links of a commit; the rest of its content is not parsed.
pub(in crate::history) fn read_links(
    repository: &mut Repository,
    asked: (&ObjectId, &ReadHint<'_>),
    verify: Verify,
    (content, parents): (&mut Output, &mut Vec<ObjectId>),
) -> Result<CommitLinks> {
    if verify == Verify::None {
        if let Some(links) = read_beginning(repository, asked, parents)? {
            return Ok(links);
        }
        parents.clear();
    }
    let mut out = content.appender();
    let links = read_whole(repository, asked, verify, (&mut out, parents));
    out.discard();
    links
}

/// As [`read_links`]; the content of the commit is appended to `out`.
pub(super) fn read_whole(
    repository: &mut Repository,
    asked: (&ObjectId, &ReadHint<'_>),
    verify: Verify,
    (out, parents): (&mut Appender<'_>, &mut Vec<ObjectId>),
) -> Result<CommitLinks> {
    let hash = repository.hash();
    let files = &mut repository.files;
    let info = repository.odb.read_hinted(files, asked, &mut |_, _| Ok(()), verify, out)?;
    let (id, _) = asked;
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

/// How many bytes of a commit are inflated first where its hash is not checked: the headers of
/// most commits fit.
const BEGINNING: usize = 384;

/// As [`read_links`], from the first bytes of a commit; `None` if they are not enough.
fn read_beginning(
    repository: &mut Repository,
    asked: (&ObjectId, &ReadHint<'_>),
    parents: &mut Vec<ObjectId>,
) -> Result<Option<CommitLinks>> {
    let mut beginning = [0; BEGINNING];
    let read = repository.odb.read_beginning(&mut repository.files, asked, &mut beginning)?;
    let Some((ObjectType::Commit, filled)) = read else {
        return Ok(None);
    };
    let content = beginning.get(..filled).unwrap_or_default();
    let links = CommitLinks::decode(repository.hash(), content, |parent| parents.push(parent));
    // Without a date the headers may have been cut off.
    Ok(links.ok().filter(|links| links.date.is_some()))
}
