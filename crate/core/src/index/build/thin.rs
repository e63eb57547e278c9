//! Packs with deltas on objects that are elsewhere: thin packs, as git sends them.

use super::contents::Content;
use super::rows::{Row, NONE};
use super::Build;
use crate::block::{over_ceiling, BlockSource};
use crate::deflate::deflate;
use crate::error::Result;
use crate::hash::{Crc32, Hasher};
use crate::limits::Limits;
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::pack::{entries_end, HEADER_LEN};
use crate::sort;

/// What is to be done about deltas whose base is not in the pack.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Thin {
    /// Such a pack is an error.
    #[default]
    Refuse,
    /// Their bases are given: the index is that of the pack as it is.
    Borrow,
    /// Their bases are given, and the pack gets them: git's `--fix-thin`.
    Fix,
}

/// The bases that are not in the pack.
#[derive(Default)]
pub(super) struct Outside {
    /// The deltas that wait for them, in the order of the pack.
    waiting: Option<Vec<(u32, ObjectId)>>,
    /// Which of them is next.
    next: usize,
    /// The last one that was given, as long as anything builds on it.
    last: Option<(u32, Content)>,
    /// Entries that are to be put behind the others.
    entries: Vec<u8>,
    count: u32,
    /// How far the completed pack was hashed, and the hash.
    closing: Option<(u64, Hasher)>,
    /// What the pack ends with once it is completed.
    checksum: Option<ObjectId>,
}

impl Outside {
    pub(super) fn memory(&self) -> u64 {
        let each = size_of::<(u32, ObjectId)>();
        let waiting = self.waiting.as_ref().map_or(0, |list| list.capacity().saturating_mul(each));
        waiting.saturating_add(self.entries.capacity()) as u64
    }
}

impl Build {
    /// Sets what is done about bases that are not in the pack; to be called before
    /// the first step.
    #[must_use]
    pub fn with_thin(mut self, thin: Thin) -> Build {
        self.thin = thin;
        self
    }

    /// Tells whether nothing goes on until a base is given: [`Build::wanted_base`].
    pub fn is_stuck(&self) -> bool {
        let idle = self.bases.is_empty() && self.hashing.is_empty() && self.roots.is_empty();
        self.thin != Thin::Refuse && self.is_sorted() && idle && !self.is_resolved()
    }

    /// Tells whether every object has its id.
    pub(super) fn is_resolved(&self) -> bool {
        self.hashed >= if self.is_shared() { self.count.into() } else { self.deltas }
    }

    /// Returns the base that is wanted next; `None` if all were given or skipped.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) if there is no memory for the list.
    pub fn wanted_base(&mut self, limits: &Limits) -> Result<Option<ObjectId>> {
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

    /// Returns all bases that may be wanted from here on, each once.
    pub fn wanted_bases(&self) -> impl Iterator<Item = ObjectId> + use<> {
        let mut bases: Vec<_> = self.still_waiting().into_iter().map(|(_, id)| id).collect();
        sort::by_id(&mut bases, |id| id);
        bases.dedup();
        bases.into_iter()
    }

    /// As git, which looks for the bases of those first that come first: others may
    /// be made of them.
    fn still_waiting(&self) -> Vec<(u32, ObjectId)> {
        let is_waiting = |entry: u32| self.rows.get(entry).is_some_and(|row| row.base == NONE);
        let waiting = self.by_id.iter().filter(|(_, entry)| is_waiting(*entry));
        let mut waiting: Vec<_> = waiting.map(|(base, entry)| (*entry, *base)).collect();
        sort::by_keys(&mut waiting, |(entry, _)| *entry, Ord::cmp);
        waiting
    }

    /// Goes on without the base that is wanted: it is nowhere, unless it turns out to
    /// be made of others.
    pub fn skip_base(&mut self) {
        self.outside.next = self.outside.next.saturating_add(1);
    }

    /// Has those looked for again that were skipped.
    pub fn retry_bases(&mut self) {
        self.outside.next = 0;
    }

    /// Gives the base that is wanted.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) if there is no memory for it.
    pub fn give_base<S: BlockSource>(
        &mut self,
        pack: &S,
        object_type: ObjectType,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<()> {
        let Some(id) = self.wanted_base(limits)? else {
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

    /// Puts an entry behind those that are there; returns where, and its checksum.
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

    /// Returns the content of a base that was given, if that is what an entry is.
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

    /// Tells whether there is nothing left to do about the pack's end.
    pub(super) fn is_closed(&self) -> bool {
        self.outside.count == 0 || self.outside.checksum.is_some()
    }

    /// Goes on with hashing the pack as it will be: another count in its header, and
    /// more entries behind.
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

    /// Returns how many entries the pack has once it is completed.
    pub(super) fn completed_count(&self) -> u32 {
        self.count.saturating_add(self.outside.count)
    }

    /// Takes what the pack gets behind its entries in place of its checksum, and its
    /// new checksum; nothing if it stays as it is. Bases that it does not get are
    /// forgotten.
    pub(super) fn take_tail(&mut self) -> Option<(ObjectId, Vec<u8>)> {
        self.rows.truncate(self.completed_count());
        let checksum = self.outside.checksum?;
        let mut tail = std::mem::take(&mut self.outside.entries);
        tail.extend(checksum.as_bytes());
        Some((checksum, tail))
    }
}
