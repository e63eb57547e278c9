//! Which lines take no part in the search: those that the other side lacks, and, near these,
//! those that it has so often that a match says little.

use super::{rough_root, without_same_ends, Kept};
use crate::region::{at, set, Region};
use std::ops::Range;

/// How far around a frequent line its neighbours are looked at.
const WINDOW: usize = 100;
/// A line is frequent if the other side has it as often as this, in a long text.
const MOST_OFTEN: usize = 1024;

/// How useful a line is for the search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Use {
    /// The other side lacks the line.
    Nothing,
    /// The other side has the line often.
    Little,
    Full,
}

/// Counts how often each line occurs. All counts are 0 between the regions.
#[derive(Debug)]
pub(super) struct Discard {
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Discard {
    pub(super) fn new(classes: usize) -> Discard {
        Discard { before: vec![0; classes], after: vec![0; classes] }
    }

    /// Returns the lines of each side that are to be compared; the others are marked, or are the
    /// same at both ends. A minimal comparison marks only what has no counterpart.
    pub(super) fn kept(
        &mut self,
        [old, new]: [&[u32]; 2],
        region: &Region,
        is_minimal: bool,
        [old_marks, new_marks]: [&mut [bool]; 2],
    ) -> [Kept; 2] {
        let inner = without_same_ends(old, new, region.clone());
        count(old, &region.before, &mut self.before, 1);
        count(new, &region.after, &mut self.after, 1);
        let limit = |len: usize| match is_minimal {
            true => usize::MAX,
            false => rough_root(len).min(MOST_OFTEN),
        };
        let old_side = Side { tokens: old, range: inner.before, counts: &self.after };
        let new_side = Side { tokens: new, range: inner.after, counts: &self.before };
        let kept = [
            old_side.kept(limit(region.before.len()), old_marks),
            new_side.kept(limit(region.after.len()), new_marks),
        ];
        count(old, &region.before, &mut self.before, 0);
        count(new, &region.after, &mut self.after, 0);
        kept
    }
}

/// Counts the lines of a range by 1, or sets their counts to 0.
fn count(tokens: &[u32], range: &Range<usize>, counts: &mut [u32], by: u32) {
    for token in tokens.get(range.clone()).unwrap_or_default() {
        if let Some(count) = counts.get_mut(*token as usize) {
            *count = if by == 0 { 0 } else { *count + by };
        }
    }
}

/// One side, and how often the other side has each line.
struct Side<'a> {
    tokens: &'a [u32],
    range: Range<usize>,
    counts: &'a [u32],
}

impl Side<'_> {
    fn kept(&self, limit: usize, marks: &mut [bool]) -> Kept {
        let lines = self.tokens.get(self.range.clone()).unwrap_or_default();
        let uses: Vec<Use> = lines
            .iter()
            .map(|token| match at(self.counts, *token as usize) as usize {
                0 => Use::Nothing,
                often if often >= limit => Use::Little,
                _ => Use::Full,
            })
            .collect();
        let mut kept = Kept::default();
        for (place, (token, usefulness)) in lines.iter().zip(&uses).enumerate() {
            let is_kept = match usefulness {
                Use::Nothing => false,
                Use::Little => !is_among_useless(&uses, place),
                Use::Full => true,
            };
            match is_kept {
                true => kept.push(*token, self.range.start + place),
                false => set(marks, self.range.start + place, true),
            }
        }
        kept
    }
}

/// Returns whether a frequent line is in the middle of lines without use: both before and after
/// it there are some that the other side lacks, and these are more than three times as many as
/// the frequent ones. Lines of full use end the search on either side.
fn is_among_useless(uses: &[Use], place: usize) -> bool {
    let before = uses.get(place.saturating_sub(WINDOW)..place).unwrap_or_default();
    let end = uses.len().min(place + 1 + WINDOW);
    let after = uses.get(place + 1..end).unwrap_or_default();
    let (nothing_before, little_before) = run_of(before.iter().rev());
    let (nothing_after, little_after) = run_of(after.iter());
    if nothing_before == 0 || nothing_after == 0 {
        return false;
    }
    // The line itself counts for either side.
    let little = little_before + little_after + 2;
    let nothing = nothing_before + nothing_after;
    little * 4 < little + nothing
}

/// Counts lines of no use and of little use, up to the first of full use.
fn run_of<'u>(uses: impl Iterator<Item = &'u Use>) -> (usize, usize) {
    let (mut nothing, mut little) = (0, 0);
    for usefulness in uses {
        match usefulness {
            Use::Nothing => nothing += 1,
            Use::Little => little += 1,
            Use::Full => break,
        }
    }
    (nothing, little)
}
