//! Parses regular expressions.

use super::basic::extended;
use super::{Anchor, Node, Refused, Set, Syntax};

/// The deepest nesting of parentheses, and the most repetitions of repetitions: the parser and
/// the compiler recurse into each.
const MOST_DEPTH: usize = 100;
/// The highest count in a repetition.
const MOST_REPEATS: u32 = 32_767;

/// Parses an expression.
pub(super) fn parse(pattern: &[char], syntax: Syntax, fold_case: bool) -> Result<Node, Refused> {
    let rest = match syntax {
        Syntax::Extended => pattern.to_vec(),
        Syntax::Basic => extended(pattern),
        Syntax::Fixed => {
            return Ok(Node::All(pattern.iter().map(|one| ordinary(*one)).collect()));
        }
    };
    Parser { rest, at: 0, depth: 0, again: 0, fold_case }.either()
}

fn ordinary(one: char) -> Node {
    Node::One(Set { ranges: vec![(one, one)], ..Set::default() })
}

pub(super) fn is_word(one: char) -> bool {
    is_alphanumeric(one) || one == '_'
}

/// As in glibc, superscripts, fractions, numbers in circles, and letters above others do not count.
fn is_alphanumeric(one: char) -> bool {
    match one {
        '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{33ff}' => one.is_alphabetic(),
        '\u{363}'..='\u{36f}' | '\u{1dd3}'..='\u{1de6}' => false,
        _ => one.is_alphanumeric(),
    }
}

/// As in glibc, the digits of other scripts are letters.
fn is_letter(one: char) -> bool {
    is_alphanumeric(one) && !one.is_ascii_digit()
}

/// As in glibc, spaces at which no line is broken do not count.
fn is_space(one: char) -> bool {
    one.is_whitespace() && !matches!(one, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}')
}

fn is_control(one: char) -> bool {
    one.is_control() || matches!(one, '\u{2028}' | '\u{2029}')
}

fn is_visible(one: char) -> bool {
    !is_control(one) && !is_space(one)
}

fn is_no_word(one: char) -> bool {
    !is_word(one)
}

fn is_no_space(one: char) -> bool {
    !is_space(one)
}

/// Returns the characters of a text; its bytes as characters if it is not UTF-8.
pub(super) fn characters(text: &[u8]) -> Vec<char> {
    match std::str::from_utf8(text) {
        Ok(text) => text.chars().collect(),
        Err(_) => text.iter().map(|byte| char::from(*byte)).collect(),
    }
}

