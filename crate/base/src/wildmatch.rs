//! Patterns for paths and refnames as in git: `*`, `?`, `[...]`, and `**` for any number of
//! directories; <https://git-scm.com/docs/gitignore#_pattern_format>.

/// A compiled pattern. Matching takes time proportional to the length of the text times that
/// of the pattern, whatever they are.
#[derive(Clone, Debug)]
pub struct Pattern {
    tokens: Vec<Token>,
    fold_case: bool,
    /// Whether wildcards match slashes too.
    crosses_slashes: bool,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Token {
    Byte(u8),
    /// `?`: any byte except a slash.
    One,
    /// `[...]`: one of these bytes, never a slash.
    Set(Box<[bool; 256]>),
    /// `*`: any bytes except slashes.
    Star,
    /// `**`: any bytes. Before a slash it also matches no directory at all, without that
    /// slash.
    Directories {
        slash_follows: bool,
    },
    /// Matches nothing: the pattern has an unclosed set, or a backslash at its end.
    Never,
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(pattern: &[u8], fold_case: bool) -> Pattern {
        let mut tokens = Vec::new();
        let mut at = 0usize;
        let byte = |at: usize| pattern.get(at).copied();
        while let Some(first) = byte(at) {
            let next = at.saturating_add(1);
            let (token, rest) = match first {
                b'\\' => match byte(next) {
                    // An escaped byte keeps its case, as in git, and so may match nothing.
                    Some(escaped) => (Token::Byte(escaped), next.saturating_add(1)),
                    None => (Token::Never, next),
                },
                b'?' => (Token::One, next),
                b'[' => match set_at(pattern, next, fold_case) {
                    Some((set, rest)) => (Token::Set(set), rest),
                    None => (Token::Never, pattern.len()),
                },
                b'*' => {
                    let stars = pattern.iter().skip(at).take_while(|byte| **byte == b'*').count();
                    let rest = at.saturating_add(stars);
                    let begins = at == 0 || byte(at.wrapping_sub(1)) == Some(b'/');
                    let after = pattern.get(rest..).unwrap_or_default();
                    let ends =
                        after.is_empty() || after.starts_with(b"/") || after.starts_with(b"\\/");
                    let slash_follows = after.starts_with(b"/");
                    match stars > 1 && begins && ends {
                        true => (Token::Directories { slash_follows }, rest),
                        false => (Token::Star, rest),
                    }
                }
                other => (Token::Byte(fold(other, fold_case)), next),
            };
            tokens.push(token);
            at = rest;
        }
        Pattern { tokens, fold_case, crosses_slashes: false }
    }

    /// Compiles a pattern whose `*`, `?` and sets match slashes too, so that `**` means no more
    /// than `*`: as git matches names of tags.
    pub fn across_slashes(pattern: &[u8], fold_case: bool) -> Pattern {
        let mut pattern = Pattern::new(pattern, fold_case);
        for token in &mut pattern.tokens {
            if matches!(token, Token::Directories { .. }) {
                *token = Token::Star;
            }
        }
        Pattern { crosses_slashes: true, ..pattern }
    }

    /// Returns whether the whole of `text` matches.
    pub fn matches(&self, text: &[u8]) -> bool {
        let length = self.tokens.len().saturating_add(1);
        let (mut places, mut arrived) = (vec![false; length], vec![false; length]);
        set(&mut arrived, 0);
        self.settle(&mut arrived, &mut places);
        let mut next = vec![false; length];
        for byte in text {
            let byte = fold(*byte, self.fold_case);
            let is_wild = byte != b'/' || self.crosses_slashes;
            next.fill(false);
            arrived.fill(false);
            for (at, token) in self.tokens.iter().enumerate().filter(|(at, _)| is_set(&places, *at))
            {
                let stays = match token {
                    Token::Byte(expected) if byte == *expected => false,
                    Token::One if is_wild => false,
                    Token::Set(set) if is_wild && is_set(set.as_slice(), byte.into()) => false,
                    Token::Star if is_wild => true,
                    Token::Directories { .. } => true,
                    _ => continue,
                };
                if stays {
                    set(&mut next, at);
                }
                set(&mut arrived, at.saturating_add(1));
            }
            self.settle(&mut arrived, &mut next);
            std::mem::swap(&mut places, &mut next);
        }
        is_set(&places, self.tokens.len())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let set = |token: &Token| if let Token::Set(_) = token { 256 } else { 0u64 };
        let sets = self.tokens.iter().map(set).fold(0, u64::saturating_add);
        sets.saturating_add(self.tokens.capacity().saturating_mul(size_of::<Token>()) as u64)
    }

    /// Marks the positions that were reached, and the later ones that need no further byte.
    fn settle(&self, arrived: &mut [bool], places: &mut [bool]) {
        for at in 0..arrived.len() {
            if !is_set(arrived, at) {
                continue;
            }
            set(places, at);
            if let Some(Token::Star | Token::Directories { .. }) = self.tokens.get(at) {
                set(arrived, at.saturating_add(1));
            }
            if let Some(Token::Directories { slash_follows: true }) = self.tokens.get(at) {
                set(arrived, at.saturating_add(2));
            }
        }
    }
}

/// Returns the start of `pattern` that has no special characters.
pub fn literal_prefix(pattern: &[u8]) -> &[u8] {
    let end = pattern.iter().position(|byte| b"*?[\\".contains(byte));
    pattern.get(..end.unwrap_or(pattern.len())).unwrap_or_default()
}

fn is_set(places: &[bool], at: usize) -> bool {
    places.get(at).copied().unwrap_or(false)
}

fn set(places: &mut [bool], at: usize) {
    if let Some(place) = places.get_mut(at) {
        *place = true;
    }
}

fn fold(byte: u8, fold_case: bool) -> u8 {
    if fold_case {
        byte.to_ascii_lowercase()
    } else {
        byte
    }
}

/// Parses the set whose first byte is at `start`; returns the offset after it.
fn set_at(pattern: &[u8], start: usize, fold_case: bool) -> Option<(Box<[bool; 256]>, usize)> {
    let byte = |at: usize| pattern.get(at).copied();
    let mut found = Box::new([false; 256]);
    let negated = matches!(byte(start)?, b'!' | b'^');
    let mut at = if negated { start.saturating_add(1) } else { start };
    let mut first = true;
    let mut last: Option<u8> = None;
    loop {
        let mut current = byte(at)?;
        if current == b']' && !first {
            break;
        }
        first = false;
        at = at.saturating_add(1);
        let class = pattern.get(at..).filter(|rest| current == b'[' && rest.starts_with(b":"));
        let ranged = current == b'-' && last.is_some() && byte(at)? != b']';
        if let Some(rest) = class {
            let end = rest.iter().position(|byte| *byte == b']')?;
            let name = rest.get(1..end).unwrap_or_default();
            if let Some(name) = name.strip_suffix(b":") {
                for member in 0..=255u8 {
                    if in_class(name, member, fold_case)? {
                        set(found.as_mut_slice(), member.into());
                    }
                }
                at = at.saturating_add(end).saturating_add(1);
                last = None;
                continue;
            }
            // Without its colon, the bracket is an ordinary byte.
        }
        if ranged {
            current = byte(at)?;
            at = at.saturating_add(1);
            if current == b'\\' {
                current = byte(at)?;
                at = at.saturating_add(1);
            }
            for member in last.unwrap_or(current)..=current {
                set(found.as_mut_slice(), member.into());
                if fold_case {
                    set(found.as_mut_slice(), member.to_ascii_lowercase().into());
                }
            }
            last = None;
            continue;
        }
        if current == b'\\' {
            current = byte(at)?;
            at = at.saturating_add(1);
        }
        // Single bytes keep their case, as escaped ones do; only ranges and classes are
        // folded.
        set(found.as_mut_slice(), current.into());
        last = Some(current);
    }
    if negated {
        found.iter_mut().for_each(|member| *member = !*member);
    }
    Some((found, at.saturating_add(1)))
}

/// Returns whether a byte is in a POSIX class; `None` if there is no such class.
fn in_class(name: &[u8], byte: u8, fold_case: bool) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => byte == b' ' || byte == b'\t',
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase() || (fold_case && byte.is_ascii_lowercase()),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern.as_bytes(), false).matches(text.as_bytes())
    }

    #[test]
    fn patterns_and_matching_texts() {
        for (pattern, text) in [
            ("", ""),
            ("foo", "foo"),
            ("???", "foo"),
            ("*", "foo"),
            ("f*", "foo"),
            ("*f", "f"),
            ("*foo*", "foo"),
            ("*ob*a*r*", "foobar"),
            ("foo\\*", "foo*"),
            ("[ab]", "a"),
            ("[!a]", "b"),
            ("[^a]", "b"),
            ("[a-c]", "b"),
            ("[a-c]", "c"),
            ("[[:xdigit:]][[:xdigit:]]", "Fe"),
            ("[]]", "]"),
            ("[]-]", "-"),
            ("[[:alpha:][:digit:]]", "5"),
            ("**/foo", "foo"),
            ("**/foo", "a/b/foo"),
            ("foo/**", "foo/a/b"),
            ("foo/**/bar", "foo/bar"),
            ("foo/**/bar", "foo/a/b/bar"),
            ("**", "a/b"),
            ("refs/*/a", "refs/x/a"),
            ("[\\]]", "]"),
            ("[a-]", "-"),
            ("[[:upper:]]", "A"),
            ("foo/**/**/bar", "foo/bar"),
            ("***/x", "a/x"),
            ("[[]", "["),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("foo", "fo"),
            ("??", "foo"),
            ("*", "a/b"),
            ("f?o", "f/o"),
            ("foo*", "fo"),
            ("[!a]", "a"),
            ("[a-c]", "d"),
            ("[", "["),
            ("[a", "a"),
            ("a\\", "a"),
            ("[[:no:]]", "a"),
            ("foo**bar", "foo/bar"),
            ("**foo", "a/foo"),
            ("foo/**", "foo"),
            ("[/]", "/"),
            ("a[b/c]d", "a/d"),
            ("**/foo", "xfoo"),
            ("refs/*", "refs/a/b"),
            ("", "a"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
        assert!(Pattern::new(b"F*[a-c]", true).matches(b"fooB"));
        assert!(Pattern::new(b"[A-C][[:upper:]]", true).matches(b"bx"));
        assert!(!Pattern::new(b"F*", false).matches(b"foo"));
        // As `for-each-ref --ignore-case` matches.
        for (pattern, fits) in [("[A]", false), ("[a]", true), ("[A-B]", true), ("[!A]", true)] {
            assert_eq!(Pattern::new(pattern.as_bytes(), true).matches(b"A"), fits, "{pattern}");
        }
        assert!(!Pattern::new(b"\\A", true).matches(b"A"));
        assert!(Pattern::new(b"\\a", true).matches(b"A"));
    }

    #[test]
    fn wildcards_match_slashes_if_they_may() {
        // As `describe --tags --match` matches.
        for (pattern, text, fits) in [
            ("*", "a/b", true),
            ("a?b", "a/b", true),
            ("a[!z]b", "a/b", true),
            ("a[.-0]b", "a/b", true),
            ("a**b", "a/x/b", true),
            ("**/x", "a/b/x", true),
            ("**/x", "x", false),
            ("a/**/b", "a/b", false),
            ("a", "a/b", false),
        ] {
            let pattern_across = Pattern::across_slashes(pattern.as_bytes(), false);
            assert_eq!(pattern_across.matches(text.as_bytes()), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_has_a_literal_prefix() {
        for (pattern, literal) in [
            ("refs/heads/main", "refs/heads/main"),
            ("refs/heads/*", "refs/heads/"),
            ("refs/h?ads/*", "refs/h"),
            ("refs/[hx]eads", "refs/"),
            ("refs/\\*eads/*", "refs/"),
            ("*", ""),
        ] {
            assert_eq!(literal_prefix(pattern.as_bytes()), literal.as_bytes(), "{pattern}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(200);
        assert!(!matches(&pattern, &"a".repeat(199)));
        assert!(matches(&pattern, &"a".repeat(3000)));
        // Many directories do not recurse either.
        let pattern = "**/".repeat(200_000);
        assert!(matches(&format!("{pattern}a"), "b/a"));
    }
}
