//! Objects that are kept as bases for the next ones.

use super::ReadOrder;
use packlens_base::appender::{Appender, Output};
use packlens_base::block::FileId;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use packlens_format::pack::{BaseCache, CachePosition};
use std::ops::Range;

/// A reconstructed object with deltas on it that will be read soon.
pub(super) struct Base {
    pack: FileId,
    offset: u64,
    object_type: ObjectType,
    depth: u32,
    /// How many more deltas on it will be read.
    uses: u32,
    content: Content,
}

enum Content {
    /// Still in the output that the object was delivered in.
    Output {
        stamp: u64,
        range: Range<usize>,
    },
    Own(Vec<u8>),
}

/// A kept base that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundBase {
    at: At,
    pub(super) object_type: ObjectType,
    /// How many deltas were applied to make the base.
    pub(super) depth: u32,
    /// The size of the content in bytes.
    pub(super) size: usize,
}

/// The collection that a base is in.
#[derive(Clone, Copy, Debug)]
enum At {
    Kept(usize),
    Recent(CachePosition),
}

/// The length of the head of a recently made object: its type (1 byte), the number of deltas
/// that were applied to make it (4), and the id that it was hashed to (32), or zeros.
const RECENT_HEAD: usize = 5 + HASHED;
const HASHED: usize = 32;

/// Whole objects, each kept until the last delta on it is applied.
///
/// Objects are read in the order of the delta forest, bases first, so the newest base is used
/// first. If there is no memory for a base, objects that need it are made through their whole
/// delta chain.
pub(super) struct Bases {
    kept: Vec<Base>,
    /// Recently made objects, for callers that read similar objects in an unplanned order,
    /// such as the root trees of successive commits.
    recent: BaseCache,
    /// Buffers of dropped bases, for reuse.
    spare: Vec<Vec<u8>>,
    size: u64,
    ceiling: u64,
}

/// How many spare buffers are kept.
const MOST_SPARE: usize = 4;

impl Bases {
    /// Creates a collection that holds at most `ceiling` bytes of its own.
    pub fn new(ceiling: u64) -> Bases {
        Bases {
            kept: Vec::new(),
            recent: BaseCache::new(ceiling),
            spare: Vec::new(),
            size: 0,
            ceiling,
        }
    }

    /// Returns how many bytes of memory the bases take, outputs not counted.
    pub(super) fn size(&self) -> u64 {
        self.size.saturating_add(self.recent.size())
    }

    /// Returns whether no base can be found in this read order.
    pub(super) fn is_empty(&self, order: ReadOrder<'_>) -> bool {
        self.kept.is_empty() && !order.is_similar()
    }

    /// Returns by how many bytes memory use grows if an object of `length` bytes is kept as
    /// recent.
    pub(super) fn recent_growth(&self, length: usize) -> u64 {
        self.recent.growth(length.saturating_add(RECENT_HEAD))
    }

    /// Keeps a copy of an object as recent, with its id if the content was hashed.
    pub(super) fn keep_recent(
        &mut self,
        (pack, offset): (FileId, u64),
        (object_type, depth): (ObjectType, u32),
        hashed: Option<&ObjectId>,
        bytes: &[u8],
    ) -> Result<()> {
        let hashed = hashed.map_or([0; HASHED], padded);
        let length = bytes.len().saturating_add(RECENT_HEAD);
        self.recent.keep(pack, offset, length, None, |target| {
            if let Some((head, content)) = target.split_at_mut_checked(RECENT_HEAD) {
                head.copy_from_slice(&recent_head(object_type, depth, hashed));
                content.copy_from_slice(bytes);
            }
            Ok(())
        })?;
        self.recent.unpin();
        Ok(())
    }

    /// Finds a base and protects it from eviction until [`Bases::unpin_recent`].
    pub(super) fn hold(
        &mut self,
        pack: FileId,
        offset: u64,
        order: ReadOrder<'_>,
    ) -> Option<FoundBase> {
        if order.is_similar() {
            self.recent.find(pack, offset);
        }
        self.find(pack, offset, order)
    }

    /// Releases the bases that [`Bases::hold`] protects.
    pub(super) fn unpin_recent(&mut self) {
        self.recent.unpin();
    }

