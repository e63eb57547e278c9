//! Which names refs may have: `git check-ref-format`.

/// Tells whether `name` follows git's rules for refnames. Names of one part,
/// such as `HEAD`, do.
///
/// A name that does never leads out of the git directory when used as a path.
///
/// ```
/// use packlens::is_refname;
/// assert!(is_refname(b"refs/heads/main") && is_refname(b"HEAD"));
/// assert!(!is_refname(b"refs/heads/../../config") && !is_refname(b"a b"));
/// ```
pub fn is_refname(name: &[u8]) -> bool {
    let forbidden = |byte: &u8| *byte <= b' ' || *byte == 0x7f || b"~^:?*[\\".contains(byte);
    let has = |pair: &[u8]| name.windows(2).any(|found| found == pair);
    name != b"@"
        && !name.iter().any(forbidden)
        && !has(b"..")
        && !has(b"@{")
        && !name.ends_with(b".")
        && name.split(|byte| *byte == b'/').all(is_component)
}

fn is_component(part: &[u8]) -> bool {
    !part.is_empty() && !part.starts_with(b".") && !part.ends_with(b".lock")
}

/// Where git looks for a name that is not spelled out, in its order.
pub(crate) fn candidates(name: &[u8]) -> [Vec<u8>; 6] {
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

    #[test]
    fn names_that_git_takes() {
        for name in ["HEAD", "a", "a@b", "@a", "a.b", "refs/heads/a{b}", "caf\u{e9}", "a.lockb"] {
            assert!(is_refname(name.as_bytes()), "{name:?}");
        }
        assert!(is_refname(b"caf\xe9"));
    }
}
