//! The objects of a pack, bases first.

use super::selection::{Member, Selection};
use super::Filter;
use crate::block::{over_ceiling, BlockSource, Files};
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

/// How many heads of entries are read at once by who can be interrupted: some ten
/// milliseconds.
const HEADS_AT_ONCE: usize = 1 << 15;

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
    /// Chooses among the entries, unless all are wanted.
    selection: Option<Selection>,
    /// The entries that were passed since the last object or are that object, and
    /// how many build on each.
    kept: Vec<(u64, u32)>,
}

/// An object of the pack.
pub(super) struct Next {
    pub(super) id: ObjectId,
    pub(super) offset: u64,
}

impl BaseFirst {
    /// Tells whether there is memory enough for this way through a pack that is open.
    pub(super) fn is_possible(
        odb: &Odb,
        files: &Files,
        pack: PackNumber,
        filter: &Filter,
    ) -> Result<bool> {
        let file = odb.packs.file(pack)?;
        let memory = memory_for(odb.packs.count(pack), filter);
        let ceiling = odb.limits.memory;
        let far = files.is_high_latency(file) && files.source(file).size() > ceiling / FAR_SHARE;
        Ok(memory <= ceiling / FOREST_SHARE && !far && odb.has_room_for_order(files, pack)?)
    }

    /// Begins with a pack that is open, to go through the trees whose roots are in a
    /// range of its entries; `None` if there is too little memory for this way.
    #[inline(never)]
    pub(super) fn begin(
        odb: &mut Odb,
        files: &mut Files,
        pack: PackNumber,
        roots: Range<usize>,
        filter: &Filter,
    ) -> Result<Option<BaseFirst>> {
        if !BaseFirst::is_possible(odb, files, pack, filter)? || !odb.read_order(files, pack)? {
            return Ok(None);
        }
        let count = odb.packs.count(pack);
        odb.make_room(files, 0, memory_for(count, filter))?;
        let forest = Forest::with_capacity(count as usize)?;
        let (walk, selection) = (Walk::from_roots_in(roots), Selection::new(filter));
        let (sorted, here, kept) = (false, None, Vec::new());
        Ok(Some(BaseFirst { pack, forest, sorted, walk, here, selection, kept }))
    }

    /// Returns the pack.
    pub(super) fn pack(&self) -> PackNumber {
        self.pack
    }

    /// Goes on with the trees whose roots are in another range.
    pub(super) fn go_to(&mut self, roots: Range<usize>) {
        self.walk = Walk::from_roots_in(roots);
        self.here = None;
        self.selection.iter_mut().for_each(Selection::reset);
    }

    /// Returns the object where the walk stands, `None` behind the last.
    pub(super) fn peek(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<Next>> {
        while !self.prepare(odb, files)? {}
        odb.read_order(files, self.pack)?;
        if self.here.is_none() {
            self.here = self.go_on(odb, files)?;
        }
        let entry = self.here.and_then(|here| self.entry(odb, here));
        let Some((offset, position)) = entry else {
            return Ok(None);
        };
        let id = odb.packs.id_at(files, self.pack, position)?;
        Ok(Some(Next { id, offset }))
    }

    /// Goes on to the next object that is wanted, through those it is made of.
    fn go_on(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<usize>> {
        self.kept.clear();
        loop {
            let (entry, uses, is_wanted, is_root) = match &mut self.selection {
                None => match self.walk.next(&self.forest) {
                    Some(next) => (next, self.forest.children(next), true, self.walk.is_at_root()),
                    None => return Ok(None),
                },
                Some(selection) => match selection.next() {
                    // What is made in passing is used by that once already.
                    Some((Member { entry, uses, is_wanted, .. }, is_root)) => {
                        let uses = uses.saturating_sub(u32::from(!is_wanted));
                        (entry as usize, uses, is_wanted, is_root)
                    }
                    None => match selection.choose(
                        odb,
                        files,
                        self.pack,
                        &self.forest,
                        &mut self.walk,
                    )? {
                        true => continue,
                        false => return Ok(None),
                    },
                },
            };
            if is_root {
                odb.bases.drop_all();
            }
            if let Some((offset, _)) = self.entry(odb, entry).filter(|_| uses > 0) {
                self.kept.push((offset, uses));
            }
            if is_wanted {
                return Ok(Some(entry));
            }
        }
    }

    /// Returns offset and position of an entry.
    fn entry(&self, odb: &Odb, at: usize) -> Option<(u64, u32)> {
        odb.packs.extents(self.pack)?.entry(at)
    }

    /// Returns the entries that the object is made of, and itself, on which others
    /// build: where they begin and how many.
    pub(super) fn kept(&self) -> &[(u64, u32)] {
        &self.kept
    }

    /// Goes on to the next object.
    pub(super) fn pass(&mut self) {
        self.here = None;
    }

    /// Goes on with what comes before the first object; tells whether that is done.
    pub(super) fn prepare(&mut self, odb: &mut Odb, files: &mut Files) -> Result<bool> {
        if !self.sorted {
            self.read_heads(odb, files)?;
        }
        Ok(self.sorted)
    }

    /// Reads the heads of entries, which tell what they build on.
    #[inline(never)]
    fn read_heads(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        odb.read_order(files, self.pack)?;
        // Whether there is room for the order was asked at the beginning.
        let extents = odb.packs.extents(self.pack).ok_or_else(over_ceiling)?;
        let until = self.forest.len().saturating_add(HEADS_AT_ONCE);
        while let Some((offset, _)) = extents.entry(self.forest.len()) {
            if self.forest.len() >= until {
                return Ok(());
            }
            let base = odb.base_before(files, self.pack, offset)?;
            self.forest.push(base.and_then(|base| extents.entry_at(base)));
        }
        self.forest.sort();
        self.sorted = true;
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let choosing = self.selection.as_ref().map_or(0, Selection::memory);
        self.forest.memory().saturating_add(choosing)
    }
}

/// Returns the most bytes of memory that this way takes.
fn memory_for(count: u32, filter: &Filter) -> u64 {
    let choosing = if filter.wants_all() { 0 } else { Selection::memory_for(count.into()) };
    Forest::memory_for(count.into()).saturating_add(choosing)
}
