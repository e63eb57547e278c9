//! Passes the lines of an origin to those of the parents of its commit that have them, too.

use super::super::commits::{Commits, Number};
use super::super::tree_cache::TreeCache;
use super::lines::part;
use super::{Blame, BlameOptions};
use crate::changes::{Changes, OriginKind};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::Mode;

/// What is done with an origin, one parent at a time.
pub(super) struct Passing {
    pub(super) origin: usize,
    parents: Vec<Number>,
    /// The origin in each parent, if it differs, and no earlier parent has the same.
    found: Vec<Option<usize>>,
    stage: Stage,
    /// The next parent of the stage.
    at: usize,
    renames: Option<Changes>,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Stage {
    /// Parents that have the path.
    SamePath,
    /// Parents that have the file at another path.
    Renamed,
    /// All that were found.
    Compare,
}

impl Passing {
    pub(super) fn new(
        commits: &Commits,
        origin: usize,
        commit: Number,
        options: &BlameOptions,
    ) -> Passing {
        let most = if options.first_parent { 1 } else { usize::MAX };
        let parents: Vec<Number> =
            commits.parents(commit).take(most).map(|place| commits.edge(place)).collect();
        let found = vec![None; parents.len()];
        Passing { origin, parents, found, stage: Stage::SamePath, at: 0, renames: None }
    }
}

impl Blame {
    /// Works on one parent; returns whether no more parents are to be asked. If bytes are
    /// missing, nothing has changed.
    pub(super) fn pass(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        passing: &mut Passing,
    ) -> Result<bool> {
        let Some(parent) = passing.parents.get(passing.at).copied() else {
            passing.at = 0;
            passing.stage = match passing.stage {
                Stage::SamePath => Stage::Renamed,
                Stage::Renamed => Stage::Compare,
                Stage::Compare => return Ok(true),
            };
            return Ok(false);
        };
        let is_done = match passing.stage {
            Stage::Compare => self.compare(repository, commits, passing)?,
            _ if passing.found.get(passing.at).copied().flatten().is_some() => false,
            _ => self.find(commits, repository, passing, parent)?,
        };
        passing.at = passing.at.saturating_add(1);
        Ok(is_done)
    }

    /// Looks for the origin in a parent; returns whether it has all lines.
    fn find(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        passing: &mut Passing,
        parent: Number,
    ) -> Result<bool> {
        commits.parse(repository, parent)?;
        let found = match passing.stage {
            Stage::SamePath => self.same_path(commits, repository, passing, parent)?,
            _ => self.renamed(commits, repository, passing, parent)?,
        };
        let Some(found) = found else {
            return Ok(false);
        };
        let blob_of = |at: usize| self.origins.get(at).map(|origin| origin.blob);
        if blob_of(found) == blob_of(passing.origin) {
            let lines = self.origins.get_mut(passing.origin);
            let lines = lines.map(|origin| std::mem::take(&mut origin.lines)).unwrap_or_default();
            self.give(commits, found, lines);
            return Ok(true);
        }
        let earlier = passing.found.iter().take(passing.at).flatten();
        let is_new = earlier.copied().all(|other| blob_of(other) != blob_of(found));
        if let (true, Some(place)) = (is_new, passing.found.get_mut(passing.at)) {
            *place = Some(found);
        }
        Ok(false)
    }

    /// Returns the origin of the same path in a parent.
    fn same_path(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        passing: &Passing,
        parent: Number,
    ) -> Result<Option<usize>> {
        let Some(origin) = self.origins.get(passing.origin) else {
            return Ok(None);
        };
        let (commit, path, entry) = (origin.commit, origin.path, (origin.mode, origin.blob));
        if let Some(known) = self.origins.find(parent, path) {
            return Ok(Some(known));
        }
        // A filter compares with the first parent.
        let filter = if passing.at == 0 { commits.path_filter(repository, commit)? } else { None };
        let key = self.origins.paths.get(path).map(|path| &path.key);
        if let (Some(filter), Some(key)) = (filter, key) {
            if !filter.may_have(key) {
                return Ok(Some(self.origins.add(parent, path, entry)));
            }
        }
        let tree = commits.tree(repository, parent)?;
        let bytes = self.origins.paths.get(path).map(|path| path.bytes.as_slice());
        let old = entry_at(&mut self.trees, repository, tree, bytes.unwrap_or_default())?;
        let old = old.filter(|old| format_of(old.0) == format_of(entry.0));
        Ok(old.map(|old| self.origins.add(parent, path, old)))
    }

