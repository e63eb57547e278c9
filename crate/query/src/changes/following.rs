//! Compares two trees at one path, and finds where a new file comes from: `git log --follow`.

use super::change::{OriginKind, TreeChange};
use super::notice::RenameNotice;
use super::tree_diff::{TreeDiff, TreeDiffOptions};
use super::{ChangeOptions, Changes, RenameKind, RenameOptions};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::pathspec::Pathspec;
use std::collections::VecDeque;

/// A resumable comparison of two trees at one path.
pub(crate) struct Following {
    roots: [Option<ObjectId>; 2],
    /// The only path whose origin is looked for; a pattern has none.
    path: Option<Vec<u8>>,
    renames: RenameOptions,
    depth_limit: usize,
    changes: Changes,
    stage: Stage,
    pathspec: Pathspec,
    found: VecDeque<TreeChange>,
    is_complete: bool,
}

/// What is listed at the moment.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Stage {
    /// What the pathspec selects.
    Path,
    /// All files, to find the origin of the path.
    Origin,
    /// What the pathspec selects, with the renames among it.
    Renames,
}

const FILES: TreeDiffOptions = TreeDiffOptions { recursive: true, trees: false };

impl Following {
    /// Starts to compare two trees at what `pathspec` selects. The kind of `renames` counts only
    /// for the renames among several changes.
    pub(crate) fn new(
        roots: [Option<ObjectId>; 2],
        pathspec: Pathspec,
        renames: RenameOptions,
        depth_limit: usize,
    ) -> Following {
        let path = followed_path(&pathspec);
        let kept = RenameOptions { kind: RenameKind::Nothing, ..renames };
        let diff = TreeDiff::between(roots, FILES, depth_limit);
        let options = ChangeOptions { tree: FILES, renames: kept };
        let changes = Changes::of(diff, options, None).limited_to(pathspec.clone());
        let found = VecDeque::new();
        let (stage, is_complete) = (Stage::Path, false);
        Following {
            roots,
            path,
            renames,
            depth_limit,
            changes,
            stage,
            pathspec,
            found,
            is_complete,
        }
    }

    /// Returns the next change; `None` after the last. If a new file is the only change, and a file
    /// of another path is similar enough, it is renamed or copied from there.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading.
    pub(crate) fn next(&mut self, repository: &mut Repository) -> Result<Option<TreeChange>> {
        while !self.is_complete {
            match self.changes.next(repository)? {
                Some(change) if self.stage == Stage::Origin => self.take_origin(change),
                Some(change) => self.found.push_back(change),
                None => self.advance(),
            }
        }
        Ok(self.found.pop_front())
    }

    /// Continues after a listing.
    fn advance(&mut self) {
        let single = self.found.front().filter(|_| self.found.len() == 1);
        let is_new = single.is_some_and(|change| change.sides[0].is_none());
        let has_several = self.found.len() > 1 && self.renames.kind != RenameKind::Nothing;
        let diff = TreeDiff::between(self.roots, FILES, self.depth_limit);
        match (self.stage, self.path.clone()) {
            (Stage::Path, Some(path)) if is_new => {
                let kind = RenameKind::CopiesOfAny;
                let renames = RenameOptions { kind, skips_empty: false, ..self.renames };
                let options = ChangeOptions { tree: FILES, renames };
                self.changes = Changes::of(diff, options, Some(path));
                self.stage = Stage::Origin;
            }
            (Stage::Path, _) if has_several => {
                let options = ChangeOptions { tree: FILES, renames: self.renames };
                self.changes = Changes::of(diff, options, None).limited_to(self.pathspec.clone());
                self.found.clear();
                self.stage = Stage::Renames;
            }
            _ => self.is_complete = true,
        }
    }

    fn take_origin(&mut self, change: TreeChange) {
        let is_moved = origin_of(&change).is_some();
        if is_moved && self.path.as_ref() == Some(&change.path) {
            self.found = VecDeque::from([change]);
            self.is_complete = true;
        }
    }

    /// Returns what was not looked for, once.
    pub(super) fn take_notice(&mut self) -> Option<RenameNotice> {
        self.changes.take_notice()
    }

    pub(crate) fn memory(&self) -> u64 {
        let found = self.found.iter().map(TreeChange::memory).fold(0, u64::saturating_add);
        self.changes.memory().saturating_add(found)
    }
}

/// Returns the path that a pathspec stands for, if it is one path.
fn followed_path(pathspec: &Pathspec) -> Option<Vec<u8>> {
    let paths = pathspec.plain_paths()?;
    <[Vec<u8>; 1]>::try_from(paths).ok().map(|[path]| path)
}

/// Returns the path that a renamed or copied file has in the old tree.
pub(crate) fn origin_of(change: &TreeChange) -> Option<&[u8]> {
    let moved = [OriginKind::Renamed, OriginKind::Copied];
    let origin = change.origin.as_ref().filter(|origin| moved.contains(&origin.kind));
    origin.map(|origin| origin.path.as_slice())
}
