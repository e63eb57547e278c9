//! The directories of a work tree that are above a path, with their files of attributes and of
//! ignored paths. These are read when they first matter.

use super::content::{file_content, index_content};
use super::listed::{FileKind, Listed};
use super::tracked::Tracked;
use crate::configured_path::ignores_case;
use crate::ignored::{info_file, user_file};
use crate::path_attributes::{info_attributes, user_attributes, PathAttributes};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_format::attributes::{Attributes, AttributesOrigin, PlacedAttributes};
use packlens_format::ignore::{ignore_rule, IgnoreRule, Ignores, PlacedIgnores};
use packlens_format::index_file::Entry;
use std::ops::Range;

/// How many files of ignored paths belong to no directory.
const OWN_IGNORES: usize = 2;

/// A directory that the walk is in.
pub(crate) struct Level {
    /// The path with a slash at its end; empty for the top.
    pub(crate) prefix: Vec<u8>,
    pub(crate) listed: Vec<Listed>,
    /// The next name.
    pub(crate) next: usize,
    /// The entries of the index below.
    pub(crate) tracked: Range<usize>,
    /// The entry that the next name probably has.
    pub(crate) near: usize,
    /// If nothing below is tracked and the directory may be listed in place of its files: how many
    /// results precede those in it.
    pub(crate) collapses_from: Option<usize>,
    /// Whether nothing below is tracked, and all of it is ignored.
    pub(crate) is_ignored: bool,
    ignores: Option<Ignores>,
    attributes: Option<Attributes>,
}

/// The directories from the top to the current one.
#[derive(Default)]
pub(crate) struct Levels {
    pub(crate) list: Vec<Level>,
    /// The file of `core.excludesFile`, and `info/exclude`.
    own_ignores: Option<[Ignores; OWN_IGNORES]>,
    /// Whether patterns of ignored paths match both cases of letters, once `config` is read.
    fold_case: bool,
    /// The file of `core.attributesFile`, and `info/attributes`.
    own_attributes: Option<[Attributes; 2]>,
}

impl Level {
    pub(crate) fn new(prefix: Vec<u8>, listed: Vec<Listed>, tracked: Range<usize>) -> Level {
        Level {
            prefix,
            listed,
            next: 0,
            near: tracked.start,
            tracked,
            collapses_from: None,
            is_ignored: false,
            ignores: None,
            attributes: None,
        }
    }

    /// Returns whether the directory is the top of a repository.
    pub(crate) fn is_repository(&self) -> bool {
        self.listed.iter().any(|listed| listed.kind == FileKind::Repository)
    }

    /// Returns the content of a file of this directory; if there is none, that of the entry of the
    /// index if it `counts`.
    fn text(
        &self,
        name: &[u8],
        tracked: &Tracked,
        repository: &mut Repository,
        counts: impl Fn(&Entry) -> bool,
    ) -> Result<Vec<u8>> {
        let path = [&self.prefix, name].concat();
        let found = self.listed.iter().find(|listed| listed.name == name);
        match found.map(|listed| listed.kind) {
            Some(FileKind::File) => return file_content(&path, repository),
            // git follows no link here, and then looks in the index.
            Some(FileKind::Link) | None => {}
            Some(_) => return Ok(Vec::new()),
        }
        match tracked.get(tracked.of(&path, &self.tracked).start) {
            Some((entry, name)) if name == path && entry.stage == 0 && counts(entry) => {
                index_content(entry, repository)
            }
            _ => Ok(Vec::new()),
        }
    }
}

impl Levels {
    /// Returns whether a path that is not tracked is ignored.
    ///
    /// # Errors
    ///
    /// As [`Levels::rule`].
    pub(crate) fn ignore(
        &mut self,
        asked: (&[u8], bool),
        tracked: &Tracked,
        repository: &mut Repository,
    ) -> Result<bool> {
        let found = self.rule(asked, tracked, repository)?;
        Ok(found.is_some_and(|(_, _, rule)| !rule.is_negative))
    }

