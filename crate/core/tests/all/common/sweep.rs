//! How much of all damage and of all sizes of parts the tests try. With `PACKLENS_SWEEP` set, all.

use std::ops::Range;

/// 32-bit programs repeat native tests, and only sizes and offsets can differ there.
const IS_REPEATED: bool = cfg!(target_arch = "wasm32");

/// The sizes in which a damaged file is read, compared with reading it whole.
const PARTS: [u64; 4] = [1, 7, 512, 65536];

fn is_everything() -> bool {
    std::env::var_os("PACKLENS_SWEEP").is_some()
}

/// Returns how the bytes of a range are changed: offsets and masks. On 32 bits each byte is
/// changed by one of the masks in turn.
pub fn flips(range: Range<usize>, masks: &[u8]) -> impl Iterator<Item = (usize, u8)> + '_ {
    let every = !IS_REPEATED || is_everything();
    range.flat_map(move |at| {
        let turn = at % masks.len();
        let masks = if every { masks } else { &masks[turn..=turn] };
        masks.iter().map(move |mask| (at, *mask))
    })
}

/// Returns the sizes of parts to try with the nth change: one of them in turn. Four masks of a
/// byte are tried in four sizes, and another byte's in another order.
pub fn parts_of_turn(nth: usize) -> &'static [u64] {
    let turn = (nth + nth / PARTS.len()) % PARTS.len();
    if is_everything() {
        &PARTS
    } else {
        &PARTS[turn..=turn]
    }
}

/// Returns the sizes of parts, of these, in which files without damage are read: on 32 bits
/// an odd one that cuts all numbers, and the largest.
pub fn parts(all: [u64; 5]) -> Vec<u64> {
    if IS_REPEATED && !is_everything() {
        vec![7, all[4]]
    } else {
        all.to_vec()
    }
}

/// Returns every how many changes one is tried: on 32 bits fewer.
pub fn step(native: usize) -> usize {
    match IS_REPEATED && !is_everything() {
        true => native * 4 + 1,
        false => native,
    }
}
