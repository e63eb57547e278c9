//! What a source says of the files in a directory of the work tree.
//!
//! A source lists the directory `.worktree-files/<directory>` with a text in place of each name:
//! `<kind> <executable> <size> <mtime> <ctime> <ino> <uid> <gid> <name>`. The kind is `f` for a
//! file, `l` for a symbolic link, `d` for a directory, `o` for others; the name `.git` is only
//! listed as `r`, if it is the git directory of a repository, or leads to one. `-` stands for what
//! the source does not know. Times are nanoseconds since 1970, or seconds with an `s`.
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

const SECOND: i64 = 1_000_000_000;

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

/// A time of a file: seconds since 1970 in 32 bits, and the nanoseconds, if they are known.
pub(crate) type FileTime = (u32, Option<u32>);

/// What a source says of the index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IndexStat {
    /// When it was written; `None` if there is none.
    pub(crate) written: Option<FileTime>,
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
    pub(crate) mtime: Option<FileTime>,
    pub(crate) ctime: Option<FileTime>,
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
    let (mtime, ctime) = (known(next()?, time)?, known(next()?, time)?);
    let low = |text: &[u8]| number(text).map(|number| number as u32);
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
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn time(text: &[u8]) -> Option<FileTime> {
    match text.strip_suffix(b"s") {
        Some(seconds) => Some((number(seconds)? as u32, None)),
        None => {
            let number = number(text)?;
            let nanoseconds = number.checked_rem_euclid(SECOND)? as u32;
            Some((number.checked_div_euclid(SECOND)? as u32, Some(nanoseconds)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parsed() {
        let listed = parse(b"f 1 12 1700000000123456789 - 4294967297 0 5 a b").unwrap();
        let expected = Listed {
            name: b"a b".to_vec(),
            kind: FileKind::File,
            is_executable: Some(true),
            size: 12,
            mtime: Some((1_700_000_000, Some(123_456_789))),
            ctime: None,
            ino: Some(1),
            owners: [Some(0), Some(5)],
        };
        assert_eq!(listed, expected);
        let listed = parse(b"l - 0 -1 17s - - - x").unwrap();
        assert_eq!(listed.mtime, Some((u32::MAX, Some(999_999_999))));
        assert_eq!(listed.ctime, Some((17, None)));
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
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}
