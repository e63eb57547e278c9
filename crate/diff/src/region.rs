//! What the algorithms work on: a range of lines on either side, and which lines have changed.

use crate::tokens::Tokens;
use std::ops::Range;

/// A range of lines of each side that are compared with each other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Region {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

impl Region {
    pub(crate) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Returns whether a side has no lines, so that all lines of the other one have changed.
    pub(crate) fn is_one_sided(&self) -> bool {
        self.before.is_empty() || self.after.is_empty()
    }
}

/// Which lines of each side have no counterpart on the other.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) before: Vec<bool>,
    pub(crate) after: Vec<bool>,
}

impl Marks {
    pub(crate) fn new(tokens: &Tokens) -> Marks {
        Marks { before: vec![false; tokens.before.len()], after: vec![false; tokens.after.len()] }
    }

    /// Returns the marks of both sides.
    pub(crate) fn sides(&mut self) -> [&mut [bool]; 2] {
        [&mut self.before, &mut self.after]
    }

    /// Marks all lines of a region.
    pub(crate) fn mark(&mut self, region: &Region) {
        fill(&mut self.before, &region.before, true);
        fill(&mut self.after, &region.after, true);
    }
}

/// Marks all lines of a range, or removes their marks.
pub(crate) fn fill(marks: &mut [bool], lines: &Range<usize>, is_marked: bool) {
    if let Some(marks) = marks.get_mut(lines.clone()) {
        marks.fill(is_marked);
    }
}

/// Returns the number of a line; outside of a list one that no line has.
pub(crate) fn at(list: &[u32], place: usize) -> u32 {
    list.get(place).copied().unwrap_or(u32::MAX)
}

/// Sets an element of a list; does nothing outside of it.
pub(crate) fn set<T>(list: &mut [T], place: usize, value: T) {
    if let Some(slot) = list.get_mut(place) {
        *slot = value;
    }
}
