//! Conditions of includes: <https://git-scm.com/docs/git-config#_conditional_includes>.

use super::walk::{directory_of, ConfigFile};
use super::ConfigScope;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::wildmatch::Pattern;
use packlens_format::refs::{text_of, RefValue};

/// The beginning of conditions about the URLs of remotes.
const ABOUT_URLS: &[u8] = b"hasconfig:remote.*.url:";

/// The file of a linked worktree that names the common directory.
const COMMON_DIR: &[u8] = b".worktree/commondir";

/// What git knows from elsewhere.
pub(super) struct Places {
    /// The absolute paths of the git directory: the real one first.
    pub(super) git_dirs: Vec<Vec<u8>>,
    /// The home directory of the user as it is given, and then its real path.
    pub(super) homes: Vec<Vec<u8>>,
    /// The URLs of the remotes, as far as they are known.
    pub(super) urls: Option<Vec<Vec<u8>>>,
}

/// Whether a condition holds.
pub(super) enum Truth {
    Yes,
    No,
    /// Nobody said where the repository is.
    Unknown,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds {
            Truth::Yes
        } else {
            Truth::No
        }
    }
}

/// Returns whether a condition is about the URLs of remotes.
pub(super) fn is_about_urls(condition: &[u8]) -> bool {
    condition.starts_with(ABOUT_URLS)
}

impl Places {
    /// Returns whether a condition in a file holds. A condition that git does not know does not.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn decide(
        &self,
        condition: &[u8],
        repository: &Repository,
        file: &ConfigFile,
    ) -> Result<Truth> {
        if let Some(pattern) = condition.strip_prefix(b"gitdir:") {
            return self.is_git_dir(pattern, false, repository, file);
        }
        if let Some(pattern) = condition.strip_prefix(b"gitdir/i:") {
            return self.is_git_dir(pattern, true, repository, file);
        }
        if let Some(pattern) = condition.strip_prefix(b"onbranch:") {
            return is_on_branch(pattern, repository).map(Truth::from);
        }
        let Some(pattern) = condition.strip_prefix(ABOUT_URLS) else {
            return Ok(Truth::No);
        };
        let pattern = Pattern::new(pattern, false);
        let mut urls = self.urls.iter().flatten();
        Ok(urls.any(|url| pattern.matches(url)).into())
    }

    /// Returns a path with the home directory in place of `~`; `None` if that is not known.
    pub(super) fn expanded(&self, path: &[u8]) -> Option<Vec<u8>> {
        expanded(path, self.homes.first())
    }

    fn is_git_dir(
        &self,
        pattern: &[u8],
        fold_case: bool,
        repository: &Repository,
        file: &ConfigFile,
    ) -> Result<Truth> {
        let expanded = expanded(pattern, self.homes.last());
        let (Some(mut pattern), Some(git_dir)) = (expanded, self.git_dirs.first()) else {
            return Ok(Truth::Unknown);
        };
        // What precedes the pattern, and has no wildcards.
        let mut literal = Vec::new();
        if let Some(rest) = pattern.strip_prefix(b"./") {
            let directory = directory_of(&file.path);
            let base = match file.scope {
                _ if directory.starts_with(b"/") => Vec::new(),
                ConfigScope::Local => common_dir(git_dir, repository)?,
                ConfigScope::Worktree => with_slash(git_dir),
            };
            (literal, pattern) = ([&base, directory].concat(), rest.to_vec());
        } else if !pattern.starts_with(b"/") {
            pattern.splice(..0, *b"**/");
        }
        if literal.ends_with(b"/") && pattern.is_empty() {
            pattern.extend(b"**");
        }
        let pattern = Pattern::new(&with_all_below(&pattern), fold_case);
        let is_same = |one: &[u8]| match fold_case {
            true => one.eq_ignore_ascii_case(&literal),
            false => one == literal,
        };
        let matches = |place: &Vec<u8>| {
            let parts = place.split_at_checked(literal.len());
            parts.is_some_and(|(start, rest)| is_same(start) && pattern.matches(rest))
        };
        Ok(self.git_dirs.iter().any(matches).into())
    }
}

/// Returns the absolute path of the common directory, with a slash at its end.
fn common_dir(git_dir: &[u8], repository: &Repository) -> Result<Vec<u8>> {
    let files = &repository.files;
    let Some(file) = files.find(COMMON_DIR)? else {
        return Ok(with_slash(git_dir));
    };
    let text = text_of(files, file, &repository.limits())?;
    let named = text.trim_ascii_end();
    let whole = match named.starts_with(b"/") {
        true => named.to_vec(),
        false => [&with_slash(git_dir), named].concat(),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in whole.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    Ok([b"/", parts.join(&b'/').as_slice(), b"/"].concat())
}

fn with_slash(directory: &[u8]) -> Vec<u8> {
    [directory, b"/"].concat()
}

fn expanded(path: &[u8], home: Option<&Vec<u8>>) -> Option<Vec<u8>> {
    match path {
        [b'~'] | [b'~', b'/', ..] => {
            Some([home?.as_slice(), path.get(1..).unwrap_or_default()].concat())
        }
        // The directory of another user, or the one that git is installed in.
        [b'~', ..] => None,
        _ if path.starts_with(b"%(prefix)/") => None,
        _ => Some(path.to_vec()),
    }
}

/// Returns a pattern with `**` after a slash at its end.
fn with_all_below(pattern: &[u8]) -> Vec<u8> {
    let more: &[u8] = if pattern.ends_with(b"/") { b"**" } else { b"" };
    [pattern, more].concat()
}

/// Returns whether `HEAD` names a branch that matches, whether that exists or not.
fn is_on_branch(pattern: &[u8], repository: &Repository) -> Result<bool> {
    let head = match repository.refs.get(&repository.files, b"HEAD") {
        Err(error) if error.is_missing() => return Err(error),
        head => head.ok().flatten(),
    };
    let Some(RefValue::Symbolic(target)) = head.map(|head| head.value) else {
        return Ok(false);
    };
    let pattern = Pattern::new(&with_all_below(pattern), false);
    Ok(target.strip_prefix(b"refs/heads/").is_some_and(|branch| pattern.matches(branch)))
}
