//! Reads the links of a commit: its tree, its parents and its date.

use crate::odb::{ReadHint, Verify};
use crate::repository::Repository;
use packlens_base::appender::{Appender, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
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

/// How many bytes of a commit are inflated at most before it is read whole.
const MOST_BEGINNING: usize = 448;

/// How many bytes the headers of most commits take without their ids.
const WITHOUT_IDS: usize = 152;

/// How many bytes more are inflated of each commit after the headers of many did not fit.
const MORE: usize = 32;

/// The headers of one commit in so many may be longer than what is inflated first.
const FEW: i32 = 16;

/// How many bytes of a commit are inflated first where its hash is not checked: as many as the
/// headers of most commits take, which depends on the names of their authors.
#[derive(Default)]
pub(crate) struct BeginningLength {
    more: usize,
    /// How many commits did not fit since that was set, each [`FEW`] times, less those that did.
    longer: i32,
}

impl BeginningLength {
    fn bytes(&self, hash: HashKind) -> usize {
        // Of the tree and two parents.
        let ids = hash.hex_len().saturating_mul(3);
        ids.saturating_add(WITHOUT_IDS).saturating_add(self.more).min(MOST_BEGINNING)
    }

    fn note(&mut self, fits: bool) {
        self.longer = self.longer.saturating_add(if fits { -1 } else { FEW });
        if self.longer > FEW {
            *self = BeginningLength { more: self.more.saturating_add(MORE), longer: 0 };
        }
    }
}

/// As [`read_links`], from the first bytes of a commit; `None` if they are not enough.
fn read_beginning(
    repository: &mut Repository,
    asked: (&ObjectId, &ReadHint<'_>),
    parents: &mut Vec<ObjectId>,
) -> Result<Option<CommitLinks>> {
    let mut beginning = [0; MOST_BEGINNING];
    let hash = repository.hash();
    let length = repository.kept.beginning.bytes(hash);
    let space = beginning.get_mut(..length).unwrap_or_default();
    let read = repository.odb.read_beginning(&mut repository.files, asked, space)?;
    let Some((ObjectType::Commit, filled)) = read else {
        return Ok(None);
    };
    let content = beginning.get(..filled).unwrap_or_default();
    let links = CommitLinks::decode(hash, content, |parent| parents.push(parent));
    // Without a date the headers may have been cut off.
    let links = links.ok().filter(|links| links.date.is_some());
    repository.kept.beginning.note(links.is_some() || filled < length);
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many bytes are inflated after so many commits, of which one in `every` is longer.
    fn after(commits: u32, every: u32) -> usize {
        let mut length = BeginningLength::default();
        (1..=commits).for_each(|at| length.note(at % every != 0));
        length.bytes(HashKind::Sha1)
    }

    #[test]
    fn more_is_inflated_once_the_headers_of_many_do_not_fit() {
        assert_eq!((after(1, 1), after(2, 1), after(4, 1)), (272, 304, 336));
        assert_eq!(after(100, 1), MOST_BEGINNING);
        assert_eq!(after(100_000, 20), 272);
        assert!(after(1000, 10) > 272);
        assert_eq!(BeginningLength::default().bytes(HashKind::Sha256), 344);
    }
}
