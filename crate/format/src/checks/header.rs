//! Checks the headers of commits and tags, and the identities in them.

use super::{Checks, MessageId};
use packlens_base::oid::{HashKind, ObjectId};

/// The most digits of a date that git parses.
const MOST_DIGITS: usize = 23;

/// Reads lines one after the other. Each line ends with a line feed: see
/// [`Checks::begins_with_headers`].
pub(super) struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    pub fn new(content: &'a [u8]) -> Lines<'a> {
        Lines { rest: content }
    }

    /// Returns the text that is not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Skips `key`, if it is next; returns whether it was.
    pub(super) fn pass(&mut self, key: &[u8]) -> bool {
        match self.rest.strip_prefix(key) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Returns the rest of the line, and skips it; `None` if it does not end.
    pub(super) fn line(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let (line, after) = self.rest.split_at_checked(end)?;
        self.rest = after.get(1..).unwrap_or_default();
        Some(line)
    }

    /// Skips an id and the byte after it; returns whether it was an id at the end of its line.
    /// Nothing is skipped if it is no id.
    pub(super) fn id(&mut self, hash: HashKind) -> bool {
        let Some((hex, after)) = self.rest.split_at_checked(hash.hex_len()) else {
            return false;
        };
        if ObjectId::from_hex(hash, hex).is_none() {
            return false;
        }
        let ended = after.first() == Some(&b'\n');
        self.rest = after.get(1..).unwrap_or_default();
        ended
    }
}

impl Checks<'_> {
    /// Checks that the headers end with an empty line, or at least with a line feed, and
    /// contain no NUL; returns whether they do.
    pub(super) fn begins_with_headers(&mut self, content: &[u8]) -> bool {
        for (at, byte) in content.iter().enumerate() {
            match byte {
                0 => {
                    self.report_about(MessageId::NulInHeader, at.to_string().as_bytes());
                    return false;
                }
                b'\n' if content.get(at.saturating_add(1)) == Some(&b'\n') => return true,
                _ => {}
            }
        }
        let ended = content.last() == Some(&b'\n');
        if !ended {
            self.report(MessageId::UnterminatedHeader);
        }
        ended
    }

    /// Checks the line of an author, committer or tagger; returns whether the check ends there.
    pub(super) fn identity(&mut self, lines: &mut Lines<'_>) -> bool {
        match lines.line().and_then(problem_of) {
            Some(id) => self.report(id),
            None => false,
        }
    }
}

/// Returns the problem in the line of an author, committer or tagger.
fn problem_of(line: &[u8]) -> Option<MessageId> {
    if line.first() == Some(&b'<') {
        return Some(MessageId::MissingNameBeforeEmail);
    }
    let end = line.iter().position(|byte| matches!(byte, b'<' | b'>'));
    let Some((name, rest)) = end.and_then(|end| line.split_at_checked(end)) else {
        return Some(MessageId::MissingEmail);
    };
    let Some(rest) = rest.strip_prefix(b"<") else {
        return Some(MessageId::BadName);
    };
    if name.last() != Some(&b' ') {
        return Some(MessageId::MissingSpaceBeforeEmail);
    }
    let end = rest.iter().position(|byte| matches!(byte, b'<' | b'>'));
    let email = end.and_then(|end| rest.get(end..));
    let Some(rest) = email.and_then(|rest| rest.strip_prefix(b">")) else {
        return Some(MessageId::BadEmail);
    };
    match rest.strip_prefix(b" ") {
        Some(rest) => problem_of_date(rest),
        None => Some(MessageId::MissingSpaceBeforeDate),
    }
}

fn problem_of_date(rest: &[u8]) -> Option<MessageId> {
    let start = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    let rest = start.and_then(|start| rest.get(start..)).unwrap_or_default();
    if !rest.first().is_some_and(u8::is_ascii_digit) {
        return Some(MessageId::BadDate);
    }
    if rest.first() == Some(&b'0') && rest.get(1) != Some(&b' ') {
        return Some(MessageId::ZeroPaddedDate);
    }
    let end = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at_checked(end).unwrap_or((rest, b""));
    if is_over(digits) {
        return Some(MessageId::BadDateOverflow);
    }
    let Some(zone) = after.strip_prefix(b" ") else {
        return Some(MessageId::BadDate);
    };
    let is_zone = match zone.split_first() {
        Some((b'+' | b'-', digits)) => digits.len() == 4 && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    (!is_zone).then_some(MessageId::BadTimezone)
}

/// Returns whether a date exceeds git's range, which is 63 bits of seconds.
fn is_over(digits: &[u8]) -> bool {
    if digits.len() > MOST_DIGITS {
        return true;
    }
    let date = digits.iter().try_fold(0u64, |sum, digit| {
        sum.checked_mul(10)?.checked_add(u64::from(digit.wrapping_sub(b'0')))
    });
    date.is_none_or(|date| i64::try_from(date).is_err())
}
