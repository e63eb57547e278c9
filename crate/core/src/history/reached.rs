//! The objects that commits lead to, by bitmaps: what a commit with a bitmap leads to
//! is known, and only what lies above is gone through.

use super::commits::{too_many, Commits, Flags, Number};
use super::frontier::needing_frontier;
use super::ids::Ids;
use super::marks::{ahead, parse_parents, UNINTERESTING};
use super::objects::Wanted;
use super::queue::Queue;
use crate::appender::Output;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{ObjectType, Tree};
use crate::odb::Bitmaps;
use crate::oid::ObjectId;
use crate::repository::Repository;

/// A commit was in the queue of what is left out, of what is wanted.
const OF_LEFT_OUT: Flags = 1 << 11;
const OF_WANTED: Flags = 1 << 12;

/// The types in the order in which git lists them.
const TYPES: [ObjectType; 4] =
    [ObjectType::Commit, ObjectType::Tree, ObjectType::Blob, ObjectType::Tag];

/// One of the two things that are gone through: what is left out, what is wanted.
struct Side {
    /// The bits of what was come to.
    words: Vec<u64>,
    /// A commit is, or was, in the queue.
    queued: Flags,
    commits: Queue,
    /// What was asked for beside commits.
    given: Vec<(ObjectId, ObjectType)>,
    /// The trees of commits that have no bitmap.
    trees: Vec<(ObjectId, ObjectType)>,
    /// How many of both were gone on to.
    begun: usize,
    /// What these lead to, the next one last.
    pending: Vec<(ObjectId, ObjectType)>,
}

impl Side {
    fn new(words: usize, queued: Flags) -> Side {
        Side {
            words: vec![0; words],
            queued,
            commits: Queue::by_date(),
            given: Vec::new(),
            trees: Vec::new(),
            begun: 0,
            pending: Vec::new(),
        }
    }

    fn add(&mut self, commits: &mut Commits, number: Number) {
        if !commits.has(number, self.queued) {
            commits.set(number, self.queued);
            self.commits.add(commits, number);
        }
    }

    fn has(&self, bit: u32) -> bool {
        let word = self.words.get((bit / u64::BITS) as usize).copied().unwrap_or(0);
        word >> (bit % u64::BITS) & 1 == 1
    }

    fn set(&mut self, bit: u32) {
        if let Some(word) = self.words.get_mut((bit / u64::BITS) as usize) {
            *word |= 1 << (bit % u64::BITS);
        }
    }

    /// Returns what is gone on to once all commits were come to.
    fn next_root(&mut self, reverse: bool) -> Option<(ObjectId, ObjectType)> {
        if reverse && self.begun == 0 {
            self.trees.reverse();
        }
        let root = self.given.iter().chain(&self.trees).nth(self.begun).copied();
        self.begun = self.begun.saturating_add(1);
        root
    }

    fn memory(&self) -> u64 {
        let lists = [self.given.capacity(), self.trees.capacity(), self.pending.capacity()];
        let ids = lists.iter().fold(0usize, |sum, list| sum.saturating_add(*list));
        let ids = ids.saturating_mul(size_of::<(ObjectId, ObjectType)>());
        let words = self.words.capacity().saturating_mul(8);
        (ids.saturating_add(words) as u64).saturating_add(self.commits.memory())
    }
}

/// An object without a bit.
struct Other {
    object_type: ObjectType,
    /// Whether what is left out led to it, and what is wanted.
    seen: [bool; 2],
}

/// A list or count that stops when it likes and goes on later.
pub(super) struct Reached {
    bitmaps: Bitmaps,
    /// Objects without a bit, in the order in which they were come to.
    ids: Ids,
    others: Vec<Other>,
    /// What is left out is gone through first.
    sides: [Side; 2],
    /// Which of them is gone through.
    side: usize,
    /// Nothing but commits is asked for.
    only_commits: bool,
    /// Commits are taken the oldest first.
    reverse: bool,
    listing: Option<Listing>,
}

/// What was asked for.
pub(super) struct Asked<'a> {
    pub(super) tips: &'a [Number],
    pub(super) given: &'a [Wanted],
    pub(super) only_commits: bool,
    pub(super) reverse: bool,
}

/// What is left to list.
struct Listing {
    /// The bits of each type, the next one last.
    types: Vec<Vec<u64>>,
    /// Which words of the next type are done.
    word: usize,
    /// How many of those without a bit are done.
    others: u32,
}

