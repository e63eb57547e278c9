//! Moves changes to where they read best. A change that begins with the line that follows it may
//! be shown a line further down, and the other way round; git calls it a slider.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places of lines, fewer than 2^30; a group starts above 0 where it moves up"
)]

use crate::indent::Score;
use crate::lines::Lines;
use crate::myers::Myers;
use crate::region::{at, set, Region};
use crate::steps::Steps;
use packlens_base::Result;

/// A change is not moved up further than this, when the indentation decides.
const MOST_SLIDING: usize = 100;

/// One side, and a group of its lines that are changed and next to each other. It may be empty:
/// between two lines that are not changed there is a group on both sides, so that the groups of
/// both sides correspond.
struct Side<'a> {
    tokens: &'a [u32],
    marks: &'a mut [bool],
    start: usize,
    end: usize,
}

impl<'a> Side<'a> {
    /// Begins with the first group.
    fn new((tokens, marks): Marked<'a>) -> Side<'a> {
        let mut side = Side { tokens, marks, start: 0, end: 0 };
        side.extend_down();
        side
    }

    fn is_empty(&self) -> bool {
        self.start == self.end
    }

    fn len(&self) -> usize {
        self.end - self.start
    }

    fn is_marked(&self, place: usize) -> bool {
        self.marks.get(place) == Some(&true)
    }

    fn extend_up(&mut self) {
        while self.start > 0 && self.is_marked(self.start - 1) {
            self.start -= 1;
        }
    }

    fn extend_down(&mut self) {
        while self.is_marked(self.end) {
            self.end += 1;
        }
    }

    /// Continues with the next group; returns whether there is one.
    fn next(&mut self) -> bool {
        if self.end >= self.tokens.len() {
            return false;
        }
        self.start = self.end + 1;
        self.end = self.start;
        self.extend_down();
        true
    }

    /// Returns to the previous group.
    fn previous(&mut self) {
        self.end = self.start.saturating_sub(1);
        self.start = self.end;
        self.extend_up();
    }

    /// Moves the group up by a line, if that changes nothing, and joins it with a group that it
    /// reaches.
    fn slide_up(&mut self) -> bool {
        if self.start == 0 || at(self.tokens, self.start - 1) != at(self.tokens, self.end - 1) {
            return false;
        }
        self.start -= 1;
        self.end -= 1;
        set(self.marks, self.start, true);
        set(self.marks, self.end, false);
        self.extend_up();
        true
    }

    /// The same, down.
    fn slide_down(&mut self) -> bool {
        if self.end >= self.tokens.len() || at(self.tokens, self.start) != at(self.tokens, self.end)
        {
            return false;
        }
        set(self.marks, self.start, false);
        set(self.marks, self.end, true);
        self.start += 1;
        self.end += 1;
        self.extend_down();
        true
    }
}

/// The lines of one side as numbers, and which of them are marked.
pub(crate) type Marked<'a> = (&'a [u32], &'a mut [bool]);

/// Moves the groups of one side. `lines` are its lines, if their indentation decides.
///
/// A group that moved beside a change of the other side is compared with it anew by `redo`: both
/// may now have lines in common. Only the changes that histogram diff finds need this.
pub(crate) fn compact(
    own: Marked,
    other: Marked,
    lines: Option<&Lines>,
    mut redo: Option<&mut Myers>,
    steps: &mut Steps,
) -> Result<()> {
    let mut own = Side::new(own);
    let mut other = Side::new(other);
    loop {
        let found_at = own.end;
        if !own.is_empty() {
            place_group(&mut own, &mut other, lines, steps)?;
        }
        if let (Some(myers), false, true) = (&mut redo, other.is_empty(), own.end != found_at) {
            let region = Region { before: own.start..own.end, after: other.start..other.end };
            let marks = [&mut *own.marks, &mut *other.marks];
            myers.compare([own.tokens, other.tokens], &region, marks, steps)?;
        }
        if !own.next() {
            return Ok(());
        }
        other.next();
    }
}

/// Moves a group to its best place: as far down as it goes, unless it can be next to a change of
/// the other side, or the indentation says otherwise.
fn place_group(
    own: &mut Side,
    other: &mut Side,
    lines: Option<&Lines>,
    steps: &mut Steps,
) -> Result<()> {
    let mut highest;
    // The last place that is next to a change of the other side.
    let mut beside;
    loop {
        let len = own.len();
        while own.slide_up() {
            other.previous();
        }
        highest = own.end;
        beside = (!other.is_empty()).then_some(own.end);
        while own.slide_down() {
            other.next();
            if !other.is_empty() {
                beside = Some(own.end);
            }
        }
        steps.take(own.end - highest)?;
        // A group that was joined with others may go further.
        if own.len() == len {
            break;
        }
    }
    let target = match (beside, lines) {
        (Some(end), _) => end,
        (None, Some(lines)) => best_by_indent(own, highest, lines),
        (None, None) => own.end,
    };
    while own.end > target && own.slide_up() {
        other.previous();
    }
    Ok(())
}

/// Returns where a group should end: as far down as possible among the places that score best.
fn best_by_indent(group: &Side, highest: usize, lines: &Lines) -> usize {
    let len = group.len();
    // A group that moves further than its own length only repeats itself.
    let first =
        highest.max(group.end.saturating_sub(len + 1)).max(group.end.saturating_sub(MOST_SLIDING));
    let mut best: Option<(Score, usize)> = None;
    for end in first..=group.end {
        let score = Score::new(lines, end.saturating_sub(len), end);
        if best.as_ref().is_none_or(|(best, _)| score.is_as_good_as(best)) {
            best = Some((score, end));
        }
    }
    best.map_or(group.end, |(_, end)| end)
}
