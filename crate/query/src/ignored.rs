//! Finds the lines that ignore paths: `git check-ignore`.

use crate::configured_path::configured_path;
use crate::repository::Repository;
use crate::worktree::{PathsIn, WorktreePaths};
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_format::ignore::Ignores;
use packlens_format::refs::text_of;

/// A resumable answer.
pub struct IgnoredPaths {
    files: WorktreePaths,
    paths: Vec<Vec<u8>>,
    /// Whether no rule decides about paths that the index has; otherwise the index does not count.
    skips_tracked: bool,
    /// How many paths are answered.
    at: usize,
}

impl IgnoredPaths {
    /// Creates the question about paths. One with a slash at its end is that of a directory, as is
    /// one that is a directory in the work tree.
    ///
    /// # Errors
    ///
    /// [`BadInput`](packlens_base::ErrorKind::BadInput) for a path that does not begin at the top of
    /// the work tree.
    pub fn new(paths: Vec<Vec<u8>>, skips_tracked: bool) -> Result<IgnoredPaths> {
        WorktreePaths::check(&paths)?;
        let place = if skips_tracked { PathsIn::Worktree } else { PathsIn::WorktreeAlone };
        let files = WorktreePaths::new(place);
        Ok(IgnoredPaths { files, paths, skips_tracked, at: 0 })
    }

    /// Appends a record for each path until `out` is about `capacity` bytes long; returns whether
    /// all are answered.
    ///
    /// A record has numbers of 4 bytes: which file has the line that decides (0 for none, 1 for
    /// that of `core.excludesFile`, 2 for `info/exclude`, 3 for a `.gitignore`), the number of the
    /// line, 1 if it includes the path again, how many bytes of the path are the directory of the
    /// `.gitignore`, the length of the line; then the line.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    /// [`Unsupported`](packlens_base::ErrorKind::Unsupported) for a source without a work tree, and
    /// if `core.excludesFile` is no absolute path; [`BadInput`](packlens_base::ErrorKind::BadInput)
    /// for a path beyond a symbolic link or in a submodule.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        self.files.begin(repository)?;
        while let Some(path) = self.paths.get(self.at) {
            if out.len() >= capacity {
                return Ok(false);
            }
            repository.files.step()?;
            let is_skipped = self.skips_tracked && self.files.tracks(path);
            let found = match is_skipped {
                true => None,
                false => self.files.rule(path, repository)?,
            };
            let mut record = out.appender();
            match found {
                None => (0..5).try_for_each(|_| record.u32(0))?,
                Some(found) => {
                    record.u32(found.file.saturating_add(1) as u32)?;
                    record.u32(found.rule.line)?;
                    record.u32(found.rule.is_negative.into())?;
                    record.u32(found.directory.len() as u32)?;
                    record.u32(found.rule.text.len() as u32)?;
                    record.bytes(&found.rule.text)?;
                }
            }
            self.at = self.at.saturating_add(1);
        }
        Ok(true)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let paths = self.paths.iter().map(|path| path.capacity() as u64);
        paths.fold(self.files.memory(), u64::saturating_add)
    }
}

/// Reads `info/exclude`.
pub(crate) fn info_file(repository: &Repository, fold_case: bool) -> Result<Ignores> {
    file_at(repository, b"info/exclude", fold_case)
}

/// Reads the file that `core.excludesFile` of the repository's own config names.
pub(crate) fn user_file(repository: &Repository, fold_case: bool) -> Result<Ignores> {
    match configured_path(repository, "excludesfile")? {
        Some(path) => file_at(repository, &path, fold_case),
        None => Ok(Ignores::default()),
    }
}

fn file_at(repository: &Repository, path: &[u8], fold_case: bool) -> Result<Ignores> {
    match repository.files.find_fresh(path)? {
        None => Ok(Ignores::default()),
        Some(file) => {
            let text = text_of(&repository.files, file, &repository.limits())?;
            Ok(Ignores::parse_with_case(&text, fold_case))
        }
    }
}
