//! The rules for refnames: <https://git-scm.com/docs/git-check-ref-format>.

/// The prefix of all refnames except root refs.
pub const REFS: &[u8] = b"refs/";

/// The root refs that git knows, sorted. For git, `FETCH_HEAD` and `MERGE_HEAD` are not refs.
pub const ROOT_REFS: [&[u8]; 11] = [
    b"AUTO_MERGE",
    b"BISECT_EXPECTED_REV",
    b"BISECT_HEAD",
    b"CHERRY_PICK_HEAD",
    b"HEAD",
    b"MERGE_AUTOSTASH",
    b"NOTES_MERGE_PARTIAL",
    b"NOTES_MERGE_REF",
    b"ORIG_HEAD",
    b"REBASE_HEAD",
    b"REVERT_HEAD",
];

/// Exceptions from the usual rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefnameRules {
    /// Allow names of one component, such as `HEAD`.
    pub one_level: bool,
    /// Allow one `*` in the name, as in a refspec.
    pub pattern: bool,
}

/// Returns whether `name` follows git's rules for refnames. Names of one component, such as
/// `HEAD`, are allowed.
///
/// Such a name, used as a path, never leads out of the git directory.
///
/// ```
/// use packlens_format::refs::is_refname;
/// assert!(is_refname(b"refs/heads/main") && is_refname(b"HEAD"));
/// assert!(!is_refname(b"refs/heads/../../config") && !is_refname(b"a b"));
/// ```
pub fn is_refname(name: &[u8]) -> bool {
    follows_rules(name, RefnameRules { one_level: true, pattern: false })
}

/// Returns whether `git check-ref-format` accepts a name.
///
/// ```
/// use packlens_format::refs::{follows_rules, RefnameRules};
/// assert!(!follows_rules(b"HEAD", RefnameRules::default()));
/// let pattern = RefnameRules { pattern: true, one_level: false };
/// assert!(follows_rules(b"refs/heads/*", pattern));
/// ```
pub fn follows_rules(name: &[u8], rules: RefnameRules) -> bool {
    let ends_in_lock = |end: usize| name.get(..end).is_some_and(|part| part.ends_with(b".lock"));
    let (mut before, mut stars, mut slashes) = (b'/', 0usize, 0usize);
    for (at, byte) in name.iter().enumerate() {
        let allowed = match byte {
            0..=b' ' | 0x7f | b'~' | b'^' | b':' | b'?' | b'[' | b'\\' => false,
            b'.' => before != b'/' && before != b'.',
            b'{' => before != b'@',
            b'/' => {
                slashes = slashes.saturating_add(1);
                before != b'/' && !ends_in_lock(at)
            }
            b'*' => {
                stars = stars.saturating_add(1);
                true
            }
            _ => true,
        };
        if !allowed {
            return false;
        }
        before = *byte;
    }
    before != b'/'
        && before != b'.'
        && !ends_in_lock(name.len())
        && name != b"@"
        && stars <= usize::from(rules.pattern)
        && (rules.one_level || slashes > 0)
}

/// Removes leading slashes from a name, and merges runs of slashes into one.
pub fn normalize_refname(name: &[u8]) -> Vec<u8> {
    let mut normal = Vec::with_capacity(name.len());
    for byte in name {
        if *byte != b'/' || normal.last().is_some_and(|last| *last != b'/') {
            normal.push(*byte);
        }
    }
    normal
}

/// Returns whether a branch may have this name, given without `refs/heads/`.
pub fn is_branch_name(name: &[u8]) -> bool {
    let full = [b"refs/heads/", name].concat();
    !name.starts_with(b"-") && name != b"HEAD" && follows_rules(&full, RefnameRules::default())
}

/// Returns the full names that git tries for a short name, in git's order.
pub fn candidates(name: &[u8]) -> [Vec<u8>; 6] {
    [
        name.to_vec(),
        [b"refs/", name].concat(),
        [b"refs/tags/", name].concat(),
        [b"refs/heads/", name].concat(),
        [b"refs/remotes/", name].concat(),
        [b"refs/remotes/", name, b"/HEAD"].concat(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_refuses() {
        for name in [
            "", "@", "/", "a/", "/a", "a//b", ".a", "a/.b", "a.", "a..b", "a.lock", "a.lock/b",
            "a b", "a~", "a^b", "a:b", "a?", "a*", "[a", "a\\b", "a@{b", "a\x7f", "a\nb", "a\0",
        ] {
            assert!(!is_refname(name.as_bytes()), "{name:?}");
        }
    }

    /// Compares with the answers of `git check-ref-format` for all names of up to 4 of these
    /// bytes, one digit per set of options: `tests/fixtures/refs/record-names.mjs`.
    #[test]
    fn short_names_are_taken_as_git_takes_them() {
        let answers = include_str!("../../../../tests/fixtures/refs/names.txt");
        let mut checked = 0;
        for line in answers.lines() {
            let (said, name) = line.split_at(4);
            let name = name.replace("NUL", "\0").replace("TAB", "\t");
            let name = name.as_bytes();
            let rules = |one_level, pattern| RefnameRules { one_level, pattern };
            let found = [
                follows_rules(name, rules(false, false)),
                follows_rules(name, rules(true, false)),
                follows_rules(name, rules(true, true)),
                is_branch_name(name),
            ];
            let found: String = found.map(|taken| if taken { '1' } else { '0' }).iter().collect();
            assert_eq!(found, said, "{line}");
            checked += 1;
        }
        assert!(checked > 1000, "{checked}");
    }

    #[test]
    fn redundant_slashes_are_removed() {
        for (name, normal) in [("//a///b/", "a/b/"), ("a", "a"), ("/", ""), ("a//b", "a/b")] {
            assert_eq!(normalize_refname(name.as_bytes()), normal.as_bytes());
        }
    }

    #[test]
    fn names_that_git_takes() {
        for name in ["HEAD", "a", "a@b", "@a", "a.b", "refs/heads/a{b}", "caf\u{e9}", "a.lockb"] {
            assert!(is_refname(name.as_bytes()), "{name:?}");
        }
        assert!(is_refname(b"caf\xe9"));
    }
}
