//! Which paths a commit changed, as far as the commit-graph knows.

use crate::commit_graph::ChangedPath;
use crate::error::Result;
use crate::oid::ObjectId;
use crate::repository::Repository;

impl Repository {
    /// Tells whether a commit may have changed a path, compared with its first
    /// parent. `false` is sure; `true` is not, and is the answer wherever there is
    /// no commit-graph that knows better.
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