struct Parser {
    rest: Vec<char>,
    at: usize,
    depth: usize,
    /// How many repetitions repeat a repetition.
    again: usize,
    fold_case: bool,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at = self.at.saturating_add(1);
        Some(next)
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.at = self.at.saturating_add(usize::from(found));
        found
    }

    fn either(&mut self) -> Result<Node, Refused> {
        let mut all = vec![self.all()?];
        while self.take('|') {
            all.push(self.all()?);
        }
        Ok(Node::Either(all))
    }

    fn all(&mut self) -> Result<Node, Refused> {
        let mut all = Vec::new();
        while let Some(next) = self.peek() {
            if next == '|' || (next == ')' && self.depth > 0) {
                break;
            }
            let mut node = self.atom()?;
            let mut is_repeated = false;
            while let Some((least, most)) = self.repeats()? {
                self.again = self.again.saturating_add(usize::from(is_repeated));
                if self.again > MOST_DEPTH {
                    return Err(Refused::TooLarge);
                }
                is_repeated = true;
                node = Node::Repeat(Box::new(node), least, most);
            }
            all.push(node);
        }
        Ok(Node::All(all))
    }

    fn atom(&mut self) -> Result<Node, Refused> {
        let Some(next) = self.next() else {
            return Ok(Node::Empty);
        };
        Ok(match next {
            '(' => {
                self.depth = self.depth.saturating_add(1);
                if self.depth > MOST_DEPTH {
                    return Err(Refused::TooLarge);
                }
                let node = self.either()?;
                if !self.take(')') {
                    return Err(Refused::Invalid);
                }
                self.depth = self.depth.saturating_sub(1);
                node
            }
            '*' | '+' | '?' | '{' => return Err(Refused::Invalid),
            '.' => Node::One(Set { negated: true, ..Set::default() }),
            '^' => Node::Anchor(Anchor::LineStart),
            '$' => Node::Anchor(Anchor::LineEnd),
            '[' => Node::One(self.set()?),
            '\\' => {
                let class = |class: fn(char) -> bool| {
                    Node::One(Set { classes: vec![class], ..Set::default() })
                };
                match self.next().ok_or(Refused::Invalid)? {
                    'w' => class(is_word),
                    'W' => class(is_no_word),
                    's' => class(is_space),
                    'S' => class(is_no_space),
                    'b' => Node::Anchor(Anchor::Edge),
                    'B' => Node::Anchor(Anchor::NoEdge),
                    '<' => Node::Anchor(Anchor::WordStart),
                    '>' => Node::Anchor(Anchor::WordEnd),
                    '`' => Node::Anchor(Anchor::Start),
                    '\'' => Node::Anchor(Anchor::End),
                    '1'..='9' => return Err(Refused::Unsupported),
                    other => ordinary(other),
                }
            }
            other => ordinary(other),
        })
    }

    /// Parses a repetition, if there is one: the least and the most times.
    fn repeats(&mut self) -> Result<Option<(u32, Option<u32>)>, Refused> {
        if self.take('*') {
            return Ok(Some((0, None)));
        }
        if self.take('+') {
            return Ok(Some((1, None)));
        }
        if self.take('?') {
            return Ok(Some((0, Some(1))));
        }
        if !self.take('{') {
            return Ok(None);
        }
        let least = self.number()?;
        let most = match (self.take(','), least) {
            (true, _) => self.number()?,
            (false, Some(exactly)) => Some(exactly),
            (false, None) => return Err(Refused::Invalid),
        };
        let least = least.unwrap_or(0);
        let fits = most.is_none_or(|most| least <= most);
        if !self.take('}') || !fits || least.max(most.unwrap_or(0)) > MOST_REPEATS {
            return Err(Refused::Invalid);
        }
        Ok(Some((least, most)))
    }

    fn number(&mut self) -> Result<Option<u32>, Refused> {
        let mut digits = String::new();
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.at = self.at.saturating_add(1);
        }
        match digits.as_str() {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| Refused::Invalid),
        }
    }

    fn set(&mut self) -> Result<Set, Refused> {
        let mut set = Set { negated: self.take('^'), ..Set::default() };
        let mut first = true;
        loop {
            let from = self.next().ok_or(Refused::Invalid)?;
            if from == ']' && !first {
                return Ok(set);
            }
            first = false;
            if from == '[' && matches!(self.peek(), Some('.' | '=')) {
                return Err(Refused::Unsupported);
            }
            if from == '[' && self.take(':') {
                set.classes.push(self.class()?);
                continue;
            }
            let is_range = self.peek() == Some('-')
                && self.rest.get(self.at.saturating_add(1)).is_some_and(|to| *to != ']');
            let to = match is_range {
                true => {
                    self.at = self.at.saturating_add(1);
                    self.next().ok_or(Refused::Invalid)?
                }
                false => from,
            };
            if to < from {
                return Err(Refused::Invalid);
            }
            set.ranges.push((from, to));
        }
    }

    fn class(&mut self) -> Result<fn(char) -> bool, Refused> {
        let mut name = String::new();
        while let Some(next) = self.next().filter(|next| *next != ':') {
            name.push(next);
        }
        if !self.take(']') {
            return Err(Refused::Invalid);
        }
        Ok(match name.as_str() {
            "alpha" => is_letter,
            // As in glibc, also for letters without cases.
            "upper" | "lower" if self.fold_case => is_letter,
            "digit" => |one| one.is_ascii_digit(),
            "alnum" => is_alphanumeric,
            "upper" => char::is_uppercase,
            "lower" => char::is_lowercase,
            "space" => is_space,
            "blank" => |one| one == '\t' || (is_space(one) && !is_control(one)),
            "punct" => |one| is_visible(one) && !is_alphanumeric(one),
            "cntrl" => is_control,
            "xdigit" => |one| one.is_ascii_hexdigit(),
            "graph" => is_visible,
            "print" => |one| !is_control(one),
            _ => return Err(Refused::Invalid),
        })
    }
}
