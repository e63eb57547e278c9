//! What is asked of a check.

/// What is checked, and what is told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FsckOptions {
    /// Warnings are errors.
    pub strict: bool,
    /// Objects are not checked, only whether those are there that refs lead to.
    pub connectivity_only: bool,
    /// Objects in packs are checked, not only loose ones.
    pub full: bool,
    /// All is told that no ref leads to, not only that which nothing leads to.
    pub unreachable: bool,
    /// That is told.
    pub dangling: bool,
    /// Tags are told.
    pub tags: bool,
    /// Commits without parents are.
    pub root: bool,
    /// What refs were once counts as well.
    pub reflogs: bool,
    /// How objects are reached is told.
    pub name_objects: bool,
    /// What index files name is reachable also where heads are given.
    pub cache: bool,
    /// What refs are stored in is checked.
    pub references: bool,
}

impl Default for FsckOptions {
    fn default() -> FsckOptions {
        FsckOptions {
            strict: false,
            connectivity_only: false,
            full: true,
            unreachable: false,
            dangling: true,
            tags: false,
            root: false,
            reflogs: true,
            name_objects: false,
            cache: false,
            references: true,
        }
    }
}
