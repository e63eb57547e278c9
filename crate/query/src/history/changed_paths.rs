//! Which paths a commit changed, as far as the commit-graph's filters know.

use super::commits::{Commits, Number};
use crate::repository::Repository;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::{ChangedPath, CommitGraph};

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
            Ok(Some(position)) => asked(&graph, &self.files, position, path),
            Err(error) if error.is_missing() => Err(error),
            Ok(None) | Err(_) => Ok(true),
        }
    }
}

impl Commits {
    /// As [`Repository::may_have_changed`], for one of `paths`; no path may be anything.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn may_have_changed(
        &self,
        repository: &Repository,
        number: Number,
        paths: &[ChangedPath],
    ) -> Result<bool> {
        let (Some(graph), Some(position)) = self.in_graph(number) else {
            return Ok(true);
        };
        for path in paths {
            if asked(graph, &repository.files, position, path)? {
                return Ok(true);
            }
        }
        Ok(paths.is_empty())
    }
}

/// Asks the filter of the commit at a position; a damaged one knows nothing.
fn asked(graph: &CommitGraph, files: &Files, position: u32, path: &ChangedPath) -> Result<bool> {
    match graph.may_have_changed(files, position, path) {
        Err(error) if !error.is_missing() => Ok(true),
        may => may,
    }
}
