//! Finds where in a line an expression matches: the leftmost match, and of these the longest.

use super::scan::decoded;
use super::{is_raw, is_word, Anchor, Regex, Step};
use crate::sort;
use std::ops::Range;

/// The most steps of a search in one line, so that a hostile line cannot take forever.
pub const MOST_SPAN_STEPS: u64 = 1 << 32;

/// A text to be searched, and whether its beginning is that of a line.
#[derive(Clone, Copy, Debug)]
pub struct LinePart<'a> {
    /// The text, without a line feed.
    pub text: &'a [u8],
    /// Whether `^` matches at its beginning.
    pub is_start: bool,
}

impl Regex {
    /// Returns the bytes of the leftmost longest match. `steps` counts the work; the search gives
    /// up at [`MOST_SPAN_STEPS`].
    pub fn span(&self, part: LinePart<'_>, steps: &mut u64) -> Option<Range<usize>> {
        let LinePart { text, is_start } = part;
        // Where the match of each step began; the least if there are several.
        let mut now: Vec<Option<usize>> = vec![None; self.steps.len()];
        let mut next = now.clone();
        let mut pending = Vec::new();
        let mut found: Option<Range<usize>> = None;
        let (mut at, mut was_word) = (0, false);
        loop {
            let (one, length) = match text.get(at..).filter(|rest| !rest.is_empty()) {
                Some(rest) => {
                    let (one, length) = decoded(rest);
                    (Some(one), length)
                }
                None => (None, 0),
            };
            let is_word = one.is_some_and(|one| is_word(one) && !is_raw(one));
            let holds = |anchor: Anchor| match anchor {
                Anchor::Start | Anchor::LineStart => at == 0 && is_start,
                Anchor::End | Anchor::LineEnd => one.is_none(),
                Anchor::Edge => was_word != is_word,
                Anchor::NoEdge => was_word == is_word,
                Anchor::WordStart => !was_word && is_word,
                Anchor::WordEnd => was_word && !is_word,
            };
            // Older matches first, so that each step keeps the earliest beginning.
            pending.clear();
            for (step, start) in now.iter().enumerate() {
                pending.extend(start.map(|start| keyed(start, step)));
            }
            if found.is_none() {
                pending.push(keyed(at, 0));
            }
            sort::numbers(&mut pending);
            now.fill(None);
            let mut stack = Vec::new();
            for key in pending.drain(..) {
                let start = (key >> 32) as usize;
                stack.push(key as u32 as usize);
                while let Some(step) = stack.pop() {
                    *steps = steps.saturating_add(1);
                    match now.get_mut(step) {
                        Some(place @ None) => *place = Some(start),
                        _ => continue,
                    }
                    match self.steps.get(step) {
                        Some(Step::Found) => {
                            let is_better = found.as_ref().is_none_or(|own| start <= own.start);
                            if is_better {
                                found = Some(start..at);
                            }
                        }
                        Some(Step::Split(one, other)) => stack.extend([*one, *other]),
                        Some(Step::Anchor(anchor)) if holds(*anchor) => {
                            stack.push(step.saturating_add(1));
                        }
                        _ => {}
                    }
                }
            }
            let Some(one) = one else {
                return found;
            };
            next.fill(None);
            let mut is_alive = found.is_none();
            for (step, start) in now.iter().enumerate() {
                let Some(start) = *start else { continue };
                if found.as_ref().is_some_and(|found| start > found.start) {
                    continue;
                }
                if let Some(Step::One(set)) = self.steps.get(step) {
                    if set.has(one, self.fold_case, true) {
                        is_alive = true;
                        if let Some(place) = next.get_mut(step.saturating_add(1)) {
                            *place = Some(place.map_or(start, |other: usize| other.min(start)));
                        }
                    }
                }
            }
            if !is_alive || *steps > MOST_SPAN_STEPS {
                return found;
            }
            std::mem::swap(&mut now, &mut next);
            was_word = is_word;
            at = at.saturating_add(length);
        }
    }
}

/// Returns a number in the order of the starts.
fn keyed(start: usize, step: usize) -> u64 {
    (start as u64) << 32 | step as u64
}
