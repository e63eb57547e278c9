//! Plain and slow references; the laws of the fuzz targets include this file as well.

use std::ops::Range;

/// Returns the lines of a text.
pub fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Makes the new text from the old one and the changes.
pub fn apply<'c>(
    before: &[u8],
    after: &[u8],
    changes: impl Iterator<Item = [&'c Range<usize>; 2]>,
) -> Vec<u8> {
    let (old, new) = (lines(before), lines(after));
    let mut made: Vec<&[u8]> = Vec::new();
    let mut kept = 0;
    for [removed, added] in changes {
        made.extend(&old[kept..removed.start]);
        made.extend(&new[added.clone()]);
        kept = removed.end;
    }
    made.extend(&old[kept..]);
    made.concat()
}

/// Makes the new text from the old one and a patch, as `git apply` does. Every line of the patch
/// must be where the patch says.
pub fn apply_patch(before: &[u8], patch: &[u8]) -> Vec<u8> {
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
pub fn longest_common(before: &[u8], after: &[u8]) -> usize {
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
