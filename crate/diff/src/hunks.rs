//! Changes that are printed together, with the unchanged lines around them.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places and numbers of lines, fewer than 2^30; changes end within both texts"
)]

use crate::changes::Change;
use crate::driver::Driver;
use crate::function_context::Extent;
use crate::heading::Headings;
use crate::lines::Lines;
use crate::options::DiffOptions;
use packlens_base::regex::{Regex, Search};
use packlens_base::Result;
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
    pub(crate) changes: &'c [Change],
    pub(crate) before: &'c Lines<'a>,
    pub(crate) after: &'c Lines<'a>,
    /// Whether a change may be left out.
    is_ignorable: Vec<bool>,
    pub(crate) context: usize,
    /// The most unchanged lines between two changes of a hunk.
    most_between: usize,
    driver: Option<Driver>,
    function_context: bool,
}

impl<'c, 'a> Grouping<'c, 'a> {
    pub(crate) fn new(
        changes: &'c [Change],
        before: &'c Lines<'a>,
        after: &'c Lines<'a>,
        options: &DiffOptions,
        ignored: &[Regex],
    ) -> Result<Grouping<'c, 'a>> {
        let is_blank = |lines: &Lines, range: &Range<usize>| {
            range.clone().all(|at| options.whitespace.is_blank(lines.get(at)))
        };
        let mut ignored: Vec<Search> =
            ignored.iter().map(|regex| regex.search(options.most_steps)).collect();
        let mut is_ignorable = Vec::with_capacity(changes.len());
        for change in changes {
            let is_all_blank = options.ignore_blank_lines
                && is_blank(before, &change.before)
                && is_blank(after, &change.after);
            is_ignorable.push(
                is_all_blank
                    || (is_found(&mut ignored, before, &change.before)?
                        && is_found(&mut ignored, after, &change.after)?),
            );
        }
        let context = options.context as usize;
        Ok(Grouping {
            changes,
            before,
            after,
            is_ignorable,
            context,
            most_between: context.saturating_mul(2).saturating_add(options.inter_hunk as usize),
            driver: options.driver,
            function_context: options.function_context,
        })
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
            let extent = match self.function_context {
                true => self.whole_functions(from, changes, &mut headings),
                false => self.extent(changes),
            };
            let Some(Extent { before, after, changes }) = extent else { break };
            from = changes.end;
            let heading = headings.before(before.start);
            hunks.push(Hunk { before, after, changes, heading });
        }
        hunks
    }

    /// Returns some changes with their context.
    fn extent(&self, changes: Range<usize>) -> Option<Extent> {
        let [before, after] = self.start(changes.start)?;
        let [before_end, after_end] = self.end(changes.end - 1)?;
        Some(Extent { before: before..before_end, after: after..after_end, changes })
    }

    /// Returns where the context before a change starts, in both texts.
    pub(crate) fn start(&self, change: usize) -> Option<[usize; 2]> {
        let Change { before, after } = self.changes.get(change)?;
        Some([before, after].map(|lines| lines.start.saturating_sub(self.context)))
    }

    /// Returns where the context after a change ends, in both texts.
    pub(crate) fn end(&self, change: usize) -> Option<[usize; 2]> {
        let Change { before, after } = self.changes.get(change)?;
        let left = (self.before.len() - before.end).min(self.after.len() - after.end);
        let context = self.context.min(left);
        Some([before.end + context, after.end + context])
    }
}

/// Returns whether one of some expressions is found in each line of a range.
fn is_found(ignored: &mut [Search], lines: &Lines, range: &Range<usize>) -> Result<bool> {
    for at in range.clone() {
        let mut is_found = false;
        for regex in ignored.iter_mut() {
            is_found = is_found || regex.is_in(lines.get(at))?;
        }
        if !is_found {
            return Ok(false);
        }
    }
    Ok(!ignored.is_empty())
}
