//! Searches texts for an expression: all ways to find it at once, character by character.

use super::scan::decoded;
use super::{is_in_word, Anchor, Regex, Step};
use crate::error::{Error, ErrorKind, Result};
use std::ops::Range;

/// An expression that is searched for in several texts.
pub struct Search<'r> {
    regex: &'r Regex,
    /// How many steps all searches together may still take.
    left: u64,
    /// Where each step was last arrived at.
    seen: Vec<usize>,
    /// The steps that read the next character, those of the first starts first.
    now: Vec<Way>,
    /// The steps after those that have read a character.
    reached: Vec<Way>,
    pending: Vec<usize>,
}

/// A step, and where the part of the text starts that was read up to it.
#[derive(Clone, Copy)]
struct Way {
    step: usize,
    start: usize,
}

/// A text to be searched, and whether its beginning is that of a line.
#[derive(Clone, Copy, Debug)]
pub struct LinePart<'a> {
    /// The text.
    pub text: &'a [u8],
    /// Whether `^` matches at its beginning.
    pub is_start: bool,
}

/// What a search looks for.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Wanted {
    /// Whether there is any part of the text.
    Any,
    /// The longest of the first parts.
    Longest,
}

/// A place between two characters; `None` is an end of the text.
struct Place {
    at: usize,
    is_end: bool,
    before: Option<char>,
    after: Option<char>,
}

impl Regex {
    /// Returns whether the expression is found in a text.
    pub fn is_in(&self, text: &[u8]) -> bool {
        // So many steps are never taken.
        self.search(u64::MAX).is_in(text).unwrap_or(false)
    }

    /// Begins searches that take so many steps at most, of which a character takes one for each
    /// way to go on.
    pub fn search(&self, most_steps: u64) -> Search<'_> {
        let seen = vec![usize::MAX; self.steps.len()];
        let (now, reached, pending) = (Vec::new(), Vec::new(), Vec::new());
        Search { regex: self, left: most_steps, seen, now, reached, pending }
    }
}

impl Search<'_> {
    /// Returns whether the expression is found in a text.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if that takes too many steps.
    pub fn is_in(&mut self, text: &[u8]) -> Result<bool> {
        Ok(self.run(LinePart { text, is_start: true }, Wanted::Any)?.is_some())
    }

    /// Returns the bytes of the leftmost match, and of these of the longest.
    ///
    /// # Errors
    ///
    /// As [`Search::is_in`].
    pub fn find(&mut self, part: LinePart<'_>) -> Result<Option<Range<usize>>> {
        self.run(part, Wanted::Longest)
    }

    /// Returns how many steps all searches together may still take.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Returns how often the expression is found in a text, as git counts: each search begins
    /// where the last one ended, as if a text began there, but no line.
    ///
    /// # Errors
    ///
    /// As [`Search::is_in`].
    pub fn count_in(&mut self, text: &[u8]) -> Result<u64> {
        let (mut rest, mut count) = (text, 0_u64);
        while !rest.is_empty() {
            let part = LinePart { text: rest, is_start: count == 0 };
            let Some(found) = self.find(part)? else { break };
            count = count.saturating_add(1);
            let skipped = usize::from(found.is_empty());
            rest = rest.get(found.end.saturating_add(skipped)..).unwrap_or_default();
        }
        Ok(count)
    }

    fn run(&mut self, part: LinePart<'_>, wanted: Wanted) -> Result<Option<Range<usize>>> {
        let LinePart { text, is_start } = part;
        let Regex { by_line, fold_case, .. } = *self.regex;
        // A text is either all UTF-8, or all bytes; as lines it is what each of its parts is.
        let is_bytes = !by_line && std::str::from_utf8(text).is_err();
        self.seen.fill(usize::MAX);
        self.reached.clear();
        let mut found: Option<Range<usize>> = None;
        let mut before = None;
        let mut at = 0;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            let (after, length) = match rest.first() {
                None => (None, 0),
                Some(byte) if byte.is_ascii() || is_bytes => (Some(char::from(*byte)), 1),
                Some(_) => {
                    let (one, length) = decoded(rest);
                    (Some(one), length)
                }
            };
            let place = Place { at, is_end: rest.is_empty(), before, after };
            self.now.clear();
            for index in 0..self.reached.len() {
                if let Some(way) = self.reached.get(index).copied() {
                    self.arrive(way, &place, is_start, &mut found);
                }
            }
            if found.is_none() {
                self.arrive(Way { step: 0, start: at }, &place, is_start, &mut found);
            }
            let is_done = self.now.is_empty() || wanted == Wanted::Any;
            if place.is_end || (found.is_some() && is_done) {
                return Ok(found);
            }
            let taken = self.now.len().saturating_add(1) as u64;
            self.left = self.left.checked_sub(taken).ok_or_else(too_many_steps)?;
            self.reached.clear();
            for Way { step, start } in &self.now {
                let is_late = found.as_ref().is_some_and(|found| found.start < *start);
                let Some(Step::One(set)) = self.regex.steps.get(*step) else { continue };
                if !is_late && after.is_some_and(|one| set.has(one, fold_case, by_line)) {
                    self.reached.push(Way { step: step.saturating_add(1), start: *start });
                }
            }
            before = after;
            at = at.saturating_add(length);
        }
    }

    /// Lists all steps that are reached without reading a character, and those where the
    /// expression is found.
    fn arrive(
        &mut self,
        way: Way,
        place: &Place,
        starts_line: bool,
        found: &mut Option<Range<usize>>,
    ) {
        let start = way.start;
        self.pending.push(way.step);
        while let Some(step) = self.pending.pop() {
            match self.seen.get_mut(step) {
                Some(seen) if *seen != place.at => *seen = place.at,
                _ => continue,
            }
            match self.regex.steps.get(step) {
                Some(Step::One(_)) => self.now.push(Way { step, start }),
                Some(Step::Split(one, other)) => self.pending.extend([*one, *other]),
                Some(Step::Anchor(anchor))
                    if anchor.is_at(place, self.regex.by_line, starts_line) =>
                {
                    self.pending.push(step.saturating_add(1));
                }
                Some(Step::Found) if found.as_ref().is_none_or(|found| start <= found.start) => {
                    *found = Some(start..place.at);
                }
                _ => {}
            }
        }
    }
}

