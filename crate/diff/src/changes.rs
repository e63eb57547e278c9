//! What has changed, as ranges of lines.

use crate::compact::compact;
use crate::histogram;
use crate::myers::Myers;
use crate::options::{Algorithm, DiffOptions};
use crate::patience;
use crate::region::{Marks, Region};
use crate::steps::Steps;
use crate::texts::Texts;
use crate::tokens::Tokens;
use packlens_base::Result;
use std::ops::Range;

/// Lines of the old text that lines of the new text replace. One of the ranges may be empty: then
/// its start says where the lines of the other one were added or removed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// Lines of the old text, the first one is 0.
    pub before: Range<usize>,
    /// Lines of the new text.
    pub after: Range<usize>,
}

/// Compares two texts; returns what has changed, in order.
#[inline(never)]
pub(crate) fn find(texts: &Texts, options: &DiffOptions) -> Result<Vec<Change>> {
    let Texts { before, after, .. } = texts;
    let (removed, added) = (before.len(), after.len());
    if removed == 0 || added == 0 {
        let all = Change { before: 0..removed, after: 0..added };
        return Ok(Vec::from_iter((removed != added).then_some(all)));
    }
    // Only Myers' algorithm does not look at the lines of both ends.
    let needs_ends = matches!(options.algorithm, Algorithm::Patience | Algorithm::Histogram);
    let tokens = Tokens::new(texts, options.whitespace, needs_ends);
    let mut marks = Marks::new(&tokens);
    let mut steps = Steps::new(options.most_steps);
    let whole = Region { before: 0..before.len(), after: 0..after.len() };
    match options.algorithm {
        Algorithm::Patience => patience::compare(&tokens, whole, &mut marks, &mut steps)?,
        Algorithm::Histogram => histogram::compare(&tokens, whole, &mut marks, &mut steps)?,
        Algorithm::Myers | Algorithm::Minimal => {
            let is_minimal = options.algorithm == Algorithm::Minimal;
            Myers::new(tokens.classes, is_minimal).compare(
                tokens.sides(),
                &whole,
                marks.sides(),
                &mut steps,
            )?;
        }
    }
    let mut redo =
        (options.algorithm == Algorithm::Histogram).then(|| Myers::new(tokens.classes, false));
    let by_indent = |lines| options.indent_heuristic.then_some(lines);
    let old = (&*tokens.before, &mut *marks.before);
    let new = (&*tokens.after, &mut *marks.after);
    compact(old, new, by_indent(before), redo.as_mut(), &mut steps)?;
    let old = (&*tokens.before, &mut *marks.before);
    let new = (&*tokens.after, &mut *marks.after);
    compact(new, old, by_indent(after), redo.as_mut(), &mut steps)?;
    Ok(changes(&marks))
}

/// Returns the ranges of marked lines.
fn changes(marks: &Marks) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (0, 0);
    loop {
        let change = Change {
            before: old..end_of_run(&marks.before, old),
            after: new..end_of_run(&marks.after, new),
        };
        (old, new) = (change.before.end.saturating_add(1), change.after.end.saturating_add(1));
        if !change.before.is_empty() || !change.after.is_empty() {
            changes.push(change);
        }
        if old > marks.before.len() && new > marks.after.len() {
            return changes;
        }
    }
}

/// Returns where a run of marked lines ends.
fn end_of_run(marks: &[bool], start: usize) -> usize {
    let rest = marks.get(start..).unwrap_or_default();
    start.saturating_add(rest.iter().take_while(|is_marked| **is_marked).count())
}
