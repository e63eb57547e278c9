//! Which places of a combined patch are shown.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places and numbers of lines, fewer than 2^30 of each side"
)]

use super::{Parents, Place};

/// Returns the first place from `start` on that is shown, or that is not; the number of places
/// if there is none.
fn next(places: &[Place], start: usize, is_shown: bool) -> usize {
    let rest = places.iter().skip(start);
    start + rest.take_while(|place| place.is_shown != is_shown).count()
}

/// Returns where a hunk ends whose last place is before `end`: of a place that only lost lines,
/// the line is not part of it.
fn tail(places: &[Place], start: usize, end: usize) -> usize {
    let last = places.get(end.wrapping_sub(1));
    match last.is_some_and(|last| last.added == 0) && start < end {
        true => end - 1,
        false => end,
    }
}

/// Hides the hunks in which all changes are from the same parents, unless these are all: the
/// result has what the other parents have.
pub(super) fn leave_out_one_sided(places: &mut [Place], all: Parents, context: usize) {
    let mut start = next(places, 0, true);
    while start < places.len() {
        let end = hunk_end(places, start, context);
        let hunk = places.get_mut(start..end).unwrap_or_default();
        let sides = hunk.iter().flat_map(|place| {
            let added = Some(place.added).filter(|added| *added != 0);
            added.into_iter().chain(place.lost.iter().map(|lost| lost.parents))
        });
        let mut sides = sides.peekable();
        let first = sides.peek().copied().unwrap_or(0);
        let is_one_sided = sides.all(|side| side == first) && first != all;
        if is_one_sided {
            hunk.iter_mut().for_each(|place| place.is_shown = false);
        }
        start = next(places, end, true);
    }
}

/// Returns the end of a hunk, with others that are near.
fn hunk_end(places: &[Place], start: usize, context: usize) -> usize {
    let mut end = start + 1;
    while end < places.len() {
        if places.get(end).is_some_and(|place| place.is_shown) {
            end += 1;
            continue;
        }
        let reach = (tail(places, start, end) + context).min(places.len());
        let near = (end..reach).rev().find(|at| places.get(*at).is_some_and(|at| at.is_shown));
        match near {
            Some(near) => end = near + 1,
            None => break,
        }
    }
    end
}

/// Also shows the lines around those that are shown, and short gaps; returns whether any are.
pub(super) fn mark_with_context(places: &mut [Place], context: usize) -> bool {
    let mut at = next(places, 0, true);
    let is_any = at < places.len();
    while at < places.len() {
        for place in places.get_mut(at.saturating_sub(context)..at).unwrap_or_default() {
            place.hides_lost |= !place.is_shown;
            place.is_shown = true;
        }
        loop {
            let gap = next(places, at, false);
            if gap >= places.len() {
                return is_any;
            }
            let following = next(places, gap, true);
            let end = tail(places, at, gap);
            let is_near = following < end + context;
            let until = if is_near { following } else { (end + context).min(places.len()) };
            places.get_mut(end..until).unwrap_or_default().iter_mut().for_each(|place| {
                place.is_shown = true;
            });
            at = following;
            if !is_near {
                break;
            }
        }
    }
    is_any
}
