//! Lines that several parents lost at the same place, as one list.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places and numbers of lines, fewer than 2^30 of each side"
)]

use super::{Lost, Parents};
use crate::lines::is_space;
use crate::options::Whitespace;
use packlens_base::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// The most pairs of lines that are compared at one place.
const MOST_PAIRS: usize = 1 << 26;

/// How the longest common list of two lists goes on, backwards.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Step {
    Both,
    New,
    Old,
}

/// Adds the lines of a parent to those of others: as few lines as possible, in the order of both.
///
/// # Errors
///
/// [`Limit`](ErrorKind::Limit) for too many lines.
pub(super) fn coalesce<'a>(
    lost: &mut Vec<Lost<'a>>,
    new: Vec<&'a [u8]>,
    parent: Parents,
    whitespace: Whitespace,
) -> Result<()> {
    let width = new.len() + 1;
    let pairs = (lost.len() + 1).checked_mul(width).filter(|pairs| *pairs <= MOST_PAIRS);
    let Some(pairs) = pairs else {
        let what = "too many lines were removed at one place of a merge";
        return Err(Error::new(ErrorKind::Limit, what));
    };
    let mut steps = vec![Step::New; pairs];
    let mut lengths = vec![0_u32; width];
    let essences: Vec<_> = new.iter().map(|text| essence(text, whitespace)).collect();
    for (row, old) in lost.iter().enumerate() {
        let old = essence(old.text, whitespace);
        let mut diagonal = 0;
        for (at, new) in essences.iter().enumerate() {
            let [left, above] = [lengths.get(at), lengths.get(at + 1)].map(|n| *n.unwrap_or(&0));
            let (step, length) = if *new == old {
                (Step::Both, diagonal + 1)
            } else if left >= above {
                (Step::New, left)
            } else {
                (Step::Old, above)
            };
            diagonal = above;
            if let (Some(place), Some(best)) =
                (steps.get_mut((row + 1) * width + at + 1), lengths.get_mut(at + 1))
            {
                (*place, *best) = (step, length);
            }
        }
    }
    let mut merged = Vec::new();
    let (mut olds, mut news) = (std::mem::take(lost), new);
    while !olds.is_empty() || !news.is_empty() {
        let step = match (olds.is_empty(), news.is_empty()) {
            (true, _) => Step::New,
            (_, true) => Step::Old,
            _ => steps.get(olds.len() * width + news.len()).copied().unwrap_or(Step::New),
        };
        let text = if step == Step::Old { None } else { news.pop() };
        let old = if step == Step::New { None } else { olds.pop() };
        merged.extend(match (old, text) {
            (Some(old), text) => {
                let shared = if text.is_some() { parent } else { 0 };
                Some(Lost { parents: old.parents | shared, ..old })
            }
            (None, Some(text)) => Some(Lost { text, parents: parent }),
            (None, None) => None,
        });
    }
    merged.reverse();
    *lost = merged;
    Ok(())
}

/// Returns what is compared of a line. Unlike elsewhere, git ignores all white space at the end
/// with any option, and of white space at the start never the first byte, unless the other line
/// has none.
fn essence(text: &[u8], whitespace: Whitespace) -> Essence<'_> {
    let (ignored, counts_start) = match whitespace {
        Whitespace::Exact => (Whitespace::Exact, false),
        Whitespace::CrAtEol | Whitespace::AtEol => (Whitespace::AtEol, false),
        Whitespace::Amount | Whitespace::All => (whitespace, true),
    };
    let start = text.first().copied().filter(|first| counts_start && is_space(*first));
    Essence { text: ignored.essence(text), start }
}

/// What is compared of a line.
struct Essence<'a> {
    text: Cow<'a, [u8]>,
    /// The white space that the line begins with.
    start: Option<u8>,
}

impl PartialEq for Essence<'_> {
    fn eq(&self, other: &Self) -> bool {
        let starts_alike = match (self.start, other.start) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        starts_alike && self.text == other.text
    }
}
