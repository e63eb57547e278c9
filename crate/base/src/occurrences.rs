//! Counts how often some bytes occur in others.

/// Returns how often `wanted` occurs in a text, without overlaps, as git counts from its start; 0
/// for no bytes.
pub fn occurrences(text: &[u8], wanted: &[u8]) -> u64 {
    let Some((last, others)) = wanted.split_last() else {
        return 0;
    };
    // How far to go on from each byte under the last one: until it is under its last place.
    let mut shifts = [wanted.len(); 256];
    for (at, byte) in others.iter().enumerate() {
        if let Some(shift) = shifts.get_mut(usize::from(*byte)) {
            *shift = others.len().saturating_sub(at);
        }
    }
    let (mut end, mut count) = (others.len(), 0_u64);
    while let Some(byte) = text.get(end) {
        let start = end.saturating_sub(others.len());
        if byte == last && text.get(start..end) == Some(others) {
            count = count.saturating_add(1);
            end = end.saturating_add(wanted.len());
        } else {
            end = end.saturating_add(shifts.get(usize::from(*byte)).copied().unwrap_or(1));
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::occurrences;

    /// Counts at one place after the other.
    fn slowly(text: &[u8], wanted: &[u8]) -> u64 {
        let (mut at, mut count) = (0, 0);
        while at < text.len() {
            let found = !wanted.is_empty() && text[at..].starts_with(wanted);
            count += u64::from(found);
            at += if found { wanted.len() } else { 1 };
        }
        count
    }

    #[test]
    fn all_short_texts_are_counted_right() {
        let text_of = |number: u32, length: u32| -> Vec<u8> {
            (0..length).map(|at| b'a' + (number >> at & 1) as u8).collect()
        };
        for wanted in (0..5).flat_map(|length| (0..1 << length).map(move |n| text_of(n, length))) {
            for text in (0..1 << 9).map(|number| text_of(number, 9)) {
                assert_eq!(occurrences(&text, &wanted), slowly(&text, &wanted), "{wanted:?}");
            }
        }
        assert_eq!(occurrences(b"a\0b\xff\0b", b"\0b"), 2);
        assert_eq!(occurrences(b"", b"a"), 0);
    }
}
