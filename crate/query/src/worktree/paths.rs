//! The directories above any paths of a work tree, for what the files in them say about a path.

use super::levels::{Level, Levels};
use super::listed::{listing, stat_index, FileKind};
use super::tracked::Tracked;
use crate::index_entries::IndexEntries;
use crate::path_attributes::PathAttributes;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::attributes::Attributes;
use packlens_format::ignore::IgnoreRule;
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;

/// Which files count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum PathsIn {
    /// Those of the work tree; where one is missing, that of the index.
    Worktree,
    /// Those of the work tree alone.
    WorktreeAlone,
    /// Those of the index.
    Index,
}

/// The directories above the last path. Paths that follow in order share them.
pub(crate) struct WorktreePaths {
    place: PathsIn,
    tracked: Tracked,
    /// `None` once the index is read.
    reading: Option<IndexEntries>,
    levels: Levels,
}

/// The rule that decides about a path.
pub(crate) struct FoundRule<'a> {
    /// Which file has it: 0 that of `core.excludesFile`, 1 `info/exclude`, 2 a `.gitignore`.
    pub(crate) file: usize,
    /// The directory of the `.gitignore`.
    pub(crate) directory: &'a [u8],
    pub(crate) rule: &'a IgnoreRule,
}

impl WorktreePaths {
    pub(crate) fn new(place: PathsIn) -> WorktreePaths {
        WorktreePaths {
            place,
            tracked: Tracked::default(),
            reading: Some(IndexEntries::new(Pathspec::default(), false)),
            levels: Levels::default(),
        }
    }

    /// Refuses paths that are not below the top of the work tree.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for an absolute path, and one with an empty part, `.` or `..`.
    pub(crate) fn check(paths: &[Vec<u8>]) -> Result<()> {
        let is_malformed = |path: &&Vec<u8>| {
            let path = path.strip_suffix(b"/").unwrap_or(path);
            let mut parts = path.split(|byte| *byte == b'/');
            !path.is_empty() && parts.any(|part| matches!(part, b"" | b"." | b".."))
        };
        match paths.iter().find(is_malformed) {
            None => Ok(()),
            Some(path) => {
                let what = "a path must begin at the top of the work tree, without `.` and `..`";
                Err(Error::new(ErrorKind::BadInput, what).about(path.as_slice()))
            }
        }
    }

    /// Reads the index; to be called before the first path.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading;
    /// [`ErrorKind::Unsupported`] for a source without a work tree.
    pub(crate) fn begin(&mut self, repository: &mut Repository) -> Result<()> {
        while let Some(reading) = &mut self.reading {
            let (tracked, memory) = (&mut self.tracked, repository.memory());
            let counts = self.place != PathsIn::WorktreeAlone;
            let add = |entry: &_, path: &_| match counts {
                true => tracked.add(entry, path, memory),
                false => Ok(()),
            };
            if !reading.step(repository, add)? {
                if self.place != PathsIn::Index {
                    let index = repository.index_path()?;
                    stat_index(&mut repository.files, &index)?;
                }
                self.reading = None;
            }
        }
        Ok(())
    }

    /// Returns whether the index has a path, or files below it.
    pub(crate) fn tracks(&self, path: &[u8]) -> bool {
        let all = 0..self.tracked.len();
        let directory = [path.strip_suffix(b"/").unwrap_or(path), b"/"].concat();
        let is_file = !path.ends_with(b"/") && !self.tracked.of(path, &all).is_empty();
        is_file || !self.tracked.below(&directory, &all).is_empty()
    }

