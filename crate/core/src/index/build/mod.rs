//! Making an index for a pack.

mod compare;
mod contents;
mod hashing;
mod links;
mod listing;
mod resolve;
mod rows;
mod scan;
mod sections;
mod sharing;
mod strict;
mod telling;
mod thin;
mod write;

use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::{Collisions, Hasher};
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::object::ObjectType;
use crate::oid::{HashKind, ObjectId};
use crate::pack::{entries_end, EntryKind, Header, HEADER_LEN};
use crate::sort;
pub use compare::Comparison;
use contents::Contents;
use hashing::Hashing;
pub use listing::Listing;
use resolve::Base;
use rows::Rows;
use scan::Scanning;
use sections::Section;
pub use sharing::Share;
use std::ops::Range;
pub use strict::{Checking, PackFinding, Strict};
use thin::Outside;
pub use thin::Thin;

/// How many bytes one step makes, about, before it lets others go on.
const STEP_BYTES: u64 = 8 << 20;

/// What an entry counts beside its bytes: many small ones take time too.
const ENTRY_WORK: u64 = 256;

/// The fewest bytes that an entry takes in a pack: its head, the two bytes that
/// begin a zlib stream, an empty block and a checksum.
const LEAST_ENTRY: u64 = 1 + 2 + 2 + 4;

/// How far the making of an index has come.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Progress {
    /// Entries read and deltas resolved.
    pub done: u64,
    /// What there is to do: entries, and the deltas among them once more; all of them
    /// once more if it is shared.
    pub total: u64,
}

impl Progress {
    /// Tells whether all is done.
    pub fn is_complete(self) -> bool {
        self.done >= self.total
    }
}

/// An index in the making. First every entry is read in turn, then the deltas
/// are resolved, bases first: each entry is inflated twice at most, if there is
/// memory for the bases that are needed again.
pub struct Build {
    hash: HashKind,
    collisions: Collisions,
    count: u32,
    next_offset: u64,
    /// How far the checksums of entries go.
    summed: u64,
    /// The hash of the pack up to `hashed_to`.
    checksum: Hasher,
    hashed_to: u64,
    scanning: Option<Scanning>,
    /// Its own: what it is in the middle of must not be lost to other streams.
    inflater: Inflater,
    rows: Rows,
    /// Deltas whose base is known by its id, in the order of those once all are
    /// known.
    by_id: Vec<(ObjectId, u32)>,
    /// What the pack ends with, once its end was read.
    pack_checksum: Option<ObjectId>,
    contents: Contents,
    hashing: Hashing,
    bases: Vec<Base>,
    /// Where the roots are that are still to be made.
    roots: Range<u32>,
    /// How many deltas have their id; how many entries of any kind if it is shared.
    hashed: u64,
    share: Share,
    thin: Thin,
    outside: Outside,
    checking: Option<Checking>,
    section: Section,
    /// What the entries of the section are.
    kinds: Vec<EntryKind>,
    /// What others told of sections, and where those begin, the last first.
    sections: Vec<(u64, Vec<u8>)>,
    /// Whether what no section has is to be read here.
    reads_rest: bool,
    /// Of how many entries others were told.
    told: u32,
    /// Among how many entries the roots of a stretch are.
    stretch: u32,
    /// Entries whose ids are still to be told.
    made: Vec<u32>,
    deltas: u64,
    deltas_applied: u64,
    /// Bytes inflated and made, and what counts as much.
    work: u64,
    /// As long as it ever was.
    scratch: Vec<u8>,
}

impl Build {
    /// Begins with the pack's header.
    ///
    /// # Errors
    ///
    /// Those of [`Header::decode`].
    pub fn new<S: BlockSource>(pack: &S, hash: HashKind) -> Result<Build> {
        let header = Header::decode(pack, hash)?;
        let mut checksum = Hasher::new(hash);
        checksum.update(&pack.array_at::<{ HEADER_LEN as usize }>(0)?);
        Ok(Build {
            hash,
            collisions: Collisions::default(),
            count: header.count,
            next_offset: HEADER_LEN,
            summed: HEADER_LEN,
            checksum,
            hashed_to: HEADER_LEN,
            scanning: None,
            inflater: Inflater::default(),
            rows: Rows::new(hash),
            by_id: Vec::new(),
            pack_checksum: None,
            contents: Contents::default(),
            hashing: Hashing::default(),
            bases: Vec::new(),
            roots: sharing::all_roots(),
            hashed: 0,
            share: Share::Whole,
            thin: Thin::Refuse,
            outside: Outside::default(),
            checking: None,
            section: Section::None,
            kinds: Vec::new(),
            sections: Vec::new(),
            reads_rest: false,
            told: 0,
            stretch: 1,
            made: Vec::new(),
            deltas: 0,
            deltas_applied: 0,
            work: 0,
            scratch: Vec::new(),
        })
    }

