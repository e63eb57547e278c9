//! Reading on from a place in a file.

use crate::block::BlockSource;
use crate::error::Result;

/// A place in a file that moves on with what is read.
pub(crate) struct Cursor<'a, S> {
    source: &'a S,
    offset: u64,
    start: u64,
}

impl<'a, S: BlockSource> Cursor<'a, S> {
    /// Starts at `offset`.
    pub(crate) fn new(source: &'a S, offset: u64) -> Cursor<'a, S> {
        Cursor { source, offset, start: offset }
    }

    /// Returns where the next byte lies.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads one byte.
    pub(crate) fn u8(&mut self) -> Result<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    /// Reads `N` bytes, over as many runs as they lie in.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.source.array_at(self.offset)?;
        self.offset = self.offset.saturating_add(N as u64);
        Ok(bytes)
    }

    /// Fills `out`.
    pub(crate) fn read(&mut self, out: &mut [u8]) -> Result<()> {
        self.source.read_at(self.offset, out)?;
        self.offset = self.offset.saturating_add(out.len() as u64);
        Ok(())
    }

    /// Returns an error about the place where this cursor started.
    pub(crate) fn corrupt(&self, what: &'static str) -> crate::error::Error {
        self.source.corrupt(what, self.start)
    }
}
