//! Lists the objects of a pack, bases first.

use super::selection::{Member, Selection};
use super::Filter;
use crate::odb::{Odb, PackNumber, ReadOrder};
use packlens_base::block::{over_ceiling, BlockSource, Files};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::pack::{Forest, Walk};
use std::ops::Range;

/// A forest may take one part in this many of the memory ceiling.
const FOREST_SHARE: u64 = 6;

/// The largest high-latency pack that is read in an order other than its own, as one part in
/// this many of the memory ceiling. In a larger one, evicted bytes would take another round
/// trip.
const REMOTE_SHARE: u64 = 2;

/// How many entry heads are read before the caller can interrupt: some ten milliseconds.
const HEADS_AT_ONCE: usize = 1 << 15;

/// A local pack larger than one part in `WHOLE_SHARE` of the memory ceiling is walked in
/// segments of one part in `SEGMENT_SHARE`: the bytes of a segment stay in memory from the
/// heads of its entries to their contents, so the file is read once.
const WHOLE_SHARE: u64 = 2;
const SEGMENT_SHARE: u64 = 3;

/// Where more than one in this many entries of a segment are deltas on earlier segments, the
/// rest of the pack is one segment: making those bases again would cost more than reading the
/// file again.
const OUTSIDE_SHARE: usize = 3;

/// A walk through the delta forest of a pack: each object follows its base, and each entry is
/// inflated once.
pub(super) struct BaseFirst {
    pack: PackNumber,
    /// The entries that are walked now: all, or a segment.
    segment: Range<usize>,
    /// How many of them are deltas on earlier entries.
    outside: usize,
    /// The entries of the segment, numbered from its start. A delta on an earlier segment is a
    /// root.
    forest: Forest,
    /// Whether all entries were added and the forest was sorted.
    sorted: bool,
    walk: Walk,
    /// The entry at which the walk is.
    here: Option<usize>,
    /// The filter's choice of entries; `None` if all are requested.
    selection: Option<Selection>,
    /// The entries since the last object, this object included, that later deltas build on:
    /// offset and number of deltas.
    kept: Vec<(u64, u32)>,
}

/// An object of the pack.
pub(super) struct NextEntry {
    pub(super) id: ObjectId,
    pub(super) offset: u64,
    /// The position in the index; 0 where the order of the pack is not known.
    pub(super) position: u32,
}

impl BaseFirst {
    /// Returns whether an open pack can be walked in this way: whether there is enough memory
    /// for it.
    pub(super) fn is_possible(
        odb: &Odb,
        files: &Files,
        pack: PackNumber,
        filter: &Filter,
    ) -> Result<bool> {
        let file = odb.packs.file(pack)?;
        let memory = memory_for(odb.packs.count(pack), filter);
        let ceiling = odb.limits.memory;
        let takes_many_trips =
            files.is_high_latency(file) && files.source(file).size() > ceiling / REMOTE_SHARE;
        Ok(memory <= ceiling / FOREST_SHARE
            && !takes_many_trips
            && odb.has_room_for_order(files, pack)?)
    }

