//! Walks over a work tree: finds the files that differ from the index, and those that it lacks.
//!
//! What is called for few files is not inlined: engines compile a function again once it is hot.

use super::content::{added_id, hashed, Hashing};
use super::options::{IgnoredFiles, UntrackedFiles};
use super::scan::{OtherPath, Scan, WorktreeChange};
use super::stat::{compare, mode_of, Guess};
use super::submodule::checked_out_commit;
use super::within::{HAS_OTHER_COMMIT, IS_COMPARED};
use crate::repository::Repository;
use crate::worktree::{listing, FileKind, Level, Levels, Listed, Tracked};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::index_file::Entry;
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;
use std::ops::Range;

const DIRECTORY: Mode = Mode(0o040_000);
const FILE: Mode = Mode(0o100_644);
const LINK: Mode = Mode(0o120_000);

/// The letter of a submodule that has the commit of the index checked out: there may be changes in it.
const SAME_COMMIT: u8 = 0;

/// The share of the memory ceiling that results may take.
const SHARE: u64 = 4;

/// A resumable walk.
pub(super) struct WorktreeWalk {
    levels: Levels,
    is_begun: bool,
    hashing: Option<Hashing>,
    /// Which entries have a file.
    found: Vec<bool>,
    pub(super) changes: Vec<WorktreeChange>,
    pub(super) others: Vec<OtherPath>,
    /// The bytes of the results.
    listed: u64,
}

impl WorktreeWalk {
    pub(super) fn new(tracked: &Tracked) -> WorktreeWalk {
        WorktreeWalk {
            levels: Levels::default(),
            is_begun: false,
            hashing: None,
            found: vec![false; tracked.len()],
            changes: Vec::new(),
            others: Vec::new(),
            listed: 0,
        }
    }

    /// Looks at all files.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading;
    /// [`ErrorKind::Limit`] if the results take too much memory.
    #[inline(never)]
    pub(super) fn find(&mut self, repository: &mut Repository, scan: &Scan<'_>) -> Result<()> {
        while self.step(repository, scan)? {}
        Ok(())
    }

    /// Looks at the next file; returns whether there may be more.
    #[inline(never)]
    fn step(&mut self, repository: &mut Repository, scan: &Scan<'_>) -> Result<bool> {
        repository.files.step()?;
        if !self.is_begun {
            let listed = listing(&mut repository.files, b"")?;
            self.levels.list.push(Level::new(Vec::new(), listed, 0..scan.tracked.len()));
            self.is_begun = true;
        }
        let Some(level) = self.levels.list.last() else {
            return Ok(false);
        };
        let Some(listed) = level.listed.get(level.next).cloned() else {
            self.leave(repository, scan)?;
            return Ok(true);
        };
        let path = [level.prefix.as_slice(), &listed.name].concat();
        let within = level.tracked.clone();
        let entries = scan.tracked.of_near(&path, level.near, &within);
        let below = match listed.kind {
            FileKind::Directory => scan.tracked.below(&[path.as_slice(), b"/"].concat(), &within),
            _ => 0..0,
        };
        if let Some(level) = self.levels.list.last_mut() {
            level.near = entries.end.max(below.end);
        }
        let entry = scan.tracked.get(entries.start).filter(|_| !entries.is_empty());
        match (listed.kind, entry) {
            (FileKind::Directory, _) if !below.is_empty() => {
                return self.enter((path, below), None, repository, scan);
            }
            (FileKind::Directory, Some((entry, _))) if Mode(entry.mode).is_gitlink() => {
                self.submodule((&path, entry), entries, repository, scan)?;
            }
            (FileKind::Directory, _) => return self.other_directory(path, repository, scan),
            (FileKind::File | FileKind::Link, Some((entry, _))) => {
                self.tracked_file((&path, entry), entries, &listed, (repository, scan))?;
            }
            (FileKind::File | FileKind::Link, None) => self.other_file(path, repository, scan)?,
            (FileKind::Other | FileKind::Repository, _) => {}
        }
        self.pass();
        repository.files.advance();
        Ok(true)
    }

