//! The patterns of a search, and how they are combined.

use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::regex::{LinePart, Regex, Scanner, Syntax};
use std::ops::Range;

/// The deepest nesting of an expression: its evaluation recurses.
const MOST_DEPTH: usize = 100;

/// The most steps of the searches within the lines of a file, each a few nanoseconds.
const MOST_STEPS: u64 = 1 << 32;

/// How lines are matched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Matching {
    /// How the patterns are written.
    pub syntax: Syntax,
    /// Upper and lower case are the same.
    pub ignore_case: bool,
    /// Matches begin and end at words.
    pub word: bool,
}

/// What a line must have.
pub(super) struct Expression {
    matching: Matching,
    patterns: Vec<Regex>,
    /// Finds lines that have one of the patterns.
    scanner: Scanner,
    /// Which patterns are combined otherwise than by "or".
    root: Option<Node>,
    /// How many steps the searches within the lines of this file may still take.
    left: u64,
}

enum Node {
    Pattern(usize),
    Not(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
}

/// Whether a line matches, and the first byte of a match, also of one that is negated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hit {
    pub(super) is_hit: bool,
    pub(super) column: Option<usize>,
    inverted: Option<usize>,
}

impl Expression {
    /// Parses an expression. A token is a letter, for a pattern with the pattern after it: `p`, `a`
    /// for "and", `o` for "or", `n` for "not", `(` and `)`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`], [`ErrorKind::Unsupported`], [`ErrorKind::Limit`].
    pub(super) fn new(tokens: &[Vec<u8>], matching: Matching) -> Result<Expression> {
        // A line feed separates patterns.
        let mut all: Vec<(u8, &[u8])> = Vec::new();
        for token in tokens {
            let (letter, pattern) = token.split_first().ok_or_else(malformed)?;
            match letter {
                b'p' => all.extend(pattern.split(|byte| *byte == b'\n').map(|one| (b'p', one))),
                _ => all.push((*letter, pattern)),
            }
        }
        let Matching { syntax, ignore_case, .. } = matching;
        let own: Vec<_> = all.iter().filter(|(letter, _)| *letter == b'p').collect();
        let mut patterns = Vec::new();
        for (_, pattern) in &own {
            let regex = Regex::for_bytes(pattern, syntax, ignore_case);
            patterns.push(regex.map_err(|refused| refused.about(pattern))?);
        }
        let joined: Vec<_> = own.iter().map(|(_, pattern)| (*pattern, syntax)).collect();
        let joined = Regex::any_of(&joined, ignore_case);
        let scanner = Scanner::new(joined.map_err(|refused| refused.about(b""))?);
        if patterns.is_empty() {
            return Err(Error::new(ErrorKind::BadInput, "no pattern given"));
        }
        let is_combined = all.iter().any(|(letter, _)| matches!(letter, b'a' | b'n' | b'('));
        let root = match is_combined {
            true => {
                let mut parser = Parser { rest: &all, number: 0, depth: 0 };
                let root = parser.either()?;
                if !parser.rest.is_empty() {
                    return Err(malformed());
                }
                Some(root)
            }
            false => None,
        };
        Ok(Expression { matching, patterns, scanner, root, left: MOST_STEPS })
    }

    /// Returns where the next line is that may match; `None` if there is none. Any line may match
    /// an expression that is combined.
    pub(super) fn next_line(&mut self, text: &[u8], from: usize) -> Option<usize> {
        match self.root {
            Some(_) => (from < text.len()).then_some(from),
            None => self.scanner.next_line(text, from),
        }
    }

    /// Returns whether a line matches that [`Expression::next_line`] has returned.
    pub(super) fn hit(&mut self, line: &[u8], has_columns: bool) -> Result<Hit> {
        let Expression { patterns, matching, root, left, .. } = self;
        let mut search = LineSearch { patterns, word: matching.word, line, has_columns, left };
        match root {
            Some(root) => search.eval(root),
            None if !matching.word && !has_columns => Ok(Hit { is_hit: true, ..Hit::default() }),
            None => {
                let mut hit = Hit::default();
                for at in 0..search.patterns.len() {
                    hit = hit.or(search.pattern(at)?);
                    if hit.is_hit && !has_columns {
                        break;
                    }
                }
                Ok(hit)
            }
        }
    }

