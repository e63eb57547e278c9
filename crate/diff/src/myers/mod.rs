//! Myers' algorithm in linear space, as git bounds it: "An O(ND) Difference Algorithm and Its
//! Variations", Algorithmica 1986.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places of lines; two texts have fewer than 2^31 - 2^20, see `MOST_BYTES`"
)]

mod discard;
mod split;

use crate::region::{at, fill, set, Region};
use crate::steps::Steps;
use discard::Discard;
use packlens_base::Result;
use split::Splitter;

/// The least number of edits after which a search settles for a split that is not the best.
const LEAST_COST: usize = 256;

/// Compares regions; keeps its memory between them.
#[derive(Debug)]
pub(crate) struct Myers {
    is_minimal: bool,
    discard: Discard,
    splitter: Splitter,
}

/// A part that is still to be compared, of the lines that were kept.
struct Pending {
    part: Region,
    /// Whether the best split is required, whatever it costs.
    is_minimal: bool,
}

impl Myers {
    /// Prepares for lines whose numbers are below `classes`.
    pub(crate) fn new(classes: usize, is_minimal: bool) -> Myers {
        Myers { is_minimal, discard: Discard::new(classes), splitter: Splitter::default() }
    }

    /// Marks the lines of a region that have changed, and removes the marks of the others.
    #[inline(never)]
    pub(crate) fn compare(
        &mut self,
        sides: [&[u32]; 2],
        region: &Region,
        marks: [&mut [bool]; 2],
        steps: &mut Steps,
    ) -> Result<()> {
        steps.take(region.before.len() + region.after.len())?;
        let [old_marks, new_marks] = marks;
        fill(old_marks, &region.before, false);
        fill(new_marks, &region.after, false);
        let [before, after] =
            self.discard.kept(sides, region, self.is_minimal, [old_marks, new_marks]);
        let most_cost = rough_root(before.tokens.len() + after.tokens.len() + 3).max(LEAST_COST);
        let whole = Region { before: 0..before.tokens.len(), after: 0..after.tokens.len() };
        let mut pending = vec![Pending { part: whole, is_minimal: self.is_minimal }];
        while let Some(Pending { part, is_minimal }) = pending.pop() {
            let part = without_same_ends(&before.tokens, &after.tokens, part);
            if part.is_one_sided() {
                part.before.for_each(|place| before.mark(place, old_marks));
                part.after.for_each(|place| after.mark(place, new_marks));
                continue;
            }
            let cost = if is_minimal { usize::MAX } else { most_cost };
            let sides = [&before.tokens, &after.tokens].map(Vec::as_slice);
            let split = self.splitter.split(sides, &part, cost, steps)?;
            pending.push(Pending {
                part: Region {
                    before: split.before..part.before.end,
                    after: split.after..part.after.end,
                },
                is_minimal: split.is_rest_minimal,
            });
            pending.push(Pending {
                part: Region {
                    before: part.before.start..split.before,
                    after: part.after.start..split.after,
                },
                is_minimal: split.is_begin_minimal,
            });
        }
        Ok(())
    }
}

/// The lines of one side that are compared, and where they are.
#[derive(Debug, Default)]
struct Kept {
    tokens: Vec<u32>,
    places: Vec<usize>,
}

impl Kept {
    fn push(&mut self, token: u32, place: usize) {
        self.tokens.push(token);
        self.places.push(place);
    }

    fn mark(&self, kept: usize, marks: &mut [bool]) {
        if let Some(place) = self.places.get(kept) {
            set(marks, *place, true);
        }
    }
}

/// Returns a region without the lines at its start and its end that are the same.
fn without_same_ends(before: &[u32], after: &[u32], mut region: Region) -> Region {
    let is_same = |one, other| at(before, one) == at(after, other);
    while !region.is_one_sided() && is_same(region.before.start, region.after.start) {
        region.before.start += 1;
        region.after.start += 1;
    }
    while !region.is_one_sided() && is_same(region.before.end - 1, region.after.end - 1) {
        region.before.end -= 1;
        region.after.end -= 1;
    }
    region
}

/// Returns a power of two near the square root of a number, at most twice as large.
fn rough_root(number: usize) -> usize {
    let mut root = 1;
    let mut rest = number;
    while rest > 0 {
        root <<= 1;
        rest >>= 2;
    }
    root
}
