//! One block of a reftable: records sorted by key, each key without the prefix that it shares
//! with the key before. Restart points are records with whole keys; a table at the end of the
//! block has their offsets.

use super::layout::Layout;
use super::record::{Fields, Value};
use packlens_base::block::{BlockSource, FileId};
use packlens_base::error::{Error, Result};
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::HashKind;
use std::borrow::Cow;
use std::ops::Range;

/// The bytes before the records: the block's type (1) and length (3).
pub(super) const HEAD_LEN: usize = 4;

/// The bytes after the restart points: their count.
pub(super) const COUNT_LEN: usize = 2;

/// The bytes of a restart point.
pub(super) const RESTART_LEN: usize = 3;

/// The block length that is assumed for reads if the table does not have a block size.
const USUAL_LEN: u64 = 4096;

/// The type of a block's records.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum BlockKind {
    Refs,
    Objects,
    Logs,
    Index,
}

impl BlockKind {
    pub(super) fn of(byte: u8) -> Option<BlockKind> {
        let kinds = [BlockKind::Refs, BlockKind::Objects, BlockKind::Logs, BlockKind::Index];
        kinds.into_iter().find(|kind| kind.letter() == byte)
    }

    pub(super) fn letter(self) -> u8 {
        match self {
            BlockKind::Refs => b'r',
            BlockKind::Objects => b'o',
            BlockKind::Logs => b'g',
            BlockKind::Index => b'i',
        }
    }
}

/// A block; its bytes are borrowed if they are in one run.
pub(super) struct Block<'a> {
    pub(super) kind: BlockKind,
    /// The offset of the block in the file.
    pub(super) position: u64,
    /// The offset of the next block.
    pub(super) next: u64,
    /// The bytes from the position to the end of the restart points.
    bytes: Cow<'a, [u8]>,
    records: Range<usize>,
    restarts: Range<usize>,
    hash: HashKind,
    file: FileId,
}

/// The current record of a block, and the offset of the next one.
#[derive(Default)]
pub(super) struct RecordPosition {
    pub(super) key: Vec<u8>,
    pub(super) value: Option<Value>,
    next: usize,
    /// The number of the next restart point and the offset of its record. Tracked so that a
    /// restart point inside a record is noticed.
    restart: usize,
    restart_at: usize,
}

