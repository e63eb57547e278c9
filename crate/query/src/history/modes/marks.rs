//! Marks of commits that only the history modes use.

use crate::history::commits::Number;

pub(in crate::history) type Mark = u16;

/// The parents of the commit are simplified, and queued.
pub(in crate::history) const ADDED: Mark = 1;
/// The left side of `a...b` reaches the commit.
pub(in crate::history) const LEFT: Mark = 1 << 1;
/// A commit that the caller named for `ancestry_path` reaches the commit.
pub(in crate::history) const ANCESTRY: Mark = 1 << 2;
/// The commit has the paths otherwise than its first parent.
pub(in crate::history) const PULL: Mark = 1 << 3;
/// The commit was listed.
pub(in crate::history) const SHOWN: Mark = 1 << 4;
/// A child of the commit was listed.
pub(in crate::history) const CHILD_SHOWN: Mark = 1 << 5;
/// The commit is listed because the list ends there.
pub(in crate::history) const BOUNDARY: Mark = 1 << 6;
/// A ref points to the commit.
pub(in crate::history) const DECORATED: Mark = 1 << 7;
/// A commit of the other side of `a...b` makes the same change.
pub(in crate::history) const PATCH_SAME: Mark = 1 << 9;
/// A mark within one function, which clears it.
pub(in crate::history) const TEMPORARY: Mark = 1 << 8;

/// The marks of commits by their numbers.
#[derive(Default)]
pub(in crate::history) struct Marks(Vec<Mark>);

impl Marks {
    pub fn has(&self, number: Number, marks: Mark) -> bool {
        self.of(number) & marks != 0
    }

    pub fn of(&self, number: Number) -> Mark {
        self.0.get(number as usize).copied().unwrap_or(0)
    }

    pub fn set(&mut self, number: Number, marks: Mark) {
        let length = (number as usize).saturating_add(1);
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        if let Some(own) = self.0.get_mut(number as usize) {
            *own |= marks;
        }
    }

    pub fn unset(&mut self, number: Number, marks: Mark) {
        if let Some(own) = self.0.get_mut(number as usize) {
            *own &= !marks;
        }
    }

    pub fn memory(&self) -> u64 {
        (self.0.capacity() as u64).saturating_mul(2)
    }
}

/// Which edges lead to a parent that has the same paths, by the places of [`Commits::parents`].
///
/// [`Commits::parents`]: crate::history::commits::Commits::parents
#[derive(Default)]
pub(in crate::history) struct SameParents(Vec<u64>);

impl SameParents {
    pub fn has(&self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    pub fn put(&mut self, place: usize, same: bool) {
        let length = (place / 64).saturating_add(1);
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        if let Some(word) = self.0.get_mut(place / 64) {
            let bit = 1u64 << (place % 64);
            *word = if same { *word | bit } else { *word & !bit };
        }
    }

    pub fn memory(&self) -> u64 {
        (self.0.capacity() as u64).saturating_mul(8)
    }
}
