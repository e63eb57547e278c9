//! The marks of a commit in a walk, and marking all commits that one reaches.

use super::commits::{Commits, Flags, Number};
use super::queue::Queue;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::object::ObjectType;

/// The commit is, or was, in the queue of the walk.
pub(super) const SEEN: Flags = 1;
/// The commit is not requested: an excluded commit reaches it, or is it.
pub(super) const UNINTERESTING: Flags = 1 << 1;
/// The commit is in the queue now.
pub(super) const QUEUED: Flags = 1 << 2;
/// The commit changed none of the paths that limit the walk.
pub(super) const SAME: Flags = 1 << 3;
/// The commit was excluded by name, not because an excluded commit reaches it.
pub(super) const BOTTOM: Flags = 1 << 13;

/// Marks a commit as uninteresting; returns by how many that lowers the number of interesting
/// commits in the queue.
pub(super) fn mark(commits: &mut Commits, number: Number) -> usize {
    let flags = commits.flags(number);
    commits.set(number, UNINTERESTING);
    usize::from(flags & UNINTERESTING == 0 && flags & QUEUED != 0)
}

/// Marks the ancestors of a commit as uninteresting, as far as they are parsed: the walk marks
/// others when it parses them. Only the first `most` parents of each commit are marked. Returns
/// by how many that lowers the number of interesting commits in the queue.
pub(super) fn mark_ancestors(commits: &mut Commits, number: Number, most: usize) -> usize {
    let mut left = 0usize;
    let mut pending: Vec<Number> = Vec::new();
    let mut at = Some(number);
    while let Some(number) = at {
        for place in commits.parents(number).take(most) {
            let parent = commits.edge(place);
            if !commits.has(parent, UNINTERESTING) {
                left = left.saturating_add(mark(commits, parent));
                pending.push(parent);
            }
        }
        at = pending.pop();
    }
    left
}

/// Parses the parents of a commit before the walk continues with them. With `gently` missing
/// parents are skipped, as git does for those of uninteresting commits.
pub(super) fn parse_parents(
    commits: &mut Commits,
    repository: &mut Repository,
    number: Number,
    most: usize,
    gently: bool,
) -> Result<()> {
    for place in commits.parents(number).take(most) {
        let parent = commits.edge(place);
        if commits.is_parsed(parent) {
            continue;
        }
        match commits.parse(repository, parent) {
            Err(error) if gently && error.kind() == ErrorKind::NotFound => {}
            Err(error) if commits.absent.is_some() => {
                commits.pass_absent(repository, parent, error)?;
            }
            result => result?,
        }
    }
    Ok(())
}

/// Adds to a need the commits that the walk reads next: the unread parents of those in the
/// queue.
#[cold]
#[inline(never)]
pub(super) fn ahead(
    error: Error,
    commits: &Commits,
    repository: &mut Repository,
    number: Number,
    queue: &Queue,
) -> Error {
    if !error.is_missing() {
        return error;
    }
    let all = std::iter::once(number).chain(queue.iter());
    let parents = all.flat_map(|number| commits.parents(number)).map(|place| commits.edge(place));
    let unread: Vec<_> =
        parents.filter_map(|parent| commits.unread(parent)).take(MOST_AHEAD).collect();
    repository.looking_ahead(error, Some(ObjectType::Commit), |at| unread.get(at as usize).copied())
}

/// How many commits one need looks ahead.
const MOST_AHEAD: usize = 1024;
