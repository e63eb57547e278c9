//! Thin packs, whose deltas have bases outside of the pack; git sends them on fetch and push.

use super::contents::Content;
use super::rows::{Row, NONE};
use super::Build;
use crate::object::ObjectType;
use crate::pack::{entries_end, HEADER_LEN};
use packlens_base::block::{over_ceiling, BlockSource};
use packlens_base::deflate::deflate;
use packlens_base::error::Result;
use packlens_base::hash::{Crc32, Hasher};
use packlens_base::limits::Limits;
use packlens_base::oid::ObjectId;
use packlens_base::sort;

/// The treatment of deltas whose base is not in the pack.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Thin {
    /// A missing base is an error.
    #[default]
    Refuse,
    /// The caller gives the missing bases; the index is that of the unchanged pack.
    Borrow,
    /// The caller gives the missing bases, and they are appended to the pack: git's
    /// `--fix-thin`.
    Fix,
}

/// The bases that are not in the pack.
#[derive(Default)]
pub(super) struct Outside {
    /// The deltas whose bases are missing, in pack order.
    waiting: Option<Vec<(u32, ObjectId)>>,
    /// The index of the next one.
    next: usize,
    /// The base that was given last, until the next one is given.
    last: Option<(u32, Content)>,
    /// The entries that are appended to the pack.
    entries: Vec<u8>,
    count: u32,
    /// The offset up to which the completed pack is hashed, and the hash.
    closing: Option<(u64, Hasher)>,
    /// The checksum of the completed pack.
    checksum: Option<ObjectId>,
}

impl Outside {
    pub fn memory(&self) -> u64 {
        let each = size_of::<(u32, ObjectId)>();
        let waiting = self.waiting.as_ref().map_or(0, |list| list.capacity().saturating_mul(each));
        waiting.saturating_add(self.entries.capacity()) as u64
    }
}

impl Build {
    /// Sets how missing bases are treated; to be called before the first step.
    #[must_use]
    pub fn with_thin(mut self, thin: Thin) -> Build {
        self.thin = thin;
        self
    }

    /// Returns whether the build has to wait for the base of [`Build::needed_base`].
    pub fn is_stuck(&self) -> bool {
        let idle = self.bases.is_empty() && self.hashing.keys().is_empty() && self.roots.is_empty();
        self.thin != Thin::Refuse && self.is_sorted() && idle && !self.is_resolved()
    }

    /// Returns whether all objects have their ids.
    pub(super) fn is_resolved(&self) -> bool {
        self.hashed >= self.count.into()
    }

    /// Returns the next missing base; `None` if all were given or skipped.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](packlens_base::ErrorKind::Limit) if memory does not suffice for the list.
    pub fn needed_base(&mut self, limits: &Limits) -> Result<Option<ObjectId>> {
        if self.outside.waiting.is_none() {
            let waiting = self.still_waiting();
            let left = limits.memory.saturating_sub(self.memory());
            self.rows.reserve(waiting.len(), left)?;
            self.outside.waiting = Some(waiting);
        }
        let waiting = self.outside.waiting.as_deref().unwrap_or_default();
        while let Some((entry, id)) = waiting.get(self.outside.next) {
            if self.rows.get(*entry).is_some_and(|row| row.base == NONE) {
                return Ok(Some(*id));
            }
            self.outside.next = self.outside.next.saturating_add(1);
        }
        Ok(None)
    }

    /// Returns all bases that are still missing, each once.
    pub fn needed_bases(&self) -> impl Iterator<Item = ObjectId> + use<> {
        let mut bases: Vec<_> = self.still_waiting().into_iter().map(|(_, id)| id).collect();
        sort::by_id(&mut bases, |id| id);
        bases.dedup();
        bases.into_iter()
    }

    /// Returns the deltas without a base, in pack order. git looks for their bases in the same
    /// order: later deltas may build on objects made from earlier ones.
    fn still_waiting(&self) -> Vec<(u32, ObjectId)> {
        let is_waiting = |entry: u32| self.rows.get(entry).is_some_and(|row| row.base == NONE);
        let waiting = self.by_id.iter().filter(|(_, entry)| is_waiting(*entry));
        let mut waiting: Vec<_> = waiting.map(|(base, entry)| (*entry, *base)).collect();
        sort::by_keys(&mut waiting, |(entry, _)| *entry, Ord::cmp);
        waiting
    }

    /// Skips the base of [`Build::needed_base`]: it was not found, but may still turn out to be
    /// an object that other deltas make.
    pub fn skip_base(&mut self) {
        self.outside.next = self.outside.next.saturating_add(1);
    }

