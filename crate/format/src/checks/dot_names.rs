//! Names that some file systems treat as `.git` or as a special file: HFS+ ignores some
//! characters, and NTFS gives files a second, short name.

/// A name that has a meaning for git.
#[derive(Clone, Copy)]
pub(super) struct DotName {
    /// The name after the dot, in lower case.
    name: &'static [u8],
    /// The start of the file's NTFS short name, where the usual short names are taken.
    short: &'static [u8; 6],
}

pub(super) const GITMODULES: DotName = DotName { name: b"gitmodules", short: b"gi7eba" };
pub(super) const GITATTRIBUTES: DotName = DotName { name: b"gitattributes", short: b"gi7d29" };
pub(super) const GITIGNORE: DotName = DotName { name: b"gitignore", short: b"gi250a" };
pub(super) const MAILMAP: DotName = DotName { name: b"mailmap", short: b"maba30" };

impl DotName {
    /// Returns whether HFS+ or NTFS treats `name` as this name.
    pub(super) fn is(self, name: &[u8]) -> bool {
        may_be_special(name) && (is_on_hfs(name, self.name) || self.is_on_ntfs(name))
    }

    /// Returns whether NTFS treats `name` as this name.
    pub(super) fn is_on_ntfs(self, name: &[u8]) -> bool {
        let rest = name.strip_prefix(b".").and_then(|rest| without_prefix(rest, self.name));
        if let Some(rest) = rest {
            return is_ending(rest);
        }
        // The usual short names, of the first four files with the same six letters.
        let usual = self.name.get(..6).and_then(|start| without_prefix(name, start));
        if let Some([b'~', b'1'..=b'4', rest @ ..]) = usual {
            return is_ending(rest);
        }
        self.is_other_short_name(name)
    }

    /// Returns whether a name is one of the other short names, which contain a hash.
    fn is_other_short_name(self, name: &[u8]) -> bool {
        let Some((start, rest)) = name.split_at_checked(8) else {
            return false;
        };
        let same = start
            .iter()
            .zip(self.short)
            .take_while(|(byte, expected)| byte.to_ascii_lowercase() == **expected);
        match start.get(same.count()..) {
            Some([b'~', b'1'..=b'9', digits @ ..]) => {
                digits.iter().all(u8::is_ascii_digit) && is_ending(rest)
            }
            _ => false,
        }
    }
}

/// Returns whether HFS+ or NTFS treats a name as `.git`.
pub(super) fn is_dotgit(name: &[u8]) -> bool {
    may_be_special(name) && (is_on_hfs(name, b"git") || is_dotgit_on_ntfs(name))
}

/// Returns whether NTFS treats a name as `.git`; a backslash ends the name there.
pub(super) fn is_dotgit_on_ntfs(name: &[u8]) -> bool {
    let rest = without_prefix(name, b".git").or_else(|| without_prefix(name, b"git~1"));
    let Some(rest) = rest else {
        return false;
    };
    let after = rest.iter().find(|byte| !matches!(byte, b'.' | b' '));
    matches!(after, None | Some(b':' | b'/' | b'\\'))
}

/// Returns whether the first byte allows a special name; this sorts most other names out.
fn may_be_special(name: &[u8]) -> bool {
    matches!(name.first(), Some(b'.' | b'g' | b'G' | b'm' | b'M' | b'~' | 0x80..))
}

/// Returns whether NTFS ignores `rest` at the end of a name: dots and spaces, and the name of a
/// stream after a colon.
fn is_ending(rest: &[u8]) -> bool {
    let after = rest.iter().find(|byte| !matches!(byte, b'.' | b' '));
    matches!(after, None | Some(b':'))
}

fn without_prefix<'a>(name: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = name.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Returns whether HFS+ treats `name` as a dot followed by `expected`.
fn is_on_hfs(name: &[u8], expected: &[u8]) -> bool {
    let mut rest = name;
    let mut next = || next_on_hfs(&mut rest);
    if next() != Some(Some('.')) {
        return false;
    }
    for letter in expected {
        match next() {
            Some(Some(found)) if found.to_ascii_lowercase() == char::from(*letter) => {}
            _ => return false,
        }
    }
    // Bytes that are no text end a name as well.
    matches!(next(), None | Some(None | Some('/')))
}

/// Returns the next character that HFS+ does not ignore, or `None` at the end. `Some(None)`
/// stands for bytes that are no character.
fn next_on_hfs(rest: &mut &[u8]) -> Option<Option<char>> {
    loop {
        let first = *rest.first()?;
        let length = match first {
            0..0x80 => 1,
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        let text = rest.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let found = text.and_then(|text| text.chars().next());
        *rest = rest.get(length..).unwrap_or_default();
        match found {
            Some(
                '\u{200c}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{206a}'..='\u{206f}'
                | '\u{feff}',
            ) => {}
            Some('\u{fffe}' | '\u{ffff}') => return Some(None),
            found => return Some(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_of_dotgit() {
        for name in [
            ".git",
            ".GiT",
            ".git.",
            ".git . .",
            ".git::$INDEX_ALLOCATION",
            "git~1",
            "GIT~1 ",
            ".git\\x",
            "\u{200c}.g\u{200d}it",
            ".git\u{feff}",
        ] {
            assert!(is_dotgit(name.as_bytes()), "{name}");
        }
        assert!(is_dotgit(b".git\xff"));
        for name in
            ["git", ".gitx", "git~2", ".gi", "x.git", ".g it", "\u{2010}.git", ".git\u{2010}"]
        {
            assert!(!is_dotgit(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn other_names_of_gitmodules() {
        for name in [
            ".gitmodules",
            ".GITMODULES ..",
            "gitmod~1",
            "GITMOD~4 .",
            "gi7eba~1",
            "gi7eb~10",
            "g~123456",
            "~1000000",
            ".gitmodules:x",
            "\u{206a}.gitmodules",
        ] {
            assert!(GITMODULES.is(name.as_bytes()), "{name}");
        }
        for name in
            ["gitmod~5", "gi7eba~0", "gi7ebax1", "gi7eb~1x", ".gitmodule", "gitmodules", "gi7eba~"]
        {
            assert!(!GITMODULES.is(name.as_bytes()), "{name}");
        }
        assert!(MAILMAP.is(b"maba30~2") && GITIGNORE.is(b".GitIgnore"));
    }
}
