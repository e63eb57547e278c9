//! Makes an index for a pack.

mod compare;
mod contents;
mod hashing;
mod links;
mod listing;
mod resolve;
mod rows;
mod scan;
mod shared;
mod strict;
mod thin;
mod write;

use crate::object::ObjectType;
use crate::pack::{entries_end, Header, HEADER_LEN};
pub use compare::Comparison;
use contents::Contents;
use hashing::Unhashed;
pub use listing::Listing;
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::{Collisions, Pending};
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;
use resolve::Base;
use rows::Rows;
use scan::{PackChecksum, Scanning};
pub use shared::{IndexHelper, IndexLeader, IndexRole, SectionScanner};
use std::ops::Range;
pub use strict::{Checking, PackFinding, Strict};
use thin::Outside;
pub use thin::Thin;

/// About how many bytes one step processes before it returns, so that other work gets a turn.
const STEP_BYTES: u64 = 8 << 20;

/// The work that an entry counts as, beside its bytes: many small entries take time too.
const ENTRY_WORK: u64 = 256;

/// The fewest bytes of an entry in a pack: its head, the two bytes of a zlib header, an empty
/// block and a checksum.
const LEAST_ENTRY: u64 = 1 + 2 + 2 + 4;

/// The range of all entries, any of which may be a root.
const ALL_ROOTS: Range<u32> = 0..u32::MAX;

/// How much of an index is done.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Progress {
    /// Entries read, entries hashed, and the final steps.
    pub done: u64,
    /// The entries twice, to be read and to be hashed, and two final steps.
    pub total: u64,
}

impl Progress {
    /// Returns whether the index is complete.
    pub fn is_complete(self) -> bool {
        self.done >= self.total
    }
}

/// An index in the making. First all entries are read in pack order, then the deltas are
/// resolved, bases first. Each entry is inflated at most twice, if memory can hold the bases
/// that are needed again.
pub struct Build {
    hash: HashKind,
    collisions: Collisions,
    count: u32,
    next_offset: u64,
    /// The offset up to which the CRC-32 checksums of entries go.
    summed: u64,
    checksum: PackChecksum,
    scanning: Option<Scanning>,
    /// The inflater of entries that are read in chunks: their state must survive when the
    /// caller's inflater is used for other streams.
    inflater: Inflater,
    rows: Rows,
    /// Deltas whose base is named by its id; sorted by that id once all entries are read.
    by_id: Vec<(ObjectId, u32)>,
    /// The checksum at the end of the pack, once it was read.
    pack_checksum: Option<ObjectId>,
    contents: Contents,
    hashing: Pending<Unhashed>,
    bases: Vec<Base>,
    /// The entries among which the roots are that are still to be visited.
    roots: Range<u32>,
    /// How many entries have their id.
    hashed: u64,
    /// The entries that got their id since they were last taken; `None` if nobody takes them.
    new_ids: Option<Vec<u32>>,
    thin: Thin,
    outside: Outside,
    checking: Option<Checking>,
    deltas_applied: u64,
    /// The bytes inflated and made so far, plus [`ENTRY_WORK`] for each entry.
    work: u64,
    /// Never shortened, so that it need not be cleared again.
    scratch: Vec<u8>,
}

impl Build {
    /// Reads the pack's header, and begins an index.
    ///
    /// # Errors
    ///
    /// Errors of [`Header::decode`].
    pub fn new<S: BlockSource>(pack: &S, hash: HashKind) -> Result<Build> {
        let header = Header::decode(pack, hash)?;
        let start = pack.array_at::<{ HEADER_LEN as usize }>(0)?;
        Ok(Build {
            hash,
            collisions: Collisions::default(),
            count: header.count,
            next_offset: HEADER_LEN,
            summed: HEADER_LEN,
            checksum: PackChecksum::new(hash, &start),
            scanning: None,
            inflater: Inflater::default(),
            rows: Rows::new(hash),
            by_id: Vec::new(),
            pack_checksum: None,
            contents: Contents::default(),
            hashing: Pending::default(),
            bases: Vec::new(),
            roots: ALL_ROOTS,
            hashed: 0,
            new_ids: None,
            thin: Thin::Refuse,
            outside: Outside::default(),
            checking: None,
            deltas_applied: 0,
            work: 0,
            scratch: Vec::new(),
        })
    }

    /// Sets whether collision attacks are detected; to be called before the first step.
    #[must_use]
    pub fn with_collisions(mut self, collisions: Collisions) -> Build {
        self.collisions = collisions;
        self
    }

