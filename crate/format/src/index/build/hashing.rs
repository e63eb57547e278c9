//! Objects that wait to be hashed. Each is a user of its content.

use super::contents::{Content, Contents};
use super::resolve::colliding_at;
use super::Build;
use crate::object::ObjectType;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::hash::Message;

/// The most objects that wait.
const MOST_OBJECTS: usize = 512;

/// An object whose id is not known yet.
#[derive(Clone, Copy)]
pub(super) struct Unhashed {
    pub(super) entry: u32,
    pub(super) object_type: ObjectType,
    pub(super) content: Content,
    pub(super) length: usize,
}

impl Unhashed {
    fn message<'c>(&self, contents: &'c Contents) -> Message<'c> {
        Message { object_type: self.object_type, content: contents.get(self.content) }
    }
}

impl Build {
    /// Adds an object to those that wait.
    pub(super) fn await_hash(&mut self, object: Unhashed) {
        self.hashing.push(object, object.length);
    }

    pub(super) fn hash_if_full<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
        match self.hashing.is_enough() || self.hashing.keys().len() >= MOST_OBJECTS {
            true => self.hash_all(pack),
            false => Ok(()),
        }
    }

    /// Hashes the waiting objects. Deltas that name their base by one of the new ids can be
    /// resolved from then on.
    pub(super) fn hash_all<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
        let (rows, hashed, new_ids) = (&mut self.rows, &mut self.hashed, &mut self.new_ids);
        let mut colliding = None;
        let mut pending = std::mem::take(&mut self.hashing);
        let list = pending.keys();
        let message = |object: &Unhashed| object.message(&self.contents);
        pending.hash((self.hash, self.collisions), message, |at, id| {
            let Some(object) = list.get(at) else {
                return;
            };
            let Some(id) = id else {
                colliding = Some(object.entry);
                return;
            };
            rows.set_id(object.entry, &id);
            *hashed = hashed.saturating_add(1);
            if let Some(new_ids) = new_ids {
                new_ids.push(object.entry);
            }
        });
        let checked = match colliding {
            None => self.check_all(list),
            Some(_) => Ok(()),
        };
        for object in list {
            // Until all entries are read, the deltas on an entry are not all known.
            if self.is_sorted() && self.adopt_by_id(object.entry) {
                self.push_base(object.entry, Some(object.content));
            }
            self.contents.release(object.content);
        }
        // The next objects use the memory of the list.
        pending.clear();
        self.hashing = pending;
        let row = colliding.and_then(|entry| self.rows.get(entry));
        row.map_or(checked, |row| Err(colliding_at(pack, row.offset)))
    }
}
