//! Writes reftables as git does.

mod block;
mod objects;

use super::block::BlockKind;
use super::layout::{header_len, MAGIC, OBJECT_KEY_BITS};
use super::logs::{log_key, LogRecord};
use crate::refs::is_refname;
use block::{put_varint, BlockWriter};
use objects::{object_value, Objects};
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::Crc32;
use packlens_base::oid::{HashKind, ObjectId};

/// The most aligned blocks of a section that get no index.
const MOST_WITHOUT_INDEX: usize = 3;

/// Options for writing a reftable.
#[derive(Clone, Copy, Debug)]
pub struct ReftableOptions {
    /// The hash algorithm of the ids.
    pub hash: HashKind,
    /// The largest block, up to 16,777,215 bytes. A log block is longer if one change does not
    /// fit.
    pub block_size: u32,
    /// Whether blocks begin at multiples of `block_size`.
    pub is_aligned: bool,
    /// One key in this many is written whole.
    pub restart_interval: u16,
    /// The update index of the first transaction in the table.
    pub min_update_index: u64,
    /// The update index of the last transaction.
    pub max_update_index: u64,
}

impl ReftableOptions {
    /// Returns git's defaults, for a table of one transaction.
    pub fn new(hash: HashKind, update_index: u64) -> ReftableOptions {
        ReftableOptions {
            hash,
            block_size: 4096,
            is_aligned: true,
            restart_interval: 16,
            min_update_index: update_index,
            max_update_index: update_index,
        }
    }
}

/// The value of a ref in a table.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TableRef<'a> {
    /// The ref was deleted; hides the ref of older tables.
    Deleted,
    /// The ref points at an object that is not a tag, or not known to be one.
    Id(ObjectId),
    /// The ref points at a tag.
    Tag {
        /// The id of the tag.
        id: ObjectId,
        /// The object that the tag peels to.
        peeled: ObjectId,
    },
    /// The ref points at another ref.
    Symbolic(&'a [u8]),
}

/// A table that is being written: first refs, then logs, each in order.
///
/// ```
/// use packlens_base::{HashKind, Limits};
/// use packlens_format::refs::{Reftable, ReftableOptions, ReftableStack, ReftableWriter, TableRef};
///
/// let mut writer = ReftableWriter::new(ReftableOptions::new(HashKind::Sha1, 1))?;
/// writer.add_ref(b"HEAD", 1, TableRef::Symbolic(b"refs/heads/main"))?;
/// let bytes = writer.finish()?;
/// let table = Reftable::open(bytes.as_slice(), HashKind::Sha1, &Limits::default())?;
/// assert!(ReftableStack::of(vec![table]).get(b"HEAD")?.is_some());
/// # Ok::<(), packlens_base::Error>(())
/// ```
pub struct ReftableWriter {
    options: ReftableOptions,
    output: Output,
    /// How many zeros come before the next block, for alignment.
    padding: usize,
    block: Option<BlockWriter>,
    /// The last key and the offset of each block in the current section, or in the current
    /// level of its index.
    blocks: Vec<(Vec<u8>, u64)>,
    objects: Objects,
    places: Places,
    value: Vec<u8>,
}

/// The offsets of the sections for the footer; 0 if a section is missing.
#[derive(Default)]
struct Places {
    ref_index: u64,
    objects: u64,
    object_key_len: usize,
    object_index: u64,
    logs: u64,
    log_index: u64,
}

/// A record to be written.
struct Record<'a> {
    key: &'a [u8],
    /// The 3 bits that are stored with the length of the key.
    extra: u8,
    value: &'a [u8],
}

impl ReftableWriter {
    /// Starts a table.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for options that the format does not allow.
    pub fn new(options: ReftableOptions) -> Result<ReftableWriter> {
        let ReftableOptions { block_size, restart_interval, .. } = options;
        let transactions = options.min_update_index..=options.max_update_index;
        if block_size >> 24 != 0 || restart_interval == 0 || transactions.is_empty() {
            return Err(Error::new(
                ErrorKind::BadInput,
                "the options do not allow a reftable to be written",
            ));
        }
        Ok(ReftableWriter {
            options,
            output: Output::default(),
            padding: 0,
            block: None,
            blocks: Vec::new(),
            objects: Objects::default(),
            places: Places::default(),
            value: Vec::new(),
        })
    }

