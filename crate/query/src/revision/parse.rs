//! Parses revisions.

use super::Hint;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::object::ObjectType;

/// A suffix of a revision.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Suffix {
    /// `^2`: the second parent; with 0, the commit itself.
    Parent(u32),
    /// `~2`: the first parent of the first parent.
    Ancestor(u32),
    /// `^{tree}`: the object peeled to a type; `None` for `^{}`.
    Peel(Option<ObjectType>),
    /// `^{object}`: the object, which must exist.
    Exists,
    /// `^{/text}`: the newest reachable commit with a matching message.
    Text(Vec<u8>),
}

impl Suffix {
    /// Returns the kind of object that the suffix applies to.
    pub(super) fn hint(&self) -> Hint {
        match self {
            Suffix::Parent(_) | Suffix::Ancestor(_) => Hint::Committish,
            Suffix::Peel(Some(ObjectType::Commit)) | Suffix::Text(_) => Hint::Committish,
            Suffix::Peel(Some(ObjectType::Tree)) => Hint::Treeish,
            Suffix::Peel(_) | Suffix::Exists => Hint::Any,
        }
    }
}

/// The related ref that a branch's mark selects.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    /// `@{upstream}`, `@{u}`.
    Upstream,
    /// `@{push}`.
    Push,
}

fn mark_in(text: &[u8]) -> Option<Mark> {
    match text.to_ascii_lowercase().as_slice() {
        b"@{upstream}" | b"@{u}" => Some(Mark::Upstream),
        b"@{push}" => Some(Mark::Push),
        _ => None,
    }
}

/// Splits a mark such as `@{upstream}`, in upper or lower case, off a branch name.
pub(super) fn mark_of(name: &[u8]) -> Option<(&[u8], Mark)> {
    let at = name.windows(2).rposition(|pair| pair == b"@{")?;
    let (branch, mark) = name.split_at_checked(at)?;
    let mark = mark_in(mark)?;
    let plain = !branch.contains(&b':') && !branch.windows(2).any(|pair| pair == b"@{");
    plain.then_some((branch, mark))
}

/// Splits `@{-1}` off the start of a name; returns its number and the rest.
pub(super) fn prior_of(name: &[u8]) -> Option<(u64, &[u8])> {
    let rest = name.strip_prefix(b"@{-")?;
    let end = rest.iter().position(|byte| *byte == b'}')?;
    let (digits, rest) = rest.split_at_checked(end)?;
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let fits = digits.iter().all(u8::is_ascii_digit) && number > 0;
    fits.then_some((number, rest.get(1..)?))
}

/// Splits the reflog selector, such as `1` in `main@{1}`, off a name.
pub(super) fn logged_of(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = text.windows(2).rposition(|pair| pair == b"@{")?;
    let (name, after) = text.split_at_checked(at)?;
    let selector = after.strip_prefix(b"@{")?.strip_suffix(b"}")?;
    let is_own = !selector.is_empty() && !selector.starts_with(b"-");
    (is_own && mark_in(after).is_none()).then_some((name, selector))
}

/// Splits the last suffix off a revision; `None` if there is none.
pub(super) fn split_suffix(text: &[u8]) -> Result<Option<(&[u8], Suffix)>> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, digits) = text.split_at(text.len().saturating_sub(digits));
    if let Some((mark, base)) = before.split_last().filter(|(mark, _)| b"^~".contains(mark)) {
        let number = match digits {
            b"" => 1,
            _ => parse_number(digits).ok_or_else(|| {
                Error::new(ErrorKind::NotFound, "no commit has so many parents").about(text)
            })?,
        };
        let suffix = if *mark == b'^' { Suffix::Parent(number) } else { Suffix::Ancestor(number) };
        return Ok(Some((base, suffix)));
    }
    let Some(open) = text.windows(2).rposition(|pair| pair == b"^{") else {
        return Ok(None);
    };
    let (base, braces) = text.split_at(open);
    let Some(name) = braces.strip_prefix(b"^{").and_then(|rest| rest.strip_suffix(b"}")) else {
        return Ok(None);
    };
    let suffix = match name {
        b"" => Suffix::Peel(None),
        b"object" => Suffix::Exists,
        [b'/', expression @ ..] => Suffix::Text(expression.to_vec()),
        _ => match ObjectType::from_name(name) {
            Some(object_type) => Suffix::Peel(Some(object_type)),
            None => return Ok(None),
        },
    };
    Ok(Some((base, suffix)))
}

