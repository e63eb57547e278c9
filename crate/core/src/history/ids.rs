//! Ids and the numbers they were given.

use crate::oid::ObjectId;
use std::collections::BTreeMap;

/// How many places an id may be in. Ids are hashes and spread evenly, unless
/// somebody made them to lie together: those beyond go where that costs little.
const MOST_PROBES: usize = 64;

/// A table from ids to numbers: open addressing, half of it empty at least.
#[derive(Default)]
pub(super) struct Ids {
    /// Each with its number.
    ids: Vec<(ObjectId, u32)>,
    /// One more than the place of an id, 0 where there is none.
    slots: Vec<u32>,
    /// The places of ids for which there was no slot.
    crowded: BTreeMap<ObjectId, u32>,
}

/// Where an id is in the table, or may be put.
enum Found {
    Place(u32),
    Slot(usize),
    Crowded,
}

impl Ids {
    /// Returns the number of an id: `next` if it has none yet.
    pub(super) fn number_of(&mut self, id: &ObjectId, next: u32) -> u32 {
        if self.ids.len() >= self.slots.len() / 2 {
            self.grow();
        }
        let found = match self.find(id) {
            Found::Crowded => match self.crowded.get(id) {
                Some(place) => Found::Place(*place),
                None => Found::Crowded,
            },
            found => found,
        };
        if let Found::Place(place) = found {
            return self.ids.get(place as usize).map_or(next, |(_, number)| *number);
        }
        let place = self.ids.len() as u32;
        self.ids.push((*id, next));
        self.put(id, place, found);
        next
    }

    /// Tells whether an id has a number.
    pub(super) fn has(&self, id: &ObjectId) -> bool {
        match self.find(id) {
            Found::Place(_) => true,
            Found::Slot(_) => false,
            Found::Crowded => self.crowded.contains_key(id),
        }
    }

    /// Returns the place of the id that was added last.
    pub(super) fn last(&self) -> u32 {
        self.ids.len().saturating_sub(1) as u32
    }

    /// Returns the id at a place.
    pub(super) fn get(&self, place: u32) -> Option<ObjectId> {
        self.ids.get(place as usize).map(|(id, _)| *id)
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let ids = self.ids.capacity().saturating_mul(size_of::<(ObjectId, u32)>());
        let crowded = self.crowded.len().saturating_mul(size_of::<(ObjectId, ObjectId)>());
        let slots = self.slots.capacity().saturating_mul(4);
        ids.saturating_add(crowded).saturating_add(slots) as u64
    }

    fn find(&self, id: &ObjectId) -> Found {
        let mask = self.slots.len().saturating_sub(1);
        let first = hash(id);
        for step in 0..MOST_PROBES {
            let at = first.wrapping_add(step) & mask;
            match self.slots.get(at).copied().unwrap_or(0).checked_sub(1) {
                None => return Found::Slot(at),
                Some(place) => {
                    if self.ids.get(place as usize).is_some_and(|(known, _)| known == id) {
                        return Found::Place(place);
                    }
                }
            }
        }
        Found::Crowded
    }

    fn put(&mut self, id: &ObjectId, place: u32, found: Found) {
        match found {
            Found::Slot(at) => {
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
        let length = self.slots.len().saturating_mul(2).max(256);
        self.slots = vec![0; length];
        self.crowded.clear();
        for place in 0..self.ids.len() as u32 {
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
    use crate::hash::object_id;
    use crate::object::ObjectType;
    use crate::oid::HashKind;

    fn check(ids: &[ObjectId]) -> Ids {
        let mut table = Ids::default();
        for (at, id) in ids.iter().enumerate() {
            assert_eq!(table.number_of(id, at as u32 + 7), at as u32 + 7);
            assert_eq!(table.get(table.last()), Some(*id));
        }
        for (at, id) in ids.iter().enumerate() {
            assert_eq!(table.number_of(id, 0), at as u32 + 7);
        }
        table
    }

    #[test]
    fn every_id_keeps_its_number() {
        let id = |at: u32| object_id(HashKind::Sha1, ObjectType::Blob, &at.to_be_bytes());
        let table = check(&(0..5000).map(id).collect::<Vec<_>>());
        assert!(table.crowded.is_empty());
    }

    /// Without an end to the probes this takes minutes.
    #[test]
    fn ids_that_lie_together_cost_no_more() {
        let id = |at: u32| {
            let mut bytes = [0; 20];
            bytes[16..].copy_from_slice(&at.to_be_bytes());
            ObjectId::from_bytes(HashKind::Sha1, &bytes).unwrap()
        };
        let table = check(&(0..200_000).map(id).collect::<Vec<_>>());
        assert!(table.crowded.len() > 199_000);
    }
}
