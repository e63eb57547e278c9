//! Compares two trees, as `git diff-tree` does: <https://git-scm.com/docs/git-diff-tree>.

use super::change::{Entry, TreeChange};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::{tree_order, ObjectType, Tree, TreeEntry};
use packlens_format::pathspec::{Pathspec, Selection};
use std::cmp::Ordering;
use std::rc::Rc;

/// How many of the following trees are prefetched at most.
const MOST_AHEAD: usize = 1 << 12;

/// Options of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeDiffOptions {
    /// Whether trees that differ are compared too, as with `-r`.
    pub recursive: bool,
    /// Whether trees that are compared are reported themselves, as with `-t`.
    pub trees: bool,
}

/// Reads the trees of a comparison.
pub(crate) trait Trees {
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading.
    fn tree(&mut self, repository: &mut Repository, id: &ObjectId) -> Result<Rc<Vec<u8>>>;
}

/// Reads each tree from the repository.
pub(crate) struct Uncached;

impl Trees for Uncached {
    fn tree(&mut self, repository: &mut Repository, id: &ObjectId) -> Result<Rc<Vec<u8>>> {
        repository.read_tree(id, repository.verify).map(Rc::new)
    }
}

/// A resumable comparison of two trees, in git's order. Subtrees are not read if they are equal,
/// or nothing in them is selected.
pub(crate) struct TreeDiff {
    options: TreeDiffOptions,
    /// Which entries are compared, if not all.
    pathspec: Option<Pathspec>,
    /// What the compared paths begin with.
    prefix: Vec<u8>,
    levels: Vec<DiffLevel>,
    depth_limit: usize,
    /// How many directories below the elements of the pathspec are entered, if not all.
    most_depth: Option<u32>,
    /// Whether entries that do not differ are reported too.
    unchanged: bool,
    /// The root trees, until they are read.
    roots: Option<[Option<ObjectId>; 2]>,
}

/// Two trees of the same path; the content of a tree that does not exist is empty.
struct DiffLevel {
    /// The path with a trailing slash; empty for the roots.
    prefix: Vec<u8>,
    contents: [Rc<Vec<u8>>; 2],
    at: [usize; 2],
}

/// The entries of one name in both trees, and the positions after them.
struct Pair<'a> {
    entries: [Option<TreeEntry<'a>>; 2],
    after: [usize; 2],
}

impl Pair<'_> {
    /// Returns the modes and ids of the entries.
    fn sides(&self) -> [Option<Entry>; 2] {
        self.entries.map(|entry| entry.map(|entry| (entry.mode, entry.oid)))
    }
}

impl TreeDiff {
    /// Starts to compare the trees that two revisions lead to; `None` is the empty tree.
    ///
    /// # Errors
    ///
    /// The errors of [`Repository::resolve`] and [`Repository::peel`].
    pub(crate) fn new(
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
        Ok(TreeDiff::between(roots, options, depth_limit))
    }

    /// Starts to compare two trees.
    pub(crate) fn between(
        roots: [Option<ObjectId>; 2],
        options: TreeDiffOptions,
        depth_limit: usize,
    ) -> TreeDiff {
        let levels = Vec::new();
        let (pathspec, prefix, roots) = (None, Vec::new(), Some(roots));
        let (most_depth, unchanged) = (None, false);
        TreeDiff { options, pathspec, prefix, levels, depth_limit, most_depth, unchanged, roots }
    }

    /// Returns the trees that are compared, before the first change was asked for.
    pub(super) fn roots(&self) -> Option<[Option<ObjectId>; 2]> {
        self.roots
    }

    /// Compares only entries that a pathspec selects.
    pub(crate) fn limit_to(&mut self, pathspec: Pathspec) {
        self.pathspec = Some(pathspec).filter(|pathspec| !pathspec.is_all());
    }

