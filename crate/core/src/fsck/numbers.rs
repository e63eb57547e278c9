//! Numbers for all objects of a repository, and what is known of each.

use super::shared::unless_damaged;
use crate::block::Files;
use crate::error::{Error, ErrorKind, Result};
use crate::object::ObjectType;
use crate::odb::{Location, Odb, PackNumber};
use crate::oid::ObjectId;
use crate::sort;
use std::collections::BTreeMap;

/// What is known of an object: bits, above the number of its type.
pub(super) mod flag {
    /// The number of its type, 0 if that is not known.
    pub(crate) const TYPE: u8 = 7;
    /// It was read, and it is known where it leads.
    pub(crate) const THERE: u8 = 8;
    /// A ref leads to it, or to what leads there.
    pub(crate) const REACHABLE: u8 = 16;
    /// Something leads to it.
    pub(crate) const USED: u8 = 32;
    /// What it leads to is reachable as well, and known to be.
    pub(crate) const WALKED: u8 = 64;
    /// Of one that is nowhere: it is promised, and nobody misses it.
    pub(crate) const PROMISED: u8 = WALKED;
}

/// The share of the ceiling that ids may take of objects that are nowhere.
const MISSING_SHARE: u64 = 8;

/// The bytes that one of them takes, about.
const MISSING_EACH: u64 = 96;

/// How many ids are kept that were looked up last.
const RECENT: usize = 1 << 14;

/// All objects: the loose ones in the order of their ids, then those of each pack by
/// their positions in its index. One that is there twice goes by its first number.
#[derive(Default)]
pub(super) struct Numbers {
    loose: Vec<ObjectId>,
    packs: Vec<(PackNumber, u32)>,
    flags: Vec<u8>,
    missing: BTreeMap<ObjectId, u8>,
    /// Trees of a history name the same objects over and over.
    recent: Vec<Option<(ObjectId, u32)>>,
}

/// An object as it is called here.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Number {
    Is(u32),
    Missing,
}

impl Numbers {
    /// Adds loose objects, all before the first pack.
    pub(super) fn add_loose(&mut self, ids: Vec<ObjectId>) {
        self.loose.extend(ids);
    }

    /// Puts the loose ones in order.
    pub(super) fn sort_loose(&mut self) {
        sort::by_id(&mut self.loose, |id| id);
        self.loose.dedup();
        self.flags = vec![0; self.loose.len()];
        self.recent = vec![None; RECENT];
    }

    /// Adds the objects of a pack.
    pub(super) fn add_pack(&mut self, pack: PackNumber, count: u32) {
        self.packs.push((pack, self.count()));
        self.flags.resize(self.flags.len().saturating_add(count as usize), 0);
    }

