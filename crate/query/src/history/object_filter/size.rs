//! Numbers as git's options take them.

/// Parses a number in C's notation, with `k`, `m` or `g` after it.
pub(super) fn size_of(text: &[u8]) -> Option<u64> {
    let text =
        str::from_utf8(text).ok()?.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let text = text.strip_prefix('+').unwrap_or(text);
    let (digits, unit) = match text.as_bytes().last()?.to_ascii_lowercase() {
        b'k' => (text.get(..text.len().saturating_sub(1))?, 1 << 10),
        b'm' => (text.get(..text.len().saturating_sub(1))?, 1 << 20),
        b'g' => (text.get(..text.len().saturating_sub(1))?, 1 << 30),
        _ => (text, 1u64),
    };
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = match hex {
        Some(digits) => (digits, 16),
        None if digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    // `from_str_radix` would take a second sign.
    let number = digits.bytes().all(|digit| digit.is_ascii_alphanumeric());
    let number = number.then(|| u64::from_str_radix(digits, radix).ok()).flatten()?;
    number.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::size_of;

    #[test]
    fn sizes_are_those_of_git() {
        let known = [("0", 0), (" +12", 12), ("1k", 1024), ("0x1F", 31), ("017m", 15 << 20)];
        for (text, size) in known {
            assert_eq!(size_of(text.as_bytes()), Some(size), "{text}");
        }
        for text in ["", "k", "x", "-1", "++1", "0x", "09", "1kk", "18446744073709551616", "17g "] {
            assert_eq!(size_of(text.as_bytes()), None, "{text}");
        }
    }
}
