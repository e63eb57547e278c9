//! Patterns match the same texts as a matcher that tries every way.

use super::input::Input;
use packlens::Pattern;

/// Tries every way to match a pattern: at which positions of the text the rest may continue.
struct Slow<'a> {
    pattern: &'a [u8],
    text: &'a [u8],
    fold: bool,
    /// Whether wildcards match slashes too.
    across: bool,
    /// Ways that failed.
    failed: std::collections::BTreeSet<(usize, usize)>,
}

impl Slow<'_> {
    fn letter(&self, byte: u8) -> u8 {
        if self.fold {
            byte.to_ascii_lowercase()
        } else {
            byte
        }
    }

    fn fits(&mut self, p: usize, t: usize) -> bool {
        if self.failed.contains(&(p, t)) {
            return false;
        }
        let fits = self.try_fit(p, t);
        if !fits {
            self.failed.insert((p, t));
        }
        fits
    }

    fn try_fit(&mut self, p: usize, t: usize) -> bool {
        let text = self.text.get(t).map(|byte| self.letter(*byte));
        let Some(first) = self.pattern.get(p) else { return text.is_none() };
        match first {
            b'*' => {
                let stars = self.pattern[p..].iter().take_while(|byte| **byte == b'*').count();
                let rest = p + stars;
                let after = &self.pattern[rest..];
                let begins = p == 0 || self.pattern[p - 1] == b'/';
                let ends = after.is_empty() || after[0] == b'/' || after.starts_with(b"\\/");
                let directories = !self.across && stars > 1 && begins && ends;
                let slashes = self.across || directories;
                if directories && after.first() == Some(&b'/') && self.fits(rest + 1, t) {
                    return true;
                }
                let mut end = t;
                loop {
                    if self.fits(rest, end) {
                        return true;
                    }
                    match self.text.get(end) {
                        Some(b'/') if !slashes => return false,
                        None => return false,
                        Some(_) => end += 1,
                    }
                }
            }
            b'?' => text.is_some_and(|byte| byte != b'/' || self.across) && self.fits(p + 1, t + 1),
            b'[' => match (text, self.set(p + 1, text.unwrap_or(0))) {
                (Some(byte), Some((true, rest))) => {
                    (byte != b'/' || self.across) && self.fits(rest, t + 1)
                }
                _ => false,
            },
            // An escaped character keeps its case.
            b'\\' => match self.pattern.get(p + 1) {
                Some(byte) => text == Some(*byte) && self.fits(p + 2, t + 1),
                None => false,
            },
            byte => text == Some(self.letter(*byte)) && self.fits(p + 1, t + 1),
        }
    }

    /// Returns whether a byte is in the set that begins at `p`, and where the set ends.
    fn set(&self, mut p: usize, byte: u8) -> Option<(bool, usize)> {
        let at = |p: usize| self.pattern.get(p).copied();
        let negated = matches!(at(p)?, b'!' | b'^');
        p += usize::from(negated);
        let begin = p;
        let mut found = false;
        let mut last = None;
        while at(p)? != b']' || p == begin {
            let mut next = at(p)?;
            p += 1;
            if next == b'[' && at(p) == Some(b':') {
                let end = p + self.pattern[p..].iter().position(|byte| *byte == b']')?;
                let name = &self.pattern[p + 1..end];
                if let Some(name) = name.strip_suffix(b":") {
                    found |= self.class(name, byte)?;
                    last = None;
                    p = end + 1;
                    continue;
                }
            }
            if let (b'-', Some(first)) = (next, last) {
                if at(p)? != b']' {
                    next = at(p)?;
                    p += 1;
                    if next == b'\\' {
                        next = at(p)?;
                        p += 1;
                    }
                    let upper = byte.to_ascii_uppercase();
                    found |= (first..=next).contains(&byte);
                    found |= self.fold && (first..=next).contains(&upper);
                    last = None;
                    continue;
                }
            }
            if next == b'\\' {
                next = at(p)?;
                p += 1;
            }
            found |= next == byte;
            last = Some(next);
        }
        Some((found != negated, p + 1))
    }

    fn class(&self, name: &[u8], byte: u8) -> Option<bool> {
        let c = char::from(byte);
        let fits = match name {
            b"alnum" => c.is_ascii_alphanumeric(),
            b"alpha" => c.is_ascii_alphabetic(),
            b"blank" => c == ' ' || c == '\t',
            b"cntrl" => c.is_ascii_control(),
            b"digit" => c.is_ascii_digit(),
            b"graph" => c.is_ascii_graphic(),
            b"lower" => c.is_ascii_lowercase(),
            b"print" => c.is_ascii_graphic() || c == ' ',
            b"punct" => c.is_ascii_punctuation(),
            b"space" => (9..=13).contains(&byte) || c == ' ',
            b"upper" => c.is_ascii_uppercase() || (self.fold && c.is_ascii_lowercase()),
            b"xdigit" => c.is_ascii_hexdigit(),
            _ => return None,
        };
        Some(byte < 128 && fits)
    }
}

pub fn wildmatch(data: &[u8]) {
    let mut input = Input(data);
    let fold = input.flag();
    let pattern = input.sized();
    let text = input.0;
    // Neither can contain NUL in git.
    if pattern.contains(&0) || text.contains(&0) || pattern.len() > 60 || text.len() > 60 {
        return;
    }
    let right = |fold, across| {
        let failed = Default::default();
        Slow { pattern, text, fold, across, failed }.fits(0, 0)
    };
    assert_eq!(Pattern::new(pattern, fold).matches(text), right(fold, false));
    assert_eq!(Pattern::across_slashes(pattern, fold).matches(text), right(fold, true));
}
