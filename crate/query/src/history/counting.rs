//! Counts all commits that the revisions reach, where nothing else is asked of them: no commit
//! is listed, so those of a commit-graph need no order.

use super::commits::{Commits, GraphRows};
use super::marks::{ahead, parse_parents, SEEN};
use super::queue::Queue;
use super::step::Step;
use crate::repository::Repository;
use packlens_base::error::Result;

/// How many commits of the graph a step visits at most.
const MOST_ROWS: u32 = 1 << 8;

/// A count that is not complete yet.
pub(super) struct Counting {
    /// Commits that are in no graph: by date, because packs mostly hold them in that order.
    queue: Queue,
    rows: GraphRows,
    found: u64,
}

impl Counting {
    /// Creates the count of what the commits of a queue reach.
    pub(super) fn new(commits: &Commits, tips: &Queue) -> Counting {
        let mut counting =
            Counting { queue: Queue::by_date(), rows: GraphRows::default(), found: 0 };
        tips.iter().for_each(|tip| counting.add(commits, tip));
        counting
    }

    fn add(&mut self, commits: &Commits, number: u32) {
        if !self.rows.add(commits, number) {
            self.queue.add(commits, number);
        }
    }

    /// Takes a step. If bytes are missing, the next call repeats it.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<Step> {
        let Some(number) = self.queue.peek() else {
            return Ok(match self.rows.visit(commits, repository, MOST_ROWS)? {
                true => Step::Working,
                false => Step::Counted(self.found.saturating_add(self.rows.visited())),
            });
        };
        parse_parents(commits, repository, number, usize::MAX, false)
            .map_err(|error| ahead(error, commits, repository, number, &self.queue))?;
        self.queue.pass();
        self.found = self.found.saturating_add(1);
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            if !commits.has(parent, SEEN) {
                commits.set(parent, SEEN);
                self.add(commits, parent);
            }
        }
        Ok(Step::Working)
    }

    pub(super) fn memory(&self) -> u64 {
        self.queue.memory().saturating_add(self.rows.memory())
    }
}
