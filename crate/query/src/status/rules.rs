//! Which changes of submodules do not count: what the configuration and `.gitmodules` say.

use super::settings::Settings;
use crate::repository::Repository;
use crate::worktree::{in_source, index_content, Tracked};
use packlens_base::error::Result;
use packlens_format::config::{config_section, Variable};
use packlens_format::refs::text_of;

/// The name of the file that describes submodules.
const GITMODULES: &[u8] = b".gitmodules";

/// Which changes of submodules do not count: `git status --ignore-submodules`.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum IgnoredSubmodules {
    /// All count.
    #[default]
    None,
    /// Untracked files in them do not.
    Untracked,
    /// Only which commit is checked out counts.
    Dirty,
    /// None count.
    All,
}

impl IgnoredSubmodules {
    /// Returns the value of a variable; `None` for another, which git ignores with a warning.
    pub(super) fn parse(value: &[u8]) -> Option<IgnoredSubmodules> {
        Some(match value {
            b"none" => IgnoredSubmodules::None,
            b"untracked" => IgnoredSubmodules::Untracked,
            b"dirty" => IgnoredSubmodules::Dirty,
            b"all" => IgnoredSubmodules::All,
            _ => return None,
        })
    }
}

/// What counts of each submodule.
pub(super) struct SubmoduleRules {
    /// By the paths.
    rules: Vec<(Vec<u8>, IgnoredSubmodules)>,
}

impl SubmoduleRules {
    /// Reads `.gitmodules` of the work tree, otherwise of the index. A submodule has a name there, by
    /// which the configuration may say something else.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    pub(super) fn read(
        tracked: &Tracked,
        settings: &Settings,
        repository: &mut Repository,
    ) -> Result<SubmoduleRules> {
        let text = text(tracked, repository)?;
        let described = config_section(&text, "submodule");
        let rules = described.iter().filter_map(|(key, path)| {
            let name = key.strip_suffix(b".path")?;
            let own = ignore_of(&settings.submodules, name);
            Some((path.clone()?, own.or_else(|| ignore_of(&described, name))?))
        });
        Ok(SubmoduleRules { rules: rules.collect() })
    }

    /// Returns what does not count of the submodule at a path, if that is said of it.
    pub(super) fn of(&self, path: &[u8]) -> Option<IgnoredSubmodules> {
        let rule = self.rules.iter().rev().find(|(known, _)| known == path);
        rule.map(|(_, ignored)| *ignored)
    }

    pub(super) fn memory(&self) -> u64 {
        self.rules.iter().fold(0, |sum, (path, _)| sum.saturating_add(path.capacity() as u64))
    }
}

fn ignore_of(variables: &[Variable], name: &[u8]) -> Option<IgnoredSubmodules> {
    let is_own = |key: &[u8]| key.strip_suffix(b".ignore").is_some_and(|known| known == name);
    let values = variables.iter().filter(|(key, _)| is_own(key));
    values.filter_map(|(_, value)| IgnoredSubmodules::parse(value.as_deref()?)).next_back()
}

fn text(tracked: &Tracked, repository: &mut Repository) -> Result<Vec<u8>> {
    if let Some(file) = repository.files.find_fresh(&in_source(GITMODULES))? {
        return text_of(&repository.files, file, &repository.limits());
    }
    let entries = tracked.of(GITMODULES, &(0..tracked.len()));
    match tracked.get(entries.start).filter(|(entry, _)| !entries.is_empty() && entry.stage == 0) {
        Some((entry, _)) => index_content(entry, repository),
        None => Ok(Vec::new()),
    }
}
