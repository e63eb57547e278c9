//! Lists the variables of a repository's configuration, with the files that it includes:
//! <https://git-scm.com/docs/git-config>.

mod conditions;
mod walk;

use crate::repository::Repository;
use conditions::Places;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::regex::{Regex, Syntax};
use packlens_base::words;
use walk::{ConfigStep, ConfigWalk};

words! {
    /// The kinds of records of [`ConfigList`].
    #[derive(Clone, Copy)]
    pub enum ConfigRecord {
        /// The file that the next variables are in.
        File = "file",
        /// A variable without `=`.
        Flag = "flag",
        /// A variable with a value.
        Value = "value",
        /// A file that is not included.
        Skipped = "skipped",
    }
}

words! {
    /// The file that a variable comes from, itself or by an include.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum ConfigScope {
        /// The file `config` of the repository.
        Local = "local",
        /// The file `config.worktree` of the worktree.
        Worktree = "worktree",
    }
}

words! {
    /// Why a file is not included.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum SkippedWhy {
        /// The source has no such file.
        Absent = "absent",
        /// The source cannot read the file.
        Unreadable = "unreadable",
        /// The path begins with a directory that only git knows, such as a user's.
        Home = "home",
        /// Whether the condition is true depends on where the repository is, which was not given.
        Condition = "condition",
    }
}

/// Which files are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ConfigFiles {
    /// The file of the repository, and then that of the worktree.
    Both,
    /// The file of the repository.
    Local,
    /// The file of the worktree; if worktrees have none of their own, that of the repository.
    Worktree,
}

/// The length of a record without its texts, at most.
const RECORD_LEN: usize = 16;

/// Options for [`ConfigList`].
pub struct ConfigOptions {
    /// Which files are read.
    pub files: ConfigFiles,
    /// Includes no other files.
    pub without_includes: bool,
    /// The absolute path of the git directory, and others of its paths, for conditions.
    pub git_dirs: Vec<Vec<u8>>,
    /// The user's home directory, and then its real path.
    pub homes: Vec<Vec<u8>>,
    /// Lists only variables in whose name this extended regular expression is found.
    pub name_pattern: Option<Vec<u8>>,
    /// Lists only variables in whose value this one is found, or is not found after a `!`.
    pub value_pattern: Option<Vec<u8>>,
}

/// Which variables are listed.
struct Patterns {
    name: Option<Regex>,
    /// Whether the expression must not be found comes first.
    value: Option<(bool, Regex)>,
}

impl Patterns {
    fn parse(name: Option<Vec<u8>>, value: Option<Vec<u8>>) -> Result<Patterns> {
        let regex = |pattern: &[u8]| {
            let regex = Regex::written(pattern, Syntax::Extended, false);
            regex.map_err(|refused| refused.about(pattern))
        };
        let name = name.map(|pattern| regex(&pattern)).transpose()?;
        let value = value.map(|pattern| match pattern.strip_prefix(b"!") {
            Some(rest) => Ok((true, regex(rest)?)),
            None => Ok((false, regex(&pattern)?)),
        });
        Ok(Patterns { name, value: value.transpose()? })
    }

    fn allow(&self, name: &[u8], value: &[u8]) -> bool {
        self.name.as_ref().is_none_or(|regex| regex.is_in(name))
            && self.value.as_ref().is_none_or(|(not, regex)| regex.is_in(value) != *not)
    }
}

/// The question, which stops where bytes are missing and resumes with the next call.
pub struct ConfigList {
    files: ConfigFiles,
    places: Places,
    patterns: Patterns,
    walk: ConfigWalk,
    /// Finds the URLs of remotes, which conditions may depend on.
    url_walk: Option<ConfigWalk>,
    found: Vec<Vec<u8>>,
}

impl ConfigList {
    /// Creates the question; nothing is read yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a malformed pattern, [`ErrorKind::Unsupported`] for back
    /// references.
    pub fn new(options: ConfigOptions) -> Result<ConfigList> {
        let ConfigOptions { files, without_includes, git_dirs, homes, .. } = options;
        let patterns = Patterns::parse(options.name_pattern, options.value_pattern)?;
        let places = Places { git_dirs, homes, urls: None };
        let walk = ConfigWalk::new(files, !without_includes, false);
        Ok(ConfigList { files, places, patterns, walk, url_walk: None, found: Vec::new() })
    }

