//! Choosing among the entries of a delta tree: those that a filter wants, and those
//! that they are made of.

use super::Filter;
use crate::block::Files;
use crate::error::Result;
use crate::object::ObjectType;
use crate::odb::{Location, Odb, PackNumber, ReadOrder};
use crate::pack::{Forest, Walk};

/// The entries of one tree of a forest, bases first.
pub(super) struct Selection {
    filter: Filter,
    /// What the deltas of the tree rest on, until it is known which are wanted.
    root: Option<usize>,
    tree: Vec<Member>,
    /// How many of them were looked at.
    judged: usize,
    /// How many were come to.
    done: usize,
}

/// An entry of the tree.
#[derive(Clone, Copy)]
pub(super) struct Member {
    /// Its place in the order of the pack.
    pub(super) entry: u32,
    /// Which of the tree it builds on; the root is the first.
    base: u32,
    /// How many of those that are chosen build on it directly.
    pub(super) uses: u32,
    pub(super) is_wanted: bool,
}

impl Selection {
    /// `None` if all are wanted.
    pub(super) fn new(filter: &Filter) -> Option<Selection> {
        let filter = *filter;
        let none = Selection { filter, root: None, tree: Vec::new(), judged: 0, done: 0 };
        (!filter.wants_all()).then_some(none)
    }

    /// Leaves what of a tree was not come to.
    pub(super) fn reset(&mut self) {
        self.tree.clear();
        (self.root, self.judged, self.done) = (None, 0, 0);
    }

    /// Returns the most bytes of memory that this takes for a forest of `count` entries.
    pub(super) fn memory_for(count: u64) -> u64 {
        count.saturating_mul(size_of::<Member>() as u64)
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        Selection::memory_for(self.tree.capacity() as u64)
    }

    /// Returns the next entry of the tree that is chosen, and whether it is the root.
    pub(super) fn next(&mut self) -> Option<(Member, bool)> {
        while let Some(member) = self.tree.get(self.done).copied() {
            let is_root = self.done == 0;
            self.done = self.done.saturating_add(1);
            if member.is_chosen() {
                return Some((member, is_root));
            }
        }
        None
    }

    /// Goes on to the next tree of which some entries are chosen; `false` behind the
    /// last.
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
                let is_wanted = self.judge(odb, files, (pack, entry as usize), object_type)?;
                if let Some(member) = self.tree.get_mut(self.judged) {
                    member.is_wanted = is_wanted;
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

    /// Takes all entries below a root, where the walk stands.
    fn gather(&mut self, root: usize, forest: &Forest, walk: &mut Walk) -> Result<()> {
        let mut path: Vec<u32> = Vec::new();
        let mut next = Some(root);
        while let Some(entry) = next {
            path.truncate(walk.depth().saturating_sub(1));
            let base = path.last().copied().unwrap_or(0);
            path.push(self.tree.len() as u32);
            self.tree.try_reserve(1).map_err(|_| crate::block::over_ceiling())?;
            self.tree.push(Member { entry: entry as u32, base, uses: 0, is_wanted: false });
            next = walk.next_below(forest);
        }
        Ok(())
    }

    /// Tells whether an object is wanted, given the type of all objects of its tree.
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
                // It may lie elsewhere as well.
                Err(_) => {}
            }
        }
        let id = odb.packs.id_at(files, pack, position)?;
        odb.expect(id, Location::Packed { pack, offset });
        odb.is_wanted(files, &id, &self.filter)
    }

    /// Counts what builds on each, from the last to the first, where those that are
    /// chosen are known before their bases are.
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
    /// Tells whether it is wanted, or made for one that is.
    fn is_chosen(&self) -> bool {
        self.is_wanted || self.uses > 0
    }
}

/// Returns the type of an entry's object, which all that build on it have as well;
/// `None` if it cannot be told.
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
    match odb.walk_chain(files, (file, offset), None, ReadOrder::Planned) {
        Err(error) if error.is_missing() => Err(error),
        end => Ok(end.ok().map(|end| end.object_type())),
    }
}
