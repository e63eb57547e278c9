//! Regular expressions as in regex(7), with which git searches commit messages.

mod basic;
mod case;
mod literal;
mod parse;
mod scan;
mod search;

use crate::error::{Error, ErrorKind};
use case::other_case;
use parse::{characters, is_word};
pub use scan::Scanner;
pub use search::{LinePart, Search};

/// Why an expression is refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refused {
    /// The expression is malformed.
    Invalid,
    /// The expression is valid but not supported: back references, collating elements.
    Unsupported,
    /// The expression takes too much memory.
    TooLarge,
}

/// How an expression is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Syntax {
    /// Extended regular expressions.
    #[default]
    Extended,
    /// Basic regular expressions.
    Basic,
    /// Text without special characters.
    Fixed,
}

/// The most steps of a compiled expression.
const MOST_STEPS: usize = 1 << 14;
#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    One(Set),
    Anchor(Anchor),
    All(Vec<Node>),
    Either(Vec<Node>),
    Repeat(Box<Node>, u32, Option<u32>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    End,
    /// The start of a line, and its end; of the text if lines are not looked at.
    LineStart,
    LineEnd,
    Edge,
    NoEdge,
    WordStart,
    WordEnd,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    pub(super) negated: bool,
    pub(super) ranges: Vec<(char, char)>,
    pub(super) classes: Vec<fn(char) -> bool>,
}

impl Refused {
    /// Returns this as an error about an expression.
    pub fn about(self, pattern: &[u8]) -> Error {
        let (kind, what) = match self {
            Refused::Invalid => (ErrorKind::BadInput, "a regular expression is malformed"),
            Refused::Unsupported => {
                (ErrorKind::Unsupported, "an expression has back references or names of characters")
            }
            Refused::TooLarge => (ErrorKind::Limit, "an expression takes too much memory"),
        };
        Error::new(kind, what).about(pattern)
    }
}

impl Set {
    fn has(&self, one: char, fold_case: bool, by_line: bool) -> bool {
        if is_raw(one) {
            // Only itself matches a byte that is no character.
            return !self.negated && self.ranges.contains(&(one, one));
        }
        let is_any = self.ranges.is_empty() && self.classes.is_empty();
        if by_line && self.negated && (one == '\n' || (is_any && one == '\0')) {
            return false;
        }
        let mut found = self.lists(one);
        if fold_case && !found {
            found = other_case(one).is_some_and(|other| self.lists(other));
        }
        found != self.negated
    }

    fn lists(&self, one: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&one))
            || self.classes.iter().any(|class| class(one))
    }
}

/// The first of the characters that stand for bytes which are no characters. No text has these:
/// they are at the end of the last plane for private use.
const FIRST_RAW: u32 = 0x10_ff00;

/// Returns the character that stands for a byte.
fn raw(byte: u8) -> char {
    char::from_u32(FIRST_RAW.saturating_add(byte.into())).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn is_raw(one: char) -> bool {
    u32::from(one) >= FIRST_RAW
}

/// Returns whether a character of a text belongs to a word. A raw one does if the byte would be a
/// letter as one of the first 256 characters, as in glibc.
fn is_in_word(one: char) -> bool {
    is_word(if is_raw(one) { char::from(u32::from(one) as u8) } else { one })
}

/// Returns the characters of an expression, with raw ones for bytes that are none.
fn raw_characters(text: &[u8]) -> Vec<char> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (one, length) = scan::decoded(rest);
        all.push(one);
        at = at.saturating_add(length);
    }
    all
}

enum Step {
    One(Set),
    Anchor(Anchor),
    /// Continues at both steps.
    Split(usize, usize),
    Found,
}

/// A compiled expression, searched for anywhere in a text; line feeds are ordinary characters,
/// unless [`Regex::by_line`] says otherwise. The time of a search is proportional to the length of
/// the text.
pub struct Regex {
    steps: Vec<Step>,
    fold_case: bool,
    by_line: bool,
    /// Bytes that every match has; empty if none are known.
    literal: Vec<u8>,
    /// Whether a text matches that has the literal.
    is_literal: bool,
}

impl Regex {
    /// Parses and compiles an extended expression.
    pub fn new(pattern: &[u8]) -> Result<Regex, Refused> {
        Regex::written(pattern, Syntax::Extended, false)
    }

