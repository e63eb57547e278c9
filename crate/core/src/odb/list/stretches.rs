//! A listing in stretches, of which several instances can make some each.

use std::ops::Range;

/// One of the stretches of a listing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Stretch {
    Loose,
    /// What hangs below the roots among these entries of a pack, which goes by its
    /// place in the list.
    Roots(usize, Range<usize>),
}

/// The stretches of a listing: the loose objects are the first.
pub(super) struct Cuts {
    /// Among how many entries the roots of each are.
    length: u32,
    /// The place of each pack, and how many stretches it has.
    packs: Vec<(usize, u32)>,
}

impl Cuts {
    pub(super) fn new(length: u32) -> Cuts {
        Cuts { length: length.max(1), packs: Vec::new() }
    }

    /// Adds a pack of so many entries.
    pub(super) fn push(&mut self, at: usize, entries: u32) {
        self.packs.push((at, entries.div_ceil(self.length)));
    }

    /// Returns how many stretches there are.
    pub(super) fn count(&self) -> u32 {
        self.packs.iter().fold(1, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// Returns one of the stretches, `None` behind the last.
    pub(super) fn get(&self, stretch: u32) -> Option<Stretch> {
        let Some(mut left) = stretch.checked_sub(1) else {
            return Some(Stretch::Loose);
        };
        for (at, count) in &self.packs {
            match left.checked_sub(*count) {
                Some(less) => left = less,
                None => {
                    let length = self.length as usize;
                    let first = (left as usize).saturating_mul(length);
                    let entries = first..first.saturating_add(length);
                    return Some(Stretch::Roots(*at, entries));
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
    fn stretches_cover_every_entry_of_every_pack_once() {
        let mut cuts = Cuts::new(4096);
        for (at, entries) in [(0, 4096), (1, 0), (2, 4097), (5, 1)] {
            cuts.push(at, entries);
        }
        let stretches: Vec<_> = (0..cuts.count()).filter_map(|at| cuts.get(at)).collect();
        assert_eq!(
            stretches,
            [
                Stretch::Loose,
                Stretch::Roots(0, 0..4096),
                Stretch::Roots(2, 0..4096),
                Stretch::Roots(2, 4096..8192),
                Stretch::Roots(5, 0..4096),
            ]
        );
        assert_eq!(cuts.get(cuts.count()), None);
    }
}
