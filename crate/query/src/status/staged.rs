//! How the index differs from the tree of `HEAD`. What the index knows to be a tree is not read if
//! `HEAD` has the same one.

use crate::changes::{RenameOptions, Renames, TreeChange};
use crate::file_walk::{FileEntry, FileWalk};
use crate::repository::Repository;
use crate::worktree::Tracked;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::{Mode, ObjectType};
use packlens_format::pathspec::Pathspec;
use std::cmp::Ordering;

/// A resumable comparison, in the order of paths.
pub(super) struct StagedChanges {
    /// The files of `HEAD`; `None` if it has no commit yet.
    head: Option<FileWalk>,
    /// The trees that directories of the index are, by their paths.
    cached: Vec<(Vec<u8>, ObjectId)>,
    /// The next entry of the index.
    at: usize,
    renames: Renames,
    is_compared: bool,
    /// The changes that result, in the order of their new paths.
    pub(super) changes: Vec<TreeChange>,
}

impl StagedChanges {
    /// Finds the tree of `HEAD`.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading the commit.
    #[inline(never)]
    pub(super) fn new(
        repository: &mut Repository,
        pathspec: Pathspec,
        renames: RenameOptions,
        cached: Vec<(Vec<u8>, ObjectId)>,
    ) -> Result<StagedChanges> {
        let commit = match repository.resolve(b"HEAD") {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            commit => Some(commit?),
        };
        let tree = commit.map(|commit| repository.peel(&commit, Some(ObjectType::Tree)));
        let tree = tree.transpose()?;
        let depth = repository.limits().tree_depth;
        let head = tree.map(|tree| FileWalk::new(tree, pathspec, false, depth));
        let is_compared = tree.is_some_and(|tree| is_cached(&cached, b"", &tree));
        let renames = Renames::new(renames, None);
        Ok(StagedChanges { head, cached, at: 0, renames, is_compared, changes: Vec::new() })
    }

    /// Whether `HEAD` has a commit. Without one every entry of the index is new.
    pub(super) fn has_commit(&self) -> bool {
        self.head.is_some()
    }

    /// Compares all entries.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    #[inline(never)]
    pub(super) fn find(
        &mut self,
        repository: &mut Repository,
        tracked: &Tracked,
        pathspec: &Pathspec,
    ) -> Result<()> {
        while self.step(repository, tracked, pathspec)? {}
        Ok(())
    }

    /// Compares the next entry; returns whether there may be more.
    #[inline(never)]
    fn step(
        &mut self,
        repository: &mut Repository,
        tracked: &Tracked,
        pathspec: &Pathspec,
    ) -> Result<bool> {
        repository.files.step()?;
        if self.is_compared {
            return match self.renames.next(repository)? {
                Some(change) => {
                    self.changes.push(change);
                    Ok(true)
                }
                None => {
                    let by_path = |one: &TreeChange, other: &TreeChange| one.path.cmp(&other.path);
                    packlens_base::sort::by(&mut self.changes, by_path);
                    Ok(false)
                }
            };
        }
        let old = match &mut self.head {
            Some(head) => head.next(repository)?,
            None => None,
        };
        let new = tracked.get(self.at);
        let order = match (&old, new) {
            (None, None) => {
                self.is_compared = true;
                return Ok(true);
            }
            (Some(old), Some((_, path))) if old.mode.is_tree() => {
                // What is in a tree comes before an entry that is not below it and is larger.
                let prefix = [old.path.as_slice(), b"/"].concat();
                match path < prefix.as_slice() {
                    true => Ordering::Greater,
                    false => Ordering::Less,
                }
            }
            (Some(old), Some((_, path))) => old.path.as_slice().cmp(path),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
        let old = old.filter(|_| order != Ordering::Greater);
        if let (Some(head), Some(old)) = (&mut self.head, &old) {
            match old.mode.is_tree() {
                true => {
                    let prefix = [old.path.as_slice(), b"/"].concat();
                    let below = tracked.below(&prefix, &(self.at..tracked.len()));
                    match !below.is_empty() && is_cached(&self.cached, &prefix, &old.oid) {
                        true => {
                            self.at = below.end;
                            head.pass(old);
                        }
                        false => head.enter(repository, old)?,
                    }
                    return Ok(true);
                }
                false => head.pass(old),
            }
        }
        self.compare(old, tracked, order != Ordering::Less, (repository, pathspec))
    }

    /// Compares a file of `HEAD` with the next entry of the index, if that has its path.
    fn compare(
        &mut self,
        old: Option<FileEntry>,
        tracked: &Tracked,
        has_new: bool,
        (repository, pathspec): (&Repository, &Pathspec),
    ) -> Result<bool> {
        let mut sides = [old.as_ref().map(|old| (old.mode.canonical(), old.oid)), None];
        let mut path = old.map(|old| old.path).unwrap_or_default();
        if has_new {
            if let Some((entry, name)) = tracked.get(self.at) {
                let all = tracked.of(name, &(self.at..tracked.len()));
                self.at = all.end.max(self.at.saturating_add(1));
                let mode = Mode(entry.mode);
                // Conflicts are listed apart.
                if entry.stage > 0 || !pathspec.select(name, 0, mode, true).is_selected {
                    return Ok(true);
                }
                if !entry.intent_to_add {
                    sides[1] = Some((mode.canonical(), entry.id));
                }
                path = name.to_vec();
            }
        }
        if sides[0] != sides[1] {
            let change = TreeChange { sides, path, origin: None };
            self.renames.add(change, repository.memory())?;
        }
        Ok(true)
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let head = self.head.as_ref().map_or(0, FileWalk::memory);
        let changes = self.changes.iter().map(TreeChange::memory);
        let own = changes.fold(head.saturating_add(self.renames.memory()), u64::saturating_add);
        let size = |(path, _): &(Vec<u8>, ObjectId)| {
            size_of::<(Vec<u8>, ObjectId)>().saturating_add(path.capacity()) as u64
        };
        self.cached.iter().map(size).fold(own, u64::saturating_add)
    }
}

/// Returns whether a directory, whose path ends with a slash, is a tree.
fn is_cached(cached: &[(Vec<u8>, ObjectId)], path: &[u8], tree: &ObjectId) -> bool {
    let found = cached.binary_search_by(|(known, _)| known.as_slice().cmp(path)).ok();
    found.and_then(|at| cached.get(at)).is_some_and(|(_, id)| id == tree)
}
