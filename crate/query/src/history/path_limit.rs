//! The paths that limit a walk: whether two commits have them otherwise.

use super::answer::Trust;
use super::commits::{Commits, Number};
use super::tree_cache::TreeCache;
use super::trees_below::TreesBelow;
use crate::changes::{TreeDiff, TreeDiffOptions};
use crate::repository::Repository;
use packlens_base::error::{Error, Need, Result};
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::{ChangedPath, PathFilter};
use packlens_format::object::{Mode, ObjectType};
use packlens_format::pathspec::Pathspec;

/// The paths that limit a walk, and the trees that were read to compare them.
pub(super) struct PathLimit {
    paths: Paths,
    /// Paths such that a commit that changed none of them changed nothing that is selected.
    keys: Vec<ChangedPath>,
    trees: TreeCache,
    /// What is being compared. If bytes are missing, the next call goes on with it: by then other
    /// trees might be chosen, for which it would begin anew.
    comparing: Option<(Pair, [Option<ObjectId>; 2])>,
}

/// A commit and a parent of it.
type Pair = (Number, Option<Number>);

enum Paths {
    /// Each is looked up in both trees.
    Plain(Vec<Path>),
    /// The trees are compared until something selected differs.
    Selected(Box<TreeDiff>),
}

/// A path by its names; the empty one stands for everything.
struct Path {
    names: Vec<Vec<u8>>,
    /// The path ends with a slash: only a directory or a submodule has it.
    is_directory: bool,
    /// The trees on the way to it in those that will be compared.
    below: TreesBelow,
}

impl PathLimit {
    pub fn new(pathspec: Pathspec, depth_limit: usize) -> PathLimit {
        let trees = TreeCache::unchecked(Trust::default());
        let paths = Paths::Plain(Vec::new());
        let mut limit = PathLimit { paths, keys: Vec::new(), trees, comparing: None };
        limit.set_paths(pathspec, depth_limit);
        limit
    }

    /// Limits the walk to other paths.
    pub(super) fn set_paths(&mut self, pathspec: Pathspec, depth_limit: usize) {
        let leading = pathspec.leading_paths().unwrap_or_default();
        self.keys = leading.into_iter().map(ChangedPath::new).collect();
        self.paths = match pathspec.plain_paths() {
            Some(paths) => Paths::Plain(paths.iter().map(|path| Path::new(path)).collect()),
            None => {
                let options = TreeDiffOptions { recursive: true, trees: false };
                let mut diff = TreeDiff::between([None; 2], options, depth_limit);
                diff.limit_to(pathspec);
                Paths::Selected(Box::new(diff))
            }
        };
        self.comparing = None;
    }

    /// Forgets the trees that were read.
    pub(super) fn restart(&mut self, trust: Trust) {
        self.trees = TreeCache::unchecked(trust);
        self.comparing = None;
    }

    /// Returns the trees that were read, some of which are still to be hashed.
    pub(super) fn trees(&mut self) -> &mut TreeCache {
        &mut self.trees
    }

    /// Returns whether a commit has the paths otherwise than a parent; the parent of a root has
    /// none of them.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading.
    pub(super) fn differs_from(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        pair: Pair,
        at: usize,
    ) -> Result<bool> {
        let differs = self.compare(commits, repository, pair, at);
        differs.map_err(|error| self.ahead(error, commits, repository, pair.0))
    }

