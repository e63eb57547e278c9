//! Searches the history of a commit for tags, and counts the commits that each does not reach.

use super::names::Names;
use super::DescribeOptions;
use crate::history::commits::{Commits, Number};
use crate::history::marks::{ahead, QUEUED, SEEN};
use crate::history::queue::Queue;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;

/// What a search found.
#[derive(Clone)]
pub(super) enum Found {
    /// The number of the commit's own name.
    Exactly(u32),
    /// The number of a name below it, and how many commits that does not reach.
    Below { name: u32, depth: u32 },
    /// The reason why there is no name, for users who need one.
    Nothing(Error),
}

/// A resumable search.
pub(super) struct Search {
    tip: Number,
    queue: Queue,
    /// For each commit, a bit for each candidate that reaches it.
    reached: Vec<u32>,
    candidates: Vec<Candidate>,
    visited: u32,
    /// A lightweight tag was skipped.
    has_lightweight: bool,
    /// The best candidate, and how many commits of the queue it does not reach.
    best: Option<(Candidate, usize)>,
}

/// A tag that the commit may be described by.
#[derive(Clone, Copy)]
struct Candidate {
    name: u32,
    bit: u32,
    /// How many of the visited commits the tag does not reach.
    depth: u32,
}

impl Search {
    /// Creates the search from a parsed commit.
    pub(super) fn new(commits: &mut Commits, tip: Number) -> Search {
        let mut queue = Queue::by_date();
        commits.set(tip, SEEN | QUEUED);
        queue.add(commits, tip);
        Search {
            tip,
            queue,
            reached: Vec::new(),
            candidates: Vec::new(),
            visited: 0,
            has_lightweight: false,
            best: None,
        }
    }

    pub(super) fn tip(&self) -> Number {
        self.tip
    }

    /// Finds the tag.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: call again. Errors of reading commits.
    pub(super) fn run(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        names: &Names,
        options: &DescribeOptions,
    ) -> Result<Found> {
        let tip = commits.id(repository, self.tip)?;
        if let Some(name) = usable(names, &tip, options) {
            return Ok(Found::Exactly(name));
        }
        let most = options.candidates.min(DescribeOptions::MOST_CANDIDATES) as usize;
        if most == 0 {
            let what = "no tag exactly matches";
            return Ok(Found::Nothing(Error::new(ErrorKind::NotFound, what)));
        }
        while self.best.is_none() {
            repository.files.step()?;
            let is_full = self.candidates.len() >= most.min(names.len());
            let is_over = match self.queue.peek() {
                Some(number) if is_full => {
                    // As in git, where it is after others of its date from now on.
                    self.queue.pass();
                    self.queue.add(commits, number);
                    true
                }
                Some(number) => self.visit(commits, repository, number, (names, options))?,
                None => true,
            };
            if is_over {
                let Some(best) = self.best_candidate() else {
                    return Ok(Found::Nothing(self.reason()));
                };
                let others = self.queue.iter().filter(|number| self.bits(*number) & best.bit == 0);
                self.best = Some((best, others.count()));
            }
        }
        self.count_rest(commits, repository)?;
        let best = self.best.as_ref().map(|(best, _)| (best.name, best.depth));
        let (name, depth) = best.unwrap_or_default();
        Ok(Found::Below { name, depth })
    }

    /// Visits a commit; returns whether no later one can change which candidate is the best. If
    /// bytes are missing, nothing has changed.
    fn visit(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        (names, options): (&Names, &DescribeOptions),
    ) -> Result<bool> {
        let count = if options.first_parent { 1 } else { usize::MAX };
        self.parse_parents(commits, repository, number, count)?;
        let id = commits.id(repository, number)?;
        self.take(commits, number);
        if let Some(name) = usable(names, &id, options) {
            let bit = 1u32.checked_shl(self.candidates.len() as u32).unwrap_or(0);
            self.candidates.push(Candidate { name, bit, depth: self.visited });
            self.add_bits(number, bit);
        } else if names.of(&id).is_some() {
            self.has_lightweight = true;
        }
        self.visited = self.visited.saturating_add(1);
        let bits = self.bits(number);
        for candidate in &mut self.candidates {
            if bits & candidate.bit == 0 {
                candidate.depth = candidate.depth.saturating_add(1);
            }
        }
        // The best candidates reach all that is left, and a later one cannot be better.
        let least = self.candidates.iter().map(|candidate| candidate.depth).min();
        let best = self.candidates.iter().filter(|candidate| Some(candidate.depth) == least);
        let best = best.fold(0, |bits, candidate| bits | candidate.bit);
        if best != 0 && bits & best == best && self.queue.peek().is_none() {
            return Ok(true);
        }
        self.add_parents(commits, number, count);
        Ok(false)
    }

