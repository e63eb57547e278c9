//! Object ids: SHA-1 or SHA-256, whole or shortened.

use crate::error::{Error, ErrorKind, Result};

/// The length of the longest object id in bytes.
pub const MAX_OID_LEN: usize = 32;

/// The fewest hex digits of a shortened id, as in git.
pub const MIN_PREFIX_DIGITS: usize = 4;

/// The hash algorithm of object ids.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Ord, PartialOrd)]
pub enum HashKind {
    /// SHA-1, 20 bytes.
    #[default]
    Sha1,
    /// SHA-256, 32 bytes.
    Sha256,
}

impl HashKind {
    /// Returns the length of an id in bytes.
    #[allow(clippy::len_without_is_empty, reason = "no hash is empty")]
    pub const fn len(self) -> usize {
        match self {
            HashKind::Sha1 => 20,
            HashKind::Sha256 => 32,
        }
    }

    /// Returns the length of an id in hex digits.
    pub const fn hex_len(self) -> usize {
        match self {
            HashKind::Sha1 => 40,
            HashKind::Sha256 => 64,
        }
    }

    /// Returns git's name of the hash, as in `extensions.objectFormat`.
    pub const fn name(self) -> &'static str {
        match self {
            HashKind::Sha1 => "sha1",
            HashKind::Sha256 => "sha256",
        }
    }
}

/// The id of an object.
#[derive(Clone, Copy, Eq, PartialEq, Ord, PartialOrd)]
pub struct ObjectId {
    bytes: [u8; MAX_OID_LEN],
    hash: HashKind,
}

impl ObjectId {
    /// Creates an id from the start of `bytes`; `None` if there are too few.
    pub fn from_bytes(hash: HashKind, bytes: &[u8]) -> Option<ObjectId> {
        let mut id = ObjectId { bytes: [0; MAX_OID_LEN], hash };
        // With constant lengths the bytes are moved in registers, without a call.
        match hash {
            HashKind::Sha1 => *id.bytes.first_chunk_mut::<20>()? = *bytes.first_chunk()?,
            HashKind::Sha256 => id.bytes = *bytes.first_chunk()?,
        }
        Some(id)
    }

    /// Parses an id of exactly the right number of hex digits, in upper or lower case.
    pub fn from_hex(hash: HashKind, hex: &[u8]) -> Option<ObjectId> {
        if hex.len() != hash.hex_len() {
            return None;
        }
        Some(Prefix::from_hex(hash, hex)?.id)
    }

    /// Returns the bytes of the id, 20 or 32.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.hash.len()).unwrap_or(&self.bytes)
    }

    /// Returns the first byte, which selects the row in a fanout.
    pub fn first_byte(&self) -> u8 {
        let [first, ..] = self.bytes;
        first
    }

    /// Returns the hash algorithm of the id.
    pub fn hash(&self) -> HashKind {
        self.hash
    }

    /// Returns the id in lower-case hex digits, 40 or 64.
    pub fn to_hex(&self) -> String {
        let mut hex = String::with_capacity(self.hash.hex_len());
        for byte in self.as_bytes() {
            for digit in hex_digits(*byte) {
                hex.push(char::from(digit));
            }
        }
        hex
    }

    /// Returns whether all bytes are 0, as in git's null id.
    pub fn is_null(&self) -> bool {
        self.bytes == [0; MAX_OID_LEN]
    }
}

impl std::fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// Returns the two hex digits of a byte.
pub fn hex_digits(byte: u8) -> [u8; 2] {
    let digit = |value: u8| match value {
        0..=9 => b'0'.wrapping_add(value),
        _ => b'a'.wrapping_add(value).wrapping_sub(10),
    };
    [digit(byte >> 4), digit(byte & 0xf)]
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The first hex digits of an object id.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Prefix {
    id: ObjectId,
    digits: usize,
}

impl Prefix {
    /// Parses 1 to 40 (or 64) hex digits, in upper or lower case.
    pub fn from_hex(hash: HashKind, hex: &[u8]) -> Option<Prefix> {
        if hex.is_empty() || hex.len() > hash.hex_len() {
            return None;
        }
        let mut id = ObjectId { bytes: [0; MAX_OID_LEN], hash };
        for (pair, byte) in hex.chunks(2).zip(&mut id.bytes) {
            let mut digits = pair.iter();
            *byte = digits.next().copied().and_then(hex_value)? << 4;
            if let Some(low) = digits.next() {
                *byte |= hex_value(*low)?;
            }
        }
        Some(Prefix { id, digits: hex.len() })
    }

    /// Returns the least id that begins with these digits.
    pub fn lowest(&self) -> &ObjectId {
        &self.id
    }

    /// Returns whether `id` begins with these digits.
    pub fn matches(&self, id: &ObjectId) -> bool {
        let whole = self.digits / 2;
        let same = id.bytes.get(..whole) == self.id.bytes.get(..whole);
        let half = |id: &ObjectId| id.bytes.get(whole).map(|byte| byte >> 4);
        same && (self.digits.is_multiple_of(2) || half(id) == half(&self.id))
    }
}

/// Parses the id at the start of `text`; returns it with the rest of the text.
pub fn split_hex(hash: HashKind, text: &[u8]) -> Result<(ObjectId, &[u8])> {
    text.split_at_checked(hash.hex_len())
        .and_then(|(hex, rest)| Some((ObjectId::from_hex(hash, hex)?, rest)))
        .ok_or_else(|| Error::new(ErrorKind::Corrupt, "an object id is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &[u8] = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

    #[test]
    fn hex_goes_both_ways() {
        let id = ObjectId::from_hex(HashKind::Sha1, HEX).unwrap();
        assert_eq!(id.to_hex().as_bytes(), HEX);
        assert_eq!(ObjectId::from_hex(HashKind::Sha1, &HEX.to_ascii_uppercase()), Some(id));
        assert_eq!(ObjectId::from_hex(HashKind::Sha256, HEX), None);
        assert_eq!(ObjectId::from_hex(HashKind::Sha1, &[b'g'; 40]), None);
    }

    #[test]
    fn a_prefix_matches_by_digit_not_by_byte() {
        let id = ObjectId::from_hex(HashKind::Sha1, HEX).unwrap();
        for digits in 1..=40 {
            let prefix = Prefix::from_hex(HashKind::Sha1, &HEX[..digits]).unwrap();
            assert!(prefix.matches(&id), "{digits} digits");
            let mut other = HEX[..digits].to_vec();
            let last = other.last_mut().unwrap();
            *last = if *last == b'7' { b'8' } else { b'7' };
            let other = Prefix::from_hex(HashKind::Sha1, &other).unwrap();
            assert!(!other.matches(&id), "{digits} digits, the last one changed");
        }
        assert_eq!(Prefix::from_hex(HashKind::Sha1, b""), None);
        assert_eq!(Prefix::from_hex(HashKind::Sha1, &[b'0'; 41]), None);
    }
}
