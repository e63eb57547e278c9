//! Reads the files of a configuration variable by variable, each included file after the
//! variable that names it.

use super::conditions::{is_about_urls, Places, Truth};
use super::{ConfigFiles, ConfigScope, SkippedWhy};
use crate::repository::Repository;
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::config::{config_boolean, BadLine, ConfigCursor};
use packlens_format::refs::{text_of, LINKED_WORKTREE, MAIN_WORKTREE};

/// How many files may include each other, as in git: the file of the repository, and 10 more.
const MOST_FILES: usize = 11;

/// What is counted of each variable besides its texts.
const EACH: usize = 16;

pub(super) enum ConfigStep {
    /// A variable: its name and its value.
    Variable(Vec<u8>, Option<Vec<u8>>),
    /// A file that is not included, and why.
    Skipped(SkippedWhy, Include),
}

/// A variable that names a file to include.
pub(super) struct Include {
    /// The condition; empty for none.
    pub(super) condition: Vec<u8>,
    /// The path as it is written.
    pub(super) path: Vec<u8>,
    /// What the variable says: a path, or nothing, or something else about the condition.
    is_path: Option<bool>,
}

/// A file that is being read.
pub(super) struct ConfigFile {
    /// The number of the file: an included file has another each time.
    pub(super) number: u32,
    pub(super) scope: ConfigScope,
    /// The path: absolute, or relative to the directory of the file of this scope.
    pub(super) path: Vec<u8>,
    /// Whether the file, or one that includes it, is included on a condition.
    pub(super) is_conditional: bool,
    file: FileId,
    text: Vec<u8>,
    cursor: ConfigCursor,
}

pub(super) struct ConfigWalk {
    which: ConfigFiles,
    includes: bool,
    /// Whether conditions about URLs are true, because this walk finds the URLs.
    finds_urls: bool,
    /// The files that no other includes, the next one last; `None` before they are read.
    roots: Option<Vec<ConfigFile>>,
    /// The file that is being read is last, after those that include it.
    files: Vec<ConfigFile>,
    /// What the last variable includes.
    pending: Option<Include>,
    opened: u32,
    /// The bytes that were read of files, and those of variables: few bytes can include many.
    listed: u64,
}

impl ConfigFile {
    fn new(scope: ConfigScope, path: Vec<u8>, file: FileId, text: Vec<u8>) -> ConfigFile {
        let cursor = ConfigCursor::new(&text);
        ConfigFile { number: 0, scope, path, is_conditional: false, file, text, cursor }
    }
}

impl ConfigStep {
    /// Returns the bytes of the texts.
    pub(super) fn len(&self) -> usize {
        let (first, second) = match self {
            ConfigStep::Variable(name, value) => (name, value.as_deref().unwrap_or_default()),
            ConfigStep::Skipped(_, include) => (&include.condition, include.path.as_slice()),
        };
        first.len().saturating_add(second.len())
    }
}

impl ConfigWalk {
    pub(super) fn new(which: ConfigFiles, includes: bool, finds_urls: bool) -> ConfigWalk {
        ConfigWalk {
            which,
            includes,
            finds_urls,
            roots: None,
            files: Vec::new(),
            pending: None,
            opened: 0,
            listed: 0,
        }
    }

    /// Returns the file of the last step.
    pub(super) fn current(&self) -> Option<&ConfigFile> {
        self.files.last()
    }

