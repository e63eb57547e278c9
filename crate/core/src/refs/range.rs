//! Which refs are gone over.

/// A place among names, and how far to go from there.
#[derive(Clone, Debug, Default)]
pub(super) struct RefRange {
    from: Vec<u8>,
    prefix: Vec<u8>,
}

impl RefRange {
    /// Begins at `from`, which is or comes behind `prefix`, and ends where names
    /// do not begin with that.
    pub(super) fn new(from: &[u8], prefix: &[u8]) -> RefRange {
        RefRange { from: from.to_vec(), prefix: prefix.to_vec() }
    }

    /// Returns the least name that may come next.
    pub(super) fn from(&self) -> &[u8] {
        &self.from
    }

    /// Goes on behind `name`: no name has a NUL, so nothing is between.
    pub(super) fn pass(&mut self, name: &[u8]) {
        self.from.clear();
        self.from.extend_from_slice(name);
        self.from.push(0);
    }

    /// Tells whether a name, or those below a directory, may be in the range.
    pub(super) fn may_hold(&self, name: &[u8]) -> bool {
        name.starts_with(&self.prefix) || (name.ends_with(b"/") && self.prefix.starts_with(name))
    }

    /// Tells whether all names of the range are below a directory.
    pub(super) fn ends_in(&self, directory: &[u8]) -> bool {
        self.prefix.starts_with(directory)
    }
}
