//! Lists all objects one by one, without a list of all of them in memory.

mod ahead;
mod base_first;
mod commits;
mod entries;
mod filter;
mod selection;
mod sorted;
mod stored;
mod work_units;

use super::{ObjectInfo, Odb, PackNumber, ReadHint, ReadOrder};
use ahead::SortedAhead;
pub use commits::CommitWorkUnits;
pub use entries::PackEntries;
pub use filter::Filter;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_base::work_units::WorkUnits;
use packlens_format::loose;
use sorted::Sorted;
use std::collections::VecDeque;
use stored::Stored;

/// How far back a list can be read, in objects.
pub const MOST_BACK: u32 = 1024;

/// The order in which objects are listed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    /// By id.
    Sorted,
    /// By id, of objects whose content is not read: their metadata is read ahead.
    SortedInfo,
    /// By storage: the loose objects, then pack by pack.
    Stored,
    /// The order in which contents are read fastest: as `Stored`, but with the bases first in
    /// each pack for which there is enough memory.
    BaseFirst,
}

/// A listed object, and its location if it is in a pack.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Listed {
    id: ObjectId,
    place: Option<(PackNumber, u64)>,
    /// Whether the object passes the filter, and in a planned order follows its bases.
    planned: bool,
}

impl Listed {
    fn hint<'u>(&self, order: ReadOrder<'u>) -> ReadHint<'u> {
        ReadHint { place: self.place, order, listed: true, ..ReadHint::STORED_FORM }
    }
}

enum Listing {
    Sorted(Sorted),
    SortedAhead(SortedAhead),
    Stored(Stored),
}

/// The objects of a repository that pass a filter, each once, in some order.
pub struct ObjectList {
    listing: Listing,
    filter: Filter,
    /// The next object, which was not filtered yet.
    found: Option<Listed>,
    /// The objects that were listed last; the one before `index` is at the end.
    recent: VecDeque<Listed>,
    /// The object at `index`, once it was requested.
    current: Option<Listed>,
    /// The metadata of the next object, and once it was requested that of the object at `index`.
    info: Option<ObjectInfo>,
    index: u32,
    ended: bool,
}

impl ObjectList {
    /// Starts a list of the objects that pass a filter.
    pub fn new(order: Order, filter: Filter) -> ObjectList {
        let listing = match order {
            Order::Sorted if filter.wants_all() => Listing::Sorted(Sorted::default()),
            Order::Sorted => Listing::SortedAhead(SortedAhead::new(filter, false)),
            Order::SortedInfo => Listing::SortedAhead(SortedAhead::new(filter, true)),
            Order::Stored => Listing::Stored(Stored::new(None)),
            Order::BaseFirst => Listing::Stored(Stored::new(Some(filter))),
        };
        let (found, current) = (None, None);
        let recent = VecDeque::new();
        let info = None;
        ObjectList { listing, filter, found, recent, current, info, index: 0, ended: false }
    }

