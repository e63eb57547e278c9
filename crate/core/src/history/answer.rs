//! What a walk is asked: where it relied on something that turns out to be wrong, it
//! begins anew without that.

use super::commits::Commits;
use crate::error::Result;
use crate::repository::Repository;

/// What a walk relies on.
#[derive(Clone, Copy)]
pub(super) struct Trust {
    /// The commit-graph, if there is one.
    pub(super) graph: bool,
    /// That commits are what their ids say, until several are hashed at once. One that
    /// is damaged may lie elsewhere as well.
    pub(super) commits: bool,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust { graph: true, commits: true }
    }
}

/// A walk that can begin anew.
pub(super) trait Restart {
    /// Returns the commits that it came to; `None` before the first and once no more
    /// are read.
    fn commits(&mut self) -> Option<&mut Commits>;

    /// Begins anew. What was handed over is not handed over again.
    fn restart(&mut self, trust: Trust);
}

/// Asks a walk. Nothing of it is to be handed over, answers, needs and errors, but by
/// this: commits that were read are checked here.
///
/// # Errors
///
/// Those of the question.
pub(super) fn answer<W: Restart, T>(
    walk: &mut W,
    repository: &mut Repository,
    mut ask: impl FnMut(&mut W, &mut Repository) -> Result<T>,
) -> Result<T> {
    loop {
        let found = ask(walk, repository);
        let Some(commits) = walk.commits() else {
            return found;
        };
        let trust = commits.trust();
        if !commits.check(repository) {
            repository.odb.forget_bases();
            walk.restart(Trust { commits: false, ..trust });
            continue;
        }
        match found {
            Err(error) if commits.may_do_without_graph(&error) => {
                walk.restart(Trust { graph: false, ..trust });
            }
            found => return found,
        }
    }
}
