//! How long reads of a file take, which decides how much is read at a time.

use super::{FileId, Files};
use crate::module::IS_FULL;

#[derive(Default)]
pub(super) enum Latency {
    /// Each read is a round trip.
    High,
    #[default]
    Some,
    /// Short reads cost little more than their bytes.
    None,
}

impl Files {
    /// Marks a file as high-latency: each read is a round trip, so readers prefetch what they
    /// will probably need.
    pub fn set_high_latency(&mut self, file: FileId) {
        if let Some(open) = self.open.get_mut(&file) {
            open.latency = Latency::High;
        }
    }

    /// Returns whether a file was marked as high-latency.
    pub fn is_high_latency(&self, file: FileId) -> bool {
        self.open.get(&file).is_some_and(|open| matches!(open.latency, Latency::High))
    }

    /// Marks a file as immediate: many short reads take little longer than a long one, so readers
    /// ask for exactly what they need, by [`Need::Range`](crate::error::Need::Range).
    pub fn set_immediate(&mut self, file: FileId) {
        if let Some(open) = self.open.get_mut(&file).filter(|_| IS_FULL) {
            open.latency = Latency::None;
        }
    }

    /// Returns whether a file was marked as immediate.
    pub fn is_immediate(&self, file: FileId) -> bool {
        self.open.get(&file).is_some_and(|open| matches!(open.latency, Latency::None))
    }
}
