//! Compresses a tar file in the format of gzip, as git does: <https://www.rfc-editor.org/rfc/rfc1952>.

use packlens_base::deflate::Deflater;
use packlens_base::error::Result;
use packlens_base::hash::Crc32;

/// Of the header: deflated, without a name and a date.
const START: [u8; 8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
/// Made on Unix, wherever this runs: the bytes depend on the content only.
const SYSTEM: u8 = 3;

pub(super) struct Gzip {
    deflater: Deflater,
    crc: Crc32,
    length: u32,
    /// The header, until it is written.
    header: Option<[u8; 10]>,
}

impl Gzip {
    pub(super) fn new(level: Option<u32>) -> Gzip {
        // As zlib says of its fastest and its best level.
        let effort = match level {
            Some(9) => 2,
            Some(0 | 1) => 4,
            _ => 0,
        };
        let mut header = [0; 10];
        header[..8].copy_from_slice(&START);
        header[8..].copy_from_slice(&[effort, SYSTEM]);
        Gzip { deflater: Deflater::new(level), crc: Crc32::new(), length: 0, header: Some(header) }
    }

    pub(super) fn add(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if let Some(header) = self.header.take() {
            out.extend_from_slice(&header);
        }
        self.crc.update(bytes);
        // The format has the length modulo 2 ** 32.
        self.length = self.length.wrapping_add(bytes.len() as u32);
        self.deflater.add(bytes, out)
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.deflater.finish(out)?;
        out.extend_from_slice(&std::mem::take(&mut self.crc).finish().to_le_bytes());
        out.extend_from_slice(&self.length.to_le_bytes());
        Ok(())
    }

    pub(super) fn memory(&self) -> u64 {
        self.deflater.memory()
    }
}
