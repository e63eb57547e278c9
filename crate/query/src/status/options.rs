//! Options of a status.

use super::rules::IgnoredSubmodules;
use crate::changes::RenameKind;

/// What is listed.
#[derive(Clone, Debug, Default)]
pub struct StatusOptions {
    /// Which files that are not tracked are listed; `None` for what the configuration says.
    pub untracked: Option<UntrackedFiles>,
    /// Which ignored files are listed.
    pub ignored: IgnoredFiles,
    /// Whether tracked files that did not change are listed, too, and changed ones read for their ids.
    pub complete: bool,
    /// Which renames are looked for; `None` for what the configuration says.
    pub renames: Option<RenameKind>,
    /// How similar a renamed file must be; `None` for the default.
    pub rename_score: Option<u32>,
    /// Which changes of submodules do not count; `None` for what the configuration says of each.
    pub ignore_submodules: Option<IgnoredSubmodules>,
}

/// Which files that are not tracked are listed: `git status --untracked-files`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum UntrackedFiles {
    /// Files, and directories without tracked files.
    #[default]
    Normal,
    /// All files.
    All,
    /// None.
    No,
}

/// Which ignored files are listed: `git status --ignored`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum IgnoredFiles {
    /// None.
    #[default]
    No,
    /// Files, and directories of which all files are ignored.
    Traditional,
    /// Files and directories that a pattern matches.
    Matching,
}