impl<'a> Block<'a> {
    /// Reads the block at `position`.
    ///
    /// # Errors
    ///
    /// Missing bytes, all of the block at once as far as its length is known;
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the block is malformed.
    pub fn read<S: BlockSource>(
        source: &'a S,
        layout: &Layout,
        position: u64,
        inflater: &mut Option<Inflater>,
        limits: &Limits,
    ) -> Result<Block<'a>> {
        let corrupt = |what| source.corrupt(what, position);
        let skip = layout.skip(position);
        let begin = skip.saturating_add(HEAD_LEN);
        let left = layout.end.checked_sub(position).filter(|left| *left > begin as u64);
        let left = left.ok_or_else(|| corrupt("a block begins after the end of its reftable"))?;
        let usual = if layout.block_size == 0 { USUAL_LEN } else { layout.block_size };
        let head = source
            .array_at(position.saturating_add(skip as u64))
            .map_err(|error| error.widened(usual.min(left)))?;
        let [letter, high, middle, low]: [u8; HEAD_LEN] = head;
        let kind = BlockKind::of(letter)
            .ok_or_else(|| corrupt("a block of a reftable has an unknown type"))?;
        let length = u32::from_be_bytes([0, high, middle, low]) as usize;
        let mut block = Block {
            kind,
            position,
            next: position.saturating_add(length as u64),
            bytes: Cow::Borrowed(&[]),
            records: begin..begin,
            restarts: begin..begin,
            hash: layout.hash,
            file: source.file(),
        };
        if kind == BlockKind::Logs {
            let bytes = limits.buffer(length as u64)?;
            block.inflate(source, layout.end, begin, bytes, inflater.get_or_insert_default())?;
        } else {
            if length as u64 > left {
                return Err(corrupt("a block is longer than its reftable"));
            }
            block.bytes = lent(source, position, length, limits)?;
            block.next = next_block(source, layout, block.next, position)?;
        }
        block.find_restarts()?;
        Ok(block)
    }

    /// Fills `bytes` with a log block: copies the head and inflates the records.
    fn inflate<S: BlockSource>(
        &mut self,
        source: &S,
        end: u64,
        begin: usize,
        mut bytes: Vec<u8>,
        inflater: &mut Inflater,
    ) -> Result<()> {
        let (head, records) = bytes
            .split_at_mut_checked(begin)
            .ok_or_else(|| source.corrupt("a block of a reftable is too short", self.position))?;
        source.read_at(self.position, head)?;
        let start = self.position.saturating_add(begin as u64);
        self.next = inflater.inflate(source, start, records)?;
        if self.next > end {
            return Err(source.corrupt("a block is longer than its reftable", self.position));
        }
        self.bytes = Cow::Owned(bytes);
        Ok(())
    }

    fn find_restarts(&mut self) -> Result<()> {
        let too_short = || self.corrupt("a block of a reftable has no restart points");
        let (rest, count) = self.bytes.split_last_chunk::<COUNT_LEN>().ok_or_else(too_short)?;
        let count = usize::from(u16::from_be_bytes(*count));
        let start = count.checked_mul(RESTART_LEN).and_then(|table| rest.len().checked_sub(table));
        let start = start.filter(|start| *start > self.records.start && count > 0);
        let (start, end) = (start.ok_or_else(too_short)?, rest.len());
        self.records.end = start;
        self.restarts = start..end;
        Ok(())
    }

    /// Returns the bytes of a value.
    pub(super) fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// Moves before the first record. If `place` is at the last record of the block before,
    /// its key stays, and the first record must come after it.
    pub(super) fn begin(&self, place: &mut RecordPosition) {
        place.next = self.records.start;
        place.value = None;
        place.restart = 0;
        place.restart_at = self.restart_offset(0);
    }

    /// Moves to a restart point.
    fn restart_from(&self, place: &mut RecordPosition, number: usize) -> Result<()> {
        place.key.clear();
        place.value = None;
        place.next = self.restart(number)?.0;
        place.restart = number;
        place.restart_at = place.next;
        Ok(())
    }

    /// Moves to the next record; returns `false` after the last.
    ///
    /// # Errors
    ///
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if there is no record, or if its key is not
    /// after the key before.
    #[inline]
    pub(super) fn step(&self, place: &mut RecordPosition) -> Result<bool> {
        let at = place.next;
        // The first record has none before it, and restart points have whole keys.
        let is_whole = at == self.records.start || at == place.restart_at;
        if at >= place.restart_at {
            if at > place.restart_at {
                return Err(self.corrupt("no record begins at a restart point"));
            }
            place.restart = place.restart.saturating_add(1);
            place.restart_at = self.restart_offset(place.restart);
        }
        if at >= self.records.end {
            place.value = None;
            return Ok(false);
        }
        let moved = self.step_to(place, is_whole).ok_or_else(|| self.damaged(at))?;
        match moved {
            true => Ok(true),
            false => Err(self.corrupt_at("the keys of a reftable are out of order", at)),
        }
    }

    /// Decodes the next record. Returns `None` if it is malformed, `Some(false)` if it is out
    /// of order.
    #[inline]
    fn step_to(&self, place: &mut RecordPosition, is_whole: bool) -> Option<bool> {
        let bytes = self.bytes.get(..self.records.end)?;
        let mut fields = Fields::new(bytes, place.next);
        let (prefix, suffix, extra) = key_lengths(&mut fields)?;
        let suffix = bytes.get(fields.take(suffix)?)?;
        let prefix = usize::try_from(prefix).ok()?;
        if suffix.is_empty() || (is_whole && prefix > 0) {
            return None;
        }
        let ascends = suffix > place.key.get(prefix..)?;
        place.key.truncate(prefix);
        place.key.extend_from_slice(suffix);
        place.value = Some(Value::read(&mut fields, self.kind, extra, self.hash)?);
        place.next = fields.at();
        Some(ascends)
    }

    /// Moves to the first record with a key at or after `key`; returns `false` if there is
    /// none.
    ///
    /// The second value is the block that the index record before it points to.
    ///
    /// # Errors
    ///
    /// As [`Block::step`], for the records that are read.
    pub(super) fn seek(
        &self,
        place: &mut RecordPosition,
        key: &[u8],
    ) -> Result<(bool, Option<u64>)> {
        let (mut low, mut high) = (0, self.restart_count());
        while low < high {
            let middle = low.midpoint(high);
            let (_, found) = self.restart(middle)?;
            match found <= key {
                true => low = middle.saturating_add(1),
                false => high = middle,
            }
        }
        place.key.clear();
        self.begin(place);
        if let Some(number) = low.checked_sub(1) {
            self.restart_from(place, number)?;
        }
        let mut before = None;
        loop {
            let found = self.step(place)?;
            if !found || place.key.as_slice() >= key {
                return Ok((found, before));
            }
            before = place.block();
        }
    }

    /// Moves to the last record.
    ///
    /// # Errors
    ///
    /// As [`Block::step`].
    pub(super) fn seek_last(&self, place: &mut RecordPosition) -> Result<()> {
        self.restart_from(place, self.restart_count().saturating_sub(1))?;
        self.to_last(place)
    }

    /// Checks every record and every restart point. Moves to the last record, and returns the
    /// first key.
    ///
    /// # Errors
    ///
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) if one is malformed or out of order.
    pub fn check(&self, place: &mut RecordPosition) -> Result<Vec<u8>> {
        place.key.clear();
        self.begin(place);
        self.step(place)?;
        let first = place.key.clone();
        self.to_last(place)?;
        Ok(first)
    }

    /// Moves forward to the last record.
    fn to_last(&self, place: &mut RecordPosition) -> Result<()> {
        let mut last = place.value.take();
        while self.step(place)? {
            last = place.value.take();
        }
        place.value = last;
        Ok(())
    }

    fn restart_count(&self) -> usize {
        self.restarts.len().checked_div(RESTART_LEN).unwrap_or(0)
    }

    /// Returns the record offset of a restart point; `usize::MAX` if there is no such restart
    /// point.
    fn restart_offset(&self, number: usize) -> usize {
        let read = || {
            let table = self.bytes.get(self.restarts.clone())?;
            let entry = table.get(number.checked_mul(RESTART_LEN)?..)?.first_chunk()?;
            let [high, middle, low]: [u8; RESTART_LEN] = *entry;
            Some(u32::from_be_bytes([0, high, middle, low]) as usize)
        };
        read().unwrap_or(usize::MAX)
    }

    /// Returns the record offset and the key of a restart point.
    fn restart(&self, number: usize) -> Result<(usize, &[u8])> {
        let read = |at: usize| {
            let bytes = self.bytes.get(..self.records.end)?;
            let mut fields = Fields::new(bytes, at);
            let (prefix, suffix, _) = key_lengths(&mut fields)?;
            let key = bytes.get(fields.take(suffix)?)?;
            (prefix == 0 && at >= self.records.start).then_some((at, key))
        };
        read(self.restart_offset(number))
            .ok_or_else(|| self.corrupt("no record begins at a restart point"))
    }

    #[cold]
    fn damaged(&self, at: usize) -> Error {
        self.corrupt_at("a record of a reftable is damaged", at)
    }

    /// Creates an error for an offset in the block. Log blocks are deflated, so only the
    /// offset of the block is meaningful in the file.
    #[cold]
    fn corrupt_at(&self, what: &'static str, at: usize) -> Error {
        let at = if self.kind == BlockKind::Logs { 0 } else { at };
        Error::corrupt(what, self.file, self.position.saturating_add(at as u64))
    }

    /// Creates an error about the block.
    #[cold]
    pub(super) fn corrupt(&self, what: &'static str) -> Error {
        self.corrupt_at(what, 0)
    }
}

