//! The trees that a walk over commits compares: most commits share them with their parents.

use super::answer::Trust;
use super::unchecked_trees::UncheckedTrees;
use crate::changes::Trees;
use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::{tree_order, Mode, Tree};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::rc::Rc;

/// How many trees are kept, and how many bytes they may have together.
const MOST_TREES: usize = 64;
const MOST_BYTES: usize = 1 << 20;

/// Trees that were read, the last used one at the end.
#[derive(Default)]
pub(super) struct TreeCache {
    trees: VecDeque<(ObjectId, Rc<Vec<u8>>)>,
    bytes: usize,
    /// Trees that were read and not hashed yet, if the walk checks them.
    unchecked: Option<UncheckedTrees>,
    is_damaged: bool,
}

impl TreeCache {
    /// Creates a cache whose trees are hashed several at a time, after they were used: the walk
    /// must [`check`](TreeCache::check) them before it returns results.
    pub(super) fn unchecked(trust: Trust) -> TreeCache {
        let unchecked = trust.commits.then(UncheckedTrees::default);
        TreeCache { unchecked, ..TreeCache::default() }
    }

    /// Hashes the trees that were read; returns whether all match their ids.
    pub(super) fn check(&mut self, repository: &mut Repository) -> bool {
        let unchecked = self.unchecked.as_mut().filter(|unchecked| !unchecked.is_empty());
        if let Some(unchecked) = unchecked {
            self.is_damaged |= !unchecked.check(repository);
        }
        !self.is_damaged
    }

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
        let entry = Tree::new(repository.hash(), content).find_entry(name)?;
        Ok(entry.map(|entry| (entry.mode.canonical(), entry.oid)))
    }

    /// Calls `see` with the mode, the id and the name of each entry.
    ///
    /// # Errors
    ///
    /// As [`TreeCache::entry`].
    pub fn each(
        &mut self,
        repository: &mut Repository,
        tree: &ObjectId,
        mut see: impl FnMut(Mode, ObjectId, &[u8]),
    ) -> Result<()> {
        let content = self.content(repository, tree)?;
        for entry in Tree::new(repository.hash(), content) {
            let entry = entry?;
            see(entry.mode.canonical(), entry.oid, entry.name);
        }
        Ok(())
    }

    /// Calls `see` with each name of the new tree whose entry the old one has otherwise, or not
    /// at all.
    ///
    /// # Errors
    ///
    /// As [`TreeCache::entry`].
    pub fn changed_names(
        &mut self,
        repository: &mut Repository,
        old: &ObjectId,
        new: &ObjectId,
        mut see: impl FnMut(&[u8]),
    ) -> Result<()> {
        self.content(repository, old)?;
        self.content(repository, new)?;
        let hash = repository.hash();
        let [mut old, mut new] = [old, new].map(|tree| Tree::new(hash, self.kept(tree)));
        loop {
            // Most trees differ in one entry: what is before it and after it is compared as a
            // whole.
            let same = common_length(old.rest(), new.rest());
            if same == old.rest().len() && same == new.rest().len() {
                return Ok(());
            }
            let left = new.rest().len();
            new.pass_over(same)?;
            let passed = left.saturating_sub(new.rest().len());
            old = Tree::new(hash, old.rest().get(passed..).unwrap_or_default());
            let (after_old, after_new) = (&mut old.clone(), &mut new.clone());
            let [was, now] = [after_old.next().transpose()?, after_new.next().transpose()?];
            let Some(now) = now else {
                return Ok(());
            };
            let order = was.map_or(Ordering::Greater, |was| tree_order(&was, &now));
            let is_same = was.is_some_and(|was| {
                was.oid == now.oid && was.mode.canonical() == now.mode.canonical()
            });
            if order != Ordering::Greater {
                old = after_old.clone();
            }
            if order != Ordering::Less {
                new = after_new.clone();
            }
            if order == Ordering::Greater || (order == Ordering::Equal && !is_same) {
                see(now.name);
            }
        }
    }

    fn kept(&self, tree: &ObjectId) -> &[u8] {
        let kept = self.trees.iter().rev().find(|(id, _)| id == tree);
        kept.map(|(_, content)| content.as_slice()).unwrap_or_default()
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
        match self.trees.iter().rposition(|(id, _)| id == tree) {
            Some(at) if at.saturating_add(1) == self.trees.len() => {}
            Some(at) => {
                let used = self.trees.remove(at);
                self.trees.extend(used);
            }
            None => {
                self.read(repository, tree)?;
            }
        }
        Ok(self.kept(tree))
    }

    fn read(&mut self, repository: &mut Repository, tree: &ObjectId) -> Result<()> {
        let unchecked = self.unchecked.as_mut().filter(|unchecked| unchecked.takes(repository));
        let Some(unchecked) = unchecked else {
            let content = repository.read_tree(tree, repository.verify)?;
            self.add(*tree, Rc::new(content));
            return Ok(());
        };
        let real = repository.odb.real(tree)?;
        let content = match repository.read_tree(tree, Verify::None) {
            // Another copy of the object may be good.
            Err(error) if !error.is_missing() => repository.read_tree(tree, Verify::Oid)?,
            content => content?,
        };
        let content = Rc::new(content);
        let is_enough = unchecked.push(real, content.clone());
        self.add(*tree, content);
        if is_enough && !self.check(repository) {
            return Err(damaged());
        }
        Ok(())
    }

    fn add(&mut self, id: ObjectId, content: Rc<Vec<u8>>) {
        self.bytes = self.bytes.saturating_add(content.len());
        self.trees.push_back((id, content));
        // The two newest trees stay, whatever their size: they are what the caller asks for.
        while self.trees.len() > MOST_TREES || (self.bytes > MOST_BYTES && self.trees.len() > 2) {
            let Some((_, content)) = self.trees.pop_front() else {
                return;
            };
            self.bytes = self.bytes.saturating_sub(content.len());
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let unchecked = self.unchecked.as_ref().map_or(0, UncheckedTrees::memory);
        unchecked.saturating_add(self.bytes as u64)
    }
}

impl Trees for TreeCache {
    fn tree(&mut self, repository: &mut Repository, id: &ObjectId) -> Result<Rc<Vec<u8>>> {
        self.content(repository, id)?;
        let kept = self.trees.back().filter(|(kept, _)| kept == id);
        Ok(kept.map(|(_, content)| content.clone()).unwrap_or_default())
    }
}

/// Returns an error that restarts the walk; the restarted walk reports the damaged tree.
#[cold]
fn damaged() -> Error {
    Error::new(ErrorKind::Corrupt, "a tree does not match its object id")
}

/// Returns how many bytes two trees have in common at their start.
fn common_length(one: &[u8], other: &[u8]) -> usize {
    const EACH: usize = 64;
    let pairs = one.chunks_exact(EACH).zip(other.chunks_exact(EACH));
    let whole = pairs.take_while(|(one, other)| one == other).count().saturating_mul(EACH);
    let rests = [one, other].map(|all| all.get(whole..).unwrap_or_default());
    let equal = rests[0].iter().zip(rests[1]).take_while(|(one, other)| one == other).count();
    whole.saturating_add(equal)
}
