//! The objects that the objects of a pack link to, each once.

use super::rows::Rows;
use crate::id_table::Ids;
use crate::object::ObjectType;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;

/// Collects links while objects are read; [`Links::settle`] then keeps only links out of the
/// pack.
#[derive(Default)]
pub(super) struct Links {
    ids: Ids,
    /// The type of each linked object as a number; 0 once the pack is known to have the object.
    types: Vec<u8>,
    /// The linked objects that are not in the pack, by descending id.
    outside: Vec<(ObjectId, ObjectType)>,
    is_settled: bool,
}

impl Links {
    /// Adds a link; returns whether all links to the object agree on its type.
    pub(super) fn add(&mut self, to: &ObjectId, object_type: ObjectType) -> bool {
        let count = self.types.len() as u32;
        let number = self.ids.number_of(to, count);
        if number == count {
            self.types.push(object_type as u8);
        }
        self.types.get(number as usize) == Some(&(object_type as u8))
    }

    /// Drops the links to objects that the pack has and whose type the links agree with.
    pub(super) fn settle(&mut self, hash: HashKind, rows: &Rows) {
        for at in 0..rows.len() {
            let id = ObjectId::from_bytes(hash, rows.id(at));
            let number = id.and_then(|id| self.ids.find_number(&id));
            if let Some(expected) = number.and_then(|number| self.types.get_mut(number as usize)) {
                if rows.object_type(at).is_some_and(|found| found as u8 == *expected) {
                    *expected = 0;
                }
            }
        }
        let types = (0..).zip(std::mem::take(&mut self.types));
        let left =
            types.filter_map(|(at, of)| Some((self.ids.get(at)?, ObjectType::from_number(of)?)));
        self.outside = left.collect();
        sort::by_id(&mut self.outside, |(id, _)| id);
        self.outside.reverse();
        self.ids = Ids::default();
        self.is_settled = true;
    }

    /// Returns whether [`Links::settle`] was called.
    pub(super) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Returns the linked object with the lowest id.
    pub(super) fn first(&self) -> Option<(ObjectId, ObjectType)> {
        self.outside.last().copied()
    }

    pub(super) fn pop_first(&mut self) -> Option<(ObjectId, ObjectType)> {
        self.outside.pop()
    }

    /// Returns how many bytes of memory the next link takes: 0 unless the table must grow.
    pub fn memory_to_grow(&self, hash: HashKind) -> u64 {
        self.ids.memory_to_grow(hash)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let outside = self.outside.capacity().saturating_mul(size_of::<(ObjectId, ObjectType)>());
        self.ids.memory().saturating_add(self.types.capacity().saturating_add(outside) as u64)
    }
}
