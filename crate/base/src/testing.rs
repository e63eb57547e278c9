//! Helpers of the unit tests.

use packlens_base::block::Files;
use std::io::Write;

/// Deflates as git does.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    deflate_at(flate2::Compression::default().level(), bytes)
}

/// Deflates as git does with `core.compression` set to `level`.
pub(crate) fn deflate_at(level: u32, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns files of which the first, number 0, is `bytes` in parts of `size`.
pub(crate) fn in_parts(bytes: &[u8], size: usize) -> Files {
    let mut files = Files::new(1 << 30);
    let id = files.found(b"file", bytes.len() as u64, 0);
    for (part, chunk) in bytes.chunks(size).enumerate() {
        files.add(id, (part * size) as u64, chunk.to_vec()).unwrap();
    }
    files
}
