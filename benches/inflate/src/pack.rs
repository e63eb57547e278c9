//! The zlib streams of a pack, by its index.

/// A zlib stream: its offset in the pack, and the size of its content.
pub struct Entry {
    pub start: usize,
    /// The offset of the next entry.
    pub end: usize,
    pub size: usize,
}

/// Returns the entries of a SHA-1 pack in pack order.
pub fn entries(pack: &[u8], index: &[u8]) -> Vec<Entry> {
    let mut offsets = offsets(index);
    offsets.sort_unstable();
    offsets.push(pack.len() - 20);
    offsets.windows(2).map(|pair| entry(pack, pair[0], pair[1])).collect()
}

/// Reads the table of an index of version 2; packs over 2 GiB are not for this bench.
fn offsets(index: &[u8]) -> Vec<usize> {
    let word = |at: usize| u32::from_be_bytes(index[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((word(0), word(4)), (0xff74_4f63, 2), "an index of version 2");
    let count = word(8 + 255 * 4);
    let table = 8 + 1024 + count * 24;
    (0..count).map(|at| word(table + at * 4)).collect()
}

fn entry(pack: &[u8], offset: usize, end: usize) -> Entry {
    let mut at = offset;
    let mut next = || {
        at += 1;
        pack[at - 1]
    };
    let first = next();
    let (kind, mut size, mut shift, mut byte) = (first >> 4 & 7, usize::from(first & 15), 4, first);
    while byte & 0x80 != 0 {
        byte = next();
        size |= usize::from(byte & 0x7f) << shift;
        shift += 7;
    }
    match kind {
        6 => while next() & 0x80 != 0 {},
        7 => at += 20,
        _ => {}
    }
    Entry { start: at, end, size }
}
