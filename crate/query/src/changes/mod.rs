//! Lists how two trees differ, with the transformations of gitdiffcore: rewrites are found
//! first, then renames and copies: <https://git-scm.com/docs/gitdiffcore>.

mod basenames;
mod blobs;
mod candidates;
mod change;
mod content;
mod exact;
mod following;
mod notice;
mod options;
mod pairs;
mod pickaxe;
mod renames;
mod rewrites;
mod similarity;
mod tree_diff;

pub use change::{Origin, OriginKind, TreeChange, CHANGE_RECORDS, MAX_SCORE};
pub(crate) use content::{content, object_of};
pub(crate) use following::{origin_of, Following};
pub use notice::RenameNotice;
pub use options::{ChangeOptions, RenameKind, RenameOptions, RewriteScores};
pub use pickaxe::{PickaxeKind, PickaxeOptions};
pub(crate) use renames::Renames;
pub use tree_diff::TreeDiffOptions;
pub(crate) use tree_diff::{TreeDiff, Trees};

use crate::path_attributes::{DiffAttribute, TreeAttributes};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::pathspec::Pathspec;
use pickaxe::Pickaxe;
use tree_diff::Uncached;

/// A resumable listing of the changes between two trees, in git's order.
pub struct Changes {
    diff: TreeDiff,
    /// What looks for renames and rewrites, if that is wanted.
    renames: Option<Renames>,
    is_complete: bool,
    /// What chooses among the changes that result.
    pickaxe: Option<Pickaxe>,
    /// What says which files are binary, beside their contents.
    attributes: Option<TreeAttributes>,
    /// What replaces the comparison, to follow one file.
    following: Option<Box<Following>>,
    /// The only change, of two files that are compared.
    only: Option<Box<TreeChange>>,
}

impl Changes {
    /// Starts to compare the trees that two revisions lead to, or the files that both name; `None`
    /// is the empty tree.
    ///
    /// # Errors
    ///
    /// The errors of [`Repository::resolve`] and [`Repository::peel`].
    pub fn new(
        repository: &mut Repository,
        specs: [Option<&[u8]>; 2],
        options: ChangeOptions,
        depth_limit: usize,
    ) -> Result<Changes> {
        match TreeDiff::new(repository, specs, options.tree, depth_limit) {
            Err(error) if error.kind() == ErrorKind::WrongType => {
                let blobs = blobs::difference(repository, specs)?;
                blobs.map(|change| Changes::of_blobs(change, depth_limit)).ok_or(error)
            }
            diff => Ok(Changes::of(diff?, options, None)),
        }
    }

    /// Lists the changes of a comparison; looks for the origin of one new file only, if `only` is
    /// its path.
    fn of(mut diff: TreeDiff, options: ChangeOptions, only: Option<Vec<u8>>) -> Changes {
        if options.renames.kind == RenameKind::CopiesOfAny {
            diff.list_unchanged();
        }
        let renames = options.renames.is_wanted().then(|| Renames::new(options.renames, only));
        Changes::listing(diff, renames)
    }

    fn listing(diff: TreeDiff, renames: Option<Renames>) -> Changes {
        Changes {
            diff,
            renames,
            is_complete: false,
            pickaxe: None,
            attributes: None,
            following: None,
            only: None,
        }
    }

    /// Compares two files, not trees.
    fn of_blobs(change: TreeChange, depth_limit: usize) -> Changes {
        let nothing = TreeDiff::between([None; 2], TreeDiffOptions::default(), depth_limit);
        let only = (change.sides[0] != change.sides[1]).then(|| Box::new(change));
        Changes { only, ..Changes::listing(nothing, None) }
    }

    /// Compares the trees at one path only; if it is new there, finds the file that it was
    /// renamed or copied from, wherever that is: `git log --follow`. The kind of `renames` counts
    /// only for several changes, those of a directory.
    ///
    /// # Errors
    ///
    /// Those of [`Changes::new`].
    pub fn following(
        repository: &mut Repository,
        specs: [Option<&[u8]>; 2],
        (pathspec, renames): (Pathspec, RenameOptions),
        depth_limit: usize,
    ) -> Result<Changes> {
        let options = ChangeOptions::default();
        let mut changes = Changes::new(repository, specs, options, depth_limit)?;
        if let Some(roots) = changes.diff.roots() {
            let following = Following::new(roots, pathspec, renames, depth_limit);
            changes.following = Some(Box::new(following));
        }
        Ok(changes)
    }

    /// Compares only what a pathspec selects. Renames are found among it.
    #[must_use]
    pub fn limited_to(mut self, pathspec: Pathspec) -> Changes {
        self.diff.limit_to(pathspec);
        self
    }

    /// Enters at most so many directories below each element of the pathspec, which is set before;
    /// deeper trees that differ are listed themselves: `--max-depth`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the pathspec has wildcards.
    pub fn within_depth(mut self, most: Option<u32>) -> Result<Changes> {
        self.diff.limit_depth(most)?;
        Ok(self)
    }

    /// Compares only paths that begin with `prefix`, which may end within a name: `--relative`.
    /// Renames are found among them. Records have whole paths.
    #[must_use]
    pub fn relative_to(mut self, prefix: Vec<u8>) -> Changes {
        let begins = |change: &mut Box<TreeChange>| {
            change.path.starts_with(&prefix) && change.old_path().starts_with(&prefix)
        };
        self.only = self.only.take_if(begins);
        self.diff.begin_with(prefix);
        self
    }

    /// Lists only changes whose contents have something.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for an empty text and a malformed expression,
    /// [`ErrorKind::Unsupported`] and [`ErrorKind::Limit`] for others.
    pub fn picking(mut self, options: &PickaxeOptions) -> Result<Changes> {
        self.pickaxe = Pickaxe::new(options)?;
        Ok(self)
    }

