//! Lists every entry of one pack, even if the same object is stored elsewhere too.

use super::base_first::{BaseFirst, NextEntry};
use super::Filter;
use crate::odb::{Odb, PackNumber, ReadHint};
use packlens_base::block::{over_ceiling, Files};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use std::ops::Range;

/// An entry, with the id that the pack index has for it.
pub struct PackEntry<'u> {
    /// The id.
    pub id: ObjectId,
    /// The offset of the entry in the pack.
    pub offset: u64,
    /// The position in the index.
    pub position: u32,
    /// How the entry is read next.
    pub hint: ReadHint<'u>,
}

/// All entries.
const ALL: Range<usize> = 0..usize::MAX;

/// The entries of an open pack: bases first if there is memory for that, else in pack order.
pub struct PackEntries {
    pack: PackNumber,
    /// The entries whose delta trees are listed.
    roots: Range<usize>,
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
        PackEntries { pack, roots: ALL, way: Way::NotBegun }
    }

    /// Returns whether an open pack can be listed in parts: whether there is memory to list bases
    /// first.
    ///
    /// # Errors
    ///
    /// Missing files; a damaged pack.
    pub fn has_parts(odb: &Odb, files: &Files, pack: PackNumber) -> Result<bool> {
        BaseFirst::is_possible(odb, files, pack, &Filter::default())
    }

    /// Lists only the delta trees whose roots are in a range of the entries, in pack order. Ranges
    /// that make up the pack list each entry once.
    pub fn go_to(&mut self, roots: Range<usize>) {
        if let Way::BaseFirst(way) = &mut self.way {
            way.go_to(roots.clone());
        }
        self.roots = roots;
    }

    /// Returns the current entry; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    /// [`Limit`](packlens_base::ErrorKind::Limit) if there is no memory for a part.
    pub fn peek(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<PackEntry<'_>>> {
        if matches!(self.way, Way::NotBegun) {
            let all = Filter::default();
            self.way = match BaseFirst::begin(odb, files, self.pack, self.roots.clone(), &all)? {
                Some(way) => Way::BaseFirst(Box::new(way)),
                // In another order a part would have other entries.
                None if self.roots != ALL => return Err(over_ceiling()),
                None => Way::InOrder(0),
            };
        }
        let pack = self.pack;
        match &mut self.way {
            Way::BaseFirst(way) => {
                let Some(NextEntry { id, offset, position }) = way.peek(odb, files)? else {
                    return Ok(None);
                };
                let hint = ReadHint::planned((pack, offset), way.order());
                Ok(Some(PackEntry { id, offset, position, hint }))
            }
            Way::InOrder(at) if *at < odb.packs.count(pack) as usize => {
                let (offset, position) = odb.entry_at(files, pack, *at)?;
                let id = odb.packs.id_at(files, pack, position)?;
                let hint = ReadHint::at((pack, offset));
                Ok(Some(PackEntry { id, offset, position, hint }))
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
