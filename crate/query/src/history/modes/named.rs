//! The commits that a mode names: by the caller, or by refs.

use super::marks::DECORATED;
use super::Modes;
use crate::history::commits::Commits;
use crate::history::tips::{commit_of, followed, named_commit};
use crate::repository::Repository;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::refs::{RefListing, RefRecord, RefValue};

const REPLACE: &[u8] = b"refs/replace/";

/// The commits that are named, as far as they are known.
#[derive(Default)]
pub(super) struct Named {
    /// The revisions of `ancestry_path`.
    specs: Vec<Vec<u8>>,
    /// The refs that are not marked yet.
    refs: Option<RefListing>,
    /// The ids of what chosen refs decorate, and how many are marked; none for all refs.
    chosen: Option<(Vec<Vec<u8>>, usize)>,
    is_decorated: bool,
}

impl Named {
    pub fn restart(&mut self) {
        (self.refs, self.is_decorated) = (None, false);
        if let Some((_, marked)) = &mut self.chosen {
            *marked = 0;
        }
    }
}

impl Modes {
    /// Limits the history to ancestors and descendants of some commits.
    pub(in crate::history) fn on_ancestry_path_of(&mut self, specs: Vec<Vec<u8>>) {
        self.named.specs = specs;
    }

    /// Takes the objects of these ids for those that refs point to, and no others.
    pub(in crate::history) fn decorate_only(&mut self, ids: Vec<Vec<u8>>) {
        self.named.chosen = Some((ids, 0));
    }

    /// Finds the commits that the modes name. If bytes are missing, the next call continues.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of resolving and reading.
    pub(in crate::history) fn resolve(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<()> {
        while let Some(spec) = self.named.specs.get(self.bottoms.len()) {
            let number = named_commit(commits, repository, spec)?;
            self.bottoms.push(number);
        }
        if self.options.simplify_by_decoration && !self.named.is_decorated {
            match self.named.chosen.take() {
                Some((ids, mut marked)) => {
                    let decorated = self.decorate_chosen(commits, repository, &ids, &mut marked);
                    self.named.chosen = Some((ids, marked));
                    decorated?;
                }
                None => self.decorate(commits, repository)?,
            }
            self.named.is_decorated = true;
        }
        Ok(())
    }

    fn decorate_chosen(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        ids: &[Vec<u8>],
        marked: &mut usize,
    ) -> Result<()> {
        while let Some(hex) = ids.get(*marked) {
            repository.files.step()?;
            if let Some(id) = ObjectId::from_hex(repository.hash(), hex) {
                self.decorate_one(commits, repository, &id)?;
            }
            *marked = marked.saturating_add(1);
        }
        Ok(())
    }

    /// Marks the commits that refs point to, and tags of refs.
    fn decorate(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        let listing = || RefListing::new(repository.refs(), b"refs/");
        let mut listing = self.named.refs.take().unwrap_or_else(listing);
        let decorated = self.decorate_from(commits, repository, &mut listing);
        self.named.refs = Some(listing);
        decorated?;
        if let Some(id) = followed(repository, b"HEAD")? {
            self.decorate_one(commits, repository, &id)?;
        }
        Ok(())
    }

    fn decorate_from(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        listing: &mut RefListing,
    ) -> Result<()> {
        while let Some(RefRecord { name, value, peeled, .. }) = listing.peek(&repository.files)? {
            repository.files.step()?;
            // A replacement decorates the object that it stands for.
            let replaced = name.strip_prefix(REPLACE).map(<[u8]>::to_vec);
            let peeled = peeled.flatten();
            let id = match (replaced, value) {
                (Some(hex), _) => ObjectId::from_hex(repository.hash(), &hex),
                (None, RefValue::Id(id)) => Some(peeled.unwrap_or(*id)),
                (None, RefValue::Symbolic(target)) => {
                    let target = target.clone();
                    followed(repository, &target)?
                }
                (None, RefValue::Broken) => None,
            };
            if let Some(id) = id {
                self.decorate_one(commits, repository, &id)?;
            }
            listing.advance();
        }
        Ok(())
    }

    /// Marks a commit, or the commit of a tag; other objects have no place in a history.
    fn decorate_one(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        id: &ObjectId,
    ) -> Result<()> {
        match commit_of(commits, repository, id) {
            Ok(Some(number)) => self.marks.set(number, DECORATED),
            Ok(None) => {}
            // Git ignores refs to objects that it lacks.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