    /// Splits the list into work units, which are claimed one by one; call this before
    /// anything is listed. Returns `None` unless the order is [`Order::BaseFirst`], the only
    /// one that can be split.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub(crate) fn cut(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<WorkUnits>> {
        match &mut self.listing {
            Listing::Stored(stored) if stored.is_base_first() => {
                let work_units = stored.cut(odb, files)?;
                self.ended = true;
                Ok(Some(work_units))
            }
            _ => Ok(None),
        }
    }

    /// Starts one of the work units.
    pub fn claim(&mut self, work_unit: u32) {
        if let Listing::Stored(stored) = &mut self.listing {
            stored.claim(work_unit);
            (self.current, self.ended) = (None, false);
        }
    }

    /// Works on the next object for some ten milliseconds; returns whether the object is
    /// ready. [`ObjectList::get`] does all of that work at once.
    ///
    /// # Errors
    ///
    /// As [`ObjectList::get`].
    pub fn prepare(&mut self, odb: &mut Odb, files: &mut Files) -> Result<bool> {
        match &mut self.listing {
            Listing::Stored(stored) if stored.is_base_first() => stored.prepare(odb, files),
            _ => Ok(true),
        }
    }

    /// Returns the object at `index`, which may be the current one, the next one, or up to
    /// 1,024 back, and how it is read; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub fn get(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
        index: u32,
    ) -> Result<Option<(ObjectId, ReadHint<'_>)>> {
        if let Some(back) = self.index.checked_sub(index).filter(|back| *back > 0) {
            let at = self.recent.len().checked_sub(back as usize);
            let listed = at.and_then(|at| self.recent.get(at));
            return Ok(listed.map(|listed| (listed.id, listed.hint(ReadOrder::Any))));
        }
        if index > self.index {
            if self.recent.len() >= MOST_BACK as usize {
                self.recent.pop_front();
            }
            self.recent.extend(self.current.take());
            self.index = index;
        }
        while self.current.is_none() && !self.ended {
            files.step()?;
            if self.found.is_none() {
                (self.found, self.info) = match &mut self.listing {
                    Listing::Sorted(sorted) => (sorted.next(odb, files)?, None),
                    Listing::SortedAhead(sorted) => sorted.next(odb, files)?,
                    Listing::Stored(stored) => (stored.next(odb, files)?, None),
                };
            }
            match self.found {
                Some(found) if !self.is_selected(odb, files, &found)? => {}
                found => (self.current, self.ended) = (found, found.is_none()),
            }
            self.found = None;
            files.advance();
        }
        Ok(self.current.as_ref().map(|listed| (listed.id, self.hint(listed))))
    }

    #[inline(never)]
    fn is_selected(&self, odb: &mut Odb, files: &mut Files, found: &Listed) -> Result<bool> {
        if found.planned || self.filter.wants_all() {
            return Ok(true);
        }
        odb.is_selected(files, &found.id, &self.hint(found), &self.filter)
    }

    /// Returns how the object that was listed last is read.
    fn hint(&self, listed: &Listed) -> ReadHint<'_> {
        let hint = listed.hint(match &self.listing {
            Listing::Stored(stored) if listed.planned => stored.order(),
            _ => ReadOrder::Any,
        });
        ReadHint { info: self.info.as_ref(), ..hint }
    }

    /// Returns how many bytes of memory the list takes.
    pub fn memory(&self) -> u64 {
        match &self.listing {
            Listing::Sorted(sorted) => sorted.memory(),
            Listing::SortedAhead(sorted) => sorted.memory(),
            Listing::Stored(stored) => stored.memory(),
        }
    }
}

impl Odb {
    /// Returns the number of objects in the packs. An object counts once for each pack that
    /// has it, but once only for packs with a multi-pack-index.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn count_packed(&mut self, files: &Files) -> Result<u64> {
        self.list_packs(files)?;
        let mut count = self.packs.sets().count();
        for pack in self.packs.in_order() {
            if !self.packs.is_in_set(pack) && self.packs.open_index(files, pack)? {
                count = count.saturating_add(u64::from(self.packs.count(pack)));
            }
        }
        Ok(count)
    }

    /// Returns the sorted ids of the loose objects that begin with `byte`.
    pub(super) fn loose_ids(&self, files: &Files, byte: u8) -> Result<Vec<ObjectId>> {
        let mut ids: Vec<ObjectId> = Vec::new();
        for directory in self.directories.paths() {
            let path = loose::directory_in(directory, byte);
            let names = match self.directories.lists_loose_once() {
                true => files.list(&path)?,
                false => files.list_fresh(&path)?,
            };
            ids.extend(names.iter().filter_map(|name| loose::id_of_name(self.hash, byte, name)));
        }
        sort::by_id(&mut ids, |id| id);
        ids.dedup();
        Ok(ids)
    }
}

/// Returns how many bytes of memory a list of ids takes.
fn memory_of(ids: &Vec<ObjectId>) -> u64 {
    (ids.capacity() as u64).saturating_mul(size_of::<ObjectId>() as u64)
}