    /// Moves past a name, which was looked at.
    fn pass(&mut self) {
        if let Some(level) = self.levels.list.last_mut() {
            level.next = level.next.saturating_add(1);
        }
    }

    /// Enters a directory, which is listed in place of its files if nothing in it is tracked.
    #[inline(never)]
    fn enter(
        &mut self,
        (path, tracked): (Vec<u8>, Range<usize>),
        collapses_from: Option<usize>,
        repository: &mut Repository,
        scan: &Scan<'_>,
    ) -> Result<bool> {
        if !scan.pathspec.select(&path, 0, DIRECTORY, true).descends {
            self.found.get_mut(tracked).into_iter().flatten().for_each(|found| *found = true);
            self.pass();
            return Ok(true);
        }
        if self.levels.list.len() >= repository.limits().tree_depth {
            let what = "directories of the work tree are nested too deep";
            return Err(Error::new(ErrorKind::Limit, what).about(path));
        }
        let prefix = [path.as_slice(), b"/"].concat();
        let is_other = tracked.is_empty();
        let is_ignored = is_other && self.levels.ignore((&path, true), scan.tracked, repository)?;
        let listed = listing(&mut repository.files, &prefix)?;
        let mut level = Level::new(prefix, listed, tracked);
        (level.collapses_from, level.is_ignored) = (collapses_from, is_ignored);
        self.pass();
        if !(is_other && level.is_repository()) {
            self.levels.list.push(level);
        } else if scan.selects(&path) {
            let lists = !is_ignored || scan.options.ignored != IgnoredFiles::No;
            lists
                .then(|| self.add_other(level.prefix, is_ignored, repository, scan))
                .transpose()?;
        }
        Ok(true)
    }

    /// Leaves a directory whose names were looked at.
    #[inline(never)]
    fn leave(&mut self, repository: &Repository, scan: &Scan<'_>) -> Result<()> {
        let Some(level) = self.levels.list.pop() else {
            return Ok(());
        };
        let Some(from) = level.collapses_from else {
            return Ok(());
        };
        let inside = self.others.get(from..).unwrap_or_default();
        let has_other = inside.iter().any(|other| !other.is_ignored);
        let has_ignored = inside.iter().any(|other| other.is_ignored);
        if has_other {
            let mut at = 0_usize;
            self.others.retain(|other| {
                at = at.saturating_add(1);
                at <= from || other.is_ignored
            });
            self.add_other(level.prefix, false, repository, scan)?;
        } else if has_ignored && scan.options.ignored == IgnoredFiles::Traditional {
            self.others.truncate(from);
            self.add_other(level.prefix, true, repository, scan)?;
        }
        Ok(())
    }

    /// Looks at a directory that no tracked file is in.
    #[inline(never)]
    fn other_directory(
        &mut self,
        path: Vec<u8>,
        repository: &mut Repository,
        scan: &Scan<'_>,
    ) -> Result<bool> {
        let (untracked, ignored) = (scan.untracked(), scan.options.ignored);
        let selection = scan.pathspec.select(&path, 0, DIRECTORY, true);
        let is_matching = ignored == IgnoredFiles::Matching;
        let is_near = is_matching && scan.may_lead_to(&path);
        let is_wanted = selection.is_selected || selection.descends || is_near;
        if untracked == UntrackedFiles::No || !is_wanted {
            self.pass();
            return Ok(true);
        }
        let is_ignored = self.levels.ignore((&path, true), scan.tracked, repository)?;
        let is_all = untracked == UntrackedFiles::All;
        let lists_itself = ignored != IgnoredFiles::Traditional || !is_all;
        // A pattern that may match files in it selects the directory itself only if it matches that.
        let is_selected = scan.selects(&path);
        if is_ignored && lists_itself && (is_matching || !scan.leads_below(&path)) {
            match ignored {
                // It is listed if any file is in it.
                IgnoredFiles::Traditional if is_selected => {
                    let from = Some(self.others.len());
                    return self.enter((path, 0..0), from, repository, scan);
                }
                IgnoredFiles::Matching => {
                    let path = [path.as_slice(), b"/"].concat();
                    self.add_other(path, true, repository, scan)?;
                }
                _ => {}
            }
            self.pass();
            return Ok(true);
        }
        let from = (!is_all && is_selected).then_some(self.others.len());
        self.enter((path, 0..0), from, repository, scan)
    }

