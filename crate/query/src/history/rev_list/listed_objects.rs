//! The objects after the commits of a list, and their filters.

use super::RevList;
use crate::history::commits::{Commits, Number};
use crate::history::object_filter::{Filtering, ObjectFilterOptions};
use crate::history::objects::{Objects, StartObject};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_base::module::{require_full, FullOnly};
use packlens_base::sort;
use packlens_format::object::ObjectType;

impl RevList {
    /// Filters the listed objects.
    ///
    /// # Errors
    ///
    /// [`Need::Module`](packlens_base::error::Need::Module) in the reader;
    /// [`ErrorKind::BadInput`](packlens_base::ErrorKind::BadInput) for what is no filter.
    pub fn filtered(mut self, options: ObjectFilterOptions) -> Result<RevList> {
        require_full()?;
        self.options.use_bitmaps = false;
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
            let id = commits.tree(repository, *number)?;
            self.given.push(StartObject::tree(id, true));
            self.edges.pop();
        }
        let filtering = self.filtering.take().map(FullOnly::into_inner);
        if filtering.is_some() {
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

    /// Returns whether filters let a commit be listed.
    pub(super) fn lists_commit(&self, number: Number) -> bool {
        self.filtering.as_ref().is_none_or(|filtering| {
            let is_given = self.given_commits.binary_search(&number).is_ok();
            filtering.lists(ObjectType::Commit, is_given)
        })
    }
}
