//! Tasks over whole packs, split into work units that several instances can share.

/// The work units of a task. A unit of a pack has the delta trees whose roots are in a range
/// of the pack's entries.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WorkUnits {
    /// The number of units; 0 if a single instance has to do the whole task, by claiming unit
    /// 0.
    pub count: u32,
    /// A fingerprint of what the task covers: instances with the same one may share it.
    pub state: Vec<u8>,
}
