//! Objects that wait to be hashed: several at once are hashed faster than one by one.

use super::checked::Collisions;
use super::lanes::{object_ids, Message};
use super::load::Load;
use crate::object_type::ObjectType;
use crate::oid::{HashKind, ObjectId};

/// Objects that wait to be hashed, each known by a key that leads to its content.
#[derive(Debug)]
pub struct Pending<K> {
    keys: Vec<K>,
    load: Load,
}

impl<K> Default for Pending<K> {
    fn default() -> Pending<K> {
        Pending { keys: Vec::new(), load: Load::default() }
    }
}

impl<K> Pending<K> {
    /// Adds an object whose content is `length` bytes long.
    pub fn push(&mut self, key: K, length: usize) {
        self.load.add(length);
        self.keys.push(key);
    }

    /// Returns the keys in the order in which they were added.
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// Returns how many bytes of content wait.
    pub fn bytes(&self) -> usize {
        self.load.bytes()
    }

    /// Returns whether so many bytes wait that they should be hashed now.
    pub fn is_enough(&self) -> bool {
        self.load.is_enough()
    }

    /// Returns whether all lanes have about the same load; `true` if none wait.
    pub fn is_even(&self) -> bool {
        self.load.is_even()
    }

    /// Returns how many bytes of memory the list takes, contents not included.
    pub fn memory(&self) -> u64 {
        (self.keys.capacity() as u64).saturating_mul(size_of::<K>() as u64)
    }

    /// Hashes the objects, which wait until [`Pending::clear`]. `done` gets the position and
    /// the id of each, in any order; the id is `None` if attacks are to be detected and the
    /// content is part of one.
    pub fn hash<'a>(
        &'a self,
        (hash, collisions): (HashKind, Collisions),
        message: impl Fn(&'a K) -> Message<'a>,
        mut done: impl FnMut(usize, Option<ObjectId>),
    ) {
        const NONE: Message<'_> = Message { object_type: ObjectType::Blob, content: &[] };
        let of = |at: usize| self.keys.get(at).map_or(NONE, &message);
        object_ids(hash, self.keys.len(), &of, collisions, &mut done);
    }

    /// Hashes the objects like [`Pending::hash`]; `damaged` gets the position of each whose id
    /// is not the expected one, in any order.
    pub fn check<'a>(
        &'a self,
        hash: (HashKind, Collisions),
        expected: impl Fn(&'a K) -> (ObjectId, Message<'a>),
        mut damaged: impl FnMut(usize),
    ) {
        self.hash(
            hash,
            |key| expected(key).1,
            |at, id| {
                if self.keys.get(at).map(|key| expected(key).0) != id {
                    damaged(at);
                }
            },
        );
    }

    /// Drops the objects; the memory of the list is kept for the next ones.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.load = Load::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::object_id;

    #[test]
    fn damaged_objects_are_reported_by_their_position() {
        for hash in [HashKind::Sha1, HashKind::Sha256] {
            for wrong in [vec![], vec![5], vec![3, 4, 19], vec![0, 19]] {
                let contents: Vec<_> =
                    (0..20u8).map(|at| vec![at; 1000 - 7 * at as usize]).collect();
                let mut pending = Pending::default();
                for (at, content) in contents.iter().enumerate() {
                    let real =
                        if wrong.contains(&at) { ObjectType::Tree } else { ObjectType::Blob };
                    pending.push((object_id(hash, real, content), at), content.len());
                }
                let mut found = Vec::new();
                let expected = |(id, at): &(ObjectId, usize)| {
                    (*id, Message { object_type: ObjectType::Blob, content: &contents[*at] })
                };
                pending.check((hash, Collisions::Trust), expected, |at| found.push(at));
                found.sort_unstable();
                assert_eq!(found, wrong, "{hash:?}");
                assert_eq!(pending.bytes(), contents.iter().map(Vec::len).sum::<usize>());
                pending.clear();
                assert_eq!((pending.keys().len(), pending.bytes()), (0, 0));
            }
        }
    }
}
