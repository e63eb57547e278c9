//! Finds out how many digits of an id are enough to be unique.

use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::oid::{ObjectId, Prefix, MIN_PREFIX_DIGITS};

/// The fewest digits of an id that are shown by default.
const DEFAULT_DIGITS: usize = 7;

impl Repository {
    /// Returns how many hex digits of `id` no other object shares: at least `least`, by
    /// default as many as git shows in a repository of this size.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damaged indexes.
    pub fn abbreviate(&mut self, id: &ObjectId, least: Option<usize>) -> Result<usize> {
        let most = id.hash().hex_len();
        let least = match least {
            Some(digits) => digits.clamp(MIN_PREFIX_DIGITS, most),
            None => default_digits(self.odb.count_packed(&self.files)?),
        };
        let hex = id.to_hex();
        let Some(prefix) =
            hex.as_bytes().get(..least).and_then(|digits| Prefix::from_hex(id.hash(), digits))
        else {
            return Ok(most);
        };
        // An id that no object has is not searched for in packs that may have arrived since.
        let similar = self.odb.find_prefix_in_known(&mut self.files, &prefix)?;
        let needed = similar
            .iter()
            .filter(|other| *other != id)
            .map(|other| common_digits(&hex, &other.to_hex()).saturating_add(1))
            .max();
        Ok(needed.unwrap_or(least).clamp(least, most))
    }
}

fn common_digits(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

/// Returns how many digits git shows in a repository of `count` objects: one digit, of four
/// bits, for every two bits of the count, so that few prefixes collide.
fn default_digits(count: u64) -> usize {
    let bits = u64::BITS.saturating_sub(count.leading_zeros());
    (bits.div_ceil(2) as usize).max(DEFAULT_DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_objects_take_more_digits() {
        let counts = [0, 1, 300, 1 << 13, 1 << 14, 1 << 20, 10_000_000];
        assert_eq!(counts.map(default_digits), [7, 7, 7, 7, 8, 11, 12]);
    }

    #[test]
    fn digits_are_counted_until_they_differ() {
        assert_eq!(common_digits("abcd", "abce"), 3);
        assert_eq!(common_digits("abcd", "bbcd"), 0);
        assert_eq!(common_digits("abcd", "abcd"), 4);
    }
}