    /// Enters only so many directories below each element of the pathspec; deeper trees that differ
    /// are reported themselves.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the pathspec has wildcards.
    pub(super) fn limit_depth(&mut self, most: Option<u32>) -> Result<()> {
        let is_wild = self.pathspec.as_ref().is_some_and(Pathspec::has_wildcards);
        if most.is_some() && is_wild {
            let what = "max-depth cannot be used with wildcard pathspecs";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        self.most_depth = most;
        Ok(())
    }

    /// Compares only entries whose paths begin with `prefix`, which may end within a name.
    pub(super) fn begin_with(&mut self, prefix: Vec<u8>) {
        self.prefix = prefix;
    }

    /// Starts again with other trees.
    pub(crate) fn restart(&mut self, roots: [Option<ObjectId>; 2]) {
        self.levels.clear();
        self.roots = Some(roots);
    }

    /// Also reports entries that do not differ.
    pub(super) fn list_unchanged(&mut self) {
        self.unchanged = true;
    }

    /// Returns the next change; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading;
    /// [`ErrorKind::Limit`] for trees that are nested too deeply.
    pub(crate) fn next(
        &mut self,
        repository: &mut Repository,
        trees: &mut dyn Trees,
    ) -> Result<Option<TreeChange>> {
        if let Some(roots) = self.roots {
            if roots[0] != roots[1] || self.unchanged {
                self.enter(repository, trees, roots, Vec::new())?;
            }
            self.roots = None;
        }
        loop {
            repository.files.step()?;
            let hash = repository.hash();
            let Some(level) = self.levels.last() else {
                return Ok(None);
            };
            let pair = level.change_from(level.at, hash, self.unchanged)?;
            let (after, sides) = (pair.after, pair.sides());
            let Some((path, Selection { is_selected, descends })) = self.selection(level, &pair)
            else {
                self.levels.pop();
                continue;
            };
            let parent = self.levels.len();
            // Everything that can fail comes before the position moves.
            if descends {
                let ids = sides.map(|side| side.map(|(_, id)| id));
                let prefix = [&path, &b"/"[..]].concat();
                if let Err(error) = self.enter(repository, trees, ids, prefix) {
                    return Err(self.ahead(error, repository));
                }
            }
            if let Some(level) = self.levels.get_mut(parent.saturating_sub(1)) {
                level.at = after;
            }
            repository.files.advance();
            if is_selected {
                return Ok(Some(TreeChange { sides, path, origin: None }));
            }
        }
    }

    /// Returns the path of a pair, and whether it is listed and descended into; `None` if it has
    /// no entries.
    fn selection(&self, level: &DiffLevel, pair: &Pair<'_>) -> Option<(Vec<u8>, Selection)> {
        let entry = pair.entries[1].or(pair.entries[0])?;
        let path = [&level.prefix, entry.name].concat();
        let TreeDiffOptions { recursive, trees } = self.options;
        let enters = |most| match &self.pathspec {
            Some(pathspec) => pathspec.enters_within(&path, most),
            None => Pathspec::default().enters_within(&path, most),
        };
        let is_compared = recursive && entry.mode.is_tree() && self.most_depth.is_none_or(enters);
        let mut selection = Selection { is_selected: true, descends: true };
        if let Some(pathspec) = &self.pathspec {
            selection = pathspec.select(&path, level.prefix.len(), entry.mode, recursive);
        }
        let begins = path.starts_with(&self.prefix);
        let leads =
            begins || self.prefix.strip_prefix(&*path).is_some_and(|it| it.starts_with(b"/"));
        selection.descends &= is_compared && leads;
        selection.is_selected &= begins && (!is_compared || trees);
        Some((path, selection))
    }

    /// Returns how many bytes of memory the comparison takes.
    pub(crate) fn memory(&self) -> u64 {
        let sizes = self.levels.iter().map(|level| {
            let contents = level.contents.iter().map(|content| content.capacity() as u64);
            contents.fold(level.prefix.capacity() as u64, u64::saturating_add)
        });
        let pathspec = self.pathspec.as_ref().map_or(0, Pathspec::memory);
        sizes.fold(pathspec, u64::saturating_add).saturating_add(self.prefix.capacity() as u64)
    }

    fn enter(
        &mut self,
        repository: &mut Repository,
        trees: &mut dyn Trees,
        ids: [Option<ObjectId>; 2],
        prefix: Vec<u8>,
    ) -> Result<()> {
        if self.levels.len() >= self.depth_limit {
            return Err(Error::new(ErrorKind::Limit, "trees are nested too deep").about(prefix));
        }
        let mut contents = [Rc::default(), Rc::default()];
        for (content, id) in contents.iter_mut().zip(ids) {
            if let Some(id) = id {
                *content = trees.tree(repository, &id)?;
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
            while let Ok(pair) = level.change_from(at, hash, self.unchanged) {
                let Some((_, selection)) =
                    self.selection(level, &pair).filter(|_| ids.len() < MOST_AHEAD)
                else {
                    break;
                };
                if selection.descends {
                    ids.extend(pair.entries.into_iter().flatten().map(|entry| entry.oid));
                }
                at = pair.after;
            }
        }
        repository.looking_ahead(error, None, |at| ids.get(at as usize).copied())
    }
}

impl DiffLevel {
    /// Returns the first entries from a position on that differ, or the first of all; no entries
    /// at the end.
    fn change_from(&self, mut at: [usize; 2], hash: HashKind, unchanged: bool) -> Result<Pair<'_>> {
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
                    if !unchanged
                        && old.oid == new.oid
                        && old.mode.canonical() == new.mode.canonical() =>
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