    /// Parses and compiles an expression; with `fold_case`, upper and lower case are the same.
    pub fn written(pattern: &[u8], syntax: Syntax, fold_case: bool) -> Result<Regex, Refused> {
        Regex::compiled(&parse::parse(&characters(pattern), syntax, fold_case)?, fold_case)
    }

    /// Parses and compiles an expression for texts that need not be UTF-8: their bytes that are
    /// no characters match the same bytes of the expression, and nothing else.
    pub fn for_bytes(pattern: &[u8], syntax: Syntax, fold_case: bool) -> Result<Regex, Refused> {
        Regex::any_of(&[(pattern, syntax)], fold_case)
    }

    /// As [`Regex::for_bytes`], but matches where one of several expressions does.
    pub fn any_of(all: &[(&[u8], Syntax)], fold_case: bool) -> Result<Regex, Refused> {
        let mut nodes = Vec::new();
        for (pattern, syntax) in all {
            nodes.push(parse::parse(&raw_characters(pattern), *syntax, fold_case)?);
        }
        Ok(Regex::compiled(&Node::Either(nodes), fold_case)?.by_line())
    }

    fn compiled(node: &Node, fold_case: bool) -> Result<Regex, Refused> {
        let (literal, is_literal) = literal::of(node, fold_case);
        let mut regex = Regex { steps: Vec::new(), fold_case, by_line: false, literal, is_literal };
        regex.compile(node)?;
        regex.add(Step::Found)?;
        Ok(regex)
    }

    /// Looks at lines, as `REG_NEWLINE` does: `^` and `$` are found in each, `.` and `[^a]` find
    /// no line feed. Bytes that are not UTF-8 are found by nothing then, and `.` finds no NUL.
    #[must_use]
    pub fn by_line(self) -> Regex {
        Regex { by_line: true, ..self }
    }

    fn add(&mut self, step: Step) -> Result<usize, Refused> {
        if self.steps.len() >= MOST_STEPS {
            return Err(Refused::TooLarge);
        }
        self.steps.push(step);
        Ok(self.steps.len().saturating_sub(1))
    }