    /// Appends variables in the order in which git reads them, until `out` has `capacity` bytes;
    /// returns whether all are written. A record begins with its kind (1 byte:
    /// [`ConfigRecord`]); texts come after their length (4). The fields:
    ///
    /// - of a file: its scope (1: [`ConfigScope`]), and its path: absolute, or relative to the
    ///   directory of that scope's file. Every page begins with one;
    /// - of a variable: its name as in [`NamedValue`](packlens_format::config::NamedValue), and
    ///   its value if it has one;
    /// - of a file that is not included: the reason (1: [`SkippedWhy`]), the condition, which may
    ///   be empty, and the path as it is written.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. [`ErrorKind::Corrupt`] about the
    /// number of a line that git refuses too, or for includes that git refuses;
    /// [`ErrorKind::Limit`] if the variables take too much memory.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let mut shown = None;
        while out.len() < capacity {
            repository.files.step()?;
            let Some(step) = self.next(repository)? else {
                return Ok(true);
            };
            let Some(file) = self.walk.current() else {
                continue;
            };
            if let ConfigStep::Variable(name, value) = &step {
                if !self.patterns.allow(name, value.as_deref().unwrap_or_default()) {
                    continue;
                }
            }
            if shown != Some(file.number) {
                shown = Some(file.number);
                let length = RECORD_LEN.saturating_add(file.path.len());
                out.appender().reserved(length, |to| {
                    to.u8(ConfigRecord::File.number())?;
                    to.u8(file.scope.number())?;
                    to.string(&file.path)
                })?;
            }
            let length = RECORD_LEN.saturating_add(step.len());
            out.appender().reserved(length, |to| match &step {
                ConfigStep::Variable(name, None) => {
                    to.u8(ConfigRecord::Flag.number())?;
                    to.string(name)
                }
                ConfigStep::Variable(name, Some(value)) => {
                    to.u8(ConfigRecord::Value.number())?;
                    to.string(name)?;
                    to.string(value)
                }
                ConfigStep::Skipped(why, include) => {
                    to.u8(ConfigRecord::Skipped.number())?;
                    to.u8(why.number())?;
                    to.string(&include.condition)?;
                    to.string(&include.path)
                }
            })?;
        }
        Ok(false)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let urls = self.places.urls.iter().flatten().chain(&self.found);
        let urls = urls.fold(0u64, |sum, url| sum.saturating_add(url.capacity() as u64));
        let finding = self.url_walk.as_ref().map_or(0, ConfigWalk::memory);
        self.walk.memory().saturating_add(finding).saturating_add(urls)
    }

    fn next(&mut self, repository: &Repository) -> Result<Option<ConfigStep>> {
        if self.walk.depends_on_urls() && self.places.urls.is_none() {
            self.find_urls(repository)?;
        }
        self.walk.next(repository, &self.places)
    }

    /// Finds the URLs of all remotes. As in git, a file that is included on a condition must have
    /// none: whether it is included could depend on itself.
    fn find_urls(&mut self, repository: &Repository) -> Result<()> {
        let new = || ConfigWalk::new(self.files, true, true);
        let walk = self.url_walk.get_or_insert_with(new);
        while let Some(step) = {
            repository.files.step()?;
            walk.next(repository, &self.places)?
        } {
            let ConfigStep::Variable(name, value) = step else {
                continue;
            };
            let is_url = name.starts_with(b"remote.") && name.ends_with(b".url");
            if !is_url || name.len() < b"remote..url".len() {
                continue;
            }
            if let Some(file) = walk.current().filter(|file| file.is_conditional) {
                let what = "remote URLs cannot be configured in a file that is included by \
                            includeIf if a condition depends on them";
                return Err(Error::new(ErrorKind::Corrupt, what).about(&file.path));
            }
            self.found.extend(value);
        }
        self.url_walk = None;
        self.places.urls = Some(std::mem::take(&mut self.found));
        Ok(())
    }
}
