//! Lines as numbers: the same number where lines are the same.

use crate::lines::Lines;
use crate::options::Whitespace;
use crate::texts::Texts;
use packlens_base::sort;
use std::borrow::Cow;

/// The lines of both sides as numbers below `classes`. Lines at both ends that no line between
/// them is the same as may have the number `classes`, all of them.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
    pub(crate) classes: usize,
}

impl Tokens {
    /// Numbers the lines. Sorting takes the same time for any lines, where a hash table would be
    /// slow for lines that are made to collide. Lines that both sides begin or end with are
    /// numbered once, unless `needs_ends` only those that may be the same as one between them.
    #[inline(never)]
    pub(crate) fn new(texts: &Texts, whitespace: Whitespace, needs_ends: bool) -> Tokens {
        let Texts { before, after, .. } = texts;
        let (start, end) = same_ends(texts, whitespace);
        let [old, new] = [before, after].map(|lines| start..lines.len().saturating_sub(end));
        let line = |text| Line::new(whitespace.essence(text));
        let mut lines: Vec<Line> =
            before.range(old.clone()).chain(after.range(new)).map(line).collect();
        let between = lines.len();
        let among = Among::of(&lines);
        let at_ends = before.range(0..start).chain(before.range(old.end..before.len()));
        let is_numbered: Vec<bool> = at_ends
            .map(|text| {
                let text = whitespace.essence(text);
                let is_numbered = needs_ends || among.may_have(&text);
                if is_numbered {
                    lines.push(Line::new(text));
                }
                is_numbered
            })
            .collect();
        let (tokens, classes) = numbered(&lines);
        let (between, numbers) = tokens.split_at(between);
        let mut numbers = numbers.iter().copied();
        let number = |is_numbered: bool| is_numbered.then(|| numbers.next()).flatten();
        let other = classes as u32;
        let ends: Vec<u32> =
            is_numbered.into_iter().map(number).map(|token| token.unwrap_or(other)).collect();
        let (first, last) = ends.split_at(start);
        let (removed, added) = between.split_at(old.len());
        let all = |between| [first, between, last].concat();
        Tokens { before: all(removed), after: all(added), classes }
    }

    /// Returns the lines of both sides.
    pub(crate) fn sides(&self) -> [&[u32]; 2] {
        [&self.before, &self.after]
    }
}

/// Returns how many lines both sides begin with, and how many others they end with.
fn same_ends(texts: &Texts, whitespace: Whitespace) -> (usize, usize) {
    let Texts { before, after, .. } = texts;
    let is_same = |one: usize, other: usize| {
        let (one, other) = (before.get(one), after.get(other));
        one == other
            || (whitespace != Whitespace::Exact
                && whitespace.essence(one) == whitespace.essence(other))
    };
    let most = before.len().min(after.len());
    let more = (texts.same_start..most).take_while(|at| is_same(*at, *at)).count();
    let start = texts.same_start.saturating_add(more);
    let from_end = |lines: &Lines, at: usize| lines.len().saturating_sub(at).saturating_sub(1);
    // More lines at the start may be the same without white space, also some of those at the end.
    let most = most.saturating_sub(start);
    let end = texts.same_end.min(most);
    let rest = end..most;
    let more = rest.take_while(|at| is_same(from_end(before, *at), from_end(after, *at))).count();
    (start, end.saturating_add(more))
}

/// What is compared of a line.
struct Line<'a> {
    text: Cow<'a, [u8]>,
    hash: u32,
}

impl<'a> Line<'a> {
    fn new(text: Cow<'a, [u8]>) -> Line<'a> {
        Line { hash: hash(&text), text }
    }
}

/// Tells of most lines that they are not among some others.
struct Among {
    /// A bit for each value of the highest bits of what `glance` returns.
    bits: Vec<u64>,
    shift: u32,
}

impl Among {
    /// Takes a byte or two for each line, so that one in eight other lines, or fewer, passes.
    fn of(lines: &[Line]) -> Among {
        let words = (lines.len() / 8).next_power_of_two();
        let shift = 26_u32.saturating_sub(words.trailing_zeros());
        let mut among = Among { bits: vec![0; words], shift };
        for line in lines {
            let (word, bit) = among.place(&line.text);
            if let Some(word) = among.bits.get_mut(word) {
                *word |= bit;
            }
        }
        among
    }

    fn place(&self, text: &[u8]) -> (usize, u64) {
        let glance = glance(text);
        ((glance >> self.shift >> 6) as usize, 1 << (glance >> self.shift & 63))
    }

    fn may_have(&self, text: &[u8]) -> bool {
        let (word, bit) = self.place(text);
        self.bits.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// Returns a number for each line, the same for equal ones, and how many different ones there are.
fn numbered(lines: &[Line]) -> (Vec<u32>, usize) {
    let text = |at: usize| lines.get(at).map(|line| &*line.text).unwrap_or_default();
    let mut order: Vec<u64> =
        (0..).zip(lines).map(|(at, line)| sort::keyed(line.hash, at)).collect();
    sort::finish(&mut order, &|one, other| text(one).cmp(text(other)));

    let mut tokens = vec![0; lines.len()];
    let mut classes: u32 = 0;
    let mut last: Option<u64> = None;
    for key in order {
        let is_new = last.is_none_or(|last| {
            last >> 32 != key >> 32 || text(sort::place(last)) != text(sort::place(key))
        });
        classes = classes.saturating_add(is_new.into());
        if let Some(token) = tokens.get_mut(sort::place(key)) {
            *token = classes.saturating_sub(1);
        }
        last = Some(key);
    }
    (tokens, classes as usize)
}

/// Returns a number that mostly differs where texts do.
fn hash(text: &[u8]) -> u32 {
    let mut words = Words::of(text);
    match text.as_chunks::<8>() {
        ([], rest) => words.add_short(rest),
        (all, _) => {
            all.iter().for_each(|word| words.add(*word));
            // With the bytes after the last whole word.
            text.last_chunk().into_iter().for_each(|word| words.add(*word));
        }
    }
    words.mixed()
}

/// Returns a number that often differs where texts do, by their length and what they begin and end
/// with: it takes a third of the time of a hash of code, most of whose lines are longer.
fn glance(text: &[u8]) -> u32 {
    let mut words = Words::of(text);
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            words.add(*first);
            words.add(*last);
        }
        _ => words.add_short(text),
    }
    words.mixed()
}

/// Words of a text, mixed to one.
struct Words(u64);

impl Words {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn of(text: &[u8]) -> Words {
        Words(text.len() as u64)
    }

    fn add(&mut self, word: [u8; 8]) {
        self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(Words::FACTOR).rotate_left(29);
    }

    /// Adds fewer than 8 bytes as one word.
    fn add_short(&mut self, bytes: &[u8]) {
        let word = bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        self.add(word.to_le_bytes());
    }

    fn mixed(&self) -> u32 {
        (self.0.wrapping_mul(Words::FACTOR) >> 32) as u32
    }
}
