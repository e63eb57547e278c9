//! The header and footer of a reftable: its properties and the offsets of its sections.

use super::block::{BlockKind, HEAD_LEN};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::Crc32;
use packlens_base::oid::HashKind;

pub(super) const MAGIC: [u8; 4] = *b"REFT";

/// The length of the longest footer, that of version 2.
const MAX_FOOTER_LEN: usize = 72;

/// The shortest object key, in bytes of an id.
pub(super) const MIN_OBJECT_KEY: usize = 2;

/// In the offset of the object blocks, this many low bits are the length of their keys.
pub(super) const OBJECT_KEY_BITS: u32 = 5;

/// The properties in header and footer, all of which the footer's checksum covers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Layout {
    pub(super) hash: HashKind,
    /// The length of the header in bytes.
    pub(super) header_len: u64,
    /// The block size in bytes, to which blocks are aligned; 0 if they are not aligned.
    pub(super) block_size: u64,
    /// The update index of the first transaction in the table.
    pub(super) min_update_index: u64,
    /// The length of the keys in object blocks, in bytes of an id.
    pub(super) object_key_len: usize,
    /// The offset of the footer.
    pub(super) end: u64,
    refs: Option<Section>,
    objects: Option<Section>,
    logs: Option<Section>,
}

/// The consecutive blocks of one type, and their index.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Section {
    pub(super) kind: BlockKind,
    /// The offset of the first block.
    pub(super) start: u64,
    /// The offset of the root index block; `None` if there is no index.
    pub(super) index: Option<u64>,
    /// The offset of the next section, or of the footer.
    pub(super) end: u64,
}

/// Returns the length of the header, a copy of which starts the footer.
pub(super) const fn header_len(version: u8) -> u64 {
    match version {
        1 => 24,
        _ => 28,
    }
}

pub(super) const fn footer_len(version: u8) -> u64 {
    header_len(version).saturating_add(44)
}

impl Layout {
    /// Reads header and footer, and checks that they agree.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if the file is not a reftable with ids of `hash`,
    /// or its checksum is wrong; [`ErrorKind::Unsupported`] for versions other than 1 and 2.
    pub fn decode<S: BlockSource>(table: &S, hash: HashKind) -> Result<Layout> {
        let start: [u8; 5] = table.array_at(0)?;
        let Some(version) = start.strip_prefix(&MAGIC).and_then(|rest| rest.first().copied())
        else {
            return Err(table.corrupt("not a reftable", 0));
        };
        if !matches!(version, 1 | 2) {
            let error =
                Error::new(ErrorKind::Unsupported, "the version of a reftable is neither 1 nor 2");
            return Err(error.at(table.file(), 4));
        }
        let head = header_len(version);
        let end = table.size().checked_sub(footer_len(version)).filter(|end| *end >= head);
        let end = end.ok_or_else(|| table.corrupt("a reftable is too short", 0))?;
        let (mut header, mut footer) = ([0; MAX_FOOTER_LEN], [0; MAX_FOOTER_LEN]);
        let footer = footer.get_mut(..footer_len(version) as usize).unwrap_or_default();
        table.read_at(end, footer)?;
        let header = header.get_mut(..head as usize).unwrap_or_default();
        table.read_at(0, header)?;
        let first = first_kind(table, head, end)?;
        let damaged = || table.corrupt("the footer of a reftable is damaged", end);
        let (covered, sum) = footer.split_last_chunk::<4>().ok_or_else(damaged)?;
        if Crc32::of(covered) != u32::from_be_bytes(*sum) {
            return Err(damaged());
        }
        let rest = covered.strip_prefix(&*header);
        let rest = rest.ok_or_else(|| table.corrupt("the header of a reftable is damaged", 0))?;
        let layout = Layout::of(header, rest, end, first);
        let layout =
            layout.ok_or_else(|| table.corrupt("a reftable with no such sections", end))?;
        if layout.hash != hash {
            return Err(table.corrupt("a reftable and the objects differ in their hash", 0));
        }
        Ok(layout)
    }

