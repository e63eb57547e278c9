//! Lists objects by id: merges all packs and the loose objects.

use super::{memory_of, Listed};
use crate::odb::{Odb, PackNumber};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A sorted source of ids.
enum Source {
    /// A pack, the position of its next id in its index, and the number of its ids.
    Pack { pack: PackNumber, next: u32, count: u32 },
    /// The loose objects, the last one first.
    Loose(Vec<ObjectId>),
}

#[derive(Default)]
pub(super) struct Sorted {
    sources: Vec<Source>,
    /// The directory of loose objects that is read next, and the ids read so far.
    byte: u16,
    loose: Vec<ObjectId>,
    /// Indexed by pack number: whether the pack is a source. The other packs could not be
    /// opened.
    joined: Vec<bool>,
    /// Whether packs have to be added: at the start, and after one was deleted.
    joins: bool,
    /// Whether a pack was deleted since the packs were listed.
    lost: bool,
    /// The next id of each source that has one.
    heads: BinaryHeap<Reverse<(ObjectId, usize)>>,
    /// Sources whose next id was not read yet.
    waiting: Vec<usize>,
    last: Option<ObjectId>,
}

impl Sorted {
    #[inline(never)]
    pub(super) fn next(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<Listed>> {
        if self.sources.is_empty() {
            self.begin(odb, files)?;
        }
        loop {
            if self.joins {
                self.join_packs(odb, files)?;
            }
            while let Some(waiting) = self.waiting.last().copied() {
                let source = self.sources.get_mut(waiting);
                if let Some(id) =
                    source.map(|source| source.next(odb, files)).transpose()?.flatten()
                {
                    self.heads.push(Reverse((id, waiting)));
                } else if let Some(Source::Pack { pack, next, count }) = self.sources.get(waiting) {
                    // The rest of its objects are in a new pack, or the pack itself is there
                    // again.
                    if next < count {
                        self.lost = true;
                        self.joined.get_mut(pack.0).into_iter().for_each(|joined| *joined = false);
                    }
                }
                self.waiting.pop();
            }
            if std::mem::take(&mut self.lost) {
                odb.look_again(files);
                self.joins = true;
                continue;
            }
            let Some(Reverse((id, at))) = self.heads.peek().copied() else {
                return Ok(None);
            };
            let place = match self.sources.get(at) {
                Some(Source::Pack { pack, next, .. }) => {
                    let offset = odb.packs.offset_at(files, *pack, next.saturating_sub(1));
                    match offset {
                        Err(error) if error.is_missing() => return Err(error),
                        // Reading the object will report the damage, unless another copy is
                        // readable.
                        found => found.ok().map(|offset| (*pack, offset)),
                    }
                }
                _ => None,
            };
            self.heads.pop();
            self.waiting.push(at);
            if self.last.is_none_or(|last| last < id) {
                self.last = Some(id);
                return Ok(Some(Listed { id, place, planned: false }));
            }
        }
    }

    /// Reads the ids of the loose objects, then rescans the packs, even if they were listed
    /// before: git deletes a loose object only after a pack has it, so in this order none is
    /// missed.
    fn begin(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        odb.list_packs(files)?;
        while let Ok(byte) = u8::try_from(self.byte) {
            self.loose.extend(odb.loose_ids(files, byte)?);
            self.byte = self.byte.saturating_add(1);
        }
        odb.look_for_listing(files);
        self.loose.reverse();
        self.sources.push(Source::Loose(std::mem::take(&mut self.loose)));
        self.waiting.push(0);
        self.joins = true;
        Ok(())
    }

    /// Adds the packs that are not sources yet.
    fn join_packs(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        odb.list_packs(files)?;
        for pack in odb.packs.in_order() {
            let known = self.joined.get(pack.0).copied();
            if known == Some(true) {
                continue;
            }
            let opens = odb.packs.open_index(files, pack)?;
            if opens {
                // A damaged pack is listed by its index.
                odb.packs.open(files, pack)?;
                self.waiting.push(self.sources.len());
                self.sources.push(Source::Pack { pack, next: 0, count: odb.packs.count(pack) });
            } else if known.is_none() {
                self.lost = self.lost || odb.packs.is_deleted(pack);
            }
            match self.joined.get_mut(pack.0) {
                Some(joined) => *joined = opens,
                None => self.joined.push(opens),
            }
        }
        self.joins = false;
        Ok(())
    }

    pub fn memory(&self) -> u64 {
        let own = memory_of(&self.loose).saturating_add(self.joined.capacity() as u64);
        self.sources.iter().fold(own, |sum, source| match source {
            Source::Loose(ids) => sum.saturating_add(memory_of(ids)),
            Source::Pack { .. } => sum,
        })
    }
}

impl Source {
    /// Returns the next id and moves past it.
    fn next(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<ObjectId>> {
        match self {
            Source::Pack { pack, next, .. } => {
                if *next >= odb.packs.count(*pack) {
                    return Ok(None);
                }
                let id = odb.packs.id_at(files, *pack, *next)?;
                *next = next.saturating_add(1);
                Ok(Some(id))
            }
            Source::Loose(ids) => Ok(ids.pop()),
        }
    }
}