    /// Returns how many numbers there are.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.flags.len()).unwrap_or(u32::MAX)
    }

    /// Returns the loose objects.
    pub(super) fn loose(&self) -> &[ObjectId] {
        &self.loose
    }

    /// Returns the packs, and the number of the first object of each.
    pub(super) fn packs(&self) -> &[(PackNumber, u32)] {
        &self.packs
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let loose = self.loose.capacity().saturating_mul(size_of::<ObjectId>());
        let recent = self.recent.capacity().saturating_mul(size_of::<Option<(ObjectId, u32)>>());
        let fixed = loose.saturating_add(recent).saturating_add(self.flags.capacity()) as u64;
        fixed.saturating_add((self.missing.len() as u64).saturating_mul(MISSING_EACH))
    }

    /// Looks for an object.
    ///
    /// # Errors
    ///
    /// Missing bytes of indexes; damaged ones.
    pub(super) fn find(&mut self, odb: &Odb, files: &Files, id: &ObjectId) -> Result<Number> {
        let slot = id.as_bytes().first_chunk().map_or(0, |first| u32::from_le_bytes(*first));
        let slot = slot as usize % RECENT;
        if let Some(Some((known, number))) = self.recent.get(slot) {
            if known == id {
                return Ok(Number::Is(*number));
            }
        }
        let number = self.look_up(odb, files, id)?;
        if let (Some(number), Some(kept)) = (number, self.recent.get_mut(slot)) {
            *kept = Some((*id, number));
        }
        Ok(number.map_or(Number::Missing, Number::Is))
    }

    fn look_up(&self, odb: &Odb, files: &Files, id: &ObjectId) -> Result<Option<u32>> {
        if let Ok(at) = self.loose.binary_search(id) {
            return Ok(u32::try_from(at).ok());
        }
        for (pack, first) in &self.packs {
            // What is wrong with an index was told.
            let position = unless_damaged(odb.position_in(files, *pack, id))?;
            if let Some(position) = position.flatten() {
                return Ok(Some(first.saturating_add(position)));
            }
        }
        Ok(None)
    }

    /// Returns the id of an object and where it lies.
    ///
    /// # Errors
    ///
    /// As [`Numbers::find`].
    pub(super) fn place_of(
        &self,
        odb: &Odb,
        files: &Files,
        number: u32,
    ) -> Result<(ObjectId, Location)> {
        if let Some(id) = self.loose.get(number as usize) {
            return Ok((*id, Location::Loose));
        }
        let at = self.packs.partition_point(|(_, first)| *first <= number);
        let (pack, first) = at
            .checked_sub(1)
            .and_then(|at| self.packs.get(at).copied())
            .ok_or_else(|| Error::new(ErrorKind::BadInput, "no such object"))?;
        let (id, offset) = odb.entry_in(files, pack, number.saturating_sub(first))?;
        Ok((id, Location::Packed { pack, offset }))
    }

    /// Returns what is known of an object.
    pub(super) fn flags(&self, number: u32) -> u8 {
        self.flags.get(number as usize).copied().unwrap_or(0)
    }

    /// Adds to what is known of an object.
    pub(super) fn set(&mut self, number: u32, flags: u8) {
        if let Some(known) = self.flags.get_mut(number as usize) {
            *known |= flags;
        }
    }

    /// Sets the type of an object, whatever it was taken for.
    pub(super) fn set_type(&mut self, number: u32, object_type: ObjectType) {
        if let Some(known) = self.flags.get_mut(number as usize) {
            *known = (*known & !flag::TYPE) | object_type as u8;
        }
    }

    /// Forgets what of all objects.
    pub(super) fn clear(&mut self, flags: u8) {
        self.flags.iter_mut().for_each(|known| *known &= !flags);
        self.missing.values_mut().for_each(|known| *known &= !flags);
    }

    /// Adds to what is known of an object that is nowhere; returns what was known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there are too many.
    pub(super) fn set_missing(
        &mut self,
        id: &ObjectId,
        object_type: Option<ObjectType>,
        flags: u8,
        memory: u64,
    ) -> Result<u8> {
        let most = memory / MISSING_SHARE / MISSING_EACH;
        if !self.missing.contains_key(id) && self.missing.len() as u64 >= most {
            let what = "more objects are missing than may be noted: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let known = self.missing.entry(*id).or_insert(object_type.map_or(0, |of| of as u8));
        let before = *known;
        *known |= flags;
        Ok(before)
    }

    /// Notes that an object is nowhere which is reachable.
    ///
    /// # Errors
    ///
    /// As [`Numbers::set_missing`].
    pub(super) fn set_lost(
        &mut self,
        id: &ObjectId,
        object_type: ObjectType,
        is_promised: bool,
        memory: u64,
    ) -> Result<()> {
        let flags = flag::REACHABLE | if is_promised { flag::PROMISED } else { 0 };
        self.set_missing(id, Some(object_type), flags, memory).map(|_| ())
    }

    /// Returns the objects that are nowhere.
    pub(super) fn missing(&self) -> &BTreeMap<ObjectId, u8> {
        &self.missing
    }
}

/// Returns the type that flags hold.
pub(super) fn type_in(flags: u8) -> Option<ObjectType> {
    ObjectType::from_number(flags & flag::TYPE)
}