    /// Returns the rule that decides whether a path is ignored. A path with a slash at its end is
    /// one of a directory.
    ///
    /// # Errors
    ///
    /// As [`WorktreePaths::begin`]; [`ErrorKind::BadInput`] for a path beyond a symbolic link or in
    /// a submodule, as in git.
    pub(crate) fn rule(
        &mut self,
        path: &[u8],
        repository: &mut Repository,
    ) -> Result<Option<FoundRule<'_>>> {
        let (name, has_slash) = match path.strip_suffix(b"/") {
            Some(name) => (name, true),
            None => (path, false),
        };
        if name.is_empty() {
            return Ok(None);
        }
        self.leave_for(name, repository)?;
        let mut decided = None;
        while let Some(directory) = self.directory_below(name) {
            // What is in an ignored directory is not looked at.
            if self.levels.ignore((&directory, true), &self.tracked, repository)? {
                decided = Some(directory);
                break;
            }
            let refused = match self.kind(&directory) {
                Some(FileKind::Link) => Some("the path is beyond a symbolic link"),
                _ if self.is_submodule(&directory) => Some("the path is in a submodule"),
                _ => None,
            };
            if let Some(what) = refused {
                return Err(Error::new(ErrorKind::BadInput, what).about(name));
            }
            if !self.enter(directory, repository)? {
                break;
            }
        }
        let is_directory = has_slash || self.kind(name) == Some(FileKind::Directory);
        let asked = match &decided {
            Some(directory) => (directory.as_slice(), true),
            None => (name, is_directory),
        };
        // git takes what follows the slash for a name, which is empty, and reads the files for it.
        let is_within = has_slash && decided.is_none() && self.is_not_ignored(name, repository)?;
        let asked = if is_within { (path, true) } else { asked };
        let found = self.levels.rule(asked, &self.tracked, repository)?;
        Ok(found.map(|(file, directory, rule)| FoundRule { file, directory, rule }))
    }

    /// Enters a directory unless it is ignored; returns whether it is not. A link is not followed.
    fn is_not_ignored(&mut self, name: &[u8], repository: &mut Repository) -> Result<bool> {
        if self.levels.ignore((name, true), &self.tracked, repository)? {
            return Ok(false);
        }
        if self.kind(name) != Some(FileKind::Link) {
            self.enter(name.to_vec(), repository)?;
        }
        Ok(true)
    }

    /// Returns what the files say about the attributes of a path.
    ///
    /// # Errors
    ///
    /// As [`WorktreePaths::begin`].
    pub(crate) fn attributes(
        &mut self,
        (path, is_directory): (&[u8], bool),
        repository: &mut Repository,
    ) -> Result<PathAttributes> {
        self.leave_for(path, repository)?;
        while let Some(directory) = self.directory_below(path) {
            if !self.enter(directory, repository)? {
                break;
            }
        }
        self.levels.attributes((path, is_directory), &self.tracked, repository)
    }

    /// Returns the files of attributes that were read for the last path, in the order in which git
    /// reads them.
    pub(crate) fn read_attributes(&self) -> impl Iterator<Item = &Attributes> {
        self.levels.read_attributes()
    }

    /// Leaves the directories that a path is not in.
    fn leave_for(&mut self, path: &[u8], repository: &mut Repository) -> Result<()> {
        let list = &mut self.levels.list;
        while list.last().is_some_and(|level| !path.starts_with(&level.prefix)) {
            list.pop();
        }
        if list.is_empty() {
            let listed = match self.place {
                PathsIn::Worktree | PathsIn::WorktreeAlone => listing(&mut repository.files, b"")?,
                PathsIn::Index => Vec::new(),
            };
            list.push(Level::new(Vec::new(), listed, 0..self.tracked.len()));
        }
        Ok(())
    }

    /// Returns the next directory above a path, below the current one.
    fn directory_below(&self, path: &[u8]) -> Option<Vec<u8>> {
        let above = self.levels.list.last()?.prefix.len();
        let slash = path.get(above..)?.iter().position(|byte| *byte == b'/')?;
        path.get(..above.saturating_add(slash)).map(<[u8]>::to_vec)
    }

    /// Enters a directory; returns whether there is one.
    fn enter(&mut self, directory: Vec<u8>, repository: &mut Repository) -> Result<bool> {
        let Some(level) = self.levels.list.last() else {
            return Ok(false);
        };
        // git reads files of attributes beyond symbolic links.
        let kind = self.kind(&directory);
        let is_listed = matches!(kind, Some(FileKind::Directory | FileKind::Link));
        let within = level.tracked.clone();
        let prefix = [directory.as_slice(), b"/"].concat();
        let tracked = self.tracked.below(&prefix, &within);
        if !is_listed && tracked.is_empty() {
            return Ok(false);
        }
        if self.levels.list.len() >= repository.limits().tree_depth {
            let what = "directories of the work tree are nested too deep";
            return Err(Error::new(ErrorKind::Limit, what).about(directory));
        }
        let listed = match is_listed {
            true => listing(&mut repository.files, &prefix)?,
            false => Vec::new(),
        };
        self.levels.list.push(Level::new(prefix, listed, tracked));
        Ok(true)
    }

    /// Returns what is at a path of the current directory.
    fn kind(&self, path: &[u8]) -> Option<FileKind> {
        let level = self.levels.list.last()?;
        let name = path.strip_prefix(level.prefix.as_slice())?;
        let at = level.listed.binary_search_by(|listed| listed.name.as_slice().cmp(name)).ok()?;
        level.listed.get(at).map(|listed| listed.kind)
    }

    fn is_submodule(&self, path: &[u8]) -> bool {
        let entries = self.tracked.of(path, &(0..self.tracked.len()));
        self.tracked
            .get(entries.start)
            .is_some_and(|(entry, name)| name == path && Mode(entry.mode).is_gitlink())
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let reading = self.reading.as_ref().map_or(0, IndexEntries::memory);
        self.tracked.memory().saturating_add(self.levels.memory()).saturating_add(reading)
    }
}
