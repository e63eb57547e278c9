//! A line of a file of attributes.

use super::{Assignment, AttributeState, PathPattern, Rule};

/// The length from which git ignores a line.
const MAX_LINE_LEN: usize = 2048;

const MACRO: &[u8] = b"[attr]";

/// Parses a line; `None` if there is nothing in it, or if it is ignored.
pub(super) fn line(text: &[u8], allows_macros: bool, fold_case: bool) -> Option<Rule> {
    if text.len() >= MAX_LINE_LEN {
        return None;
    }
    let text = trimmed(text);
    if text.is_empty() || text.starts_with(b"#") {
        return None;
    }
    let (name, rest) = match unquoted(text) {
        Some((name, rest)) => (name, rest),
        None => {
            let (word, rest) = word(text);
            (word.to_vec(), rest)
        }
    };
    let is_macro = name.len() > MACRO.len() && name.starts_with(MACRO);
    if is_macro && !allows_macros {
        return None;
    }
    if is_macro {
        let (name, _) = word(trimmed(name.get(MACRO.len()..).unwrap_or_default()));
        return is_attribute_name(name)
            .then(|| Some(Rule::Macro(name.to_vec(), assignments(rest)?)))?;
    }
    // git refuses negative patterns.
    if name.starts_with(b"!") {
        return None;
    }
    Some(Rule::Path(PathPattern::new(&name, fold_case), assignments(rest)?))
}

/// Parses the assignments; `None` if one of them is malformed.
fn assignments(mut rest: &[u8]) -> Option<Vec<Assignment>> {
    let mut all = Vec::new();
    loop {
        rest = trimmed(rest);
        if rest.is_empty() {
            return Some(all);
        }
        let (text, after) = word(rest);
        rest = after;
        let equals = text.iter().position(|byte| *byte == b'=');
        let (name, value) = match equals {
            Some(at) => (text.get(..at)?, text.get(at.saturating_add(1)..)),
            None => (text, None),
        };
        let (name, state) = match (name.split_first(), value) {
            (Some((b'-', name)), _) => (name, AttributeState::Unset),
            (Some((b'!', name)), _) => (name, AttributeState::Unspecified),
            (_, Some(value)) => (name, AttributeState::Value(value.to_vec())),
            (_, None) => (name, AttributeState::Set),
        };
        if !is_attribute_name(name) || name.starts_with(b"builtin_") {
            return None;
        }
        all.push((name.to_vec(), state));
    }
}

/// Returns whether an attribute can have a name.
pub fn is_attribute_name(name: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    !name.is_empty() && !name.starts_with(b"-") && name.iter().all(fits)
}

fn is_blank(byte: u8) -> bool {
    b" \t\r\n".contains(&byte)
}

fn trimmed(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_blank(*byte)).unwrap_or(text.len());
    text.get(start..).unwrap_or_default()
}

/// Splits a text after its first word.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| is_blank(*byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, b""))
}

/// Parses a name in quotes, as git quotes names; returns what follows it, too.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                name.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b'f' => 12,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'v' => 11,
                    b'"' | b'\\' => *escaped,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_first_chunk::<2>()?;
                        rest = after;
                        let digit = |byte: u8| char::from(byte).to_digit(8);
                        let high = digit(*escaped)?.checked_mul(64)?;
                        let middle = digit(digits[0])?.checked_mul(8)?;
                        let low = digit(digits[1])?;
                        u8::try_from(high.checked_add(middle)?.checked_add(low)?).ok()?
                    }
                    _ => return None,
                });
            }
            _ => name.push(*byte),
        }
    }
}
