//! Ranges of refnames.

/// A range of refnames: a start and a prefix.
#[derive(Clone, Debug, Default)]
pub(super) struct RefRange {
    from: Vec<u8>,
    prefix: Vec<u8>,
}

impl RefRange {
    /// Creates a range of the names at or after `from` that begin with `prefix`. `from` must
    /// not be before `prefix`.
    pub fn new(from: &[u8], prefix: &[u8]) -> RefRange {
        RefRange { from: from.to_vec(), prefix: prefix.to_vec() }
    }

    /// Returns the least name in the rest of the range.
    pub(super) fn from(&self) -> &[u8] {
        &self.from
    }

    /// Moves the start to just after `name`: names have no NUL, so none is between.
    pub(super) fn pass(&mut self, name: &[u8]) {
        self.from.clear();
        self.from.extend_from_slice(name);
        self.from.push(0);
    }

    /// Returns whether a name, or any name below a directory, may be in the range.
    pub(super) fn may_hold(&self, name: &[u8]) -> bool {
        name.starts_with(&self.prefix) || (name.ends_with(b"/") && self.prefix.starts_with(name))
    }

    /// Returns whether all names of the range are below a directory.
    pub(super) fn ends_in(&self, directory: &[u8]) -> bool {
        self.prefix.starts_with(directory)
    }
}