    /// Adds a ref that was changed by the transaction `update_index`. Refs must be added in
    /// the byte order of their names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for an invalid name or target, an id of another hash, an update
    /// index outside the table's range, or a ref that is out of order; [`ErrorKind::Limit`]
    /// for a ref that is longer than a block.
    pub fn add_ref(&mut self, name: &[u8], update_index: u64, target: TableRef<'_>) -> Result<()> {
        let is_late = self.section().is_some_and(|kind| kind != BlockKind::Refs);
        let ReftableOptions { min_update_index, max_update_index, hash, .. } = self.options;
        let is_id = |id: ObjectId| id.hash() == hash && !id.is_null();
        let is_right = match target {
            TableRef::Deleted => true,
            TableRef::Id(id) => is_id(id),
            TableRef::Tag { id, peeled } => is_id(id) && is_id(peeled),
            TableRef::Symbolic(target) => is_refname(target),
        };
        let in_range = (min_update_index..=max_update_index).contains(&update_index);
        if is_late || !is_right || !in_range || !is_refname(name) {
            return Err(refused("a reftable cannot store this ref", name));
        }
        let mut value = std::mem::take(&mut self.value);
        value.clear();
        put_varint(&mut value, update_index.saturating_sub(min_update_index));
        let extra = match target {
            TableRef::Deleted => 0,
            TableRef::Id(id) => {
                value.extend(id.as_bytes());
                1
            }
            TableRef::Tag { id, peeled } => {
                value.extend(id.as_bytes());
                value.extend(peeled.as_bytes());
                2
            }
            TableRef::Symbolic(target) => {
                put_varint(&mut value, target.len() as u64);
                value.extend(target);
                3
            }
        };
        let added = self.add(BlockKind::Refs, &Record { key: name, extra, value: &value });
        self.value = value;
        added?;
        let position = self.position();
        match target {
            TableRef::Id(id) => self.objects.add(id, position),
            TableRef::Tag { id, peeled } => {
                self.objects.add(id, position);
                self.objects.add(peeled, position);
            }
            TableRef::Deleted | TableRef::Symbolic(_) => {}
        }
        Ok(())
    }

    /// Adds a log record. Refs must come in the order of their names, and the newest change of
    /// each ref first.
    ///
    /// # Errors
    ///
    /// As [`ReftableWriter::add_ref`].
    pub fn add_log(&mut self, log: &LogRecord) -> Result<()> {
        let mut value = Vec::new();
        value.extend(log.old.as_bytes());
        value.extend(log.new.as_bytes());
        let LogRecord { who, email, message, .. } = log;
        for text in [who, email] {
            put_varint(&mut value, text.len() as u64);
            value.extend(text);
        }
        put_varint(&mut value, log.seconds);
        value.extend(log.zone.to_be_bytes());
        put_varint(&mut value, message.len() as u64);
        value.extend(message);
        if log.old.hash() != self.options.hash || log.new.hash() != self.options.hash {
            return Err(refused("a reftable cannot store this log entry", &log.name));
        }
        self.add_log_value(&log.name, log.update_index, 1, &value)
    }

    /// Adds a deletion that hides the log record of older tables. The order is that of
    /// [`ReftableWriter::add_log`].
    ///
    /// # Errors
    ///
    /// As [`ReftableWriter::add_log`].
    pub fn delete_log(&mut self, name: &[u8], update_index: u64) -> Result<()> {
        self.add_log_value(name, update_index, 0, &[])
    }

    fn add_log_value(&mut self, name: &[u8], index: u64, extra: u8, value: &[u8]) -> Result<()> {
        // git repeats log records of older tables under their old update index.
        if !is_refname(name) || index > self.options.max_update_index {
            return Err(refused("a reftable cannot store this log entry", name));
        }
        if self.section() == Some(BlockKind::Refs) {
            self.finish_refs()?;
            // Log blocks are not aligned.
            self.padding = 0;
            self.places.logs = self.position();
        }
        let key = log_key(name, index);
        self.add(BlockKind::Logs, &Record { key: &key, extra, value })
    }

