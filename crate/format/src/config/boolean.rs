//! Values of git's `config` that are true or false:
//! <https://git-scm.com/docs/git-config#_values>.

use super::{config_section, Variable};

/// Returns the last value of a variable as true or false; `None` if there is none. `key` is as
/// in [`config_value`](super::config_value).
pub fn config_boolean(text: &[u8], section: &str, key: &str) -> Option<bool> {
    boolean_of(&config_section(text, section), key)
}

/// As [`config_boolean`], of the variables of a section.
pub fn boolean_of(variables: &[Variable], key: &str) -> Option<bool> {
    let of_key = |(name, _): &&Variable| name == key.as_bytes();
    variables.iter().rev().find(of_key).map(|(_, value)| is_true(value.as_deref()))
}

/// Returns whether a value means true: `true`, `yes`, `on`, a number other than 0, or a
/// variable without `=`. Values that git refuses, such as `maybe`, mean false.
pub fn is_true(value: Option<&[u8]>) -> bool {
    let Some(value) = value else {
        return true;
    };
    let words: [&[u8]; 3] = [b"true", b"yes", b"on"];
    words.iter().any(|word| value.eq_ignore_ascii_case(word))
        || number(value).is_some_and(|number| number != 0)
}

/// Parses a number as C does, with the units that git allows: 32 bits.
fn number(value: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(value).ok()?.trim_ascii_start().to_ascii_lowercase();
    let (text, unit) = match text.strip_suffix(['k', 'm', 'g']) {
        Some(rest) if text.ends_with('k') => (rest, 1 << 10),
        Some(rest) if text.ends_with('m') => (rest, 1 << 20),
        Some(rest) => (rest, 1 << 30),
        None => (text.as_str(), 1),
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16),
        None if digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    let number = number.ok()?.checked_mul(unit)?;
    (number <= i64::from(i32::MAX)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of `git config --type=bool`; where git refuses a value, it is false.
    #[test]
    fn values_that_are_true_for_git() {
        for text in ["true", "YES", "on", "1", "2", "-1", "0x10", "1k", " 1", "+1", "010"] {
            assert!(is_true(Some(text.as_bytes())), "{text:?}");
        }
        for text in ["", "0", "00", "0k", "off", "no", "false", "maybe", "99999999999", "2g", "08"]
        {
            assert!(!is_true(Some(text.as_bytes())), "{text:?}");
        }
        assert!(is_true(None));
    }

    #[test]
    fn the_last_value_counts_also_without_an_equals_sign() {
        let text = b"[core]\nbare = no\nbare\n[core \"x\"]\nbare = no\n";
        assert_eq!(config_boolean(text, "core", "bare"), Some(true));
        assert_eq!(config_boolean(text, "core", "x.bare"), Some(false));
        assert_eq!(config_boolean(text, "core", "other"), None);
    }
}
