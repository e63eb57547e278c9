//! The trees that a walk over commits compares: most commits share them with their parents.

use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::{Mode, ObjectType, Tree};
use std::collections::VecDeque;

/// How many trees are kept, and how many bytes they may have together.
const MOST_TREES: usize = 64;
const MOST_BYTES: usize = 1 << 20;

/// Trees that were read, the newest last.
#[derive(Default)]
pub(super) struct TreeCache {
    trees: VecDeque<(ObjectId, Vec<u8>)>,
    bytes: usize,
}

impl TreeCache {
    /// Returns the mode and the id of an entry; `None` if the tree has none of this name.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading.
    pub fn entry(
        &mut self,
        repository: &mut Repository,
        tree: &ObjectId,
        name: &[u8],
    ) -> Result<Option<(Mode, ObjectId)>> {
        let content = self.content(repository, tree)?;
        for entry in Tree::new(repository.hash(), content) {
            let entry = entry?;
            if entry.name == name {
                return Ok(Some((entry.mode.canonical(), entry.oid)));
            }
        }
        Ok(None)
    }

    /// Returns whether a tree has no entries.
    ///
    /// # Errors
    ///
    /// As [`TreeCache::entry`].
    pub fn is_empty(&mut self, repository: &mut Repository, tree: &ObjectId) -> Result<bool> {
        Ok(self.content(repository, tree)?.is_empty())
    }

    fn content(&mut self, repository: &mut Repository, tree: &ObjectId) -> Result<&[u8]> {
        if !self.trees.iter().any(|(id, _)| id == tree) {
            let content = repository.read_of_type(tree, ObjectType::Tree)?;
            self.add(*tree, content);
        }
        let kept = self.trees.iter().rev().find(|(id, _)| id == tree);
        Ok(kept.map(|(_, content)| content.as_slice()).unwrap_or_default())
    }

    fn add(&mut self, id: ObjectId, content: Vec<u8>) {
        self.bytes = self.bytes.saturating_add(content.len());
        self.trees.push_back((id, content));
        // The newest tree stays, whatever its size: it is what the caller asks for.
        while self.trees.len() > MOST_TREES || (self.bytes > MOST_BYTES && self.trees.len() > 1) {
            let Some((_, content)) = self.trees.pop_front() else {
                return;
            };
            self.bytes = self.bytes.saturating_sub(content.len());
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.bytes as u64
    }
}
