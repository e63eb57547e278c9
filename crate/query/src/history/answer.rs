//! Runs the calls of a walk, and restarts the walk without whatever it wrongly relied on.

use super::commits::Commits;
use super::tree_cache::TreeCache;
use crate::repository::Repository;
use packlens_base::error::Result;

/// The things that a walk relies on.
#[derive(Clone, Copy)]
pub(super) struct Trust {
    /// The commit-graph, if there is one.
    pub(super) graph: bool,
    /// Commits are hashed several at a time, after they were used. Where one is damaged, the
    /// restarted walk hashes each when it is read, so that another copy of the object can be
    /// found.
    pub(super) commits: bool,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust { graph: true, commits: true }
    }
}

/// A walk that can be restarted.
pub(super) trait Restart {
    /// Returns the commits that the walk visited; `None` before the first one, and once no more
    /// commits are read.
    fn commits(&mut self) -> Option<&mut Commits>;

    /// Returns the trees that the walk read, if they are still to be hashed.
    fn trees(&mut self) -> Option<&mut TreeCache> {
        None
    }

    /// Restarts the walk. Results that were returned before are not returned again.
    fn restart(&mut self, trust: Trust);
}

/// Calls a walk. Every result of a walk (answers, needs and errors) must pass through this
/// function: it hashes the commits that the result depends on.
///
/// # Errors
///
/// The errors of the call.
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
        let is_good = commits.check(repository);
        if !is_good || walk.trees().is_some_and(|trees| !trees.check(repository)) {
            repository.odb.forget_bases();
            walk.restart(Trust { commits: false, ..trust });
            continue;
        }
        let commits = walk.commits();
        match found {
            Err(error) if commits.is_some_and(|commits| commits.may_do_without_graph(&error)) => {
                walk.restart(Trust { graph: false, ..trust });
            }
            found => return found,
        }
    }
}