    /// Returns whether the next step needs the URLs of the remotes.
    pub(super) fn depends_on_urls(&self) -> bool {
        let pending = self.pending.as_ref();
        !self.finds_urls && pending.is_some_and(|include| is_about_urls(&include.condition))
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.text.capacity() as u64))
    }

    /// Returns the next step; `None` at the end.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again; what git refuses; too much of it.
    pub(super) fn next(
        &mut self,
        repository: &Repository,
        places: &Places,
    ) -> Result<Option<ConfigStep>> {
        loop {
            if let Some(include) = &self.pending {
                let skipped = match self.resolve(include, repository, places)? {
                    Resolved::Nothing => None,
                    Resolved::Skipped(why) => Some(why),
                    Resolved::File(path, is_conditional) => {
                        self.include(repository, path, is_conditional)?
                    }
                };
                let include = self.pending.take();
                if let (Some(why), Some(include)) = (skipped, include) {
                    let step = ConfigStep::Skipped(why, include);
                    self.count(repository, step.len())?;
                    return Ok(Some(step));
                }
            }
            let Some(current) = self.files.last_mut() else {
                if self.open_root(repository)? {
                    continue;
                }
                return Ok(None);
            };
            match current.cursor.next(&current.text) {
                Ok(Some((name, value))) => {
                    let name = name.to_vec();
                    if self.includes {
                        self.pending = included_by(&name, value.as_deref());
                    }
                    let step = ConfigStep::Variable(name, value);
                    self.count(repository, step.len())?;
                    return Ok(Some(step));
                }
                Ok(None) => {
                    self.files.pop();
                }
                Err(bad) => return Err(refused(bad, current.file)),
            }
        }
    }

    /// Begins with the next file that no other includes; returns whether there is one.
    fn open_root(&mut self, repository: &Repository) -> Result<bool> {
        let roots = match &mut self.roots {
            Some(roots) => roots,
            none => none.insert(roots_of(self.which, repository)?),
        };
        match roots.pop() {
            Some(file) => self.enter(repository, file).map(|()| true),
            None => Ok(false),
        }
    }

    /// Returns what is to be done about an include.
    fn resolve(
        &self,
        include: &Include,
        repository: &Repository,
        places: &Places,
    ) -> Result<Resolved> {
        let Some(current) = self.files.last() else {
            return Ok(Resolved::Nothing);
        };
        let is_conditional = !include.condition.is_empty();
        let truth = match is_conditional {
            true if self.finds_urls && is_about_urls(&include.condition) => Truth::Yes,
            true => places.decide(&include.condition, repository, current)?,
            false => Truth::Yes,
        };
        match (truth, include.is_path) {
            (Truth::No, _) | (_, None) => Ok(Resolved::Nothing),
            (Truth::Unknown, _) => Ok(Resolved::Skipped(SkippedWhy::Condition)),
            (Truth::Yes, Some(false)) => {
                let error =
                    Error::corrupt("missing value for 'include.path' in line", current.file, 0);
                Err(error.about(current.cursor.line().to_string()))
            }
            (Truth::Yes, Some(true)) => Ok(match places.expanded(&include.path) {
                None => Resolved::Skipped(SkippedWhy::Home),
                Some(path) => {
                    let path = match path.starts_with(b"/") {
                        true => path,
                        false => [directory_of(&current.path), &path].concat(),
                    };
                    Resolved::File(path, is_conditional)
                }
            }),
        }
    }

    /// Opens a file that the current one includes; returns why not, if it cannot be.
    fn include(
        &mut self,
        repository: &Repository,
        path: Vec<u8>,
        is_conditional: bool,
    ) -> Result<Option<SkippedWhy>> {
        let Some(current) = self.files.last() else {
            return Ok(None);
        };
        let (scope, is_conditional) = (current.scope, is_conditional || current.is_conditional);
        let files = &repository.files;
        let Some(file) = files.find_fresh(&path_in_source(files, scope, &path)?)? else {
            return Ok(Some(SkippedWhy::Absent));
        };
        if self.files.len() >= MOST_FILES {
            let what = "exceeded maximum include depth (10)";
            return Err(Error::new(ErrorKind::Corrupt, what).about(path));
        }
        match text_of(files, file, &repository.limits()) {
            Err(error) if error.kind() == ErrorKind::Corrupt => Ok(Some(SkippedWhy::Unreadable)),
            text => {
                let file =
                    ConfigFile { is_conditional, ..ConfigFile::new(scope, path, file, text?) };
                self.enter(repository, file).map(|()| None)
            }
        }
    }

    fn enter(&mut self, repository: &Repository, file: ConfigFile) -> Result<()> {
        self.count(repository, file.text.len())?;
        self.opened = self.opened.saturating_add(1);
        self.files.push(ConfigFile { number: self.opened, ..file });
        Ok(())
    }

    fn count(&mut self, repository: &Repository, bytes: usize) -> Result<()> {
        self.listed = self.listed.saturating_add(bytes.saturating_add(EACH) as u64);
        if self.listed <= repository.memory() / 4 {
            return Ok(());
        }
        let what = "the configuration takes more memory than allowed: raise `memory`";
        Err(Error::new(ErrorKind::Limit, what))
    }
}

