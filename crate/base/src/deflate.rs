//! Deflates data, for the few things that packlens writes as zlib streams.

use crate::error::{Error, ErrorKind, Result};
use flate2::write::ZlibEncoder;
use flate2::Compression;
use std::io::Write;

/// Appends `bytes` to `out` as a zlib stream.
pub fn deflate(bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut encoder = ZlibEncoder::new(out, Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map(|_| ()).map_err(|_| Error::new(ErrorKind::Limit, "out of memory"))
}
