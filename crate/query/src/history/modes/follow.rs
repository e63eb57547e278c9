//! The history of one file through its renames: `git log --follow`.

use crate::changes::{origin_of, Following, RenameOptions, TreeChange};
use crate::history::answer::Trust;
use crate::history::commits::{Commits, Number};
use crate::history::path_limit::PathLimit;
use crate::history::tree_cache::TreeCache;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::pathspec::Pathspec;

/// The path of the file, as far as the list has come. As in git, the first commit of the list that
/// brings the file from another path decides for all commits after it, whatever line of history
/// they are on.
pub(in crate::history) struct Follow {
    /// The element of a pathspec that the list began with.
    first: Vec<u8>,
    now: Vec<u8>,
    renames: RenameOptions,
    depth_limit: usize,
    /// The path as it is now, which most commits do not change.
    limit: PathLimit,
    /// The comparison of a commit, until nothing is missing for it.
    comparing: Option<Following>,
}

impl Follow {
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the elements are not one that selects something; those of the
    /// element.
    pub fn new(elements: &[Vec<u8>], score: u32, depth_limit: usize) -> Result<Follow> {
        let pathspec = Pathspec::parse(elements)?;
        let ([first], false) = (elements, pathspec.excludes_any()) else {
            return Err(Error::new(ErrorKind::BadInput, "`follow` requires exactly one path"));
        };
        Ok(Follow {
            first: first.clone(),
            now: first.clone(),
            renames: RenameOptions { score, ..RenameOptions::default() },
            depth_limit,
            limit: PathLimit::new(pathspec, depth_limit),
            comparing: None,
        })
    }

    /// Forgets the commits and the names that were found.
    pub(super) fn restart(&mut self, trust: Trust) {
        self.comparing = None;
        self.limit.restart(trust);
        // The first element was parsed before.
        if let Ok(pathspec) = Pathspec::parse(&[&self.first]) {
            self.limit.set_paths(pathspec, self.depth_limit);
        }
        self.now.clone_from(&self.first);
    }

    /// Returns the trees that were read, some of which are still to be hashed.
    pub(in crate::history) fn trees(&mut self) -> &mut TreeCache {
        self.limit.trees()
    }

    /// Returns whether a commit changed the file; commits after it are then compared at the path
    /// that the file has in its parent. Merges change nothing, unless only their first parent
    /// counts.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the next call continues. Errors of reading.
    pub(super) fn is_changed_by(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        first_parent: bool,
    ) -> Result<bool> {
        let parents = commits.parents(number);
        if parents.len() > 1 && !first_parent {
            return Ok(false);
        }
        let parent = parents.clone().next().map(|place| commits.edge(place));
        if let Some(parent) = parent {
            commits.parse(repository, parent)?;
        }
        if self.comparing.is_none() {
            if !self.limit.differs_from(commits, repository, (number, parent), 0)? {
                return Ok(false);
            }
            let new = commits.tree(repository, number)?;
            let old = parent.map(|parent| commits.tree(repository, parent)).transpose()?;
            let pathspec = Pathspec::parse(&[&self.now])?;
            let both = [old, Some(new)];
            self.comparing = Some(Following::new(both, pathspec, self.renames, self.depth_limit));
        }
        let change = match &mut self.comparing {
            Some(comparing) => in_rest(comparing, repository)?,
            None => None,
        };
        self.comparing = None;
        if let Some(origin) = change.as_ref().and_then(origin_of) {
            self.rename([b":(literal)", origin].concat())?;
        }
        Ok(change.is_some())
    }

    fn rename(&mut self, element: Vec<u8>) -> Result<()> {
        self.limit.set_paths(Pathspec::parse(&[&element])?, self.depth_limit);
        self.now = element;
        Ok(())
    }

    pub fn memory(&self) -> u64 {
        let comparing = self.comparing.as_ref().map_or(0, Following::memory);
        self.limit.memory().saturating_add(comparing)
    }
}

/// Continues a comparison: see [`require_rest`](packlens_base::module::require_rest).
#[inline(never)]
fn in_rest(comparing: &mut Following, repository: &mut Repository) -> Result<Option<TreeChange>> {
    comparing.next(repository)
}
