//! Sorts commits by the dates at which they were written: `--author-date-order`.

use super::commits::{Commits, Number};
use super::topological::{sort, SortBy};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_format::object::{Commit, ObjectType};

/// Reads the author dates of a list of commits, one after the other.
pub(super) struct AuthorDates {
    list: Vec<Number>,
    at: usize,
    /// The dates by the numbers of the commits; no date is before all others.
    dates: Vec<u64>,
}

impl AuthorDates {
    pub fn new(list: Vec<Number>) -> AuthorDates {
        AuthorDates { list, at: 0, dates: Vec::new() }
    }

    /// Reads one commit; returns the sorted list once all are read.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: the next call continues. Errors of reading.
    pub(super) fn step(
        &mut self,
        commits: &Commits,
        repository: &mut Repository,
    ) -> Result<Option<Vec<Number>>> {
        let Some(number) = self.list.get(self.at).copied() else {
            return Ok(Some(sort(commits, &self.list, SortBy::Dates(&self.dates))));
        };
        let id = commits.id(repository, number)?;
        let content = repository.read_of_type(&id, ObjectType::Commit)?;
        let seconds = Commit::decode(repository.hash(), &content)?.author().seconds;
        let at = number as usize;
        if self.dates.len() <= at {
            self.dates.resize(at.saturating_add(1), 0);
        }
        if let Some(date) = self.dates.get_mut(at) {
            *date = seconds.unwrap_or(0);
        }
        self.at = self.at.saturating_add(1);
        Ok(None)
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let list = (self.list.capacity() as u64).saturating_mul(4);
        list.saturating_add((self.dates.capacity() as u64).saturating_mul(8))
    }
}
