//! Objects by their ids: all packs and the loose ones, merged.

use super::{memory_of, Listed};
use crate::block::Files;
use crate::error::Result;
use crate::odb::{Location, Odb, PackNumber};
use crate::oid::ObjectId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Something that has ids in order.
enum Source {
    /// A pack, and the position of the next id in its index.
    Pack { pack: PackNumber, next: u32 },
    /// The loose objects, directory by directory.
    Loose { byte: u16, ids: Vec<ObjectId> },
}

#[derive(Default)]
pub(super) struct Sorted {
    sources: Vec<Source>,
    begun: bool,
    /// The next id of each source that has one.
    heads: BinaryHeap<Reverse<(ObjectId, usize)>>,
    /// Sources whose next id is not known.
    waiting: Vec<usize>,
    last: Option<ObjectId>,
}

impl Sorted {
    #[inline(never)]
    pub(super) fn next(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<Listed>> {
        if !self.begun {
            self.begin(odb, files)?;
        }
        loop {
            while let Some(waiting) = self.waiting.last().copied() {
                let source = self.sources.get_mut(waiting);
                if let Some(id) =
                    source.map(|source| source.next(odb, files)).transpose()?.flatten()
                {
                    self.heads.push(Reverse((id, waiting)));
                }
                self.waiting.pop();
            }
            let Some(Reverse((id, at))) = self.heads.peek().copied() else {
                return Ok(None);
            };
            let place = match self.sources.get(at) {
                Some(Source::Pack { pack, next }) => {
                    let offset = odb.packs.offset_at(files, *pack, next.saturating_sub(1));
                    match offset {
                        Err(error) if error.is_missing() => return Err(error),
                        // Reading it will tell, unless it lies elsewhere as well.
                        found => found.ok().map(|offset| Location::Packed { pack: *pack, offset }),
                    }
                }
                _ => None,
            };
            self.heads.pop();
            self.waiting.push(at);
            if self.last.replace(id) != Some(id) {
                return Ok(Some(Listed { id, place, planned: false }));
            }
        }
    }

    fn begin(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        // What was loose may be packed by now: nothing would tell of a miss.
        odb.refresh_once(files);
        odb.list_packs(files)?;
        let mut sources = vec![Source::Loose { byte: 0, ids: Vec::new() }];
        for pack in odb.packs.in_order() {
            if odb.packs.open_index(files, pack)? {
                // A damaged pack is listed as its index has it.
                odb.packs.open(files, pack)?;
                sources.push(Source::Pack { pack, next: 0 });
            }
        }
        self.waiting = (0..sources.len()).collect();
        self.sources = sources;
        self.begun = true;
        Ok(())
    }

    pub(super) fn memory(&self) -> u64 {
        self.sources.iter().fold(0, |sum, source| match source {
            Source::Loose { ids, .. } => sum.saturating_add(memory_of(ids)),
            Source::Pack { .. } => sum,
        })
    }
}

impl Source {
    /// Returns the next id, and goes on behind it.
    fn next(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<ObjectId>> {
        match self {
            Source::Pack { pack, next } => {
                if *next >= odb.packs.count(*pack) {
                    return Ok(None);
                }
                let id = odb.packs.id_at(files, *pack, *next)?;
                *next = next.saturating_add(1);
                Ok(Some(id))
            }
            Source::Loose { byte, ids } => loop {
                if let Some(id) = ids.pop() {
                    return Ok(Some(id));
                }
                let Ok(directory) = u8::try_from(*byte) else {
                    return Ok(None);
                };
                *ids = odb.loose_ids(files, directory)?;
                ids.reverse();
                *byte = byte.saturating_add(1);
            },
        }
    }
}
