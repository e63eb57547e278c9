//! The numbers of all objects in a repository, with a byte of flags for each.

use super::shared::unless_damaged;
use packlens_base::block::Files;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::object::ObjectType;
use packlens_query::odb::{Location, Odb, PackNumber};
use std::collections::BTreeMap;

/// The flags of an object: bits above its type.
pub(super) mod flag {
    /// The number of the type; 0 if it is not known.
    pub(crate) const TYPE: u8 = 7;
    /// The object was read and parsed; for connectivity only, it is stored.
    pub(crate) const THERE: u8 = 8;
    /// A root, such as a ref, reaches the object.
    pub(crate) const REACHABLE: u8 = 16;
    /// An object links to it, or a root does.
    pub(crate) const USED: u8 = 32;
    /// The objects that it links to are marked as reachable as well.
    pub(crate) const WALKED: u8 = 64;
    /// Of a missing object: it is promised, so it is not reported.
    pub(crate) const PROMISED: u8 = WALKED;
    /// Of a copy of an object: something is wrong with it, or to be told of it, so it is checked
    /// again when findings are reported.
    pub(crate) const NOTED: u8 = 128;
}

/// The share of the memory ceiling that the ids of missing objects may take.
const MISSING_SHARE: u64 = 8;

/// About how many bytes a missing object takes.
const MISSING_EACH: u64 = 96;

/// How many recent look-ups are kept.
const RECENT: usize = 1 << 14;

/// All objects: loose objects by id, then those of each pack by index position. An object that
/// is stored twice is found by its first number.
#[derive(Default)]
pub(super) struct Numbers {
    loose: Vec<ObjectId>,
    packs: Vec<(PackNumber, u32)>,
    flags: Vec<u8>,
    missing: BTreeMap<ObjectId, u8>,
    /// Recent look-ups: the trees of a history name the same objects again and again.
    recent: Vec<Option<(ObjectId, u32)>>,
    /// The objects whose flags changed, and the missing ones, if they are recorded.
    changed: Option<(Vec<u32>, Vec<ObjectId>)>,
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Number {
    Is(u32),
    Missing,
}

impl Numbers {
    /// Adds loose objects; to be called before the first pack is added.
    pub(super) fn add_loose(&mut self, ids: Vec<ObjectId>) {
        self.loose.extend(ids);
    }

    /// Sorts the loose objects, and removes duplicates.
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
        let changed = self.changed.as_ref().map_or(0, |(numbers, missing)| {
            let missing = missing.capacity().saturating_mul(size_of::<ObjectId>());
            numbers.capacity().saturating_mul(4).saturating_add(missing)
        });
        fixed
            .saturating_add(changed as u64)
            .saturating_add((self.missing.len() as u64).saturating_mul(MISSING_EACH))
    }

    /// Looks an object up.
    ///
    /// # Errors
    ///
    /// Missing bytes of indexes; damaged indexes.
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
            // A damaged index was reported before.
            let position = unless_damaged(odb.position_in(files, *pack, id))?;
            if let Some(position) = position.flatten() {
                return Ok(Some(first.saturating_add(position)));
            }
        }
        Ok(None)
    }

    /// Returns the id of an object and where it is stored.
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

    /// Returns the flags of an object.
    pub(super) fn flags(&self, number: u32) -> u8 {
        self.flags.get(number as usize).copied().unwrap_or(0)
    }

    /// Sets flags of an object.
    pub(super) fn set(&mut self, number: u32, flags: u8) {
        if let Some(known) = self.flags.get_mut(number as usize) {
            let now = *known | flags;
            if now != std::mem::replace(known, now) {
                self.record(number);
            }
        }
    }

    /// Sets the type of an object, and replaces the type that links assumed.
    pub(super) fn set_type(&mut self, number: u32, object_type: ObjectType) {
        if let Some(known) = self.flags.get_mut(number as usize) {
            let now = (*known & !flag::TYPE) | object_type as u8;
            if now != std::mem::replace(known, now) {
                self.record(number);
            }
        }
    }

    /// Begins to record which flags change.
    pub(super) fn record_changes(&mut self) {
        self.changed = Some((Vec::new(), Vec::new()));
    }

    /// Returns what changed since the last call, each object perhaps more than once.
    pub(super) fn take_changed(&mut self) -> (Vec<u32>, Vec<ObjectId>) {
        self.changed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn record(&mut self, number: u32) {
        if let Some((numbers, _)) = &mut self.changed {
            numbers.push(number);
        }
    }

    /// Clears flags of all objects, missing ones included.
    pub(super) fn clear(&mut self, flags: u8) {
        self.flags.iter_mut().for_each(|known| *known &= !flags);
        self.missing.values_mut().for_each(|known| *known &= !flags);
    }

    /// Forgets all types, and which objects are missing.
    pub(super) fn forget_types(&mut self) {
        self.clear(flag::TYPE);
        self.missing.clear();
    }

    /// Sets flags of a missing object; returns its flags before.
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
        let is_new = !self.missing.contains_key(id);
        if is_new && self.missing.len() as u64 >= most {
            let what =
                "a list of the missing objects takes more memory than allowed: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let known = self.missing.entry(*id).or_insert(object_type.map_or(0, |of| of as u8));
        let before = *known;
        *known |= flags;
        if let Some((_, missing)) = self.changed.as_mut().filter(|_| *known != before || is_new) {
            missing.push(*id);
        }
        Ok(before)
    }

    /// Marks a missing object as reachable.
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

    /// Returns the missing objects and their flags.
    pub(super) fn missing(&self) -> &BTreeMap<ObjectId, u8> {
        &self.missing
    }
}

/// Returns the type in the flags.
pub(super) fn type_in(flags: u8) -> Option<ObjectType> {
    ObjectType::from_number(flags & flag::TYPE)
}
