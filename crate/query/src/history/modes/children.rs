//! The children of the commits of a list.

use super::Modes;
use crate::history::commits::{Commits, Number};
use packlens_base::sort;

/// Pairs of a parent, in the upper half, and a place in the list of its child.
#[derive(Default)]
pub(super) struct Children {
    pairs: Vec<u64>,
    list: Vec<Number>,
}

impl Children {
    pub fn memory(&self) -> u64 {
        let pairs = (self.pairs.capacity() as u64).saturating_mul(8);
        pairs.saturating_add((self.list.capacity() as u64).saturating_mul(4))
    }
}

impl Modes {
    /// Finds the children of all commits, before parents are rewritten.
    pub(in crate::history) fn find_children(&mut self, commits: &Commits, list: &[Number]) {
        if !self.options.children {
            return;
        }
        let mut pairs = Vec::new();
        for (at, number) in list.iter().enumerate() {
            for place in commits.parents(*number) {
                let parent = u64::from(commits.edge(place));
                pairs.push(parent << 32 | at as u64);
            }
        }
        sort::numbers(&mut pairs);
        self.children = Children { pairs, list: list.to_vec() };
    }

    /// Returns the children of a commit, the last ones of the list first.
    pub(super) fn children_of(&self, number: Number) -> impl Iterator<Item = Number> + '_ {
        let Children { pairs, list } = &self.children;
        let parent = |pair: &u64| pair >> 32;
        let start = pairs.partition_point(|pair| parent(pair) < number.into());
        let end = pairs.partition_point(|pair| parent(pair) <= number.into());
        let own = pairs.get(start..end).unwrap_or_default();
        own.iter().rev().filter_map(|pair| list.get((pair & 0xffff_ffff) as usize).copied())
    }
}
