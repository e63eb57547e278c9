//! The walk that must end before the first commit is listed: where some commits are
//! uninteresting, or children must come before their parents and have no generation numbers.

use super::commits::{Commits, Number};
use super::marks::{ahead, mark, mark_ancestors, parse_parents, QUEUED, SEEN, UNINTERESTING};
use super::queue::Queue;
use super::rev_list::RevListOptions;
use super::step::{most_excluded, simplify_and_parse, MaybeModes};
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
}

impl Limited {
    pub fn new(commits: &mut Commits, tips: &[Number]) -> Limited {
        let mut limited = Limited {
            queue: Queue::by_date(),
            interesting: 0,
            kept: Vec::new(),
            date: u64::MAX,
            slop: SLOP,
        };
        tips.iter().for_each(|tip| limited.add(commits, *tip));
        limited
    }

    /// Visits one commit; returns whether the walk is over.
    #[inline(never)]
    pub(super) fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
    ) -> Result<bool> {
        let Some(number) = self.queue.peek() else {
            return Ok(true);
        };
        let too_old = options.since.is_some_and(|since| commits.date(number) < since);
        let uninteresting = commits.has(number, UNINTERESTING) || too_old;
        let most = if options.first_parent { 1 } else { usize::MAX };
        match uninteresting {
            true => parse_parents(commits, repository, number, most_excluded(modes), true)
                .map_err(|error| ahead(error, commits, repository, number, &self.queue))?,
            false => simplify_and_parse(&self.queue, commits, repository, modes, (number, most))?,
        }
        self.queue.pass();
        if !commits.has(number, UNINTERESTING) {
            self.interesting = self.interesting.saturating_sub(1);
        }
        commits.unset(number, QUEUED);
        if uninteresting {
            commits.set(number, UNINTERESTING);
            let most = most_excluded(modes);
            self.leave_out_parents(commits, number, most);
            return Ok(!self.must_continue(commits));
        }
        for place in commits.parents(number).take(most) {
            let parent = commits.edge(place);
            if let Some(modes) = modes {
                modes.inherit(number, parent);
            }
            if !commits.has(parent, SEEN) {
                self.add(commits, parent);
            }
        }
        let too_new = options.until.is_some_and(|until| commits.date(number) > until);
        if !too_new {
            self.date = commits.date(number);
            self.kept.push(number);
        }
        Ok(false)
    }

    /// Returns the commits that were kept. Some may have become uninteresting since.
    pub(super) fn take_kept(&mut self) -> Vec<Number> {
        std::mem::take(&mut self.kept)
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

    fn leave_out_parents(&mut self, commits: &mut Commits, number: Number, most: usize) {
        for place in commits.parents(number).take(most) {
            let parent = commits.edge(place);
            let fewer = mark(commits, parent);
            self.interesting = self.interesting.saturating_sub(fewer);
            if !commits.is_parsed(parent) {
                continue;
            }
            let fewer = mark_ancestors(commits, parent, most);
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
        if self.date <= commits.date(next) || self.interesting > 0 {
            self.slop = SLOP;
        } else {
            self.slop = self.slop.saturating_sub(1);
        }
        self.slop > 0
    }
}

/// Returns the edges: which commits among `list` and their parents are uninteresting. Objects in
/// the trees of edges are not listed.
pub(super) fn edges(commits: &Commits, list: &[Number]) -> Vec<Number> {
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