    /// Returns the origin in a parent that was renamed.
    fn renamed(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        passing: &mut Passing,
        parent: Number,
    ) -> Result<Option<usize>> {
        let Some(origin) = self.origins.get(passing.origin) else {
            return Ok(None);
        };
        let path = self.origins.path_of(passing.origin).to_vec();
        let commit = origin.commit;
        if passing.renames.is_none() {
            let trees = [commits.tree(repository, parent)?, commits.tree(repository, commit)?];
            let depth = repository.limits().tree_depth;
            passing.renames = Some(Changes::renames_to(trees, path.clone(), depth));
        }
        let Some(changes) = &mut passing.renames else {
            return Ok(None);
        };
        let mut found = None;
        while let Some(change) = changes.next(repository)? {
            let origin = change.origin.filter(|origin| origin.kind != OriginKind::Rewritten);
            if let (Some(origin), Some(old), true) = (origin, change.sides[0], change.path == path)
            {
                found = Some((origin.path, old));
                break;
            }
        }
        passing.renames = None;
        Ok(found.map(|(path, old)| {
            let path = self.origins.path(&path);
            self.origins.add(parent, path, old)
        }))
    }

    /// Passes the lines that a parent's file has, too; returns whether none are left.
    fn compare(
        &mut self,
        repository: &mut Repository,
        commits: &Commits,
        passing: &Passing,
    ) -> Result<bool> {
        let Some(from) = passing.found.get(passing.at).copied().flatten() else {
            return Ok(false);
        };
        let (Some(old), Some(new)) = (self.origins.get(from), self.origins.get(passing.origin))
        else {
            return Ok(false);
        };
        let blobs = [&old.blob, &new.blob];
        let changes = self.contents.changes(repository, blobs, &self.options.text)?;
        let parted = part(&new.lines, &changes);
        let is_done = parted.kept.is_empty();
        if let Some(origin) = self.origins.get_mut(passing.origin) {
            origin.lines = parted.kept;
            origin.previous = origin.previous.or(Some(from));
        }
        self.give(commits, from, parted.passed);
        Ok(is_done)
    }

    /// Gives lines to an origin, whose commit is visited then.
    fn give(&mut self, commits: &Commits, to: usize, lines: Vec<super::lines::Lines>) {
        if self.origins.add_lines(to, lines) {
            if let Some(origin) = self.origins.get(to) {
                self.queue.add(commits, origin.commit);
            }
        }
    }
}

/// Returns the entry of a path in a tree, if it is a file or a symbolic link.
pub(super) fn entry_at(
    trees: &mut TreeCache,
    repository: &mut Repository,
    root: ObjectId,
    path: &[u8],
) -> Result<Option<(Mode, ObjectId)>> {
    let mut tree = root;
    let mut names = path.split(|byte| *byte == b'/').peekable();
    while let Some(name) = names.next() {
        let Some((mode, id)) = trees.entry(repository, &tree, name)? else {
            return Ok(None);
        };
        if names.peek().is_none() {
            return Ok((!mode.is_tree() && !mode.is_gitlink()).then_some((mode, id)));
        }
        if !mode.is_tree() {
            return Ok(None);
        }
        tree = id;
    }
    Ok(None)
}

/// Returns the bits of a mode that say what an entry is.
fn format_of(mode: Mode) -> u32 {
    mode.canonical().0 & 0o170_000
}
