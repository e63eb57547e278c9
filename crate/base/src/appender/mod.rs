//! Writes records one after the other. A reader never sees half a record.

use crate::error::{Error, ErrorKind, Result};
use crate::oid::ObjectId;
use std::ops::Range;

mod copy;
mod output;
mod reserved;

pub use copy::{copy, copy_first};
pub use output::Output;
pub use reserved::Filler;

/// The most bytes of a number in groups of 7 bits.
const MAX_VARINT_LEN: usize = 10;

/// Writes a number in groups of 7 bits; returns the number of groups.
#[inline]
fn write_varint(mut value: u64, to: &mut [u8; MAX_VARINT_LEN]) -> usize {
    let mut length = 0_usize;
    for byte in to {
        length = length.saturating_add(1);
        *byte = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            break;
        }
        *byte |= 0x80;
    }
    length
}

#[cold]
fn no_memory() -> Error {
    Error::new(ErrorKind::Limit, "out of memory")
}

/// The methods of whatever fields are appended to.
pub trait Append {
    /// Appends bytes unchanged.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if they do not fit.
    fn bytes(&mut self, bytes: &[u8]) -> Result<()>;

    /// Appends one byte.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn u8(&mut self, value: u8) -> Result<()> {
        self.bytes(&[value])
    }

    /// Appends 4 bytes in little-endian order, as JavaScript's typed arrays have them.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn u32(&mut self, value: u32) -> Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends 8 bytes in little-endian order.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn u64(&mut self, value: u64) -> Result<()> {
        self.bytes(&value.to_le_bytes())
    }

    /// Appends a number in groups of 7 bits, the lowest first.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn varint(&mut self, value: u64) -> Result<()> {
        let mut bytes = [0; MAX_VARINT_LEN];
        let length = write_varint(value, &mut bytes);
        self.bytes(bytes.get(..length).unwrap_or(&bytes))
    }

    /// Appends the bytes of an object id.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn oid(&mut self, id: &ObjectId) -> Result<()> {
        self.bytes(id.as_bytes())
    }

    /// Appends a length as in [`Append::u32`], then that many bytes.
    ///
    /// # Errors
    ///
    /// As [`Append::bytes`].
    fn string(&mut self, bytes: &[u8]) -> Result<()> {
        self.u32(u32::try_from(bytes.len()).map_err(|_| no_memory())?)?;
        self.bytes(bytes)
    }
}

/// Appends to an [`Output`], which grows as needed.
///
/// Appended bytes are published by [`flush`](Appender::flush), or when the appender is dropped.
pub struct Appender<'a> {
    output: &'a mut Output,
    at: usize,
}

impl Appender<'_> {
    /// Publishes all appended bytes.
    pub fn flush(&mut self) {
        self.output.length = self.at;
    }

    /// Drops what was appended since the last flush.
    pub fn discard(mut self) {
        self.rewind(0);
    }

    /// Appends `length` bytes for the caller to fill; their content is undefined.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if memory does not suffice.
    #[inline]
    pub fn space(&mut self, length: usize) -> Result<&mut [u8]> {
        let start = self.at;
        let end = start.checked_add(length).ok_or_else(no_memory)?;
        if end > self.output.bytes.len() {
            self.output.enlarge(end)?;
        }
        self.at = end;
        self.output.bytes.get_mut(start..end).ok_or_else(no_memory)
    }

    /// Lets `write` append at most `length` bytes, whose room is checked here, once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if memory does not suffice; those of `write`.
    #[inline]
    pub fn reserved<T>(
        &mut self,
        length: usize,
        write: impl FnOnce(&mut Filler<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut filler = Filler::new(self.space(length)?);
        let written = write(&mut filler);
        let left = filler.left();
        self.at = self.at.saturating_sub(left);
        written
    }

    /// Returns the offset of the next byte from the start of the output.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the bytes that were appended from `position` on, and are not published yet.
    pub fn since(&mut self, position: usize) -> &mut [u8] {
        self.output.bytes.get_mut(position.max(self.output.length)..self.at).unwrap_or_default()
    }

    /// Drops the bytes after `position` that are not published yet.
    pub fn rewind(&mut self, position: usize) {
        self.at = position.clamp(self.output.length, self.at);
        self.output.overwritten_from(self.at);
    }

    /// Returns a number that identifies the bytes so far: while it stays the same,
    /// [`Appender::space_after`] can return them.
    pub fn stamp(&mut self) -> u64 {
        self.output.stamp(self.at)
    }

    /// Returns the bytes of `range`, if they were appended under `stamp` and not overwritten.
    pub fn stamped(&self, stamp: u64, range: &Range<usize>) -> Option<&[u8]> {
        self.output.stamped(stamp, range)
    }

    /// As [`Appender::space`], together with the bytes of `range`; `None` if those were
    /// overwritten since `stamp`.
    pub fn space_after(
        &mut self,
        length: usize,
        stamp: u64,
        range: &Range<usize>,
    ) -> Result<Option<(&[u8], &mut [u8])>> {
        if self.output.stamped(stamp, range).is_none() || range.end > self.at {
            return Ok(None);
        }
        let start = self.at;
        self.space(length)?;
        let (before, after) =
            self.output.bytes.split_at_mut_checked(start).ok_or_else(no_memory)?;
        Ok(before.get(range.clone()).zip(after.get_mut(..length)))
    }

    /// Returns how many bytes of memory the output takes.
    pub fn capacity(&self) -> u64 {
        self.output.bytes.len() as u64
    }

    /// Returns how many bytes of memory the output takes while it grows by `more` bytes: a
    /// buffer that is too small exists together with the new one.
    pub fn peak(&self, more: u64) -> u64 {
        let more = usize::try_from(more).unwrap_or(usize::MAX);
        let grown = self.output.grown(self.at.saturating_add(more)) as u64;
        match grown > self.capacity() {
            true => grown.saturating_add(self.capacity()),
            false => grown,
        }
    }
}

