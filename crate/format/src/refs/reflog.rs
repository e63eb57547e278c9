//! Reflogs in the files storage: one line per change of a ref, the newest at the end;
//! <https://git-scm.com/docs/gitrepository-layout>, "logs".

use super::files_refs::MAIN_WORKTREE;
use super::name::is_refname;
use crate::object::date_of;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::oid::{split_hex, HashKind, ObjectId};
use packlens_base::sort;

const LOGS: &[u8] = b"logs/";

/// The prefix for the refs of other worktrees; the worktree's name and a slash follow.
const WORKTREES: &[u8] = b"worktrees/";

/// How many bytes are read at a time, from the end backwards.
const STEP: u64 = 8 << 10;

/// One change of a ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReflogEntry {
    /// The object before the change; the null id if the ref was created.
    pub old: ObjectId,
    /// The object after the change; the null id if the ref was deleted.
    pub new: ObjectId,
    /// The name, email and time of the change, as in a commit's `committer` header.
    pub committer: Vec<u8>,
    /// The reason for the change, on one line.
    pub message: Vec<u8>,
}

impl ReflogEntry {
    /// Returns the time of the change in seconds since 1970.
    pub fn seconds(&self) -> u64 {
        date_of(&self.committer).unwrap_or(0)
    }
}

/// A cursor over a reflog, from the newest entry to the oldest. Damaged lines are skipped, as
/// in git.
pub struct Reflog {
    path: Vec<u8>,
    hash: HashKind,
    limits: Limits,
    open: Option<Open>,
}

/// The position in an open file: the end of `read` is where the last returned line begins.
struct Open {
    file: FileId,
    /// The offset of `read` in the file.
    start: u64,
    read: Vec<u8>,
}

impl Reflog {
    /// Starts at the newest entry of the ref with this full name.
    pub fn new(name: &[u8], hash: HashKind, limits: Limits) -> Reflog {
        Reflog { path: path_of(name), hash, limits, open: None }
    }

    /// Returns the next older entry; `None` after the oldest, or if there is no log.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again; [`ErrorKind::Limit`] for a line
    /// that is much too long.
    pub fn next(&mut self, files: &Files) -> Result<Option<ReflogEntry>> {
        if !is_refname(&self.path) {
            return Ok(None);
        }
        while let Some(line) = self.line_before(files)? {
            if let Some(entry) = decode(self.hash, &line) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// Returns whether there is a reflog, even an empty one.
    ///
    /// # Errors
    ///
    /// Missing files: provide them and call again.
    pub fn exists(&self, files: &Files) -> Result<bool> {
        Ok(is_refname(&self.path) && files.find_fresh(&self.path)?.is_some())
    }

    /// Returns how many bytes of memory the cursor takes.
    pub fn memory(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| open.read.capacity() as u64)
    }

    /// Returns the line before the position, with its line feed.
    fn line_before(&mut self, files: &Files) -> Result<Option<Vec<u8>>> {
        if self.open.is_none() {
            let Some(file) = files.find_fresh(&self.path)? else {
                return Ok(None);
            };
            let start = files.source(file).size();
            self.open = Some(Open { file, start, read: Vec::new() });
        }
        let Some(open) = &mut self.open else {
            return Ok(None);
        };
        loop {
            let body = open.read.len().saturating_sub(1);
            let feed =
                open.read.get(..body).and_then(|read| read.iter().rposition(|b| *b == b'\n'));
            if let Some(feed) = feed {
                return Ok(Some(open.read.split_off(feed.saturating_add(1))));
            }
            if open.start == 0 {
                let line = std::mem::take(&mut open.read);
                return Ok(Some(line).filter(|line| !line.is_empty()));
            }
            if open.read.len() as u64 > self.limits.text_size {
                let what = "a line of a reflog is too long";
                return Err(Error::new(ErrorKind::Limit, what).at(open.file, open.start));
            }
            let start = open.start.saturating_sub(STEP);
            let mut read = self.limits.buffer(open.start.saturating_sub(start))?;
            files.source(open.file).read_at(start, &mut read)?;
            read.extend_from_slice(&open.read);
            open.read = read;
            open.start = start;
        }
    }
}

/// Returns the path of a ref's reflog; that of another worktree is in the worktree's
/// directory.
fn path_of(name: &[u8]) -> Vec<u8> {
    let own = match name.strip_prefix(WORKTREES) {
        Some(rest) => rest
            .iter()
            .position(|byte| *byte == b'/')
            .map(|end| WORKTREES.len().saturating_add(end).saturating_add(1)),
        None => name.starts_with(MAIN_WORKTREE).then_some(MAIN_WORKTREE.len()),
    };
    let (place, rest) = name.split_at_checked(own.unwrap_or(0)).unwrap_or((b"", name));
    [place, LOGS, rest].concat()
}

/// Decodes a line: old id, new id, committer with time, tab, message.
fn decode(hash: HashKind, line: &[u8]) -> Option<ReflogEntry> {
    let (old, rest) = split_hex(hash, line.strip_suffix(b"\n")?).ok()?;
    let (new, rest) = split_hex(hash, rest.strip_prefix(b" ")?).ok()?;
    let rest = rest.strip_prefix(b" ")?;
    let close = rest.iter().position(|byte| *byte == b'>')?;
    let after = rest.get(close.saturating_add(1)..)?.strip_prefix(b" ")?;
    let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (seconds, zone) = after.split_at_checked(digits)?;
    let [b' ', b'+' | b'-', hours @ .., _, _] = zone.get(..6)? else {
        return None;
    };
    let minutes = zone.get(4..6)?;
    let all_digits = hours.iter().chain(minutes).all(u8::is_ascii_digit);
    // git treats a time of 0 as no time at all.
    if !all_digits || !seconds.iter().any(|digit| *digit != b'0') {
        return None;
    }
    let committer = rest.get(..rest.len().saturating_sub(zone.len()).saturating_add(6))?;
    let message = zone.get(6..)?;
    let message = message.strip_prefix(b"\t").unwrap_or(message);
    Some(ReflogEntry { old, new, committer: committer.to_vec(), message: message.to_vec() })
}

/// Returns the sorted names of all refs that have a log.
pub(super) fn names(files: &Files) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    let mut folders = vec![Vec::new()];
    while let Some(folder) = folders.pop() {
        let path = [LOGS, &folder].concat();
        for name in files.list_fresh(path.strip_suffix(b"/").unwrap_or(&path))? {
            let inner = [folder.as_slice(), name].concat();
            match name.ends_with(b"/") {
                true => folders.push(inner),
                false => names.push(inner),
            }
        }
    }
    sort::names(&mut names);
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: &str = "0000000000000000000000000000000000000000";
    const ONE: &str = "1111111111111111111111111111111111111111";

