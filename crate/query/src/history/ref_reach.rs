//! Selects refs by the history that they reach, or that reaches them:
//! <https://git-scm.com/docs/git-for-each-ref>.

use super::answer::{answer, Restart, Trust};
use super::commits::{Commits, Flags, Number};
use super::containing::Containing;
use super::merged::Merged;
use super::tips::{commit_of, named_commit};
use crate::repository::Repository;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::module::{require_full, FullOnly};
use packlens_base::oid::ObjectId;

/// Selects refs by commits, which are given as revisions. A list that is empty selects all
/// refs. Otherwise a ref is selected if one commit of the list matches, or for `no_contains`
/// and `no_merged` if none does.
#[derive(Clone, Debug, Default)]
pub struct RefReachOptions {
    /// Refs that reach one of these commits.
    pub contains: Vec<Vec<u8>>,
    /// Refs that reach none of these commits.
    pub no_contains: Vec<Vec<u8>>,
    /// Refs that one of these commits reaches.
    pub merged: Vec<Vec<u8>>,
    /// Refs that none of these commits reaches.
    pub no_merged: Vec<Vec<u8>>,
}

impl RefReachOptions {
    /// Returns whether all refs are selected, including refs to objects that are no commits.
    pub fn is_empty(&self) -> bool {
        let lists = [&self.contains, &self.no_contains, &self.merged, &self.no_merged];
        lists.iter().all(|list| list.is_empty())
    }
}

const CONTAINS: [Flags; 2] = [1, 1 << 1];
const NO_CONTAINS: [Flags; 2] = [1 << 2, 1 << 3];
const MERGED: Flags = 1 << 4;
const NO_MERGED: Flags = 1 << 5;

/// Answers for one ref after the other whether it is selected: with one walk for each option,
/// all of them over the same commits.
pub(crate) struct RefReach {
    options: RefReachOptions,
    begun: Option<FullOnly<Begun>>,
    trust: Trust,
}

struct Begun {
    commits: Commits,
    /// The walks, each with the answer that selects a ref; `None` until all revisions are
    /// resolved.
    walks: Option<Vec<(Walk, bool)>>,
    /// The commits of the revisions that are resolved, in the order of the four lists.
    named: Vec<Number>,
}

enum Walk {
    Containing(Containing),
    Merged(Merged),
}

impl RefReach {
    pub fn new(options: RefReachOptions) -> RefReach {
        RefReach { options, begun: None, trust: Trust::default() }
    }

    /// Returns whether a ref to the object `id` is selected; `None` if `steps` ran out before
    /// that is known: call again. An object that leads to no commit is not selected.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving the revisions
    /// and of reading; [`ErrorKind::WrongType`] for a revision that leads to no commit.
    pub(crate) fn fits(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        steps: &mut u32,
    ) -> Result<Option<bool>> {
        if self.options.is_empty() {
            return Ok(Some(true));
        }
        require_full()?;
        answer(self, repository, |walk, repository| walk.fits_so_far(repository, id, steps))
    }

    pub fn memory(&self) -> u64 {
        self.begun.as_ref().map_or(0, |begun| begun.memory())
    }

    fn fits_so_far(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        steps: &mut u32,
    ) -> Result<Option<bool>> {
        let begun = match &mut self.begun {
            Some(begun) => begun,
            None => {
                let commits = Commits::new(repository, self.trust, true)?;
                let begun = Begun { commits, walks: None, named: Vec::new() };
                self.begun.insert(FullOnly::new(|| begun)?)
            }
        };
        if begun.walks.is_none() {
            begun.resolve(repository, &self.options)?;
            begun.walks = Some(begun.begin_walks(&self.options));
        }
        match commit_of(&mut begun.commits, repository, id) {
            Ok(Some(tip)) => begun.fits(repository, tip, steps),
            Ok(None) => Ok(Some(false)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Some(false)),
            Err(error) => Err(error),
        }
    }
}

impl Restart for RefReach {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.begun.as_mut().map(|begun| &mut begun.commits)
    }

    fn restart(&mut self, trust: Trust) {
        self.begun = None;
        self.trust = trust;
    }
}

impl Begun {
    /// Resolves the revisions of all four lists, one after the other.
    fn resolve(&mut self, repository: &mut Repository, options: &RefReachOptions) -> Result<()> {
        let RefReachOptions { contains, no_contains, merged, no_merged } = options;
        let specs = contains.iter().chain(no_contains).chain(merged).chain(no_merged);
        for spec in specs.skip(self.named.len()) {
            repository.files.step()?;
            self.named.push(named_commit(&mut self.commits, repository, spec)?);
        }
        Ok(())
    }

    /// Creates the walks of the options that are set.
    fn begin_walks(&mut self, options: &RefReachOptions) -> Vec<(Walk, bool)> {
        let commits = &mut self.commits;
        let mut named = self.named.as_slice();
        let mut of = |specs: &[Vec<u8>]| {
            let (numbers, rest) = named.split_at_checked(specs.len()).unwrap_or_default();
            named = rest;
            Some(numbers).filter(|numbers| !numbers.is_empty())
        };
        let mut walks = Vec::new();
        for (specs, flags, expected) in
            [(&options.contains, CONTAINS, true), (&options.no_contains, NO_CONTAINS, false)]
        {
            if let Some(numbers) = of(specs) {
                let walk = Containing::new(commits, numbers, flags);
                walks.push((Walk::Containing(walk), expected));
            }
        }
        for (specs, flag, expected) in
            [(&options.merged, MERGED, true), (&options.no_merged, NO_MERGED, false)]
        {
            if let Some(numbers) = of(specs) {
                let walk = Merged::new(commits, numbers, flag);
                walks.push((Walk::Merged(walk), expected));
            }
        }
        walks
    }

    fn fits(
        &mut self,
        repository: &mut Repository,
        tip: Number,
        steps: &mut u32,
    ) -> Result<Option<bool>> {
        let commits = &mut self.commits;
        for (walk, expected) in self.walks.iter_mut().flatten() {
            let found = match walk {
                Walk::Containing(walk) => walk.leads(commits, repository, tip, steps)?,
                Walk::Merged(walk) => walk.is_reached(commits, repository, tip, steps)?,
            };
            if found != Some(*expected) {
                return Ok(found.map(|_| false));
            }
        }
        Ok(Some(true))
    }

    fn memory(&self) -> u64 {
        let own = |(walk, _): &(Walk, bool)| match walk {
            Walk::Containing(walk) => walk.memory(),
            Walk::Merged(walk) => walk.memory(),
        };
        self.walks.iter().flatten().map(own).fold(self.commits.memory(), u64::saturating_add)
    }
}
