//! Bram Cohen's patience diff: lines that occur once on both sides are matched first, as many of
//! them as have the same order. Between these the search begins anew, and where there are none
//! Myers' algorithm takes over.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places of lines, fewer than 2^30; a gap ends above its start where it shrinks"
)]

use crate::myers::Myers;
use crate::region::{at, set, Marks, Region};
use crate::steps::Steps;
use crate::tokens::Tokens;
use packlens_base::Result;
use std::ops::Range;

/// Where a line occurs in a range of one side.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Occurs {
    #[default]
    Never,
    Once(u32),
    Often,
}

/// A line of the old side and one of the new side that match.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    old: usize,
    new: usize,
}

/// Marks the lines that have changed.
pub(crate) fn compare(
    tokens: &Tokens,
    whole: Region,
    marks: &mut Marks,
    steps: &mut Steps,
) -> Result<()> {
    let mut myers = Myers::new(tokens.classes, false);
    let mut occurrences =
        [vec![Occurs::Never; tokens.classes], vec![Occurs::Never; tokens.classes]];
    let mut pending = vec![whole];
    while let Some(region) = pending.pop() {
        if region.is_one_sided() {
            marks.mark(&region);
            continue;
        }
        steps.take(region.before.len() + region.after.len())?;
        let [old, new] = &mut occurrences;
        note(&tokens.before, &region.before, old);
        note(&tokens.after, &region.after, new);
        let anchors = anchors(tokens, &region, old, new);
        let has_common = has_common(tokens, &region, new);
        forget(&tokens.before, &region.before, old);
        forget(&tokens.after, &region.after, new);
        if !has_common {
            marks.mark(&region);
        } else if anchors.is_empty() {
            myers.compare(tokens.sides(), &region, marks.sides(), steps)?;
        } else {
            push_gaps(tokens, &region, &anchors, &mut pending);
        }
    }
    Ok(())
}

fn note(tokens: &[u32], range: &Range<usize>, occurrences: &mut [Occurs]) {
    for place in range.clone() {
        if let Some(occurs) = occurrences.get_mut(at(tokens, place) as usize) {
            *occurs = match occurs {
                Occurs::Never => Occurs::Once(place as u32),
                _ => Occurs::Often,
            };
        }
    }
}

fn forget(tokens: &[u32], range: &Range<usize>, occurrences: &mut [Occurs]) {
    for place in range.clone() {
        set(occurrences, at(tokens, place) as usize, Occurs::Never);
    }
}

/// Returns whether any line of the old side occurs on the new side.
fn has_common(tokens: &Tokens, region: &Region, new: &[Occurs]) -> bool {
    region.before.clone().any(|place| {
        let occurs = new.get(at(&tokens.before, place) as usize);
        occurs.is_some_and(|occurs| *occurs != Occurs::Never)
    })
}

/// Returns the longest list of unique lines that has the same order on both sides.
fn anchors(tokens: &Tokens, region: &Region, old: &[Occurs], new: &[Occurs]) -> Vec<Anchor> {
    // Each list of a length is known by the last anchor of that which ends first on the new side.
    let mut ends: Vec<usize> = Vec::new();
    let mut unique: Vec<(Anchor, Option<usize>)> = Vec::new();
    for place in region.before.clone() {
        let token = at(&tokens.before, place) as usize;
        let (Some(Occurs::Once(_)), Some(Occurs::Once(new))) = (old.get(token), new.get(token))
        else {
            continue;
        };
        let new = *new as usize;
        let length = ends
            .partition_point(|end| unique.get(*end).is_some_and(|(anchor, _)| anchor.new < new));
        let previous = length.checked_sub(1).and_then(|longest| ends.get(longest)).copied();
        match ends.get_mut(length) {
            Some(end) => *end = unique.len(),
            None => ends.push(unique.len()),
        }
        unique.push((Anchor { old: place, new }, previous));
    }
    let mut anchors = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some((anchor, previous)) = next.and_then(|at| unique.get(at)) {
        anchors.push(*anchor);
        next = *previous;
    }
    anchors.reverse();
    anchors
}

/// Adds the regions between the anchors, without the lines next to an anchor that match too.
/// The lines before the end of the region are not looked at, even if they match: git leaves them
/// to the next search.
fn push_gaps(tokens: &Tokens, region: &Region, anchors: &[Anchor], pending: &mut Vec<Region>) {
    let is_same = |old, new| at(&tokens.before, old) == at(&tokens.after, new);
    let (mut old, mut new) = (region.before.start, region.after.start);
    let mut gap_before = |old: &mut usize, new: &mut usize, mut end: Anchor, is_anchor: bool| {
        while is_anchor && end.old > *old && end.new > *new && is_same(end.old - 1, end.new - 1) {
            end.old -= 1;
            end.new -= 1;
        }
        while *old < end.old && *new < end.new && is_same(*old, *new) {
            *old += 1;
            *new += 1;
        }
        let gap = Region { before: *old..end.old, after: *new..end.new };
        if !gap.is_empty() {
            pending.push(gap);
        }
    };
    for anchor in anchors {
        // An anchor right after another one, or among lines that matched before, has no gap.
        gap_before(&mut old, &mut new, *anchor, true);
        (old, new) = (anchor.old + 1, anchor.new + 1);
    }
    let end = Anchor { old: region.before.end, new: region.after.end };
    gap_before(&mut old, &mut new, end, false);
}
