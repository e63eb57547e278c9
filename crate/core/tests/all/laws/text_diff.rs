//! What a comparison of any two texts says is true of them, and no algorithm changes fewer lines
//! than the minimal one.

use super::input::Input;
use packlens::diff::{Algorithm, DiffOptions, TextDiff, Whitespace};
use packlens::ErrorKind;

#[path = "../../../../diff/tests/all/reference.rs"]
mod reference;
use reference::{apply, apply_patch, lines, longest_common};

const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Minimal, Algorithm::Myers, Algorithm::Patience, Algorithm::Histogram];
const WHITESPACE: [Whitespace; 5] = [
    Whitespace::Exact,
    Whitespace::CrAtEol,
    Whitespace::AtEol,
    Whitespace::Amount,
    Whitespace::All,
];
/// Texts of more lines are not compared with the slow reference.
const MOST_LINES: usize = 200;

/// Returns whether two lines are the same, a byte at a time from both ends.
fn is_same(whitespace: Whitespace, one: &[u8], other: &[u8]) -> bool {
    let is_space = |byte: &u8| b" \t\r\n".contains(byte);
    let trimmed = |line: &[u8]| match line.iter().rposition(|byte| !is_space(byte)) {
        Some(last) => line[..=last].to_vec(),
        None => Vec::new(),
    };
    let words = |line: &[u8]| -> Vec<Vec<u8>> {
        trimmed(line).split(is_space).map(<[u8]>::to_vec).collect()
    };
    match whitespace {
        Whitespace::Exact => one == other,
        Whitespace::CrAtEol => {
            let text = |line: &[u8]| match line {
                [text @ .., b'\r', b'\n'] | [text @ .., b'\n'] => text.to_vec(),
                text => text.to_vec(),
            };
            text(one) == text(other)
        }
        Whitespace::AtEol => trimmed(one) == trimmed(other),
        // White space at the start is one empty word, or none.
        Whitespace::Amount => {
            let short = |line: &[u8]| {
                let mut words = words(line);
                let starts = words.first().is_some_and(Vec::is_empty);
                words.retain(|word| !word.is_empty());
                (starts && !words.is_empty(), words)
            };
            short(one) == short(other)
        }
        Whitespace::All => words(one).concat() == words(other).concat(),
    }
}

pub fn text_diff(input: &[u8]) {
    let mut input = Input(input);
    let options = DiffOptions {
        whitespace: input.one_of(&WHITESPACE),
        ignore_blank_lines: input.flag(),
        indent_heuristic: input.flag(),
        context: u32::from(input.byte()),
        inter_hunk: u32::from(input.byte()),
        most_steps: 1 << 22,
        ..DiffOptions::default()
    };
    let share = usize::from(input.byte());
    let (before, after) = input.0.split_at(input.0.len() * share / 256);
    let (old, new) = (lines(before), lines(after));
    let mut fewest = 0;
    for algorithm in ALGORITHMS {
        let options = DiffOptions { algorithm, ..options };
        let diff = match TextDiff::new(before, after, &options) {
            Ok(diff) => diff,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Limit);
                continue;
            }
        };
        let (mut one, mut other, mut changed) = (0, 0, 0);
        // Without context, git and packlens leave out the end that is the same.
        let ends = (old.len(), new.len());
        let last =
            std::iter::once((ends.0..ends.0, ends.1..ends.1)).filter(|_| options.context > 0);
        let changes =
            diff.changes().iter().map(|change| (change.before.clone(), change.after.clone()));
        for (removed, added) in changes.chain(last) {
            assert_eq!(removed.start - one, added.start - other);
            for (one, other) in (one..removed.start).zip(other..added.start) {
                assert!(is_same(options.whitespace, old[one], new[other]), "{options:?}");
            }
            changed += removed.len() + added.len();
            (one, other) = (removed.end, added.end);
        }
        if algorithm == Algorithm::Minimal {
            fewest = changed;
        }
        assert!(changed >= fewest, "{options:?}");
        if options.whitespace == Whitespace::Exact {
            let changes = diff.changes().iter().map(|change| [&change.before, &change.after]);
            assert_eq!(apply(before, after, changes), after);
            if !options.ignore_blank_lines {
                assert_eq!(apply_patch(before, &diff.patch()), after);
            }
        }
        let is_short = old.len().max(new.len()) <= MOST_LINES && options.context > 0;
        if algorithm == Algorithm::Minimal && is_short && options.whitespace == Whitespace::Exact {
            assert_eq!(changed, old.len() + new.len() - 2 * longest_common(before, after));
        }
    }
}
