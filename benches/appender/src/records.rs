//! The appended values: fields of rows.

use packlens::{Append, HashKind, ObjectId, Result};

/// A number of 1 to 5 bytes, an id, a name of 4 to 35 bytes, and a mode.
pub struct Record {
    size: u64,
    id: ObjectId,
    name: Vec<u8>,
    mode: u32,
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// More than any record takes.
pub const MOST: usize = 10 + 20 + 4 + 35 + 4;

pub fn records() -> Vec<Record> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let record = |_| {
        let id: Vec<u8> = (0..20).map(|_| next() as u8).collect();
        Record {
            size: next() >> (32 + next() % 32),
            id: ObjectId::from_bytes(HashKind::Sha1, &id).unwrap(),
            name: (0..4 + next() % 32).map(|_| b'a' + (next() % 26) as u8).collect(),
            mode: 0o100_644,
        }
    };
    (0..1024).map(record).collect()
}

impl Record {
    #[inline]
    pub fn write(&self, to: &mut impl Append) -> Result<()> {
        to.varint(self.size)?;
        to.oid(&self.id)?;
        to.string(&self.name)?;
        to.u32(self.mode)
    }

    /// Writes the id in hexadecimal digits, and a line feed.
    #[inline]
    pub fn write_line(&self, line: &mut [u8]) {
        line.fill(b'\n');
        for (pair, byte) in line.chunks_exact_mut(2).zip(self.id.as_bytes()) {
            pair.copy_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 0xf)]]);
        }
    }
}
