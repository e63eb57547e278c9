//! Finds the lines that ignore paths: `git check-ignore`.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::config::config_value;
use packlens_format::ignore::{ignore_rule, Ignores, PlacedIgnores};
use packlens_format::refs::text_of;

/// The files of the question come after these two.
const OWN_FILES: usize = 2;

/// How many paths are answered before control returns to the caller, who may cancel.
const MOST_PATHS: usize = 64;

/// A resumable answer.
pub struct IgnoredPaths {
    /// The `.gitignore` files with their directories.
    files: Vec<(Vec<u8>, Ignores)>,
    paths: Vec<Vec<u8>>,
    /// How many paths are answered.
    at: usize,
    /// The file of `core.excludesFile`, and `info/exclude`.
    own: Option<[Ignores; OWN_FILES]>,
}

impl IgnoredPaths {
    /// Creates the question about paths, of which those of directories end with a slash. `files`
    /// has the directory of each `.gitignore`, empty or with a slash at its end, and its text, one
    /// after the other.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the last directory has no text.
    pub fn new(files: Vec<Vec<u8>>, paths: Vec<Vec<u8>>) -> Result<IgnoredPaths> {
        if !files.len().is_multiple_of(2) {
            return Err(Error::new(ErrorKind::BadInput, "the last `.gitignore` has no text"));
        }
        let (pairs, _) = files.as_chunks::<2>();
        let mut files: Vec<_> =
            pairs.iter().map(|[base, text]| (base.clone(), Ignores::parse(text))).collect();
        packlens_base::sort::by(&mut files, |(one, _), (other, _)| one.len().cmp(&other.len()));
        Ok(IgnoredPaths { files, paths, at: 0, own: None })
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
    /// Missing files and bytes: provide them and call again. [`ErrorKind::Unsupported`] if
    /// `core.excludesFile` is no absolute path.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let [user, info] = match &self.own {
            Some(own) => own,
            None => self.own.insert([user_file(repository)?, info_file(repository)?]),
        };
        let first = [user, info].map(|file| PlacedIgnores { base: b"", file });
        while out.len() < capacity {
            repository.files.step()?;
            for path in self.paths.iter().skip(self.at).take(MOST_PATHS) {
                let above = self.files.iter().filter(|(base, _)| path.starts_with(base));
                let above = above.map(|(base, file)| PlacedIgnores { base, file });
                let placed: Vec<_> = first.into_iter().chain(above).collect();
                let (name, is_directory) = match path.strip_suffix(b"/") {
                    Some(name) => (name, true),
                    None => (path.as_slice(), false),
                };
                let found = ignore_rule(&placed, name, is_directory);
                let mut record = out.appender();
                let Some((at, rule)) = found else {
                    for _ in 0..5 {
                        record.u32(0)?;
                    }
                    continue;
                };
                let base = placed.get(at).map_or(0, |placed| placed.base.len());
                record.u32(at.min(OWN_FILES).saturating_add(1) as u32)?;
                record.u32(rule.line)?;
                record.u32(rule.is_negative.into())?;
                record.u32(base as u32)?;
                record.u32(rule.text.len() as u32)?;
                record.bytes(&rule.text)?;
            }
            self.at = self.at.saturating_add(MOST_PATHS);
            if self.at >= self.paths.len() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let files = self.files.iter().map(|(_, file)| file).chain(self.own.iter().flatten());
        let files = files.map(Ignores::memory).fold(0, u64::saturating_add);
        let paths = self.paths.iter().map(|path| path.capacity() as u64);
        paths.fold(files, u64::saturating_add)
    }
}

/// Reads `info/exclude`.
pub(crate) fn info_file(repository: &Repository) -> Result<Ignores> {
    file_at(repository, b"info/exclude")
}

/// Reads the file that `core.excludesFile` of the repository's own config names.
pub(crate) fn user_file(repository: &Repository) -> Result<Ignores> {
    let Some(config) = repository.files.find(b"config")? else {
        return Ok(Ignores::default());
    };
    let config = text_of(&repository.files, config, &repository.limits())?;
    match config_value(&config, "core", "excludesfile") {
        None => Ok(Ignores::default()),
        Some(path) if path.starts_with(b"/") => file_at(repository, &path),
        Some(path) => {
            let what = "`core.excludesFile` is read only if it is an absolute path";
            Err(Error::new(ErrorKind::Unsupported, what).about(path))
        }
    }
}

fn file_at(repository: &Repository, path: &[u8]) -> Result<Ignores> {
    match repository.files.find_fresh(path)? {
        None => Ok(Ignores::default()),
        Some(file) => {
            let text = text_of(&repository.files, file, &repository.limits())?;
            Ok(Ignores::parse(&text))
        }
    }
}
