//! Splits a listing into work units that several instances can share.

use std::ops::Range;

/// One work unit of a listing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum WorkUnit {
    Loose,
    /// The delta trees with roots in a range of a pack's entries. The pack is named by its
    /// index in the list.
    Roots(usize, Range<usize>),
}

/// The work units of a listing; the first one is the loose objects.
pub(super) struct Cuts {
    /// The number of entries in which the roots of a work unit are.
    length: u32,
    /// The index of each pack, and its number of work units.
    packs: Vec<(usize, u32)>,
}

impl Cuts {
    pub fn new(length: u32) -> Cuts {
        Cuts { length: length.max(1), packs: Vec::new() }
    }

    /// Adds a pack with a number of entries.
    pub(super) fn push(&mut self, at: usize, entries: u32) {
        self.packs.push((at, entries.div_ceil(self.length)));
    }

    /// Returns the number of work units.
    pub(super) fn count(&self) -> u32 {
        self.packs.iter().fold(1, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// Returns a work unit by its number; `None` after the last.
    pub(super) fn get(&self, work_unit: u32) -> Option<WorkUnit> {
        let Some(mut left) = work_unit.checked_sub(1) else {
            return Some(WorkUnit::Loose);
        };
        for (at, count) in &self.packs {
            match left.checked_sub(*count) {
                Some(less) => left = less,
                None => {
                    let length = self.length as usize;
                    let first = (left as usize).saturating_mul(length);
                    let entries = first..first.saturating_add(length);
                    return Some(WorkUnit::Roots(*at, entries));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_units_cover_every_entry_of_every_pack_once() {
        let mut cuts = Cuts::new(4096);
        for (at, entries) in [(0, 4096), (1, 0), (2, 4097), (5, 1)] {
            cuts.push(at, entries);
        }
        let work_units: Vec<_> = (0..cuts.count()).filter_map(|at| cuts.get(at)).collect();
        assert_eq!(
            work_units,
            [
                WorkUnit::Loose,
                WorkUnit::Roots(0, 0..4096),
                WorkUnit::Roots(2, 0..4096),
                WorkUnit::Roots(2, 4096..8192),
                WorkUnit::Roots(5, 0..4096),
            ]
        );
        assert_eq!(cuts.get(cuts.count()), None);
    }
}