    fn compile(&mut self, node: &Node) -> Result<(), Refused> {
        match node {
            Node::Empty => {}
            Node::One(set) => {
                self.add(Step::One(set.clone()))?;
            }
            Node::Anchor(place) => {
                self.add(Step::Anchor(*place))?;
            }
            Node::All(nodes) => nodes.iter().try_for_each(|node| self.compile(node))?,
            Node::Either(nodes) => {
                let mut ends = Vec::new();
                let Some((last, others)) = nodes.split_last() else {
                    return Ok(());
                };
                for node in others {
                    let split = self.add(Step::Split(0, 0))?;
                    self.compile(node)?;
                    ends.push(self.add(Step::Split(0, 0))?);
                    self.lead(split, split.saturating_add(1), self.steps.len());
                }
                self.compile(last)?;
                let end = self.steps.len();
                ends.into_iter().for_each(|from| self.lead(from, end, end));
            }
            Node::Repeat(node, least, most) => {
                for _ in 0..*least {
                    let before = self.steps.len();
                    self.compile(node)?;
                    // A node without steps stays so, however often it is repeated.
                    if self.steps.len() == before {
                        break;
                    }
                }
                match most {
                    None => {
                        let split = self.add(Step::Split(0, 0))?;
                        self.compile(node)?;
                        self.add(Step::Split(split, split))?;
                        self.lead(split, split.saturating_add(1), self.steps.len());
                    }
                    Some(most) => {
                        let mut splits = Vec::new();
                        for _ in *least..*most {
                            splits.push(self.add(Step::Split(0, 0))?);
                            self.compile(node)?;
                        }
                        let end = self.steps.len();
                        for split in splits {
                            self.lead(split, split.saturating_add(1), end);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn lead(&mut self, from: usize, one: usize, other: usize) {
        if let Some(step) = self.steps.get_mut(from) {
            *step = Step::Split(one, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_and_the_texts_they_match() {
        for (pattern, text) in [
            ("", ""),
            ("b", "abc"),
            ("^a.c$", "a\nc"),
            ("a|b|", "x"),
            ("(ab)+c", "xababc"),
            ("a{2,3}b", "aaaab"),
            ("^a{2}$", "aa"),
            ("a{0,1}$", "b"),
            ("[^a-c]x", "abdx"),
            ("[]x]y", "]y"),
            ("[a-]", "-"),
            ("[[:digit:][:upper:]]z", "Az"),
            (r"\bfix\b", "a fix."),
            (r"\<fix\>", "fix"),
            (r"a\.b", "a.b"),
            (r"\w\W\s", "a- "),
            ("a)", "a)"),
            ("^é.$", "éß"),
            ("(a|b)*c", "ababc"),
            ("x*", ""),
            ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
        ] {
            assert!(Regex::new(pattern.as_bytes()).unwrap().is_in(text.as_bytes()), "{pattern}");
        }
        for (pattern, text) in [
            ("b", ""),
            ("^b", "ab"),
            ("^b", "a\nb"),
            ("a$", "a\nb"),
            ("a{3}", "aa"),
            ("[^a]", "aaa"),
            (r"\bfix", "prefix"),
            (r"a\.b", "axb"),
            ("(a*)*$c", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ] {
            assert!(!Regex::new(pattern.as_bytes()).unwrap().is_in(text.as_bytes()), "{pattern}");
        }
        assert!(Regex::new(b"\xe9").unwrap().is_in(b"caf\xe9"));
    }

    #[test]
    fn basic_and_fixed_expressions_and_both_cases() {
        let is_in = |pattern: &str, syntax, fold_case, text: &str| {
            Regex::written(pattern.as_bytes(), syntax, fold_case).unwrap().is_in(text.as_bytes())
        };
        for (pattern, text) in [
            ("a+b", "a+b"),
            (r"a\+b", "aab"),
            ("(a|b)", "(a|b)"),
            (r"\(a\|^b\)c", "bc"),
            (r"\(x\)*y", "y"),
            ("*a", "*a"),
            ("^*a", "*a"),
            ("a^b$c", "a^b$c"),
            (r"\(a$\)", "ba"),
            (r"x\{1,2\}", "xx"),
            ("a{1}", "a{1}"),
            ("[]^(]x", "(x"),
            ("[[:digit:]]]", "5]"),
            (r"\+", "+"),
        ] {
            assert!(is_in(pattern, Syntax::Basic, false, text), "{pattern} {text}");
        }
        assert!(!is_in(r"a\|b", Syntax::Fixed, false, "a"));
        assert!(is_in(r"(a\|b*", Syntax::Fixed, false, r"x(a\|b*"));
        for (pattern, text) in [("ÄB[c-d]", "äbC"), ("über", "ÜBER"), ("[[:upper:]]", "a")] {
            assert!(is_in(pattern, Syntax::Extended, true, text), "{pattern} {text}");
            assert!(!is_in(pattern, Syntax::Extended, false, text), "{pattern} {text}");
        }
        assert!(!is_in("[^a]", Syntax::Basic, true, "A"));
    }

    #[test]
    fn texts_that_are_no_expressions() {
        let refused = |pattern: &str| Regex::new(pattern.as_bytes()).err();
        for pattern in
            ["*a", "+", "a|*b", "(a", "[a", "[b-a]", "a{2,1}", "a{x}", "a{", "\\", "[[:x:]]"]
        {
            assert_eq!(refused(pattern), Some(Refused::Invalid), "{pattern}");
        }
        assert_eq!(refused("(a)\\1"), Some(Refused::Unsupported));
        assert_eq!(refused("[[.a.]]"), Some(Refused::Unsupported));
        assert_eq!(refused("((a{999}){999}){999}"), Some(Refused::TooLarge));
        assert_eq!(refused(&"(".repeat(5000)), Some(Refused::TooLarge));
        assert_eq!(refused(&format!("a{}", "*".repeat(200_000))), Some(Refused::TooLarge));
    }

    #[test]
    fn nothing_many_times_takes_no_time() {
        for pattern in ["((((){32767}){32767}){32767}){32767}x", "(((a{0}){32767}){32767}){32767}x"]
        {
            assert!(Regex::new(pattern.as_bytes()).unwrap().is_in(b"x"), "{pattern}");
        }
    }
}
