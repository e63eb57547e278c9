//! Hunks of a combined patch as text.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places and numbers of lines, fewer than 2^30 of each side"
)]

use super::{without_feed, Combined, Parents};

/// The most bytes of the line that is printed after the numbers.
const MOST_HEADING: usize = 40;

/// Prints the places that are shown.
pub(super) fn print(combined: &Combined) -> Vec<u8> {
    let Combined { result, places, .. } = combined;
    let mut out = Vec::new();
    let mut at = 0;
    let mut heading: &[u8] = &[];
    while let Some(place) = places.get(at) {
        if !place.is_shown {
            let line = without_feed(result.get(at));
            if is_heading(line) {
                heading = line;
            }
            at += 1;
            continue;
        }
        let shown = places.iter().skip(at).take_while(|place| place.is_shown).count();
        print_hunk(combined, at, at + shown, heading, &mut out);
        heading = &[];
        at += shown;
    }
    out
}

fn is_heading(line: &[u8]) -> bool {
    line.first().is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'_' | b'$'))
}

fn print_hunk(combined: &Combined, start: usize, end: usize, heading: &[u8], out: &mut Vec<u8>) {
    let Combined { result, places, numbers, context } = combined;
    let hunk = places.get(start..end).unwrap_or_default();
    // Without context, places that only lost lines have no line.
    let bare = match context {
        0 => hunk.iter().filter(|place| place.added == 0).count(),
        _ => 0,
    };
    let lines = end.min(result.len()).saturating_sub(start);
    // Where git counts fewer than none, it prints 2^64 - 1.
    let lines = lines.saturating_sub(bare);
    let marker = vec![b'@'; numbers.len() + 1];
    out.extend(&marker);
    for numbers in numbers {
        let [first, last] = [start, end].map(|at| numbers.get(at).copied().unwrap_or(0));
        let count = (last - first).saturating_sub(bare);
        out.extend(format!(" -{first},{count}").bytes());
    }
    out.extend(format!(" +{},{lines} ", start + 1).bytes());
    out.extend(&marker);
    let heading = heading.split(|byte| *byte == 0).next().unwrap_or(heading);
    let heading = heading.get(..MOST_HEADING).unwrap_or(heading);
    // git prints it up to the byte before the last that is no space.
    let end_of_heading = heading.iter().rposition(|byte| !byte.is_ascii_whitespace());
    if let Some(text) = heading.get(..end_of_heading.unwrap_or(0)).filter(|text| !text.is_empty()) {
        out.push(b' ');
        out.extend(text);
    }
    out.push(b'\n');
    for (at, place) in (start..).zip(hunk) {
        let lost = if place.hides_lost { &[][..] } else { &place.lost };
        for lost in lost {
            print_line(lost.parents, b'-', lost.text, numbers.len(), out);
        }
        let is_hidden = *context == 0 && place.added == 0;
        if at < result.len() && !is_hidden {
            print_line(place.added, b'+', without_feed(result.get(at)), numbers.len(), out);
        }
    }
}

/// Prints a line with a column for each parent.
fn print_line(parents: Parents, sign: u8, text: &[u8], columns: usize, out: &mut Vec<u8>) {
    out.extend((0..columns).map(|at| if parents & (1 << at) != 0 { sign } else { b' ' }));
    // git prints strings of C here.
    out.extend(text.split(|byte| *byte == 0).next().unwrap_or(text));
    out.push(b'\n');
}
