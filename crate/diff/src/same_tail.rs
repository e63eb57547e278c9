//! Leaves out the end that two texts have in common.

/// How many bytes are compared at once.
const BLOCK: usize = 1024;

/// Returns both texts without the end that is the same, up to the end of its first line. Only
/// whole blocks are left out.
///
/// git does so where no context is printed. It is not only faster: a change cannot move into what
/// is left out, and lines there do not count for how often a line occurs.
pub(crate) fn without_same_tail<'a>(before: &'a [u8], after: &'a [u8]) -> [&'a [u8]; 2] {
    let blocks = before.rchunks_exact(BLOCK).zip(after.rchunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count().saturating_mul(BLOCK);
    let start = before.len().saturating_sub(same);
    let tail = before.get(start..).unwrap_or_default();
    let feed = tail.iter().position(|byte| *byte == b'\n');
    let kept = feed.map_or(same, |feed| feed.saturating_add(1));
    [before, after].map(|text| {
        text.get(..text.len().saturating_sub(same).saturating_add(kept)).unwrap_or(text)
    })
}