    /// Lets attributes say which files are binary: those of the tree that a revision leads to, or
    /// only `info/attributes` if it is empty; none for `None`.
    #[must_use]
    pub fn with_attributes(mut self, spec: Option<Vec<u8>>) -> Changes {
        self.attributes = spec.map(TreeAttributes::new);
        self
    }

    /// Returns what attributes say of both sides of a change.
    pub(crate) fn attributes_of(
        &mut self,
        change: &TreeChange,
        repository: &mut Repository,
    ) -> Result<[DiffAttribute; 2]> {
        attributes_of(change, self.attributes.as_mut(), repository)
    }

    /// Compares two trees, and looks for the origin of one new file only.
    pub(crate) fn renames_to(
        [old, new]: [ObjectId; 2],
        path: Vec<u8>,
        depth_limit: usize,
    ) -> Changes {
        let tree = TreeDiffOptions { recursive: true, trees: false };
        let diff = TreeDiff::between([Some(old), Some(new)], tree, depth_limit);
        let options = RenameOptions { kind: RenameKind::Renames, ..RenameOptions::default() };
        Changes::of(diff, ChangeOptions { tree, renames: options }, Some(path))
    }

    /// Compares the files of two trees, without renames.
    pub(crate) fn of_files(roots: [Option<ObjectId>; 2], depth_limit: usize) -> Changes {
        let tree = TreeDiffOptions { recursive: true, trees: false };
        let diff = TreeDiff::between(roots, tree, depth_limit);
        let kept = RenameOptions { kind: RenameKind::Nothing, ..RenameOptions::default() };
        Changes::of(diff, ChangeOptions { tree, renames: kept }, None)
    }

    /// Compares two trees for their old files: those of changes, or all.
    pub(crate) fn old_files([old, new]: [ObjectId; 2], all: bool, depth_limit: usize) -> Changes {
        let tree = TreeDiffOptions { recursive: true, trees: false };
        let mut diff = TreeDiff::between([Some(old), Some(new)], tree, depth_limit);
        if all {
            diff.list_unchanged();
        }
        let options = RenameOptions { kind: RenameKind::Renames, ..RenameOptions::default() };
        // git looks for renames here, which decides the order of the files.
        let renames = (!all).then(|| Renames::new(options, None));
        Changes::listing(diff, renames)
    }

    /// Appends changes to `out` until it is about `capacity` bytes long; returns whether the
    /// comparison is complete.
    ///
    /// A record has: the old and the new mode (4 bytes each, 0 where there is no entry), the
    /// kind of the origin and its score (4 each), the length of an id (4), of the path of the
    /// origin (4) and of the path (4), the old and the new id (zeros where there is no entry),
    /// the path of the origin, the path. A [`RenameNotice`] comes last, as a record without ids
    /// and paths.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading;
    /// [`ErrorKind::Limit`] for trees that are nested too deeply, and for more changes than memory
    /// holds if renames are looked for.
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
                None => {
                    self.take_notice().map_or(Ok(()), |notice| notice.append(out))?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Returns the next change; `None` after the last.
    ///
    /// # Errors
    ///
    /// As [`Changes::fill`].
    pub(crate) fn next(&mut self, repository: &mut Repository) -> Result<Option<TreeChange>> {
        let Some(mut pickaxe) = self.pickaxe.take() else {
            return self.next_of_all(repository);
        };
        let mut attributes = self.attributes.take();
        let listed = |repository: &mut _| self.next_of_all(repository);
        let next = pickaxe.next(repository, attributes.as_mut(), listed);
        (self.pickaxe, self.attributes) = (Some(pickaxe), attributes);
        next
    }

    fn next_of_all(&mut self, repository: &mut Repository) -> Result<Option<TreeChange>> {
        if let Some(only) = self.only.take() {
            return Ok(Some(*only));
        }
        if let Some(following) = &mut self.following {
            return following.next(repository);
        }
        let Some(renames) = &mut self.renames else {
            return self.diff.next(repository, &mut Uncached);
        };
        while !self.is_complete {
            match self.diff.next(repository, &mut Uncached)? {
                Some(change) => renames.add(change, repository.memory())?,
                None => self.is_complete = true,
            }
        }
        renames.next(repository)
    }

    /// Returns what was not looked for, once.
    pub(crate) fn take_notice(&mut self) -> Option<RenameNotice> {
        match &mut self.following {
            Some(following) => following.take_notice(),
            None => self.renames.as_mut().and_then(Renames::take_notice),
        }
    }

    /// Returns how many bytes of memory the listing takes.
    pub fn memory(&self) -> u64 {
        let renames = self.renames.as_ref().map_or(0, Renames::memory);
        let picked = self.pickaxe.as_ref().map_or(0, Pickaxe::memory);
        let attributes = self.attributes.as_ref().map_or(0, TreeAttributes::memory);
        let followed = self.following.as_ref().map_or(0, |following| following.memory());
        let own = self.diff.memory().saturating_add(attributes).saturating_add(followed);
        own.saturating_add(renames).saturating_add(picked)
    }
}

fn attributes_of(
    change: &TreeChange,
    attributes: Option<&mut TreeAttributes>,
    repository: &mut Repository,
) -> Result<[DiffAttribute; 2]> {
    let Some(attributes) = attributes else {
        return Ok(<[DiffAttribute; 2]>::default());
    };
    let [old, new] = change.sides;
    let old = attributes.diff(change.old_path(), old, repository)?;
    Ok([old, attributes.diff(&change.path, new, repository)?])
}
