//! Sorts commits so that children come before their parents.

use super::commits::{Commits, Number};
use super::queue::Queue;

/// What decides between commits whose children are all sorted.
#[derive(Clone, Copy)]
pub(super) enum SortBy<'a> {
    /// Lines of history are kept together.
    Lines,
    CommitDate,
    /// Dates by the numbers of the commits.
    Dates(&'a [u64]),
}

/// Sorts commits so that none comes before its children. Commits without children keep their
/// order, if lines of history are kept together.
pub(super) fn sort(commits: &Commits, list: &[Number], by: SortBy<'_>) -> Vec<Number> {
    // The number of children plus one; 0 for commits that are not in the list.
    let mut degrees = vec![0u32; commits.len()];
    let mut add = |number: Number, only_listed: bool| {
        if let Some(degree) = degrees.get_mut(number as usize) {
            if *degree > 0 || !only_listed {
                *degree = degree.saturating_add(1);
            }
        }
    };
    list.iter().for_each(|number| add(*number, false));
    for number in list {
        for place in commits.parents(*number) {
            add(commits.edge(place), true);
        }
    }
    let mut ready = Ready::new(by);
    let is_first = |number: &Number| degrees.get(*number as usize) == Some(&1);
    ready.begin(commits, list.iter().copied().filter(is_first).collect());
    let mut sorted = Vec::with_capacity(list.len());
    while let Some(number) = ready.next() {
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            if let Some(degree) = degrees.get_mut(parent as usize).filter(|degree| **degree > 0) {
                *degree = degree.saturating_sub(1);
                if *degree == 1 {
                    ready.add(commits, parent);
                }
            }
        }
        if let Some(degree) = degrees.get_mut(number as usize) {
            *degree = 0;
        }
        sorted.push(number);
    }
    sorted
}

/// Commits whose children are all sorted.
pub(super) enum Ready<'a> {
    Stack(Vec<Number>),
    Queue(Queue),
    Dated(Queue, &'a [u64]),
}

impl<'a> Ready<'a> {
    pub fn new(by: SortBy<'a>) -> Ready<'a> {
        match by {
            SortBy::Lines => Ready::Stack(Vec::new()),
            SortBy::CommitDate => Ready::Queue(Queue::by_date()),
            SortBy::Dates(dates) => Ready::Dated(Queue::by_date(), dates),
        }
    }

    /// Adds the first commits; they are returned in this order.
    pub(super) fn begin(&mut self, commits: &Commits, mut tips: Vec<Number>) {
        if let Ready::Stack(_) = self {
            tips.reverse();
        }
        tips.into_iter().for_each(|tip| self.add(commits, tip));
    }

    pub(super) fn add(&mut self, commits: &Commits, number: Number) {
        match self {
            Ready::Stack(stack) => stack.push(number),
            Ready::Queue(queue) => queue.add(commits, number),
            Ready::Dated(queue, dates) => {
                queue.add_dated(number, dates.get(number as usize).copied().unwrap_or(0));
            }
        }
    }

    pub(super) fn next(&mut self) -> Option<Number> {
        match self {
            Ready::Stack(stack) => stack.pop(),
            Ready::Queue(queue) | Ready::Dated(queue, _) => {
                let number = queue.peek()?;
                queue.pass();
                Some(number)
            }
        }
    }
}
