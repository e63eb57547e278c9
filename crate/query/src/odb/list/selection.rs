//! Chooses entries of a delta tree: the objects that pass a filter, and the bases in their
//! chains.

use super::Filter;
use crate::odb::{Odb, PackNumber, ReadHint, ReadOrder};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_format::object::ObjectType;
use packlens_format::pack::{Forest, Walk};

/// The entries of one tree of a delta forest, bases first.
pub(super) struct Selection {
    filter: Filter,
    /// The root of the tree, until all its entries are filtered.
    root: Option<usize>,
    tree: Vec<Member>,
    /// How many entries were filtered.
    judged: usize,
    /// How many entries were returned or skipped.
    done: usize,
}

/// An entry of the tree.
#[derive(Clone, Copy)]
pub(super) struct Member {
    /// The entry's number in pack order.
    pub(super) entry: u32,
    /// The index of the entry's base in the tree; the root has index 0.
    base: u32,
    /// How many chosen entries have this one as their base.
    pub(super) uses: u32,
    pub(super) is_selected: bool,
}

impl Selection {
    /// Creates a selection; `None` if the filter lets all objects pass.
    pub fn new(filter: &Filter) -> Option<Selection> {
        let filter = *filter;
        let none = Selection { filter, root: None, tree: Vec::new(), judged: 0, done: 0 };
        (!filter.wants_all()).then_some(none)
    }

    /// Drops the rest of the current tree.
    pub(super) fn reset(&mut self) {
        self.tree.clear();
        (self.root, self.judged, self.done) = (None, 0, 0);
    }

    /// Returns the most bytes of memory that a selection takes in a forest of `count` entries.
    pub(super) fn memory_for(count: u64) -> u64 {
        count.saturating_mul(size_of::<Member>() as u64)
    }

    /// Returns how many bytes of memory the selection takes.
    pub fn memory(&self) -> u64 {
        Selection::memory_for(self.tree.capacity() as u64)
    }

    /// Returns the next chosen entry of the tree, and whether it is the root. A tree of which
    /// some entries were not judged yet, because bytes were missing, has no chosen ones: they would
    /// be returned again afterwards.
    pub(super) fn next(&mut self) -> Option<(Member, bool)> {
        if self.root.is_some() {
            return None;
        }
        while let Some(member) = self.tree.get(self.done).copied() {
            let is_root = self.done == 0;
            self.done = self.done.saturating_add(1);
            if member.is_chosen() {
                return Some((member, is_root));
            }
        }
        None
    }

    /// Moves to the next tree with chosen entries; `false` after the last.
    pub(super) fn choose(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
        pack: PackNumber,
        forest: &Forest,
        walk: &mut Walk,
    ) -> Result<bool> {
        loop {
            let root = match self.root {
                Some(root) => root,
                None => {
                    self.tree.clear();
                    match walk.next(forest) {
                        Some(root) => *self.root.insert(root),
                        None => return Ok(false),
                    }
                }
            };
            let object_type = type_of(odb, files, pack, root)?;
            if self.tree.is_empty() {
                match object_type.is_none_or(|object_type| self.filter.wants_some(object_type)) {
                    true => self.gather(root, forest, walk)?,
                    false => walk.leave_tree(),
                }
            }
            while let Some(entry) = self.tree.get(self.judged).map(|member| member.entry) {
                let is_selected = self.judge(odb, files, (pack, entry as usize), object_type)?;
                if let Some(member) = self.tree.get_mut(self.judged) {
                    member.is_selected = is_selected;
                }
                self.judged = self.judged.saturating_add(1);
            }
            self.count_uses();
            (self.root, self.judged, self.done) = (None, 0, 0);
            if self.tree.first().is_some_and(Member::is_chosen) {
                return Ok(true);
            }
        }
    }

    /// Adds all entries of the tree with this root, where the walk is.
    fn gather(&mut self, root: usize, forest: &Forest, walk: &mut Walk) -> Result<()> {
        let mut path: Vec<u32> = Vec::new();
        let mut next = Some(root);
        while let Some(entry) = next {
            path.truncate(walk.depth().saturating_sub(1));
            let base = path.last().copied().unwrap_or(0);
            path.push(self.tree.len() as u32);
            self.tree.try_reserve(1).map_err(|_| packlens_base::block::over_ceiling())?;
            self.tree.push(Member { entry: entry as u32, base, uses: 0, is_selected: false });
            next = walk.next_below(forest);
        }
        Ok(())
    }

    /// Returns whether an object passes the filter, given the type that all objects of its
    /// tree have.
    fn judge(
        &self,
        odb: &mut Odb,
        files: &mut Files,
        (pack, entry): (PackNumber, usize),
        object_type: Option<ObjectType>,
    ) -> Result<bool> {
        let Some((offset, position)) = odb.packs.extents(pack).and_then(|all| all.entry(entry))
        else {
            return Ok(false);
        };
        if let Some(object_type) = object_type {
            if self.filter.wants_any_size(object_type) {
                return Ok(true);
            }
            let file = odb.packs.file(pack)?;
            match odb.size_packed(files, file, offset) {
                Ok(size) => return Ok(self.filter.wants(object_type, size)),
                Err(error) if error.is_missing() => return Err(error),
                // Another copy of the object may be readable.
                Err(_) => {}
            }
        }
        let id = odb.packs.id_at(files, pack, position)?;
        let hint = ReadHint { place: Some((pack, offset)), ..ReadHint::STORED_FORM };
        odb.is_selected(files, &id, &hint, &self.filter)
    }

    /// Counts the deltas on each entry, from the last entry to the first, so that each is
    /// known to be chosen before its base is visited.
    fn count_uses(&mut self) {
        for at in (1..self.tree.len()).rev() {
            let chosen = self.tree.get(at).copied().filter(Member::is_chosen);
            let base = chosen.and_then(|member| self.tree.get_mut(member.base as usize));
            if let Some(base) = base {
                base.uses = base.uses.saturating_add(1);
            }
        }
    }
}

impl Member {
    /// Returns whether the entry passes the filter, or is a base of one that does.
    fn is_chosen(&self) -> bool {
        self.is_selected || self.uses > 0
    }
}

/// Returns the type of an entry's object, which all deltas on it share; `None` if it is
/// damaged.
fn type_of(
    odb: &mut Odb,
    files: &mut Files,
    pack: PackNumber,
    entry: usize,
) -> Result<Option<ObjectType>> {
    let file = odb.packs.file(pack)?;
    let Some((offset, _)) = odb.packs.extents(pack).and_then(|all| all.entry(entry)) else {
        return Ok(None);
    };
    match odb.walk_chain(files, (file, offset), None, ReadOrder::Planned(&[])) {
        Err(error) if error.is_missing() => Err(error),
        end => Ok(end.ok().map(|end| end.object_type())),
    }
}