fn parse_number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse::<i32>().ok().and_then(|n| u32::try_from(n).ok())
}

/// Splits a revision at the first colon outside the braces of `@{` or `^{`.
pub(crate) fn split_path(spec: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut depth = 0usize;
    let mut before_brace = false;
    for (at, byte) in spec.iter().enumerate() {
        let opens = std::mem::replace(&mut before_brace, b"@^".contains(byte));
        match byte {
            b'{' if opens => depth = depth.saturating_add(1),
            b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => {
                let (before, from) = spec.split_at(at);
                return Some((before, from.get(1..)?));
            }
            _ => {}
        }
    }
    None
}

/// Splits the stage off a path in the index; stage 0 if there is none.
pub(crate) fn stage_of(path: &[u8]) -> (u16, &[u8]) {
    match path {
        [stage @ b'0'..=b'3', b':', path @ ..] => (u16::from(stage & 3), path),
        _ => (0, path),
    }
}

/// Returns the shortened id at the end of a `git describe` name.
pub(super) fn described(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let (before, hex) = text.split_at(text.len().saturating_sub(digits));
    let before = before.strip_suffix(b"-g")?;
    (!before.is_empty() && !hex.is_empty()).then_some(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_come_off_one_by_one() {
        let split = |text: &'static str| split_suffix(text.as_bytes()).unwrap();
        assert_eq!(split("a^"), Some((&b"a"[..], Suffix::Parent(1))));
        assert_eq!(split("a^2~3"), Some((&b"a^2"[..], Suffix::Ancestor(3))));
        assert_eq!(split("a~0"), Some((&b"a"[..], Suffix::Ancestor(0))));
        assert_eq!(split("a^{}"), Some((&b"a"[..], Suffix::Peel(None))));
        assert_eq!(split("a^^{tree}"), Some((&b"a^"[..], Suffix::Peel(Some(ObjectType::Tree)))));
        assert_eq!(split("a^{object}"), Some((&b"a"[..], Suffix::Exists)));
        for text in ["a", "a12", "", "a^{thing}", "a^{tree", "{}", "a}"] {
            assert_eq!(split(text), None, "{text}");
        }
        assert!(split_suffix(b"a^99999999999").is_err());
    }

    #[test]
    fn names_with_braces_after_an_at() {
        assert_eq!(mark_of(b"a@{u}"), Some((&b"a"[..], Mark::Upstream)));
        assert_eq!(mark_of(b"@{UpStream}"), Some((&b""[..], Mark::Upstream)));
        assert_eq!(mark_of(b"a@{push}"), Some((&b"a"[..], Mark::Push)));
        for text in ["a", "a@{1}", "a:b@{u}", "a@{u}@{u}", "a@{u}x"] {
            assert_eq!(mark_of(text.as_bytes()), None, "{text}");
        }
        assert_eq!(prior_of(b"@{-12}@{u}"), Some((12, &b"@{u}"[..])));
        for text in ["@{-0}", "@{-}", "a@{-1}", "@{-1", "@{-+1}", "@{-x}"] {
            assert_eq!(prior_of(text.as_bytes()), None, "{text}");
        }
        assert_eq!(logged_of(b"a@{u}@{2}"), Some((&b"a@{u}"[..], &b"2"[..])));
        assert_eq!(logged_of(b"@{yesterday}"), Some((&b""[..], &b"yesterday"[..])));
        for text in ["@{}", "a@{u}", "a@{u}@{u}", "@{-1}", "@{-1}@{u}", "a@{1", "a"] {
            assert_eq!(logged_of(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn paths_and_descriptions() {
        assert_eq!(split_path(b"a:b:c"), Some((&b"a"[..], &b"b:c"[..])));
        assert_eq!(split_path(b"a^{x:y}:b"), Some((&b"a^{x:y}"[..], &b"b"[..])));
        assert_eq!(split_path(b"a{b:c"), Some((&b"a{b"[..], &b"c"[..])));
        assert_eq!(split_path(b"a^{{b}:c"), Some((&b"a^{{b}"[..], &b"c"[..])));
        assert_eq!(split_path(b"a@{b:c"), None);
        assert_eq!(split_path(b"ab"), None);
        assert_eq!(described(b"v1.0-3-gabc123"), Some(&b"abc123"[..]));
        assert_eq!(described(b"-gabc"), None);
        assert_eq!(described(b"v1-g"), None);
    }
}