    /// Visits the commits that are left, until the best candidate reaches all of the queue.
    fn count_rest(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        while let Some((best, 1..)) = self.best {
            let Some(number) = self.queue.peek() else {
                return Ok(());
            };
            repository.files.step()?;
            self.parse_parents(commits, repository, number, usize::MAX)?;
            self.take(commits, number);
            let is_reached = self.bits(number) & best.bit != 0;
            if let Some((best, others)) = self.best.as_mut().filter(|_| !is_reached) {
                best.depth = best.depth.saturating_add(1);
                *others = others.saturating_sub(1);
            }
            self.add_parents(commits, number, usize::MAX);
        }
        Ok(())
    }

    /// Removes a commit from the queue. A parent may be newer than its child, and so the next in
    /// the queue: the child is removed before its parents are added.
    fn take(&mut self, commits: &mut Commits, number: Number) {
        self.queue.pass();
        commits.unset(number, QUEUED);
    }

    fn parse_parents(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        count: usize,
    ) -> Result<()> {
        for place in commits.parents(number).take(count) {
            let parent = commits.edge(place);
            let parsed = commits.parse(repository, parent);
            parsed.map_err(|error| ahead(error, commits, repository, number, &self.queue))?;
        }
        Ok(())
    }

    /// Adds the parents of a commit, which are parsed, to the queue.
    fn add_parents(&mut self, commits: &mut Commits, number: Number, count: usize) {
        let bits = self.bits(number);
        for place in commits.parents(number).take(count) {
            let parent = commits.edge(place);
            let is_new = !commits.has(parent, SEEN);
            if let Some((best, others)) = &mut self.best {
                let had = self.reached.get(parent as usize).copied().unwrap_or(0) & best.bit != 0;
                let has = had || bits & best.bit != 0;
                if is_new && !has {
                    *others = others.saturating_add(1);
                } else if !is_new && !had && has && commits.has(parent, QUEUED) {
                    *others = others.saturating_sub(1);
                }
            }
            if is_new {
                commits.set(parent, SEEN | QUEUED);
                self.queue.add(commits, parent);
            }
            self.add_bits(parent, bits);
        }
    }

    fn bits(&self, number: Number) -> u32 {
        self.reached.get(number as usize).copied().unwrap_or(0)
    }

    fn add_bits(&mut self, number: Number, bits: u32) {
        let at = number as usize;
        if bits != 0 && at >= self.reached.len() {
            self.reached.resize(at.saturating_add(1), 0);
        }
        if let Some(own) = self.reached.get_mut(at) {
            *own |= bits;
        }
    }

    /// Returns the candidate that reaches the most; of equal ones the one that was found first.
    fn best_candidate(&self) -> Option<Candidate> {
        self.candidates.iter().min_by_key(|candidate| candidate.depth).copied()
    }

    fn reason(&self) -> Error {
        let what = match self.has_lightweight {
            true => "No annotated tags can describe the commit, but lightweight ones: try `tags`",
            false => "No tags can describe the commit",
        };
        Error::new(ErrorKind::NotFound, what)
    }

    pub(super) fn memory(&self) -> u64 {
        let reached = (self.reached.capacity() as u64).saturating_mul(4);
        self.queue.memory().saturating_add(reached)
    }
}

/// Returns the name of a commit, if the options let it be one.
fn usable(names: &Names, id: &ObjectId, options: &DescribeOptions) -> Option<u32> {
    let at = names.of(id)?;
    let is_annotated = names.get(at).is_some_and(|name| name.is_annotated);
    (is_annotated || options.tags || options.all).then_some(at)
}
