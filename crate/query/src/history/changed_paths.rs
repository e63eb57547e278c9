//! Which paths a commit changed, as far as the commit-graph's filters know.

use super::commits::{Commits, Number};
use crate::repository::Repository;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::{ChangedPath, CommitGraph, PathFilter};

impl Repository {
    /// Returns whether a commit may have changed a path, compared with its first parent.
    /// `false` is certain. `true` is not, and is also returned if no commit-graph has a filter
    /// of the commit.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn may_have_changed(&mut self, commit: &ObjectId, path: &ChangedPath) -> Result<bool> {
        let Some(graph) = self.open_graph(false)? else {
            return Ok(true);
        };
        match graph.find(&self.files, commit) {
            Ok(Some(position)) => {
                let filter = filter_at(&graph, &self.files, position)?;
                Ok(filter.is_none_or(|filter| filter.may_have(path)))
            }
            Err(error) if error.is_missing() => Err(error),
            Ok(None) | Err(_) => Ok(true),
        }
    }
}

impl Commits {
    /// Returns the filter of the paths that a commit may have changed, compared with its first
    /// parent; `None` if it has none.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn path_filter(
        &self,
        repository: &Repository,
        number: Number,
    ) -> Result<Option<PathFilter>> {
        match self.in_graph(number) {
            (Some(graph), Some(position)) => filter_at(graph, &repository.files, position),
            _ => Ok(None),
        }
    }
}

/// How many commits are passed to find one that a walk compares next.
const MOST_PASSED: u32 = 1 << 13;

/// How many trees of these are named.
const MOST_AHEAD: usize = 64;

impl Commits {
    /// Returns the tree of a commit that has the same at the paths as this one: of the last one
    /// along first parents before a filter says that it `may_differ` from its own. So commits
    /// with nothing but other changes between them are compared by one tree each. Only what is
    /// in memory of the graph is looked at.
    ///
    /// # Errors
    ///
    /// Missing bytes of the commit's own row; errors of reading.
    pub(super) fn tree_of_same(
        &mut self,
        repository: &mut Repository,
        number: Number,
        may_differ: impl Fn(&PathFilter) -> bool,
    ) -> Result<ObjectId> {
        let (Some(graph), Some(mut position)) = self.in_graph(number) else {
            return self.compared_tree(repository, number);
        };
        let files = &repository.files;
        let mut parents = Vec::new();
        for _ in 0..MOST_PASSED {
            let filter = graph.path_filter(files, position);
            if !matches!(filter, Ok(Some(filter)) if !may_differ(&filter)) {
                break;
            }
            parents.clear();
            match (graph.parents_at(files, position, &mut parents), parents.first()) {
                (Ok(()), Some(parent)) => position = *parent,
                _ => break,
            }
        }
        graph.tree_at(files, position)
    }

    /// Returns trees that a walk reads next, if commits are as their first parents where a filter
    /// says so: those of the commits of the graph along first parents that `may_differ`, with
    /// which the ones before are compared, too. A merge among these is compared with its other
    /// parents as well. They are guesses: nothing relies on them.
    #[cold]
    pub(super) fn compared_ahead(
        &self,
        repository: &Repository,
        number: Number,
        may_differ: impl Fn(&PathFilter) -> bool,
    ) -> Vec<ObjectId> {
        let mut found = Vec::new();
        let (Some(graph), mut next) = self.in_graph(number) else {
            return found;
        };
        let mut passed = MOST_PASSED;
        while let Some(position) = next.filter(|_| found.len() < MOST_AHEAD) {
            let files = &repository.files;
            let Some(parents) = next_compared(graph, files, position, &may_differ, &mut passed)
            else {
                break;
            };
            let (position, parents) = parents;
            found.extend(graph.tree_at(files, position));
            for other in parents.iter().skip(1) {
                let side = next_compared(graph, files, *other, &may_differ, &mut passed);
                let tree = side.and_then(|(position, _)| graph.tree_at(files, position).ok());
                found.extend(tree.filter(|tree| !found.contains(tree)));
            }
            next = parents.first().copied();
        }
        found
    }
}

/// Goes along first parents to a commit that `may_differ` from its own; returns it, and its
/// parents. `passed` is how many commits may still be looked at.
fn next_compared(
    graph: &CommitGraph,
    files: &Files,
    mut position: u32,
    may_differ: impl Fn(&PathFilter) -> bool,
    passed: &mut u32,
) -> Option<(u32, Vec<u32>)> {
    let mut parents = Vec::new();
    loop {
        *passed = passed.checked_sub(1)?;
        parents.clear();
        graph.parents_at(files, position, &mut parents).ok()?;
        let filter = filter_at(graph, files, position);
        if filter.is_ok_and(|filter| filter.is_none_or(|filter| may_differ(&filter))) {
            return Some((position, parents));
        }
        position = *parents.first()?;
    }
}

/// Returns the filter of the commit at a position; a damaged one counts as none.
fn filter_at(graph: &CommitGraph, files: &Files, position: u32) -> Result<Option<PathFilter>> {
    match graph.path_filter(files, position) {
        Err(error) if !error.is_missing() => Ok(None),
        filter => filter,
    }
}
