//! Copies of few bytes without a call: fields, and pieces of deltas, are short.

/// Copies `from` to `to`; both must have the same length.
///
/// Up to 32 bytes are copied in two moves that may overlap: in WebAssembly, a copy of a length
/// that is not constant is a call out of the module.
#[inline]
pub fn copy(from: &[u8], to: &mut [u8]) {
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

/// Copies the first `length` bytes of `from` to `to`; returns the rest of `to`, of which some
/// bytes may be overwritten; `None` if `from` or `to` is shorter than `length`.
#[inline]
pub fn copy_first<'a>(from: &[u8], length: usize, to: &'a mut [u8]) -> Option<&'a mut [u8]> {
    if length <= SHORT {
        if let (Some(from), Some(target)) =
            (from.first_chunk::<SHORT>(), to.first_chunk_mut::<SHORT>())
        {
            *target = *from;
            return to.get_mut(length..);
        }
    }
    let (now, later) = to.split_at_mut_checked(length)?;
    copy(from.get(..length)?, now);
    Some(later)
}

/// How many bytes are copied at once if both slices are long enough.
const SHORT: usize = 64;

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

    #[test]
    fn the_first_bytes_are_copied_and_none_after_the_end() {
        let from: Vec<u8> = (1..=200).collect();
        for (length, has, room) in (0..=130).flat_map(|length| {
            [0, 1, SHORT].into_iter().flat_map(move |more| {
                [0, 1, SHORT].map(move |room| (length, length + more, length + room))
            })
        }) {
            let mut to = vec![0; room];
            let after = copy_first(&from[..has], length, &mut to).unwrap().len();
            assert_eq!((after, &to[..length]), (room - length, &from[..length]));
            assert!(copy_first(&from[..has], has + 1, &mut vec![0; 300]).is_none());
            assert!(copy_first(&from, room + 1, &mut to).is_none());
        }
    }
}
