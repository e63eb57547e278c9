//! One side of what is counted or listed by bitmaps: what is left out, or what is wanted.

use crate::history::commits::{Commits, Flags, Number};
use crate::history::queue::Queue;
use crate::object::ObjectType;
use crate::oid::ObjectId;

/// One of the two things that are gone through: what is left out, what is wanted.
pub(super) struct Side {
    /// The bits of what was come to.
    pub(super) words: Vec<u64>,
    /// A commit is, or was, in the queue.
    queued: Flags,
    pub(super) commits: Queue,
    /// What was asked for beside commits.
    pub(super) given: Vec<(ObjectId, ObjectType)>,
    /// The trees of commits that have no bitmap.
    pub(super) trees: Vec<(ObjectId, ObjectType)>,
    /// How many of both were gone on to.
    pub(super) begun: usize,
    /// What these lead to, the next one last.
    pub(super) pending: Vec<(ObjectId, ObjectType)>,
}

impl Side {
    pub(super) fn new(words: usize, queued: Flags) -> Side {
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

    pub(super) fn add(&mut self, commits: &mut Commits, number: Number) {
        if !commits.has(number, self.queued) {
            commits.set(number, self.queued);
            self.commits.add(commits, number);
        }
    }

    pub(super) fn has(&self, bit: u32) -> bool {
        let word = self.words.get((bit / u64::BITS) as usize).copied().unwrap_or(0);
        word >> (bit % u64::BITS) & 1 == 1
    }

    pub(super) fn set(&mut self, bit: u32) {
        if let Some(word) = self.words.get_mut((bit / u64::BITS) as usize) {
            *word |= 1 << (bit % u64::BITS);
        }
    }

    /// Returns what is gone on to once all commits were come to.
    pub(super) fn next_root(&mut self, reverse: bool) -> Option<(ObjectId, ObjectType)> {
        if reverse && self.begun == 0 {
            self.trees.reverse();
        }
        let root = self.given.iter().chain(&self.trees).nth(self.begun).copied();
        self.begun = self.begun.saturating_add(1);
        root
    }

    pub(super) fn memory(&self) -> u64 {
        let lists = [self.given.capacity(), self.trees.capacity(), self.pending.capacity()];
        let ids = lists.iter().fold(0usize, |sum, list| sum.saturating_add(*list));
        let ids = ids.saturating_mul(size_of::<(ObjectId, ObjectType)>());
        let words = self.words.capacity().saturating_mul(8);
        (ids.saturating_add(words) as u64).saturating_add(self.commits.memory())
    }
}
