//! Lists every entry of one pack, even if the same object is stored elsewhere too.

use super::base_first::{BaseFirst, NextEntry};
use super::Filter;
use crate::odb::{Odb, PackNumber, ReadHint};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;

/// An entry, with the id that the pack index has for it.
pub struct PackEntry<'u> {
    /// The id.
    pub id: ObjectId,
    /// The offset of the entry in the pack.
    pub offset: u64,
    /// How the entry is read next.
    pub hint: ReadHint<'u>,
}

/// The entries of an open pack: bases first if there is memory for that, else in pack order.
pub struct PackEntries {
    pack: PackNumber,
    way: Way,
}

enum Way {
    NotBegun,
    BaseFirst(Box<BaseFirst>),
    InOrder(usize),
}

impl PackEntries {
    /// Starts to list a pack.
    pub fn new(pack: PackNumber) -> PackEntries {
        PackEntries { pack, way: Way::NotBegun }
    }

    /// Returns the current entry; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub fn peek(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<PackEntry<'_>>> {
        if matches!(self.way, Way::NotBegun) {
            let all = Filter::default();
            self.way = match BaseFirst::begin(odb, files, self.pack, 0..usize::MAX, &all)? {
                Some(way) => Way::BaseFirst(Box::new(way)),
                None => Way::InOrder(0),
            };
        }
        let pack = self.pack;
        match &mut self.way {
            Way::BaseFirst(way) => {
                let Some(NextEntry { id, offset }) = way.peek(odb, files)? else {
                    return Ok(None);
                };
                let hint = ReadHint::planned((pack, offset), way.order());
                Ok(Some(PackEntry { id, offset, hint }))
            }
            Way::InOrder(at) if *at < odb.packs.count(pack) as usize => {
                let (offset, position) = odb.entry_at(files, pack, *at)?;
                let id = odb.packs.id_at(files, pack, position)?;
                let hint = ReadHint::at((pack, offset));
                Ok(Some(PackEntry { id, offset, hint }))
            }
            _ => Ok(None),
        }
    }

    /// Moves past the current entry.
    pub fn pass(&mut self) {
        match &mut self.way {
            Way::BaseFirst(way) => way.pass(),
            Way::InOrder(at) => *at = at.saturating_add(1),
            Way::NotBegun => {}
        }
    }

    /// Returns how many bytes of memory the list takes.
    pub fn memory(&self) -> u64 {
        match &self.way {
            Way::BaseFirst(way) => way.memory(),
            _ => 0,
        }
    }
}