    #[inline(never)]
    fn other_file(
        &mut self,
        path: Vec<u8>,
        repository: &mut Repository,
        scan: &Scan<'_>,
    ) -> Result<()> {
        let (untracked, ignored) = (scan.untracked(), scan.options.ignored);
        if untracked == UntrackedFiles::No
            || !scan.pathspec.select(&path, 0, FILE, true).is_selected
        {
            return Ok(());
        }
        let is_ignored = self.levels.ignore((&path, false), scan.tracked, repository)?;
        if is_ignored && ignored == IgnoredFiles::No {
            return Ok(());
        }
        self.add_other(path, is_ignored, repository, scan)?;
        // Once one file was found, others in directories that are listed in place of their files
        // change nothing: if no ignored ones are listed, or if these directories are ignored.
        for level in &mut self.levels.list {
            let is_decided = ignored == IgnoredFiles::No || level.is_ignored;
            if level.collapses_from.is_some() && is_decided {
                level.next = level.listed.len();
            }
        }
        Ok(())
    }

    fn add_other(
        &mut self,
        path: Vec<u8>,
        is_ignored: bool,
        repository: &Repository,
        scan: &Scan<'_>,
    ) -> Result<()> {
        let name = path.strip_suffix(b"/").unwrap_or(&path);
        if !scan.tracked.of(name, &(0..scan.tracked.len())).is_empty() {
            return Ok(());
        }
        let size = size_of::<OtherPath>().saturating_add(path.len()) as u64;
        self.listed = self.listed.saturating_add(size);
        if self.listed > repository.memory() / SHARE {
            let what = "the files that are not tracked take more than a quarter of `memory`";
            return Err(Error::new(ErrorKind::Limit, what).about(path));
        }
        self.others.push(OtherPath { path, is_ignored });
        Ok(())
    }

    /// Marks the entries of a path as found; returns whether their file is looked at.
    fn mark(&mut self, entry: &Entry, entries: &Range<usize>, scan: &Scan<'_>) -> bool {
        self.found.get_mut(entries.clone()).into_iter().flatten().for_each(|found| *found = true);
        let is_skipped = entry.skip_worktree && !scan.settings.looks_at_skipped;
        !entry.assume_valid && !is_skipped
    }

