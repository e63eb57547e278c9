//! One side of a walk by bitmaps: the uninteresting objects, or the included ones.

use crate::history::commits::{Commits, Flags, Number};
use crate::history::queue::Queue;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;

/// The state of one side.
pub(super) struct Side {
    /// The bits of the objects that were reached.
    pub(super) words: Vec<u64>,
    /// The commit is, or was, in this side's queue.
    queued: Flags,
    pub(super) commits: Queue,
    /// The requested objects that are not commits.
    pub(super) given: Vec<(ObjectId, ObjectType)>,
    /// The trees of the commits that have no bitmap.
    pub(super) trees: Vec<(ObjectId, ObjectType)>,
    /// How many of `given` and then of `trees` were begun.
    pub(super) begun: usize,
    /// The objects that these link to; the next one is the last element.
    pub(super) pending: Vec<(ObjectId, ObjectType)>,
}

impl Side {
    pub fn new(words: usize, queued: Flags) -> Side {
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

    /// Returns the next object to begin with, once all commits were visited. `reverse` begins
    /// with the tree of the oldest commit.
    pub(super) fn next_root(&mut self, reverse: bool) -> Option<(ObjectId, ObjectType)> {
        if reverse && self.begun == 0 {
            self.trees.reverse();
        }
        let root = self.given.iter().chain(&self.trees).nth(self.begun).copied();
        self.begun = self.begun.saturating_add(1);
        root
    }

    pub fn memory(&self) -> u64 {
        let lists = [self.given.capacity(), self.trees.capacity(), self.pending.capacity()];
        let ids = lists.iter().fold(0usize, |sum, list| sum.saturating_add(*list));
        let ids = ids.saturating_mul(size_of::<(ObjectId, ObjectType)>());
        let words = self.words.capacity().saturating_mul(8);
        (ids.saturating_add(words) as u64).saturating_add(self.commits.memory())
    }
}
