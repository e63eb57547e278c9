//! Which commits are listed, and in which order.

use super::RevList;
use crate::history::topological::SortBy;
use packlens_base::error::Result;
use packlens_base::module::IS_FULL;

/// How many commits the reader lists at most.
const MOST_IN_READER: u64 = 4096;

/// The order in which commits are listed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum RevOrder {
    /// In the order of the walk: the newest of the commits that are known comes next.
    #[default]
    Default,
    /// No commit before its children, otherwise the newest first: `--date-order`.
    Date,
    /// No commit before its children, lines of history kept together: `--topo-order`.
    Topo,
    /// No commit before its children, otherwise the one that was written last first:
    /// `--author-date-order`.
    AuthorDate,
    /// The revisions alone, not what they reach, the newest first: `--no-walk`.
    Tips,
    /// The revisions alone, in the order in which they are given: `--no-walk=unsorted`.
    Given,
}

impl RevOrder {
    /// Returns whether what the revisions reach is listed.
    pub(in crate::history) fn walks(self) -> bool {
        !IS_FULL || !matches!(self, RevOrder::Tips | RevOrder::Given)
    }

    /// Returns what decides between commits whose children are all listed: author dates have to
    /// be read first.
    pub(in crate::history) fn sorts_by(self) -> SortBy<'static> {
        match self {
            RevOrder::Date | RevOrder::AuthorDate => SortBy::CommitDate,
            _ => SortBy::Lines,
        }
    }
}

/// Selects the commits to list, and how they are listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct RevListOptions {
    /// The order of the commits.
    pub order: RevOrder,
    /// Reverses the order, after `skip` and `limit` have selected the commits.
    pub reverse: bool,
    /// Follows only the first parent of each commit.
    pub first_parent: bool,
    /// Returns only the number of commits and objects.
    pub count: bool,
    /// Lists the tags, trees and blobs that the commits reach, after the commits.
    pub objects: bool,
    /// Counts or lists by reachability bitmaps, if there are any. Objects are then listed in
    /// bitmap order and without names. They can be fewer, because a walk without bitmaps does
    /// not visit everything that uninteresting commits reach.
    pub use_bitmaps: bool,
    /// How many commits are skipped.
    pub skip: u64,
    /// The most commits that are listed.
    pub limit: Option<u64>,
    /// The fewest parents that a listed commit may have.
    pub min_parents: u32,
    /// The most parents that a listed commit may have.
    pub max_parents: Option<u32>,
    /// Does not list commits from before this time, in seconds since 1970.
    pub since: Option<u64>,
    /// Does not list commits from after this time, in seconds since 1970.
    pub until: Option<u64>,
}

impl RevListOptions {
    /// Returns whether the reader can answer: it lists the newest commits. For more of them a
    /// commit-graph saves more than the full module takes to load.
    pub(super) fn is_for_reader(&self) -> bool {
        let last = self.limit.map_or(u64::MAX, |limit| limit.saturating_add(self.skip));
        self.order == RevOrder::Default
            && last <= MOST_IN_READER
            && !(self.count || self.objects || self.use_bitmaps || self.reverse)
    }

    /// Returns whether bitmaps can answer: they know neither dates nor numbers of parents, nor
    /// which commits `skip` and `limit` select.
    pub(super) fn may_use_bitmaps(&self) -> bool {
        self.use_bitmaps && self.takes_all()
    }

    /// Returns whether commits are counted, whatever they are and in whatever order.
    pub(super) fn only_counts(&self) -> bool {
        self.count
            && self.takes_all()
            && self.order == RevOrder::Default
            && !(self.objects || self.reverse)
    }

    /// Returns whether all commits that the revisions reach are taken.
    fn takes_all(&self) -> bool {
        let all = (self.skip, self.limit) == (0, None) && !self.first_parent;
        let any = (self.min_parents, self.max_parents) == (0, None);
        let ever = self.since.is_none() && self.until.is_none();
        all && any && ever
    }
}

impl RevList {
    /// Takes the objects of these ids, in hexadecimal, for those that refs point to, for
    /// [`simplify_by_decoration`](crate::history::HistoryOptions::simplify_by_decoration): what a caller that chooses refs found. Ids that
    /// are malformed or missing decorate nothing.
    ///
    /// # Errors
    ///
    /// [`Need::Module`](packlens_base::error::Need::Module) in the reader.
    pub fn decorated_by(mut self, ids: Vec<Vec<u8>>) -> Result<RevList> {
        self.set_modes(|modes| modes.decorate_only(ids))?;
        Ok(self)
    }
}
