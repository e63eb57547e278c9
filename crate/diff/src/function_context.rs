//! Hunks that show whole functions: `-W`.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places of lines, fewer than 2^30; a line that is found is not the first one above"
)]

use crate::heading::Headings;
use crate::hunks::Grouping;
use crate::lines::{is_space, Lines};
use std::ops::Range;

/// The lines of a hunk in both texts, and its changes.
pub(crate) struct Extent {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
    pub(crate) changes: Range<usize>,
}

impl<'a> Grouping<'_, 'a> {
    /// Returns a hunk with the whole functions that its changes are in. Changes before `from` are
    /// in earlier hunks.
    pub(crate) fn whole_functions(
        &self,
        from: usize,
        changes: Range<usize>,
        headings: &mut Headings<'_, 'a>,
    ) -> Option<Extent> {
        let mut first = changes.start;
        let [mut before, mut after] = self.start(first)?;
        while let Some(top) = self.top_of_function(first, headings) {
            if top >= before {
                break;
            }
            after = after.saturating_sub(before - top);
            before = top;
            // Changes that would be left out are printed if the lines above have them.
            let earlier = self.changes.get(from..first)?.iter().rev();
            let is_reached = |lines: &Range<usize>, start| lines.end > start;
            let reached = earlier.take_while(|change| {
                is_reached(&change.before, before) || is_reached(&change.after, after)
            });
            let more = reached.count();
            if more == 0 {
                break;
            }
            first -= more;
            [before, after] = self.start(first)?;
        }
        let mut last = changes.end - 1;
        let [before_end, after_end] = loop {
            let [mut before_end, mut after_end] = self.end(last)?;
            let bottom = self.bottom_of_function(self.changes.get(last)?.before.end, headings);
            if bottom > before_end {
                after_end = self.after.len().min(after_end + (bottom - before_end));
                before_end = bottom;
            }
            let Some(next) = self.changes.get(last + 1) else { break [before_end, after_end] };
            let line = next.before.start.min(self.before.len().saturating_sub(1));
            let is_apart = line.saturating_sub(self.context) > before_end
                && starts(self.before, before_end + 1..line + 1, headings);
            if is_apart {
                break [before_end, after_end];
            }
            last += 1;
        };
        Some(Extent {
            before: before..before_end,
            after: after..after_end,
            changes: first..last + 1,
        })
    }

    /// Returns the first line of the function that a change is in, with the lines above that are
    /// not blank; `None` if the change adds whole functions at the end of the text.
    fn top_of_function(&self, change: usize, headings: &mut Headings) -> Option<usize> {
        let change = self.changes.get(change)?;
        let mut line = change.before.start;
        if line >= self.before.len() {
            if starts(self.after, change.after.start..self.after.len(), headings) {
                return None;
            }
            line = self.before.len().saturating_sub(1);
        }
        let lines = &self.before;
        let mut top = (0..=line).rev().find(|at| headings.is_start(lines.get(*at))).unwrap_or(0);
        while top > 0 && !is_blank(lines.get(top - 1)) && !headings.is_start(lines.get(top - 1)) {
            top -= 1;
        }
        Some(top)
    }

    /// Returns where the function ends that a line is in, without blank lines before the next one.
    fn bottom_of_function(&self, line: usize, headings: &mut Headings) -> usize {
        let lines = &self.before;
        let next = (line..lines.len()).find(|at| headings.is_start(lines.get(*at)));
        let Some(mut end) = next else { return lines.len() };
        while end > 0 && is_blank(lines.get(end - 1)) {
            end -= 1;
        }
        end
    }
}

/// Returns whether one of some lines looks like the start of a function.
fn starts(lines: &Lines, mut range: Range<usize>, headings: &mut Headings) -> bool {
    range.any(|at| headings.is_start(lines.get(at)))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}
