//! The walk that must end before the first commit is listed: where some commits are
//! uninteresting, or children must come before their parents.

use super::commits::{Commits, Number, NO_GENERATION};
use super::marks::{ahead, mark, mark_ancestors, parse_parents, QUEUED, SEEN, UNINTERESTING};
use super::queue::Queue;
use super::rev_list::RevListOptions;
use super::stage::Paths;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::sort;

/// How many commits git still visits when all that is left seems uninteresting: wrong commit
/// dates may make that a mistake.
const SLOP: u32 = 5;

/// A walk over all interesting commits, and over as many uninteresting ones as it takes to tell
/// them apart.
pub(super) struct Limited {
    queue: Queue,
    /// How many commits in the queue are interesting.
    interesting: usize,
    kept: Vec<Number>,
    /// The date of the commit that was kept last.
    date: u64,
    slop: u32,
    /// Generation numbers decide when the walk is over; dates and slop do not matter.
    exact: bool,
    /// The lowest generation number of a commit that was kept.
    lowest: u64,
    /// The tips, until the edges among them and their parents are known.
    tips: Vec<Number>,
    /// The lowest generation number of a tip.
    lowest_tip: u64,
    /// Uninteresting commits that are tips, or parents of tips.
    edges: Vec<Number>,
}

impl Limited {
    pub fn new(commits: &mut Commits, tips: &[Number], exact: bool) -> Limited {
        let queue = if exact { Queue::by_generation() } else { Queue::by_date() };
        let mut limited = Limited {
            queue,
            interesting: 0,
            kept: Vec::new(),
            date: u64::MAX,
            slop: SLOP,
            exact,
            lowest: NO_GENERATION,
            tips: if exact { tips.to_vec() } else { Vec::new() },
            lowest_tip: NO_GENERATION,
            edges: Vec::new(),
        };
        for tip in tips {
            limited.add(commits, *tip);
            limited.lowest_tip = limited.lowest_tip.min(commits.generation(*tip));
        }
        limited
    }

    /// Visits one commit; returns whether the walk is over.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        paths: &mut Paths,
    ) -> Result<bool> {
        let next = self.queue.peek();
        if next.is_none_or(|next| commits.generation(next) < self.lowest_tip) {
            let tips = std::mem::take(&mut self.tips);
            self.edges.extend(edges(commits, &tips));
        }
        let Some(number) = next else {
            return Ok(true);
        };
        let too_old = options.since.is_some_and(|since| commits.date(number) < since);
        let uninteresting = commits.has(number, UNINTERESTING) || too_old;
        let most = if options.first_parent && !uninteresting { 1 } else { usize::MAX };
        parse_parents(commits, repository, number, most, uninteresting)
            .map_err(|error| ahead(error, commits, repository, number, &self.queue))?;
        if let (Some(paths), false) = (paths, uninteresting) {
            paths.simplify(commits, repository, number, most)?;
        }
        self.queue.pass();
        if !commits.has(number, UNINTERESTING) {
            self.interesting = self.interesting.saturating_sub(1);
        }
        commits.unset(number, QUEUED);
        if uninteresting {
            commits.set(number, UNINTERESTING);
            self.leave_out_parents(commits, number);
            let done = !self.must_continue(commits);
            if done {
                let tips = std::mem::take(&mut self.tips);
                self.edges.extend(edges(commits, &tips));
            }
            return Ok(done);
        }
        for place in commits.parents(number).take(most) {
            let parent = commits.edge(place);
            if !commits.has(parent, SEEN) {
                self.add(commits, parent);
            }
        }
        let too_new = options.until.is_some_and(|until| commits.date(number) > until);
        if self.exact || !too_new {
            self.date = commits.date(number);
            self.lowest = self.lowest.min(commits.generation(number));
            self.kept.push(number);
        }
        Ok(false)
    }

    /// Returns the commits that were kept. Some may have become uninteresting since.
    pub(super) fn take_kept(&mut self) -> Vec<Number> {
        std::mem::take(&mut self.kept)
    }

    /// Returns the edges: the uninteresting commits among the kept ones and their parents.
    /// Objects in the trees of edges are not listed. With generation numbers git looks only at
    /// the tips and their parents, and only until the walk is below the lowest tip.
    pub(super) fn edges(&mut self, commits: &Commits, kept: &[Number]) -> Vec<Number> {
        match self.exact {
            true => std::mem::take(&mut self.edges),
            false => edges(commits, kept),
        }
    }

    /// Returns whether wrong commit dates make no difference.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    pub fn memory(&self) -> u64 {
        self.queue.memory().saturating_add((self.kept.capacity() as u64).saturating_mul(4))
    }

    fn add(&mut self, commits: &mut Commits, number: Number) {
        commits.set(number, SEEN | QUEUED);
        if !commits.has(number, UNINTERESTING) {
            self.interesting = self.interesting.saturating_add(1);
        }
        self.queue.add(commits, number);
    }

    fn leave_out_parents(&mut self, commits: &mut Commits, number: Number) {
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            let fewer = mark(commits, parent);
            self.interesting = self.interesting.saturating_sub(fewer);
            if !commits.is_parsed(parent) {
                continue;
            }
            let fewer = mark_ancestors(commits, parent);
            self.interesting = self.interesting.saturating_sub(fewer);
            if !commits.has(parent, SEEN) {
                self.add(commits, parent);
            }
        }
    }

    /// Returns whether the walk continues after an uninteresting commit.
    fn must_continue(&mut self, commits: &Commits) -> bool {
        let Some(next) = self.queue.peek() else {
            return false;
        };
        if self.exact {
            return self.interesting > 0 || commits.generation(next) >= self.lowest;
        }
        if self.date <= commits.date(next) || self.interesting > 0 {
            self.slop = SLOP;
        } else {
            self.slop = self.slop.saturating_sub(1);
        }
        self.slop > 0
    }
}

/// Returns which commits among `list` and their parents are uninteresting.
fn edges(commits: &Commits, list: &[Number]) -> Vec<Number> {
    let mut edges = Vec::new();
    for number in list {
        match commits.has(*number, UNINTERESTING) {
            true => edges.push(u64::from(*number)),
            false => {
                let parents = commits.parents(*number).map(|place| commits.edge(place));
                let edge = parents.filter(|parent| commits.has(*parent, UNINTERESTING));
                edges.extend(edge.map(u64::from));
            }
        }
    }
    sort::numbers(&mut edges);
    edges.dedup();
    edges.into_iter().map(|number| number as Number).collect()
}
