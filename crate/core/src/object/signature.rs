//! Who did something, and when: `Name <email> seconds zone`.

/// The author of a commit, say. Parsed as git's `split_ident_line` does; the
/// bytes are kept in `raw`, whatever they are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Signature<'a> {
    /// The whole value of the header.
    pub raw: &'a [u8],
    /// What stands before the `<`, without the white space around it.
    pub name: &'a [u8],
    /// What stands between the `<` and the next `>`.
    pub email: &'a [u8],
    /// Seconds since 1970, if there are any; a number over 64 bits is the
    /// largest there is.
    pub seconds: Option<u64>,
    /// Minutes east of Greenwich: +0200 is 120. Zones that no clock has stay
    /// what they say: -1234567 is -(12345 * 60 + 67).
    pub offset_minutes: i64,
}

impl<'a> Signature<'a> {
    /// Takes a signature apart. There is none that cannot be: what is not
    /// there is empty.
    pub fn decode(raw: &'a [u8]) -> Signature<'a> {
        let mut signature =
            Signature { raw, name: raw.trim_ascii(), email: b"", seconds: None, offset_minutes: 0 };
        let Some((name, rest)) = split_at_byte(raw, b'<') else {
            return signature;
        };
        signature.name = name.trim_ascii();
        let Some((email, _)) = split_at_byte(rest, b'>') else {
            signature.email = rest;
            return signature;
        };
        signature.email = email;
        let Some(behind) = rest.rsplit(|byte| *byte == b'>').next() else {
            return signature;
        };
        let (digits, rest) = split_digits(behind.trim_ascii_start());
        if digits.is_empty() {
            return signature;
        }
        signature.seconds = Some(number(digits));
        signature.offset_minutes = zone(rest.trim_ascii_start()).unwrap_or(0);
        signature
    }
}

fn split_at_byte(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|byte| *byte == at)?;
    let (before, from) = bytes.split_at_checked(place)?;
    Some((before, from.get(1..)?))
}

fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    bytes.split_at_checked(end).unwrap_or((bytes, b""))
}

fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0u64, |sum, digit| {
        sum.saturating_mul(10).saturating_add(u64::from(digit.saturating_sub(b'0')))
    })
}

fn zone(text: &[u8]) -> Option<i64> {
    let (sign, rest) = text.split_first()?;
    let (digits, _) = split_digits(rest);
    let value = i64::try_from(number(digits)).unwrap_or(i64::MAX);
    let minutes = (value / 100).saturating_mul(60).saturating_add(value % 100);
    match sign {
        b'+' => Some(minutes),
        b'-' => Some(minutes.saturating_neg()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, name: &str, email: &str, seconds: Option<u64>, minutes: i64) {
        let signature = Signature::decode(raw.as_bytes());
        assert_eq!(signature.raw, raw.as_bytes());
        assert_eq!(String::from_utf8_lossy(signature.name), name);
        assert_eq!(String::from_utf8_lossy(signature.email), email);
        assert_eq!((signature.seconds, signature.offset_minutes), (seconds, minutes));
    }

    #[test]
    fn odd_signatures_lose_nothing() {
        check("A B <a@b> 12 +0200", "A B", "a@b", Some(12), 120);
        check("A <a@b> 12 -0330", "A", "a@b", Some(12), -210);
        check("<> 0 +0000", "", "", Some(0), 0);
        check("A <a> b> 12 +0000", "A", "a", Some(12), 0);
        check("A <a@b>", "A", "a@b", None, 0);
        check("A <a@b", "A", "a@b", None, 0);
        check("A", "A", "", None, 0);
        check("", "", "", None, 0);
        check("A <a> 5", "A", "a", Some(5), 0);
        check("A <a> 99999999999999999999999 +9999", "A", "a", Some(u64::MAX), 99 * 60 + 99);
        check("A <a> 1 -1234567", "A", "a", Some(1), -(12345 * 60 + 67));
        check("A <a> -5 +0000", "A", "a", None, 0);
    }
}
