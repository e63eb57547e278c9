//! What a source says of the files in a directory of the work tree.
//!
//! A source lists the directory `.worktree-files/<directory>` with a text in place of each name:
//! `<kind> <executable> <size> <mtime> <ctime> <ino> <uid> <gid> <name>`. The kind is `f` for a
//! file, `l` for a symbolic link, `d` for a directory, `o` for others; the name `.git` is only
//! listed as `r`, if it is the git directory of a repository, or leads to one. `-` stands for what
//! the source does not know. Times are seconds since 1970: parts of a second do not count, as in git
//! (`status/stat.rs`).
//!
//! `.worktree-stat/<file>` is listed as one such text about a file of the git directory. Of a source
//! that does not list symbolic links, such as a browser, the text `without-links` follows.

use packlens_base::block::Files;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::sort;

/// Where sources list the files of a work tree.
const WORKTREE: &[u8] = b".worktree-files/";

/// Where sources list what they know of one file, such as the index.
const STAT: &[u8] = b".worktree-stat/";

/// The text of sources whose listings have no symbolic links.
const WITHOUT_LINKS: &[u8] = b"without-links";

/// What is under a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum FileKind {
    File,
    Link,
    Directory,
    /// The git directory of the directory that is listed.
    Repository,
    Other,
}

/// What a source says of the index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IndexStat {
    /// The second in which it was written; `None` if there is none.
    pub(crate) written: Option<u32>,
    /// Whether symbolic links of the work tree are not listed, so that one may exist or not.
    pub(crate) hides_links: bool,
}

/// A file, or what else has a name in a directory.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Listed {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: FileKind,
    /// Whether the owner may execute the file.
    pub(crate) is_executable: Option<bool>,
    pub(crate) size: u64,
    /// The seconds of its last changes, and the inode, in 32 bits as in an index.
    pub(crate) mtime: Option<u32>,
    pub(crate) ctime: Option<u32>,
    pub(crate) ino: Option<u32>,
    /// The owner and the group.
    pub(crate) owners: [Option<u32>; 2],
}

/// Returns the path of a file or directory of the work tree in a source.
pub(crate) fn in_source(path: &[u8]) -> Vec<u8> {
    [WORKTREE, path.strip_suffix(b"/").unwrap_or(path)].concat()
}

/// Lists a directory by its path with a slash at its end, which is empty for the top. Names are
/// in the order of their bytes.
///
/// # Errors
///
/// A need for the listing; [`ErrorKind::Unsupported`] if the source lists no such texts.
pub(crate) fn listing(files: &mut Files, directory: &[u8]) -> Result<Vec<Listed>> {
    let path = in_source(directory);
    let listed: Option<Vec<_>> = files.list_fresh(&path)?.iter().map(|text| parse(text)).collect();
    files.forget_listing(&path);
    let mut listed = listed.ok_or_else(without_worktree)?;
    sort::by(&mut listed, |one, other| one.name.cmp(&other.name));
    Ok(listed)
}

/// Returns what the source says of the index at a path in the git directory.
///
/// # Errors
///
/// As [`listing`].
pub(crate) fn stat_index(files: &mut Files, index: &[u8]) -> Result<IndexStat> {
    let path = [STAT, index].concat();
    let texts = files.list_fresh(&path)?;
    let listed = texts.first().and_then(|text| parse(text));
    let hides_links = texts.get(1).is_some_and(|text| *text == WITHOUT_LINKS);
    files.forget_listing(&path);
    let written = listed.ok_or_else(without_worktree)?.mtime;
    Ok(IndexStat { written, hides_links })
}

fn without_worktree() -> Error {
    let what = "this source has no work tree whose files can be listed: give the path of one";
    Error::new(ErrorKind::Unsupported, what)
}

fn parse(text: &[u8]) -> Option<Listed> {
    let mut fields = text.splitn(9, |byte| *byte == b' ');
    let mut next = || fields.next();
    let kind = match next()? {
        b"f" => FileKind::File,
        b"l" => FileKind::Link,
        b"d" => FileKind::Directory,
        b"r" => FileKind::Repository,
        b"o" => FileKind::Other,
        _ => return None,
    };
    let is_executable = known(next()?, |text| number(text).map(|number| number != 0))?;
    let size = u64::try_from(number(next()?)?).ok()?;
    let low = |text: &[u8]| number(text).map(|number| number as u32);
    let (mtime, ctime) = (known(next()?, low)?, known(next()?, low)?);
    let (ino, uid, gid) = (known(next()?, low)?, known(next()?, low)?, known(next()?, low)?);
    let name = next()?.to_vec();
    let is_name = !matches!(name.as_slice(), b"" | b"." | b"..") && !name.contains(&b'/');
    let is_git = name == b".git";
    (is_name && is_git == (kind == FileKind::Repository)).then_some(Listed {
        name,
        kind,
        is_executable,
        size,
        mtime,
        ctime,
        ino,
        owners: [uid, gid],
    })
}

/// Returns `Some(None)` for what is not known, and `None` for what is malformed.
fn known<T>(text: &[u8], parse: impl Fn(&[u8]) -> Option<T>) -> Option<Option<T>> {
    match text {
        b"-" => Some(None),
        _ => parse(text).map(Some),
    }
}

fn number(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let add = |sum: i64, digit: &u8| {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit.saturating_sub(b'0')))?;
        sum.checked_mul(10)?.checked_add(digit)
    };
    let size = digits.iter().try_fold(0, add).filter(|_| !digits.is_empty())?;
    Some(if digits.len() < text.len() { 0_i64.saturating_sub(size) } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parsed() {
        let listed = parse(b"f 1 12 1700000000 - 4294967297 0 5 a b").unwrap();
        let expected = Listed {
            name: b"a b".to_vec(),
            kind: FileKind::File,
            is_executable: Some(true),
            size: 12,
            mtime: Some(1_700_000_000),
            ctime: None,
            ino: Some(1),
            owners: [Some(0), Some(5)],
        };
        assert_eq!(listed, expected);
        let listed = parse(b"l - 0 -1 17 - - - x").unwrap();
        assert_eq!(listed.mtime, Some(u32::MAX));
        assert_eq!(listed.ctime, Some(17));
        assert_eq!(listed.is_executable, None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "a",
            "f 0 1 - - - - -",
            "f 0 1 - - - - - ",
            "f 0 1 - - - - - ..",
            "d 0 1 - - - - - a/b",
            "f 0 1 - - - - - .git",
            "r 0 1 - - - - - a",
            "f 0 - - - - - - a",
            "f 0 -1 - - - - - a",
            "q 0 1 - - - - - a",
            "f 0 1 x - - - - a",
            "f 0 1 17s - - - - a",
            "f 0 1 - - + - - a",
            "f 0 1 - - 9223372036854775808 - - a",
            "f 0  - - - - - a",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
