//! Two texts, and the lines that both begin and end with.

use crate::lines::Lines;
use packlens_base::Result;

/// Two texts by lines. The lines that both begin with, and those that both end with, are found by
/// comparing bytes, and their ends are looked for in the old text only.
#[derive(Debug)]
pub(crate) struct Texts<'a> {
    pub(crate) before: Lines<'a>,
    pub(crate) after: Lines<'a>,
    /// How many lines both begin with. A last line without line feed is not counted.
    pub(crate) same_start: usize,
    /// How many lines both end with; none of those at the start.
    pub(crate) same_end: usize,
}

impl<'a> Texts<'a> {
    /// Finds the lines.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if a text is longer than 1023 MiB.
    #[inline(never)]
    pub(crate) fn new(before: &'a [u8], after: &'a [u8]) -> Result<Texts<'a>> {
        let start = same_start(before, after);
        let rest = |text: &'a [u8]| text.get(start..).unwrap_or_default();
        let end = same_end(rest(before), rest(after));
        let precedes = |text: &[u8]| text.iter().nth_back(end) == Some(&b'\n');
        // With the line feed before it, which may be one of those at the start.
        let end = end.saturating_add((precedes(before) && precedes(after)).into());
        let before = Lines::new(before)?;
        let same_start = before.count_complete(start);
        let same_end = before.count_after(end);
        let after = Lines::like(after, &before, same_start, same_end)?;
        Ok(Texts { before, after, same_start, same_end })
    }
}

/// How many bytes are compared at once.
const BLOCK: usize = 32;

/// Returns how many bytes both begin with.
fn same_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
    let same = blocks.take_while(is_same).count().saturating_mul(BLOCK);
    let rest = |text| <[u8]>::get(text, same..).unwrap_or_default();
    let bytes = rest(one).iter().zip(rest(other));
    same.saturating_add(bytes.take_while(|(one, other)| one == other).count())
}

/// Returns how many bytes both end with.
fn same_end(one: &[u8], other: &[u8]) -> usize {
    let [one_blocks, other_blocks] = [one, other].map(|text| text.as_rchunks().1.iter().rev());
    let same = one_blocks.zip(other_blocks).take_while(is_same).count().saturating_mul(BLOCK);
    let rest = |text: &[u8]| text.len().saturating_sub(same);
    let rest = |text| <[u8]>::get(text, ..rest(text)).unwrap_or_default();
    let bytes = rest(one).iter().rev().zip(rest(other).iter().rev());
    same.saturating_add(bytes.take_while(|(one, other)| one == other).count())
}

/// Compares by words and with one branch: comparing arrays would call a function.
fn is_same((one, other): &(&[u8; BLOCK], &[u8; BLOCK])) -> bool {
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    words.fold(0, |differ, (one, other)| differ | (word(one) ^ word(other))) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of up to `most` of these bytes.
    fn texts(most: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for at in 0.. {
            let Some(text) = all.get(at).filter(|text: &&Vec<u8>| text.len() < most) else { break };
            let longer = [b'a', b'\n', b'b'].map(|byte| [&text[..], &[byte]].concat());
            all.extend(longer);
        }
        all
    }

    #[test]
    fn lines_are_those_of_each_text_alone() {
        // What surrounds the texts reaches over the blocks that are compared at once.
        let frames: [[&[u8]; 2]; 4] = [
            [b"", b""],
            [b"one\ntwo\nthree", b"four\n\nfive\nsix"],
            [b"\n", b"\n1234567\n"],
            [b"a line longer than a block of 32\nwords\n", b"\nanother line longer than a block\n"],
        ];
        let all = texts(4);
        for [head, tail] in frames {
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other)))
            {
                let [one, other] = [one, other].map(|text| [head, text, tail].concat());
                let texts = Texts::new(&one, &other).unwrap();
                let lines = |lines: &Lines| lines.iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
                let [old, new] = [&one, &other].map(|text| lines(&Lines::new(text).unwrap()));
                assert_eq!(lines(&texts.before), old);
                assert_eq!(lines(&texts.after), new, "{one:?} {other:?}");
                let Texts { same_start, same_end, .. } = texts;
                assert_eq!(old[..same_start], new[..same_start]);
                assert_eq!(old[old.len() - same_end..], new[new.len() - same_end..]);
                assert!(same_start + same_end <= old.len().min(new.len()));
            }
        }
    }

    #[test]
    fn lines_at_both_ends_are_found() {
        let head = "a line at the start\n".repeat(5);
        let tail = "a line at the end\n".repeat(7);
        let [one, other] = ["", "between\n"].map(|middle| [&*head, middle, &tail].concat());
        let texts = Texts::new(one.as_bytes(), other.as_bytes()).unwrap();
        assert_eq!((texts.same_start, texts.same_end), (5, 7));
        let texts = Texts::new(other.as_bytes(), one.as_bytes()).unwrap();
        assert_eq!((texts.same_start, texts.same_end), (5, 7));
        let texts = Texts::new(one.as_bytes(), one.as_bytes()).unwrap();
        assert_eq!((texts.same_start, texts.same_end), (12, 0));
    }
}
