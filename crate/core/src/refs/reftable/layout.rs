//! Header and footer of a table: what it is of, and where its sections lie.

use super::block::{BlockKind, HEAD_LEN};
use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::Crc32;
use crate::oid::HashKind;

pub(super) const MAGIC: [u8; 4] = *b"REFT";

/// The longest footer, that of version 2.
const MAX_FOOTER_LEN: usize = 72;

/// The fewest bytes of an id that are the key of an object.
pub(super) const MIN_OBJECT_KEY: usize = 2;

/// How many low bits of the place of the object blocks say how long their keys are.
pub(super) const OBJECT_KEY_BITS: u32 = 5;

/// What header and footer say, all of which the footer's checksum covers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Layout {
    pub(super) hash: HashKind,
    /// How long the header is.
    pub(super) header_len: u64,
    /// What blocks are aligned to; 0 if they are not.
    pub(super) block_size: u64,
    /// The first transaction whose changes are in the table.
    pub(super) min_update_index: u64,
    /// How many bytes of an id the keys of object blocks have.
    pub(super) object_key_len: usize,
    /// Where the footer begins.
    pub(super) end: u64,
    refs: Option<Section>,
    objects: Option<Section>,
    logs: Option<Section>,
}

/// Blocks of one kind that follow each other, and the index of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Section {
    pub(super) kind: BlockKind,
    /// Where its first block begins.
    pub(super) start: u64,
    /// Where the root of its index begins; `None` if it has no index.
    pub(super) index: Option<u64>,
    /// Where the next section begins, or the footer.
    pub(super) end: u64,
}

/// Returns how long the header is; the footer begins with a copy of it.
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
    /// Reads header and footer, which must agree.
    ///
    /// # Errors
    ///
    /// Missing bytes; [`ErrorKind::Corrupt`] if this is no table of such ids, or
    /// its checksum is wrong; [`ErrorKind::Unsupported`] for versions other than 1
    /// and 2.
    pub(super) fn decode<S: BlockSource>(table: &S, hash: HashKind) -> Result<Layout> {
        let start: [u8; 5] = table.array_at(0)?;
        let Some(version) = start.strip_prefix(&MAGIC).and_then(|rest| rest.first().copied())
        else {
            return Err(table.corrupt("not a reftable", 0));
        };
        if !matches!(version, 1 | 2) {
            let error = Error::new(ErrorKind::Unsupported, "a reftable version other than 1 and 2");
            return Err(error.at(table.file(), 4));
        }
        let head = header_len(version);
        let end = table.size().checked_sub(footer_len(version)).filter(|end| *end >= head);
        let end = end.ok_or_else(|| table.corrupt("a reftable that is too short", 0))?;
        let (mut header, mut footer) = ([0; MAX_FOOTER_LEN], [0; MAX_FOOTER_LEN]);
        let footer = footer.get_mut(..footer_len(version) as usize).unwrap_or_default();
        table.read_at(end, footer)?;
        let header = header.get_mut(..head as usize).unwrap_or_default();
        table.read_at(0, header)?;
        let first = first_kind(table, head, end)?;
        let damaged = || table.corrupt("a reftable whose footer is damaged", end);
        let (covered, sum) = footer.split_last_chunk::<4>().ok_or_else(damaged)?;
        if Crc32::of(covered) != u32::from_be_bytes(*sum) {
            return Err(damaged());
        }
        let rest = covered.strip_prefix(&*header);
        let rest = rest.ok_or_else(|| table.corrupt("a reftable whose header is damaged", 0))?;
        let layout = Layout::of(header, rest, end, first);
        let layout =
            layout.ok_or_else(|| table.corrupt("a reftable with no such sections", end))?;
        if layout.hash != hash {
            return Err(table.corrupt("a reftable of another hash than the objects", 0));
        }
        Ok(layout)
    }

    /// Makes the layout of a header and what follows its copy in the footer; `None`
    /// if no table is laid out so.
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
        // Where logs come first, git makes the header part of their block, as it is
        // with refs, and JGit does not.
        let logs_first = first == Some(BlockKind::Logs);
        let logs = if logs_first { log_start.max(header_len) } else { log_start };
        // What is there lies in this order.
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

    /// Returns where the blocks of a kind lie; `None` if there are none.
    pub(super) fn section(&self, kind: BlockKind) -> Option<Section> {
        match kind {
            BlockKind::Refs => self.refs,
            BlockKind::Objects => self.objects,
            BlockKind::Logs => self.logs,
            BlockKind::Index => None,
        }
    }

    /// Returns how many bytes of a block come before its head: the first block of
    /// the file begins with the header.
    pub(super) fn skip(&self, position: u64) -> usize {
        if position == 0 {
            self.header_len as usize
        } else {
            0
        }
    }
}

/// Returns what the first block is of, `None` if there is no block at all.
fn first_kind<S: BlockSource>(table: &S, head: u64, end: u64) -> Result<Option<BlockKind>> {
    if end == head {
        return Ok(None);
    }
    let [kind, _, _, _, zlib, _] = table.array_at::<{ HEAD_LEN + 2 }>(head)?;
    match BlockKind::of(kind) {
        Some(BlockKind::Refs) => Ok(Some(BlockKind::Refs)),
        // The first record of a block shares nothing with one before, and says so
        // with a 0; deflated, it begins as all zlib streams do. Were refs taken for
        // logs, there would seem to be none.
        Some(BlockKind::Logs) if zlib & 0xf == 8 => Ok(Some(BlockKind::Logs)),
        _ => Err(table.corrupt("a reftable that begins with no refs and no logs", head)),
    }
}
