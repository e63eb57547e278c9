//! Compares two trees, as `git diff-tree` does: <https://git-scm.com/docs/git-diff-tree>.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId, MAX_OID_LEN};
use packlens_format::object::{tree_order, Mode, ObjectType, Tree, TreeEntry};
use std::cmp::Ordering;

/// How many of the following trees are prefetched at most.
const MOST_AHEAD: usize = 1 << 12;

/// The most bytes of a row beside its path: two modes, two lengths and two ids.
const ROW_LEN: usize = 4 * 4 + 2 * MAX_OID_LEN;

/// Options of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeDiffOptions {
    /// Whether trees that differ are compared too, as with `-r`.
    pub recursive: bool,
    /// Whether trees that are compared are reported themselves, as with `-t`.
    pub trees: bool,
}

/// A resumable comparison of two trees, in git's order. Equal subtrees are not read.
pub struct TreeDiff {
    options: TreeDiffOptions,
    levels: Vec<DiffLevel>,
    depth_limit: usize,
    /// The root trees, until they are read.
    roots: Option<[Option<ObjectId>; 2]>,
}

/// A path that differs between two trees.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TreeChange {
    /// Mode and id in the old and in the new tree; `None` where there is no such entry.
    pub sides: [Option<(Mode, ObjectId)>; 2],
    /// The path from the roots.
    pub path: Vec<u8>,
}

impl TreeChange {
    /// Returns the most bytes that the record of [`TreeChange::append`] takes.
    pub(crate) fn record_len(&self) -> usize {
        self.path.len().saturating_add(ROW_LEN)
    }

    /// Appends the record that [`TreeDiff::fill`] explains.
    pub(crate) fn append(&self, id_len: usize, to: &mut impl Append) -> Result<()> {
        for side in self.sides {
            to.u32(side.map_or(0, |(mode, _)| mode.canonical().0))?;
        }
        to.u32(id_len as u32)?;
        to.u32(self.path.len() as u32)?;
        for side in self.sides {
            match side {
                Some((_, id)) => to.oid(&id)?,
                None => to.bytes([0; MAX_OID_LEN].get(..id_len).unwrap_or_default())?,
            }
        }
        to.bytes(&self.path)
    }
}

/// Two trees of the same path; the content of a tree that does not exist is empty.
struct DiffLevel {
    /// The path with a trailing slash; empty for the roots.
    prefix: Vec<u8>,
    contents: [Vec<u8>; 2],
    at: [usize; 2],
}

/// The entries of one name in both trees, and the positions after them.
struct Pair<'a> {
    entries: [Option<TreeEntry<'a>>; 2],
    after: [usize; 2],
}

impl TreeDiff {
    /// Starts to compare the trees that two revisions lead to; `None` is the empty tree.
    ///
    /// # Errors
    ///
    /// The errors of [`Repository::resolve`] and [`Repository::peel`].
    pub fn new(
        repository: &mut Repository,
        specs: [Option<&[u8]>; 2],
        options: TreeDiffOptions,
        depth_limit: usize,
    ) -> Result<TreeDiff> {
        let mut roots = [None; 2];
        for (root, spec) in roots.iter_mut().zip(specs) {
            if let Some(spec) = spec {
                let id = repository.resolve(spec)?;
                *root = Some(repository.peel(&id, Some(ObjectType::Tree))?);
            }
        }
        Ok(TreeDiff { options, levels: Vec::new(), depth_limit, roots: Some(roots) })
    }

