//! Applies the suffixes `^`, `~` and `^{}` one by one.

use packlens_base::circle::Circle;
use packlens_base::oid::ObjectId;

/// The progress of applying a revision's suffixes.
pub(crate) struct Suffixes {
    pub(super) text: Vec<u8>,
    /// The object that the suffixes applied so far lead to.
    pub(super) id: ObjectId,
    /// How many suffixes are left.
    pub(super) left: usize,
    /// The progress within a `~` suffix.
    pub(super) line: Option<Line>,
}

impl Suffixes {
    pub fn new(text: &[u8], id: ObjectId, left: usize) -> Suffixes {
        Suffixes { text: text.to_vec(), id, left, line: None }
    }

    pub fn memory(&self) -> u64 {
        size_of::<Suffixes>().saturating_add(self.text.capacity()) as u64
    }
}

/// A walk along first parents.
pub(super) struct Line {
    pub(super) commit: ObjectId,
    /// How many generations are left.
    pub(super) left: u32,
    circle: Circle,
}

impl Line {
    pub fn new(commit: ObjectId, generations: u32) -> Line {
        Line { commit, left: generations, circle: Circle::new(commit) }
    }

    /// Moves to the parent. If the walk has entered a cycle, which replace refs can make, the
    /// remaining count is reduced modulo the cycle's length: the result is the same.
    pub(super) fn advance(&mut self, parent: ObjectId) {
        self.commit = parent;
        self.left = self.left.saturating_sub(1);
        let length = self.circle.closed_by(&parent);
        if let Some(length) = length.and_then(|length| u32::try_from(length).ok()) {
            self.left = self.left.checked_rem(length).unwrap_or(self.left);
        }
    }
}
