//! Passes the lines of an origin to those of the parents of its commit that have them, too.

use super::super::commits::{Commits, Number};
use super::super::tree_cache::TreeCache;
use super::ignored::Guess;
use super::lines::{merge, part, Lines};
use super::search::{without_small, File, Search};
use super::{Blame, BlameOptions, Copies};
use crate::changes::{Changes, OriginKind};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::object::Mode;

/// What is done with an origin, one parent at a time.
pub(super) struct Passing {
    pub(super) origin: usize,
    parents: Vec<Number>,
    /// The origin in each parent, if it differs, and no earlier parent has the same.
    pub(super) found: Vec<Option<usize>>,
    stage: Stage,
    /// The next parent of the stage.
    pub(super) at: usize,
    renames: Option<Changes>,
    search: Option<Search>,
    pub(super) guess: Option<Guess>,
    /// Lines that say too little to be sought elsewhere.
    small: Vec<Lines>,
    /// Lines that were found elsewhere, each with its origin.
    moved: Vec<(usize, Lines)>,
    /// All parents were asked: what is left is answered.
    pub(super) is_passed: bool,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Stage {
    /// Parents that have the path.
    SamePath,
    /// Parents that have the file at another path.
    Renamed,
    /// All that were found.
    Compare,
    /// All that were found, if the commit is ignored.
    Ignored,
    /// Their files, for lines that were moved.
    Moves,
    /// Other files of all parents, for lines that were copied.
    Copies,
}

impl Passing {
    /// Begins with an origin, whose lines may come from the parents; in a blame in reverse, from
    /// the children.
    pub(super) fn new(origin: usize, parents: Vec<Number>) -> Passing {
        Passing {
            origin,
            found: vec![None; parents.len()],
            parents,
            stage: Stage::SamePath,
            at: 0,
            renames: None,
            search: None,
            guess: None,
            small: Vec::new(),
            moved: Vec::new(),
            is_passed: false,
        }
    }

    /// Begins with an origin where history ends.
    pub(super) fn ended(origin: usize) -> Passing {
        Passing { is_passed: true, ..Passing::new(origin, Vec::new()) }
    }

