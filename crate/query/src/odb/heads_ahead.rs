//! The heads of entries that a plan reads next, asked for together where a read takes some time.

use super::entries_ahead::SMALL_SHARE;
use super::needs::first_missing;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, Need};
use packlens_base::sort;

/// A range that is longer by so many bytes takes less time than another read.
const MOST_BETWEEN: u64 = 256 << 10;

/// So many bytes are asked for of the last entry of a range.
const ENTRY: u64 = 16 << 10;

/// The longest range.
const LONGEST: u64 = 1 << 20;

/// The most ranges that are asked for at one time.
const MOST_RANGES: usize = 8;

/// The share of the memory ceiling that these may take.
const RANGES_SHARE: u64 = 16;

/// Turns a need for the head of an entry into ranges with those before it in the pack, of which
/// `offsets` are known.
#[inline(never)]
pub(super) fn heads_ahead(
    files: &Files,
    file: FileId,
    error: Error,
    offsets: impl Iterator<Item = u64>,
    memory: u64,
) -> Error {
    let Some(Need::Bytes { offset, .. }) = error.need() else { return error };
    let (needed, size) = (*offset, files.source(file).size());
    if files.is_immediate(file) || size <= memory / SMALL_SHARE {
        return error;
    }
    let mut room = memory / RANGES_SHARE;
    let lowest = needed.saturating_sub(memory / SMALL_SHARE);
    let mut starts: Vec<u64> = offsets
        .filter(|offset| (lowest..needed).contains(offset))
        .filter(|offset| first_missing(files, (file, *offset, offset.saturating_add(1))).is_some())
        .collect();
    sort::numbers(&mut starts);
    let end_of = |start: u64| start.saturating_add(ENTRY).min(size);
    let mut range = (needed, end_of(needed));
    let mut ranges = Vec::new();
    for start in starts.into_iter().rev() {
        let is_close = range.0.saturating_sub(end_of(start)) < MOST_BETWEEN;
        if is_close && range.1.saturating_sub(start) <= LONGEST {
            range.0 = start;
        } else {
            ranges.push(range);
            range = (start, end_of(start));
        }
    }
    ranges.push(range);
    let mut needs = ranges.into_iter().take(MOST_RANGES).map_while(|(start, end)| {
        let length = end.saturating_sub(start);
        room = room.checked_sub(length)?;
        Some(Need::Range { file, offset: start, length })
    });
    match needs.next() {
        Some(first) => needs.fold(Error::missing(first), Error::guessing),
        None => error,
    }
}
