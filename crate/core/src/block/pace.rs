//! How much is done before the caller has a turn.

use crate::error::{Error, Need, Result};
use std::cell::Cell;

/// How many units of work come between two turns: some ten milliseconds. Reading a small
/// object is one unit, and a step that reads nothing is one at most.
const MOST_WORK: u64 = 1 << 12;

/// How many bytes of content are made in the time of a unit, as a power of two.
const BYTES_PER_UNIT: u32 = 12;

/// What it takes, in units, to open a file, list a directory or bring in bytes.
const UNITS_PER_NEED: u64 = 8;

/// Counts work, and ends a step of it with [`Need::Turn`].
///
/// Units are counted, not milliseconds: the same question is cut at the same places on any
/// machine.
#[derive(Default)]
pub(super) struct Pace {
    done: Cell<u64>,
    /// Nothing was done since the question was asked, or asked again.
    fresh: Cell<bool>,
}

impl Pace {
    /// A question is asked, or asked again.
    pub(super) fn resume(&self) {
        self.fresh.set(true);
    }

    /// Counts an object that was read, with so many bytes of content.
    pub(super) fn count_object(&self, bytes: u64) {
        self.count((bytes >> BYTES_PER_UNIT).saturating_add(1));
    }

    /// Counts a look that read nothing.
    pub(super) fn count_look(&self) {
        self.count(1);
    }

    /// Counts a need that was met.
    pub(super) fn count_need(&self) {
        self.count(UNITS_PER_NEED);
    }

    fn count(&self, units: u64) {
        self.done.set(self.done.get().saturating_add(units));
    }

    /// Begins a step of a loop.
    ///
    /// # Errors
    ///
    /// [`Need::Turn`] once enough was done, but never for the first step after the
    /// question was asked again: each time it gets further.
    pub(super) fn step(&self) -> Result<()> {
        let fresh = self.fresh.replace(false);
        if fresh || self.done.get() < MOST_WORK {
            self.count(1);
            return Ok(());
        }
        self.done.set(0);
        Err(Error::missing(Need::Turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many steps come before a turn.
    fn steps(pace: &Pace) -> u64 {
        let mut steps = 0;
        while pace.step().is_ok() {
            steps += 1;
        }
        steps
    }

    #[test]
    fn a_turn_comes_after_so_much_work() {
        let pace = Pace::default();
        assert_eq!(steps(&pace), MOST_WORK);
        assert_eq!(steps(&pace), MOST_WORK);
        pace.count_object(1 << 20);
        assert_eq!(steps(&pace), MOST_WORK - 257);
        pace.count_need();
        assert_eq!(steps(&pace), MOST_WORK - 8);
    }

    #[test]
    fn the_first_step_is_always_taken() {
        let pace = Pace::default();
        pace.count_object(u64::MAX);
        pace.resume();
        assert!(pace.step().is_ok());
        assert_eq!(pace.step().unwrap_err().need(), Some(&Need::Turn));
        assert_eq!(steps(&pace), MOST_WORK);
    }
}
