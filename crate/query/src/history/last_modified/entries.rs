//! The entries whose last changes are sought.

use super::LastModifiedOptions;
use crate::history::tree_cache::TreeCache;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::commit_graph::ChangedPath;
use packlens_format::object::Mode;
use std::ops::Range;

/// The entries of a directory, and of those below it as far as the options say, sorted by path.
#[derive(Default)]
pub(super) struct Entries {
    all: Vec<Entry>,
    /// Trees whose entries are not listed yet, if the listing has begun.
    pending: Option<Vec<Pending>>,
    is_complete: bool,
    /// How many bytes the paths take.
    bytes: u64,
}

pub(super) struct Entry {
    pub(super) mode: Mode,
    pub(super) id: ObjectId,
    /// The names from the directory to the entry, joined by `/`.
    pub(super) path: Vec<u8>,
    pub(super) key: ChangedPath,
    pub(super) is_found: bool,
}

#[derive(Clone)]
struct Pending {
    /// The path of the tree with a `/` after it; empty for the directory itself.
    prefix: Vec<u8>,
    tree: ObjectId,
    depth: u32,
}

impl Entries {
    /// Lists the entries of a directory.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: call again. [`ErrorKind::Limit`]; errors of reading.
    pub(super) fn list(
        &mut self,
        repository: &mut Repository,
        trees: &mut TreeCache,
        (directory, names): (&ObjectId, &[Vec<u8>]),
        options: &LastModifiedOptions,
    ) -> Result<()> {
        if self.is_complete {
            return Ok(());
        }
        let root = || vec![Pending { prefix: Vec::new(), tree: *directory, depth: 0 }];
        let mut pending = self.pending.take().unwrap_or_else(root);
        let mut listed = Ok(());
        while let (Ok(()), Some(next)) = (&listed, pending.last().cloned()) {
            listed = self.list_tree(repository, trees, (&next, names), options, &mut pending);
        }
        if let Err(error) = listed {
            self.pending = Some(pending);
            return Err(error);
        }
        sort::by(&mut self.all, |one, other| one.path.cmp(&other.path));
        self.is_complete = true;
        Ok(())
    }

    /// Lists the entries of the last pending tree. If bytes are missing, nothing has changed.
    fn list_tree(
        &mut self,
        repository: &mut Repository,
        trees: &mut TreeCache,
        (next, names): (&Pending, &[Vec<u8>]),
        options: &LastModifiedOptions,
        pending: &mut Vec<Pending>,
    ) -> Result<()> {
        repository.files.step()?;
        if next.depth as usize > repository.limits().tree_depth {
            let what = "trees are nested too deeply";
            return Err(Error::new(ErrorKind::Limit, what).about(next.prefix.clone()));
        }
        let mut found = Vec::new();
        trees.each(repository, &next.tree, |mode, id, name| {
            if next.depth > 0
                || options.names.is_empty()
                || options.names.iter().any(|own| own == name)
            {
                found.push((mode, id, [&next.prefix, name].concat()));
            }
        })?;
        pending.pop();
        for (mode, tree, path) in found {
            let is_open = mode.is_tree() && next.depth < options.depth;
            let each = size_of::<Entry>().saturating_add(path.capacity());
            self.bytes = self.bytes.saturating_add(each as u64);
            if is_open {
                let (prefix, depth) = ([&path, &b"/"[..]].concat(), next.depth.saturating_add(1));
                pending.push(Pending { prefix, tree, depth });
            }
            if !is_open || options.trees {
                let whole = names.iter().map(Vec::as_slice).chain([&*path]).collect::<Vec<_>>();
                let key = ChangedPath::new(&whole.join(&b'/'));
                self.all.push(Entry { mode, id: tree, path, key, is_found: false });
            }
        }
        if self.bytes > repository.memory() / 4 {
            let what =
                "the entries take more memory than allowed: ask for a directory, or raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        Ok(())
    }

    pub(super) fn get(&self, at: u32) -> Option<&Entry> {
        self.all.get(at as usize)
    }

    pub(super) fn get_mut(&mut self, at: u32) -> Option<&mut Entry> {
        self.all.get_mut(at as usize)
    }

    /// Returns the numbers of the entries that were not found yet.
    pub(super) fn sought(&self) -> Vec<u32> {
        let sought = (0u32..).zip(&self.all).filter(|(_, entry)| !entry.is_found);
        sought.map(|(at, _)| at).collect()
    }

    /// Splits sought entries, which the new tree has, into those that the old tree has, too, and
    /// the others. Trees below are read only if they differ and entries are sought in them.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading.
    pub(super) fn compare(
        &self,
        repository: &mut Repository,
        trees: &mut TreeCache,
        (old, new): (ObjectId, ObjectId),
        sought: Vec<u32>,
    ) -> Result<(Vec<u32>, Vec<u32>)> {
        let mut is_sought = vec![false; self.all.len()];
        for at in &sought {
            set(&mut is_sought, *at as usize);
        }
        let mut changed = vec![false; self.all.len()];
        let mut pending = vec![(Vec::new(), old, new)];
        while let Some((prefix, old, new)) = pending.pop() {
            let mut names = Vec::new();
            trees.changed_names(repository, &old, &new, |name| {
                let path = [&prefix, name].concat();
                if let Ok(at) = self.all.binary_search_by(|entry| entry.path.cmp(&path)) {
                    set(&mut changed, at);
                }
                let below = self.below(&path);
                if is_sought.get(below.clone()).is_some_and(|below| below.contains(&true)) {
                    names.push((path, below, name.to_vec()));
                }
            })?;
            for (mut path, below, name) in names {
                let [was, now] = [old, new].map(|tree| trees.entry(repository, &tree, &name));
                match (was?, now?) {
                    (Some((was, old)), Some((now, new))) if was.is_tree() && now.is_tree() => {
                        path.push(b'/');
                        pending.push((path, old, new));
                    }
                    _ => below.for_each(|at| set(&mut changed, at)),
                }
            }
        }
        let is_same = |at: &u32| changed.get(*at as usize) == Some(&false);
        Ok(sought.into_iter().partition(is_same))
    }

    /// Returns the entries in the tree at a path.
    fn below(&self, path: &[u8]) -> Range<usize> {
        let prefix = [path, b"/"].concat();
        let start = self.all.partition_point(|entry| entry.path < prefix);
        let after = self.all.get(start..).unwrap_or_default();
        let count = after.partition_point(|entry| entry.path.starts_with(&prefix));
        start..start.saturating_add(count)
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.bytes
    }
}

fn set(flags: &mut [bool], at: usize) {
    if let Some(flag) = flags.get_mut(at) {
        *flag = true;
    }
}