    pub(super) fn memory(&self) -> u64 {
        let lines = self.small.capacity().saturating_add(self.moved.capacity());
        let search = self.search.as_ref().map_or(0, Search::memory);
        let renames = self.renames.as_ref().map_or(0, Changes::memory);
        let lines = lines.saturating_mul(size_of::<(usize, Lines)>()) as u64;
        let guess = self.guess.as_ref().map_or(0, Guess::memory);
        search.saturating_add(guess).saturating_add(renames).saturating_add(lines)
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
            if passing.parents.is_empty() {
                return Ok(true);
            }
            passing.at = 0;
            passing.stage = match passing.stage {
                Stage::SamePath => Stage::Renamed,
                Stage::Renamed => Stage::Compare,
                Stage::Compare if self.is_ignored(passing.origin) => Stage::Ignored,
                Stage::Compare | Stage::Ignored => Stage::Moves,
                Stage::Moves => Stage::Copies,
                Stage::Copies => return Ok(true),
            };
            return Ok(self.is_enough(passing));
        };
        let is_done = match passing.stage {
            Stage::Compare => self.compare(repository, commits, passing)?,
            Stage::Ignored => self.guess(repository, commits, passing)?,
            Stage::Moves | Stage::Copies => self.search(commits, repository, passing, parent)?,
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
        let is_first = passing.at == 0 && !self.options.reverse;
        let filter = if is_first { commits.path_filter(repository, commit)? } else { None };
        let key = self.origins.paths.get(path).map(|path| &path.key);
        if let (Some(filter), Some(key)) = (filter, key) {
            if !filter.may_have(key) {
                return Ok(Some(self.origins.add(parent, path, entry)));
            }
        }
        let tree = commits.compared_tree(repository, parent)?;
        let bytes = self.origins.paths.get(path).map(|path| path.bytes.as_slice());
        let old = entry_at(&mut self.trees, repository, tree, bytes.unwrap_or_default())?;
        let old = old.filter(|old| old.0.format() == entry.0.format());
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
            let trees = [
                commits.compared_tree(repository, parent)?,
                commits.compared_tree(repository, commit)?,
            ];
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

    /// Sets lines aside that say too little for the next stage; returns whether nothing is left to
    /// do.
    fn is_enough(&mut self, passing: &mut Passing) -> bool {
        let BlameOptions { move_score, copy_score, copies, .. } = self.options;
        let least = match passing.stage {
            Stage::Moves => move_score,
            Stage::Copies if copies == Copies::No => None,
            Stage::Copies => Some(copy_score),
            _ => return false,
        };
        let (Some(least), Some(origin)) = (least, self.origins.get_mut(passing.origin)) else {
            return true;
        };
        let mut lines = std::mem::take(&mut origin.lines);
        if passing.stage == Stage::Copies && move_score.is_some_and(|score| copy_score < score) {
            merge(&mut lines, std::mem::take(&mut passing.small));
        }
        let (lines, mut small) = without_small(lines, &self.text, least);
        small.append(&mut passing.small);
        passing.small = small;
        origin.lines = lines;
        origin.lines.is_empty() && passing.stage == Stage::Copies
    }

    /// Looks for lines in files of a parent; returns whether none are left.
    fn search(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        passing: &mut Passing,
        parent: Number,
    ) -> Result<bool> {
        let mut search = match passing.search.take() {
            Some(search) => search,
            None => match self.begin_search(commits, repository, passing, parent)? {
                Some(search) => search,
                None => return Ok(false),
            },
        };
        let done = search.run(repository, &mut self.contents, &self.text, &self.options.text);
        if let Err(error) = done {
            passing.search = Some(search);
            return Err(error);
        }
        for (file, lines) in search.found {
            if let Some(File { path, entry }) = search.files.get(file) {
                let path = self.origins.path(path);
                passing.moved.push((self.origins.add(parent, path, *entry), lines));
            }
        }
        search.small.append(&mut passing.small);
        passing.small = search.small;
        let is_empty = search.left.is_empty();
        if let Some(origin) = self.origins.get_mut(passing.origin) {
            origin.lines = search.left;
        }
        Ok(is_empty && passing.stage == Stage::Copies)
    }

    fn begin_search(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        passing: &Passing,
        parent: Number,
    ) -> Result<Option<Search>> {
        let found = passing.found.get(passing.at).copied().flatten();
        let Some(origin) = self.origins.get(passing.origin) else {
            return Ok(None);
        };
        let (commit, lines) = (origin.commit, origin.lines.clone());
        let found = found.and_then(|at| {
            let path = self.origins.path_of(at).to_vec();
            self.origins.get(at).map(|origin| File { path, entry: (origin.mode, origin.blob) })
        });
        if passing.stage == Stage::Moves {
            let least = self.options.move_score.unwrap_or(0);
            let search = found.filter(|_| !lines.is_empty());
            return Ok(search.map(|file| Search::in_file(lines, file, least)));
        }
        let path = self.origins.path_of(passing.origin);
        let is_new = found.as_ref().is_none_or(|found| found.path != path);
        let any = match self.options.copies {
            Copies::OfAny => true,
            Copies::OfAnyToNew => is_new,
            _ => false,
        };
        let trees = [
            commits.compared_tree(repository, parent)?,
            commits.compared_tree(repository, commit)?,
        ];
        let changes = Changes::old_files(trees, any, repository.limits().tree_depth);
        let skipped = found.map(|file| file.path);
        Ok(Some(Search::in_changes(lines, changes, skipped, self.options.copy_score)))
    }

    /// Gives the lines that were found elsewhere to their origins; those that were not sought are
    /// the origin's own.
    pub(super) fn give_moved(&mut self, commits: &Commits, passing: &mut Passing) {
        let mut moved = std::mem::take(&mut passing.moved);
        let key = |(at, lines): &(usize, Lines)| (*at, lines.origin_at);
        sort::by(&mut moved, |one, other| key(one).cmp(&key(other)));
        for same in moved.chunk_by(|(one, _), (other, _)| one == other) {
            if let [(origin, _), ..] = same {
                let lines = same.iter().map(|(_, lines)| *lines).collect();
                self.give(commits, *origin, lines);
            }
        }
        if let Some(origin) = self.origins.get_mut(passing.origin) {
            let rest = std::mem::take(&mut origin.lines);
            origin.lines = std::mem::take(&mut passing.small);
            origin.lines.extend(rest);
        }
    }

    /// Gives lines to an origin, whose commit is visited then.
    pub(super) fn give(&mut self, commits: &Commits, to: usize, lines: Vec<Lines>) {
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
