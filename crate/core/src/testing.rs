//! Helpers that the unit tests share.

use crate::block::Files;
use std::io::Write;

/// Deflates at git's default level.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    deflate_at(flate2::Compression::default().level(), bytes)
}

/// Deflates as git does if `core.compression` is `level`.
pub(crate) fn deflate_at(level: u32, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns files; the first one, number 0, has `bytes` in ranges of length `size`.
pub(crate) fn in_parts(bytes: &[u8], size: usize) -> Files {
    let mut files = Files::new(1 << 30);
    let id = files.found(b"file", bytes.len() as u64, 0);
    for (part, chunk) in bytes.chunks(size).enumerate() {
        files.add(id, (part * size) as u64, chunk.to_vec()).unwrap();
    }
    files
}
