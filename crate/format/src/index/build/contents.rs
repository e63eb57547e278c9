//! The contents of objects that are in memory for a while, in buffers that are reused.

use packlens_base::block::over_ceiling;
use packlens_base::error::Result;
use std::ops::Range;

/// The number of a buffer that holds the content of an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Content(u32);

#[derive(Default)]
struct Buffer {
    /// Never shortened, so that a reused buffer need not be cleared.
    bytes: Vec<u8>,
    length: usize,
    users: u32,
}

/// How many free buffers are tried to find one that is large enough.
const TRIED: usize = 8;

/// Sizes in this range are rounded up to a power of two, so that the buffer can be reused for
/// other contents. Smaller buffers get the size at its start.
const ROUNDED: Range<usize> = 4 << 10..1 << 20;

/// The buffers, each of which has users or is free.
#[derive(Default)]
pub(super) struct Contents {
    buffers: Vec<Buffer>,
    free: Vec<u32>,
    held: u64,
}

impl Contents {
    /// Returns how many bytes the buffers take.
    pub(super) fn held(&self) -> u64 {
        self.held
    }

    /// Takes a buffer of `length` bytes, whose content is undefined. It has one user.
    pub(super) fn take(&mut self, length: usize) -> Result<Content> {
        let fits = |at: &u32| {
            self.buffers.get(*at as usize).is_some_and(|buffer| buffer.bytes.len() >= length)
        };
        // The buffer that was freed last is most likely still in the processor's cache.
        let found = self.free.iter().rev().take(TRIED).position(fits);
        let place = found.and_then(|newer| self.free.len().checked_sub(newer.saturating_add(1)));
        let number = match place {
            Some(place) => self.free.remove(place),
            None => self.grown(length)?,
        };
        if let Some(buffer) = self.buffers.get_mut(number as usize) {
            (buffer.length, buffer.users) = (length, 1);
        }
        Ok(Content(number))
    }

    /// Returns the number of a free or new buffer, after making it large enough.
    fn grown(&mut self, length: usize) -> Result<u32> {
        let number = self.free.pop().unwrap_or_else(|| {
            self.buffers.push(Buffer::default());
            self.buffers.len().saturating_sub(1) as u32
        });
        let size = match length {
            _ if length < ROUNDED.start => ROUNDED.start,
            _ if length < ROUNDED.end => length.next_power_of_two(),
            _ => length,
        };
        self.drop_bytes(number);
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(size).is_err() {
            self.free.push(number);
            return Err(over_ceiling());
        }
        bytes.resize(size, 0);
        self.held = self.held.saturating_add(size as u64);
        if let Some(buffer) = self.buffers.get_mut(number as usize) {
            buffer.bytes = bytes;
        }
        Ok(number)
    }

    fn drop_bytes(&mut self, number: u32) {
        if let Some(buffer) = self.buffers.get_mut(number as usize) {
            self.held = self.held.saturating_sub(buffer.bytes.len() as u64);
            buffer.bytes = Vec::new();
        }
    }

    /// Frees the memory of unused buffers until the buffers take `most` bytes or less.
    pub(super) fn shrink_to(&mut self, most: u64) {
        for at in 0..self.free.len() {
            if self.held <= most {
                return;
            }
            if let Some(number) = self.free.get(at).copied() {
                self.drop_bytes(number);
            }
        }
    }

    /// Adds a user.
    pub(super) fn share(&mut self, content: Content) {
        if let Some(buffer) = self.buffers.get_mut(content.0 as usize) {
            buffer.users = buffer.users.saturating_add(1);
        }
    }

    /// Removes a user; the buffer is free once the last one is removed.
    pub(super) fn release(&mut self, content: Content) {
        let Some(buffer) = self.buffers.get_mut(content.0 as usize) else {
            return;
        };
        buffer.users = buffer.users.saturating_sub(1);
        if buffer.users == 0 {
            // A large buffer is seldom reused.
            if buffer.bytes.len() > ROUNDED.end {
                self.drop_bytes(content.0);
            }
            self.free.push(content.0);
        }
    }

    pub fn get(&self, content: Content) -> &[u8] {
        let buffer = self.buffers.get(content.0 as usize);
        buffer.and_then(|buffer| buffer.bytes.get(..buffer.length)).unwrap_or_default()
    }

    pub(super) fn get_mut(&mut self, content: Content) -> &mut [u8] {
        let buffer = self.buffers.get_mut(content.0 as usize);
        buffer.and_then(|buffer| buffer.bytes.get_mut(..buffer.length)).unwrap_or_default()
    }

    /// Takes the bytes out of a buffer, so that they can be written while others are read.
    pub(super) fn lend(&mut self, content: Content) -> Vec<u8> {
        let buffer = self.buffers.get_mut(content.0 as usize);
        buffer.map(|buffer| std::mem::take(&mut buffer.bytes)).unwrap_or_default()
    }

    /// Puts bytes back that [`Contents::lend`] returned.
    pub(super) fn give_back(&mut self, content: Content, bytes: Vec<u8>) {
        if let Some(buffer) = self.buffers.get_mut(content.0 as usize) {
            buffer.bytes = bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_once_nobody_uses_it() {
        let mut contents = Contents::default();
        let first = contents.take(5000).unwrap();
        contents.share(first);
        contents.release(first);
        let second = contents.take(5000).unwrap();
        assert_ne!(first, second);
        contents.release(first);
        assert_eq!(contents.take(6000).unwrap(), first);
        assert_eq!(contents.held(), 2 * 8192);
        assert_eq!(contents.get(first).len(), 6000);
    }

    #[test]
    fn free_buffers_give_their_memory_back() {
        let mut contents = Contents::default();
        let all: Vec<_> = (0..10).map(|_| contents.take(4096).unwrap()).collect();
        all.iter().skip(1).for_each(|content| contents.release(*content));
        contents.shrink_to(5 * 4096);
        assert_eq!(contents.held(), 5 * 4096);
        contents.shrink_to(0);
        assert_eq!(contents.held(), 4096);
        let large = contents.take(100_000).unwrap();
        assert_eq!(contents.get(large).len(), 100_000);
    }
}
