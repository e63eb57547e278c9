//! Hashing that notices content which was made to collide: whoever knows two
//! objects of one SHA-1 id can show the one and mean the other.

use super::object_head::ObjectHead;
use super::{Hasher, STEP};
use crate::object_type::ObjectType;
use crate::oid::{HashKind, ObjectId};
use sha1_checked::Digest;

/// Whether SHA-1 ids are computed with collision detection, as in git.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Collisions {
    /// Content that is part of a known attack is an error. Detection takes twice as long in
    /// lanes, and three times as long for a single object.
    Detect,
    /// Content is trusted.
    #[default]
    Trust,
}

/// The unfinished hash of an object.
pub struct ObjectHasher(ObjectHasherState);

enum ObjectHasherState {
    Plain(Hasher),
    Checked(Box<sha1_checked::Sha1>),
}

impl ObjectHasher {
    /// Starts the hash of an object of `size` bytes, whose content follows.
    pub fn new(
        hash: HashKind,
        collisions: Collisions,
        object_type: ObjectType,
        size: u64,
    ) -> ObjectHasher {
        if (hash, collisions) != (HashKind::Sha1, Collisions::Detect) {
            let plain = Hasher::for_object(hash, object_type, size);
            return ObjectHasher(ObjectHasherState::Plain(plain));
        }
        let mut state = Box::new(sha1_checked::Sha1::new());
        state.update(ObjectHead::new(object_type, size).as_bytes());
        ObjectHasher(ObjectHasherState::Checked(state))
    }

    /// Adds bytes of the content.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            ObjectHasherState::Plain(hasher) => hasher.update(bytes),
            ObjectHasherState::Checked(state) => {
                bytes.chunks(STEP).for_each(|step| state.update(step));
            }
        }
    }

    /// Returns the id; `None` if the content is part of an attack.
    pub fn finish(self) -> Option<ObjectId> {
        match self.0 {
            ObjectHasherState::Plain(hasher) => Some(hasher.finish()),
            ObjectHasherState::Checked(state) => {
                let result = state.try_finalize();
                let id = ObjectId::from_bytes(HashKind::Sha1, result.hash());
                id.filter(|_| !result.has_collision())
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The start of one of the two messages with the same SHA-1 that Stevens, Bursztein,
    /// Karpman, Albertini and Markov published in 2017.
    const MESSAGE: &str = "\
        255044462d312e330a25e2e3cfd30a0a0a312030206f626a0a3c3c2f57696474682032203020522f\
        4865696768742033203020522f547970652034203020522f537562747970652035203020522f4669\
        6c7465722036203020522f436f6c6f7253706163652037203020522f4c656e677468203820302052\
        2f42697473506572436f6d706f6e656e7420383e3e0a73747265616d0affd8fffe00245348412d31\
        20697320646561642121212121852fec092339759c39b1a1c63c4c97e1fffe017346dc9166b67e11\
        8f029ab621b2560ff9ca67cca8c7f85ba84c79030c2b3de218f86db3a90901d5df45c14f26fedfb3\
        dc38e96ac22fe7bd728f0e45bce046d23c570feb141398bb552ef5a0a82be331fea48037b8b5d71f\
        0e332edf93ac3500eb4ddc0decc1a864790c782c76215660dd309791d06bd0af3f98cda4bc4629b1";

    pub(in crate::hash) fn message() -> Vec<u8> {
        let pairs = MESSAGE.as_bytes().chunks(2);
        pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    fn hashed(message: &[u8]) -> Option<ObjectId> {
        let mut hasher =
            ObjectHasher(ObjectHasherState::Checked(Box::new(sha1_checked::Sha1::new())));
        hasher.update(message);
        hasher.finish()
    }

    #[test]
    fn colliding_content_has_no_id() {
        let message = message();
        assert_eq!(hashed(&message), None);
        // Only the last block completes the collision.
        assert!(hashed(&message[..256]).is_some());
        let mut other = message;
        other[200] ^= 1;
        assert!(hashed(&other).is_some());
    }

    #[test]
    fn other_content_keeps_its_id() {
        for (hash, size) in [(HashKind::Sha1, 5), (HashKind::Sha1, 70_000), (HashKind::Sha256, 5)] {
            let content = vec![7; size];
            let ids = [Collisions::Detect, Collisions::Trust].map(|collisions| {
                let kind = ObjectType::Blob;
                let mut hasher = ObjectHasher::new(hash, collisions, kind, size as u64);
                hasher.update(&content);
                hasher.finish()
            });
            assert_eq!(ids, [Some(crate::hash::object_id(hash, ObjectType::Blob, &content)); 2]);
        }
    }
}
