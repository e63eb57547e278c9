//! The object directories of a repository: its own, and the alternates that it
//! borrows from: <https://git-scm.com/docs/gitrepository-layout#Documentation/gitrepository-layout.txt-objectsinfoalternates>.

use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::limits::Limits;
use packlens_format::refs::text_of;

/// The path of the repository's own object directory, unless the layout names another.
const OWN: &[u8] = b"objects";

/// How deeply alternates may be nested, as in git.
const MOST_DEPTH: u32 = 5;

/// The longest path that the systems git runs on allow, in bytes. A directory with a longer
/// one does not exist, so git skips it; here each of its 256 folders would be looked up.
const LONGEST_PATH: usize = 4096;

/// Overrides of the repository's object directories. git takes these from its environment.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The repository's own object directory, as in `GIT_OBJECT_DIRECTORY`.
    pub object_directory: Option<Vec<u8>>,
    /// Further alternates, as in `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
    pub alternates: Vec<Vec<u8>>,
    /// Whether missing objects are requested from the caller, who stores them in the directory
    /// `fetched`.
    pub fetches: bool,
    /// Whether a directory of loose objects is listed once for all questions, as by a command of
    /// git, unless an abbreviated id was not found. By default each question lists it anew.
    pub lists_loose_once: bool,
}

/// The directory of objects that were fetched on demand.
pub(super) const FETCHED: &[u8] = b"fetched";

/// An alternate that was named but not read yet.
struct Named {
    path: Vec<u8>,
    /// How many alternates are between this one and the repository.
    depth: u32,
}

/// The object directories, the repository's own first. Alternates are read only when an object
/// is not found without them, or when all objects are requested.
pub(super) struct Directories {
    list: Vec<Vec<u8>>,
    /// Alternates to be read; the next one is last.
    pending: Vec<Named>,
    /// Alternates from the layout; `None` once they are pending.
    given: Option<Vec<Vec<u8>>>,
    lists_loose_once: bool,
}

impl Directories {
    pub fn new(layout: &Layout) -> Directories {
        let own = layout.object_directory.as_deref().unwrap_or(OWN);
        let fetched = layout.fetches.then(|| FETCHED.to_vec());
        Directories {
            list: [own.to_vec()].into_iter().chain(fetched).collect(),
            pending: Vec::new(),
            given: Some(layout.alternates.clone()),
            lists_loose_once: layout.lists_loose_once,
        }
    }

    /// Returns the known paths, absolute or relative to the git directory.
    pub(super) fn paths(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.list.iter().map(Vec::as_slice)
    }

    pub(super) fn lists_loose_once(&self) -> bool {
        self.lists_loose_once
    }

    /// Reads all alternates; returns whether that added any. An alternate that is named twice,
    /// or that names the repository back, is listed once. The order is git's: each directory
    /// comes before the alternates that it names.
    pub(super) fn read_alternates(&mut self, files: &Files, limits: &Limits) -> Result<bool> {
        let known = self.list.len();
        if let (Some(given), Some(own)) = (&self.given, self.list.first()) {
            let named = alternates_of(files, own, limits)?;
            self.pending = as_pending(given.iter().cloned().chain(named), 0);
            self.given = None;
        }
        while let Some(next) = self.pending.last() {
            let deeper = next.depth.saturating_add(1);
            let mut named = Vec::new();
            let is_new = next.path.len() <= LONGEST_PATH && !self.list.contains(&next.path);
            if is_new && deeper <= MOST_DEPTH {
                named = alternates_of(files, &next.path, limits)?;
            }
            if let Some(next) = self.pending.pop().filter(|_| is_new) {
                self.list.push(next.path);
                self.pending.extend(as_pending(named.into_iter(), deeper));
            }
        }
        Ok(self.list.len() > known)
    }
}

/// Returns paths as pending alternates, the first one last.
fn as_pending(paths: impl DoubleEndedIterator<Item = Vec<u8>>, depth: u32) -> Vec<Named> {
    paths.rev().map(|path| Named { path, depth }).collect()
}

/// Returns the paths in the file `info/alternates` of a directory.
fn alternates_of(files: &Files, directory: &[u8], limits: &Limits) -> Result<Vec<Vec<u8>>> {
    match files.find(&[directory, &b"/info/alternates"[..]].concat())? {
        Some(file) => Ok(alternates_in(&text_of(files, file, limits)?, b'\n', directory)),
        None => Ok(Vec::new()),
    }
}

/// Returns the paths in a list of alternates. Relative paths are resolved against `base`.
/// Empty entries and `#` comments are skipped; a path may be quoted as in C.
///
/// ```
/// let paths = packlens_query::odb::alternates_in(b"../b:/c:\"/d:e\":#f", b':', b"/a");
/// assert_eq!(paths, [&b"/b"[..], b"/c", b"/d:e"]);
/// ```
pub fn alternates_in(text: &[u8], separator: u8, base: &[u8]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == separator).unwrap_or(rest.len());
        let (line, mut next) = rest.split_at_checked(end).unwrap_or((rest, b""));
        let path = match (line, unquoted(rest)) {
            ([b'#', ..], _) => None,
            (_, Some((path, after))) => {
                next = after;
                Some(path)
            }
            _ => Some(line.to_vec()),
        };
        let path = path.filter(|path| !path.is_empty());
        paths.extend(path.and_then(|path| resolved(base, &path)));
        // Skips the byte after a closing quote, whatever it is, as git does.
        rest = next.get(1..).unwrap_or_default();
    }
    paths
}

