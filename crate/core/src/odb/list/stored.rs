//! Objects as they are stored: the loose ones, then pack by pack.

use super::base_first::{BaseFirst, Next};
use super::stretches::{Cuts, Stretch};
use super::{memory_of, Filter, Listed};
use crate::block::{over_ceiling, Files};
use crate::error::Result;
use crate::hash::Hasher;
use crate::odb::{Location, Odb, PackNumber};
use crate::oid::{HashKind, ObjectId};
use crate::sort;
use crate::stretches::Stretches;
use std::ops::Range;

/// The fewest and the most entries of a pack whose ids are read at a time.
const LEAST_WINDOW: u64 = 256;
const MOST_WINDOW: u64 = 1 << 16;

pub(super) struct Stored {
    /// The directory of loose objects that is read next.
    byte: u16,
    /// All loose objects that were read, sorted.
    loose: Vec<ObjectId>,
    /// How many of them were listed.
    loose_listed: usize,
    /// The packs, once they are known, and which is listed now.
    packs: Option<Vec<PackNumber>>,
    at: usize,
    /// Those that were gone when their turn came, each once or twice.
    gone: Vec<PackNumber>,
    /// Packs are looked at again: what came in the place of loose objects, or of a pack that
    /// was deleted, is not known yet.
    lost: bool,
    /// The pack that is not listed any more.
    until: usize,
    /// Bases come before what builds on them; which objects are wanted.
    base_first: Option<Filter>,
    /// Among which of a pack's entries the roots are that are gone through.
    roots: Range<usize>,
    listing: Listing,
    /// The stretches, if it is listed in such.
    cuts: Option<Cuts>,
}

/// How the objects of a pack are listed.
#[derive(Default)]
enum Listing {
    #[default]
    NotBegun,
    BaseFirst(Box<BaseFirst>),
    /// As they lie there: where memory is short.
    InOrder(Window),
    /// As the index has them, of a damaged pack; the position of the next.
    InIndex(u32),
}

/// Some entries of a pack, one after the other, with their ids.
///
/// The ids of neighbours lie all over the index. Read one by one they would
/// bring in the whole index again and again.
#[derive(Default)]
struct Window {
    /// The first entry, counted from the beginning of the pack.
    first: usize,
    /// Offset and id of each, once it is known.
    entries: Vec<(u64, Option<ObjectId>)>,
    /// Positions in the index and which entry each is, in the order of the index.
    unread: Vec<u64>,
    /// How many were listed.
    listed: usize,
}

impl Stored {
    /// Lists all; or bases before what builds on them and, where it can, only what a
    /// filter wants.
    pub(super) fn new(base_first: Option<Filter>) -> Stored {
        Stored {
            byte: 0,
            loose: Vec::new(),
            loose_listed: 0,
            packs: None,
            at: 0,
            gone: Vec::new(),
            lost: false,
            until: usize::MAX,
            base_first,
            roots: 0..usize::MAX,
            listing: Listing::default(),
            cuts: None,
        }
    }

    /// Tells whether bases come before what builds on them.
    pub(super) fn is_base_first(&self) -> bool {
        self.base_first.is_some()
    }

    /// Lists nothing before a stretch is claimed, and bases first then. Returns what
    /// stretches there are.
    pub(super) fn cut(&mut self, odb: &mut Odb, files: &mut Files) -> Result<Stretches> {
        odb.list_packs(files)?;
        while self.read_loose(odb, files)? {}
        self.loose_listed = self.loose.len();
        self.know_packs(odb, files)?;
        self.until = 0;
        let mut state = Hasher::new(HashKind::Sha1);
        self.loose.iter().for_each(|id| state.update(id.as_bytes()));
        let mut cuts = Cuts::new(odb.limits.stretch);
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
        Ok(Stretches { count, state: state.finish().as_bytes().to_vec() })
    }

