//! Finds the lines of a text that match, by states that are made when they are first needed.

use super::{is_in_word, is_raw, Anchor, Regex, Set, Step};

/// The most states that are kept; then all are made anew.
const MOST_STATES: usize = 512;
/// The classes of characters: those of ASCII, the two kinds of others and of raw bytes, the end.
const OTHER: usize = 128;
const OTHER_WORD: usize = 129;
const RAW: usize = 130;
const RAW_WORD: usize = 131;
const END: usize = 132;
const CLASSES: usize = 133;
/// A transition that is not known yet.
const UNKNOWN: u32 = u32::MAX;
/// Marks a transition after a match that ends before its character.
const FOUND: u32 = 1 << 31;

/// Searches lines for an expression.
pub struct Scanner {
    regex: Regex,
    states: Vec<State>,
    transitions: Vec<u32>,
    /// Whether characters outside ASCII differ for the expression in more than being words.
    differs: bool,
    literal: Vec<u8>,
}

/// The steps that wait for a character, and what the last character was.
#[derive(Clone, Eq, PartialEq)]
struct State {
    steps: Vec<u32>,
    before: Before,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Before {
    Start,
    Word,
    Other,
}

impl Scanner {
    /// Prepares a search.
    pub fn new(regex: Regex) -> Scanner {
        let sets = regex.steps.iter().filter_map(|step| match step {
            Step::One(set) => Some(set),
            _ => None,
        });
        let differs = sets.into_iter().any(differs_outside_ascii);
        let literal = regex.literal.clone();
        Scanner { regex, states: Vec::new(), transitions: Vec::new(), differs, literal }
    }

    /// Returns where the next line that matches begins; `from` is the beginning of a line. If no
    /// other matches, that may be the empty line after the last line feed.
    pub fn next_line(&mut self, text: &[u8], from: usize) -> Option<usize> {
        let mut from = from;
        if self.literal.is_empty() {
            return self.scan(text, from, false);
        }
        while let Some(at) = find(text, &self.literal, from) {
            let before = text.get(from..at).unwrap_or_default();
            let feed = before.iter().rposition(|byte| *byte == b'\n');
            let start = feed.map_or(from, |feed| from.saturating_add(feed).saturating_add(1));
            if self.regex.is_literal || self.scan(text, start, true).is_some() {
                return Some(start);
            }
            let rest = text.get(at..).unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            from = at.saturating_add(end).saturating_add(1);
        }
        None
    }

    /// Searches lines from one on, or that line alone.
    fn scan(&mut self, text: &[u8], from: usize, is_single: bool) -> Option<usize> {
        let mut line = from;
        let mut at = from;
        let mut state = self.start();
        while at < text.len() {
            let byte = text.get(at).copied().unwrap_or_default();
            if byte == b'\n' {
                if self.next(state, END, '\n') & FOUND != 0 {
                    return Some(line);
                }
                at = at.saturating_add(1);
                if is_single {
                    return None;
                }
                line = at;
                state = self.start();
                continue;
            }
            let (class, one, length) = match byte.is_ascii() {
                true => (usize::from(byte), char::from(byte), 1),
                false => {
                    let (one, length) = decoded(text.get(at..).unwrap_or_default());
                    let class = match (is_raw(one), is_in_word(one)) {
                        (true, false) => RAW,
                        (true, true) => RAW_WORD,
                        (false, true) => OTHER_WORD,
                        (false, false) => OTHER,
                    };
                    (class, one, length)
                }
            };
            let next = self.next(state, class, one);
            if next & FOUND != 0 {
                return Some(line);
            }
            state = next as usize;
            at = at.saturating_add(length);
        }
        // git finds an empty line after the last line feed, but not if the text begins there.
        let is_line = at > line || line > from;
        let ends = is_line && self.next(state, END, '\n') & FOUND != 0;
        ends.then_some(line)
    }

    fn start(&mut self) -> usize {
        match self.states.is_empty() {
            true => self.number_of(State { steps: Vec::new(), before: Before::Start }),
            // The first state that was made.
            false => 0,
        }
    }

    #[inline]
    fn next(&mut self, state: usize, class: usize, one: char) -> u32 {
        let place = state.saturating_mul(CLASSES).saturating_add(class);
        match self.transitions.get(place) {
            Some(&known)
                if known != UNKNOWN && (class < OTHER || class == END || !self.differs) =>
            {
                known
            }
            _ => self.make(state, class, one),
        }
    }

