//! Maps objects to the ref blocks that point at them.

use super::super::layout::{MIN_OBJECT_KEY, OBJECT_KEY_BITS};
use super::block::put_varint;
use packlens_base::oid::ObjectId;
use packlens_base::sort;

/// The objects that refs of a table point at, each with the offset of the ref's block.
#[derive(Default)]
pub(super) struct Objects(Vec<(ObjectId, u64)>);

impl Objects {
    /// Adds an object that a ref in the block at `position` points at.
    pub(super) fn add(&mut self, id: ObjectId, position: u64) {
        if self.0.last() != Some(&(id, position)) {
            self.0.push((id, position));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn memory(&self) -> u64 {
        self.0.capacity().saturating_mul(size_of::<(ObjectId, u64)>()) as u64
    }

    pub(super) fn sort(&mut self) {
        sort::by_keys(&mut self.0, |(id, _)| sort::begin(id.as_bytes()), Ord::cmp);
        self.0.dedup();
    }

    /// Returns the length of a key that is unique for each object. The objects must be sorted.
    pub(super) fn key_len(&self) -> usize {
        let shared = |pair: &[(ObjectId, u64)]| match pair {
            [(one, _), (other, _)] if one != other => {
                let bytes = one.as_bytes().iter().zip(other.as_bytes());
                bytes.take_while(|(one, other)| one == other).count()
            }
            _ => 0,
        };
        let longest = self.0.windows(2).map(shared).max().unwrap_or(0);
        // The length field in the footer has no room for more.
        let most = (1_usize << OBJECT_KEY_BITS).saturating_sub(1);
        longest.saturating_add(1).clamp(MIN_OBJECT_KEY, most)
    }

    /// Returns each key with the offsets of its blocks. The objects must be sorted.
    pub(super) fn keys(&self, key_len: usize) -> impl Iterator<Item = (&[u8], Vec<u64>)> {
        let key = move |id: &'_ ObjectId| -> usize { key_len.min(id.as_bytes().len()) };
        let same = move |(one, _): &(ObjectId, u64), (other, _): &(ObjectId, u64)| {
            one.as_bytes().get(..key(one)) == other.as_bytes().get(..key(other))
        };
        self.0.chunk_by(same).filter_map(move |chunk| {
            let (id, _) = chunk.first()?;
            let mut blocks: Vec<u64> = chunk.iter().map(|(_, position)| *position).collect();
            sort::numbers(&mut blocks);
            blocks.dedup();
            Some((id.as_bytes().get(..key(id))?, blocks))
        })
    }
}

/// Returns the record value of an object, and the 3 extra bits: the number of blocks if that
/// is less than 8, else 0.
pub(super) fn object_value(blocks: &[u64]) -> (u8, Vec<u8>) {
    let mut value = Vec::new();
    let extra = u8::try_from(blocks.len()).ok().filter(|count| *count < 8).unwrap_or(0);
    if extra == 0 {
        put_varint(&mut value, blocks.len() as u64);
    }
    let mut before = 0;
    for position in blocks {
        put_varint(&mut value, position.saturating_sub(before));
        before = *position;
    }
    (extra, value)
}