    /// Returns which of the alternatives at the top match a line, by their bits.
    pub(super) fn alternatives(&mut self, line: &[u8]) -> Result<u64> {
        let Expression { patterns, matching, root, left, .. } = self;
        let word = matching.word;
        let mut search = LineSearch { patterns, word, line, has_columns: false, left };
        let mut bits = 0;
        let mut at = 0_u32;
        let mut add = |is_hit: bool| {
            bits |= u64::from(is_hit).wrapping_shl(at);
            at = at.saturating_add(1);
        };
        match root {
            None => {
                for at in 0..search.patterns.len() {
                    add(search.pattern(at)?.is_hit);
                }
            }
            Some(root) => {
                let mut node = root;
                while let Node::Or(one, rest) = node {
                    add(search.eval(one)?.is_hit);
                    node = rest;
                }
                add(search.eval(node)?.is_hit);
            }
        }
        Ok(bits)
    }

    /// Returns the bits of all alternatives at the top.
    pub(super) fn all_alternatives(&self) -> Result<u64> {
        let mut count = self.patterns.len();
        if let Some(mut node) = self.root.as_ref() {
            count = 1;
            while let Node::Or(_, rest) = node {
                count = count.saturating_add(1);
                node = rest;
            }
        }
        match u32::try_from(count).ok().filter(|count| *count <= 64) {
            Some(count) => Ok(u64::MAX.wrapping_shr(64_u32.saturating_sub(count))),
            None => Err(Error::new(ErrorKind::Limit, "more than 64 patterns that must all match")),
        }
    }

    /// Returns the bytes of each match in a line, in their order.
    pub(super) fn spans(&mut self, line: &[u8]) -> Result<Vec<Range<usize>>> {
        let mut found = Vec::new();
        let mut from = 0;
        let Expression { patterns, matching, left, .. } = self;
        while let Some(rest) = line.get(from..).filter(|rest| !rest.is_empty()) {
            let mut best: Option<Range<usize>> = None;
            for regex in patterns.iter() {
                let part = LinePart { text: rest, is_start: from == 0 };
                let Some(span) = matched(regex, part, matching.word, left)? else { continue };
                let is_better = best.as_ref().is_none_or(|best| {
                    span.start < best.start || (span.start == best.start && span.end > best.end)
                });
                if is_better {
                    best = Some(span);
                }
            }
            let Some(span) = best.filter(|span| !span.is_empty()) else { break };
            let end = from.saturating_add(span.end);
            found.push(from.saturating_add(span.start)..end);
            from = end;
        }
        Ok(found)
    }

    /// Begins with another file.
    pub(super) fn restart(&mut self) {
        self.left = MOST_STEPS;
    }

    pub(super) fn memory(&self) -> u64 {
        self.scanner.memory()
    }
}

/// The search of one line.
struct LineSearch<'a> {
    patterns: &'a [Regex],
    word: bool,
    line: &'a [u8],
    has_columns: bool,
    left: &'a mut u64,
}

impl LineSearch<'_> {
    fn pattern(&mut self, at: usize) -> Result<Hit> {
        let part = LinePart { text: self.line, is_start: true };
        let Some(regex) = self.patterns.get(at) else { return Ok(Hit::default()) };
        let span = matched(regex, part, self.word, self.left)?;
        Ok(Hit { is_hit: span.is_some(), column: span.map(|span| span.start), inverted: None })
    }

    fn eval(&mut self, node: &Node) -> Result<Hit> {
        Ok(match node {
            Node::Pattern(at) => self.pattern(*at)?,
            Node::Not(node) => {
                let hit = self.eval(node)?;
                Hit { is_hit: !hit.is_hit, column: hit.inverted, inverted: hit.column }
            }
            Node::And(one, other) => {
                let hit = self.eval(one)?;
                if !hit.is_hit && !self.has_columns {
                    return Ok(hit);
                }
                let other = self.eval(other)?;
                Hit { is_hit: hit.is_hit && other.is_hit, ..hit.or(other) }
            }
            Node::Or(one, other) => {
                let hit = self.eval(one)?;
                match hit.is_hit && !self.has_columns {
                    true => hit,
                    false => hit.or(self.eval(other)?),
                }
            }
        })
    }
}

