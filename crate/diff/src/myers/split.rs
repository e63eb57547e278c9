//! Where a part is split in two: a search from both ends at once, which settles for less when it
//! takes long.
//!
//! A point of the search is a number of lines taken from either side. Its diagonal is the
//! difference of these numbers, its reach on a diagonal how many old lines are taken. Both
//! searches count from their own end, so that one description serves both.

use crate::region::{at, Region};
use crate::steps::Steps;
use packlens_base::Result;
use std::ops::Range;

/// So many lines that match in a row are a sign that a search is on the right way.
const LONG_RUN: i32 = 20;
/// After so many edits a search is content with such a sign.
const PATIENT_UNTIL: usize = 256;
/// A point is promising if it is so many times further than its edits.
const PROMISING: i32 = 4;

/// Where to split, and whether the two parts need the best split themselves.
pub(super) struct Split {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) is_begin_minimal: bool,
    pub(super) is_rest_minimal: bool,
}

/// The memory of the searches.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    forward: Front,
    backward: Front,
}

/// The part of both sides that is searched, and its size.
struct Part<'a> {
    before: &'a [u32],
    after: &'a [u32],
    region: &'a Region,
    old: i32,
    new: i32,
}

impl Part<'_> {
    /// Returns whether the line after a point matches, for a search from one end.
    fn matches(&self, is_backward: bool, reach: i32, new: i32) -> bool {
        let Region { before, after } = self.region;
        is_inside(reach, self.old)
            && is_inside(new, self.new)
            && at(self.before, place(before, is_backward, reach))
                == at(self.after, place(after, is_backward, new))
    }
}

fn is_inside(number: i32, len: i32) -> bool {
    (0..len).contains(&number)
}

/// Returns the line with a number that counts from the start or from the end of a range.
fn place(range: &Range<usize>, is_backward: bool, number: i32) -> usize {
    match is_backward {
        false => range.start.saturating_add(number as usize),
        true => range.end.saturating_sub(1 + number as usize),
    }
}

/// How far one search has come.
#[derive(Debug, Default)]
struct Front {
    is_backward: bool,
    /// The furthest reach on each diagonal; the first one is `-(new + 1)`.
    reach: Vec<i32>,
    offset: i32,
    low: i32,
    high: i32,
}

impl Front {
    fn begin(&mut self, part: &Part, is_backward: bool) {
        self.is_backward = is_backward;
        self.offset = part.new + 1;
        (self.low, self.high) = (0, 0);
        let len = (part.old + part.new + 3) as usize;
        if self.reach.len() < len {
            self.reach.resize(len, 0);
        }
        self.set(0, 0);
    }

    fn get(&self, diagonal: i32) -> i32 {
        self.reach.get((diagonal + self.offset) as usize).copied().unwrap_or(-1)
    }

    fn set(&mut self, diagonal: i32, reach: i32) {
        if let Some(slot) = self.reach.get_mut((diagonal + self.offset) as usize) {
            *slot = reach;
        }
    }

    /// Adds a diagonal at both ends, or leaves one out where the part ends.
    fn widen(&mut self, part: &Part) {
        if self.low > -part.new {
            self.low -= 1;
            self.set(self.low - 1, -1);
        } else {
            self.low += 1;
        }
        if self.high < part.old {
            self.high += 1;
            self.set(self.high + 1, -1);
        } else {
            self.high -= 1;
        }
    }

    /// Returns every other diagonal, from that with the most old lines on as the text has them.
    fn diagonals(&self) -> impl Iterator<Item = i32> {
        let (low, high, is_backward) = (self.low, self.high, self.is_backward);
        let count = if high < low { 0 } else { (high - low) / 2 + 1 };
        (0..count).map(move |step| if is_backward { low + 2 * step } else { high - 2 * step })
    }

    /// Takes one more edit on every diagonal, and the lines after it that match. Returns the
    /// point where this search meets the other one, if it may be found now; notes long runs.
    fn advance(
        &mut self,
        part: &Part,
        other: Option<&Front>,
        has_long_run: &mut bool,
        steps: &mut Steps,
    ) -> Result<Option<i32>> {
        self.widen(part);
        for diagonal in self.diagonals() {
            let (below, above) = (self.get(diagonal - 1), self.get(diagonal + 1));
            let start = if below >= above { below + 1 } else { above };
            let mut reach = start;
            while part.matches(self.is_backward, reach, reach - diagonal) {
                reach += 1;
            }
            let run = reach - start;
            steps.take(run as usize + 1)?;
            *has_long_run |= run > LONG_RUN;
            self.set(diagonal, reach);
            if other.is_some_and(|other| other.meets(part, diagonal, reach)) {
                return Ok(Some(diagonal));
            }
        }
        Ok(None)
    }