    /// Evicts the recently made objects, except those that are held.
    pub(super) fn forget_recent(&mut self) {
        self.recent.shrink_to(0);
    }

    fn find_recent(&self, pack: FileId, offset: u64) -> Option<FoundBase> {
        let place = self.recent.peek(pack, offset)?;
        let (head, content) = self.recent.bytes(place).split_first_chunk::<RECENT_HEAD>()?;
        let [number, a, b, c, d, ..] = *head;
        let object_type = ObjectType::from_number(number)?;
        let depth = u32::from_le_bytes([a, b, c, d]);
        Some(FoundBase { at: At::Recent(place), object_type, depth, size: content.len() })
    }

    /// Finds the base that was made from the entry at an offset.
    pub(super) fn find(
        &self,
        pack: FileId,
        offset: u64,
        order: ReadOrder<'_>,
    ) -> Option<FoundBase> {
        let at = self.kept.iter().rposition(|base| base.offset == offset && base.pack == pack);
        let Some(at) = at else {
            return order.is_similar().then(|| self.find_recent(pack, offset)).flatten();
        };
        let base = self.kept.get(at)?;
        let size = match &base.content {
            Content::Own(bytes) => bytes.len(),
            Content::Output { range, .. } => range.len(),
        };
        Some(FoundBase { at: At::Kept(at), object_type: base.object_type, depth: base.depth, size })
    }

    /// Returns the content of a base unless that is in an output.
    pub(super) fn own(&self, found: FoundBase) -> Option<&[u8]> {
        if let At::Recent(place) = found.at {
            return self.recent.bytes(place).get(RECENT_HEAD..);
        }
        match &self.kept_at(found)?.content {
            Content::Own(bytes) => Some(bytes),
            Content::Output { .. } => None,
        }
    }

    /// Returns whether a base is an object that was hashed to this id.
    pub(super) fn was_hashed(&self, found: FoundBase, id: &ObjectId) -> bool {
        let At::Recent(place) = found.at else { return false };
        self.recent.bytes(place).get(RECENT_HEAD - HASHED..RECENT_HEAD) == Some(&padded(id))
    }

    fn kept_at(&self, found: FoundBase) -> Option<&Base> {
        match found.at {
            At::Kept(at) => self.kept.get(at),
            At::Recent(_) => None,
        }
    }

    /// Returns whether the content of a base is still available, given the current output.
    pub(super) fn has(&self, found: FoundBase, out: Option<&Appender<'_>>) -> bool {
        out.is_some_and(|out| self.content(found, out).is_some())
    }

