//! The destinations of records: plain vectors, and packlens' output.

use packlens::{Append, Error, ErrorKind, Result};

/// Appends the fields one by one; a vector that cannot grow ends the program.
#[derive(Default)]
pub struct Fields(pub Vec<u8>);

impl Append for Fields {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn varint(&mut self, mut value: u64) -> Result<()> {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        Ok(())
    }
}

/// Returns an error if the vector cannot grow, as packlens does.
#[derive(Default)]
pub struct FallibleFields(pub Vec<u8>);

impl Append for FallibleFields {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.try_reserve(bytes.len()).map_err(|_| no_memory())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn varint(&mut self, mut value: u64) -> Result<()> {
        self.0.try_reserve(10).map_err(|_| no_memory())?;
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        Ok(())
    }
}

/// Appends byte by byte.
#[derive(Default)]
pub struct Bytes(pub Vec<u8>);

impl Append for Bytes {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        for byte in bytes {
            self.0.push(*byte);
        }
        Ok(())
    }
}

#[cold]
fn no_memory() -> Error {
    Error::new(ErrorKind::Limit, "out of memory")
}
