//! Limits a walk to the commits that changed given paths: the default mode of
//! <https://git-scm.com/docs/git-log#_history_simplification>.

use super::commits::{Commits, Number};
use super::marks::{BOTTOM, SAME, UNINTERESTING};
use super::tree_cache::TreeCache;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::ChangedPath;
use packlens_format::object::Mode;

/// The paths that limit a walk, and the trees that were read to compare them.
pub(super) struct PathLimit {
    paths: Vec<Path>,
    keys: Vec<ChangedPath>,
    trees: TreeCache,
}

/// A path by its names; the empty one stands for everything.
struct Path {
    names: Vec<Vec<u8>>,
    /// The path ends with a slash: only a directory or a submodule has it.
    is_directory: bool,
}

impl PathLimit {
    pub fn new(paths: &[Vec<u8>]) -> PathLimit {
        let paths: Vec<Path> = paths.iter().map(|path| Path::new(path)).collect();
        // No filter knows whether anything changed.
        let all = paths.iter().any(|path| path.names.is_empty());
        let keyed = if all { &[][..] } else { &paths };
        let keys = keyed.iter().map(|path| ChangedPath::new(&path.names.join(&b'/'))).collect();
        PathLimit { paths, keys, trees: TreeCache::default() }
    }

    /// Compares a commit with its first `most` parents. If it changed none of the paths, it is
    /// marked; if it has the paths as one of its parents has them, that becomes its only parent,
    /// because the walk learns nothing from the others.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Errors of reading.
    pub fn simplify(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        most: usize,
    ) -> Result<()> {
        let parents = commits.parents(number);
        // An excluded commit is not listed, but one that was excluded by name is where the
        // caller wants the walk to end.
        let excluded = |commits: &Commits, place| {
            let parent = commits.edge(place);
            commits.has(parent, UNINTERESTING) && !commits.has(parent, BOTTOM)
        };
        let mut changed = false;
        let mut changed_from_excluded = false;
        for (at, place) in parents.clone().take(most).enumerate() {
            let pair = (number, Some(commits.edge(place)));
            let differs = self.differs_from(commits, repository, pair, at)?;
            match (excluded(commits, place), differs) {
                (false, false) => {
                    commits.keep_parent(number, place);
                    commits.set(number, SAME);
                    return Ok(());
                }
                (false, true) => changed = true,
                (true, differs) => changed_from_excluded |= differs,
            }
        }
        if parents.is_empty() {
            changed = self.differs_from(commits, repository, (number, None), 0)?;
        }
        // Excluded parents count only if there are no others. Where git follows first parents,
        // it looks whether the second one is excluded, though it does not compare with it.
        let looks_at = most.max(2);
        let counts_excluded = parents.take(looks_at).all(|place| excluded(commits, place));
        if !(changed || (counts_excluded && changed_from_excluded)) {
            commits.set(number, SAME);
        }
        Ok(())
    }

    /// Returns whether a commit has the paths otherwise than a parent; the parent of a root has
    /// none of them.
    fn differs_from(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        (number, parent): (Number, Option<Number>),
        at: usize,
    ) -> Result<bool> {
        // A filter compares with the first parent.
        if at == 0 && !self.keys.is_empty() {
            let filter = commits.path_filter(repository, number)?;
            if filter.is_some_and(|filter| !self.keys.iter().any(|key| filter.may_have(key))) {
                return Ok(false);
            }
        }
        let new = commits.tree(repository, number)?;
        let old = match parent {
            Some(parent) => Some(commits.tree(repository, parent)?),
            None => None,
        };
        if old == Some(new) {
            return Ok(false);
        }
        let PathLimit { paths, trees, .. } = self;
        for path in paths {
            if path.differs(trees, repository, old, new)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.trees.memory()
    }
}

impl Path {
    fn new(path: &[u8]) -> Path {
        let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        Path { names: names.map(<[u8]>::to_vec).collect(), is_directory: path.ends_with(b"/") }
    }

    /// Returns whether two trees have different entries at the path.
    fn differs(
        &self,
        trees: &mut TreeCache,
        repository: &mut Repository,
        old: Option<ObjectId>,
        new: ObjectId,
    ) -> Result<bool> {
        let mut both = [old, Some(new)];
        let Some((last, above)) = self.names.split_last() else {
            return match old {
                Some(old) => Ok(old != new),
                None => Ok(!trees.is_empty(repository, &new)?),
            };
        };
        for name in above {
            let mut next = [None; 2];
            for (next, tree) in next.iter_mut().zip(both) {
                let entry = entry(trees, repository, tree, name)?;
                *next = entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id);
            }
            if next[0] == next[1] {
                return Ok(false);
            }
            both = next;
        }
        let mut found = [None; 2];
        for (found, tree) in found.iter_mut().zip(both) {
            let entry = entry(trees, repository, tree, last)?;
            let fits = |mode: Mode| !self.is_directory || mode.is_tree() || mode.is_gitlink();
            *found = entry.filter(|(mode, _)| fits(*mode));
        }
        Ok(found[0] != found[1])
    }
}

fn entry(
    trees: &mut TreeCache,
    repository: &mut Repository,
    tree: Option<ObjectId>,
    name: &[u8],
) -> Result<Option<(Mode, ObjectId)>> {
    match tree {
        Some(tree) => trees.entry(repository, &tree, name),
        None => Ok(None),
    }
}