    /// Starts to walk the trees of an open pack whose roots are in a range of its entries;
    /// `None` if there is not enough memory.
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
        let is_shared = roots != (0..usize::MAX);
        let (walk, selection) = (Walk::from_roots_in(roots), Selection::new(filter));
        let (sorted, here, kept) = (false, None, Vec::new());
        let (segment, outside) = (0..count as usize, 0);
        let mut list =
            BaseFirst { pack, segment, outside, forest, sorted, walk, here, selection, kept };
        let size = files.source(odb.packs.file(pack)?).size();
        let is_small = size <= odb.limits.memory / WHOLE_SHARE;
        if !is_small && !is_shared && list.selection.is_none() {
            list.segment = 0..0;
            list.next_segment(odb);
        }
        Ok(Some(list))
    }

    /// Moves to the next segment; returns `false` after the last.
    fn next_segment(&mut self, odb: &mut Odb) -> bool {
        let Some(extents) = odb.packs.extents(self.pack) else { return false };
        let start = self.segment.end;
        let Some((offset, _)) = extents.entry(start) else { return false };
        let limit = offset.saturating_add(odb.limits.memory / SEGMENT_SHARE);
        let (mut least, mut end) = (start.saturating_add(1), odb.packs.count(self.pack) as usize);
        while least < end {
            let middle = least.midpoint(end);
            match extents.entry(middle) {
                Some((offset, _)) if offset < limit => least = middle.saturating_add(1),
                _ => end = middle,
            }
        }
        self.segment = start..least;
        self.outside = 0;
        self.forest.clear();
        self.sorted = false;
        self.walk = Walk::from_roots_in(0..usize::MAX);
        odb.bases.drop_all();
        true
    }

    /// Returns whether the current entry is a root whose base may be in an earlier segment.
    fn is_segment_root(&self) -> bool {
        self.segment.start > 0 && self.walk.is_at_root()
    }

    /// Returns the order in which the current object is read.
    pub(super) fn order(&self) -> ReadOrder<'_> {
        match self.is_segment_root() {
            true => ReadOrder::PlannedRoot(&self.kept),
            false => ReadOrder::Planned(&self.kept),
        }
    }

    /// Returns the number of the pack.
    pub(super) fn pack(&self) -> PackNumber {
        self.pack
    }

    /// Continues with the trees whose roots are in another range.
    pub(super) fn go_to(&mut self, roots: Range<usize>) {
        self.walk = Walk::from_roots_in(roots);
        self.here = None;
        self.selection.iter_mut().for_each(Selection::reset);
    }

    /// Returns the object at which the walk is; `None` after the last.
    pub fn peek(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<NextEntry>> {
        loop {
            while !self.prepare(odb, files)? {}
            odb.read_order(files, self.pack)?;
            if self.here.is_none() {
                self.here = self.advance(odb, files)?;
            }
            if self.here.is_some() || !self.next_segment(odb) {
                break;
            }
        }
        let entry = self.here.and_then(|here| self.entry(odb, here));
        let Some((offset, position)) = entry else {
            return Ok(None);
        };
        let id = odb.packs.id_at(files, self.pack, position)?;
        Ok(Some(NextEntry { id, offset, position }))
    }

    /// Moves to the next requested object, past the bases in its chain.
    fn advance(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<usize>> {
        self.kept.clear();
        loop {
            let (entry, uses, is_selected, is_root) = match &mut self.selection {
                None => match self.walk.next(&self.forest) {
                    Some(next) => (next, self.forest.children(next), true, self.walk.is_at_root()),
                    None => return Ok(None),
                },
                Some(selection) => match selection.next() {
                    // A base that is not requested is used once when it is made on the way to
                    // another object.
                    Some((Member { entry, uses, is_selected, .. }, is_root)) => {
                        let uses = uses.saturating_sub(u32::from(!is_selected));
                        (entry as usize, uses, is_selected, is_root)
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
            if is_root && self.is_segment_root() {
                // The bases of this one may need all of the memory.
                odb.bases.clear();
            } else if is_root {
                odb.bases.drop_all();
            }
            if let Some((offset, _)) = self.entry(odb, entry).filter(|_| uses > 0) {
                self.kept.push((offset, uses));
            }
            if is_selected {
                return Ok(Some(entry));
            }
        }
    }

    /// Returns the offset and the index position of an entry.
    fn entry(&self, odb: &Odb, at: usize) -> Option<(u64, u32)> {
        odb.packs.extents(self.pack)?.entry(self.segment.start.saturating_add(at))
    }

    /// Moves past the current object.
    pub fn pass(&mut self) {
        self.here = None;
    }

    /// Works on what has to be done before the first object; returns whether that is complete.
    pub(super) fn prepare(&mut self, odb: &mut Odb, files: &mut Files) -> Result<bool> {
        if !self.sorted {
            self.read_heads(odb, files)?;
        }
        Ok(self.sorted)
    }

    /// Reads the heads of entries, which name their bases.
    #[inline(never)]
    fn read_heads(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        odb.read_order(files, self.pack)?;
        // `BaseFirst::begin` has checked that there is room for the order.
        let extents = odb.packs.extents(self.pack).ok_or_else(over_ceiling)?;
        let until = self.forest.entries().saturating_add(HEADS_AT_ONCE);
        let start = self.segment.start;
        while self.forest.entries() < self.segment.len() {
            let next = extents.entry(start.saturating_add(self.forest.entries()));
            let Some((offset, _)) = next else { break };
            if self.forest.entries() >= until {
                return Ok(());
            }
            let base = odb.base_before(files, self.pack, offset)?;
            let base = base.and_then(|base| extents.entry_at(base));
            let is_outside = base.is_some_and(|base| base < start);
            self.outside = self.outside.saturating_add(usize::from(is_outside));
            self.forest.push(base.and_then(|base| base.checked_sub(start)));
        }
        let count = odb.packs.count(self.pack) as usize;
        if self.segment.end < count && self.outside > self.segment.len() / OUTSIDE_SHARE {
            self.segment.end = count;
            return Ok(());
        }
        self.forest.sort();
        self.sorted = true;
        Ok(())
    }

    /// Returns how many bytes of memory the walk takes.
    pub fn memory(&self) -> u64 {
        let choosing = self.selection.as_ref().map_or(0, Selection::memory);
        self.forest.memory().saturating_add(choosing)
    }
}

/// Returns the most bytes of memory that a walk takes.
fn memory_for(count: u32, filter: &Filter) -> u64 {
    let choosing = if filter.wants_all() { 0 } else { Selection::memory_for(count.into()) };
    Forest::memory_for(count.into()).saturating_add(choosing)
}
