//! Hashes objects: an object id is the hash of `<type> SP <size> NUL <content>`.

mod attacks;
mod checked;
mod crc32;
mod lanes;
mod load;
mod object_head;
mod pending;
mod sha1_blocks;
mod suspects;
mod x4;

use crate::object_type::ObjectType;
use crate::oid::{HashKind, ObjectId, MAX_OID_LEN};
use sha1::{Digest, Sha1};
use sha2::Sha256;

pub use checked::Collisions;
pub use checked::ObjectHasher;
pub use crc32::Crc32;
pub use lanes::Message;
use object_head::ObjectHead;
pub use pending::Pending;

/// How many bytes one call hashes. When an engine has optimised a hot function, only later
/// calls use the result: a large object that is hashed by a single call would run in the
/// unoptimised code to its end.
const STEP: usize = 16 << 10;

/// An unfinished hash.
#[derive(Clone)]
pub struct Hasher(HasherState);

#[derive(Clone)]
enum HasherState {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Hasher {
    /// Starts the hash of an empty input.
    pub fn new(hash: HashKind) -> Hasher {
        Hasher(match hash {
            HashKind::Sha1 => HasherState::Sha1(Sha1::new()),
            HashKind::Sha256 => HasherState::Sha256(Sha256::new()),
        })
    }

    /// Starts the hash of an object of `size` bytes, whose content follows.
    pub fn for_object(hash: HashKind, object_type: ObjectType, size: u64) -> Hasher {
        let mut hasher = Hasher::new(hash);
        hasher.update(ObjectHead::new(object_type, size).as_bytes());
        hasher
    }

    /// Adds bytes to the hash.
    pub fn update(&mut self, bytes: &[u8]) {
        for step in bytes.chunks(STEP) {
            match &mut self.0 {
                HasherState::Sha1(state) => state.update(step),
                HasherState::Sha256(state) => state.update(step),
            }
        }
    }

    /// Returns the hash of all bytes that were added.
    pub fn finish(self) -> ObjectId {
        let mut bytes = [0; MAX_OID_LEN];
        let hash = match self.0 {
            HasherState::Sha1(state) => {
                for (to, from) in bytes.iter_mut().zip(state.finalize()) {
                    *to = from;
                }
                HashKind::Sha1
            }
            HasherState::Sha256(state) => {
                bytes = state.finalize().into();
                HashKind::Sha256
            }
        };
        ObjectId::from_bytes(hash, &bytes).unwrap_or_else(|| unreachable!("MAX_OID_LEN bytes"))
    }
}

/// Returns the id of an object.
///
/// ```
/// use packlens_base::{hash::object_id, object_type::ObjectType, HashKind};
/// let id = object_id(HashKind::Sha1, ObjectType::Blob, b"");
/// assert_eq!(id.to_hex(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
/// ```
pub fn object_id(hash: HashKind, object_type: ObjectType, content: &[u8]) -> ObjectId {
    let mut hasher = Hasher::for_object(hash, object_type, content.len() as u64);
    hasher.update(content);
    hasher.finish()
}
