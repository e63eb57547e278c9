//! Trees that were read, and are not hashed yet: four are hashed at a time.

use crate::hash::{sha1_ids, Collisions, Load, Message};
use crate::object::ObjectType;
use crate::odb::Verify;
use crate::oid::{HashKind, ObjectId};
use crate::repository::Repository;
use std::rc::Rc;

/// So many trees wait at most.
const MOST_TREES: usize = 256;

/// Nothing of what they lead to is to be handed over before they are checked.
#[derive(Default)]
pub(super) struct UncheckedTrees {
    trees: Vec<(ObjectId, Rc<Vec<u8>>)>,
    load: Load,
    /// Each is checked when it is read.
    one_by_one: bool,
}

impl UncheckedTrees {
    /// Begins where none waits: one that is damaged may lie elsewhere as well.
    pub(super) fn one_by_one() -> UncheckedTrees {
        UncheckedTrees { one_by_one: true, ..UncheckedTrees::default() }
    }

    /// Tells whether trees that are read now wait here.
    pub(super) fn takes(&self, repository: &Repository) -> bool {
        let hashed = repository.verify == Verify::Oid && repository.hash() == HashKind::Sha1;
        hashed && !self.one_by_one
    }

    /// Adds a tree; tells whether it is time to hash them.
    pub(super) fn push(&mut self, id: ObjectId, content: Rc<Vec<u8>>) -> bool {
        self.load.add(content.len());
        self.trees.push((id, content));
        self.load.is_enough() || self.trees.len() >= MOST_TREES
    }

    /// Tells whether none waits.
    pub(super) fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Hashes all, and forgets them; tells whether they are what their ids say.
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

    /// Returns how many bytes of memory they take.
    pub(super) fn memory(&self) -> u64 {
        self.load.bytes() as u64
    }
}