    /// Tells whether to look for collisions. To be called before the first step.
    #[must_use]
    pub fn with_collisions(mut self, collisions: Collisions) -> Build {
        self.collisions = collisions;
        self
    }

    /// Goes on for a while, and tells how far that came.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and go on.
    /// [`ErrorKind::Corrupt`] if the pack is damaged, or a base is not in it;
    /// [`ErrorKind::Limit`] if rows, or an object and its base, take more memory
    /// than there is.
    pub fn step<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Progress> {
        let before = self.work;
        let until = before.saturating_add(STEP_BYTES);
        while self.work < until && !self.has_to_wait() {
            match self.go_on(pack, inflater, limits) {
                Ok(()) => {}
                // To have come further is an answer too: what is missing is
                // asked for by the next step.
                Err(error) if error.is_missing() && self.work != before => break,
                Err(error) => return Err(error),
            }
        }
        Ok(self.progress())
    }

    /// Tells whether all is done, or nothing is to be done now.
    fn has_to_wait(&self) -> bool {
        self.progress().is_complete() || self.is_idle() || self.is_stuck()
    }

    fn go_on<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        if self.share == Share::Scans {
            return self.scan_section(pack, inflater, limits);
        }
        if self.rows.len() == 0 && self.count > 0 {
            self.reserve(pack, limits)?;
        }
        if self.has_next_section() {
            self.take_next_section();
            Ok(())
        } else if self.is_behind() {
            self.hash_pack(pack)
        } else if self.rows.len() < self.count {
            self.scan(pack, inflater, limits)
        } else if !self.is_sorted() {
            let checksum = self.check_end(pack)?;
            self.hash_all(pack)?;
            sort::by_keys(&mut self.by_id, |(id, _)| sort::begin(id.as_bytes()), Ord::cmp);
            if self.is_shared() {
                self.settle_types();
            }
            self.pack_checksum = Some(checksum);
            self.count_work(0);
            Ok(())
        } else if self.is_resolved() && !self.is_checked() {
            self.check_late(pack, inflater, limits)
        } else if self.is_resolved() {
            self.close(pack)
        } else {
            self.resolve_next(pack, inflater, limits)
        }
    }

    /// Takes the memory for the rows, of no more entries than the pack can have.
    fn reserve<S: BlockSource>(&mut self, pack: &S, limits: &Limits) -> Result<()> {
        self.rows.reserve(self.most_entries(pack) as usize, limits.memory)
    }

    /// Returns how many entries the pack can have.
    fn most_entries<S: BlockSource>(&self, pack: &S) -> u32 {
        let most = entries_end(pack, self.hash).saturating_sub(HEADER_LEN) / LEAST_ENTRY;
        u32::try_from(most).unwrap_or(u32::MAX).min(self.count)
    }

    /// Tells whether all entries were read, and it is known which builds on which.
    fn is_sorted(&self) -> bool {
        self.pack_checksum.is_some()
    }

    fn count_work(&mut self, bytes: u64) {
        self.work = self.work.saturating_add(bytes).saturating_add(ENTRY_WORK);
    }

    /// Returns how far this has come.
    pub fn progress(&self) -> Progress {
        // Reading the end and sorting by base is a step of its own.
        let sorted = u64::from(self.is_sorted());
        let read = u64::from(self.rows.len().min(self.count)).saturating_add(sorted);
        let again = if self.is_shared() { self.count.into() } else { self.deltas };
        let closed = self.is_sorted() && self.is_resolved() && self.is_closed();
        let closed = u64::from(closed && self.is_checked());
        Progress {
            done: read.saturating_add(self.hashed).saturating_add(closed),
            total: u64::from(self.count).saturating_add(again).saturating_add(2),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let by_id = self.by_id.capacity().saturating_mul(size_of::<(ObjectId, u32)>());
        let bases = self.bases.capacity().saturating_mul(size_of::<Base>());
        let made = self.made.capacity().saturating_mul(4);
        let kinds = self.kinds.capacity().saturating_mul(size_of::<EntryKind>());
        let sections: usize = self.sections.iter().map(|(_, told)| told.capacity()).sum();
        let own = by_id.saturating_add(bases).saturating_add(made).saturating_add(kinds);
        let own = own.saturating_add(sections);
        let own = own.saturating_add(self.scratch.capacity());
        let own = own.saturating_add(self.outside.memory() as usize);
        let kept = self.scanning.as_ref().map_or(0, Scanning::memory);
        let checking = self.checking.as_ref().map_or(0, Checking::memory);
        let own = (own as u64).saturating_add(kept).saturating_add(checking);
        self.rows.memory().saturating_add(own).saturating_add(self.contents.held())
    }

    /// Returns how many bytes were inflated here, beside those that the inflater
    /// counts which the steps were given.
    pub fn inflated_bytes(&self) -> u64 {
        self.inflater.inflated_bytes()
    }

    /// Returns how often a delta was applied: once each, if there was memory to
    /// keep what others build on.
    pub fn deltas_applied(&self) -> u64 {
        self.deltas_applied
    }

    /// Returns how many bytes it takes to write the index, beside the rows, when
    /// all is done: contents are not needed by then.
    pub fn finishing_memory(&self) -> u64 {
        let count = u64::from(self.rows.len());
        let order = count.saturating_mul(4);
        // The order is found before the index is written.
        let keys = count.saturating_mul(size_of::<(u64, u32)>() as u64);
        let index = count.saturating_mul((self.hash.len() as u64).saturating_add(16));
        order.saturating_add(keys.max(index)).saturating_sub(self.contents.held())
    }

    /// Returns what the indexes are written from.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] before all is done; [`ErrorKind::Limit`] if there
    /// is no memory for it.
    pub fn finish(mut self) -> Result<Indexes> {
        let Some(checksum) = self.pack_checksum.filter(|_| self.progress().is_complete()) else {
            let what = "an index is written when all is resolved";
            return Err(Error::new(ErrorKind::BadInput, what));
        };
        self.contents = Contents::default();
        let (checksum, tail) = self.take_tail().unwrap_or((checksum, Vec::new()));
        let order = write::sorted(&self.rows)?;
        Ok(Indexes { hash: self.hash, checksum, order, rows: self.rows, tail })
    }
}

