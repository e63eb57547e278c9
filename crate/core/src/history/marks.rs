//! What is noted of a commit, and marking all that one leads to.

use super::commits::{Commits, Flags, Number};
use super::queue::Queue;
use crate::error::{Error, ErrorKind, Result};
use crate::repository::Repository;

/// It is, or was, in the queue of the walk.
pub(super) const SEEN: Flags = 1;
/// It is not asked for: a commit that is left out leads to it.
pub(super) const UNINTERESTING: Flags = 1 << 1;
/// It is in the queue now.
pub(super) const QUEUED: Flags = 1 << 2;

/// Marks a commit, which may be in the queue; returns how many interesting
/// commits there are fewer in it.
pub(super) fn mark(commits: &mut Commits, number: Number) -> usize {
    let flags = commits.flags(number);
    commits.set(number, UNINTERESTING);
    usize::from(flags & UNINTERESTING == 0 && flags & QUEUED != 0)
}

/// Marks what a commit leads to, as far as that was parsed: what is parsed later
/// is marked then. Returns how many interesting commits there are fewer in the
/// queue.
pub(super) fn mark_ancestors(commits: &mut Commits, number: Number) -> usize {
    let mut left = 0usize;
    let mut pending: Vec<Number> = Vec::new();
    let mut at = Some(number);
    while let Some(number) = at {
        for place in commits.parents(number) {
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

/// Parses the parents of a commit that the walk goes on to. With `gently` those
/// that are not there are passed over, as git does for commits that are left out.
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
            result => result?,
        }
    }
    Ok(())
}

/// Adds to a need what the commits in a queue will need.
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
    repository.looking_ahead(error, |at| unread.get(at as usize).copied())
}

/// How many commits are looked at ahead.
const MOST_AHEAD: usize = 1024;
