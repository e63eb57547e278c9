//! The objects of a pack, bases first.

use crate::block::{BlockSource, Files};
use crate::error::Result;
use crate::odb::{Odb, PackNumber};
use crate::oid::ObjectId;
use crate::pack::{Forest, Walk};
use std::ops::Range;

/// The share of the ceiling that a forest may take.
const FOREST_SHARE: u64 = 6;

/// The share of the ceiling that a pack on a server may take to be read in another
/// order than it is stored in: what leaves memory is a way to go again.
const FAR_SHARE: u64 = 2;

/// A way through the delta forest of a pack: each object is made right behind
/// the one it builds on, and each entry inflated once.
pub(super) struct BaseFirst {
    pack: PackNumber,
    forest: Forest,
    /// Behind the last entry the forest is sorted once.
    sorted: bool,
    walk: Walk,
    /// The entry where the walk stands.
    here: Option<usize>,
}

/// An object of the pack.
pub(super) struct Next {
    pub(super) id: ObjectId,
    pub(super) offset: u64,
    /// How many objects build on it.
    pub(super) uses: u32,
    /// It builds on no other.
    pub(super) is_root: bool,
}

impl BaseFirst {
    /// Tells whether there is memory enough for this way through a pack that is open.
    pub(super) fn is_possible(odb: &Odb, files: &Files, pack: PackNumber) -> Result<bool> {
        let file = odb.packs.file(pack)?;
        let memory = Forest::memory_for(odb.packs.count(pack).into());
        let ceiling = odb.limits.memory;
        let far = files.is_far(file) && files.source(file).size() > ceiling / FAR_SHARE;
        Ok(memory <= ceiling / FOREST_SHARE && !far && odb.has_room_for_order(files, pack)?)
    }

    /// Begins with a pack that is open, to go through the trees whose roots are in a
    /// range of its entries; `None` if there is too little memory for this way.
    pub(super) fn begin(
        odb: &mut Odb,
        files: &mut Files,
        pack: PackNumber,
        roots: Range<usize>,
    ) -> Result<Option<BaseFirst>> {
        if !BaseFirst::is_possible(odb, files, pack)? || !odb.read_order(files, pack)? {
            return Ok(None);
        }
        let count = odb.packs.count(pack);
        odb.make_room(files, 0, Forest::memory_for(count.into()))?;
        let forest = Forest::with_capacity(count as usize)?;
        let walk = Walk::from_roots_in(roots);
        Ok(Some(BaseFirst { pack, forest, sorted: false, walk, here: None }))
    }

    /// Returns the pack.
    pub(super) fn pack(&self) -> PackNumber {
        self.pack
    }

    /// Goes on with the trees whose roots are in another range.
    pub(super) fn go_to(&mut self, roots: Range<usize>) {
        self.walk = Walk::from_roots_in(roots);
        self.here = None;
    }

    /// Returns the object where the walk stands, `None` behind the last.
    pub(super) fn peek(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<Next>> {
        if !self.sorted {
            self.read_heads(odb, files)?;
        }
        if self.here.is_none() {
            self.here = self.walk.next(&self.forest);
        }
        let Some(here) = self.here else {
            return Ok(None);
        };
        odb.read_order(files, self.pack)?;
        let entry = odb.packs.extents(self.pack).and_then(|extents| extents.entry(here));
        let Some((offset, position)) = entry else {
            return Ok(None);
        };
        let id = odb.packs.id_at(files, self.pack, position)?;
        let (uses, is_root) = (self.forest.children(here), self.walk.is_at_root());
        Ok(Some(Next { id, offset, uses, is_root }))
    }

    /// Goes on to the next object.
    pub(super) fn pass(&mut self) {
        self.here = None;
    }

    /// Reads the head of every entry, which tells what it builds on.
    fn read_heads(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        odb.read_order(files, self.pack)?;
        let Some(extents) = odb.packs.extents(self.pack) else {
            return Ok(());
        };
        while let Some((offset, _)) = extents.entry(self.forest.len()) {
            let base = odb.base_before(files, self.pack, offset)?;
            self.forest.push(base.and_then(|base| extents.entry_at(base)));
        }
        self.forest.sort();
        self.sorted = true;
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.forest.memory()
    }
}
