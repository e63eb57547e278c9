//! The directories that objects lie in: the repository's own, and those it
//! borrows from: <https://git-scm.com/docs/gitrepository-layout#Documentation/gitrepository-layout.txt-objectsinfoalternates>.

use crate::block::Files;
use crate::error::Result;
use crate::limits::Limits;
use crate::refs::text_of;

/// The directory of the repository's own objects.
const OWN: &[u8] = b"objects";

/// How far alternates may have alternates of their own, as in git.
const MOST_DEPTH: u32 = 5;

struct Directory {
    path: Vec<u8>,
    depth: u32,
}

/// The directories, one's own first. Alternates are read when something is not
/// found without them, or everything is asked for.
pub(super) struct Directories {
    list: Vec<Directory>,
    /// How many of them were asked for their alternates.
    asked: usize,
}

impl Directories {
    pub(super) fn new() -> Directories {
        Directories { list: vec![Directory { path: OWN.to_vec(), depth: 0 }], asked: 0 }
    }

    /// Returns the paths that are known, below the git directory or absolute.
    pub(super) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.list.iter().map(|directory| directory.path.as_slice())
    }

    /// Makes sure that all alternates are known; tells whether any are new. One
    /// that is named twice, or that borrows back, is there once.
    pub(super) fn read_alternates(&mut self, files: &Files, limits: &Limits) -> Result<bool> {
        let known = self.list.len();
        while let Some(directory) = self.list.get(self.asked) {
            let depth = directory.depth.saturating_add(1);
            let file = files.find(&[&directory.path, &b"/info/alternates"[..]].concat())?;
            if let Some(file) = file.filter(|_| depth <= MOST_DEPTH) {
                let text = text_of(files, file, limits)?;
                let named: Vec<Vec<u8>> = text
                    .split(|byte| *byte == b'\n')
                    .filter_map(named_by)
                    .filter_map(|named| resolved(&directory.path, &named))
                    .collect();
                for path in named {
                    if !self.list.iter().any(|other| other.path == path) {
                        self.list.push(Directory { path, depth });
                    }
                }
            }
            self.asked = self.asked.saturating_add(1);
        }
        Ok(self.list.len() > known)
    }
}

/// Returns the path that a line names; `None` for comments and empty lines.
fn named_by(line: &[u8]) -> Option<Vec<u8>> {
    match line {
        [] | [b'#', ..] => None,
        [b'"', quoted @ ..] => Some(unquoted(quoted).unwrap_or_else(|| line.to_vec())),
        _ => Some(line.to_vec()),
    }
}

/// Takes the quotes off a path as C has them; `None` if they are not whole.
fn unquoted(quoted: &[u8]) -> Option<Vec<u8>> {
    let mut path = Vec::new();
    let mut rest = quoted;
    loop {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        match byte {
            b'"' => return rest.is_empty().then_some(path),
            b'\\' => {
                let (escaped, behind) = rest.split_first()?;
                rest = behind;
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
                        let (digits, behind) = rest.split_at_checked(2)?;
                        rest = behind;
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

/// Returns the path of an alternate that `directory` names, without `.` and, as
/// far as that goes, `..`; `None` if nothing can be there.
fn resolved(directory: &[u8], named: &[u8]) -> Option<Vec<u8>> {
    let absolute = named.starts_with(b"/");
    let whole = if absolute { named.to_vec() } else { [directory, b"/", named].concat() };
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
        let named = text.split('\n').filter_map(|line| named_by(line.as_bytes()));
        named
            .filter_map(|named| resolved(b"objects", &named))
            .map(|path| String::from_utf8(path).unwrap())
            .collect()
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        let text =
            "# none\n\n../../base.git/objects\n/srv/./x/../objects/\n\"/q\\\"\\101\\n\"\n\"open\n";
        let open = "objects/\"open";
        assert_eq!(lines(text), ["../base.git/objects", "/srv/objects", "/q\"A\n", open]);
        assert_eq!(lines("../../../../a\n/../../b\n./c"), ["../../../a", "/b", "objects/c"]);
    }

    #[test]
    fn who_borrows_back_is_there_once() {
        let mut files = Files::new(1 << 20);
        let mut add = |path: &str, text: &str| {
            let file = files.found(path.as_bytes(), text.len() as u64, 1);
            files.add(file, 0, text.as_bytes().to_vec()).unwrap();
        };
        add("objects/info/alternates", "../../a/objects\n");
        add("../a/objects/info/alternates", "../../self/../a/objects/\n../../b/objects");
        add("../b/objects/info/alternates", "../../a/objects");
        let mut directories = Directories::new();
        assert!(directories.read_alternates(&files, &Limits::default()).unwrap());
        let paths: Vec<&[u8]> = directories.paths().collect();
        assert_eq!(paths, [&b"objects"[..], b"../a/objects", b"../b/objects"]);
        assert!(!directories.read_alternates(&files, &Limits::default()).unwrap());
    }
}