    /// Works on a bounded number of bytes; returns the progress.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again. [`ErrorKind::Corrupt`] if the
    /// pack is damaged, or a base is not in it; [`ErrorKind::Limit`] if the rows, or an object
    /// and its base, exceed the memory ceiling.
    pub fn step<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Progress> {
        let waits = |build: &Build| build.progress().is_complete() || build.is_stuck();
        step(self, |build| build, waits, |build| build.advance(pack, inflater, limits))
    }

    fn advance<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        self.reserve(pack, limits)?;
        if self.rows.len() < self.count {
            self.read_next(pack, inflater, limits)
        } else if !self.is_sorted() {
            let checksum = self.check_end(pack)?;
            self.end_entries(pack, checksum)
        } else {
            self.advance_sorted(pack, inflater, limits)
        }
    }

    /// Begins to resolve deltas: all entries are known.
    fn end_entries<S: BlockSource>(&mut self, pack: &S, checksum: ObjectId) -> Result<()> {
        self.hash_all(pack)?;
        sort::by_keys(&mut self.by_id, |(id, _)| sort::begin(id.as_bytes()), Ord::cmp);
        self.pack_checksum = Some(checksum);
        self.count_work(0);
        Ok(())
    }

    /// Advances after all entries are known.
    fn advance_sorted<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        if self.is_resolved() && !self.is_checked() {
            self.check_late(pack, inflater, limits)
        } else if self.is_resolved() {
            self.close(pack)
        } else {
            self.resolve_next(pack, inflater, limits)
        }
    }

    /// Reserves memory for the rows, if there are none yet. The header's count is not trusted: a
    /// pack of this size can only have so many entries.
    fn reserve<S: BlockSource>(&mut self, pack: &S, limits: &Limits) -> Result<()> {
        match self.rows.len() == 0 && self.count > 0 {
            true => self.rows.reserve(self.most_entries(pack) as usize, limits.memory),
            false => Ok(()),
        }
    }

    /// Returns the most entries that a pack of this size can have, or the header's count if
    /// lower.
    fn most_entries<S: BlockSource>(&self, pack: &S) -> u32 {
        let most = entries_end(pack, self.hash).saturating_sub(HEADER_LEN) / LEAST_ENTRY;
        u32::try_from(most).unwrap_or(u32::MAX).min(self.count)
    }

    /// Returns whether all entries are read, and the deltas are sorted by their base.
    fn is_sorted(&self) -> bool {
        self.pack_checksum.is_some()
    }

    fn count_work(&mut self, bytes: u64) {
        self.work = self.work.saturating_add(bytes).saturating_add(ENTRY_WORK);
    }

    /// Returns the progress of the index.
    pub fn progress(&self) -> Progress {
        // Reading the pack's end and sorting by base count as one step.
        let sorted = u64::from(self.is_sorted());
        let read = u64::from(self.rows.len().min(self.count)).saturating_add(sorted);
        let closed = self.is_sorted() && self.is_resolved() && self.is_closed();
        let closed = u64::from(closed && self.is_checked());
        Progress {
            done: read.saturating_add(self.hashed).saturating_add(closed),
            total: u64::from(self.count).saturating_mul(2).saturating_add(2),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let by_id = self.by_id.capacity().saturating_mul(size_of::<(ObjectId, u32)>());
        let bases = self.bases.capacity().saturating_mul(size_of::<Base>());
        let new_ids = self.new_ids.as_ref().map_or(0, Vec::capacity).saturating_mul(4);
        let own = by_id.saturating_add(bases).saturating_add(new_ids);
        let own = own.saturating_add(self.scratch.capacity());
        let own = own.saturating_add(self.outside.memory() as usize);
        let kept = self.scanning.as_ref().map_or(0, Scanning::memory);
        let checking = self.checking.as_ref().map_or(0, Checking::memory);
        let own = (own as u64).saturating_add(kept).saturating_add(checking);
        self.rows.memory().saturating_add(own).saturating_add(self.contents.held())
    }

    /// Returns how many bytes were inflated here, in addition to those that the inflater given
    /// to [`Build::step`] counts.
    pub fn inflated_bytes(&self) -> u64 {
        self.inflater.inflated_bytes()
    }

    /// Returns how many times a delta was applied: once for each delta, if memory could hold
    /// all bases.
    pub fn deltas_applied(&self) -> u64 {
        self.deltas_applied
    }

    /// Returns how many bytes of memory writing the index takes beside the rows. The contents
    /// are freed by then.
    pub fn finishing_memory(&self) -> u64 {
        let count = u64::from(self.rows.len());
        let order = count.saturating_mul(4);
        // The keys are freed before the index is written.
        let keys = count.saturating_mul(size_of::<(u64, u32)>() as u64);
        let index = count.saturating_mul((self.hash.len() as u64).saturating_add(16));
        order.saturating_add(keys.max(index)).saturating_sub(self.contents.held())
    }

    /// Ends the build, and returns the data that the index files are written from.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the build is not complete; [`ErrorKind::Limit`] if memory
    /// does not suffice.
    pub fn finish(mut self) -> Result<Indexes> {
        let Some(checksum) = self.pack_checksum.filter(|_| self.progress().is_complete()) else {
            let what = "the index cannot be written before all deltas are resolved";
            return Err(Error::new(ErrorKind::BadInput, what));
        };
        self.contents = Contents::default();
        let (checksum, tail) = self.take_tail().unwrap_or((checksum, Vec::new()));
        let order = write::sorted(&self.rows)?;
        Ok(Indexes { hash: self.hash, checksum, order, rows: self.rows, tail })
    }
}

