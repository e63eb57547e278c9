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
    pub(crate) fn new(texts: &Texts, whitespace: Whitespace, needs_ends: bool) -> Tokens {
        let Texts { before, after, .. } = texts;
        let (start, end) = same_ends(texts, whitespace);
        let [old, new] = [before, after].map(|lines| start..lines.len().saturating_sub(end));
        let old_lines = old.clone().map(|at| Line::new(before, at, whitespace));
        let mut lines: Vec<Line> =
            old_lines.chain(new.map(|at| Line::new(after, at, whitespace))).collect();
        let between = lines.len();
        let hashes = Hashes::of(&lines);
        let at_ends = (0..start).chain(old.end..before.len());
        let is_numbered: Vec<bool> = at_ends
            .map(|at| {
                let line = Line::new(before, at, whitespace);
                let is_numbered = needs_ends || hashes.may_have(line.hash);
                lines.extend(is_numbered.then_some(line));
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
    fn new(lines: &Lines<'a>, at: usize, whitespace: Whitespace) -> Line<'a> {
        let text = whitespace.essence(lines.get(at));
        let hash = hash(&text);
        Line { text, hash }
    }
}

/// Tells of most lines that they are not among some others.
struct Hashes {
    /// A bit for each value of the highest bits of a hash.
    bits: Vec<u64>,
    shift: u32,
}

impl Hashes {
    /// Takes a byte or two for each line, so that one in eight other lines, or fewer, passes.
    fn of(lines: &[Line]) -> Hashes {
        let words = (lines.len() / 8).next_power_of_two();
        let mut hashes =
            Hashes { bits: vec![0; words], shift: 26_u32.saturating_sub(words.trailing_zeros()) };
        for line in lines {
            let (word, bit) = hashes.place(line.hash);
            if let Some(word) = hashes.bits.get_mut(word) {
                *word |= bit;
            }
        }
        hashes
    }

    fn place(&self, hash: u32) -> (usize, u64) {
        ((hash >> self.shift >> 6) as usize, 1 << (hash >> self.shift & 63))
    }

    fn may_have(&self, hash: u32) -> bool {
        let (word, bit) = self.place(hash);
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
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = text.as_chunks::<8>();
    let mut state = text.len() as u64;
    let mut mix = |word: u64| state = (state ^ word).wrapping_mul(FACTOR).rotate_left(29);
    words.iter().for_each(|word| mix(u64::from_le_bytes(*word)));
    rest.iter().for_each(|byte| mix(u64::from(*byte)));
    (state.wrapping_mul(FACTOR) >> 32) as u32
}
