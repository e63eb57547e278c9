//! CRC-32, a bit at a time, with the names of the crate `crc32fast`.
//!
//! The inflater names that crate for gzip, which git does not use, so its 16 KiB of tables
//! would be downloaded for nothing: they hardly shrink in a compressed module. What packs need
//! of CRC-32 is in `packlens_base::hash`, and its tests compare it with this.

#![no_std]

/// The polynomial in reversed bit order.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// An unfinished checksum.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    checksum: u32,
    /// How many bytes were added.
    length: u64,
}

impl Hasher {
    /// Starts the checksum of an empty input.
    pub fn new() -> Hasher {
        Hasher::default()
    }

    /// Resumes a checksum that is known.
    pub fn new_with_initial(checksum: u32) -> Hasher {
        Hasher { checksum, length: 0 }
    }

    /// Starts anew.
    pub fn reset(&mut self) {
        *self = Hasher::new();
    }

    /// Adds bytes to the checksum.
    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.checksum = !shifted(!self.checksum ^ u32::from(*byte));
        }
        self.length = self.length.saturating_add(bytes.len() as u64);
    }

    /// Adds the bytes that another checksum is of.
    pub fn combine(&mut self, other: &Hasher) {
        let shifted = (0..other.length).fold(self.checksum, |crc, _| shifted(crc));
        self.checksum = shifted ^ other.checksum;
        self.length = self.length.saturating_add(other.length);
    }

    /// Returns the checksum of all bytes that were added.
    pub fn finalize(self) -> u32 {
        self.checksum
    }
}

/// Returns a remainder after eight more bits.
fn shifted(remainder: u32) -> u32 {
    (0..8).fold(remainder, |crc, _| (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg()))
}

/// Returns the checksum of some bytes.
pub fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(hash(b""), 0);
        assert_eq!(hash(b"123456789"), 0xcbf4_3926);
        let mut hasher = Hasher::new_with_initial(hash(b"1234"));
        hasher.update(b"56789");
        assert_eq!(hasher.finalize(), 0xcbf4_3926);
    }

    #[test]
    fn parts_combine() {
        let (mut first, mut second) = (Hasher::new(), Hasher::new());
        first.update(b"1234");
        second.update(b"56789");
        first.combine(&second);
        assert_eq!(first.clone().finalize(), 0xcbf4_3926);
        first.reset();
        assert_eq!(first.finalize(), 0);
    }
}