impl RecordPosition {
    /// Returns the offset of the block that an index record points to.
    pub(super) fn block(&self) -> Option<u64> {
        match self.value {
            Some(Value::Index(position)) => Some(position),
            _ => None,
        }
    }
}

/// Reads the length of the prefix shared with the key before, the length of the rest, and the
/// 3 extra bits.
#[inline]
fn key_lengths(fields: &mut Fields<'_>) -> Option<(u64, u64, u8)> {
    let prefix = fields.varint()?;
    let suffix = fields.varint()?;
    Some((prefix, suffix >> 3, (suffix & 7) as u8))
}

/// Returns bytes of a file: borrowed if they are in one run, else copied.
fn lent<'a, S: BlockSource>(
    source: &'a S,
    position: u64,
    length: usize,
    limits: &Limits,
) -> Result<Cow<'a, [u8]>> {
    let run = source.run_at(position).map_err(|error| error.widened(length as u64))?;
    if let Some(bytes) = run.get(..length) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut bytes = limits.buffer(length as u64)?;
    source.read_at(position, &mut bytes)?;
    Ok(Cow::Owned(bytes))
}

/// Returns the offset of the block after one that ends at `end`: the aligned offset if zeros
/// pad the block, else `end`.
fn next_block<S: BlockSource>(source: &S, layout: &Layout, end: u64, position: u64) -> Result<u64> {
    let length = end.saturating_sub(position);
    let Some(over) = length.checked_rem(layout.block_size).filter(|over| *over > 0) else {
        return Ok(end);
    };
    if end < layout.end && source.array_at::<1>(end)? != [0] {
        return Ok(end);
    }
    Ok(end.saturating_add(layout.block_size.saturating_sub(over)))
}
