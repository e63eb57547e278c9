//! Changes the parents of commits, for histories that list only some commits.

use super::{Commits, Number};

impl Commits {
    /// Makes one of the parents the only one: its index of [`Commits::parents`].
    pub(in crate::history) fn keep_parent(&mut self, number: Number, place: usize) {
        let Ok(place) = u32::try_from(place) else {
            return;
        };
        if let Some(node) = self.nodes.get_mut(number as usize) {
            (node.parents, node.parent_count) = (place, 1);
        }
    }

    /// Puts another commit at an index of [`Commits::parents`].
    pub(in crate::history) fn replace_parent(&mut self, place: usize, parent: Number) {
        if let Some(edge) = self.edges.get_mut(place) {
            *edge = parent;
        }
    }

    /// Keeps only the first `count` parents.
    pub(in crate::history) fn keep_first_parents(&mut self, number: Number, count: usize) {
        if let Some(node) = self.nodes.get_mut(number as usize) {
            let count = u16::try_from(count).unwrap_or(u16::MAX);
            node.parent_count = node.parent_count.min(count);
        }
    }
}
