//! Loose refs: one file each below `refs/`, or beside it for `HEAD` and other root refs:
//! <https://git-scm.com/docs/gitrepository-layout>.

use super::name::{is_refname, REFS};
use super::range::RefRange;
use super::{text_of, RefValue};
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::{split_hex, HashKind};
use packlens_base::sort;

/// The longest path that the systems git runs on allow, in bytes.
const MAX_PATH: usize = 4096;

/// Reads the value of a loose ref. A file that is malformed, or much too long, is a broken
/// ref, as in git: other refs are not affected.
///
/// # Errors
///
/// Missing bytes.
pub(super) fn read_value(
    files: &Files,
    file: FileId,
    hash: HashKind,
    limits: &Limits,
) -> Result<RefValue> {
    let text = match text_of(files, file, limits) {
        Err(error) if !error.is_missing() => return Ok(RefValue::Broken),
        text => text?,
    };
    if let Some(target) = text.strip_prefix(b"ref:") {
        let target = target.trim_ascii();
        return Ok(match is_refname(target) {
            true => RefValue::Symbolic(target.to_vec()),
            false => RefValue::Broken,
        });
    }
    Ok(match split_hex(hash, &text) {
        Ok((id, rest)) if rest.first().is_none_or(u8::is_ascii_whitespace) => RefValue::Id(id),
        _ => RefValue::Broken,
    })
}

/// Walks the names of loose refs in byte order; lists each directory when it is reached.
#[derive(Default)]
pub(super) struct LooseNames {
    /// The directories on the path to the current name, outermost first.
    levels: Vec<DirectoryLevel>,
    name: Vec<u8>,
    /// The directory that was listed last, until [`LooseNames::take_listed`].
    listed: Option<Vec<u8>>,
}

struct DirectoryLevel {
    /// The directory's path, with a trailing slash.
    path: Vec<u8>,
    /// The sorted entries; directories have a trailing slash.
    names: Vec<Vec<u8>>,
    at: usize,
    /// How many bytes the names take: a sum, since memory is asked for at every step.
    memory: u64,
}

impl DirectoryLevel {
    /// Returns the index of the first name that is at or after `from`.
    fn place_of(&self, from: &[u8]) -> usize {
        let Some(rest) = from.strip_prefix(self.path.as_slice()) else {
            return if self.path.as_slice() < from { self.names.len() } else { 0 };
        };
        let is_before = |name: &Vec<u8>| {
            name.as_slice() < rest && !(name.ends_with(b"/") && rest.starts_with(name))
        };
        self.names.partition_point(is_before)
    }
}

impl LooseNames {
    /// Moves to `from`, or where it would be. Directories on the path keep their listings.
    pub(super) fn seek(&mut self, from: &[u8]) {
        let shared = self.levels.iter().take_while(|level| from.starts_with(&level.path));
        self.levels.truncate(shared.count());
        if let Some(level) = self.levels.last_mut() {
            level.at = level.place_of(from);
        }
    }

    /// Returns the current name; `None` if the rest is not in the range.
    ///
    /// # Errors
    ///
    /// Missing directories; [`ErrorKind::Limit`] if they are nested too deep.
    pub fn peek(&mut self, files: &Files, range: &RefRange) -> Result<Option<&[u8]>> {
        if self.levels.is_empty() {
            self.enter(files, range, REFS)?;
        }
        while let Some(level) = self.levels.last() {
            let Some(entry) = level.names.get(level.at) else {
                // Keeps the listing for the next seek, if that stays in the directory.
                if self.levels.len() == 1 || range.ends_in(&level.path) {
                    return Ok(None);
                }
                self.levels.pop();
                continue;
            };
            self.name.clear();
            self.name.extend_from_slice(&level.path);
            self.name.extend_from_slice(entry);
            if !range.may_hold(&self.name) {
                return Ok(None);
            }
            if !entry.ends_with(b"/") {
                return Ok(Some(&self.name));
            }
            let inner = std::mem::take(&mut self.name);
            self.enter(files, range, &inner)?;
        }
        Ok(None)
    }

    /// Takes the directory that was listed last, if it was not taken before.
    pub(super) fn take_listed(&mut self) -> Option<Vec<u8>> {
        self.listed.take()
    }

    /// Moves to the next name.
    pub fn advance(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.at = level.at.saturating_add(1);
        }
    }

    /// Returns how many bytes of memory the listings take.
    pub fn memory(&self) -> u64 {
        self.levels.iter().fold(0, |sum: u64, level| sum.saturating_add(level.memory))
    }

    /// Enters a directory, and moves past it in its parent.
    fn enter(&mut self, files: &Files, range: &RefRange, path: &[u8]) -> Result<()> {
        if path.len() > MAX_PATH {
            let what = "directories of refs are nested too deep";
            return Err(Error::new(ErrorKind::Limit, what).about(path));
        }
        let directory = path.strip_suffix(b"/").unwrap_or(path);
        let listed = files.list_fresh(directory)?;
        self.listed = Some(directory.to_vec());
        let mut names: Vec<Vec<u8>> =
            listed.iter().filter(|name| is_entry(name)).cloned().collect();
        sort::names(&mut names);
        names.dedup();
        self.advance();
        let memory = names.iter().fold(0, |sum: u64, name| {
            sum.saturating_add(name.capacity() as u64).saturating_add(size_of::<Vec<u8>>() as u64)
        });
        let mut level = DirectoryLevel { path: path.to_vec(), names, at: 0, memory };
        level.at = level.place_of(range.from());
        self.levels.push(level);
        Ok(())
    }
}

/// Returns whether git reads a directory entry as a ref or a directory of refs.
fn is_entry(entry: &[u8]) -> bool {
    let name = entry.strip_suffix(b"/").unwrap_or(entry);
    let plain = !name.is_empty() && !name.contains(&b'/') && !name.contains(&0);
    plain && !name.starts_with(b".") && !name.ends_with(b".lock")
}
