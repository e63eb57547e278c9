//! Finds the objects that are reachable from commits by reachability bitmaps: a bitmap lists
//! all that its commit reaches, so only commits without one are walked.

mod listing;
mod side;

use super::commits::{too_many, Commits, Flags, Number};
use super::frontier::needing_frontier;
use super::marks::{ahead, parse_parents, UNINTERESTING};
use super::objects::StartObject;
use crate::odb::Bitmaps;
use crate::repository::Repository;
use listing::Listing;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::id_table::Ids;
use packlens_format::object::{ObjectType, Tree};
use side::Side;

/// The commit was queued on the uninteresting side, or on the included side.
const OF_UNINTERESTING: Flags = 1 << 11;
const OF_INCLUDED: Flags = 1 << 12;

/// An object that has no bit in the bitmaps.
struct Other {
    object_type: ObjectType,
    /// Whether the uninteresting side reached it, and whether the included side did.
    seen: [bool; 2],
}

/// A walk that lists or counts objects; it can stop after any step and resume later.
pub(super) struct BitmapWalk {
    bitmaps: Bitmaps,
    /// The objects without a bit, in the order in which they were reached.
    ids: Ids,
    others: Vec<Other>,
    /// The uninteresting side, which is walked first, and the included side.
    sides: [Side; 2],
    /// The index of the side that is walked now.
    side: usize,
    /// Only commits are requested.
    only_commits: bool,
    /// The trees of commits are walked from the oldest commit to the newest.
    reverse: bool,
    listing: Option<Listing>,
}

/// The request: where to begin, and what to return.
pub(super) struct Asked<'a> {
    pub(super) tips: &'a [Number],
    pub(super) given: &'a [StartObject],
    pub(super) only_commits: bool,
    pub(super) reverse: bool,
}

impl BitmapWalk {
    /// Begins a walk. Returns `None` where git does not use bitmaps either: if nothing is
    /// included, or if no bitmap has any of the uninteresting objects.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn new(
        bitmaps: Bitmaps,
        commits: &mut Commits,
        repository: &Repository,
        asked: &Asked<'_>,
    ) -> Result<Option<BitmapWalk>> {
        let words = bitmaps.words();
        let [mut uninteresting, mut included] =
            [OF_UNINTERESTING, OF_INCLUDED].map(|queued| Side::new(words, queued));
        let mut known = false;
        for tip in asked.tips {
            if commits.has(*tip, UNINTERESTING) {
                let id = commits.id(repository, *tip)?;
                known |= bitmaps.find(&repository.odb, &repository.files, &id)?.is_some();
                uninteresting.add(commits, *tip);
            } else {
                included.add(commits, *tip);
            }
        }
        for given in asked.given {
            if given.uninteresting {
                known |= bitmaps.find(&repository.odb, &repository.files, &given.id)?.is_some();
            }
            let side = if given.uninteresting { &mut uninteresting } else { &mut included };
            side.given.push((given.id, given.object_type));
        }
        let is_empty = |side: &Side| side.commits.peek().is_none() && side.given.is_empty();
        let may = !is_empty(&included) && (known || is_empty(&uninteresting));
        Ok(may.then(|| BitmapWalk {
            bitmaps,
            ids: Ids::default(),
            others: Vec::new(),
            sides: [uninteresting, included],
            side: 0,
            only_commits: asked.only_commits,
            reverse: asked.reverse,
            listing: None,
        }))
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let others = self.others.capacity().saturating_mul(size_of::<Other>()) as u64;
        let sides = self.sides.iter().map(Side::memory);
        let sides = sides.fold(others, u64::saturating_add);
        sides.saturating_add(self.ids.memory()).saturating_add(self.bitmaps.memory())
    }

    /// Visits one object; returns whether the walk is over.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Errors of reading; damaged bitmaps.
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
        let uninteresting = self.side == 0;
        let id = commits.id(repository, number)?;
        let found = self.bitmaps.find(&repository.odb, &repository.files, &id)?;
        let is_new = self.is_new(&id, ObjectType::Commit, found);
        let bitmap = match found {
            Some((position, _)) if is_new => self.bitmaps.of_commit(&repository.files, position)?,
            _ => None,
        };
        let visits_parents = is_new && bitmap.is_none();
        let mut tree = None;
        if visits_parents && commits.is_parsed(number) {
            let Some(side) = self.sides.get(self.side) else {
                return Ok(());
            };
            parse_parents(commits, repository, number, usize::MAX, uninteresting)
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
        if visits_parents {
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
            let uninteresting = self.side == 0;
            read(repository, &id, object_type, uninteresting, &mut entries)
                .map_err(|error| self.needing_next(error, repository))?;
            self.see(&id, found);
        }
        if let Some(side) = self.sides.get_mut(self.side) {
            side.pending.pop();
            side.pending.extend(entries.into_iter().rev());
        }
        Ok(())
    }

    /// Adds to a need for an object the objects that the walk reads after it.
    fn needing_next(&self, error: Error, repository: &mut Repository) -> Error {
        let Some(side) = self.sides.get(self.side) else {
            return error;
        };
        let pending = side.pending.iter().rev().skip(1);
        let roots = side.given.iter().chain(&side.trees).skip(side.begun);
        let next = pending.chain(roots).copied();
        needing_frontier(error, repository, next, self.side == 0, |id| self.ids.has(id))
    }

    /// Returns whether an object is new: neither this side nor one that was walked before it has
    /// reached the object. The links of other objects are visited already, or will be.
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
}

/// Reads the entries of a tree; checks that a blob is there. An uninteresting object may be
/// missing, as in git.
fn read(
    repository: &mut Repository,
    id: &ObjectId,
    object_type: ObjectType,
    uninteresting: bool,
    entries: &mut Vec<(ObjectId, ObjectType)>,
) -> Result<()> {
    match object_type {
        ObjectType::Blob if !uninteresting => {
            repository.odb.must_have(&mut repository.files, id)?
        }
        ObjectType::Tree => {
            let content = match repository.read_tree(id, repository.verify) {
                Err(error) if uninteresting && error.kind() == ErrorKind::NotFound => return Ok(()),
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
