//! A table that numbers ids.

use packlens_base::oid::{HashKind, ObjectId};
use std::collections::BTreeMap;

/// The number of slots that are tried for an id. Ids are hashes and spread evenly, unless
/// somebody crafted them to collide: ids without a free slot go to a tree map, which limits
/// the cost.
const MOST_PROBES: usize = 64;

/// A map from ids to numbers with open addressing, at most half full. All ids have the same
/// hash algorithm.
#[derive(Default)]
pub struct Ids {
    hash: HashKind,
    /// The bytes of all ids, concatenated.
    ids: Vec<u8>,
    numbers: Vec<u32>,
    /// For each slot, the index of an id plus one, or 0 if the slot is free.
    slots: Vec<u32>,
    /// The indices of ids that found no free slot.
    crowded: BTreeMap<ObjectId, u32>,
}

/// The result of a search: the index of an id, or where to add it.
enum IdSearch {
    Place(u32),
    Slot(usize),
    Crowded,
}

impl Ids {
    /// Returns the number of an id; assigns `next` if it has none yet.
    pub fn number_of(&mut self, id: &ObjectId, next: u32) -> u32 {
        if self.is_full() {
            self.hash = id.hash();
            self.grow();
        }
        let found = match self.find(id) {
            IdSearch::Crowded => match self.crowded.get(id) {
                Some(place) => IdSearch::Place(*place),
                None => IdSearch::Crowded,
            },
            found => found,
        };
        if let IdSearch::Place(place) = found {
            return self.numbers.get(place as usize).copied().unwrap_or(next);
        }
        let place = self.numbers.len() as u32;
        self.ids.extend_from_slice(id.as_bytes());
        self.numbers.push(next);
        self.put(id, place, found);
        next
    }

    /// Returns the number of an id; `None` if it has none.
    pub fn find_number(&self, id: &ObjectId) -> Option<u32> {
        let place = match self.find(id) {
            IdSearch::Place(place) => place,
            IdSearch::Slot(_) => return None,
            IdSearch::Crowded => *self.crowded.get(id)?,
        };
        self.numbers.get(place as usize).copied()
    }

    /// Returns whether an id has a number.
    pub fn has(&self, id: &ObjectId) -> bool {
        self.find_number(id).is_some()
    }

    /// Returns the index of the id that was added last.
    pub fn last(&self) -> u32 {
        self.numbers.len().saturating_sub(1) as u32
    }

    /// Returns the id at an index.
    pub fn get(&self, place: u32) -> Option<ObjectId> {
        ObjectId::from_bytes(self.hash, self.bytes_at(place))
    }

    /// Returns the bytes from the start of an id on.
    fn bytes_at(&self, place: u32) -> &[u8] {
        self.ids.get((place as usize).saturating_mul(self.hash.len())..).unwrap_or_default()
    }

    /// Returns how many bytes of memory the table takes.
    pub fn memory(&self) -> u64 {
        let crowded = self.crowded.len().saturating_mul(size_of::<(ObjectId, ObjectId)>());
        let numbers = self.slots.capacity().saturating_add(self.numbers.capacity());
        let numbers = numbers.saturating_mul(4);
        self.ids.capacity().saturating_add(crowded).saturating_add(numbers) as u64
    }

    /// Returns how many bytes of memory the next id takes; 0 if there is room for it.
    pub fn memory_to_grow(&self, hash: HashKind) -> u64 {
        let each = hash.len().saturating_add(4 + 2 * 4);
        match self.is_full() {
            true => (self.grown_len() / 2).saturating_mul(each) as u64,
            false => 0,
        }
    }

    fn is_full(&self) -> bool {
        self.numbers.len() >= self.slots.len() / 2
    }

    fn grown_len(&self) -> usize {
        self.slots.len().saturating_mul(2).max(256)
    }

    fn find(&self, id: &ObjectId) -> IdSearch {
        let mask = self.slots.len().saturating_sub(1);
        let first = hash(id);
        for step in 0..MOST_PROBES {
            let at = first.wrapping_add(step) & mask;
            match self.slots.get(at).copied().unwrap_or(0).checked_sub(1) {
                None => return IdSearch::Slot(at),
                Some(place) => {
                    if self.is_at(place, id) {
                        return IdSearch::Place(place);
                    }
                }
            }
        }
        IdSearch::Crowded
    }

    fn is_at(&self, place: u32, id: &ObjectId) -> bool {
        let (known, id) = (self.bytes_at(place), id.as_bytes());
        // Most other ids differ in these bytes, so no call is needed to compare the rest.
        let first = |bytes: &[u8]| bytes.first_chunk::<8>().copied();
        first(known) == first(id) && known.starts_with(id)
    }

    fn put(&mut self, id: &ObjectId, place: u32, found: IdSearch) {
        match found {
            IdSearch::Slot(at) => {
                if let Some(slot) = self.slots.get_mut(at) {
                    *slot = place.saturating_add(1);
                }
            }
            _ => {
                self.crowded.insert(*id, place);
            }
        }
    }

    fn grow(&mut self) {
        let length = self.grown_len();
        self.slots = Vec::new();
        let more = (length / 2).saturating_sub(self.numbers.len());
        self.numbers.reserve_exact(more);
        self.ids.reserve_exact(more.saturating_mul(self.hash.len()));
        self.slots = vec![0; length];
        self.crowded.clear();
        for place in 0..self.numbers.len() as u32 {
            if let Some(id) = self.get(place) {
                let found = self.find(&id);
                self.put(&id, place, found);
            }
        }
    }
}

fn hash(id: &ObjectId) -> usize {
    id.as_bytes().first_chunk().map_or(0, |first| u32::from_le_bytes(*first) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::ObjectType;
    use packlens_base::hash::object_id;
    use packlens_base::oid::HashKind;

    fn check(ids: &[ObjectId]) -> Ids {
        let mut table = Ids::default();
        for (at, id) in ids.iter().enumerate() {
            assert_eq!(table.number_of(id, at as u32 + 7), at as u32 + 7);
            assert_eq!(table.get(table.last()), Some(*id));
        }
        for (at, id) in ids.iter().enumerate() {
            assert_eq!(table.number_of(id, 0), at as u32 + 7);
            assert_eq!(table.find_number(id), Some(at as u32 + 7));
        }
        table
    }

    #[test]
    fn every_id_keeps_its_number() {
        for hash in [HashKind::Sha1, HashKind::Sha256] {
            let id = |at: u32| object_id(hash, ObjectType::Blob, &at.to_be_bytes());
            let table = check(&(0..5000).map(id).collect::<Vec<_>>());
            assert!(table.crowded.is_empty());
            assert_eq!(table.find_number(&id(5000)), None);
        }
    }

    /// Without a limit for the probes this test takes minutes.
    #[test]
    fn clustered_ids_cost_no_more() {
        let id = |at: u32| {
            let mut bytes = [0; 20];
            bytes[16..].copy_from_slice(&at.to_be_bytes());
            ObjectId::from_bytes(HashKind::Sha1, &bytes).unwrap()
        };
        let table = check(&(0..200_000).map(id).collect::<Vec<_>>());
        assert!(table.crowded.len() > 199_000);
    }
}