impl Anchor {
    fn is_at(self, place: &Place, by_line: bool, starts_line: bool) -> bool {
        let Place { at, is_end, .. } = *place;
        let is = |one: Option<char>| one.is_some_and(is_in_word);
        let is_line_feed = |one: Option<char>| by_line && one == Some('\n');
        let (before, after) = (is(place.before), is(place.after));
        let is_start = at == 0 && starts_line;
        match self {
            Anchor::Start => is_start,
            Anchor::End => is_end,
            Anchor::LineStart => is_start || is_line_feed(place.before),
            Anchor::LineEnd => is_end || is_line_feed(place.after),
            Anchor::Edge => before != after,
            Anchor::NoEdge => before == after,
            Anchor::WordStart => !before && after,
            Anchor::WordEnd => before && !after,
        }
    }
}

fn too_many_steps() -> Error {
    Error::new(ErrorKind::Limit, "searching for this expression takes too many steps")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_line(pattern: &str) -> Regex {
        Regex::new(pattern.as_bytes()).unwrap().by_line()
    }

    #[test]
    fn lines_are_looked_at() {
        for (pattern, text, is_found) in [
            ("^b", "a\nb", true),
            ("a$", "a\nb", true),
            ("^$", "a\n", true),
            ("a.b", "a\nb", false),
            ("a[^x]b", "a\nb", false),
            (r"a\Wb", "a\nb", true),
            (r"a\sb", "a\nb", true),
            ("a\nb", "a\nb", true),
            (r"\`b", "a\nb", false),
            (r"a\'", "a\nb", false),
            ("a.b", "a\0b", false),
            ("a[^x]b", "a\0b", true),
        ] {
            assert_eq!(by_line(pattern).is_in(text.as_bytes()), is_found, "{pattern} {text:?}");
        }
        assert!(by_line("a.*é").is_in("aé".as_bytes()));
        assert!(!by_line("a.b").is_in(b"a\xffb"), "a byte that is no character");
        assert!(by_line("é").is_in(b"\xff\xc3\xa9"), "a character beside one");
    }

    #[test]
    fn occurrences_are_counted_as_git_does() {
        for (pattern, text, count) in [
            ("foo", "foo foo", 2),
            ("aa", "aaaaa", 2),
            ("a+", "aa aaa a", 3),
            ("a|aa|ab+", "aaabb", 2),
            ("^a", "aa\na", 2),
            ("^", "a\nb\n", 3),
            ("^", "a\n\n", 2),
            ("x*", "ab", 2),
            ("x*", "éa", 3),
            (r"\bfoo", "foofoo", 2),
            (".", "", 0),
        ] {
            let counted = by_line(pattern).search(1 << 20).count_in(text.as_bytes());
            assert_eq!(counted.unwrap(), count, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn the_steps_of_searches_are_limited() {
        let regex = by_line("a|a[a\n]*b");
        let text = [b'a'; 3000];
        let refused = regex.search(100_000).count_in(&text).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Limit);
        assert!(regex.search(100_000).is_in(&text).unwrap());
        assert_eq!(by_line("a[a\n]*").search(100_000).count_in(&text).unwrap(), 1);
    }
}