impl Reached {
    /// Begins. `None` where git does without bitmaps: if nothing is wanted, or they know
    /// nothing of what is left out.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn new(
        bitmaps: Bitmaps,
        commits: &mut Commits,
        repository: &Repository,
        asked: &Asked<'_>,
    ) -> Result<Option<Reached>> {
        let words = bitmaps.words();
        let [mut left_out, mut wanted] =
            [OF_LEFT_OUT, OF_WANTED].map(|queued| Side::new(words, queued));
        let mut known = false;
        for tip in asked.tips {
            if commits.has(*tip, UNINTERESTING) {
                let id = commits.id(repository, *tip)?;
                known |= bitmaps.find(&repository.odb, &repository.files, &id)?.is_some();
                left_out.add(commits, *tip);
            } else {
                wanted.add(commits, *tip);
            }
        }
        for given in asked.given {
            if given.left_out {
                known |= bitmaps.find(&repository.odb, &repository.files, &given.id)?.is_some();
            }
            let side = if given.left_out { &mut left_out } else { &mut wanted };
            side.given.push((given.id, given.object_type));
        }
        let is_empty = |side: &Side| side.commits.peek().is_none() && side.given.is_empty();
        let may = !is_empty(&wanted) && (known || is_empty(&left_out));
        Ok(may.then(|| Reached {
            bitmaps,
            ids: Ids::default(),
            others: Vec::new(),
            sides: [left_out, wanted],
            side: 0,
            only_commits: asked.only_commits,
            reverse: asked.reverse,
            listing: None,
        }))
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let others = self.others.capacity().saturating_mul(size_of::<Other>()) as u64;
        let sides = self.sides.iter().map(Side::memory);
        let sides = sides.fold(others, u64::saturating_add);
        sides.saturating_add(self.ids.memory()).saturating_add(self.bitmaps.memory())
    }

    /// Goes through one object; tells whether that was the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Those of reading; damaged
    /// bitmaps.
    pub(super) fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<bool> {
        if self.memory() > repository.memory() / 2 {
            return Err(too_many());
        }
        let Some(side) = self.sides.get_mut(self.side) else {
            return Ok(true);
        };
        if let Some(number) = side.commits.peek() {
            self.take_commit(commits, repository, number)?;
        } else if let Some(next) = side.pending.last().copied() {
            self.take_other(repository, next)?;
        } else if let Some(root) = side.next_root(self.reverse) {
            side.pending.push(root);
        } else {
            self.side = self.side.saturating_add(1);
        }
        Ok(false)
    }

    fn take_commit(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<()> {
        let left_out = self.side == 0;
        let id = commits.id(repository, number)?;
        let found = self.bitmaps.find(&repository.odb, &repository.files, &id)?;
        let is_new = self.is_new(&id, ObjectType::Commit, found);
        let bitmap = match found {
            Some((position, _)) if is_new => self.bitmaps.of_commit(&repository.files, position)?,
            _ => None,
        };
        let goes_on = is_new && bitmap.is_none();
        let mut tree = None;
        if goes_on && commits.is_parsed(number) {
            let Some(side) = self.sides.get(self.side) else {
                return Ok(());
            };
            parse_parents(commits, repository, number, usize::MAX, left_out)
                .map_err(|error| ahead(error, commits, repository, number, &side.commits))?;
            if !self.only_commits {
                tree = Some((commits.tree(repository, number)?, ObjectType::Tree));
            }
        }
        if is_new {
            self.see(&id, found);
        }
        let Some(side) = self.sides.get_mut(self.side) else {
            return Ok(());
        };
        side.commits.pass();
        for (word, more) in side.words.iter_mut().zip(bitmap.unwrap_or_default()) {
            *word |= more;
        }
        side.trees.extend(tree);
        if goes_on {
            for place in commits.parents(number) {
                side.add(commits, commits.edge(place));
            }
        }
        Ok(())
    }

    fn take_other(
        &mut self,
        repository: &mut Repository,
        (id, object_type): (ObjectId, ObjectType),
    ) -> Result<()> {
        let found = self.bitmaps.find(&repository.odb, &repository.files, &id)?;
        let is_new = self.is_new(&id, object_type, found);
        let mut entries = Vec::new();
        if is_new {
            let left_out = self.side == 0;
            read(repository, &id, object_type, left_out, &mut entries)
                .map_err(|error| self.needing_next(error, repository))?;
            self.see(&id, found);
        }
        if let Some(side) = self.sides.get_mut(self.side) {
            side.pending.pop();
            side.pending.extend(entries.into_iter().rev());
        }
        Ok(())
    }

    /// Adds to a need of an object what comes behind it.
    fn needing_next(&self, error: Error, repository: &mut Repository) -> Error {
        let Some(side) = self.sides.get(self.side) else {
            return error;
        };
        let pending = side.pending.iter().rev().skip(1);
        let roots = side.given.iter().chain(&side.trees).skip(side.begun);
        let next = pending.chain(roots).copied();
        needing_frontier(error, repository, next, self.side == 0, |id| self.ids.has(id))
    }

    /// Tells whether an object is come to for the first time: what it leads to was not
    /// gone through, nor will be.
    fn is_new(
        &mut self,
        id: &ObjectId,
        object_type: ObjectType,
        found: Option<(u32, u32)>,
    ) -> bool {
        let side = self.side;
        let Some((_, bit)) = found else {
            let number = self.ids.number_of(id, self.others.len() as u32) as usize;
            if number == self.others.len() {
                self.others.push(Other { object_type, seen: [false; 2] });
            }
            let seen = self.others.get(number).map(|other| other.seen).unwrap_or_default();
            return !seen.iter().take(side.saturating_add(1)).any(|seen| *seen);
        };
        !self.sides.iter().take(side.saturating_add(1)).any(|side| side.has(bit))
    }

    fn see(&mut self, id: &ObjectId, found: Option<(u32, u32)>) {
        if let Some((_, bit)) = found {
            if let Some(side) = self.sides.get_mut(self.side) {
                side.set(bit);
            }
            return;
        }
        let number = self.ids.number_of(id, self.others.len() as u32) as usize;
        let other = self.others.get_mut(number);
        if let Some(seen) = other.and_then(|other| other.seen.get_mut(self.side)) {
            *seen = true;
        }
    }

    fn types(&self) -> &'static [ObjectType] {
        let types = if self.only_commits { TYPES.get(..1) } else { None };
        types.unwrap_or(&TYPES)
    }

    /// Returns the bits of a type that are asked for and not left out.
    fn words_of(&self, repository: &Repository, object_type: ObjectType) -> Result<Vec<u64>> {
        let mut words = self.bitmaps.of_type(&repository.files, object_type)?;
        let [left_out, wanted] = &self.sides;
        for ((word, wanted), left_out) in words.iter_mut().zip(&wanted.words).zip(&left_out.words) {
            *word &= wanted & !left_out;
        }
        Ok(words)
    }

    fn is_asked_for(&self, other: &Other) -> bool {
        other.seen == [false, true] && self.types().contains(&other.object_type)
    }

    /// Returns how many objects are asked for and not left out.
    ///
    /// # Errors
    ///
    /// Missing bytes; damaged bitmaps.
    pub(super) fn count(&self, repository: &Repository) -> Result<u64> {
        let others = self.others.iter().filter(|other| self.is_asked_for(other));
        let mut count = others.count() as u64;
        for object_type in self.types() {
            let words = self.words_of(repository, *object_type)?;
            count =
                words.iter().fold(count, |sum, word| sum.saturating_add(word.count_ones().into()));
        }
        Ok(count)
    }

    /// Makes ready to list what was found.
    ///
    /// # Errors
    ///
    /// Missing bytes; damaged bitmaps.
    pub(super) fn begin_list(&mut self, repository: &Repository) -> Result<()> {
        let types = self.types().iter().rev();
        let types = types.map(|object_type| self.words_of(repository, *object_type));
        let types = types.collect::<Result<Vec<_>>>()?;
        self.listing = Some(Listing { types, word: 0, others: 0 });
        Ok(())
    }

    /// Tells whether listing has begun.
    pub(super) fn is_listed(&self) -> bool {
        self.listing.is_some()
    }

    /// Appends the ids of what was found, until `out` is about `capacity` bytes long:
    /// by type and as bitmaps have them, then those without a bit. Tells whether that
    /// was the last.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and go on.
    pub(super) fn list(
        &mut self,
        repository: &Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let Some(mut listing) = self.listing.take() else {
            return Ok(true);
        };
        let listed = self.list_on(&mut listing, repository, capacity, out);
        self.listing = Some(listing);
        listed
    }

    fn list_on(
        &self,
        listing: &mut Listing,
        repository: &Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while out.len() < capacity {
            if let Some(words) = listing.types.last_mut() {
                match words.get_mut(listing.word) {
                    Some(0) => listing.word = listing.word.saturating_add(1),
                    Some(word) => {
                        let bit = (listing.word as u32).saturating_mul(u64::BITS);
                        let bit = bit.saturating_add(word.trailing_zeros());
                        let id = self.bitmaps.id_of(&repository.odb, &repository.files, bit)?;
                        id.write_line(&mut out.appender())?;
                        *word &= word.wrapping_sub(1);
                    }
                    None => {
                        listing.types.pop();
                        listing.word = 0;
                    }
                }
                continue;
            }
            let Some(other) = self.others.get(listing.others as usize) else {
                return Ok(true);
            };
            if let Some(id) = self.ids.get(listing.others).filter(|_| self.is_asked_for(other)) {
                id.write_line(&mut out.appender())?;
            }
            listing.others = listing.others.saturating_add(1);
        }
        Ok(false)
    }
}

/// Reads what a tree leads to; a blob must be there. What is left out may be missing,
/// as for git.
fn read(
    repository: &mut Repository,
    id: &ObjectId,
    object_type: ObjectType,
    left_out: bool,
    entries: &mut Vec<(ObjectId, ObjectType)>,
) -> Result<()> {
    match object_type {
        ObjectType::Blob if !left_out => repository.odb.must_have(&mut repository.files, id)?,
        ObjectType::Tree => {
            let content = match repository.read_tree(id, repository.verify) {
                Err(error) if left_out && error.kind() == ErrorKind::NotFound => return Ok(()),
                content => content?,
            };
            for entry in Tree::new(repository.hash(), &content) {
                let entry = entry?;
                if !entry.mode.is_gitlink() {
                    entries.push((entry.oid, entry.mode.object_type()));
                }
            }
        }
        _ => {}
    }
    Ok(())
}
