//! Trees that were read but not hashed yet: four are hashed at a time.

use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::hash::{sha1_ids, Collisions, Load, Message};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::ObjectType;
use std::rc::Rc;

/// The most trees that wait.
const MOST_TREES: usize = 256;

/// The trees that wait. No result that depends on them may be returned before they are checked.
#[derive(Default)]
pub(super) struct UncheckedTrees {
    trees: Vec<(ObjectId, Rc<Vec<u8>>)>,
    load: Load,
    /// Each tree is hashed when it is read.
    one_by_one: bool,
}

impl UncheckedTrees {
    /// Creates a list in which no tree waits. Where a tree is damaged, a read that checks the
    /// hash can find another copy of it.
    pub(super) fn one_by_one() -> UncheckedTrees {
        UncheckedTrees { one_by_one: true, ..UncheckedTrees::default() }
    }

    /// Returns whether trees that are read now are to wait here.
    pub(super) fn takes(&self, repository: &Repository) -> bool {
        let hashed = repository.verify == Verify::Oid && repository.hash() == HashKind::Sha1;
        hashed && !self.one_by_one
    }

    /// Adds a tree; returns whether it is time to hash the waiting trees.
    pub(super) fn push(&mut self, id: ObjectId, content: Rc<Vec<u8>>) -> bool {
        self.load.add(content.len());
        self.trees.push((id, content));
        self.load.is_enough() || self.trees.len() >= MOST_TREES
    }

    /// Returns whether no tree waits.
    pub(super) fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Hashes the waiting trees, and forgets them; returns whether all match their ids.
    pub(super) fn check(&mut self, repository: &mut Repository) -> bool {
        let message = |key: usize| Message {
            object_type: ObjectType::Tree,
            content: self.trees.get(key).map_or(&[], |(_, content)| content.as_slice()),
        };
        let mut good = true;
        sha1_ids(self.trees.len(), &message, Collisions::Trust, &mut |key, found| {
            good &= self.trees.get(key).map(|(id, _)| *id) == found;
        });
        self.trees.clear();
        repository.odb.count_hashed(std::mem::take(&mut self.load).bytes() as u64);
        good
    }

    /// Returns how many bytes of memory the trees take.
    pub fn memory(&self) -> u64 {
        self.load.bytes() as u64
    }
}
