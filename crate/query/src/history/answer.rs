//! Runs the calls of a walk, and restarts the walk without whatever it wrongly relied on.

use super::commits::Commits;
use super::tree_cache::TreeCache;
use crate::repository::Repository;
use packlens_base::appender::Output;
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

/// A walk that appends what it finds, and compares trees of commits.
pub(super) trait Finding: Restart {
    /// Returns the place of the commits, and what new ones may rely on.
    fn commits_place(&mut self) -> (&mut Option<Commits>, Trust);

    /// Returns whether generation numbers decide what the walk finds.
    fn relies_on_generations(&self) -> bool {
        false
    }

    /// Returns whether the walk has started since it was made or restarted.
    fn is_started(&mut self) -> &mut bool;

    /// Finds where the walk begins.
    fn start(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()>;

    /// Takes a step, which may append results; returns whether the walk is complete.
    fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool>;
}

/// Appends results of a walk to `out` until it is about `capacity` bytes long, or more have to be
/// waited for; returns whether the walk is complete.
///
/// # Errors
///
/// Those of the walk, if it has found nothing.
pub(super) fn fill<W: Finding>(
    walk: &mut W,
    repository: &mut Repository,
    capacity: usize,
    out: &mut Output,
) -> Result<bool> {
    let start = out.len();
    let filled = answer(walk, repository, |walk, repository| {
        // A walk that restarted finds again what it found in this call.
        out.truncate(start);
        let relies_on_generations = walk.relies_on_generations();
        let (place, trust) = walk.commits_place();
        let mut commits = match place.take() {
            Some(commits) => commits,
            None => {
                let mut commits = Commits::new(repository, trust, relies_on_generations)?;
                commits.keep_trees()?;
                commits
            }
        };
        let filled = take_on(walk, &mut commits, repository, capacity, out);
        *walk.commits_place().0 = Some(commits);
        filled
    });
    match filled {
        // The caller gets what was found before it provides the missing bytes.
        Err(error) if error.is_missing() && out.len() > start => Ok(false),
        filled => filled,
    }
}

fn take_on<W: Finding>(
    walk: &mut W,
    commits: &mut Commits,
    repository: &mut Repository,
    capacity: usize,
    out: &mut Output,
) -> Result<bool> {
    if !*walk.is_started() {
        walk.start(commits, repository)?;
        *walk.is_started() = true;
    }
    while out.len() < capacity {
        repository.files.step()?;
        if walk.step(commits, repository, out)? {
            return Ok(true);
        }
        repository.files.advance();
    }
    Ok(false)
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
