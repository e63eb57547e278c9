//! Deflating: what little of it a reader needs, for the bases that complete a thin pack.
//! A zlib stream of one block, whose codes need no table; where these do not pay, the
//! bytes as they are: <https://www.rfc-editor.org/rfc/rfc1951>.

use simd_adler32::adler32;

/// What a zlib stream begins with: a window of 32 KiB, deflated fast.
const ZLIB_HEAD: [u8; 2] = [0x78, 0x01];

/// How far back a match may lie.
const WINDOW: usize = 32 << 10;

/// The first four bytes of a match are what is looked for.
const LEAST_MATCH: usize = 4;
const LONGEST_MATCH: usize = 258;

/// The most bytes of a block that holds them as they are.
const MOST_STORED: usize = 0xffff;

const HASH_BITS: u32 = 13;

/// The shortest length that each code from 257 on stands for.
const LENGTHS: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
];

/// The shortest distance that each code stands for.
const DISTANCES: [u16; 30] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
];

/// Appends the zlib stream of some bytes.
pub(crate) fn deflate(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend(ZLIB_HEAD);
    let mut bits = Bits { out, held: 0, count: 0 };
    // The last block, with the codes that are agreed upon.
    bits.put(0b011, 3);
    bits.matches(bytes);
    bits.symbol(256);
    bits.flush();
    let blocks = bytes.len().div_ceil(MOST_STORED).max(1);
    let stored = bytes.len().saturating_add(blocks.saturating_mul(5)).saturating_add(2);
    if out.len().saturating_sub(start) > stored {
        out.truncate(start);
        out.extend(ZLIB_HEAD);
        store(bytes, out);
    }
    out.extend(adler32(&bytes).to_be_bytes());
}

/// Appends blocks that hold the bytes as they are.
fn store(bytes: &[u8], out: &mut Vec<u8>) {
    let mut blocks = bytes.chunks(MOST_STORED).peekable();
    while let Some(block) = blocks.next() {
        out.push(u8::from(blocks.peek().is_none()));
        let length = block.len() as u16;
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
}

/// Bits on their way into bytes, the low ones first.
struct Bits<'o> {
    out: &'o mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// Appends each piece that was there before as a way back, and other bytes as they
    /// are.
    fn matches(&mut self, bytes: &[u8]) {
        // Where bytes of each hash were last, one more than that; 0 for nowhere.
        let mut last = vec![0u32; 1 << HASH_BITS];
        let mut at = 0usize;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let length = self.longest(bytes, at, &mut last);
            if length == 0 {
                self.symbol(rest.first().copied().unwrap_or_default().into());
            }
            at = at.saturating_add(length.max(1));
        }
    }

    /// Appends the match of what begins at `at`; returns its length, 0 if there is none.
    fn longest(&mut self, bytes: &[u8], at: usize, last: &mut [u32]) -> usize {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(four) = rest.first_chunk::<LEAST_MATCH>() else {
            return 0;
        };
        let hash = u32::from_le_bytes(*four).wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS);
        let Some(place) = last.get_mut(hash as usize) else {
            return 0;
        };
        let before = std::mem::replace(place, (at as u32).saturating_add(1));
        let Some(before) = before.checked_sub(1) else {
            return 0;
        };
        let distance = at.saturating_sub(before as usize);
        let earlier = bytes.get(before as usize..).unwrap_or_default();
        let alike = rest.iter().zip(earlier).take(LONGEST_MATCH);
        let length = alike.take_while(|(own, other)| own == other).count();
        if length < LEAST_MATCH || distance == 0 || distance > WINDOW {
            return 0;
        }
        self.way_back(length as u16, distance as u16);
        length
    }

    fn way_back(&mut self, length: u16, distance: u16) {
        let code = LENGTHS.partition_point(|least| *least <= length).saturating_sub(1);
        self.symbol((code as u32).saturating_add(257));
        // The last code stands for the longest alone.
        let more = if code == 28 { 0 } else { (code as u32 / 4).saturating_sub(1) };
        self.rest_of(length, LENGTHS.get(code), more);
        let code = DISTANCES.partition_point(|least| *least <= distance).saturating_sub(1);
        self.code(code as u32, 5);
        self.rest_of(distance, DISTANCES.get(code), (code as u32 / 2).saturating_sub(1));
    }

    fn rest_of(&mut self, value: u16, least: Option<&u16>, bits: u32) {
        let rest = value.saturating_sub(least.copied().unwrap_or_default());
        self.put(rest.into(), bits);
    }

    /// Appends a byte, the end of the block, or that a match of some length follows.
    fn symbol(&mut self, symbol: u32) {
        match symbol {
            0..=143 => self.code(symbol.saturating_add(0x30), 8),
            144..=255 => self.code(symbol.saturating_add(0x100), 9),
            256..=279 => self.code(symbol.saturating_sub(256), 7),
            _ => self.code(symbol.saturating_sub(280).saturating_add(0xc0), 8),
        }
    }

    /// Appends a code, whose high bits come first.
    fn code(&mut self, code: u32, length: u32) {
        let shift = 32u32.saturating_sub(length);
        self.put(code.reverse_bits().checked_shr(shift).unwrap_or(0), length);
    }

    fn put(&mut self, bits: u32, count: u32) {
        self.held |= u64::from(bits) << (self.count & 63);
        self.count = self.count.saturating_add(count);
        while self.count >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.count = self.count.saturating_sub(8);
        }
    }

    fn flush(&mut self) {
        self.put(0, 7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn inflated(stream: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut decoder = flate2::read::ZlibDecoder::new(stream);
        decoder.read_to_end(&mut out).unwrap();
        assert_eq!(decoder.total_in(), stream.len() as u64);
        out
    }

    fn noise(length: usize, most: u32) -> Vec<u8> {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % most
        };
        (0..length).map(|_| next() as u8).collect()
    }

    #[test]
    fn another_library_inflates_what_this_deflates() {
        let words: Vec<u8> =
            (0..40_000u32).flat_map(|at| format!("{} ", at % 977).into_bytes()).collect();
        let far = [noise(40_000, 256), noise(40_000, 256)].concat();
        let near = [noise(WINDOW, 256), noise(300, 256)].concat();
        let mut cases = vec![words, far, near, vec![0; 100_000], noise(200_000, 3)];
        for length in [0, 1, 3, 4, 5, 7, 8, 65_534, 65_535, 65_536, 131_070, 131_071] {
            cases.push(noise(length, 256));
            cases.push(noise(length, 5));
        }
        // Each length of a match, and distances of every code.
        for length in 4..300 {
            cases.push([noise(length, 256), noise(length, 256), b"!".to_vec()].concat());
        }
        for distance in DISTANCES {
            let piece = b"abcdefgh";
            let between = vec![b'.'; usize::from(distance)];
            cases.push([piece.as_slice(), &between, piece].concat());
        }
        for bytes in cases {
            let mut stream = b"before".to_vec();
            deflate(&bytes, &mut stream);
            assert!(inflated(&stream[6..]) == bytes, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn what_does_not_compress_grows_by_little_and_words_shrink() {
        let length = |bytes: &[u8]| {
            let mut out = Vec::new();
            deflate(bytes, &mut out);
            out.len()
        };
        assert_eq!(length(&noise(70_000, 256)), 70_000 + 2 + 2 * 5 + 4);
        let words: Vec<u8> =
            (0..9000u32).flat_map(|at| format!("word {} ", at % 31).into_bytes()).collect();
        assert!(length(&words) < words.len() / 3, "{} of {}", length(&words), words.len());
    }
}
