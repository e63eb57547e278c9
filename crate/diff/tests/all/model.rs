//! Laws that hold for any texts, checked with plain and slow references.

use crate::reference::{apply, apply_patch, lines, longest_common};
use packlens_diff::{Algorithm, DiffOptions, LineKind, TextDiff, Whitespace};

const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Myers, Algorithm::Minimal, Algorithm::Patience, Algorithm::Histogram];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }

    /// Makes a text of lines that repeat.
    fn text(&mut self) -> Vec<u8> {
        let (len, kinds) = (self.below(30), 1 + self.below(6));
        let mut text = Vec::new();
        for _ in 0..len {
            let line = [&b"a\n"[..], b"b\n", b"\n", b" a\n", b"\xff\r\n", b"}\n"];
            text.extend(line[self.below(kinds)]);
        }
        if self.below(4) == 0 {
            text.pop();
        }
        text
    }
}

#[test]
fn changes_and_patches_lead_to_the_new_text() {
    let mut random = Random(1);
    for _ in 0..2000 {
        let (before, after) = (random.text(), random.text());
        for algorithm in ALGORITHMS {
            let context = random.below(4) as u32;
            let options = DiffOptions { algorithm, context, ..DiffOptions::default() };
            let diff = TextDiff::new(&before, &after, &options).unwrap();
            let changes = diff.changes().iter().map(|change| [&change.before, &change.after]);
            assert_eq!(apply(&before, &after, changes), after);
            assert_eq!(apply_patch(&before, &diff.patch()), after);
        }
    }
}

#[test]
fn minimal_changes_the_fewest_lines() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let (before, after) = (random.text(), random.text());
        let algorithm = Algorithm::Minimal;
        let options = DiffOptions { algorithm, ..DiffOptions::default() };
        let counts = TextDiff::new(&before, &after, &options).unwrap().counts();
        let common = longest_common(&before, &after);
        assert_eq!(counts.removed, lines(&before).len() - common);
        assert_eq!(counts.added, lines(&after).len() - common);
    }
}

/// The lines of the hunks are those of the patch.
#[test]
fn counts_and_lines_are_those_of_the_patch() {
    let mut random = Random(3);
    for round in 0..2000 {
        let (before, after) = (random.text(), random.text());
        let options = DiffOptions {
            algorithm: ALGORITHMS[round % 4],
            ignore_blank_lines: round % 3 == 0,
            whitespace: [Whitespace::Exact, Whitespace::All][round % 2],
            ..DiffOptions::default()
        };
        let diff = TextDiff::new(&before, &after, &options).unwrap();
        let patch = diff.patch();
        let signed = |sign| lines(&patch).iter().filter(|line| line[0] == sign).count();
        assert_eq!(signed(b'+'), diff.counts().added);
        assert_eq!(signed(b'-'), diff.counts().removed);
        for hunk in diff.hunks() {
            let of_kind = |kind| diff.lines(hunk).filter(|(other, _)| *other == kind).count();
            let context = of_kind(LineKind::Context);
            // A hunk at the start of one text only has less room there for context.
            assert!(hunk.before.len() <= context + of_kind(LineKind::Removed));
            assert_eq!(hunk.after.len(), context + of_kind(LineKind::Added));
        }
    }
}
