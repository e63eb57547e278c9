//! The commits at which a list ends: parents of listed commits that are not listed themselves.

use super::marks::{BOUNDARY, CHILD_SHOWN, SHOWN};
use super::Modes;
use crate::history::commits::{Commits, Number};
use crate::history::rev_list::RevOrder;
use crate::history::topological::sort;

impl Modes {
    /// Notes that a commit is listed.
    pub(in crate::history) fn show(&mut self, commits: &Commits, number: Number) {
        self.marks.set(number, SHOWN);
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            if !self.marks.has(parent, SHOWN | CHILD_SHOWN) {
                self.marks.set(parent, CHILD_SHOWN);
                self.maybe_boundary.push(parent);
            }
        }
    }

    /// Returns the commits at which the list ends; the next one to list is the last element.
    pub(in crate::history) fn take_boundary(
        &mut self,
        commits: &Commits,
        order: RevOrder,
    ) -> Vec<Number> {
        let mut list = std::mem::take(&mut self.maybe_boundary);
        let is_absent = |number| commits.absent.is_some() && !commits.is_parsed(number);
        list.retain(|number| !self.marks.has(*number, SHOWN) && !is_absent(*number));
        list.iter().for_each(|number| self.marks.set(*number, BOUNDARY));
        // The default order is that of `--topo-order` here.
        list.reverse();
        let mut sorted = sort(commits, &list, order.sorts_by());
        sorted.reverse();
        sorted
    }
}
