//! CRC-32, the checksum of pack entries in indexes and of reftables: the CRC of ISO 3309, as
//! in zlib.

use std::sync::OnceLock;

/// The polynomial in reversed bit order.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// How many bytes are processed at a time.
const BLOCK: usize = 16;

/// Table `n` has the contribution of each byte value with `n` more bytes after it in the
/// block.
type Tables = [[u32; 256]; BLOCK];

/// Computed at the first use, in some microseconds: as data, 16 KiB of tables would not shrink
/// much in a compressed module.
static TABLES: OnceLock<Box<Tables>> = OnceLock::new();

/// An unfinished checksum.
#[derive(Clone)]
pub struct Crc32 {
    tables: &'static Tables,
    /// The checksum so far, inverted.
    state: u32,
}

impl Default for Crc32 {
    fn default() -> Crc32 {
        Crc32::new()
    }
}

impl Crc32 {
    /// Starts the checksum of an empty input.
    pub fn new() -> Crc32 {
        Crc32 { tables: TABLES.get_or_init(make_tables), state: !0 }
    }

    /// Returns the checksum of some bytes.
    pub fn of(bytes: &[u8]) -> u32 {
        let mut crc = Crc32::new();
        crc.update(bytes);
        crc.finish()
    }

    /// Adds bytes to the checksum.
    pub fn update(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        let [t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ta, tb, tc, td, te, tf] = self.tables;
        let mut state = self.state;
        for block in blocks {
            // The look-ups are independent of each other, so the processor overlaps them.
            let [a, b, c, d, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf] = *block;
            let [b0, b1, b2, b3] = (state ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
            let first = at(tf, b0) ^ at(te, b1) ^ at(td, b2) ^ at(tc, b3);
            let second = at(tb, b4) ^ at(ta, b5) ^ at(t9, b6) ^ at(t8, b7);
            let third = at(t7, b8) ^ at(t6, b9) ^ at(t5, ba) ^ at(t4, bb);
            let last = at(t3, bc) ^ at(t2, bd) ^ at(t1, be) ^ at(t0, bf);
            state = first ^ second ^ third ^ last;
        }
        for byte in rest {
            let [low, ..] = state.to_le_bytes();
            state = at(t0, low ^ byte) ^ (state >> 8);
        }
        self.state = state;
    }

    /// Returns the checksum of all bytes that were added.
    pub fn finish(&self) -> u32 {
        !self.state
    }
}

/// Every byte value has an entry, so the compiled code has no bounds check.
#[inline(always)]
fn at(table: &[u32; 256], byte: u8) -> u32 {
    table.get(usize::from(byte)).copied().unwrap_or(0)
}

#[cold]
fn make_tables() -> Box<Tables> {
    let mut tables = Box::new([[0; 256]; BLOCK]);
    let mut last = [0; 256];
    for (byte, value) in (0..).zip(&mut last) {
        *value =
            (0..8).fold(byte, |crc: u32, _| (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg()));
    }
    let first = last;
    for table in tables.iter_mut() {
        *table = last;
        for value in &mut last {
            let [low, ..] = value.to_le_bytes();
            *value = at(&first, low) ^ (*value >> 8);
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(Crc32::of(b""), 0);
        assert_eq!(Crc32::of(b"123456789"), 0xcbf4_3926);
        assert_eq!(Crc32::of(&[0; 32]), 0x190a_55ad);
        assert_eq!(Crc32::of(&[0xff; 32]), 0xff6c_ab0b);
    }

    #[test]
    fn any_bytes_in_any_pieces_have_the_checksum_of_another_library() {
        let bytes: Vec<u8> = (0..300u32).map(|at| (at.wrapping_mul(at) >> 3) as u8).collect();
        for start in 0..40 {
            for end in start..bytes.len() {
                let expected = crc32fast::hash(&bytes[start..end]);
                assert_eq!(Crc32::of(&bytes[start..end]), expected, "{start} {end}");
                let mut crc = Crc32::new();
                bytes[start..end].chunks(start + 1).for_each(|piece| crc.update(piece));
                assert_eq!(crc.finish(), expected, "{start} {end}");
            }
        }
    }
}