    /// Completes the table and returns its bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if keys are too long for an index, or if there is no memory.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        match self.section() {
            Some(BlockKind::Refs) => self.finish_refs()?,
            Some(_) => self.places.log_index = self.finish_section()?,
            None => {}
        }
        let mut footer = self.header();
        if self.output.is_empty() {
            self.output.appender().bytes(&footer)?;
        }
        let Places { ref_index, objects, object_index, logs, log_index, .. } = self.places;
        let objects = objects << OBJECT_KEY_BITS | self.places.object_key_len as u64;
        for field in [ref_index, objects, object_index, logs, log_index] {
            footer.extend(field.to_be_bytes());
        }
        footer.extend(Crc32::of(&footer).to_be_bytes());
        self.output.appender().bytes(&footer)?;
        Ok(self.output.into_vec())
    }

    /// Returns how many bytes of memory the writer takes.
    pub fn memory(&self) -> u64 {
        self.objects.memory().saturating_add(self.output.capacity() as u64)
    }

    /// Returns the block type of the current section.
    fn section(&self) -> Option<BlockKind> {
        self.block.as_ref().map(|block| block.kind)
    }

    /// Returns the offset of the current block.
    fn position(&self) -> u64 {
        self.output.len().saturating_add(self.padding) as u64
    }

    fn header(&self) -> Vec<u8> {
        let ReftableOptions { hash, block_size, is_aligned, .. } = self.options;
        let mut header = MAGIC.to_vec();
        let version: u32 = if hash == HashKind::Sha1 { 1 } else { 2 };
        let size = if is_aligned { block_size } else { 0 };
        header.extend((version << 24 | size).to_be_bytes());
        header.extend(self.options.min_update_index.to_be_bytes());
        header.extend(self.options.max_update_index.to_be_bytes());
        if hash == HashKind::Sha256 {
            header.extend(b"s256");
        }
        debug_assert_eq!(header.len() as u64, header_len(version as u8));
        header
    }

    fn add(&mut self, kind: BlockKind, record: &Record<'_>) -> Result<()> {
        let before = self.block.as_ref().map(|block| block.last.as_slice());
        let before = before.or_else(|| self.blocks.last().map(|(last, _)| last.as_slice()));
        if before.is_some_and(|before| before >= record.key) {
            return Err(refused("a record comes too late for a reftable", record.key));
        }
        let interval = usize::from(self.options.restart_interval);
        let limit = self.options.block_size as usize;
        if self.block.as_mut().is_some_and(|block| block.add(record, interval, limit)) {
            return Ok(());
        }
        self.flush_block()?;
        let header = if self.output.is_empty() { self.header() } else { Vec::new() };
        let block = self.block.insert(BlockWriter::new(kind, &header));
        let most = if kind == BlockKind::Logs { usize::MAX } else { limit };
        match block.add(record, interval, most) {
            true => Ok(()),
            false => {
                Err(Error::new(ErrorKind::Limit, "a record is longer than a block of a reftable")
                    .about(record.key))
            }
        }
    }

    /// Writes the current block, if it has records.
    fn flush_block(&mut self) -> Result<()> {
        let Some(block) = self.block.take().filter(|block| !block.is_empty()) else {
            return Ok(());
        };
        let (kind, last) = (block.kind, block.last.clone());
        let position = self.position();
        let bytes = block.finish()?;
        let mut appender = self.output.appender();
        appender.space(self.padding)?.fill(0);
        appender.bytes(&bytes)?;
        appender.flush();
        let rest = (self.options.block_size as usize).saturating_sub(bytes.len());
        let is_padded = self.options.is_aligned && kind != BlockKind::Logs;
        self.padding = if is_padded { rest } else { 0 };
        self.blocks.push((last, position));
        Ok(())
    }

    fn finish_refs(&mut self) -> Result<()> {
        self.places.ref_index = self.finish_section()?;
        if self.places.ref_index > 0 && !self.objects.is_empty() {
            self.add_objects()?;
        }
        Ok(())
    }

    /// Completes a section, and writes its index if it needs one. Returns the offset of the
    /// root index block; 0 without an index.
    fn finish_section(&mut self) -> Result<u64> {
        self.flush_block()?;
        let most = if self.options.is_aligned { MOST_WITHOUT_INDEX } else { 1 };
        let mut root = 0;
        while self.blocks.len() > most {
            root = self.position();
            let below = std::mem::take(&mut self.blocks);
            for (key, position) in &below {
                let mut value = Vec::new();
                put_varint(&mut value, *position);
                self.add(BlockKind::Index, &Record { key, extra: 0, value: &value })?;
            }
            self.flush_block()?;
            if self.blocks.len() >= below.len() {
                let what = "names are too long for the blocks of a reftable";
                return Err(Error::new(ErrorKind::Limit, what));
            }
        }
        self.blocks.clear();
        Ok(root)
    }

    fn add_objects(&mut self) -> Result<()> {
        let mut objects = std::mem::take(&mut self.objects);
        objects.sort();
        let key_len = objects.key_len();
        self.places.objects = self.position();
        self.places.object_key_len = key_len;
        for (key, blocks) in objects.keys(key_len) {
            let (extra, value) = object_value(&blocks);
            let record = Record { key, extra, value: &value };
            match self.add(BlockKind::Objects, &record) {
                Err(error) if error.kind() == ErrorKind::Limit => {
                    // Too many blocks to list: readers have to scan all refs.
                    let (extra, value) = object_value(&[]);
                    self.add(BlockKind::Objects, &Record { key, extra, value: &value })?;
                }
                added => added?,
            }
        }
        self.places.object_index = self.finish_section()?;
        Ok(())
    }
}

#[cold]
fn refused(what: &'static str, subject: &[u8]) -> Error {
    Error::new(ErrorKind::BadInput, what).about(subject)
}
