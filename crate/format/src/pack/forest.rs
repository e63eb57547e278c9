//! The delta forest of a pack: which entries are deltas on which.

use packlens_base::error::Result;
use std::ops::Range;

/// Marks the absence of an entry.
const NONE: u32 = u32::MAX;

/// Marks an entry without a base in the pack.
const ROOT: u32 = u32::MAX - 1;

/// The delta relations of a pack's entries, which are numbered in pack order.
///
/// A base must come before its delta: a delta on a later entry counts as a root. So every
/// entry is below exactly one root.
#[derive(Default)]
pub struct Forest {
    /// For each entry, the first delta on it.
    first: Vec<u32>,
    /// For each entry, the next delta on the same base.
    next: Vec<u32>,
}

impl Forest {
    /// Returns how many bytes of memory a forest of `count` entries takes.
    pub fn memory_for(count: u64) -> u64 {
        count.saturating_mul(8)
    }

    /// Returns how many bytes of memory the forest takes, spare capacity included.
    pub fn memory(&self) -> u64 {
        Forest::memory_for(self.first.capacity() as u64)
    }

    /// Creates a forest with room for `count` entries.
    ///
    /// # Errors
    ///
    /// [`Limit`](packlens_base::ErrorKind::Limit) if there is no memory.
    pub fn with_capacity(count: usize) -> Result<Forest> {
        let list = || {
            let mut list = Vec::new();
            list.try_reserve_exact(count).map_err(|_| packlens_base::block::over_ceiling())?;
            Ok(list)
        };
        Ok(Forest { first: list()?, next: list()? })
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.first.clear();
        self.next.clear();
    }

    /// Adds the next entry with its base.
    pub fn push(&mut self, base: Option<usize>) {
        let at = self.first.len() as u32;
        let mut next = ROOT;
        if let Some(first) = base.and_then(|base| self.first.get_mut(base)) {
            next = std::mem::replace(first, at);
        }
        self.first.push(NONE);
        self.next.push(next);
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> usize {
        self.first.len()
    }

    /// Sorts the deltas on each base in pack order. Call this once, after all entries were
    /// added.
    pub fn sort(&mut self) {
        for at in 0..self.first.len() {
            let mut sorted = NONE;
            let mut at_child = self.child(at);
            while let Some(child) = at_child {
                at_child = self.sibling(child);
                if let Some(next) = self.next.get_mut(child) {
                    *next = sorted;
                }
                sorted = child as u32;
            }
            if let Some(first) = self.first.get_mut(at) {
                *first = sorted;
            }
        }
    }

    /// Returns the first delta on an entry.
    pub fn child(&self, at: usize) -> Option<usize> {
        self.first.get(at).copied().filter(|child| *child != NONE).map(|child| child as usize)
    }

    /// Returns the next delta on the same base.
    pub fn sibling(&self, at: usize) -> Option<usize> {
        self.next.get(at).copied().filter(|next| *next < ROOT).map(|next| next as usize)
    }

    /// Returns the number of deltas directly on an entry.
    pub fn children(&self, at: usize) -> u32 {
        let mut count = 0u32;
        let mut child = self.child(at);
        while let Some(at) = child {
            count = count.saturating_add(1);
            child = self.sibling(at);
        }
        count
    }

    /// Returns the first root at or after `from`.
    pub fn root(&self, from: usize) -> Option<usize> {
        let rest = self.next.get(from..)?;
        rest.iter().position(|next| *next == ROOT).and_then(|skip| from.checked_add(skip))
    }
}

/// A walk through the trees with roots in a range: visits each entry once, after its base.
#[derive(Default)]
pub struct Walk {
    /// The entries from the root to the current one.
    path: Vec<u32>,
    roots: Range<usize>,
}

impl Walk {
    /// Starts at the first root in a range of entries.
    pub fn from_roots_in(roots: Range<usize>) -> Walk {
        Walk { path: Vec::new(), roots }
    }

