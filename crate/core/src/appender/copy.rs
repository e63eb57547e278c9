//! Copying few bytes without a call: fields and pieces of deltas are short.

/// Copies `from` to `to`, which must be as long.
///
/// Up to 32 bytes go in two moves that may overlap; in WebAssembly a copy of any
/// length is a call out of the module.
#[inline]
pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
    match from.len() {
        0 => {}
        1 => copy_ends::<1>(from, to),
        2..=4 => copy_ends::<2>(from, to),
        5..=8 => copy_ends::<4>(from, to),
        9..=16 => copy_ends::<8>(from, to),
        17..=32 => copy_ends::<16>(from, to),
        _ => to.copy_from_slice(from),
    }
}

/// Copies the first and the last `N` bytes.
#[inline]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(first), Some(target)) = (from.first_chunk::<N>(), to.first_chunk_mut::<N>()) {
        *target = *first;
    }
    if let (Some(last), Some(target)) = (from.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *target = *last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_copied_whole_and_nothing_else() {
        let from: Vec<u8> = (1..=100).collect();
        for length in 0..=from.len() {
            let mut to = [0; 102];
            copy(&from[..length], &mut to[1..=length]);
            assert_eq!(to[1..=length], from[..length]);
            assert!(to[0] == 0 && to[length + 1..].iter().all(|byte| *byte == 0));
        }
    }
}
