//! Lists objects by storage: the loose ones, then pack by pack.

use super::base_first::{BaseFirst, NextEntry};
use super::work_units::{Cuts, WorkUnit};
use super::{memory_of, Filter, Listed};
use crate::odb::{Odb, PackNumber, ReadOrder};
use packlens_base::block::{over_ceiling, Files};
use packlens_base::error::Result;
use packlens_base::hash::Hasher;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;
use packlens_base::work_units::WorkUnits;
use std::ops::Range;

/// The fewest and the most entries of a pack whose ids are read at once.
const LEAST_WINDOW: u64 = 256;
const MOST_WINDOW: u64 = 1 << 16;

pub(super) struct Stored {
    /// The directory of loose objects that is read next.
    byte: u16,
    /// The ids of all loose objects that were read, sorted.
    loose: Vec<ObjectId>,
    /// How many of them were listed.
    loose_listed: usize,
    /// The packs, once they are known, and the index of the current one.
    packs: Option<Vec<PackNumber>>,
    at: usize,
    /// Packs that were deleted before they were listed; a pack is in here at most twice.
    deleted: Vec<PackNumber>,
    /// Whether the packs were rescanned but not listed yet, after loose objects were read or a
    /// pack was deleted.
    lost: bool,
    /// The index of the first pack that is not to be listed.
    until: usize,
    /// The filter of a bases-first listing; `None` lists in pack order.
    base_first: Option<Filter>,
    /// The range of a pack's entries whose roots are walked.
    roots: Range<usize>,
    listing: Listing,
    /// The work units, if the listing was split.
    cuts: Option<Cuts>,
}

/// How the objects of a pack are listed.
#[derive(Default)]
enum Listing {
    #[default]
    NotBegun,
    BaseFirst(Box<BaseFirst>),
    /// In pack order, where there is not enough memory for bases first.
    InOrder(Window),
    /// In the order of the index, for a damaged pack; the position of the next id.
    InIndex(u32),
}

/// A range of consecutive entries of a pack with their ids.
///
/// The ids of neighbouring entries are scattered over the index. Reading them one by one would
/// load the whole index again and again, so a window reads them in index order.
#[derive(Default)]
struct Window {
    /// The number of the first entry in pack order.
    first: usize,
    /// The offset of each entry, and its id once that was read.
    entries: Vec<(u64, Option<ObjectId>)>,
    /// The entries whose ids were not read: index position and place in `entries`, in
    /// descending order of the position.
    unread: Vec<u64>,
    /// How many entries were listed.
    listed: usize,
}

impl Stored {
    /// Lists all objects in pack order; or, with a filter, bases first and, where there is
    /// enough memory, only the objects that pass.
    pub fn new(base_first: Option<Filter>) -> Stored {
        Stored {
            byte: 0,
            loose: Vec::new(),
            loose_listed: 0,
            packs: None,
            at: 0,
            deleted: Vec::new(),
            lost: false,
            until: usize::MAX,
            base_first,
            roots: 0..usize::MAX,
            listing: Listing::default(),
            cuts: None,
        }
    }

    /// Returns whether bases come before the deltas on them.
    pub(super) fn is_base_first(&self) -> bool {
        self.base_first.is_some()
    }

    /// Splits the listing into work units, and lists nothing until one is claimed.
    pub(super) fn cut(&mut self, odb: &mut Odb, files: &mut Files) -> Result<WorkUnits> {
        odb.list_packs(files)?;
        while self.read_loose(odb, files)? {}
        self.loose_listed = self.loose.len();
        self.know_packs(odb, files)?;
        self.until = 0;
        let mut state = Hasher::new(HashKind::Sha1);
        self.loose.iter().for_each(|id| state.update(id.as_bytes()));
        let mut cuts = Cuts::new(odb.limits.work_unit_entries);
        let mut possible = true;
        let filter = self.base_first.unwrap_or_default();
        for (at, pack) in self.packs.iter().flatten().copied().enumerate() {
            if odb.packs.open(files, pack)?.is_none() {
                possible = possible && !odb.packs.is_unreadable(pack);
                continue;
            }
            let count = odb.packs.count(pack);
            state.update(odb.packs.stem(pack));
            state.update(&count.to_le_bytes());
            possible = possible && BaseFirst::is_possible(odb, files, pack, &filter)?;
            cuts.push(at, count);
        }
        let count = if possible { cuts.count() } else { 0 };
        self.cuts = Some(cuts);
        Ok(WorkUnits { count, state: state.finish().as_bytes().to_vec() })
    }

    /// Starts a work unit.
    pub(super) fn claim(&mut self, work_unit: u32) {
        self.loose_listed = self.loose.len();
        (self.at, self.until) = (0, 0);
        match self.cuts.as_ref().and_then(|cuts| cuts.get(work_unit)) {
            Some(WorkUnit::Loose) => self.loose_listed = 0,
            Some(WorkUnit::Roots(at, roots)) => {
                (self.at, self.until) = (at, at.saturating_add(1));
                self.roots = roots.clone();
                let pack = self.packs.as_ref().and_then(|packs| packs.get(at));
                match &mut self.listing {
                    Listing::BaseFirst(list) if Some(&list.pack()) == pack => list.go_to(roots),
                    listing => *listing = Listing::NotBegun,
                }
            }
            None => {}
        }
    }