    /// Moves to the next entry.
    pub fn next(&mut self, forest: &Forest) -> Option<usize> {
        if let Some(next) = self.next_below(forest) {
            return Some(next);
        }
        let root = forest.root(self.roots.start).filter(|root| *root < self.roots.end)?;
        self.roots.start = root.saturating_add(1);
        self.path.push(root as u32);
        Some(root)
    }

    /// Moves to the next entry below the current root; `None` after the last.
    pub fn next_below(&mut self, forest: &Forest) -> Option<usize> {
        let mut next = forest.child(*self.path.last()? as usize);
        while next.is_none() {
            next = forest.sibling(self.path.pop()? as usize);
        }
        self.path.push(next? as u32);
        next
    }

    /// Skips the rest of the current tree.
    pub fn leave_tree(&mut self) {
        self.path.clear();
    }

    /// Returns the number of entries from the root to the current one, inclusive.
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Returns whether the current entry is a root.
    pub fn is_at_root(&self) -> bool {
        self.depth() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(bases: &[Option<usize>]) -> Forest {
        let mut forest = Forest::with_capacity(bases.len()).unwrap();
        bases.iter().for_each(|base| forest.push(*base));
        forest.sort();
        forest
    }

    fn order(forest: &Forest) -> Vec<usize> {
        walked(forest, 0..forest.entries())
    }

    fn walked(forest: &Forest, roots: Range<usize>) -> Vec<usize> {
        let mut walk = Walk::from_roots_in(roots);
        std::iter::from_fn(|| walk.next(forest)).collect()
    }

    #[test]
    fn bases_come_first_and_siblings_in_order() {
        let forest =
            forest(&[None, Some(0), None, Some(1), Some(0), Some(2), Some(1), None, Some(0)]);
        assert_eq!(order(&forest), [0, 1, 3, 6, 4, 8, 2, 5, 7]);
        assert_eq!([0, 1, 2, 7].map(|at| forest.children(at)), [3, 2, 1, 0]);
    }

    /// Every forest of 6 entries: each entry is visited once, after its base.
    #[test]
    fn every_entry_comes_once_after_its_base() {
        for shape in 0..720usize {
            let base = |at: usize| {
                let choice = (1..=at).fold(shape, |rest, n| rest / n) % (at + 1);
                choice.checked_sub(1)
            };
            let bases: Vec<_> = (0..6).map(base).collect();
            let order = order(&forest(&bases));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5], "{bases:?}");
            for (at, entry) in order.iter().enumerate() {
                assert!(bases[*entry].is_none_or(|base| order[..at].contains(&base)), "{bases:?}");
            }
        }
    }

    #[test]
    fn trees_are_walked_whose_roots_are_in_the_range() {
        let forest = forest(&[None, Some(0), None, Some(2), Some(0), None]);
        assert_eq!(walked(&forest, 0..2), [0, 1, 4]);
        assert_eq!(walked(&forest, 1..5), [2, 3]);
        assert_eq!(walked(&forest, 5..9), [5]);
        assert_eq!(walked(&forest, 3..5), []);
    }

    #[test]
    fn trees_are_skipped_or_walked_one_by_one() {
        let forest = forest(&[None, Some(0), None, Some(1), Some(0), Some(2), None]);
        let mut walk = Walk::from_roots_in(0..forest.entries());
        assert_eq!(walk.next_below(&forest), None);
        let below = |walk: &mut Walk| -> Vec<_> {
            std::iter::from_fn(|| Some((walk.next_below(&forest)?, walk.depth()))).collect()
        };
        assert_eq!(walk.next(&forest), Some(0));
        assert_eq!(below(&mut walk), [(1, 2), (3, 3), (4, 2)]);
        assert_eq!(walk.next(&forest), Some(2));
        walk.leave_tree();
        assert_eq!((walk.next(&forest), walk.is_at_root()), (Some(6), true));
        assert_eq!((below(&mut walk), walk.next(&forest)), (vec![], None));
    }

    #[test]
    fn an_entry_on_a_later_one_is_a_root() {
        assert_eq!(order(&forest(&[Some(1), None, Some(2)])), [0, 1, 2]);
        assert_eq!(order(&forest(&[])), []);
    }
}