    /// Appends changes to `out` until it is about `capacity` bytes long; returns whether the
    /// comparison is complete.
    ///
    /// A record has: the old and the new mode (4 bytes each, 0 where there is no entry), the
    /// length of an id (4), the length of the path (4), the old and the new id (zeros where
    /// there is no entry), the path.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading;
    /// [`ErrorKind::Limit`] for trees that are nested too deeply.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while out.len() < capacity {
            match self.next(repository)? {
                Some(change) => {
                    let id_len = repository.hash().len();
                    out.appender().reserved(change.record_len(), |to| change.append(id_len, to))?;
                }
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Returns the next change; `None` after the last.
    ///
    /// # Errors
    ///
    /// As [`TreeDiff::fill`].
    pub fn next(&mut self, repository: &mut Repository) -> Result<Option<TreeChange>> {
        if let Some(roots) = self.roots {
            if roots[0] != roots[1] {
                self.enter(repository, roots, Vec::new())?;
            }
            self.roots = None;
        }
        loop {
            repository.files.step()?;
            let hash = repository.hash();
            let Some(level) = self.levels.last() else {
                return Ok(None);
            };
            let Pair { entries, after } = level.change_from(level.at, hash)?;
            let sides = entries.map(|entry| entry.map(|entry| (entry.mode, entry.oid)));
            let Some((any, name)) = entries[1].or(entries[0]).map(|entry| (entry.mode, entry.name))
            else {
                self.levels.pop();
                continue;
            };
            let path = [&level.prefix, name].concat();
            let descend = self.options.recursive && any.is_tree();
            let parent = self.levels.len();
            // Everything that can fail comes before the position moves.
            if descend {
                let ids = sides.map(|side| side.map(|(_, id)| id));
                let prefix = [&path, &b"/"[..]].concat();
                if let Err(error) = self.enter(repository, ids, prefix) {
                    return Err(self.ahead(error, repository));
                }
            }
            if let Some(level) = self.levels.get_mut(parent.saturating_sub(1)) {
                level.at = after;
            }
            if !descend || self.options.trees {
                return Ok(Some(TreeChange { sides, path }));
            }
        }
    }

    /// Returns how many bytes of memory the comparison takes.
    pub fn memory(&self) -> u64 {
        let sizes = self.levels.iter().map(|level| {
            let contents = level.contents.iter().map(|content| content.capacity() as u64);
            contents.fold(level.prefix.capacity() as u64, u64::saturating_add)
        });
        sizes.fold(0, u64::saturating_add)
    }

    fn enter(
        &mut self,
        repository: &mut Repository,
        ids: [Option<ObjectId>; 2],
        prefix: Vec<u8>,
    ) -> Result<()> {
        if self.levels.len() >= self.depth_limit {
            return Err(Error::new(ErrorKind::Limit, "trees are nested too deep").about(prefix));
        }
        let mut contents = [Vec::new(), Vec::new()];
        for (content, id) in contents.iter_mut().zip(ids) {
            if let Some(id) = id {
                *content = repository.read_of_type(&id, ObjectType::Tree)?;
            }
        }
        self.levels.push(DiffLevel { prefix, contents, at: [0; 2] });
        Ok(())
    }

    /// Adds the needs of the trees that are compared next to a need: first those in the same
    /// trees, then those in the trees above.
    fn ahead(&self, error: Error, repository: &mut Repository) -> Error {
        let hash = repository.hash();
        let mut ids = Vec::new();
        for level in self.levels.iter().rev() {
            let mut at = level.at;
            while let Ok(Pair { entries, after }) = level.change_from(at, hash) {
                if entries == [None; 2] || ids.len() >= MOST_AHEAD {
                    break;
                }
                let trees = entries.into_iter().flatten().filter(|entry| entry.mode.is_tree());
                ids.extend(trees.map(|entry| entry.oid));
                at = after;
            }
        }
        repository.looking_ahead(error, |at| ids.get(at as usize).copied())
    }
}

impl DiffLevel {
    /// Returns the first entries from a position on that differ; no entries at the end.
    fn change_from(&self, mut at: [usize; 2], hash: HashKind) -> Result<Pair<'_>> {
        loop {
            let (old, after_old) = entry_at(&self.contents[0], at[0], hash)?;
            let (new, after_new) = entry_at(&self.contents[1], at[1], hash)?;
            let order = match (&old, &new) {
                (Some(old), Some(new)) => tree_order(old, new),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            let pair = match order {
                Ordering::Less => Pair { entries: [old, None], after: [after_old, at[1]] },
                Ordering::Greater => Pair { entries: [None, new], after: [at[0], after_new] },
                Ordering::Equal => Pair { entries: [old, new], after: [after_old, after_new] },
            };
            match pair.entries {
                [Some(old), Some(new)]
                    if old.oid == new.oid && old.mode.canonical() == new.mode.canonical() =>
                {
                    at = pair.after;
                }
                _ => return Ok(pair),
            }
        }
    }
}

/// Returns the entry at a position and the position after it.
fn entry_at(content: &[u8], at: usize, hash: HashKind) -> Result<(Option<TreeEntry<'_>>, usize)> {
    let mut tree = Tree::new(hash, content.get(at..).unwrap_or_default());
    let entry = tree.next().transpose()?;
    Ok((entry, content.len().saturating_sub(tree.rest().len())))
}
