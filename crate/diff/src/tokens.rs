//! Lines as numbers: the same number where lines are the same.

use crate::lines::Lines;
use crate::options::Whitespace;
use packlens_base::sort;
use std::borrow::Cow;

/// The lines of both sides as numbers below `classes`.
#[derive(Debug)]
pub(crate) struct Tokens {
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
    pub(crate) classes: usize,
}

impl Tokens {
    /// Numbers the lines. Sorting takes the same time for any lines, where a hash table would be
    /// slow for lines that are made to collide. Lines that both sides begin or end with are
    /// sorted once.
    pub(crate) fn new(before: &Lines, after: &Lines, whitespace: Whitespace) -> Tokens {
        let (start, end) = same_ends(before, after, whitespace);
        let middle = start..after.len().saturating_sub(end);
        let lines = before.iter().chain(middle.map(|at| after.get(at)));
        let texts: Vec<Cow<[u8]>> = lines.map(|line| whitespace.essence(line)).collect();
        let (mut tokens, classes) = numbered(&texts);
        let middle = tokens.split_off(before.len());
        let (first, _) = tokens.split_at(start.min(tokens.len()));
        let (_, last) = tokens.split_at(tokens.len().saturating_sub(end));
        let after = [first, &middle, last].concat();
        Tokens { before: tokens, after, classes }
    }

    /// Returns the lines of both sides.
    pub(crate) fn sides(&self) -> [&[u32]; 2] {
        [&self.before, &self.after]
    }
}

/// Returns how many lines both sides begin with, and how many others they end with.
fn same_ends(before: &Lines, after: &Lines, whitespace: Whitespace) -> (usize, usize) {
    let is_same = |one: usize, other: usize| {
        let (one, other) = (before.get(one), after.get(other));
        one == other
            || (whitespace != Whitespace::Exact
                && whitespace.essence(one) == whitespace.essence(other))
    };
    let most = before.len().min(after.len());
    let start = (0..most).take_while(|at| is_same(*at, *at)).count();
    let from_end = |lines: &Lines, at: usize| lines.len().saturating_sub(at).saturating_sub(1);
    let rest = 0..most.saturating_sub(start);
    let end = rest.take_while(|at| is_same(from_end(before, *at), from_end(after, *at))).count();
    (start, end)
}

/// Returns a number for each text, the same for equal ones, and how many different ones there are.
fn numbered(texts: &[Cow<[u8]>]) -> (Vec<u32>, usize) {
    let text = |at: usize| texts.get(at).map(|text| &**text).unwrap_or_default();
    let mut order: Vec<u64> =
        (0..).zip(texts).map(|(at, text)| sort::keyed(hash(text), at)).collect();
    sort::finish(&mut order, &|one, other| text(one).cmp(text(other)));

    let mut tokens = vec![0; texts.len()];
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