impl Append for Appender<'_> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        copy(bytes, self.space(bytes.len())?);
        Ok(())
    }

    #[inline]
    fn varint(&mut self, value: u64) -> Result<()> {
        let start = self.at;
        let room = self.space(MAX_VARINT_LEN)?.first_chunk_mut().ok_or_else(no_memory)?;
        self.at = start.saturating_add(write_varint(value, room));
        Ok(())
    }
}

impl Drop for Appender<'_> {
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

    const RECORDS: &[u8] =
        &[1, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xac, 2, 4, 0, 0, 0, b'f', b'o', b'u', b'r'];

    #[test]
    fn both_forms_write_the_same() {
        let mut output = Output::default();
        records(&mut output.appender()).unwrap();
        output.appender().reserved(100, |to| records(to)).unwrap();
        assert_eq!(output.as_slice(), [RECORDS, RECORDS].concat());
    }

    #[test]
    fn a_number_takes_the_bytes_of_its_groups_wherever_room_ends() {
        for (value, bytes) in [
            (0, &[0][..]),
            (127, &[127]),
            (128, &[0x80, 1]),
            (u64::MAX, &[255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
        ] {
            for room in 0..20 {
                let mut output = Output::default();
                let written = output.appender().reserved(room, |to| to.varint(value));
                assert_eq!(written.is_ok(), room >= bytes.len(), "{value} in {room}");
                let expected = if written.is_ok() { bytes } else { &[] };
                assert_eq!(output.as_slice(), expected, "{value} in {room}");
            }
            let mut output = Output::default();
            output.appender().varint(value).unwrap();
            output.appender().varint(value).unwrap();
            assert_eq!(output.as_slice(), [bytes, bytes].concat());
        }
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
        output.appender().reserved(2, |to| to.u8(3)).unwrap();
        assert_eq!(output.as_slice(), [1, 3]);
    }

    #[test]
    fn an_early_return_publishes_what_was_appended() {
        let mut output = Output::default();
        let failed = output.appender().reserved(6, |to| {
            to.u32(7)?;
            to.u32(8)
        });
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(output.as_slice(), [7, 0, 0, 0]);
    }

    #[test]
    fn exceeding_a_reservation_stays_an_error() {
        let mut output = Output::default();
        let written = output.appender().reserved(3, |to| {
            assert!(to.u32(1).is_err());
            assert!(to.u64(1).is_err());
            Ok(())
        });
        assert!(written.is_ok());
        assert!(output.is_empty());
    }

    #[test]
    fn overwritten_bytes_are_not_returned() {
        let mut output = Output::default();
        let mut appender = output.appender();
        appender.bytes(b"base").unwrap();
        let stamp = appender.stamp();
        appender.bytes(b"later").unwrap();
        appender.rewind(4);
        let (base, space) = appender.space_after(9, stamp, &(0..4)).unwrap().unwrap();
        assert_eq!((base, space.len()), (&b"base"[..], 9));
        assert!(appender.space_after(1, stamp.wrapping_add(1), &(0..4)).unwrap().is_none());
        appender.rewind(3);
        assert!(appender.space_after(1, stamp, &(0..3)).unwrap().is_none());
        drop(appender);

        let mut other = Output::default();
        let (first, second) = (output.appender().stamp(), other.appender().stamp());
        assert_ne!(first, second);
        assert_eq!(output.stamped(first, &(0..3)), Some(&b"bas"[..]));
        assert_eq!(output.stamped(second, &(0..3)), None);
        output.truncate(0);
        assert_eq!(output.stamped(first, &(0..3)), None);
    }

    #[test]
    fn an_output_no_memory_can_hold_is_refused() {
        let mut output = Output::default();
        assert_eq!(
            output.appender().reserved(usize::MAX, |_| Ok(())).unwrap_err().kind(),
            ErrorKind::Limit
        );
        assert!(output.appender().space(usize::MAX).is_err());
        records(&mut output.appender()).unwrap();
        assert_eq!(output.as_slice(), RECORDS);
    }
}
