//! Which paths a commit changed, as far as the commit-graph's filters know.

use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::ChangedPath;

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
        let asked = match graph.find(&self.files, commit) {
            Ok(Some(position)) => graph.may_have_changed(&self.files, position, path),
            Ok(None) => Ok(true),
            Err(error) => Err(error),
        };
        match asked {
            Err(error) if !error.is_missing() => Ok(true),
            asked => asked,
        }
    }
}