    fn tracked_file(
        &mut self,
        (path, entry): (&[u8], &Entry),
        entries: Range<usize>,
        listed: &Listed,
        (repository, scan): (&mut Repository, &Scan<'_>),
    ) -> Result<()> {
        let is_wanted = scan.pathspec.select(path, 0, Mode(entry.mode), true).is_selected;
        if !self.mark(entry, &entries, scan) || !is_wanted {
            return Ok(());
        }
        let mode = mode_of(listed, Some(entry), scan.settings);
        let old = Mode(entry.mode);
        let mut content = None;
        let letter = match mode {
            _ if entry.stage > 0 => Some(b'U'),
            _ if entry.intent_to_add => {
                if let Some(mode) = mode.filter(|_| scan.finds_renames) {
                    content = Some(self.content_id((path, entry), mode, repository, scan)?);
                }
                Some(b'A')
            }
            None => Some(b'T'),
            Some(new) if new.format() != old.format() => Some(b'T'),
            Some(new) if new.canonical() != old.canonical() => Some(b'M'),
            Some(new) => match compare(entry, listed, scan.settings, scan.index_stat.written) {
                Guess::Unchanged => None,
                Guess::Changed => Some(b'M'),
                Guess::Unknown => {
                    let id = self.content_id((path, entry), new, repository, scan)?;
                    content = Some(id);
                    (id != entry.id).then_some(b'M')
                }
            },
        };
        if let Some(letter) = letter {
            let is_missing = scan.options.complete && letter != b'U' && content.is_none();
            if let Some(mode) = mode.filter(|_| is_missing) {
                content = match self.content_id((path, entry), mode, repository, scan) {
                    Err(error) if error.kind() == ErrorKind::Missing => return Err(error),
                    // That the file changed is known without its content.
                    read => read.ok(),
                };
            }
            let change = WorktreeChange::new(entries.start, letter, mode);
            self.changes.push(WorktreeChange { content, ..change });
        }
        Ok(())
    }

    /// Returns the id that a file has when it is added.
    #[inline(never)]
    fn content_id(
        &mut self,
        (path, entry): (&[u8], &Entry),
        mode: Mode,
        repository: &mut Repository,
        scan: &Scan<'_>,
    ) -> Result<ObjectId> {
        if !mode.is_file() {
            return hashed(path, &mut self.hashing, repository);
        }
        let attributes = self.levels.attributes((path, false), scan.tracked, repository)?;
        let (file, hashing) = ((path, entry), &mut self.hashing);
        added_id(file, &attributes, scan.settings, hashing, repository)
    }

    #[inline(never)]
    fn submodule(
        &mut self,
        (path, entry): (&[u8], &Entry),
        entries: Range<usize>,
        repository: &mut Repository,
        scan: &Scan<'_>,
    ) -> Result<()> {
        let is_wanted = scan.pathspec.select(path, 0, Mode(entry.mode), true).is_selected;
        let is_looked_at = self.mark(entry, &entries, scan);
        let letter = match entry.stage {
            0 if is_wanted && is_looked_at => {
                let commit = checked_out_commit(path, repository)?;
                commit.map(|commit| if commit == entry.id { SAME_COMMIT } else { b'M' })
            }
            0 => None,
            _ => is_wanted.then_some(b'U'),
        };
        if let Some(letter) = letter {
            let change = WorktreeChange::new(entries.start, letter, Some(Mode(entry.mode)));
            let submodule = match letter {
                SAME_COMMIT => IS_COMPARED,
                b'M' => IS_COMPARED | HAS_OTHER_COMMIT,
                _ => 0,
            };
            self.changes.push(WorktreeChange { submodule, ..change });
        }
        Ok(())
    }

    /// Returns whether an entry without a change stands for an unchanged file that is selected. One
    /// that was renamed in the work tree is not there, and has no change of its own either.
    pub(super) fn is_unchanged(
        &self,
        at: usize,
        entry: &Entry,
        path: &[u8],
        pathspec: &Pathspec,
    ) -> bool {
        let is_found = self.found.get(at).copied().unwrap_or_default();
        (is_found || entry.skip_worktree || entry.assume_valid)
            && entry.stage == 0
            && pathspec.select(path, 0, Mode(entry.mode), true).is_selected
    }

    /// Adds the entries that have no file; to be called after the last step.
    #[inline(never)]
    pub(super) fn add_deleted(&mut self, scan: &Scan<'_>) {
        let mut at = 0;
        while let Some((entry, path)) = scan.tracked.get(at) {
            let start = at;
            at = scan.tracked.of(path, &(at..scan.tracked.len())).end.max(at.saturating_add(1));
            let is_found = self.found.get(start).copied().unwrap_or_default();
            if is_found || entry.skip_worktree || entry.assume_valid {
                continue;
            }
            if scan.pathspec.select(path, 0, Mode(entry.mode), true).is_selected {
                let is_hidden = Mode(entry.mode) == LINK && scan.index_stat.hides_links;
                let letter = match entry.stage {
                    0 if is_hidden => b'X',
                    0 => b'D',
                    _ => b'U',
                };
                self.changes.push(WorktreeChange::new(start, letter, None));
            }
        }
        packlens_base::sort::by(&mut self.changes, |one, other| one.entry.cmp(&other.entry));
        packlens_base::sort::by(&mut self.others, |one, other| one.path.cmp(&other.path));
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let changes = self.changes.capacity().saturating_mul(size_of::<WorktreeChange>());
        let own = changes.saturating_add(self.found.capacity()) as u64;
        own.saturating_add(self.listed).saturating_add(self.levels.memory())
    }
}