/// Unquotes the path at the start of a text and returns it with the rest of the text; `None`
/// if there is no quote, or it is not closed or has an invalid escape.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut path = Vec::new();
    let mut rest = text.strip_prefix(b"\"")?;
    loop {
        let (byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((path, rest)),
            b'\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                path.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'\\' | b'"' => *escaped,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_at_checked(2)?;
                        rest = after;
                        let text = [&[*escaped], digits].concat();
                        u8::from_str_radix(std::str::from_utf8(&text).ok()?, 8).ok()?
                    }
                    _ => return None,
                });
            }
            _ => path.push(*byte),
        }
    }
}

/// Returns the path of an alternate that `directory` names, with `.` and, as far as possible,
/// `..` resolved; `None` if the path has a NUL byte.
fn resolved(directory: &[u8], named: &[u8]) -> Option<Vec<u8>> {
    let whole = match directory.is_empty() || named.starts_with(b"/") {
        true => named.to_vec(),
        false => [directory, b"/", named].concat(),
    };
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in whole.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if parts.last().is_some_and(|last| *last != b"..") => {
                parts.pop();
            }
            b".." if whole.starts_with(b"/") => {}
            _ if part.contains(&0) => return None,
            _ => parts.push(part),
        }
    }
    let path = parts.join(&b'/');
    Some(if whole.starts_with(b"/") { [b"/", path.as_slice()].concat() } else { path })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let paths = alternates_in(text.as_bytes(), b'\n', b"objects");
        paths.into_iter().map(|path| String::from_utf8(path).unwrap()).collect()
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        let text =
            "# none\n\n../../base.git/objects\n/srv/./x/../objects/\n\"/q\\\"\\101\\n\"\n\"open\n";
        let open = "objects/\"open";
        assert_eq!(lines(text), ["../base.git/objects", "/srv/objects", "/q\"A\n", open]);
        assert_eq!(lines("../../../../a\n/../../b\n./c"), ["../../../a", "/b", "objects/c"]);
        assert_eq!(alternates_in(b"../a:b", b':', b""), [&b"../a"[..], b"b"]);
        assert_eq!(lines("\"/a\nb\"\n\"/c\"?/d"), ["/a\nb", "/c", "/d"]);
    }

    fn directories(all: &[(&str, &str)], layout: &Layout) -> Vec<String> {
        let mut files = Files::new(1 << 20);
        let mut directories = Directories::new(layout);
        let mut reads = 0;
        loop {
            match directories.read_alternates(&files, &Limits::default()) {
                Ok(_) => break,
                Err(error) => {
                    reads += 1;
                    assert!(reads < 40, "{error}");
                    let Some(packlens_base::Need::File { path, .. }) = error.need() else {
                        panic!()
                    };
                    let of = path.strip_suffix(b"/info/alternates").unwrap();
                    match all.iter().find(|(name, _)| name.as_bytes() == of) {
                        Some((_, text)) => {
                            let file = files.found(path, text.len() as u64, 1);
                            files.add(file, 0, text.as_bytes().to_vec()).unwrap();
                        }
                        None => files.absent(path),
                    }
                }
            }
        }
        assert!(!directories.read_alternates(&files, &Limits::default()).unwrap());
        directories.paths().map(|path| String::from_utf8(path.to_vec()).unwrap()).collect()
    }

    #[test]
    fn paths_longer_than_systems_allow_are_skipped() {
        let [most, more] = [4096, 4097].map(|length| format!("/{}", "x".repeat(length - 1)));
        let named = format!("{more}\n{most}\n/after\n");
        let found = directories(&[("objects", &named)], &Layout::default());
        assert_eq!(found, ["objects", &most, "/after"]);
    }

    #[test]
    fn an_alternate_cycle_lists_each_directory_once() {
        let all = [
            ("objects", "../../a/objects\n"),
            ("../a/objects", "../../self/../a/objects/\n../../b/objects"),
            ("../b/objects", "../../a/objects"),
        ];
        let found = directories(&all, &Layout::default());
        assert_eq!(found, ["objects", "../a/objects", "../b/objects"]);
    }

    #[test]
    fn six_follow_each_other_and_no_more() {
        let texts: Vec<(String, String)> =
            (0..9).map(|at| (format!("/{at}"), format!("/{}", at + 1))).collect();
        let all: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        let layout = Layout { object_directory: Some(b"/0".to_vec()), ..Layout::default() };
        assert_eq!(directories(&all, &layout), ["/0", "/1", "/2", "/3", "/4", "/5", "/6"]);
    }

    #[test]
    fn given_alternates_come_first_and_each_before_its_own() {
        let all = [("/own", "/a\n/b"), ("/a", "/c"), ("/x", "/y\n/a")];
        let layout = Layout {
            object_directory: Some(b"/own".to_vec()),
            alternates: vec![b"/x".to_vec(), b"/own".to_vec()],
            ..Layout::default()
        };
        assert_eq!(directories(&all, &layout), ["/own", "/x", "/y", "/a", "/c", "/b"]);
    }
}
