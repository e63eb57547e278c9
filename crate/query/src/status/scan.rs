//! What a walk over a work tree compares, and what it finds.

use super::options::{StatusOptions, UntrackedFiles};
use super::settings::Settings;
use crate::worktree::{IndexStat, Tracked};
use packlens_base::oid::ObjectId;
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;

/// A submodule is a directory that no file is looked for in.
const WHOLE_DIRECTORY: Mode = Mode(0o160_000);

/// What is compared.
pub(super) struct Scan<'a> {
    pub(super) tracked: &'a Tracked,
    pub(super) settings: &'a Settings,
    pub(super) options: &'a StatusOptions,
    pub(super) pathspec: &'a Pathspec,
    pub(super) index_stat: IndexStat,
    pub(super) finds_renames: bool,
}

impl Scan<'_> {
    pub(super) fn untracked(&self) -> UntrackedFiles {
        self.options.untracked.unwrap_or(self.settings.untracked)
    }

    /// Returns whether a directory is selected itself, with all files in it.
    pub(super) fn selects(&self, path: &[u8]) -> bool {
        self.pathspec.select(path, 0, WHOLE_DIRECTORY, true).is_selected
    }

    /// Returns whether git looks at a directory that a pattern of ignored files matches: it compares
    /// the pathspec as text, so that `a/b` leads to `a/build`.
    pub(super) fn may_lead_to(&self, path: &[u8]) -> bool {
        let leading = self.pathspec.leading_paths();
        leading.is_none_or(|all| {
            all.iter().any(|lead| lead.starts_with(path) || path.starts_with(lead))
        })
    }

    /// Returns whether the pathspec has a path below a directory.
    pub(super) fn leads_below(&self, path: &[u8]) -> bool {
        let leading = self.pathspec.leading_paths().unwrap_or_default();
        leading.iter().any(|lead| {
            lead.strip_prefix(path).is_some_and(|rest| rest.len() > 1 && rest.starts_with(b"/"))
        })
    }
}

/// How a file differs from its entry in the index.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct WorktreeChange {
    /// The place of the entry; of several the first.
    pub(super) entry: usize,
    /// `A`, `M`, `T` or `D` as git writes them; `U` of an entry in conflict, `X` of a symbolic link
    /// that the source would not list.
    pub(super) letter: u8,
    /// `None` if there is no such file.
    pub(super) mode: Option<Mode>,
    /// How a submodule differs from its commit in the index: bits of `within.rs`.
    pub(super) submodule: u8,
    /// Whether this does not count.
    pub(super) is_ignored: bool,
    /// The id that the file would be added with, if it was read.
    pub(super) content: Option<ObjectId>,
    /// Of a file whose path alone was added, the entry of the deleted file that was renamed to it.
    pub(super) origin: Option<usize>,
}

impl WorktreeChange {
    pub(super) fn new(entry: usize, letter: u8, mode: Option<Mode>) -> WorktreeChange {
        let (submodule, is_ignored) = (0, false);
        WorktreeChange { entry, letter, mode, submodule, is_ignored, content: None, origin: None }
    }
}

/// A path that is not tracked; that of a directory ends with a slash.
pub(super) struct OtherPath {
    pub(super) path: Vec<u8>,
    pub(super) is_ignored: bool,
}