    /// Goes on with a stretch.
    pub(super) fn claim(&mut self, stretch: u32) {
        self.loose_listed = self.loose.len();
        (self.at, self.until) = (0, 0);
        match self.cuts.as_ref().and_then(|cuts| cuts.get(stretch)) {
            Some(Stretch::Loose) => self.loose_listed = 0,
            Some(Stretch::Roots(at, roots)) => {
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
                if !is_whole && self.cuts.is_none() && odb.packs.is_gone(pack) {
                    self.replace_gone(odb, files)?;
                    continue;
                }
                // The next stretch may be of the same pack.
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
                let Next { id, offset } = next;
                let place = odb.packs.is_open(pack).then_some(Location::Packed { pack, offset });
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
            // What was loose may be packed by now: nothing would tell of a miss.
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

    /// Has those listed instead of a pack that came since it was deleted: they have its
    /// objects. What another one had that was deleted would be listed twice.
    fn replace_gone(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        if !self.lost {
            odb.look_again(files);
            self.lost = true;
        }
        odb.list_packs(files)?;
        let packs = self.packs.get_or_insert_default();
        let mut earlier = packs.iter().take(self.at);
        if let Some(gone) = earlier.find(|pack| odb.packs.is_gone(**pack)) {
            return Err(odb.packs.no_index(*gone));
        }
        if self.at < packs.len() {
            self.gone.push(packs.remove(self.at));
        }
        // One that was on its way into the repository may be there by now: it has a second try.
        let tries = |pack| self.gone.iter().filter(|gone| **gone == pack).count();
        let mut came = vec![true; odb.packs.in_order().count()];
        for known in packs.iter() {
            came.get_mut(known.0).into_iter().for_each(|came| *came = false);
        }
        let came = odb.packs.in_order().filter(|pack| came.get(pack.0) == Some(&true));
        packs.extend(came.filter(|pack| tries(*pack) < 2 && !odb.packs.is_gone(*pack)));
        self.lost = false;
        Ok(())
    }

    /// Returns the pack that is listed.
    fn pack(&self) -> Option<PackNumber> {
        let packs = self.packs.as_ref().filter(|_| self.at < self.until)?;
        packs.get(self.at).copied()
    }

    /// Goes on with what comes before the next object; tells whether that is done.
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

    /// Opens a pack that is to be listed and is there.
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
            // In another order other objects would be in the stretch.
            None if self.cuts.is_some() => return Err(over_ceiling()),
            None => Listing::InOrder(Window::default()),
        };
        Ok(())
    }

    /// Returns the next object of a pack, `None` behind the last.
    fn peek(&mut self, odb: &mut Odb, files: &mut Files, pack: PackNumber) -> Result<Option<Next>> {
        self.begin(odb, files, pack)?;
        match &mut self.listing {
            Listing::NotBegun => Ok(None),
            Listing::BaseFirst(list) => list.peek(odb, files),
            Listing::InOrder(window) => {
                let next = window.peek(odb, files, pack)?;
                Ok(next.map(|(offset, id)| Next { id, offset }))
            }
            Listing::InIndex(position) if *position < odb.packs.count(pack) => {
                let id = odb.packs.id_at(files, pack, *position)?;
                Ok(Some(Next { id, offset: 0 }))
            }
            Listing::InIndex(_) => Ok(None),
        }
    }

    /// As [`BaseFirst::kept`], of the object that was listed last.
    pub(super) fn kept(&self) -> &[(u64, u32)] {
        match &self.listing {
            Listing::BaseFirst(list) => list.kept(),
            _ => &[],
        }
    }

    /// Returns the loose object that is listed next, which may be in a directory that was
    /// not read yet.
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

    /// Reads the next directory of loose objects; tells whether there was one.
    fn read_loose(&mut self, odb: &Odb, files: &Files) -> Result<bool> {
        let Ok(byte) = u8::try_from(self.byte) else {
            return Ok(false);
        };
        self.loose.extend(odb.loose_ids(files, byte)?);
        self.byte = self.byte.saturating_add(1);
        Ok(true)
    }

    pub(super) fn memory(&self) -> u64 {
        memory_of(&self.loose).saturating_add(self.listing.memory())
    }
}

impl Listing {
    /// Goes on to the next object.
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
    /// Returns the next entry of a pack, `None` behind the last.
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

    /// Takes the next entries; tells whether there are any.
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
