//! Appends to a range of memory whose length was checked once.

use super::{copy, write_varint, Append, MAX_VARINT_LEN};
use crate::error::{Error, ErrorKind, Result};

/// Writes to a range of memory whose length was checked once.
pub struct Filler<'a> {
    rest: &'a mut [u8],
}

impl<'a> Filler<'a> {
    /// Starts at the beginning of `space`.
    pub fn new(space: &'a mut [u8]) -> Filler<'a> {
        Filler { rest: space }
    }

    /// Returns how many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }
}

impl Append for Filler<'_> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.len() > self.rest.len() {
            return Err(Error::new(ErrorKind::Limit, "more was appended than reserved"));
        }
        let (now, later) = std::mem::take(&mut self.rest).split_at_mut(bytes.len());
        copy(bytes, now);
        self.rest = later;
        Ok(())
    }

    #[inline]
    fn varint(&mut self, value: u64) -> Result<()> {
        let mut bytes = [0; MAX_VARINT_LEN];
        let room = self.rest.first_chunk_mut();
        let beyond = room.is_none();
        let length = write_varint(value, room.unwrap_or(&mut bytes));
        if beyond {
            return self.bytes(bytes.get(..length).unwrap_or(&bytes));
        }
        self.rest = std::mem::take(&mut self.rest).get_mut(length..).unwrap_or_default();
        Ok(())
    }
}
