//! The objects after the commits of a list, and their filters.

use super::RevList;
use crate::history::commits::{Commits, Number};
use crate::history::object_filter::{Filtering, MissingObjects, ObjectFilterOptions};
use crate::history::objects::{Objects, StartObject};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_base::module::{require_full, require_rest, FullOnly};
use packlens_base::sort;
use packlens_format::object::ObjectType;

impl RevList {
    /// Filters the listed objects.
    ///
    /// # Errors
    ///
    /// [`Need::Module`](packlens_base::error::Need::Module) in the reader, and without the rest of the
    /// module if lines come after the objects or objects may be missing;
    /// [`ErrorKind::BadInput`](packlens_base::ErrorKind::BadInput) for what is no filter.
    pub fn filtered(mut self, options: ObjectFilterOptions) -> Result<RevList> {
        require_full()?;
        self.options.use_bitmaps = false;
        if options.print_omitted || options.missing != MissingObjects::Error {
            require_rest()?;
        }
        // A graph lists commits that are missing.
        self.trust.graph &= options.missing == MissingObjects::Error;
        let filtering = Filtering::new(options)?;
        self.filtering = Some(FullOnly::new(|| Box::new(filtering))?);
        Ok(self)
    }

    /// Keeps the requested commits, if filters spare them.
    pub(super) fn keep_given(&mut self, tips: &[Number]) {
        if self.filtering.is_some() {
            self.given_commits = tips.to_vec();
            sort::by(&mut self.given_commits, Number::cmp);
        }
    }

    /// Visits one object after the commits; returns whether the list is complete.
    #[inline(never)]
    pub(super) fn objects_step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool> {
        require_full()?;
        if let Some(objects) = &mut self.objects {
            let lines = (!self.options.count).then_some(&mut *out);
            return Ok(objects.step(repository, lines)? && objects.write_tail(out)?);
        }
        commits.must_be_good(repository)?;
        while let Some(number) = self.edges.last() {
            let commit = commits.id(repository, *number)?;
            if !commits.is_absent(&commit) {
                let id = commits.tree(repository, *number)?;
                self.given.push(StartObject::tree(id, true));
            }
            self.edges.pop();
        }
        let mut filtering = self.filtering.take().map(FullOnly::into_inner);
        if let Some(filtering) = &mut filtering {
            filtering.begin_missing(commits.take_absent());
            // As in git, filters omit a requested tree if it is the tree of a listed commit.
            let mut trees: Vec<_> = self.trees.iter().map(|tree| tree.id).collect();
            sort::by_id(&mut trees, |id| id);
            for given in &mut self.given {
                given.is_given &= trees.binary_search(&given.id).is_err();
            }
        }
        let all = self.given.drain(..).chain(self.trees.drain(..));
        self.objects = Some(FullOnly::new(|| Objects::new(all, filtering))?);
        Ok(false)
    }

    /// Appends the next line about a commit that is missing, where no objects are listed; returns
    /// whether there was none left.
    ///
    /// # Errors
    ///
    /// Those of the output; as [`Commits::must_be_good`].
    #[inline(never)]
    pub(super) fn tail_step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool> {
        require_full()?;
        match &mut self.filtering {
            Some(filtering) if !self.options.objects => {
                // The list cannot restart after its tail has begun.
                commits.must_be_good(repository)?;
                filtering.begin_missing(commits.take_absent());
                filtering.write_tail(out)
            }
            _ => Ok(true),
        }
    }

    /// Returns what happens to objects that are missing.
    pub(super) fn missing_rule(&self) -> MissingObjects {
        self.filtering.as_ref().map(|filtering| filtering.missing_rule()).unwrap_or_default()
    }

    /// Returns whether filters let a commit be listed.
    pub(super) fn lists_commit(&self, number: Number) -> bool {
        self.filtering.as_ref().is_none_or(|filtering| {
            let is_given = self.given_commits.binary_search(&number).is_ok();
            filtering.lists(ObjectType::Commit, is_given)
        })
    }
}
