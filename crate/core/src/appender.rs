//! Writing records one after the other: nothing half-written is ever seen.

use crate::error::{Error, ErrorKind, Result};
use crate::oid::ObjectId;

/// A buffer that is written through appenders, and used again and again.
///
/// Its memory is initialised once, when it grows. What counts as written is
/// what an appender has published.
#[derive(Default)]
pub struct Output {
    bytes: Vec<u8>,
    length: usize,
}

impl Output {
    /// Returns what was published.
    pub fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Returns how many bytes were published.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Tells whether nothing was published.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns how many bytes of memory this takes.
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Returns what was published, as a vector of its own.
    pub fn into_vec(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Forgets what was published behind `length`.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Forgets what was published, and gives memory beyond `keep` bytes back.
    pub fn clear(&mut self, keep: usize) {
        self.length = 0;
        if self.bytes.len() > keep {
            self.bytes = Vec::new();
        }
    }

    /// Opens an appender that checks and grows with each record.
    ///
    /// While it is open nobody else can write, and no one can read:
    ///
    /// ```compile_fail,E0499
    /// let mut output = packlens::Output::default();
    /// let appender = output.appender();
    /// output.truncate(0);
    /// drop(appender);
    /// ```
    pub fn appender(&mut self) -> Appender<'_> {
        Appender {
            at: self.length,
            output: self,
        }
    }

    /// Opens an appender for at most `length` bytes, checked once, here.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for them.
    pub fn reserved(&mut self, length: usize) -> Result<ReservedAppender<'_>> {
        let start = self.length;
        self.grow(length)?;
        let rest = self
            .bytes
            .get_mut(start..)
            .and_then(|rest| rest.get_mut(..length));
        let filler = Filler::new(rest.unwrap_or_default());
        let end = start.saturating_add(length);
        Ok(ReservedAppender {
            published: &mut self.length,
            end,
            filler,
        })
    }

    /// Makes sure that `more` bytes behind the published ones are initialised.
    fn grow(&mut self, more: usize) -> Result<()> {
        let needed = self.length.checked_add(more).ok_or_else(no_memory)?;
        if needed > self.bytes.len() {
            self.enlarge(needed)?;
        }
        Ok(())
    }

    #[cold]
    fn enlarge(&mut self, needed: usize) -> Result<()> {
        let have = self.bytes.len();
        let grown = needed.max(have.saturating_add(have / 2)).max(4096);
        let mut size = grown;
        if self
            .bytes
            .try_reserve_exact(grown.saturating_sub(have))
            .is_err()
        {
            size = needed;
            self.bytes
                .try_reserve_exact(needed.saturating_sub(have))
                .map_err(|_| no_memory())?;
        }
        self.bytes.resize(size, 0);
        Ok(())
    }
}

#[cold]
fn no_memory() -> Error {
    Error::new(ErrorKind::Limit, "out of memory")
}

/// What both forms of appender can do.
pub trait Append {
    /// Appends bytes as they are.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no room.
    fn bytes(&mut self, bytes: &[u8]) -> Result<()>;

    /// Appends one byte.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn u8(&mut self, value: u8) -> Result<()> {
        self.bytes(&[value])
    }

    /// Appends 4 bytes, low ones first, as JavaScript's typed arrays have them.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn u32(&mut self, value: u32) -> Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends 8 bytes, low ones first.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn u64(&mut self, value: u64) -> Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a number in groups of 7 bits, low ones first.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn varint(&mut self, mut value: u64) -> Result<()> {
        while value > 0x7f {
            self.u8((value & 0x7f) as u8 | 0x80)?;
            value >>= 7;
        }
        self.u8(value as u8)
    }

    /// Appends the bytes of an object id.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn oid(&mut self, id: &ObjectId) -> Result<()> {
        self.bytes(id.as_bytes())
    }

    /// Appends a length, then that many bytes.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn string(&mut self, bytes: &[u8]) -> Result<()> {
        self.u32(u32::try_from(bytes.len()).map_err(|_| no_memory())?)?;
        self.bytes(bytes)
    }
}

/// Appends to an [`Output`], which grows as it must.
///
/// What was appended is published by [`flush`](Appender::flush) or when the
/// appender is dropped.
pub struct Appender<'a> {
    output: &'a mut Output,
    at: usize,
}

