//! Deflates data, for the few things that packlens writes as zlib or deflate streams.

use crate::error::{Error, ErrorKind, Result};
use flate2::write::{DeflateEncoder, ZlibEncoder};
use flate2::Compression;
use std::io::Write;

/// An estimate of the memory that a deflater takes: its window, its tables, its pending output.
const DEFLATER_LEN: u64 = 400 << 10;

/// Appends `bytes` to `out` as a zlib stream.
pub fn deflate(bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut encoder = ZlibEncoder::new(out, Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map(|_| ()).map_err(|_| no_memory())
}

/// Deflates data that arrives in parts, without the frame of a zlib stream.
pub struct Deflater(DeflateEncoder<Vec<u8>>);

impl Deflater {
    /// Starts a stream with a level from 0 (not compressed) to 9; `None` for zlib's default.
    pub fn new(level: Option<u32>) -> Deflater {
        let level = level.map_or(Compression::default(), |level| Compression::new(level.min(9)));
        Deflater(DeflateEncoder::new(Vec::new(), level))
    }

    /// Adds data, and appends what is deflated of it so far.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] without memory.
    pub fn add(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.0.write_all(bytes).map_err(|_| no_memory())?;
        out.append(self.0.get_mut());
        Ok(())
    }

    /// Appends the rest.
    ///
    /// # Errors
    ///
    /// As [`Deflater::add`].
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.0.try_finish().map_err(|_| no_memory())?;
        out.append(self.0.get_mut());
        Ok(())
    }

    /// Returns about how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        DEFLATER_LEN
    }
}

fn no_memory() -> Error {
    Error::new(ErrorKind::Limit, "out of memory")
}