    #[cold]
    fn make(&mut self, state: usize, class: usize, one: char) -> u32 {
        let Some(State { steps, before }) = self.states.get(state).cloned() else {
            return 0;
        };
        let after = (class != END).then_some(one);
        let mut seen = vec![false; self.regex.steps.len()];
        let mut pending: Vec<usize> = steps.iter().map(|step| *step as usize).chain([0]).collect();
        let mut found = false;
        let mut follows = vec![false; self.regex.steps.len()];
        while let Some(at) = pending.pop() {
            match seen.get_mut(at) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let after_it = at.saturating_add(1);
            match self.regex.steps.get(at) {
                Some(Step::Found) => found = true,
                Some(Step::Split(one, other)) => pending.extend([*one, *other]),
                Some(Step::Anchor(anchor)) if holds(*anchor, before, after) => {
                    pending.push(after_it)
                }
                Some(Step::One(set))
                    if after.is_some_and(|one| set.has(one, self.regex.fold_case, true)) =>
                {
                    if let Some(follows) = follows.get_mut(after_it) {
                        *follows = true;
                    }
                }
                _ => {}
            }
        }
        if found {
            return self.keep(state, class, FOUND);
        }
        if class == END {
            return self.keep(state, class, 0);
        }
        let next: Vec<u32> =
            (0_u32..).zip(follows).filter(|(_, follows)| *follows).map(|(step, _)| step).collect();
        let before = if is_in_word(one) { Before::Word } else { Before::Other };
        if self.states.len() >= MOST_STATES {
            self.states.clear();
            self.transitions.clear();
            self.start();
            return self.number_of(State { steps: next, before }) as u32;
        }
        let number = self.number_of(State { steps: next, before });
        self.keep(state, class, number as u32)
    }

    fn keep(&mut self, state: usize, class: usize, next: u32) -> u32 {
        let place = state.saturating_mul(CLASSES).saturating_add(class);
        if let Some(place) = self.transitions.get_mut(place) {
            *place = next;
        }
        next
    }

    fn number_of(&mut self, state: State) -> usize {
        if let Some(number) = self.states.iter().position(|known| *known == state) {
            return number;
        }
        self.states.push(state);
        let length = self.states.len().saturating_mul(CLASSES);
        self.transitions.resize(length, UNKNOWN);
        self.states.len().saturating_sub(1)
    }

    /// Returns about how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let states = self.states.iter().map(|state| state.steps.capacity());
        let steps = states.fold(0, usize::saturating_add).saturating_add(self.regex.steps.len());
        let transitions = self.transitions.capacity().saturating_mul(4);
        steps.saturating_mul(size_of::<Step>()).saturating_add(transitions) as u64
    }

    /// Returns the expression.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

fn holds(anchor: Anchor, before: Before, after: Option<char>) -> bool {
    let was = before == Before::Word;
    let is = after.is_some_and(is_in_word);
    match anchor {
        Anchor::Start | Anchor::LineStart => before == Before::Start,
        Anchor::End | Anchor::LineEnd => after.is_none(),
        Anchor::Edge => was != is,
        Anchor::NoEdge => was == is,
        Anchor::WordStart => !was && is,
        Anchor::WordEnd => was && !is,
    }
}

fn differs_outside_ascii(set: &Set) -> bool {
    !set.classes.is_empty() || set.ranges.iter().any(|(_, to)| !to.is_ascii())
}

/// Decodes the first character of a text; a byte that is not UTF-8 becomes a raw one.
pub(super) fn decoded(text: &[u8]) -> (char, usize) {
    let start = text.get(..text.len().min(4)).unwrap_or_default();
    let valid = match std::str::from_utf8(start) {
        Ok(valid) => valid,
        Err(error) => start
            .get(..error.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
    };
    match valid.chars().next() {
        Some(one) => (one, one.len_utf8()),
        None => (super::raw(start.first().copied().unwrap_or_default()), 1),
    }
}

/// Returns where `needle` is in a text, from a position on.
pub(super) fn find(text: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let last = *needle.last()?;
    let length = needle.len();
    // How far the needle moves on if a byte is where its last one should be.
    let mut moves = [length; 256];
    for (at, byte) in needle.iter().enumerate().take(length.saturating_sub(1)) {
        if let Some(place) = moves.get_mut(usize::from(*byte)) {
            *place = length.saturating_sub(1).saturating_sub(at);
        }
    }
    let mut end = from.saturating_add(length).saturating_sub(1);
    while let Some(byte) = text.get(end) {
        let start = end.saturating_add(1).saturating_sub(length);
        if *byte == last && text.get(start..=end) == Some(needle) {
            return Some(start);
        }
        end = end.saturating_add(moves.get(usize::from(*byte)).copied().unwrap_or(1));
    }
    None
}
