//! Jobs over whole packs, cut into stretches of which several instances can do some
//! each.

/// What there is to share of a job. A stretch has the roots among some entries of a
/// pack, and all that is built on them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stretches {
    /// How many there are; none if one instance has to do all, by claiming the first.
    pub count: u32,
    /// What it is about: instances that see the same may share it.
    pub state: Vec<u8>,
}
