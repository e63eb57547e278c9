//! Applying `^`, `~` and `^{}`, one after the other.

use crate::circle::Circle;
use crate::oid::ObjectId;

/// How far the suffixes of a text were applied.
pub(crate) struct Suffixes {
    pub(super) text: Vec<u8>,
    /// What those that were applied lead to.
    pub(super) id: ObjectId,
    /// How many are left.
    pub(super) left: usize,
    /// The first parents that the next one leads along.
    pub(super) line: Option<Line>,
}

impl Suffixes {
    pub(super) fn new(text: &[u8], id: ObjectId, left: usize) -> Suffixes {
        Suffixes { text: text.to_vec(), id, left, line: None }
    }

    pub(super) fn memory(&self) -> u64 {
        size_of::<Suffixes>().saturating_add(self.text.capacity()) as u64
    }
}

/// First parents, one after the other.
pub(super) struct Line {
    pub(super) commit: ObjectId,
    /// How many generations are left to go.
    pub(super) left: u32,
    circle: Circle,
}

impl Line {
    pub(super) fn new(commit: ObjectId, generations: u32) -> Line {
        Line { commit, left: generations, circle: Circle::new(commit) }
    }

    /// Goes on to the parent. Where that closes a circle, all that is left of going round
    /// it ends at the same commit as the rest of the last time.
    pub(super) fn advance(&mut self, parent: ObjectId) {
        self.commit = parent;
        self.left = self.left.saturating_sub(1);
        let length = self.circle.closed_by(&parent);
        if let Some(length) = length.and_then(|length| u32::try_from(length).ok()) {
            self.left = self.left.checked_rem(length).unwrap_or(self.left);
        }
    }
}
