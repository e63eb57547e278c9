//! The lines of a text.

use crate::options::Whitespace;
use packlens_base::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::ops::Range;

/// The longest text that is compared, in bytes; git compares no longer one either. The numbers of
/// lines of two such texts fit an `i32` together.
const MOST_BYTES: usize = 1023 << 20;

/// A text and where its lines end. A line has its line feed; the last one may have none.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    ends: Vec<u32>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text.
    ///
    /// # Errors
    ///
    /// [`Limit`](ErrorKind::Limit) if the text is longer than 1023 MiB.
    pub(crate) fn new(text: &'a [u8]) -> Result<Lines<'a>> {
        check(text)?;
        Ok(Lines { text, ends: line_ends(text) })
    }

    /// Finds the lines of a text that begins with the first `start` lines of another one and ends
    /// with its last `end` ones.
    ///
    /// # Errors
    ///
    /// As [`Lines::new`].
    pub(crate) fn like(
        text: &'a [u8],
        other: &Lines,
        start: usize,
        end: usize,
    ) -> Result<Lines<'a>> {
        check(text)?;
        let first = other.ends.get(..start).unwrap_or_default();
        let (rest, last) = other.ends.split_at(other.len().saturating_sub(end));
        let begin = first.last().map_or(0, |end| *end as usize);
        let tail = match last {
            [] => 0,
            _ => other.text.len().saturating_sub(rest.last().map_or(0, |end| *end as usize)),
        };
        let middle = begin..text.len().saturating_sub(tail);
        let mut ends = Vec::with_capacity(other.len());
        ends.extend(first);
        add_line_ends(text.get(middle).unwrap_or_default(), begin as u32, &mut ends);
        let (own, others) = (text.len() as u32, other.text.len() as u32);
        ends.extend(last.iter().map(|end| own.saturating_sub(others.saturating_sub(*end))));
        Ok(Lines { text, ends })
    }

    /// Returns how many of the lines within the first `bytes` bytes end with a line feed.
    pub(crate) fn count_complete(&self, bytes: usize) -> usize {
        let whole = self.ends.partition_point(|end| *end as usize <= bytes);
        let open = whole == self.len() && self.text.last().is_some_and(|last| *last != b'\n');
        whole.saturating_sub(open.into())
    }

    /// Returns how many lines begin after a line feed that is in the last `bytes` bytes.
    pub(crate) fn count_after(&self, bytes: usize) -> usize {
        let from = self.text.len().saturating_sub(bytes);
        let [starts @ .., _] = self.ends.as_slice() else { return 0 };
        starts.len().saturating_sub(starts.partition_point(|start| *start as usize <= from))
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a line, or nothing after the last one.
    pub(crate) fn get(&self, at: usize) -> &'a [u8] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).unwrap_or(&0);
        let Some(end) = self.ends.get(at) else { return &[] };
        self.text.get(*start as usize..*end as usize).unwrap_or_default()
    }

    /// Returns the lines in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.range(0..self.len())
    }

    /// Returns the lines of a range in order.
    pub(crate) fn range(&self, range: Range<usize>) -> impl Iterator<Item = &'a [u8]> + '_ {
        let before = range.start.checked_sub(1).and_then(|before| self.ends.get(before));
        let mut start = before.map_or(0, |end| *end as usize);
        self.ends.get(range).unwrap_or_default().iter().map(move |end| {
            let line = self.text.get(start..*end as usize).unwrap_or_default();
            start = *end as usize;
            line
        })
    }
}

/// Checks the length of a text.
fn check(text: &[u8]) -> Result<()> {
    match text.len() > MOST_BYTES {
        true => Err(Error::new(ErrorKind::Limit, "a text over 1023 MiB is not compared")),
        false => Ok(()),
    }
}

/// Returns where the lines of a text end, after their line feeds; the last one may have none.
pub fn line_ends(text: &[u8]) -> Vec<u32> {
    let mut ends = Vec::new();
    add_line_ends(text, 0, &mut ends);
    ends
}

/// Adds where the lines of a part of a text end; the part begins at `start`.
fn add_line_ends(part: &[u8], mut start: u32, ends: &mut Vec<u32>) {
    let end = start.saturating_add(part.len() as u32);
    let (words, rest) = part.as_chunks::<8>();
    for word in words {
        let mut feeds = feeds_in(u64::from_le_bytes(*word));
        while feeds != 0 {
            ends.push(start.saturating_add(feeds.trailing_zeros() / 8).saturating_add(1));
            feeds &= feeds.wrapping_sub(1);
        }
        start = start.saturating_add(8);
    }
    let feeds = rest.iter().zip(1..).filter(|(byte, _)| **byte == b'\n');
    ends.extend(feeds.map(|(_, end)| start.saturating_add(end)));
    if part.last().is_some_and(|last| *last != b'\n') {
        ends.push(end);
    }
}

/// Returns the highest bit of each byte that is a line feed: eight bytes are looked at together.
fn feeds_in(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const FEEDS: u64 = 0x0a0a_0a0a_0a0a_0a0a;
    let zeros = word ^ FEEDS;
    !(((zeros & LOW).wrapping_add(LOW) | zeros) | LOW)
}

/// Returns whether git takes a byte for white space.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns text without the white space at its end.
pub(crate) fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., last] = text {
        if !is_space(*last) {
            break;
        }
        text = rest;
    }
    text
}

impl Whitespace {
    /// Returns what is compared of a line: equal for lines that are the same.
    pub(crate) fn essence(self, line: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Whitespace::Exact => Cow::Borrowed(line),
            Whitespace::CrAtEol => {
                let Some(line) = line.strip_suffix(b"\n") else { return Cow::Borrowed(line) };
                Cow::Borrowed(line.strip_suffix(b"\r").unwrap_or(line))
            }
            Whitespace::AtEol => Cow::Borrowed(trim_end(line)),
            Whitespace::Amount => with_single_spaces(trim_end(line)),
            Whitespace::All => {
                Cow::Owned(line.iter().copied().filter(|byte| !is_space(*byte)).collect())
            }
        }
    }

    /// Returns whether a line is blank. Without an option about white space, only an empty
    /// line is.
    pub(crate) fn is_blank(self, line: &[u8]) -> bool {
        match self {
            Whitespace::Exact => line.len() <= 1,
            _ => line.iter().all(|byte| is_space(*byte)),
        }
    }
}

/// Replaces each run of white space by one space.
fn with_single_spaces(line: &[u8]) -> Cow<'_, [u8]> {
    let mut single = Vec::with_capacity(line.len());
    for byte in line {
        match is_space(*byte) {
            false => single.push(*byte),
            true if single.last() != Some(&b' ') => single.push(b' '),
            true => {}
        }
    }
    Cow::Owned(single)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_after_line_feeds_wherever_these_are() {
        // Bytes that differ from a line feed in one bit, or by one, after and before one.
        let near = [b'\n', 0x0b, 0x09, 0x8a, 0x00, 0x02, 0x1a, 0xff, b'\n'];
        for length in 0..40 {
            for shift in 0..near.len() {
                let all = near.iter().cycle().skip(shift);
                let text: Vec<u8> = all.take(length).copied().collect();
                let mut expected: Vec<u32> = (1..)
                    .zip(&text)
                    .filter(|(_, byte)| **byte == b'\n')
                    .map(|(at, _)| at)
                    .collect();
                if text.last().is_some_and(|last| *last != b'\n') {
                    expected.push(length as u32);
                }
                assert_eq!(line_ends(&text), expected, "{text:?}");
            }
        }
    }
}
