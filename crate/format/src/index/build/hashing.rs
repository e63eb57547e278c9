//! Objects that wait to be hashed: hashing several at once is faster than one by one.

use super::contents::{Content, Contents};
use crate::object::ObjectType;
use packlens_base::hash::{sha1_ids, Collisions, Load, Message, ObjectHasher};
use packlens_base::oid::{HashKind, ObjectId};

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

/// The objects that wait to be hashed. Each is a user of its content.
#[derive(Default)]
pub(super) struct Hashing {
    list: Vec<Unhashed>,
    load: Load,
}

impl Hashing {
    pub(super) fn push(&mut self, object: Unhashed) {
        self.load.add(object.length);
        self.list.push(object);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether enough objects wait to be hashed together.
    pub(super) fn is_full(&self) -> bool {
        self.load.is_enough() || self.list.len() >= MOST_OBJECTS
    }

    /// Hashes all waiting objects. `done` gets each id, or `None` for content that was made to
    /// collide. Returns the list, whose contents are still in use; give it to
    /// [`Hashing::clear`].
    pub(super) fn hash(
        &mut self,
        hash: HashKind,
        collisions: Collisions,
        contents: &Contents,
        mut done: impl FnMut(&Unhashed, Option<&ObjectId>),
    ) -> Vec<Unhashed> {
        self.load = Load::default();
        let list = std::mem::take(&mut self.list);
        match hash {
            HashKind::Sha1 => {
                let message = |key: usize| {
                    let object = list.get(key);
                    Message {
                        object_type: object.map_or(ObjectType::Blob, |object| object.object_type),
                        content: object.map_or(&[], |object| contents.get(object.content)),
                    }
                };
                sha1_ids(list.len(), &message, collisions, &mut |key, id| {
                    if let Some(object) = list.get(key) {
                        done(object, id.as_ref());
                    }
                });
            }
            HashKind::Sha256 => {
                for object in &list {
                    let size = object.length as u64;
                    let mut hasher = ObjectHasher::new(hash, collisions, object.object_type, size);
                    hasher.update(contents.get(object.content));
                    done(object, hasher.finish().as_ref());
                }
            }
        }
        list
    }

    /// Takes the list back, to reuse its memory.
    pub(super) fn clear(&mut self, mut list: Vec<Unhashed>) {
        list.clear();
        if self.list.is_empty() {
            self.list = list;
        }
    }
}
