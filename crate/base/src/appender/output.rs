//! The buffer that appenders write to.

use super::{no_memory, Appender};
use crate::error::Result;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A buffer that is written through appenders, and reused.
///
/// Its memory is initialised once, when it grows. Only bytes that an appender has published
/// count as written.
#[derive(Default)]
pub struct Output {
    pub(super) bytes: Vec<u8>,
    pub(super) length: usize,
    /// Identifies the bytes in the buffer; 0 until it is requested.
    stamp: u64,
    /// The end of the bytes that the stamp identifies.
    pub(super) stamped: usize,
}

/// The last stamp of any output.
static STAMP: AtomicU64 = AtomicU64::new(0);

impl Output {
    /// Returns the published bytes.
    pub fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Returns how many bytes are published.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether no bytes are published.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns how many bytes of memory this takes.
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the published bytes as a vector.
    pub fn into_vec(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Drops the published bytes after `length`.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.overwritten_from(self.length);
    }

    /// Returns a number that no other output has. It changes once bytes before `end` can be
    /// overwritten.
    pub(super) fn stamp(&mut self, end: usize) -> u64 {
        if self.stamp == 0 {
            self.stamp = STAMP.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        }
        self.stamped = self.stamped.max(end);
        self.stamp
    }

    /// Returns the bytes of `range` if the output still has this stamp, whether they are
    /// published or not.
    pub fn stamped(&self, stamp: u64, range: &Range<usize>) -> Option<&[u8]> {
        match stamp > 0 && stamp == self.stamp {
            true => self.bytes.get(range.clone()),
            false => None,
        }
    }

    /// Invalidates the stamp if bytes from `at` on are among those it identifies.
    pub(super) fn overwritten_from(&mut self, at: usize) {
        if at < self.stamped {
            (self.stamp, self.stamped) = (0, 0);
        }
    }

    /// Drops the published bytes; frees the memory if it is more than `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        self.truncate(0);
        if self.bytes.len() > keep {
            self.bytes = Vec::new();
        }
    }

    /// Opens an appender that checks the room, and grows the buffer, with each record.
    ///
    /// While it is open, the output can be neither written nor read otherwise:
    ///
    /// ```compile_fail,E0499
    /// let mut output = packlens::Output::default();
    /// let appender = output.appender();
    /// output.truncate(0);
    /// drop(appender);
    /// ```
    pub fn appender(&mut self) -> Appender<'_> {
        Appender { at: self.length, output: self }
    }

    /// Returns the length to which the buffer grows so that `needed` bytes fit.
    pub(super) fn grown(&self, needed: usize) -> usize {
        let have = self.bytes.len();
        match needed <= have {
            true => have,
            false => needed.max(have.saturating_add(have / 2)).max(4096),
        }
    }

    #[cold]
    pub(super) fn enlarge(&mut self, needed: usize) -> Result<()> {
        let have = self.bytes.len();
        let grown = self.grown(needed);
        let mut size = grown;
        if self.bytes.try_reserve_exact(grown.saturating_sub(have)).is_err() {
            size = needed;
            self.bytes.try_reserve_exact(needed.saturating_sub(have)).map_err(|_| no_memory())?;
        }
        self.bytes.resize(size, 0);
        Ok(())
    }
}
