//! Objects that the next ones are made of.

use super::ReadOrder;
use crate::appender::{Appender, Output};
use crate::block::FileId;
use crate::error::Result;
use crate::object::ObjectType;
use crate::pack::{BaseCache, Place};
use std::ops::Range;

/// An object that deltas build on which will be asked for soon.
pub(super) struct Base {
    pack: FileId,
    offset: u64,
    object_type: ObjectType,
    depth: u32,
    /// How many more times it will be wanted.
    uses: u32,
    content: Content,
}

enum Content {
    /// Still in the output it was delivered in.
    Output {
        stamp: u64,
        range: Range<usize>,
    },
    Own(Vec<u8>),
}

/// Where a base is whose deltas come next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    at: At,
    pub(super) object_type: ObjectType,
    /// How many deltas made it.
    pub(super) depth: u32,
    /// How many bytes it has.
    pub(super) size: usize,
}

/// Among which objects a base is.
#[derive(Clone, Copy, Debug)]
enum At {
    Kept(usize),
    Recent(Place),
}

/// What stands before an object that was made lately: its type, and how many deltas
/// made it.
const RECENT_HEAD: usize = 5;

/// Which objects will be wanted again as bases, told by who knows the order in
/// which objects are read: the entry's offset and how many times.
pub(super) type BaseUses = Vec<(u64, u32)>;

/// Objects made whole, each kept until the last delta on it was applied.
///
/// They are read in the order of the delta forest, bases first, so the newest is
/// wanted first. Where there is no memory for one, what builds on it is made
/// through its whole chain as if nothing had been kept.
pub(super) struct Bases {
    kept: Vec<Base>,
    /// Objects that were made lately, for who reads what is much alike in an order
    /// that nobody planned: trees of one commit after the other.
    recent: BaseCache,
    /// Buffers of those that left.
    spare: Vec<Vec<u8>>,
    size: u64,
    ceiling: u64,
}

/// How many buffers wait to be used again.
const MOST_SPARE: usize = 4;

impl Bases {
    /// Makes one that takes at most `ceiling` bytes of its own.
    pub(super) fn new(ceiling: u64) -> Bases {
        Bases {
            kept: Vec::new(),
            recent: BaseCache::new(ceiling),
            spare: Vec::new(),
            size: 0,
            ceiling,
        }
    }

    /// Returns how many bytes of memory they take, outputs apart.
    pub(super) fn size(&self) -> u64 {
        self.size.saturating_add(self.recent.size())
    }

    /// Tells whether none is kept.
    pub(super) fn is_empty(&self, order: ReadOrder) -> bool {
        self.kept.is_empty() && order != ReadOrder::Similar
    }

    /// Returns how many bytes more are held once an object of a length was kept.
    pub(super) fn recent_growth(&self, length: usize) -> u64 {
        self.recent.growth(length.saturating_add(RECENT_HEAD))
    }

    /// Keeps an object that was made.
    pub(super) fn keep_recent(
        &mut self,
        (pack, offset): (FileId, u64),
        (object_type, depth): (ObjectType, u32),
        bytes: &[u8],
    ) -> Result<()> {
        let length = bytes.len().saturating_add(RECENT_HEAD);
        self.recent.keep(pack, offset, length, None, |target| {
            if let Some((head, content)) = target.split_at_mut_checked(RECENT_HEAD) {
                let [a, b, c, d] = depth.to_le_bytes();
                head.copy_from_slice(&[object_type as u8, a, b, c, d]);
                content.copy_from_slice(bytes);
            }
            Ok(())
        })?;
        self.recent.unpin();
        Ok(())
    }

    /// Makes sure that a base stays where it is until [`Bases::let_go`].
    pub(super) fn hold(&mut self, pack: FileId, offset: u64, order: ReadOrder) -> Option<Found> {
        if order == ReadOrder::Similar {
            self.recent.find(pack, offset);
        }
        self.find(pack, offset, order)
    }

    /// Lets go of what was held.
    pub(super) fn let_go(&mut self) {
        self.recent.unpin();
    }

    /// Forgets what was made lately, but for what is held.
    pub(super) fn forget_recent(&mut self) {
        self.recent.shrink_to(0);
    }

