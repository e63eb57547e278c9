//! Writes one block of a reftable.

use super::super::block::{BlockKind, COUNT_LEN, HEAD_LEN, RESTART_LEN};
use packlens_base::deflate::deflate;
use packlens_base::error::Result;

/// The longest block in bytes: the length field has three bytes.
const MAX_LEN: usize = 0xff_ffff;

/// A block under construction.
pub(super) struct BlockWriter {
    pub(super) kind: BlockKind,
    /// The key of the last record.
    pub(super) last: Vec<u8>,
    bytes: Vec<u8>,
    /// The offset of the block's head: after the file header in the first block, else 0.
    head: usize,
    restarts: Vec<usize>,
    records: usize,
}

impl BlockWriter {
    /// Starts a block; `header` is the file header in the first block, else empty.
    pub fn new(kind: BlockKind, header: &[u8]) -> BlockWriter {
        let head = [header, &[kind.letter(), 0, 0, 0]].concat();
        BlockWriter {
            kind,
            last: Vec::new(),
            bytes: head,
            head: header.len(),
            restarts: Vec::new(),
            records: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Adds a record, unless the block would become longer than `limit`; returns whether it
    /// was added. Every `interval`th key is written whole.
    pub(super) fn add(
        &mut self,
        record: &super::Record<'_>,
        interval: usize,
        limit: usize,
    ) -> bool {
        let turn = self.records.checked_rem(interval).unwrap_or(0) == 0;
        let same = |(one, other): &(&u8, &u8)| one == other;
        let prefix = match turn {
            true => 0,
            false => self.last.iter().zip(record.key).take_while(same).count(),
        };
        // Every record with a whole key becomes a restart point, as in git.
        let is_restart = prefix == 0 && self.restarts.len() < 0xffff;
        let suffix = record.key.get(prefix..).unwrap_or_default();
        let start = self.bytes.len();
        put_varint(&mut self.bytes, prefix as u64);
        put_varint(&mut self.bytes, (suffix.len() as u64) << 3 | u64::from(record.extra));
        self.bytes.extend_from_slice(suffix);
        self.bytes.extend_from_slice(record.value);
        let restarts = self.restarts.len().saturating_add(usize::from(is_restart));
        let table = restarts.saturating_mul(RESTART_LEN).saturating_add(COUNT_LEN);
        if self.bytes.len().saturating_add(table) > limit.min(MAX_LEN) {
            self.bytes.truncate(start);
            return false;
        }
        if is_restart {
            self.restarts.push(start);
        }
        self.records = self.records.saturating_add(1);
        self.last.clear();
        self.last.extend_from_slice(record.key);
        true
    }

    /// Returns the block as it is stored, without padding.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        for restart in &self.restarts {
            let [.., high, middle, low] = (*restart as u32).to_be_bytes();
            self.bytes.extend([high, middle, low]);
        }
        self.bytes.extend((self.restarts.len() as u16).to_be_bytes());
        let [_, length @ ..] = (self.bytes.len() as u32).to_be_bytes();
        let begin = self.head.saturating_add(HEAD_LEN);
        if let Some(place) = self.bytes.get_mut(begin.saturating_sub(length.len())..begin) {
            place.copy_from_slice(&length);
        }
        if self.kind != BlockKind::Logs {
            return Ok(self.bytes);
        }
        let (head, records) = self.bytes.split_at_checked(begin).unwrap_or_default();
        let mut deflated = head.to_vec();
        deflate(records, &mut deflated)?;
        Ok(deflated)
    }
}

/// Writes a number in 7 bits per byte, high bits first: see [`packlens_base::cursor::varint`].
pub(super) fn put_varint(to: &mut Vec<u8>, value: u64) {
    let mut bytes = [0; 10];
    let mut rest = value;
    let mut length = 0_usize;
    for (at, byte) in bytes.iter_mut().rev().enumerate() {
        *byte = (rest & 0x7f) as u8 | if at == 0 { 0 } else { 0x80 };
        length = at.saturating_add(1);
        rest >>= 7;
        if rest == 0 {
            break;
        }
        rest = rest.saturating_sub(1);
    }
    to.extend_from_slice(bytes.get(bytes.len().saturating_sub(length)..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::cursor::varint;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut values: Vec<u64> = (0..64).flat_map(|bits| [1 << bits, (1 << bits) - 1]).collect();
        values.extend([u64::MAX, 0x4080, 0x407f, 0x20_4080, 0x20_407f]);
        for value in values {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            let mut rest = bytes.iter();
            let read = varint(|| rest.next().copied().ok_or(())).unwrap();
            assert_eq!((read, rest.len()), (Some(value), 0), "{value:#x}");
        }
        let mut bytes = Vec::new();
        put_varint(&mut bytes, 300);
        assert_eq!(bytes, [0x81, 0x2c]);
    }
}
