//! Reads a file from an offset on.

use crate::block::BlockSource;
use crate::error::Result;

/// A position in a file, which advances with every read.
pub struct Cursor<'a, S> {
    source: &'a S,
    offset: u64,
    start: u64,
}

impl<'a, S: BlockSource> Cursor<'a, S> {
    /// Starts at `offset`.
    pub fn new(source: &'a S, offset: u64) -> Cursor<'a, S> {
        Cursor { source, offset, start: offset }
    }

    /// Returns the offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads one byte.
    pub fn u8(&mut self) -> Result<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    /// Reads `N` bytes, over as many runs as needed.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.source.array_at(self.offset)?;
        self.offset = self.offset.saturating_add(N as u64);
        Ok(bytes)
    }

    /// Fills `out`.
    pub fn read(&mut self, out: &mut [u8]) -> Result<()> {
        self.source.read_at(self.offset, out)?;
        self.offset = self.offset.saturating_add(out.len() as u64);
        Ok(())
    }

    /// Creates an error about the offset where this cursor started.
    pub fn corrupt(&self, what: &'static str) -> crate::error::Error {
        self.source.corrupt(what, self.start)
    }
}

/// Reads a number in 7 bits per byte, high bits first; `None` if it does not fit in 64 bits.
///
/// Each byte except the last stands for one more than its bits. With plain 7-bit groups both
/// `0x00` and `0x80 0x00` would mean 0. Instead, each length starts counting where the shorter
/// one ends, so every number has one form only.
#[inline]
pub fn varint<E>(
    mut next: impl FnMut() -> std::result::Result<u8, E>,
) -> std::result::Result<Option<u64>, E> {
    let mut byte = next()?;
    let mut value = u64::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = next()?;
        let high = value.checked_add(1).and_then(|value| value.checked_mul(128));
        let Some(sum) = high.and_then(|high| high.checked_add(u64::from(byte & 0x7f))) else {
            return Ok(None);
        };
        value = sum;
    }
    Ok(Some(value))
}
