//! Michael Haggerty's indent heuristic: a change that may be shown at several places begins and
//! ends best where the indentation says that something begins or ends. The weights are those that
//! he found by rating thousands of changes (diff-slider-tools).

#![allow(
    clippy::arithmetic_side_effects,
    reason = "at most 200 columns and 20 blank lines, by weights below 100"
)]

use crate::lines::Lines;
use std::cmp::Ordering;

/// Indentation is counted up to this many columns.
const MOST_INDENT: i32 = 200;
/// Blank lines are counted up to this many.
const MOST_BLANK: i32 = 20;

const AT_START: i32 = 1;
const AT_END: i32 = 21;
const BLANK: i32 = -30;
const BLANK_AFTER: i32 = 6;
/// Penalties by how a line is indented to the one before it; the second one if there are blank
/// lines around the place.
const DEEPER: [i32; 2] = [-4, 10];
const SHALLOWER_THAN_BOTH: [i32; 2] = [24, 17];
const SHALLOWER: [i32; 2] = [23, 17];
/// A difference in indentation weighs as much as this penalty.
const INDENT: i32 = 60;

/// How bad it is to begin and to end a change at two places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    indent: i32,
    penalty: i32,
}

impl Score {
    /// Scores a change that begins before one line and ends before another.
    pub(crate) fn new(lines: &Lines, start: usize, end: usize) -> Score {
        let mut score = Score::default();
        score.add(&Place::new(lines, end));
        score.add(&Place::new(lines, start));
        score
    }

    fn add(&mut self, place: &Place) {
        if place.indent_before.is_none() && place.blank_before == 0 {
            self.penalty += AT_START;
        }
        if place.is_end {
            self.penalty += AT_END;
        }
        // The end of the text counts as a blank line.
        let blank_after = match place.indent {
            None => 1 + place.blank_after,
            Some(_) => 0,
        };
        let blank = place.blank_before + blank_after;
        self.penalty += BLANK * blank + BLANK_AFTER * blank_after;

        let indent = place.indent.or(place.indent_after);
        // A place without any text after it is further left than all others.
        self.indent += indent.unwrap_or(-1);
        let (Some(indent), Some(before)) = (indent, place.indent_before) else { return };
        let weights = match indent.cmp(&before) {
            Ordering::Greater => DEEPER,
            Ordering::Equal => [0, 0],
            Ordering::Less if place.indent_after.is_some_and(|after| after > indent) => {
                SHALLOWER_THAN_BOTH
            }
            Ordering::Less => SHALLOWER,
        };
        let [without_blank, with_blank] = weights;
        self.penalty += if blank == 0 { without_blank } else { with_blank };
    }

    /// Returns whether a place is as good as another one.
    pub(crate) fn is_as_good_as(&self, other: &Score) -> bool {
        let indent = self.indent.cmp(&other.indent) as i32;
        INDENT * indent + self.penalty - other.penalty <= 0
    }
}

/// What is around the place before a line.
struct Place {
    is_end: bool,
    /// The indentation of the line; a blank line has none.
    indent: Option<i32>,
    blank_before: i32,
    /// The indentation of the next line before the place that is not blank.
    indent_before: Option<i32>,
    blank_after: i32,
    /// The indentation of the next line after the line that is not blank.
    indent_after: Option<i32>,
}

impl Place {
    fn new(lines: &Lines, at: usize) -> Place {
        let before = (0..at).rev().map(|at| indent_of(lines.get(at)));
        let after = (at + 1..lines.len()).map(|at| indent_of(lines.get(at)));
        let (blank_before, indent_before) = skip_blank(before);
        let (blank_after, indent_after) = skip_blank(after);
        Place {
            is_end: at >= lines.len(),
            indent: indent_of(lines.get(at)),
            blank_before,
            indent_before,
            blank_after,
            indent_after,
        }
    }
}

/// Counts blank lines, and returns the indentation of the line after them. After many blank lines
/// that is 0.
fn skip_blank(indents: impl Iterator<Item = Option<i32>>) -> (i32, Option<i32>) {
    let mut blank = 0;
    for indent in indents {
        if indent.is_some() {
            return (blank, indent);
        }
        blank += 1;
        if blank == MOST_BLANK {
            return (blank, Some(0));
        }
    }
    (blank, None)
}

/// Returns the column at which the text of a line begins; nothing for a blank line.
fn indent_of(line: &[u8]) -> Option<i32> {
    let mut column = 0;
    for byte in line {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 8 - column % 8,
            b'\r' | b'\n' => {}
            _ => return Some(column),
        }
        if column >= MOST_INDENT {
            return Some(MOST_INDENT);
        }
    }
    None
}
