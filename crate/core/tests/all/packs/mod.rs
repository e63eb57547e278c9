//! Packs and indexes written byte by byte, including invalid ones.

#![allow(
    dead_code,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "each test uses some of it, and tests may panic"
)]

use packlens::{HashKind, Hasher, ObjectId};
use std::io::Write;

/// Writes a SHA-1 pack, entry by entry.
pub struct PackWriter {
    bytes: Vec<u8>,
    count: u32,
}

impl PackWriter {
    pub fn new() -> PackWriter {
        PackWriter { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), count: 0 }
    }

    /// Writes a blob; returns where its entry begins.
    pub fn blob(&mut self, content: &[u8]) -> u64 {
        self.entry_of_size(3, content.len() as u64, content)
    }

    /// Writes a blob that is stored uncompressed.
    pub fn stored_blob(&mut self, content: &[u8]) -> u64 {
        let offset = self.head(3, content.len() as u64);
        self.deflate_by(content, flate2::Compression::none());
        offset
    }

    /// Writes a delta against an object that is named.
    pub fn ref_delta(&mut self, base: &ObjectId, delta: &[u8]) -> u64 {
        let offset = self.head(7, delta.len() as u64);
        self.bytes.extend(base.as_bytes());
        self.deflate(delta);
        offset
    }

    /// Writes a delta against the entry at an offset.
    pub fn ofs_delta(&mut self, base_offset: u64, delta: &[u8]) -> u64 {
        let offset = self.head(6, delta.len() as u64);
        let mut back = offset - base_offset;
        let mut digits = vec![(back & 0x7f) as u8];
        while back >> 7 > 0 {
            back = (back >> 7) - 1;
            digits.push((back & 0x7f) as u8 | 0x80);
        }
        self.bytes.extend(digits.iter().rev());
        self.deflate(delta);
        offset
    }

    /// Writes an entry that announces a size, whatever its content has.
    pub fn entry_of_size(&mut self, type_bits: u8, size: u64, content: &[u8]) -> u64 {
        let offset = self.head(type_bits, size);
        self.deflate(content);
        offset
    }

    fn head(&mut self, type_bits: u8, size: u64) -> u64 {
        let offset = self.bytes.len() as u64;
        self.count += 1;
        let mut byte = type_bits << 4 | (size & 0xf) as u8;
        let mut rest = size >> 4;
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(byte);
        offset
    }

    fn deflate(&mut self, content: &[u8]) {
        self.deflate_by(content, flate2::Compression::default());
    }

    fn deflate_by(&mut self, content: &[u8], level: flate2::Compression) {
        let mut encoder = flate2::write::ZlibEncoder::new(&mut self.bytes, level);
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap();
    }

    /// Fills the number of entries in, and closes with the checksum.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes[8..12].copy_from_slice(&self.count.to_be_bytes());
        let mut checksum = Hasher::new(HashKind::Sha1);
        checksum.update(&self.bytes);
        self.bytes.extend(checksum.finish().as_bytes());
        self.bytes
    }
}

/// Writes a size as deltas begin with.
pub fn delta_size(mut size: usize) -> Vec<u8> {
    let mut digits = Vec::new();
    while size >= 0x80 {
        digits.push(size as u8 | 0x80);
        size >>= 7;
    }
    digits.push(size as u8);
    digits
}

/// Writes a delta that copies all of its base, a byte to 16 MiB, and appends a byte.
pub fn one_byte_more(base: usize, byte: u8) -> Vec<u8> {
    let copy = [0xf0, base as u8, (base >> 8) as u8, (base >> 16) as u8];
    [delta_size(base), delta_size(base + 1), copy.to_vec(), vec![1, byte]].concat()
}

/// Writes an index, version 2, of the given rows; checksums are zeros.
pub fn index(hash: HashKind, entries: &[(ObjectId, u64)]) -> Vec<u8> {
    let mut entries = entries.to_vec();
    entries.sort();
    let mut out = b"\xfftOc\0\0\0\x02".to_vec();
    for byte in 0..=255u8 {
        let count = entries.iter().filter(|(id, _)| id.first_byte() <= byte).count() as u32;
        out.extend(count.to_be_bytes());
    }
    entries.iter().for_each(|(id, _)| out.extend(id.as_bytes()));
    out.extend(vec![0; 4 * entries.len()]);
    let mut long = Vec::new();
    for (_, offset) in &entries {
        if *offset < 1 << 31 {
            out.extend((*offset as u32).to_be_bytes());
        } else {
            // A table of one row more than objects would not be an index.
            let row = (long.len() / 8) as u32;
            out.extend((row | 1 << 31).to_be_bytes());
            long.extend(offset.to_be_bytes());
        }
    }
    out.extend(long);
    out.extend(vec![0; 2 * hash.len()]);
    out
}
