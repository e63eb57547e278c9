//! How many objects commits lead to, by bitmaps: what a commit with a bitmap leads to
//! is known, and only what lies above is gone through.

use super::ids::Ids;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Commit, ObjectType, Tag, Tree};
use crate::odb::Bitmaps;
use crate::oid::ObjectId;
use crate::repository::Repository;

/// An object without a bit was come to: from what is left out, from what is wanted.
const LEFT_OUT: u8 = 1;
const WANTED: u8 = 2;
/// It is a commit.
const COMMIT: u8 = 4;

/// What is left to go through.
#[derive(Default)]
struct Pending {
    commits: Vec<ObjectId>,
    /// Trees, blobs and tags; those of commits come last, when most of what is in them
    /// has its bit.
    others: Vec<(ObjectId, ObjectType)>,
}

/// A count that stops when it likes and goes on later.
pub(super) struct Reached {
    bitmaps: Bitmaps,
    left_out: Vec<u64>,
    wanted: Vec<u64>,
    /// Objects without a bit, and what is known of each.
    ids: Ids,
    flags: Vec<u8>,
    /// What is left out is gone through first.
    pending: [Pending; 2],
}

/// What an object was found to be.
enum Seen {
    Before,
    Bit(u32),
    /// Its number, of one without a bit.
    Other(usize),
}

impl Reached {
    /// Begins without anything that is asked for.
    pub(super) fn new(bitmaps: Bitmaps) -> Reached {
        let words = vec![0; bitmaps.words()];
        Reached {
            bitmaps,
            left_out: words.clone(),
            wanted: words,
            ids: Ids::default(),
            flags: Vec::new(),
            pending: Default::default(),
        }
    }

