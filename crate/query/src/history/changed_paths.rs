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

/// Returns the filter of the commit at a position; a damaged one counts as none.
fn filter_at(graph: &CommitGraph, files: &Files, position: u32) -> Result<Option<PathFilter>> {
    match graph.path_filter(files, position) {
        Err(error) if !error.is_missing() => Ok(None),
        filter => filter,
    }
}