    /// Adds to a need what later comparisons need.
    #[cold]
    fn ahead(
        &mut self,
        error: Error,
        commits: &Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Error {
        if !repository.looks_ahead(&error) {
            return error;
        }
        let next = commits.compared_ahead(repository, number, may_differ(&self.keys));
        if matches!(error.need(), Some(Need::Objects(_))) {
            let tree = Some(ObjectType::Tree);
            return repository.looking_ahead(error, tree, |at| next.get(at as usize).copied());
        }
        let mut next = next.iter();
        repository.guessing_trees(error, |repository, needs| {
            let tree = next.next()?;
            match &mut self.paths {
                Paths::Plain(paths) => {
                    for Path { names, below, .. } in paths {
                        below.look_at(repository, tree, names, needs);
                    }
                }
                Paths::Selected(_) => {
                    repository.odb.needs_of_tree(&mut repository.files, tree, needs)
                }
            }
            Some(())
        })
    }

    fn compare(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        pair: Pair,
        at: usize,
    ) -> Result<bool> {
        let both = match self.comparing {
            Some((known, both)) if known == pair => both,
            _ => {
                let Some(both) = self.trees_of(commits, repository, pair, at)? else {
                    return Ok(false);
                };
                if let Paths::Selected(diff) = &mut self.paths {
                    diff.restart(both);
                }
                self.comparing = Some((pair, both));
                both
            }
        };
        let PathLimit { paths, trees, .. } = self;
        let differs = match paths {
            Paths::Plain(paths) => any_differs(paths, trees, repository, both)?,
            Paths::Selected(diff) => diff.next(repository, trees)?.is_some(),
        };
        self.comparing = None;
        Ok(differs)
    }

    /// Returns the trees to compare; `None` if the paths are certainly the same.
    fn trees_of(
        &self,
        commits: &mut Commits,
        repository: &mut Repository,
        (number, parent): Pair,
        at: usize,
    ) -> Result<Option<[Option<ObjectId>; 2]>> {
        let may_differ = may_differ(&self.keys);
        // A filter compares with the first parent.
        if at == 0 && !self.keys.is_empty() {
            let filter = commits.path_filter(repository, number)?;
            if filter.is_some_and(|filter| !may_differ(&filter)) {
                return Ok(None);
            }
        }
        let new = match at {
            // Its filter was asked just now, if it has one.
            0 => commits.compared_tree(repository, number)?,
            _ => self.tree_of(commits, repository, number)?,
        };
        let old = match parent {
            Some(parent) => Some(self.tree_of(commits, repository, parent)?),
            None => None,
        };
        Ok((old != Some(new)).then_some([old, Some(new)]))
    }

    /// Returns a tree that has the paths as a commit; without filters to ask, its own.
    fn tree_of(
        &self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<ObjectId> {
        match self.keys.is_empty() {
            true => commits.compared_tree(repository, number),
            false => commits.tree_of_same(repository, number, may_differ(&self.keys)),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let paths = match &self.paths {
            Paths::Plain(paths) => {
                paths.iter().map(|path| path.below.memory()).fold(0, u64::saturating_add)
            }
            Paths::Selected(diff) => diff.memory(),
        };
        self.trees.memory().saturating_add(paths)
    }
}

fn any_differs(
    paths: &[Path],
    trees: &mut TreeCache,
    repository: &mut Repository,
    both: [Option<ObjectId>; 2],
) -> Result<bool> {
    for path in paths {
        if path.differs(trees, repository, both)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether a filter leaves it open that something selected was changed.
fn may_differ(keys: &[ChangedPath]) -> impl Fn(&PathFilter) -> bool + Copy + '_ {
    move |filter| keys.is_empty() || keys.iter().any(|key| filter.may_have(key))
}

impl Path {
    fn new(path: &[u8]) -> Path {
        let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        Path {
            names: names.map(<[u8]>::to_vec).collect(),
            is_directory: path.ends_with(b"/"),
            below: TreesBelow::default(),
        }
    }

    /// Returns whether two trees have different entries at the path.
    fn differs(
        &self,
        trees: &mut TreeCache,
        repository: &mut Repository,
        mut both: [Option<ObjectId>; 2],
    ) -> Result<bool> {
        let Some((last, above)) = self.names.split_last() else {
            return match both {
                [None, Some(new)] => Ok(!trees.is_empty(repository, &new)?),
                [old, new] => Ok(old != new),
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