    fn find_recent(&self, pack: FileId, offset: u64) -> Option<Found> {
        let place = self.recent.peek(pack, offset)?;
        let (head, content) = self.recent.bytes(place).split_first_chunk::<RECENT_HEAD>()?;
        let [number, depth @ ..] = *head;
        let object_type = ObjectType::from_number(number)?;
        let depth = u32::from_le_bytes(depth);
        Some(Found { at: At::Recent(place), object_type, depth, size: content.len() })
    }

    /// Looks for the object of an entry.
    pub(super) fn find(&self, pack: FileId, offset: u64, order: ReadOrder) -> Option<Found> {
        let at = self.kept.iter().rposition(|base| base.offset == offset && base.pack == pack);
        let Some(at) = at else {
            let is_similar = order == ReadOrder::Similar;
            return is_similar.then(|| self.find_recent(pack, offset)).flatten();
        };
        let base = self.kept.get(at)?;
        let size = match &base.content {
            Content::Own(bytes) => bytes.len(),
            Content::Output { range, .. } => range.len(),
        };
        Some(Found { at: At::Kept(at), object_type: base.object_type, depth: base.depth, size })
    }

    /// Returns the content of a base that does not lie in `out`.
    pub(super) fn own(&self, found: Found) -> Option<&[u8]> {
        if let At::Recent(place) = found.at {
            return self.recent.bytes(place).get(RECENT_HEAD..);
        }
        match &self.kept_at(found)?.content {
            Content::Own(bytes) => Some(bytes),
            Content::Output { .. } => None,
        }
    }

    fn kept_at(&self, found: Found) -> Option<&Base> {
        match found.at {
            At::Kept(at) => self.kept.get(at),
            At::Recent(_) => None,
        }
    }

    /// Tells whether the content of a base can be had, `out` being the output.
    pub(super) fn has(&self, found: Found, out: Option<&Appender<'_>>) -> bool {
        out.is_some_and(|out| self.content(found, out).is_some())
    }

    /// Returns the content of a base.
    pub(super) fn content<'a>(&'a self, found: Found, out: &'a Appender<'_>) -> Option<&'a [u8]> {
        match self.kept_at(found).map(|base| &base.content) {
            Some(Content::Output { stamp, range }) => out.stamped(*stamp, range),
            _ => self.own(found),
        }
    }

    /// Returns where in an output the content of a base lies.
    pub(super) fn in_output(&self, found: Found) -> Option<(u64, Range<usize>)> {
        match &self.kept_at(found)?.content {
            Content::Output { stamp, range } => Some((*stamp, range.clone())),
            Content::Own(_) => None,
        }
    }

    /// A base was used; behind the last time it leaves, and so do all that were
    /// kept after it: what builds on those was read, or could not be.
    pub(super) fn used(&mut self, found: Found) {
        let At::Kept(at) = found.at else {
            return;
        };
        let Some(base) = self.kept.get_mut(at) else {
            return;
        };
        base.uses = base.uses.saturating_sub(1);
        let left = if base.uses == 0 { at } else { at.saturating_add(1) };
        self.drop_behind(left);
    }

    /// Keeps what was just appended to `out` from `start` on.
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

    /// Keeps a copy of an object.
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

    /// Copies what lies in an output that is about to be overwritten. Those for
    /// which there is no room leave.
    pub(super) fn save(&mut self, output: &Output) {
        // From the newest on, which is wanted first.
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

    /// Returns how many are kept.
    pub(super) fn count(&self) -> usize {
        self.kept.len()
    }

    /// Drops the newest until `count` are left.
    pub(super) fn drop_behind(&mut self, count: usize) {
        while self.kept.len() > count {
            self.drop_last();
        }
    }

    /// Drops all; their memory is used again.
    pub(super) fn drop_all(&mut self) {
        self.drop_behind(0);
    }

    /// Forgets all, and the memory.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.spare.clear();
        self.size = 0;
        self.recent = BaseCache::new(self.ceiling);
    }

    fn copy(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let fits = self.spare.iter().rposition(|buffer| buffer.capacity() >= bytes.len());
        let mut copy = match fits {
            Some(at) => self.spare.swap_remove(at),
            None => {
                // One that is too short makes room for the one that is not.
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
