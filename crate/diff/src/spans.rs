//! How much two contents have in common, as git measures it for renames.

use crate::binary::is_binary;
use packlens_base::sort;

/// The most bytes of a span; a line feed ends one, too.
const MOST_BYTES: u32 = 64;

/// How many different numbers spans have. Spans whose numbers collide count as equal, so scores
/// equal git's only with git's numbers.
const NUMBERS: u32 = 107_927;

/// After how many spans the list is shortened, so that it stays small for large contents.
const MOST_LISTED: usize = 1 << 18;

/// The spans of a content: lines, or parts of long lines.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Spans {
    /// Numbers of spans, ascending, each with the bytes of all spans of this number.
    bytes_by_number: Vec<u64>,
    /// The length of the content.
    len: u64,
}

/// What a content has of another.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Shared {
    /// The bytes that are in both.
    pub copied: u64,
    /// The bytes that only the new content has.
    pub added: u64,
}

impl Spans {
    /// Splits a content into spans. A carriage return before a line feed does not count, unless
    /// the content is binary.
    pub fn of(content: &[u8]) -> Spans {
        let skips_returns = !is_binary(content);
        let mut list = Vec::new();
        // Two numbers of 32 bits that are rotated as one of 64, and a byte is added to the low one.
        let (mut state, mut len) = (0_u64, 0_u32);
        let mut bytes = content.iter().peekable();
        while let Some(byte) = bytes.next() {
            if skips_returns && *byte == b'\r' && bytes.peek() == Some(&&b'\n') {
                continue;
            }
            let turned = state.rotate_left(7);
            let low = (turned as u32).wrapping_add(u32::from(*byte));
            state = turned & !u64::from(u32::MAX) | u64::from(low);
            len = len.saturating_add(1);
            if len >= MOST_BYTES || *byte == b'\n' {
                list.push(numbered(state, len));
                (state, len) = (0, 0);
                if list.len() >= MOST_LISTED {
                    merge(&mut list);
                }
            }
        }
        if len > 0 {
            list.push(numbered(state, len));
        }
        merge(&mut list);
        list.shrink_to_fit();
        Spans { bytes_by_number: list, len: content.len() as u64 }
    }

    /// Returns the length of the content.
    pub fn content_len(&self) -> u64 {
        self.len
    }

    /// Returns what a new content has of this one.
    pub fn shared_with(&self, new: &Spans) -> Shared {
        let mut shared = Shared::default();
        let mut old = self.bytes_by_number.iter().copied().map(parts).peekable();
        for (number, bytes) in new.bytes_by_number.iter().copied().map(parts) {
            while old.next_if(|(other, _)| *other < number).is_some() {}
            let had = old.next_if(|(other, _)| *other == number).map_or(0, |(_, bytes)| bytes);
            let (copied, added) = (bytes.min(had), bytes.saturating_sub(had));
            shared.copied = shared.copied.saturating_add(copied.into());
            shared.added = shared.added.saturating_add(added.into());
        }
        shared
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        (self.bytes_by_number.capacity() as u64).saturating_mul(8)
    }
}

/// Returns the number of a span, and below it how many bytes it has.
fn numbered(state: u64, len: u32) -> u64 {
    let [low, high] = [state as u32, (state >> 32) as u32];
    let number = low.wrapping_add(high.wrapping_mul(0x61)) % NUMBERS;
    u64::from(number) << 32 | u64::from(len)
}

fn parts(span: u64) -> (u32, u32) {
    ((span >> 32) as u32, span as u32)
}

/// Sorts the spans by number, and adds up those of the same number.
fn merge(list: &mut Vec<u64>) {
    sort::numbers(list);
    list.dedup_by(|next, kept| {
        let is_same = *next >> 32 == *kept >> 32;
        if is_same {
            let bytes = (*kept as u32).saturating_add(*next as u32);
            *kept = *kept >> 32 << 32 | u64::from(bytes);
        }
        is_same
    });
}