    /// Adds an object that is asked for, or left out, with all it leads to.
    pub(super) fn add(&mut self, id: ObjectId, object_type: ObjectType, left_out: bool) {
        let [first, second] = &mut self.pending;
        let pending = if left_out { first } else { second };
        match object_type {
            ObjectType::Commit => pending.commits.push(id),
            _ => pending.others.push((id, object_type)),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let words = self.wanted.capacity().saturating_mul(16);
        let pending = self.pending.iter().fold(0usize, |sum, pending| {
            let ids = pending.commits.capacity().saturating_add(pending.others.capacity());
            sum.saturating_add(ids.saturating_mul(size_of::<(ObjectId, ObjectType)>()))
        });
        (words.saturating_add(pending) as u64)
            .saturating_add(self.ids.memory())
            .saturating_add(self.bitmaps.memory())
    }

    /// Goes through one object; tells whether that was the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: nothing has changed then. Those of reading; damaged
    /// bitmaps.
    pub(super) fn step(&mut self, repository: &mut Repository) -> Result<bool> {
        if self.memory() > repository.memory() / 2 {
            return Err(super::commits::too_many());
        }
        let is_left_out =
            |pending: &Pending| !pending.commits.is_empty() || !pending.others.is_empty();
        let left_out = self.pending.first().is_some_and(is_left_out);
        let (next, object_type) = match self.pending_of(left_out) {
            Pending { commits, .. } if !commits.is_empty() => {
                (commits.last().copied(), ObjectType::Commit)
            }
            Pending { others, .. } => match others.last() {
                Some((id, object_type)) => (Some(*id), *object_type),
                None => (None, ObjectType::Blob),
            },
        };
        let Some(id) = next else {
            return Ok(true);
        };
        let found = self.bitmaps.find(&repository.odb, &repository.files, &id)?;
        let seen = self.seen(&id, found.map(|(_, bit)| bit), left_out);
        let mut commits = Vec::new();
        let mut others = Vec::new();
        let mut bitmap = None;
        if !matches!(seen, Seen::Before) {
            if let (ObjectType::Commit, Some((position, _))) = (object_type, found) {
                bitmap = self.bitmaps.of_commit(&repository.files, position)?;
            }
            if bitmap.is_none() {
                read(repository, &id, object_type, left_out, &mut commits, &mut others)?;
            }
        }
        let pending = self.pending_of(left_out);
        match object_type {
            ObjectType::Commit => drop(pending.commits.pop()),
            _ => drop(pending.others.pop()),
        }
        pending.commits.append(&mut commits);
        pending.others.append(&mut others);
        let words = if left_out { &mut self.left_out } else { &mut self.wanted };
        for (word, more) in words.iter_mut().zip(bitmap.unwrap_or_default()) {
            *word |= more;
        }
        match seen {
            Seen::Before => {}
            Seen::Bit(bit) => {
                if let Some(word) = words.get_mut((bit / u64::BITS) as usize) {
                    *word |= 1 << (bit % u64::BITS);
                }
            }
            Seen::Other(number) => {
                let commit = if object_type == ObjectType::Commit { COMMIT } else { 0 };
                if let Some(flags) = self.flags.get_mut(number) {
                    *flags |= commit | if left_out { LEFT_OUT } else { WANTED };
                }
            }
        }
        Ok(false)
    }

    fn pending_of(&mut self, left_out: bool) -> &mut Pending {
        let [first, second] = &mut self.pending;
        if left_out {
            first
        } else {
            second
        }
    }

    /// Tells whether all an object leads to was gone through, or will be.
    fn seen(&mut self, id: &ObjectId, bit: Option<u32>, left_out: bool) -> Seen {
        let Some(bit) = bit else {
            let number = self.ids.number_of(id, self.flags.len() as u32) as usize;
            if number == self.flags.len() {
                self.flags.push(0);
            }
            let known = if left_out { LEFT_OUT } else { LEFT_OUT | WANTED };
            return match self.flags.get(number).copied().unwrap_or(0) & known {
                0 => Seen::Other(number),
                _ => Seen::Before,
            };
        };
        let has = |words: &[u64]| {
            let word = words.get((bit / u64::BITS) as usize).copied().unwrap_or(0);
            word >> (bit % u64::BITS) & 1 == 1
        };
        match has(&self.left_out) || (!left_out && has(&self.wanted)) {
            true => Seen::Before,
            false => Seen::Bit(bit),
        }
    }

    /// Returns how many objects are asked for and not left out, or how many commits.
    ///
    /// # Errors
    ///
    /// Missing bytes; damaged bitmaps.
    pub(super) fn count(&self, repository: &Repository, only_commits: bool) -> Result<u64> {
        let mask = match only_commits {
            true => self.bitmaps.of_type(&repository.files, ObjectType::Commit)?,
            false => vec![u64::MAX; self.wanted.len()],
        };
        let words = self.wanted.iter().zip(&self.left_out).zip(mask);
        let bits = words.fold(0u64, |sum, ((wanted, left_out), mask)| {
            sum.saturating_add((wanted & !left_out & mask).count_ones().into())
        });
        let wanted = if only_commits { WANTED | COMMIT } else { WANTED };
        let others =
            self.flags.iter().filter(|flags| **flags & LEFT_OUT == 0 && **flags & wanted == wanted);
        Ok(bits.saturating_add(others.count() as u64))
    }
}

/// Reads what an object leads to. What is left out may be missing, as for git.
fn read(
    repository: &mut Repository,
    id: &ObjectId,
    object_type: ObjectType,
    left_out: bool,
    commits: &mut Vec<ObjectId>,
    others: &mut Vec<(ObjectId, ObjectType)>,
) -> Result<()> {
    if object_type == ObjectType::Blob {
        if !left_out && repository.odb.find(&mut repository.files, id)?.is_none() {
            let what = "there is no such object";
            return Err(Error::new(ErrorKind::NotFound, what).about(id.to_hex()));
        }
        return Ok(());
    }
    let content = match repository.read_of_type(id, object_type) {
        Err(error) if left_out && error.kind() == ErrorKind::NotFound => return Ok(()),
        content => content?,
    };
    let hash = repository.hash();
    match object_type {
        ObjectType::Commit => {
            let commit = Commit::decode(hash, &content)?;
            commits.extend(commit.parents());
            others.push((*commit.tree(), ObjectType::Tree));
        }
        ObjectType::Tree => {
            for entry in Tree::new(hash, &content) {
                let entry = entry?;
                if !entry.mode.is_gitlink() {
                    others.push((entry.oid, entry.mode.object_type()));
                }
            }
        }
        _ => {
            let tag = Tag::decode(hash, &content)?;
            match tag.target_type() {
                ObjectType::Commit => commits.push(*tag.target()),
                target_type => others.push((*tag.target(), target_type)),
            }
        }
    }
    Ok(())
}