impl Hit {
    fn or(self, other: Hit) -> Hit {
        let least = |one: Option<usize>, other: Option<usize>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Hit {
            is_hit: self.is_hit || other.is_hit,
            column: least(self.column, other.column),
            inverted: least(self.inverted, other.inverted),
        }
    }

    /// Returns the first byte of a negated match.
    pub(super) fn inverted(self) -> Option<usize> {
        self.inverted
    }
}

/// Returns the first match in a text; with `word` the first one that begins and ends at words.
fn matched(
    regex: &Regex,
    part: LinePart<'_>,
    word: bool,
    left: &mut u64,
) -> Result<Option<Range<usize>>> {
    let text = part.text;
    let is_word = |at: Option<usize>| {
        let byte = at.and_then(|at| text.get(at));
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut search = regex.search(*left);
    let mut from = 0;
    while let Some(rest) = text.get(from..) {
        let is_start = part.is_start && from == 0;
        let span = search.find(LinePart { text: rest, is_start })?;
        *left = search.left();
        let Some(span) = span else { break };
        let span = from.saturating_add(span.start)..from.saturating_add(span.end);
        if !word {
            return Ok(Some(span));
        }
        let begins = span.start == from || !is_word(span.start.checked_sub(1));
        let ends = !is_word(Some(span.end));
        if begins && ends && !span.is_empty() {
            return Ok(Some(span));
        }
        // The next word that begins after the match does.
        from = span.start.saturating_add(1);
        while from < text.len() && is_word(from.checked_sub(1)) {
            from = from.saturating_add(1);
        }
        if from >= text.len() {
            break;
        }
    }
    Ok(None)
}

struct Parser<'a> {
    rest: &'a [(u8, &'a [u8])],
    /// The number of the next pattern.
    number: usize,
    depth: usize,
}

impl Parser<'_> {
    fn take(&mut self, letter: u8) -> bool {
        match self.rest.split_first() {
            Some(((found, _), rest)) if *found == letter => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn either(&mut self) -> Result<Node> {
        let mut all = vec![self.both()?];
        loop {
            self.take(b'o');
            match self.rest.first() {
                None | Some((b')', _)) => break,
                Some(_) => all.push(self.both()?),
            }
        }
        let mut node = all.pop().ok_or_else(malformed)?;
        while let Some(one) = all.pop() {
            node = Node::Or(Box::new(one), Box::new(node));
        }
        Ok(node)
    }

    fn both(&mut self) -> Result<Node> {
        let mut node = self.not()?;
        while self.take(b'a') {
            node = Node::And(Box::new(node), Box::new(self.not()?));
        }
        Ok(node)
    }

    fn not(&mut self) -> Result<Node> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MOST_DEPTH {
            return Err(Error::new(ErrorKind::Limit, "an expression is nested too deep"));
        }
        let node = if self.take(b'n') {
            Node::Not(Box::new(self.not()?))
        } else if self.take(b'(') {
            let node = self.either()?;
            if !self.take(b')') {
                return Err(malformed());
            }
            node
        } else if self.take(b'p') {
            let at = self.number;
            self.number = at.saturating_add(1);
            Node::Pattern(at)
        } else {
            return Err(malformed());
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(node)
    }
}

fn malformed() -> Error {
    Error::new(ErrorKind::BadInput, "patterns are combined in a way that is not complete")
}