    /// Returns the rule that decides about a path; before it, which file has the rule (0 for that of
    /// `core.excludesFile`, 1 for `info/exclude`, 2 for a `.gitignore`), and the directory of that.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    pub(crate) fn rule(
        &mut self,
        (path, is_directory): (&[u8], bool),
        tracked: &Tracked,
        repository: &mut Repository,
    ) -> Result<Option<(usize, &[u8], &IgnoreRule)>> {
        if self.own_ignores.is_none() {
            self.fold_case = ignores_case(repository)?;
            let files = [user_file, info_file].map(|read| read(repository, self.fold_case));
            let [user, info] = files;
            self.own_ignores = Some([user?, info?]);
        }
        for level in &mut self.list {
            if level.ignores.is_none() {
                // A sparse checkout may have left the file out.
                let text =
                    level.text(b".gitignore", tracked, repository, |entry| entry.skip_worktree)?;
                level.ignores = Some(Ignores::parse_with_case(&text, self.fold_case));
            }
        }
        let own = self.own_ignores.iter().flatten();
        let own = own.map(|file| PlacedIgnores { base: b"", file });
        let placed = self.list.iter().filter_map(|level| {
            Some(PlacedIgnores { base: &level.prefix, file: level.ignores.as_ref()? })
        });
        let files: Vec<_> = own.chain(placed).collect();
        let found = ignore_rule(&files, path, is_directory);
        Ok(found.map(|(at, rule)| {
            let directory = files.get(at).map_or(&b""[..], |placed| placed.base);
            (at.min(OWN_IGNORES), directory, rule)
        }))
    }

    /// Returns the attributes of a path in the current directory.
    ///
    /// # Errors
    ///
    /// As [`Levels::rule`].
    pub(crate) fn attributes(
        &mut self,
        (path, is_directory): (&[u8], bool),
        tracked: &Tracked,
        repository: &mut Repository,
    ) -> Result<PathAttributes> {
        if self.own_attributes.is_none() {
            self.fold_case = ignores_case(repository)?;
            let files =
                [user_attributes, info_attributes].map(|read| read(repository, self.fold_case));
            let [user, info] = files;
            self.own_attributes = Some([user?, info?]);
        }
        for level in &mut self.list {
            if level.attributes.is_none() {
                let text = level.text(b".gitattributes", tracked, repository, |_| true)?;
                let is_top = level.prefix.is_empty();
                let origin = if is_top { AttributesOrigin::Top } else { AttributesOrigin::Subtree };
                level.attributes = Some(Attributes::parse_with_case(&text, origin, self.fold_case));
            }
        }
        let placed = self.list.iter().filter_map(|level| {
            Some(PlacedAttributes { base: &level.prefix, file: level.attributes.as_ref()? })
        });
        let [user, info] =
            self.own_attributes().map(|file| file.map(|file| PlacedAttributes { base: b"", file }));
        let files = user.into_iter().chain(placed).chain(info);
        let files: Vec<_> = files.filter(|placed| !placed.file.is_empty()).collect();
        Ok(PathAttributes::new(&files, path, is_directory))
    }

    /// Returns the files of attributes that were read, in the order in which git reads them.
    pub(crate) fn read_attributes(&self) -> impl Iterator<Item = &Attributes> {
        let all = self.list.iter().filter_map(|level| level.attributes.as_ref());
        let [user, info] = self.own_attributes();
        user.into_iter().chain(all.clone().take(1)).chain(info).chain(all.skip(1))
    }

    /// Returns the file of `core.attributesFile`, and `info/attributes`, once they are read.
    fn own_attributes(&self) -> [Option<&Attributes>; 2] {
        match &self.own_attributes {
            Some([user, info]) => [Some(user), Some(info)],
            None => [None, None],
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let levels = self.list.iter().map(|level| {
            let names = level
                .listed
                .iter()
                .map(|listed| listed.name.capacity().saturating_add(size_of::<Listed>()) as u64);
            let ignores = level.ignores.as_ref().map_or(0, Ignores::memory);
            let attributes = level.attributes.as_ref().map_or(0, Attributes::memory);
            names.fold(ignores.saturating_add(attributes), u64::saturating_add)
        });
        let ignores = self.own_ignores.iter().flatten().map(Ignores::memory);
        let attributes = self.own_attributes.iter().flatten().map(Attributes::memory);
        levels.chain(ignores).chain(attributes).fold(0, u64::saturating_add)
    }
}