/// Advances a task until it has processed about [`STEP_BYTES`], or waits for its caller; returns
/// the progress of its build.
fn step<T>(
    task: &mut T,
    build: fn(&T) -> &Build,
    waits: impl Fn(&T) -> bool,
    mut advance: impl FnMut(&mut T) -> Result<()>,
) -> Result<Progress> {
    let before = build(task).work;
    let until = before.saturating_add(STEP_BYTES);
    while build(task).work < until && !waits(task) {
        match advance(task) {
            Ok(()) => {}
            // A step that got further returns its progress: the next step reports the missing
            // bytes.
            Err(error) if error.is_missing() && build(task).work != before => break,
            Err(error) => return Err(error),
        }
    }
    Ok(build(task).progress())
}

/// The entries of a pack, resolved and sorted by id.
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

    /// Returns the type of an object; `None` if the pack does not have it.
    pub fn type_of(&self, id: &ObjectId) -> Option<ObjectType> {
        let place = self.order.binary_search_by(|at| self.rows.id(*at).cmp(id.as_bytes())).ok()?;
        self.order.get(place).and_then(|at| self.rows.object_type(*at))
    }

    /// Returns an object that the pack has twice, if any.
    pub fn twice(&self) -> Option<ObjectId> {
        let mut pairs = self.order.iter().zip(self.order.iter().skip(1));
        let (at, _) = pairs.find(|(at, next)| self.rows.id(**at) == self.rows.id(**next))?;
        ObjectId::from_bytes(self.hash, self.rows.id(*at))
    }

    /// Returns the checksum at the end of the pack.
    pub fn checksum(&self) -> ObjectId {
        self.checksum
    }

    /// Returns the bytes that complete a thin pack, and leaves none here: they replace the
    /// pack's checksum, and end with the new one. Empty if the pack stays unchanged.
    pub fn take_tail(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.tail)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let order = (self.order.capacity() as u64).saturating_mul(4);
        self.rows.memory().saturating_add(order).saturating_add(self.tail.capacity() as u64)
    }

    /// Compares an index with the pack; resumes after missing bytes.
    ///
    /// # Errors
    ///
    /// Missing bytes of the index: provide them and call again. [`ErrorKind::Corrupt`] if the
    /// index is damaged or does not match the pack.
    pub fn compare<S: BlockSource>(&self, index: &S, comparison: &mut Comparison) -> Result<()> {
        comparison.advance(index, &self.rows, &self.order, self.hash, &self.checksum)
    }

    /// Begins a listing of the entries.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if memory does not suffice.
    pub fn listing<S: BlockSource>(&self, pack: &S) -> Result<Listing> {
        Listing::new(&self.rows, entries_end(pack, self.hash))
    }

    /// Appends the line of the next entry, as `verify-pack -v` prints it; returns `false` after
    /// the last.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again.
    pub fn line<S: BlockSource>(
        &self,
        listing: &mut Listing,
        pack: &S,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        listing.line(&self.rows, self.hash, pack, out)
    }

    /// Returns the pack index, version 2: the content of git's `.idx` file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if memory does not suffice.
    pub fn index(&self) -> Result<Vec<u8>> {
        write::index(&self.rows, &self.order, self.hash, &self.checksum)
    }

    /// Returns the reverse index, version 1: the content of git's `.rev` file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if memory does not suffice.
    pub fn reverse_index(&self) -> Result<Vec<u8>> {
        write::reverse_index(&self.order, self.hash, &self.checksum)
    }
}