/// What is known of a pack once all of it was resolved.
pub struct Indexes {
    hash: HashKind,
    checksum: ObjectId,
    rows: Rows,
    order: Vec<u32>,
    tail: Vec<u8>,
}

impl Indexes {
    /// Returns how many objects there are.
    pub fn count(&self) -> u32 {
        self.rows.len()
    }

    /// Returns the type of an object; `None` if the pack has it not.
    pub fn type_of(&self, id: &ObjectId) -> Option<ObjectType> {
        let place = self.order.binary_search_by(|at| self.rows.id(*at).cmp(id.as_bytes())).ok()?;
        self.order.get(place).and_then(|at| self.rows.object_type(*at))
    }

    /// Returns an object that the pack has twice, if there is one.
    pub fn twice(&self) -> Option<ObjectId> {
        let mut pairs = self.order.iter().zip(self.order.iter().skip(1));
        let (at, _) = pairs.find(|(at, next)| self.rows.id(**at) == self.rows.id(**next))?;
        ObjectId::from_bytes(self.hash, self.rows.id(*at))
    }

    /// Returns the hash of the pack, which it ends with.
    pub fn checksum(&self) -> ObjectId {
        self.checksum
    }

    /// Takes what completes a thin pack: the entries that it gets in place of its
    /// checksum, and the checksum it ends with then. Nothing if it stays as it is.
    pub fn take_tail(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.tail)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let order = (self.order.capacity() as u64).saturating_mul(4);
        self.rows.memory().saturating_add(order).saturating_add(self.tail.capacity() as u64)
    }

    /// Goes on with comparing an index with what is known of the pack.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index: provide them and go on.
    /// [`ErrorKind::Corrupt`] if it is damaged or says what is not true.
    pub fn compare<S: BlockSource>(&self, index: &S, comparison: &mut Comparison) -> Result<()> {
        comparison.go_on(index, &self.rows, &self.order, self.hash, &self.checksum)
    }

    /// Begins to tell of each entry.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for it.
    pub fn listing<S: BlockSource>(&self, pack: &S) -> Result<Listing> {
        Listing::new(&self.rows, entries_end(pack, self.hash))
    }

    /// Appends a line about the next entry, as `verify-pack -v` has it; `false`
    /// when there is none.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and go on.
    pub fn line<S: BlockSource>(
        &self,
        listing: &mut Listing,
        pack: &S,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        listing.line(&self.rows, self.hash, pack, out)
    }

    /// Writes the index, version 2: what git has in its `.idx`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for it.
    pub fn index(&self) -> Result<Vec<u8>> {
        write::index(&self.rows, &self.order, self.hash, &self.checksum)
    }

    /// Writes the reverse index, version 1: what git has in its `.rev`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for it.
    pub fn reverse_index(&self) -> Result<Vec<u8>> {
        write::reverse_index(&self.order, self.hash, &self.checksum)
    }
}
