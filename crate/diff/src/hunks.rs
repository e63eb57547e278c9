//! Changes that are printed together, with the unchanged lines around them.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places and numbers of lines, fewer than 2^30; changes end within both texts"
)]

use crate::changes::Change;
use crate::driver::Driver;
use crate::heading::Headings;
use crate::lines::Lines;
use crate::options::DiffOptions;
use std::ops::Range;

/// Changes and the lines around them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Hunk<'a> {
    /// Lines of the old text, the first one is 0.
    pub before: Range<usize>,
    /// Lines of the new text.
    pub after: Range<usize>,
    /// Which of all changes are in the hunk.
    pub changes: Range<usize>,
    /// What is printed after the second `@@`: the start of the last line before the hunk that
    /// looks like the start of a function. May be empty.
    pub heading: &'a [u8],
}

/// Groups changes into hunks.
pub(crate) struct Grouping<'c, 'a> {
    changes: &'c [Change],
    before: &'c Lines<'a>,
    after: &'c Lines<'a>,
    /// Whether a change may be left out.
    is_ignorable: Vec<bool>,
    context: usize,
    /// The most unchanged lines between two changes of a hunk.
    most_between: usize,
    driver: Option<Driver>,
}

impl<'c, 'a> Grouping<'c, 'a> {
    pub(crate) fn new(
        changes: &'c [Change],
        before: &'c Lines<'a>,
        after: &'c Lines<'a>,
        options: &DiffOptions,
    ) -> Grouping<'c, 'a> {
        let is_blank = |lines: &Lines, range: &Range<usize>| {
            range.clone().all(|at| options.whitespace.is_blank(lines.get(at)))
        };
        let is_ignorable = |change: &Change| {
            options.ignore_blank_lines
                && is_blank(before, &change.before)
                && is_blank(after, &change.after)
        };
        let context = options.context as usize;
        Grouping {
            changes,
            before,
            after,
            is_ignorable: changes.iter().map(is_ignorable).collect(),
            context,
            most_between: context.saturating_mul(2).saturating_add(options.inter_hunk as usize),
            driver: options.driver,
        }
    }

    fn is_ignorable(&self, at: usize) -> bool {
        self.is_ignorable.get(at) == Some(&true)
    }

    /// Returns how many unchanged lines are between two changes.
    fn distance(&self, one: usize, other: usize) -> Option<usize> {
        let (one, other) = (self.changes.get(one)?, self.changes.get(other)?);
        Some(other.before.start.saturating_sub(one.before.end))
    }

    /// Returns the changes of the next hunk.
    fn next_changes(&self, from: usize) -> Option<Range<usize>> {
        let first = self.first_change(from)?;
        Some(first..self.last_change(first) + 1)
    }

    /// Returns the first change that is printed: one that is not ignorable, or the first of those
    /// before it that are within its context.
    fn first_change(&self, from: usize) -> Option<usize> {
        let mut first = from;
        let mut at = from;
        while self.is_ignorable(at) {
            if self.distance(at, at + 1).is_none_or(|distance| distance >= self.context) {
                first = at + 1;
            }
            at += 1;
        }
        (first < self.changes.len()).then_some(first)
    }

    /// Returns the last change of the hunk that begins with a change.
    fn last_change(&self, first: usize) -> usize {
        let mut last = first;
        // Lines of ignorable changes since the last one, which are printed as context.
        let mut ignored = 0;
        let mut at = first + 1;
        while let Some(distance) = self.distance(at - 1, at) {
            if distance > self.most_between {
                break;
            }
            let is_near = distance < self.context;
            let follows_last = last == at - 1;
            let since_last = self.distance(last, at).unwrap_or(0).saturating_add(ignored);
            if !is_near && !follows_last && since_last > self.most_between {
                break;
            }
            if !self.is_ignorable(at) || (is_near && follows_last) {
                (last, ignored) = (at, 0);
            } else {
                ignored += self.changes.get(at).map_or(0, |change| change.after.len());
            }
            at += 1;
        }
        last
    }

    /// Returns all hunks.
    pub(crate) fn hunks(&self) -> Vec<Hunk<'a>> {
        let mut headings = Headings::new(self.before, self.driver);
        let mut hunks = Vec::new();
        let mut from = 0;
        while let Some(changes) = self.next_changes(from) {
            from = changes.end;
            let ends = (self.changes.get(changes.start), self.changes.get(changes.end - 1));
            let (Some(first), Some(last)) = ends else { break };
            let left = (self.before.len() - last.before.end).min(self.after.len() - last.after.end);
            let context = self.context.min(left);
            let start = |range: &Range<usize>| range.start.saturating_sub(self.context);
            hunks.push(Hunk {
                before: start(&first.before)..last.before.end + context,
                after: start(&first.after)..last.after.end + context,
                changes,
                heading: headings.before(start(&first.before)),
            });
        }
        hunks
    }
}