impl Appender<'_> {
    /// Publishes what was appended so far.
    pub fn flush(&mut self) {
        self.output.length = self.at;
    }

    /// Drops what was appended since the last flush.
    pub fn discard(mut self) {
        self.at = self.output.length;
    }

    /// Appends `length` bytes for the caller to fill; they may hold anything.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for them.
    pub fn space(&mut self, length: usize) -> Result<&mut [u8]> {
        let start = self.at;
        let end = start.checked_add(length).ok_or_else(no_memory)?;
        if end > self.output.bytes.len() {
            self.output.enlarge(end)?;
        }
        self.at = end;
        self.output.bytes.get_mut(start..end).ok_or_else(no_memory)
    }

    /// Returns where the next byte goes, counted from the output's beginning.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns what was appended from `position` on, to be filled in.
    pub fn since(&mut self, position: usize) -> &mut [u8] {
        self.output
            .bytes
            .get_mut(position.max(self.output.length)..self.at)
            .unwrap_or_default()
    }

    /// Drops what was appended behind `position`, if it is not published yet.
    pub fn rewind(&mut self, position: usize) {
        self.at = position.clamp(self.output.length, self.at);
    }

    /// Returns how many bytes of memory the output takes.
    pub fn capacity(&self) -> u64 {
        self.output.bytes.len() as u64
    }
}

impl Append for Appender<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.space(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }
}

impl Drop for Appender<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

/// Writes into a stretch of memory whose length was checked up front.
pub struct Filler<'a> {
    rest: &'a mut [u8],
}

impl<'a> Filler<'a> {
    /// Starts at the beginning of `space`.
    pub fn new(space: &'a mut [u8]) -> Filler<'a> {
        Filler { rest: space }
    }
}

impl Append for Filler<'_> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() > self.rest.len() {
            return Err(Error::new(
                ErrorKind::Limit,
                "more was appended than reserved",
            ));
        }
        let (now, later) = std::mem::take(&mut self.rest).split_at_mut(bytes.len());
        now.copy_from_slice(bytes);
        self.rest = later;
        Ok(())
    }
}

/// Appends to a stretch of an [`Output`] whose length was checked up front.
pub struct ReservedAppender<'a> {
    published: &'a mut usize,
    end: usize,
    filler: Filler<'a>,
}

impl ReservedAppender<'_> {
    /// Publishes what was appended so far.
    pub fn flush(&mut self) {
        *self.published = self.end.saturating_sub(self.filler.rest.len());
    }
}

impl Append for ReservedAppender<'_> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.filler.bytes(bytes)
    }
}

impl Drop for ReservedAppender<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(to: &mut impl Append) -> Result<()> {
        to.u8(1)?;
        to.u32(2)?;
        to.u64(3)?;
        to.varint(300)?;
        to.string(b"four")
    }

    const RECORDS: &[u8] = &[
        1, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xac, 2, 4, 0, 0, 0, b'f', b'o', b'u', b'r',
    ];

    #[test]
    fn both_forms_write_the_same() {
        let mut output = Output::default();
        records(&mut output.appender()).unwrap();
        records(&mut output.reserved(100).unwrap()).unwrap();
        assert_eq!(output.as_slice(), [RECORDS, RECORDS].concat());
    }

    #[test]
    fn nothing_is_seen_before_it_is_published() {
        let mut output = Output::default();
        let mut appender = output.appender();
        appender.u8(1).unwrap();
        appender.flush();
        appender.u8(2).unwrap();
        appender.discard();
        assert_eq!(output.as_slice(), [1]);
        let mut reserved = output.reserved(2).unwrap();
        reserved.u8(3).unwrap();
        drop(reserved);
        assert_eq!(output.as_slice(), [1, 3]);
    }

    #[test]
    fn an_early_return_publishes_what_was_appended() {
        let mut output = Output::default();
        let failed = (|| -> Result<()> {
            let mut reserved = output.reserved(6)?;
            reserved.u32(7)?;
            reserved.u32(8)
        })();
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(output.as_slice(), [7, 0, 0, 0]);
    }

    #[test]
    fn over_running_a_reservation_is_an_error_and_stays_one() {
        let mut output = Output::default();
        let mut reserved = output.reserved(3).unwrap();
        assert!(reserved.u32(1).is_err());
        assert!(reserved.u64(1).is_err());
        drop(reserved);
        assert!(output.is_empty());
    }

    #[test]
    fn an_output_no_memory_can_hold_is_refused() {
        let mut output = Output::default();
        assert_eq!(
            output.reserved(usize::MAX).err().unwrap().kind(),
            ErrorKind::Limit
        );
        assert!(output.appender().space(usize::MAX).is_err());
        records(&mut output.appender()).unwrap();
        assert_eq!(output.as_slice(), RECORDS);
    }
}