/// Reads the files that no other includes; the first one is last. As in git, a line of them that is
/// refused comes before everything that they include.
fn roots_of(which: ConfigFiles, repository: &Repository) -> Result<Vec<ConfigFile>> {
    let config = root(ConfigScope::Local, b"config", repository)?;
    let text = config.as_ref().map_or(&b""[..], |file| &file.text);
    let own = match config_boolean(text, "extensions", "worktreeconfig") {
        Some(true) => Some(root(ConfigScope::Worktree, b"config.worktree", repository)?),
        _ => None,
    };
    let used = match (which, own) {
        (ConfigFiles::Both, Some(own)) => [own, config],
        (ConfigFiles::Worktree, Some(own)) => [own, None],
        // As in git, there is one file for both then.
        _ => [None, config],
    };
    Ok(used.into_iter().flatten().collect())
}

fn root(scope: ConfigScope, path: &[u8], repository: &Repository) -> Result<Option<ConfigFile>> {
    let Some(file) = repository.files.find_fresh(path)? else {
        return Ok(None);
    };
    let text = text_of(&repository.files, file, &repository.limits())?;
    let mut cursor = ConfigCursor::new(&text);
    while cursor.next(&text).map_err(|bad| refused(bad, file))?.is_some() {}
    Ok(Some(ConfigFile::new(scope, path.to_vec(), file, text)))
}

fn refused(bad: BadLine, file: FileId) -> Error {
    Error::corrupt("bad config line", file, bad.offset as u64).about(bad.line.to_string())
}

/// What is to be done about an include.
enum Resolved {
    Nothing,
    Skipped(SkippedWhy),
    /// A file to read, and whether on a condition.
    File(Vec<u8>, bool),
}

/// Returns what a variable includes, or what else it says about a condition that is about URLs:
/// git finds these even if nothing is included.
fn included_by(name: &[u8], value: Option<&[u8]>) -> Option<Include> {
    let path = value.unwrap_or_default().to_vec();
    if name == b"include.path" {
        return Some(Include { condition: Vec::new(), path, is_path: Some(value.is_some()) });
    }
    let rest = name.strip_prefix(b"includeif.")?;
    let dot = rest.iter().rposition(|byte| *byte == b'.')?;
    let (condition, key) = rest.split_at_checked(dot)?;
    let is_path = (key == b".path").then_some(value.is_some());
    let counts = !condition.is_empty() && (is_path.is_some() || is_about_urls(condition));
    counts.then(|| Include { condition: condition.to_vec(), path, is_path })
}

/// Returns the directory of a path, with the slash at its end.
pub(super) fn directory_of(path: &[u8]) -> &[u8] {
    let end =
        path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash.saturating_add(1));
    path.get(..end).unwrap_or_default()
}

fn is_own(name: &[u8]) -> bool {
    let is_capital = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    name == b"config.worktree" || name.iter().all(is_capital)
}

/// Returns the path by which a source knows an included file: see [`Need`](packlens_base::error::Need).
fn path_in_source(files: &Files, scope: ConfigScope, path: &[u8]) -> Result<Vec<u8>> {
    let is_dot = |part: &&[u8]| part.is_empty() || *part == b".";
    let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').filter(|part| !is_dot(part)).collect();
    // A slash at the end, or nothing at all, names a directory, which is no file.
    let end: &[u8] = if path.ends_with(b"/") || parts.is_empty() { b"/" } else { b"" };
    let clean = [&parts.join(&b'/'), end].concat();
    if path.starts_with(b"/") {
        return Ok([b"/", clean.as_slice()].concat());
    }
    let prefix: &[u8] = match scope {
        ConfigScope::Worktree => match files.find(LINKED_WORKTREE)? {
            Some(_) => b".worktree/",
            None => b"",
        },
        // These are names of the worktree's own files.
        ConfigScope::Local if is_own(&clean) => MAIN_WORKTREE,
        ConfigScope::Local => b"",
    };
    Ok([prefix, &clean].concat())
}