    /// Returns whether this search has reached a point of the other one.
    fn meets(&self, part: &Part, diagonal: i32, reach: i32) -> bool {
        let own = part.old - part.new - diagonal;
        (self.low..=self.high).contains(&own) && self.get(own) + reach >= part.old
    }

    /// Returns the most promising point after a long run of matching lines.
    fn promising(&self, part: &Part, cost: i32) -> Option<(i32, i32)> {
        let mut best = None;
        let mut most = 0;
        for diagonal in self.diagonals() {
            let (old, new) = (self.get(diagonal), self.get(diagonal).saturating_sub(diagonal));
            let value = (old + new).saturating_sub(diagonal.abs());
            let is_better = value > cost.saturating_mul(PROMISING) && value > most;
            let has_room =
                (LONG_RUN..part.old).contains(&old) && (LONG_RUN..part.new).contains(&new);
            let mut run = 1..=LONG_RUN;
            if is_better
                && has_room
                && run.all(|step| part.matches(self.is_backward, old - step, new - step))
            {
                most = value;
                best = Some((old, new));
            }
        }
        best
    }

    /// Returns the point that is furthest.
    fn furthest(&self, part: &Part) -> (i32, i32) {
        let mut best = (-1, 0);
        for diagonal in self.diagonals() {
            let mut old = self.get(diagonal).min(part.old);
            if old - diagonal > part.new {
                old = part.new + diagonal;
            }
            let new = old - diagonal;
            if old + new > best.0 + best.1 {
                best = (old, new);
            }
        }
        best
    }
}

impl Splitter {
    /// Splits a part whose first lines differ, and whose last lines differ. A search that has
    /// reached `most_cost` edits takes what it has.
    pub(super) fn split(
        &mut self,
        [before, after]: [&[u32]; 2],
        region: &Region,
        most_cost: usize,
        steps: &mut Steps,
    ) -> Result<Split> {
        let (old, new) = (region.before.len() as i32, region.after.len() as i32);
        let part = Part { before, after, region, old, new };
        let Splitter { forward, backward } = self;
        forward.begin(&part, false);
        backward.begin(&part, true);
        let is_odd = (old - new) % 2 != 0;
        for cost in 1_usize.. {
            let mut long = false;
            let other = is_odd.then_some(&*backward);
            if let Some(diagonal) = forward.advance(&part, other, &mut long, steps)? {
                let reach = forward.get(diagonal);
                return Ok(split_at(region, false, (reach, reach - diagonal), [true, true]));
            }
            let other = (!is_odd).then_some(&*forward);
            if let Some(diagonal) = backward.advance(&part, other, &mut long, steps)? {
                let reach = backward.get(diagonal);
                return Ok(split_at(region, true, (reach, reach - diagonal), [true, true]));
            }
            if most_cost == usize::MAX {
                continue;
            }
            if long && cost > PATIENT_UNTIL {
                let edits = cost as i32;
                if let Some(point) = forward.promising(&part, edits) {
                    return Ok(split_at(region, false, point, [true, false]));
                }
                if let Some(point) = backward.promising(&part, edits) {
                    return Ok(split_at(region, true, point, [false, true]));
                }
            }
            if cost >= most_cost {
                let (first, last) = (forward.furthest(&part), backward.furthest(&part));
                return Ok(match last.0 + last.1 < first.0 + first.1 {
                    true => split_at(region, false, first, [true, false]),
                    false => split_at(region, true, last, [false, true]),
                });
            }
        }
        // Not reached: the searches meet after at most `old + new` edits.
        Ok(split_at(region, false, (old, new), [true, true]))
    }
}

/// Returns the split at a point that counts from the start or from the end of a region.
fn split_at(region: &Region, is_backward: bool, point: (i32, i32), minimal: [bool; 2]) -> Split {
    let (old, new) = (point.0.max(0) as usize, point.1.max(0) as usize);
    let Region { before, after } = region;
    let (before, after) = match is_backward {
        false => (before.start + old, after.start + new),
        true => (before.end.saturating_sub(old), after.end.saturating_sub(new)),
    };
    let [is_begin_minimal, is_rest_minimal] = minimal;
    Split { before, after, is_begin_minimal, is_rest_minimal }
}
