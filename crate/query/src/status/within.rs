//! What changed within the submodules that are checked out, by a status of each. Sources have the git
//! directory of a submodule in its directory of the work tree (`.git//`), whatever its real place.

use super::rules::{IgnoredSubmodules, SubmoduleRules};
use super::scan::WorktreeChange;
use super::settings::Settings;
use super::staged::StagedChanges;
use super::walk::WorktreeWalk;
use super::{Status, StatusOptions, UntrackedFiles};
use crate::changes::RenameKind;
use crate::repository::Repository;
use crate::worktree::{in_source, Tracked};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;

/// How many submodules may be within each other.
const DEEPEST: usize = 32;

/// What is between the path of a submodule and those of the files of its repository.
const GIT_DIRECTORY: &[u8] = b"/.git//";

/// Bits that say how a submodule differs from the commit that the index has.
pub(super) const IS_COMPARED: u8 = 1;
pub(super) const HAS_OTHER_COMMIT: u8 = 2;
const IS_MODIFIED: u8 = 4;
const HAS_UNTRACKED: u8 = 8;

/// A resumable look into all submodules.
#[derive(Default)]
pub(super) struct Submodules {
    /// The next change.
    at: usize,
    rules: Option<SubmoduleRules>,
    inside: Option<Box<Inside>>,
}

/// A submodule, and its status.
struct Inside {
    repository: Repository,
    is_prepared: bool,
    status: Status,
}

/// The status whose submodules are looked into.
pub(super) struct Outside<'a> {
    pub(super) tracked: &'a Tracked,
    pub(super) settings: &'a Settings,
    pub(super) options: &'a StatusOptions,
    pub(super) depth: usize,
}

impl Submodules {
    /// Completes the changes of submodules, and drops those that do not count.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading;
    /// [`ErrorKind::Limit`] if submodules are nested too deep.
    #[inline(never)]
    pub(super) fn find(
        &mut self,
        outside: &Outside<'_>,
        (staged, walk): (&mut StagedChanges, &mut WorktreeWalk),
        repository: &mut Repository,
    ) -> Result<()> {
        let Outside { tracked, options, .. } = outside;
        while let Some(change) = walk.changes.get_mut(self.at) {
            if let Some((entry, path)) = tracked.get(change.entry) {
                if Mode(entry.mode).is_gitlink() && entry.stage == 0 {
                    self.look(path, change, outside, repository)?;
                }
            }
            self.at = self.at.saturating_add(1);
        }
        walk.changes.retain(|change| !change.is_ignored);
        // Before the first commit git lists the index as it is.
        if options.ignore_submodules == Some(IgnoredSubmodules::All) && staged.has_commit() {
            let is_submodule =
                |side: &Option<(Mode, _)>| side.is_some_and(|(mode, _)| mode.is_gitlink());
            staged.changes.retain(|change| !change.sides.iter().any(is_submodule));
        }
        Ok(())
    }

    fn look(
        &mut self,
        path: &[u8],
        change: &mut WorktreeChange,
        outside: &Outside<'_>,
        repository: &mut Repository,
    ) -> Result<()> {
        let Outside { tracked, settings, options, depth } = outside;
        let given = match options.ignore_submodules {
            Some(ignored) => Some(ignored),
            None => {
                let rules = match &self.rules {
                    Some(rules) => rules,
                    None => self.rules.insert(SubmoduleRules::read(tracked, settings, repository)?),
                };
                rules.of(path)
            }
        };
        let ignored = given.unwrap_or_else(|| default_of(settings, options));
        change.is_ignored = ignored == IgnoredSubmodules::All;
        let looks_inside = ignored < IgnoredSubmodules::Dirty && change.submodule != 0;
        if !looks_inside {
            return Ok(());
        }
        if self.inside.is_none() {
            if *depth >= DEEPEST {
                let what = "submodules are nested too deep";
                return Err(Error::new(ErrorKind::Limit, what).about(path));
            }
            // What its own configuration says, unless none count.
            let untracked = (ignored == IgnoredSubmodules::Untracked).then_some(UntrackedFiles::No);
            let options = StatusOptions {
                untracked,
                renames: Some(RenameKind::Nothing),
                ..StatusOptions::default()
            };
            let mut status = Status::new(options, Pathspec::default());
            status.depth = depth.saturating_add(1);
            let (repository, is_prepared) = (repository.inner(), false);
            self.inside = Some(Box::new(Inside { repository, is_prepared, status }));
        }
        if let Some(inside) = &mut self.inside {
            change.submodule |= inside.find(path, repository)?;
            if change.submodule > IS_COMPARED && change.letter == 0 {
                change.letter = b'M';
            }
        }
        self.inside = None;
        Ok(())
    }

    pub(super) fn memory(&self) -> u64 {
        let inside = self.inside.as_ref().map_or(0, |inside| inside.status.memory());
        inside.saturating_add(self.rules.as_ref().map_or(0, SubmoduleRules::memory))
    }
}

/// Returns what does not count of submodules of which nothing else is said: if no untracked files of
/// the work tree are listed, those of submodules do not count either.
fn default_of(settings: &Settings, options: &StatusOptions) -> IgnoredSubmodules {
    match options.untracked.unwrap_or(settings.untracked) {
        UntrackedFiles::No => settings.ignore_submodules.max(IgnoredSubmodules::Untracked),
        _ => settings.ignore_submodules,
    }
}

impl Inside {
    /// Returns how the submodule at a path differs from its own `HEAD`.
    fn find(&mut self, path: &[u8], outer: &mut Repository) -> Result<u8> {
        let prefix = [in_source(path).as_slice(), GIT_DIRECTORY].concat();
        std::mem::swap(&mut outer.files, &mut self.repository.files);
        let entered = self.repository.files.enter(&prefix);
        let found = entered.and_then(|length| {
            let found = self.state();
            self.repository.files.leave(length);
            found
        });
        std::mem::swap(&mut outer.files, &mut self.repository.files);
        found
    }

    fn state(&mut self) -> Result<u8> {
        while !self.is_prepared {
            self.is_prepared = self.repository.prepare()?.is_none();
        }
        self.status.state(&mut self.repository)
    }
}

/// Returns the bits of a submodule with such changes. It has untracked files if a submodule in it has;
/// if that has nothing else, it is not modified, even if that was added.
pub(super) fn state_of(staged: &StagedChanges, walk: &WorktreeWalk, tracked: &Tracked) -> u8 {
    let is_untracked = |change: &&WorktreeChange| change.submodule == IS_COMPARED | HAS_UNTRACKED;
    let path_of = |change: &WorktreeChange| tracked.get(change.entry).map(|(_, path)| path);
    let untracked = walk.changes.iter().filter(is_untracked);
    let is_among = |path: &[u8]| untracked.clone().any(|change| path_of(change) == Some(path));
    let mut others = walk.changes.iter().filter(|change| change.letter != 0);
    let is_modified = others.any(|change| !is_untracked(&change))
        || staged.changes.iter().any(|change| !is_among(&change.path));
    let has_untracked = walk.changes.iter().any(|change| change.submodule & HAS_UNTRACKED != 0)
        || walk.others.iter().any(|other| !other.is_ignored);
    let modified = if is_modified { IS_MODIFIED } else { 0 };
    modified | if has_untracked { HAS_UNTRACKED } else { 0 }
}