    fn log(text: &str, part: usize) -> Result<Vec<ReflogEntry>> {
        let mut files = Files::new(1 << 30);
        files.new_question(None);
        let file = files.found(b"logs/HEAD", text.len() as u64, 1);
        for (at, chunk) in text.as_bytes().chunks(part).enumerate() {
            files.add(file, (at * part) as u64, chunk.to_vec()).unwrap();
        }
        let mut log = Reflog::new(b"HEAD", HashKind::Sha1, Limits::default());
        let mut found = Vec::new();
        while let Some(entry) = log.next(&files)? {
            found.push(entry);
        }
        Ok(found)
    }

    #[test]
    fn the_newest_entry_comes_first_in_parts_of_any_size() {
        let line = |at: usize| {
            let message = "x".repeat(at * 7 % 300);
            format!("{ZERO} {ONE} A B <a@b> {} +0130\tno. {at} {message}\n", 1_000_000 + at)
        };
        let text: String = (0..200).map(line).collect();
        for part in [1, 7, 512, 65536] {
            let found = log(&text, part).unwrap();
            assert_eq!(found.len(), 200);
            for (at, entry) in found.iter().rev().enumerate() {
                let who = format!("A B <a@b> {} +0130", 1_000_000 + at);
                assert_eq!(entry.committer, who.as_bytes());
                assert!(entry.message.starts_with(format!("no. {at} ").as_bytes()));
                assert!(entry.old.is_null() && !entry.new.is_null());
            }
        }
        assert_eq!(log("", 1).unwrap(), []);
    }

    #[test]
    fn reflogs_of_other_worktrees_are_in_their_folders() {
        for (name, path) in [
            ("HEAD", "logs/HEAD"),
            ("refs/heads/a", "logs/refs/heads/a"),
            ("main-worktree/HEAD", "main-worktree/logs/HEAD"),
            ("worktrees/one/HEAD", "worktrees/one/logs/HEAD"),
            ("worktrees/one", "logs/worktrees/one"),
        ] {
            assert_eq!(path_of(name.as_bytes()), path.as_bytes());
        }
    }

    #[test]
    fn damaged_lines_are_skipped() {
        let good = format!("{ZERO} {ONE} A <a> 5 +0000\twhy\n");
        assert_eq!(log(&good, 7).unwrap()[0].message, b"why");
        for bad in [
            "\n".to_string(),
            good.replace(" 5 ", " 0 "),
            good.replace(" 5 ", " x "),
            good.replace("+0000", "+00"),
            good.replace("+0000", "00000"),
            good.replace('>', ""),
            good.replace("000 ", "000"),
            good.replacen('0', "z", 1),
            good.replace("> ", ">"),
        ] {
            let found = log(&format!("{good}{bad}{good}"), 512).unwrap();
            assert_eq!(found.len(), 2, "{bad}");
        }
        assert_eq!(log(good.trim_end(), 512).unwrap(), []);
        let bare = good.replace("\twhy", "");
        assert_eq!(log(&bare, 512).unwrap()[0].message, b"");
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let text = format!("{}\n", "x".repeat(2 << 20));
        assert_eq!(log(&text, 65536).unwrap_err().kind(), ErrorKind::Limit);
    }
}
