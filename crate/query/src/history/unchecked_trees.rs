//! Trees that were read but not hashed yet: four are hashed at a time.

use crate::odb::Verify;
use crate::repository::Repository;
use packlens_base::hash::{Collisions, Message, Pending};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::ObjectType;
use std::rc::Rc;

/// The most trees that wait.
const MOST_TREES: usize = 256;

/// The trees that wait. No result that depends on them may be returned before they are checked.
#[derive(Default)]
pub(super) struct UncheckedTrees {
    trees: Pending<(ObjectId, Rc<Vec<u8>>)>,
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
        let length = content.len();
        self.trees.push((id, content), length);
        self.trees.is_enough() || self.trees.keys().len() >= MOST_TREES
    }

    /// Returns whether no tree waits.
    pub(super) fn is_empty(&self) -> bool {
        self.trees.keys().is_empty()
    }

    /// Hashes the waiting trees, and forgets them; returns whether all match their ids.
    pub(super) fn check(&mut self, repository: &mut Repository) -> bool {
        let mut good = true;
        let hash = (HashKind::Sha1, Collisions::Trust);
        self.trees.check(hash, expected, |_| good = false);
        repository.odb.count_hashed(self.trees.bytes() as u64);
        self.trees.clear();
        good
    }

    /// Returns how many bytes of memory the trees take.
    pub fn memory(&self) -> u64 {
        self.trees.bytes() as u64
    }
}

fn expected((id, content): &(ObjectId, Rc<Vec<u8>>)) -> (ObjectId, Message<'_>) {
    (*id, Message { object_type: ObjectType::Tree, content })
}