    pub(super) fn next(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<Listed>> {
        if let Some(id) = self.find_loose(odb, files)? {
            self.loose_listed = self.loose_listed.saturating_add(1);
            return Ok(Some(Listed { id, place: None, planned: false }));
        }
        self.know_packs(odb, files)?;
        while let Some(pack) = self.pack() {
            let Some(next) = self.peek(odb, files, pack)? else {
                let is_whole = !matches!(self.listing, Listing::NotBegun);
                if !is_whole && self.cuts.is_none() && odb.packs.is_deleted(pack) {
                    self.replace_deleted(odb, files)?;
                    continue;
                }
                // The next work unit may be in the same pack.
                if self.cuts.is_none() {
                    self.listing = Listing::NotBegun;
                }
                self.at = self.at.saturating_add(1);
                continue;
            };
            let earlier = self.packs.as_ref().and_then(|packs| packs.get(..self.at));
            let mut listed = self.loose.binary_search(&next.id).is_ok();
            for earlier in earlier.unwrap_or_default() {
                listed = listed || odb.packs.has(files, *earlier, &next.id)?;
            }
            self.listing.pass();
            if !listed {
                let NextEntry { id, offset, .. } = next;
                let place = odb.packs.is_open(pack).then_some((pack, offset));
                let planned = matches!(self.listing, Listing::BaseFirst(_));
                return Ok(Some(Listed { id, place, planned }));
            }
        }
        odb.forget_bases();
        Ok(None)
    }

    /// Lists the packs, once.
    fn know_packs(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        if self.packs.is_none() {
            // Loose objects may have been packed since, and nothing would report that they are
            // missed.
            if !self.lost {
                odb.look_for_listing(files);
                self.lost = true;
            }
            odb.list_packs(files)?;
            self.lost = false;
            self.packs = Some(odb.packs.in_order().collect());
        }
        Ok(())
    }

    /// Replaces a deleted pack by the packs that came since, which have its objects. Fails if
    /// a pack that was listed before is deleted too: its objects would be listed twice.
    fn replace_deleted(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        if !self.lost {
            odb.look_again(files);
            self.lost = true;
        }
        odb.list_packs(files)?;
        let packs = self.packs.get_or_insert_default();
        let mut earlier = packs.iter().take(self.at);
        if let Some(deleted) = earlier.find(|pack| odb.packs.is_deleted(**pack)) {
            return Err(odb.packs.no_index(*deleted));
        }
        if self.at < packs.len() {
            self.deleted.push(packs.remove(self.at));
        }
        // A pack whose index had not arrived yet may have it by now, so it gets a second try.
        let tries = |pack| self.deleted.iter().filter(|deleted| **deleted == pack).count();
        let mut came = vec![true; odb.packs.in_order().count()];
        for known in packs.iter() {
            came.get_mut(known.0).into_iter().for_each(|came| *came = false);
        }
        let came = odb.packs.in_order().filter(|pack| came.get(pack.0) == Some(&true));
        packs.extend(came.filter(|pack| tries(*pack) < 2 && !odb.packs.is_deleted(*pack)));
        self.lost = false;
        Ok(())
    }

    /// Returns the pack that is being listed.
    fn pack(&self) -> Option<PackNumber> {
        let packs = self.packs.as_ref().filter(|_| self.at < self.until)?;
        packs.get(self.at).copied()
    }

    /// Works on what has to be done before the next object; returns whether that is complete.
    pub(super) fn prepare(&mut self, odb: &mut Odb, files: &mut Files) -> Result<bool> {
        if self.find_loose(odb, files)?.is_some() {
            return Ok(true);
        }
        self.know_packs(odb, files)?;
        let Some(pack) = self.pack() else {
            return Ok(true);
        };
        if matches!(self.listing, Listing::NotBegun) {
            self.begin(odb, files, pack)?;
            return Ok(!matches!(self.listing, Listing::BaseFirst(_)));
        }
        match &mut self.listing {
            Listing::BaseFirst(list) => list.prepare(odb, files),
            _ => Ok(true),
        }
    }

    /// Opens the current pack and starts to list it, unless it was deleted.
    fn begin(&mut self, odb: &mut Odb, files: &mut Files, pack: PackNumber) -> Result<()> {
        if !matches!(self.listing, Listing::NotBegun) {
            return Ok(());
        }
        if odb.packs.open(files, pack)?.is_none() {
            if odb.packs.is_unreadable(pack) {
                self.listing = Listing::InIndex(0);
            }
            return Ok(());
        }
        let base_first = match &self.base_first {
            Some(filter) => BaseFirst::begin(odb, files, pack, self.roots.clone(), filter)?,
            None => None,
        };
        self.listing = match base_first {
            Some(base_first) => Listing::BaseFirst(Box::new(base_first)),
            // In another order the work unit would have other objects.
            None if self.cuts.is_some() => return Err(over_ceiling()),
            None => Listing::InOrder(Window::default()),
        };
        Ok(())
    }

    /// Returns the next object of a pack; `None` after the last.
    fn peek(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
        pack: PackNumber,
    ) -> Result<Option<NextEntry>> {
        self.begin(odb, files, pack)?;
        match &mut self.listing {
            Listing::NotBegun => Ok(None),
            Listing::BaseFirst(list) => list.peek(odb, files),
            Listing::InOrder(window) => {
                let next = window.peek(odb, files, pack)?;
                Ok(next.map(|(offset, id)| NextEntry { id, offset, position: 0 }))
            }
            Listing::InIndex(position) if *position < odb.packs.count(pack) => {
                let id = odb.packs.id_at(files, pack, *position)?;
                Ok(Some(NextEntry { id, offset: 0, position: *position }))
            }
            Listing::InIndex(_) => Ok(None),
        }
    }

    /// Returns the order in which the object that was listed last is read.
    pub(super) fn order(&self) -> ReadOrder<'_> {
        match &self.listing {
            Listing::BaseFirst(list) => list.order(),
            _ => ReadOrder::Any,
        }
    }

