//! What the configuration says about files of a work tree.

use super::options::UntrackedFiles;
use super::rules::IgnoredSubmodules;
use crate::changes::RenameKind;
use crate::conversion::Conversion;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_format::config::{config_boolean, config_section, is_true, Variable};
use packlens_format::refs::text_of;

/// The variables that count, of the repository's own configuration.
pub(super) struct Settings {
    /// Whether a file's mode says if it can be executed: `core.fileMode`.
    pub(super) trusts_mode: bool,
    /// Whether symbolic links are such: `core.symlinks`.
    pub(super) has_links: bool,
    /// Whether ctime counts: `core.trustctime`.
    pub(super) trusts_ctime: bool,
    /// Whether only the size and the seconds of mtime count: `core.checkStat`.
    pub(super) is_minimal: bool,
    /// Whether files that a sparse checkout skips are looked at if they exist.
    pub(super) looks_at_skipped: bool,
    /// `core.autocrlf` and `core.eol`.
    pub(super) conversion: Conversion,
    /// `status.renames`, otherwise `diff.renames`.
    pub(super) renames: RenameKind,
    /// `status.renameLimit`, otherwise `diff.renameLimit`.
    pub(super) rename_limit: Option<u32>,
    /// `status.showUntrackedFiles`.
    pub(super) untracked: UntrackedFiles,
    /// `diff.ignoreSubmodules`.
    pub(super) ignore_submodules: IgnoredSubmodules,
    /// What is said of submodules by their names.
    pub(super) submodules: Vec<Variable>,
    /// The filters that have a command for contents that are added.
    filters: Vec<Vec<u8>>,
}

impl Settings {
    /// Reads `config`, and `config.worktree` if that counts.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    #[inline(never)]
    pub(super) fn read(repository: &Repository) -> Result<Settings> {
        let file = |path: &[u8]| match repository.files.find_fresh(path)? {
            Some(file) => text_of(&repository.files, file, &repository.limits()),
            None => Ok(Vec::new()),
        };
        let mut text = file(b"config")?;
        if config_boolean(&text, "extensions", "worktreeconfig") == Some(true) {
            text.push(b'\n');
            text.extend(file(b"config.worktree")?);
        }
        // Each section once: to read the text for each variable makes the parser hot.
        let [core, status, diff, sparse] =
            ["core", "status", "diff", "sparse"].map(|section| config_section(&text, section));
        let is_on = |name| value_in(&core, name).map(is_true);
        let limit_in = |section| value_in(section, "renamelimit").flatten();
        let limit = limit_in(&status).or_else(|| limit_in(&diff));
        let limit = limit.and_then(|value| std::str::from_utf8(value).ok()?.parse().ok());
        let minimal = value_in(&core, "checkstat").flatten();
        let expects_files = value_in(&sparse, "expectfilesoutsideofpatterns").map(is_true);
        let ignored = value_in(&diff, "ignoresubmodules").flatten();
        let ignored = ignored.and_then(IgnoredSubmodules::parse);
        let is_sparse = is_on("sparsecheckout") == Some(true);
        Ok(Settings {
            trusts_mode: is_on("filemode").unwrap_or(true),
            has_links: is_on("symlinks").unwrap_or(true),
            trusts_ctime: is_on("trustctime").unwrap_or(true),
            is_minimal: minimal.is_some_and(|value| value.eq_ignore_ascii_case(b"minimal")),
            looks_at_skipped: is_sparse && expects_files != Some(true),
            conversion: Conversion::configured(&text),
            renames: renames(&[&status, &diff]),
            rename_limit: limit,
            untracked: untracked(value_in(&status, "showuntrackedfiles")),
            ignore_submodules: ignored.unwrap_or_default(),
            submodules: config_section(&text, "submodule"),
            filters: filters(&text),
        })
    }

    /// Returns whether a filter would run a command for contents that are added.
    pub(super) fn has_filter(&self, name: &[u8]) -> bool {
        self.filters.iter().any(|filter| filter == name)
    }
}

/// Returns what the first section that has the variable says.
fn renames(sections: &[&[Variable]]) -> RenameKind {
    match sections.iter().find_map(|section| value_in(section, "renames")) {
        None => RenameKind::Renames,
        Some(Some(b"copies" | b"copy")) => RenameKind::Copies,
        Some(value) if !is_true(value) => RenameKind::Nothing,
        Some(_) => RenameKind::Renames,
    }
}

/// Newer versions of git take a boolean, too; they refuse other values, which mean the default here.
fn untracked(value: Option<Option<&[u8]>>) -> UntrackedFiles {
    match value {
        Some(Some(b"all")) => UntrackedFiles::All,
        Some(Some(b"no" | b"false" | b"off" | b"0")) => UntrackedFiles::No,
        _ => UntrackedFiles::Normal,
    }
}

/// Returns the last value of a variable; that of one without `=` is `None`.
fn value_in<'a>(section: &'a [Variable], name: &str) -> Option<Option<&'a [u8]>> {
    let found = section.iter().rev().find(|(known, _)| known == name.as_bytes());
    found.map(|(_, value)| value.as_deref())
}

fn filters(text: &[u8]) -> Vec<Vec<u8>> {
    let all = config_section(text, "filter").into_iter().filter_map(|(name, value)| {
        let name = name.strip_suffix(b".clean").or_else(|| name.strip_suffix(b".process"))?;
        value.filter(|value| !value.is_empty()).map(|_| name.to_vec())
    });
    all.collect()
}