    /// Begins anew with the first missing base, including those that were skipped.
    pub fn retry_bases(&mut self) {
        self.outside.next = 0;
    }

    /// Gives the base of [`Build::needed_base`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](packlens_base::ErrorKind::Limit) if memory does not suffice.
    pub fn give_base<S: BlockSource>(
        &mut self,
        pack: &S,
        object_type: ObjectType,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<()> {
        let Some(id) = self.needed_base(limits)? else {
            return Ok(());
        };
        self.release_outside();
        let content = self.take_content(bytes.len(), pack, limits)?;
        self.contents.get_mut(content).copy_from_slice(bytes);
        let mut row = Row { offset: 0, crc: 0, base: NONE, child: NONE, sibling: NONE };
        if self.thin == Thin::Fix {
            (row.offset, row.crc) = self.append_entry(pack, object_type, bytes, limits)?;
        }
        let entry = self.rows.len();
        self.rows.push(row, Some(object_type));
        self.rows.set_id(entry, &id);
        self.outside.last = Some((entry, content));
        self.adopt_by_id(entry);
        self.push_base(entry, Some(content));
        self.count_work(bytes.len() as u64);
        Ok(())
    }

    /// Appends an entry to the pack; returns its offset and its CRC-32 checksum.
    fn append_entry<S: BlockSource>(
        &mut self,
        pack: &S,
        object_type: ObjectType,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<(u64, u32)> {
        let start = self.outside.entries.len();
        let offset = entries_end(pack, self.hash).saturating_add(start as u64);
        let mut size = bytes.len() as u64;
        let mut byte = ((object_type as u8) << 4) | (size & 0xf) as u8;
        size >>= 4;
        while size > 0 {
            self.outside.entries.push(byte | 0x80);
            byte = (size & 0x7f) as u8;
            size >>= 7;
        }
        self.outside.entries.push(byte);
        deflate(bytes, &mut self.outside.entries)?;
        self.outside.count = self.outside.count.saturating_add(1);
        if self.memory() > limits.memory {
            return Err(over_ceiling());
        }
        let entry = self.outside.entries.get(start..).unwrap_or_default();
        Ok((offset, Crc32::of(entry)))
    }

    /// Returns the content of an entry, if it is the base that was given last.
    pub(super) fn outside_content(&mut self, entry: u32) -> Option<Content> {
        let (_, content) = self.outside.last.filter(|(last, _)| *last == entry)?;
        self.contents.share(content);
        Some(content)
    }

    fn release_outside(&mut self) {
        if let Some((_, content)) = self.outside.last.take() {
            self.contents.release(content);
        }
    }

    /// Returns whether the checksum of the completed pack is known, or not needed.
    pub(super) fn is_closed(&self) -> bool {
        self.outside.count == 0 || self.outside.checksum.is_some()
    }

    /// Continues the hash of the completed pack, with its new count and the appended entries.
    pub(super) fn close<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
        self.release_outside();
        let (mut at, mut hasher) = match self.outside.closing.take() {
            Some(closing) => closing,
            None => {
                let mut hasher = Hasher::new(self.hash);
                hasher.update(&pack.array_at::<8>(0)?);
                hasher.update(&self.completed_count().to_be_bytes());
                (HEADER_LEN, hasher)
            }
        };
        let end = entries_end(pack, self.hash);
        let left = end.saturating_sub(at);
        if left > 0 {
            let run = pack.run_at(at).map_err(|error| error.widened(left));
            let taken = run.map(|run| {
                let most = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
                let run = run.get(..most).unwrap_or(run);
                hasher.update(run);
                run.len() as u64
            });
            at = at.saturating_add(*taken.as_ref().unwrap_or(&0));
            self.outside.closing = Some((at, hasher));
            return taken.map(|length| self.count_work(length));
        }
        hasher.update(&self.outside.entries);
        self.outside.checksum = Some(hasher.finish());
        Ok(())
    }

    /// Returns how many entries the completed pack has.
    pub(super) fn completed_count(&self) -> u32 {
        self.count.saturating_add(self.outside.count)
    }

    /// Returns the bytes that replace the pack's checksum, and the new checksum that they end
    /// with; `None` if the pack stays unchanged. Drops the rows of bases that are not appended.
    pub(super) fn take_tail(&mut self) -> Option<(ObjectId, Vec<u8>)> {
        self.rows.truncate(self.completed_count());
        let checksum = self.outside.checksum?;
        let mut tail = std::mem::take(&mut self.outside.entries);
        tail.extend(checksum.as_bytes());
        Some((checksum, tail))
    }
}