    /// Returns the next loose object, reading further directories if needed.
    fn find_loose(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Option<ObjectId>> {
        if self.byte == 0 {
            odb.list_packs(files)?;
        }
        loop {
            if let Some(id) = self.loose.get(self.loose_listed) {
                return Ok(Some(*id));
            }
            if !self.read_loose(odb, files)? {
                return Ok(None);
            }
        }
    }

    /// Reads the next directory of loose objects; returns `false` after the last.
    fn read_loose(&mut self, odb: &Odb, files: &Files) -> Result<bool> {
        let Ok(byte) = u8::try_from(self.byte) else {
            return Ok(false);
        };
        self.loose.extend(odb.loose_ids(files, byte)?);
        self.byte = self.byte.saturating_add(1);
        Ok(true)
    }

    pub fn memory(&self) -> u64 {
        memory_of(&self.loose).saturating_add(self.listing.memory())
    }
}

impl Listing {
    /// Moves past the current object.
    fn pass(&mut self) {
        match self {
            Listing::NotBegun => {}
            Listing::BaseFirst(list) => list.pass(),
            Listing::InOrder(window) => window.listed = window.listed.saturating_add(1),
            Listing::InIndex(position) => *position = position.saturating_add(1),
        }
    }

    fn memory(&self) -> u64 {
        match self {
            Listing::NotBegun | Listing::InIndex(_) => 0,
            Listing::BaseFirst(list) => list.memory(),
            Listing::InOrder(window) => window.memory(),
        }
    }
}

impl Window {
    /// Returns the next entry of a pack; `None` after the last.
    fn peek(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
        pack: PackNumber,
    ) -> Result<Option<(u64, ObjectId)>> {
        if self.listed >= self.entries.len() && !self.load(odb, files, pack)? {
            return Ok(None);
        }
        while let Some(unread) = self.unread.last().copied() {
            let id = odb.packs.id_at(files, pack, (unread >> 32) as u32)?;
            if let Some(place) = self.entries.get_mut(sort::place(unread)) {
                place.1 = Some(id);
            }
            self.unread.pop();
        }
        Ok(self.entries.get(self.listed).and_then(|(offset, id)| Some((*offset, (*id)?))))
    }

    /// Loads the next entries; returns whether there are any.
    fn load(&mut self, odb: &mut Odb, files: &mut Files, pack: PackNumber) -> Result<bool> {
        let first = self.first.saturating_add(self.entries.len());
        let size = size_of::<(u64, Option<ObjectId>)>().saturating_add(8) as u64;
        let most = odb.limits.memory.checked_div(size.saturating_mul(32)).unwrap_or(0);
        let most = usize::try_from(most.clamp(LEAST_WINDOW, MOST_WINDOW)).unwrap_or(usize::MAX);
        let end = first.saturating_add(most).min(odb.packs.count(pack) as usize);
        let mut entries = Vec::with_capacity(end.saturating_sub(first));
        let mut unread = Vec::with_capacity(end.saturating_sub(first));
        for at in first..end {
            let (offset, position) = odb.entry_at(files, pack, at)?;
            unread.push(sort::keyed(position, entries.len() as u32));
            entries.push((offset, None));
        }
        sort::numbers(&mut unread);
        unread.reverse();
        *self = Window { first, entries, unread, listed: 0 };
        Ok(end > first)
    }

    fn memory(&self) -> u64 {
        let entries = self.entries.capacity().saturating_mul(size_of::<(u64, Option<ObjectId>)>());
        entries.saturating_add(self.unread.capacity().saturating_mul(8)) as u64
    }
}
