//! From which tip a walk came to each commit: `--source`.

use crate::history::commits::Number;

const NONE: Number = Number::MAX;

/// The tips of commits, by the numbers of these.
#[derive(Default)]
pub(super) struct Sources(Vec<Number>);

impl Sources {
    pub(super) fn of(&self, number: Number) -> Option<Number> {
        self.0.get(number as usize).copied().filter(|tip| *tip != NONE)
    }

    /// Keeps the tip of a commit, unless it has one: the first visited child decides.
    pub(super) fn put(&mut self, number: Number, tip: Number) {
        let at = number as usize;
        if self.0.len() <= at {
            self.0.resize(at.saturating_add(1), NONE);
        }
        if let Some(own) = self.0.get_mut(at).filter(|own| **own == NONE) {
            *own = tip;
        }
    }

    /// Passes the tip of a child to a parent.
    pub(super) fn inherit(&mut self, child: Number, parent: Number) {
        if let Some(tip) = self.of(child) {
            self.put(parent, tip);
        }
    }

    pub(super) fn memory(&self) -> u64 {
        (self.0.capacity() as u64).saturating_mul(size_of::<Number>() as u64)
    }
}