    /// Decodes the layout from the header and the rest of the footer after the header's copy;
    /// `None` if the sections are impossible.
    fn of(header: &[u8], footer: &[u8], end: u64, first: Option<BlockKind>) -> Option<Layout> {
        let hash = match header.get(24..)? {
            b"" | b"sha1" => HashKind::Sha1,
            b"s256" => HashKind::Sha256,
            _ => return None,
        };
        let [_, size @ ..] = *header.get(4..)?.first_chunk::<4>()?;
        let [high, middle, low] = size;
        let header_len = header.len() as u64;
        let place = |field: usize| {
            let bytes = footer.get(field.checked_mul(8)?..)?.first_chunk()?;
            Some(u64::from_be_bytes(*bytes))
        };
        let (ref_index, objects, object_index) = (place(0)?, place(1)?, place(2)?);
        let (log_start, log_index) = (place(3)?, place(4)?);
        let object_key_len = usize::try_from(objects % (1 << OBJECT_KEY_BITS)).ok()?;
        let objects = objects >> OBJECT_KEY_BITS;
        // If logs come first, git counts the header as part of their block, as with refs, but
        // JGit does not.
        let logs_first = first == Some(BlockKind::Logs);
        let logs = if logs_first { log_start.max(header_len) } else { log_start };
        // Sections that exist are in this order.
        let places = [ref_index, objects, object_index, logs, log_index, end];
        let there = || places.into_iter().filter(|place| *place > 0);
        let fits_first = match first {
            Some(BlockKind::Refs) => there().all(|place| place > header_len),
            Some(BlockKind::Logs) => there().next() == Some(header_len),
            _ => there().next() == Some(end),
        };
        let of_nothing = (object_index > 0 && objects == 0) || (log_index > 0 && logs == 0);
        let short_keys = objects > 0 && object_key_len < MIN_OBJECT_KEY;
        let in_order = there().is_sorted_by(|one, next| one < next);
        if !in_order || !fits_first || of_nothing || short_keys {
            return None;
        }
        let section = |kind, start, place: u64, index: u64| Section {
            kind,
            start,
            index: (index > 0).then_some(index),
            end: there().find(|next| *next > place.max(index)).unwrap_or(end),
        };
        let has_refs = first == Some(BlockKind::Refs);
        Some(Layout {
            hash,
            header_len,
            block_size: u32::from_be_bytes([0, high, middle, low]).into(),
            min_update_index: u64::from_be_bytes(*header.get(8..)?.first_chunk()?),
            object_key_len,
            end,
            refs: has_refs.then(|| section(BlockKind::Refs, 0, header_len, ref_index)),
            objects: (objects > 0)
                .then(|| section(BlockKind::Objects, objects, objects, object_index)),
            logs: (logs > 0).then(|| section(BlockKind::Logs, log_start, logs, log_index)),
        })
    }

    /// Returns the section of a block type; `None` if there is none.
    pub(super) fn section(&self, kind: BlockKind) -> Option<Section> {
        match kind {
            BlockKind::Refs => self.refs,
            BlockKind::Objects => self.objects,
            BlockKind::Logs => self.logs,
            BlockKind::Index => None,
        }
    }

    /// Returns how many bytes precede the head of a block: the first block of the file starts
    /// with the file header.
    pub(super) fn skip(&self, position: u64) -> usize {
        if position == 0 {
            self.header_len as usize
        } else {
            0
        }
    }
}

/// Returns the type of the first block; `None` if there are no blocks.
fn first_kind<S: BlockSource>(table: &S, head: u64, end: u64) -> Result<Option<BlockKind>> {
    if end == head {
        return Ok(None);
    }
    let [kind, _, _, _, zlib, _] = table.array_at::<{ HEAD_LEN + 2 }>(head)?;
    match BlockKind::of(kind) {
        Some(BlockKind::Refs) => Ok(Some(BlockKind::Refs)),
        // The type byte is covered by no checksum, and refs taken for logs would seem to be
        // missing. In a ref block the next byte is 0, because the first key shares no prefix;
        // in a log block it begins a zlib stream.
        Some(BlockKind::Logs) if zlib & 0xf == 8 => Ok(Some(BlockKind::Logs)),
        _ => Err(table.corrupt("a reftable begins with neither refs nor logs", head)),
    }
}
