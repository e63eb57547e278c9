//! A text compared with several others: the combined format of
//! <https://git-scm.com/docs/diff-format#_combined_diff_format>.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places and numbers of lines, fewer than 2^30 of each side"
)]

mod coalesce;
mod context;
mod print;

use crate::diff::TextDiff;
use crate::lines::Lines;
use crate::options::DiffOptions;
use coalesce::coalesce;
use context::{leave_out_one_sided, mark_with_context};
use packlens_base::{Error, ErrorKind, Result};
use print::print;

/// The most parents: each is a bit of a number.
const MOST_PARENTS: usize = 63;

/// Parents, as bits.
type Parents = u64;

/// A line that the result does not have.
#[derive(Debug)]
struct Lost<'a> {
    text: &'a [u8],
    /// The parents that have it.
    parents: Parents,
}

/// What is before a line of the result, and the line.
#[derive(Debug, Default)]
struct Place<'a> {
    /// The lines that were removed before the line.
    lost: Vec<Lost<'a>>,
    /// The parents that do not have the line.
    added: Parents,
    is_shown: bool,
    /// The line is only context, so that what was removed before it is not shown.
    hides_lost: bool,
}

impl Place<'_> {
    fn is_changed(&self) -> bool {
        self.added != 0 || !self.lost.is_empty()
    }
}

/// A text and what is different in its parents.
struct Combined<'a> {
    result: Lines<'a>,
    /// A place for each line, and one after the last.
    places: Vec<Place<'a>>,
    /// For each parent, the number of its line at each place, and of the one after the last.
    numbers: Vec<Vec<usize>>,
    context: usize,
}

/// Compares a text with its parents; returns hunks as `git diff-tree -c` prints them, or with
/// `is_dense` as `--cc` does, without those where the text is that of a parent. None if nothing
/// is left.
///
/// # Errors
///
/// Those of [`TextDiff::new`]; [`Limit`](ErrorKind::Limit) for more than 63 parents, or if too
/// many lines were removed at one place.
pub fn combined_patch(
    result: &[u8],
    parents: &[&[u8]],
    options: &DiffOptions,
    is_dense: bool,
) -> Result<Vec<u8>> {
    if parents.len() > MOST_PARENTS {
        return Err(Error::new(ErrorKind::Limit, "a merge with more than 63 parents"));
    }
    let context = options.context as usize;
    let mut combined = Combined::new(result, parents.len(), context)?;
    let options = DiffOptions { context: 0, inter_hunk: 0, ..*options };
    for (at, parent) in parents.iter().enumerate() {
        match parents.iter().take(at).position(|other| other == parent) {
            Some(other) => combined.repeat(other, at),
            None => combined.compare(at, parent, result, &options)?,
        }
    }
    let all = (1 << parents.len()) - 1;
    let places = &mut combined.places;
    places.iter_mut().for_each(|place| place.is_shown = place.is_changed());
    if is_dense {
        leave_out_one_sided(places, all, context);
    }
    let is_empty = !mark_with_context(places, context);
    Ok(if is_empty { Vec::new() } else { print(&combined) })
}

impl<'a> Combined<'a> {
    fn new(result: &'a [u8], parents: usize, context: usize) -> Result<Combined<'a>> {
        let result = Lines::new(result)?;
        let places = (0..=result.len()).map(|_| Place::default()).collect();
        Ok(Combined { result, places, numbers: vec![Vec::new(); parents], context })
    }

    /// Records what is different in a parent.
    fn compare(
        &mut self,
        at: usize,
        parent: &'a [u8],
        result: &[u8],
        options: &DiffOptions,
    ) -> Result<()> {
        let bit = 1 << at;
        let lines = Lines::new(parent)?;
        for change in TextDiff::new(parent, result, options)?.changes() {
            for place in self.places.get_mut(change.after.clone()).unwrap_or_default() {
                place.added |= bit;
            }
            let lost = change.before.clone().map(|line| without_feed(lines.get(line)));
            if let Some(place) = self.places.get_mut(change.after.start) {
                coalesce(&mut place.lost, lost.collect(), bit, options.whitespace)?;
            }
        }
        let mut number = 1;
        let mut numbers = Vec::with_capacity(self.places.len() + 1);
        for (line, place) in self.places.iter().enumerate() {
            numbers.push(number);
            number += place.lost.iter().filter(|lost| lost.parents & bit != 0).count();
            number += usize::from(line < self.result.len() && place.added & bit == 0);
        }
        numbers.push(number);
        if let Some(place) = self.numbers.get_mut(at) {
            *place = numbers;
        }
        Ok(())
    }

    /// Records that a parent is the same as another.
    fn repeat(&mut self, other: usize, at: usize) {
        let copy = |parents: &mut Parents| {
            if *parents & (1 << other) != 0 {
                *parents |= 1 << at;
            }
        };
        for place in &mut self.places {
            copy(&mut place.added);
            place.lost.iter_mut().for_each(|lost| copy(&mut lost.parents));
        }
        let numbers = self.numbers.get(other).cloned().unwrap_or_default();
        if let Some(place) = self.numbers.get_mut(at) {
            *place = numbers;
        }
    }
}

fn without_feed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}
