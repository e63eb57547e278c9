//! What answers leave in the repository for later questions.
//!
//! A long answer owns its state, and borrows the repository. What is here outlives the answer
//! that made it, so no answer can own it.

use crate::history::{BeginningLength, GraphChecks, SharedCommits};
use crate::promised::Promised;
use crate::revision::{PathTrees, Questions};
use packlens_base::module::FullOnly;

#[derive(Default)]
pub(crate) struct Kept {
    /// The progress of questions that wait for bytes: a short question has nothing else to keep
    /// its progress in until it is asked again.
    pub(crate) questions: Questions,
    /// Trees of recent paths: callers ask for the paths of a directory one by one.
    pub(crate) path_trees: PathTrees,
    /// The promised objects: collected by the first question that misses an object.
    pub(crate) promised: Option<FullOnly<Promised>>,
    /// Rows of other instances: they arrive between the steps of a walk, and any walk uses them.
    pub(crate) shared_commits: Option<FullOnly<SharedCommits>>,
    /// The checks of commit-graphs: made once while a file is open, not by every walk.
    pub(crate) graphs: GraphChecks,
    /// How much of each commit is inflated first.
    pub(crate) beginning: BeginningLength,
}

impl Kept {
    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let promised = self.promised.as_ref().map_or(0, |promised| promised.memory());
        let shared = self.shared_commits.as_ref().map_or(0, |shared| shared.memory());
        let held = promised.saturating_add(shared);
        held.saturating_add(self.path_trees.memory()).saturating_add(self.questions.memory())
    }

    /// Forgets what depends on refs.
    pub(crate) fn refresh(&mut self) {
        self.path_trees.clear();
        self.questions.forget_known();
    }
}
