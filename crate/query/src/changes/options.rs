//! Options of a comparison of two trees.

use super::tree_diff::TreeDiffOptions;

/// Options of [`Changes`](super::Changes).
#[derive(Clone, Copy, Debug, Default)]
pub struct ChangeOptions {
    /// Which entries are compared.
    pub tree: TreeDiffOptions,
    /// Which changes are joined or split.
    pub renames: RenameOptions,
}

/// How renames, copies and rewrites are found. Scores are parts of
/// [`MAX_SCORE`](super::MAX_SCORE).
#[derive(Clone, Copy, Debug)]
pub struct RenameOptions {
    /// What is looked for.
    pub kind: RenameKind,
    /// How similar a file must be to count as renamed or copied.
    pub score: u32,
    /// Changed files are compared if there are not more than the square of this number of pairs
    /// of an old and a new path; 0 for no limit.
    pub limit: u32,
    /// Whether empty files are left out.
    pub skips_empty: bool,
    /// Which files count as rewritten, if these are looked for.
    pub rewrites: Option<RewriteScores>,
}

/// What is looked for among the changes of two trees.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum RenameKind {
    /// Neither renames nor copies.
    #[default]
    Nothing,
    /// Renames: `-M`.
    Renames,
    /// Renames, and copies of files that were changed: `-C`.
    Copies,
    /// Renames, and copies of any file: `--find-copies-harder`.
    CopiesOfAny,
}

/// Which files count as rewritten: `-B`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RewriteScores {
    /// A file that has changed so much is a deleted and a new file, of which each may be part of
    /// a rename.
    pub split: u32,
    /// A file of whose old content so much is gone is still a rewritten one if neither is.
    pub rewritten: u32,
}

impl Default for RenameOptions {
    fn default() -> RenameOptions {
        RenameOptions {
            kind: RenameKind::Nothing,
            score: 30_000,
            limit: 1000,
            skips_empty: false,
            rewrites: None,
        }
    }
}

impl Default for RewriteScores {
    fn default() -> RewriteScores {
        RewriteScores { split: 30_000, rewritten: 36_000 }
    }
}

impl RenameOptions {
    pub(super) fn is_wanted(&self) -> bool {
        self.kind != RenameKind::Nothing || self.rewrites.is_some()
    }
}

impl RenameKind {
    /// Returns whether a file that stays may be the origin of another.
    pub(super) fn is_copies(self) -> bool {
        matches!(self, RenameKind::Copies | RenameKind::CopiesOfAny)
    }
}
