//! Signatures of authors, committers and taggers: `Name <email> seconds zone`.

/// An author, committer or tagger, decoded as `git log` shows them. `raw` keeps all bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Signature<'a> {
    /// The whole value of the header.
    pub raw: &'a [u8],
    /// The text before the first `<`, without trailing white space.
    pub name: &'a [u8],
    /// The text between that `<` and the next `>`.
    pub email: &'a [u8],
    /// Seconds since 1970, if seconds and a zone follow the last `>`; `u64::MAX` for a number
    /// that does not fit.
    pub seconds: Option<u64>,
    /// Minutes east of UTC: +0200 is 120. Impossible zones are converted all the same:
    /// -1234567 is -(12345 * 60 + 67). A zone that does not fit in 32 bits is 0.
    pub offset_minutes: i64,
}

impl<'a> Signature<'a> {
    /// Splits a signature. Every line is accepted: without a `<` and a later `>` all fields
    /// are empty, and without seconds and a zone there is no date.
    pub fn decode(raw: &'a [u8]) -> Signature<'a> {
        let unknown = Signature { raw, name: b"", email: b"", seconds: None, offset_minutes: 0 };
        let Some((name, rest)) = split_at_byte(raw, b'<') else {
            return unknown;
        };
        let Some((email, _)) = split_at_byte(rest, b'>') else {
            return unknown;
        };
        let date = rest.rsplit(|byte| *byte == b'>').next().and_then(date);
        Signature {
            name: trim_end(name),
            email,
            seconds: date.map(|(seconds, _)| seconds),
            offset_minutes: date.map_or(0, |(_, minutes)| minutes),
            ..unknown
        }
    }
}

/// Decodes seconds and a zone, both of which are required.
fn date(text: &[u8]) -> Option<(u64, i64)> {
    let (seconds, rest) = number(skip_space(text))?;
    let (sign, rest) = skip_space(rest).split_first()?;
    let zone = i64::try_from(number(rest)?.0).unwrap_or(i64::MAX);
    let zone = match sign {
        b'+' => zone,
        b'-' => zone.saturating_neg(),
        _ => return None,
    };
    let zone = if ZONES.contains(&zone) { zone } else { 0 };
    Some((seconds, (zone / 100).saturating_mul(60).saturating_add(zone % 100)))
}

/// The decimal numbers of zones that git accepts; other zones count as 0.
const ZONES: core::ops::Range<i64> = -2_147_483_647..2_147_483_647;

fn split_at_byte(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|byte| *byte == at)?;
    let (before, from) = bytes.split_at_checked(place)?;
    Some((before, from.get(1..)?))
}

/// Splits off the digits at the start of a text; `None` if there are none.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end).filter(|_| end > 0)?;
    let number = digits.iter().fold(0u64, |sum, digit| {
        sum.saturating_mul(10).saturating_add(u64::from(digit.saturating_sub(b'0')))
    });
    Some((number, rest))
}

/// Returns whether a byte is white space for git, which does not count form feeds.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns a text without leading white space.
pub(super) fn skip_space(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(*byte)).unwrap_or(text.len());
    text.get(start..).unwrap_or_default()
}

fn trim_end(text: &[u8]) -> &[u8] {
    let end =
        text.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last.saturating_add(1));
    text.get(..end).unwrap_or_default()
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

    /// Answers of git for many more signatures are in tests/fixtures/idents.json.
    #[test]
    fn odd_signatures() {
        check("A B <a@b> 12 +0200", "A B", "a@b", Some(12), 120);
        check("A <a@b> 12 -0330", "A", "a@b", Some(12), -210);
        check("A <a@b", "", "", None, 0);
        check("A a@b> 12 +0000", "", "", None, 0);
        check("A <a> 5", "A", "a", None, 0);
        check("A <a> 5 UTC", "A", "a", None, 0);
        check("A <a> 99999999999999999999999 +9999", "A", "a", Some(u64::MAX), 99 * 60 + 99);
        check("A <a> 1 -1234567", "A", "a", Some(1), -(12345 * 60 + 67));
        check("A <a> -5 +0000", "A", "a", None, 0);
    }
}
