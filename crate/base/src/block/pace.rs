//! Limits how much work is done before the caller gets a turn.

use crate::error::{Error, Need, Result};
use std::cell::Cell;

/// The work between two turns, in units: some ten milliseconds. Reading a small object is one
/// unit, and a step that reads nothing is at most one.
const MOST_WORK: u64 = 1 << 12;

/// How many bytes of content are one unit, as a power of two.
const BYTES_PER_UNIT: u32 = 12;

/// The units for opening a file, listing a directory or loading bytes.
const UNITS_PER_NEED: u64 = 8;

/// Counts work, and interrupts it with [`Need::Turn`].
///
/// Work is counted in units, not milliseconds, so that a question is interrupted at the same
/// places on any machine.
#[derive(Default)]
pub(super) struct Pace {
    done: Cell<u64>,
    /// Whether no step was done since the question was started or resumed.
    fresh: Cell<bool>,
    /// Whether something was completed since then.
    advanced: Cell<bool>,
}

impl Pace {
    /// Notes that a question is started or resumed.
    pub(super) fn resume(&self) {
        self.fresh.set(true);
        self.advanced.set(false);
    }

    /// Notes that a part of the answer is complete.
    pub(super) fn advance(&self) {
        self.advanced.set(true);
    }

    /// Returns whether a part was completed since the question was started or resumed.
    pub(super) fn has_advanced(&self) -> bool {
        self.advanced.get()
    }

    /// Counts a read object, given the size of its content in bytes.
    pub(super) fn count_object(&self, bytes: u64) {
        self.count((bytes >> BYTES_PER_UNIT).saturating_add(1));
    }

    /// Counts a look-up that reads no object.
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
    /// [`Need::Turn`] once enough was done, but never for the first step after the question is
    /// resumed, so that each retry makes progress.
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

    /// Returns the number of steps before the next turn.
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
