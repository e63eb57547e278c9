//! The options of a check.

/// The role of an instance in a check.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum FsckRole {
    /// Makes the whole check.
    #[default]
    Alone,
    /// Reports the findings, and surveys the work units that it claims.
    Leader,
    /// Surveys work units for the leader.
    Helper,
}

/// The options of a check: which checks run, and which findings are reported.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FsckOptions {
    /// Treats warnings as errors.
    pub strict: bool,
    /// Checks only whether reachable objects exist; objects are not checked otherwise.
    pub connectivity_only: bool,
    /// Checks objects in packs, and not only loose ones.
    pub full: bool,
    /// Reports every unreachable object, and not only the dangling ones.
    pub unreachable: bool,
    /// Reports dangling objects.
    pub dangling: bool,
    /// Reports tags.
    pub tags: bool,
    /// Reports commits without parents.
    pub root: bool,
    /// Treats the objects in reflogs as reachable.
    pub reflogs: bool,
    /// Reports the names by which objects are reached, such as `HEAD~2:path`.
    pub name_objects: bool,
    /// Treats the objects in index files as reachable, even if revisions are given.
    pub cache: bool,
    /// Checks the files in which refs are stored.
    pub references: bool,
    /// The role of this instance in the check.
    pub role: FsckRole,
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
            role: FsckRole::Alone,
        }
    }
}
