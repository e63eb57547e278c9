//! Buffers for intermediate results, reused from object to object.

use packlens_base::block::over_ceiling;
use packlens_base::error::Result;

/// How many buffers one object takes at a time: its own delta, a base, a delta on the base,
/// and a result.
const COUNT: usize = 4;

/// The free buffers.
#[derive(Default)]
pub(super) struct Scratch {
    free: [Vec<u8>; COUNT],
}

/// A buffer in use. Its memory is initialised once, when it grows.
pub(super) struct Buffer {
    bytes: Vec<u8>,
    length: usize,
}

impl Buffer {
    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.length).unwrap_or_default()
    }

    /// Returns how many bytes of memory the buffer takes.
    pub fn memory(&self) -> u64 {
        self.bytes.capacity() as u64
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Buffer {
        Buffer { length: bytes.len(), bytes }
    }
}

impl Scratch {
    /// Takes a buffer of exactly `length` bytes with arbitrary content.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if there is no memory.
    pub(super) fn take(&mut self, length: usize) -> Result<Buffer> {
        let largest = self.free.iter_mut().max_by_key(|buffer| buffer.len());
        let mut bytes = largest.map(std::mem::take).unwrap_or_default();
        if bytes.len() < length {
            if bytes.capacity() < length {
                bytes = Vec::new();
                bytes.try_reserve_exact(length).map_err(|_| over_ceiling())?;
            }
            bytes.resize(length, 0);
        }
        Ok(Buffer { bytes, length })
    }

    /// Takes a buffer back, unless it is larger than `most` bytes: one large object must not
    /// hold its memory for ever.
    pub(super) fn give_back(&mut self, buffer: Buffer, most: u64) {
        if buffer.memory() > most {
            return;
        }
        if let Some(smallest) = self.free.iter_mut().min_by_key(|buffer| buffer.len()) {
            *smallest = buffer.bytes;
        }
    }

    /// Returns how many bytes of memory the free buffers take.
    pub fn memory(&self) -> u64 {
        self.free.iter().fold(0, |sum, buffer| sum.saturating_add(buffer.capacity() as u64))
    }
}
