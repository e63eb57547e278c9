//! The queue of a walk: commits in the order in which they are visited.

use super::commits::{Commits, Number, NO_GENERATION};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The newest commit is next; of commits with the same date, the one that was added first. A
/// queue by generation compares generation numbers before dates.
pub(super) struct Queue {
    heap: BinaryHeap<(u64, u64, Reverse<u64>, Number)>,
    order: Order,
    added: u64,
}

#[derive(Clone, Copy)]
enum Order {
    NewestFirst,
    OldestFirst,
    Generation,
    Added,
}

impl Queue {
    pub(super) fn by_date() -> Queue {
        Queue { heap: BinaryHeap::new(), order: Order::NewestFirst, added: 0 }
    }

    pub(super) fn by_generation() -> Queue {
        Queue { order: Order::Generation, ..Queue::by_date() }
    }

    /// Creates a queue whose commits are in the order in which they were added.
    pub(super) fn in_order() -> Queue {
        Queue { order: Order::Added, ..Queue::by_date() }
    }

    /// Creates a queue whose oldest commit is next.
    pub(super) fn oldest_first() -> Queue {
        Queue { order: Order::OldestFirst, ..Queue::by_date() }
    }

    /// Adds a parsed commit.
    pub(super) fn add(&mut self, commits: &Commits, number: Number) {
        let mut date = commits.date(number);
        let key = match self.order {
            Order::NewestFirst => 0,
            Order::Added => {
                date = 0;
                0
            }
            Order::OldestFirst => !date,
            Order::Generation => commits.generation(number),
        };
        self.heap.push((key, date, Reverse(self.added), number));
        self.added = self.added.saturating_add(1);
    }

    /// Adds a commit to a queue by date as if this were its date.
    pub(super) fn add_dated(&mut self, number: Number, date: u64) {
        self.heap.push((0, date, Reverse(self.added), number));
        self.added = self.added.saturating_add(1);
    }

    /// Adds a commit that comes before all others, to be read then.
    pub(super) fn add_unread(&mut self, number: Number) {
        self.heap.push((NO_GENERATION, 0, Reverse(self.added), number));
        self.added = self.added.saturating_add(1);
    }

    /// Returns the next commit, and the generation number that it was added with.
    pub(super) fn peek_generation(&self) -> Option<(u64, Number)> {
        self.heap.peek().map(|(generation, _, _, number)| (*generation, *number))
    }

    /// Returns the next commit.
    pub fn peek(&self) -> Option<Number> {
        self.heap.peek().map(|(_, _, _, number)| *number)
    }

    /// Removes the next commit.
    pub fn pass(&mut self) {
        self.heap.pop();
    }

    /// Returns all commits, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Number> + '_ {
        self.heap.iter().map(|(_, _, _, number)| *number)
    }

    pub fn memory(&self) -> u64 {
        (self.heap.capacity() as u64).saturating_mul(32)
    }
}