    /// Returns the content of a base; `None` if its output was overwritten.
    pub(super) fn content<'a>(
        &'a self,
        found: FoundBase,
        out: &'a Appender<'_>,
    ) -> Option<&'a [u8]> {
        match self.kept_at(found).map(|base| &base.content) {
            Some(Content::Output { stamp, range }) => out.stamped(*stamp, range),
            _ => self.own(found),
        }
    }

    /// Returns the stamp and the range of a base whose content is in an output.
    pub(super) fn in_output(&self, found: FoundBase) -> Option<(u64, Range<usize>)> {
        match &self.kept_at(found)?.content {
            Content::Output { stamp, range } => Some((*stamp, range.clone())),
            Content::Own(_) => None,
        }
    }

    /// Counts one use of a base. After the last use the base is dropped. All bases that were
    /// kept after it are dropped in any case: in this order their deltas were read already, or
    /// failed.
    pub(super) fn used(&mut self, found: FoundBase) {
        let At::Kept(at) = found.at else {
            return;
        };
        let Some(base) = self.kept.get_mut(at) else {
            return;
        };
        base.uses = base.uses.saturating_sub(1);
        let left = if base.uses == 0 { at } else { at.saturating_add(1) };
        self.truncate(left);
    }

    /// Keeps the bytes that were appended to `out` from `start` on, without a copy.
    pub(super) fn keep_appended(
        &mut self,
        (pack, offset): (FileId, u64),
        (object_type, depth): (ObjectType, u32),
        uses: u32,
        out: &mut Appender<'_>,
        start: usize,
    ) {
        let content = Content::Output { stamp: out.stamp(), range: start..out.position() };
        self.kept.push(Base { pack, offset, object_type, depth, uses, content });
    }

    /// Keeps a copy of an object, if there is memory for it.
    pub(super) fn keep_copy(
        &mut self,
        (pack, offset): (FileId, u64),
        (object_type, depth): (ObjectType, u32),
        uses: u32,
        bytes: &[u8],
    ) {
        if let Some(copy) = self.copy(bytes) {
            let content = Content::Own(copy);
            self.kept.push(Base { pack, offset, object_type, depth, uses, content });
        }
    }

    /// Copies the bases whose content is in an output that is about to be overwritten; drops
    /// those for which there is no memory.
    pub(super) fn save(&mut self, output: &Output) {
        // Newest first, because the newest base is used first.
        for at in (0..self.kept.len()).rev() {
            let Some(Content::Output { stamp, range }) =
                self.kept.get(at).map(|base| &base.content)
            else {
                continue;
            };
            let Some(bytes) = output.stamped(*stamp, range) else {
                continue;
            };
            match self.copy(bytes) {
                Some(copy) => {
                    if let Some(base) = self.kept.get_mut(at) {
                        base.content = Content::Own(copy);
                    }
                }
                None => {
                    self.kept.remove(at);
                }
            }
        }
    }

    /// Returns how many bases are kept, recent ones not counted.
    pub(super) fn count(&self) -> usize {
        self.kept.len()
    }

    /// Drops the newest bases until `count` are left.
    pub(super) fn truncate(&mut self, count: usize) {
        while self.kept.len() > count {
            self.drop_last();
        }
    }

    /// Drops all bases but keeps spare buffers for reuse.
    pub(super) fn drop_all(&mut self) {
        self.truncate(0);
    }

    /// Drops the bases that a plan needs, and frees their memory. Recent ones may serve the next
    /// question.
    pub(super) fn end_plan(&mut self) {
        self.kept.clear();
        self.spare.clear();
        self.size = 0;
    }

    /// Drops all bases, recent ones included, and frees their memory.
    pub(super) fn clear(&mut self) {
        self.end_plan();
        self.recent = BaseCache::new(self.ceiling);
    }

    fn copy(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let fits = self.spare.iter().rposition(|buffer| buffer.capacity() >= bytes.len());
        let mut copy = match fits {
            Some(at) => self.spare.swap_remove(at),
            None => {
                // Frees a spare buffer that is too short, to make room for a longer one.
                let freed = self.spare.pop().map_or(0, |buffer| buffer.capacity() as u64);
                self.size = self.size.saturating_sub(freed);
                let size = bytes.len().saturating_add(bytes.len() / 4);
                if self.size.saturating_add(size as u64) > self.ceiling {
                    return None;
                }
                let mut copy = Vec::new();
                copy.try_reserve_exact(size).ok()?;
                self.size = self.size.saturating_add(copy.capacity() as u64);
                copy
            }
        };
        copy.clear();
        copy.extend_from_slice(bytes);
        Some(copy)
    }

    fn drop_last(&mut self) {
        if let Some(Base { content: Content::Own(bytes), .. }) = self.kept.pop() {
            if self.spare.len() < MOST_SPARE {
                self.spare.push(bytes);
            } else {
                self.size = self.size.saturating_sub(bytes.capacity() as u64);
            }
        }
    }
}

fn recent_head(object_type: ObjectType, depth: u32, hashed: [u8; HASHED]) -> [u8; RECENT_HEAD] {
    let mut head = [0; RECENT_HEAD];
    let [number, rest @ ..] = &mut head;
    *number = object_type as u8;
    if let Some((counted, id)) = rest.split_first_chunk_mut() {
        *counted = depth.to_le_bytes();
        id.copy_from_slice(&hashed);
    }
    head
}

/// Returns the bytes of an id, with zeros after a shorter one.
fn padded(id: &ObjectId) -> [u8; HASHED] {
    let mut bytes = [0; HASHED];
    bytes.iter_mut().zip(id.as_bytes()).for_each(|(to, from)| *to = *from);
    bytes
}
