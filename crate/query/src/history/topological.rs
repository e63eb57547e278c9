//! Sorts commits so that children come before their parents.

use super::commits::{Commits, Number};
use super::marks::UNINTERESTING;
use super::queue::Queue;

/// Sorts commits so that none comes before its children: by date where there is a choice, or
/// with lines of history kept together.
///
/// Commits without children come in the order of `tips`. With `first_parent` only first parents
/// count as parents.
pub(super) fn sort(
    commits: &Commits,
    list: &[Number],
    tips: &[Number],
    by_date: bool,
    first_parent: bool,
) -> Vec<Number> {
    let most = if first_parent { 1 } else { usize::MAX };
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
        for place in commits.parents(*number).take(most) {
            add(commits.edge(place), true);
        }
    }
    let tips = tips.iter().copied();
    let mut ready = Ready::new(by_date);
    let is_tip = |number: &Number| degrees.get(*number as usize) == Some(&1);
    ready.begin(commits, tips.filter(is_tip).collect());
    let mut sorted = Vec::with_capacity(list.len());
    while let Some(number) = ready.next() {
        let parents = commits.parents(number).map(|place| commits.edge(place));
        // If the first parent is uninteresting, git follows the next one in its place.
        let counts = |parent: &Number| !first_parent || !commits.has(*parent, UNINTERESTING);
        for parent in parents.filter(counts).take(most) {
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
enum Ready {
    Stack(Vec<Number>),
    Queue(Queue),
}

impl Ready {
    fn new(by_date: bool) -> Ready {
        match by_date {
            true => Ready::Queue(Queue::by_date()),
            false => Ready::Stack(Vec::new()),
        }
    }

    /// Adds the first commits; they are returned in this order.
    fn begin(&mut self, commits: &Commits, mut tips: Vec<Number>) {
        if let Ready::Stack(_) = self {
            tips.reverse();
        }
        tips.into_iter().for_each(|tip| self.add(commits, tip));
    }

    fn add(&mut self, commits: &Commits, number: Number) {
        match self {
            Ready::Stack(stack) => stack.push(number),
            Ready::Queue(queue) => queue.add(commits, number),
        }
    }

    fn next(&mut self) -> Option<Number> {
        match self {
            Ready::Stack(stack) => stack.pop(),
            Ready::Queue(queue) => {
                let number = queue.peek()?;
                queue.pass();
                Some(number)
            }
        }
    }
}
