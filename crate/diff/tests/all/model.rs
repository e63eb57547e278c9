//! Laws that hold for any texts, checked with plain and slow references.

use packlens_diff::{Algorithm, Change, DiffOptions, LineKind, TextDiff, Whitespace};

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

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Makes the new text from the old one and the changes.
fn apply(before: &[u8], after: &[u8], changes: &[Change]) -> Vec<u8> {
    let (old, new) = (lines(before), lines(after));
    let mut made: Vec<&[u8]> = Vec::new();
    let mut kept = 0;
    for change in changes {
        made.extend(&old[kept..change.before.start]);
        made.extend(&new[change.after.clone()]);
        kept = change.before.end;
    }
    made.extend(&old[kept..]);
    made.concat()
}

/// Makes the new text from the old one and a patch, as `git apply` does. Every line of the patch
/// must be where the patch says.
fn apply_patch(before: &[u8], patch: &[u8]) -> Vec<u8> {
    let old = lines(before);
    let mut made: Vec<Vec<u8>> = Vec::new();
    let mut next = 0;
    let mut last = b' ';
    for line in lines(patch) {
        let (sign, rest) = line.split_first().unwrap();
        match sign {
            b'@' => {
                let words = String::from_utf8_lossy(rest);
                let position = words.split_once('-').unwrap().1.split_once(' ').unwrap().0;
                let (start, len) = position.split_once(',').unwrap_or((position, "1"));
                // Of no lines, the position is that of the line before.
                let start = start.parse::<usize>().unwrap() - usize::from(len != "0");
                made.extend(old[next..start].iter().map(|line| line.to_vec()));
                next = start;
            }
            b'\\' if last == b'-' => {}
            b'\\' => assert_eq!(made.last_mut().unwrap().pop(), Some(b'\n')),
            b'+' => made.push(rest.to_vec()),
            sign => {
                assert_eq!(
                    old[next].strip_suffix(b"\n").unwrap_or(old[next]),
                    &rest[..rest.len() - 1]
                );
                next += 1;
                if *sign == b' ' {
                    made.push(rest.to_vec());
                }
            }
        }
        last = *sign;
    }
    made.extend(old[next..].iter().map(|line| line.to_vec()));
    made.concat()
}

/// Returns the most lines that both texts have in the same order.
fn longest_common(before: &[u8], after: &[u8]) -> usize {
    let (old, new) = (lines(before), lines(after));
    let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (i, one) in old.iter().enumerate() {
        for (j, other) in new.iter().enumerate() {
            table[i + 1][j + 1] = match one == other {
                true => table[i][j] + 1,
                false => table[i][j + 1].max(table[i + 1][j]),
            };
        }
    }
    table[old.len()][new.len()]
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
            assert_eq!(apply(&before, &after, diff.changes()), after);
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
