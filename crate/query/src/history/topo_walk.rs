//! Lists commits so that none comes before its children, while the walk goes on: for this the
//! commits need generation numbers, which a commit-graph has.

use super::commits::{Commits, Number, NO_GENERATION};
use super::limited::edges;
use super::marks::{ahead, mark_ancestors, parse_parents, UNINTERESTING};
use super::modes::ADDED;
use super::queue::Queue;
use super::rev_list::{RevListOptions, RevOrder};
use super::step::{most_excluded, most_parents, simplify_and_parse, MaybeModes, Step};
use super::topological::Ready;
use crate::repository::Repository;
use packlens_base::error::Result;

/// The commit was added to the queue of commits to explore.
const EXPLORED: u8 = 1;
/// The commit was added to the queue of commits whose parents are counted.
const COUNTED: u8 = 1 << 1;

/// A walk in three parts, each as far ahead of the next one as that needs: it explores commits,
/// counts the children of each, and lists those without children that are not listed.
pub(super) struct TopoWalk {
    tips: Vec<Number>,
    to_explore: Queue,
    to_count: Queue,
    ready: Ready<'static>,
    /// The marks of each commit, and how many children it has, plus one; 0 if it was not counted.
    known: Vec<(u8, u32)>,
    /// Children are counted of all commits with this generation number or a greater one.
    lowest: u64,
    is_counting: bool,
    is_begun: bool,
    /// A commit that is listed once its parents are ready, and how many of them were looked at.
    expanding: Option<(Number, usize)>,
}

impl TopoWalk {
    /// Creates the walk from parsed tips.
    pub fn new(commits: &Commits, tips: &[Number], order: RevOrder) -> TopoWalk {
        let mut walk = TopoWalk {
            tips: tips.to_vec(),
            to_explore: Queue::by_generation(),
            to_count: Queue::by_generation(),
            ready: Ready::new(order.sorts_by()),
            known: Vec::new(),
            lowest: NO_GENERATION,
            is_counting: true,
            is_begun: false,
            expanding: None,
        };
        for tip in tips {
            walk.add(commits, *tip, EXPLORED);
            walk.add(commits, *tip, COUNTED);
            walk.lowest = walk.lowest.min(commits.generation(*tip));
            if let Some((_, children)) = walk.of(*tip) {
                *children = 1;
            }
        }
        walk
    }

    /// Visits one commit: [`Step::Found`] is to be filtered by the caller.
    pub(super) fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
    ) -> Result<Step> {
        if self.is_counting {
            self.count_step(commits, repository, options, modes)?;
            return Ok(Step::Working);
        }
        if !self.is_begun {
            self.is_begun = true;
            let tips = std::mem::take(&mut self.tips);
            let childless =
                |tip: &Number| self.known.get(*tip as usize).is_some_and(|of| of.1 == 1);
            self.ready.begin(commits, tips.iter().copied().filter(childless).collect());
            return Ok(Step::Limited(edges(commits, &tips)));
        }
        if let Some((number, at)) = self.expanding {
            return Ok(self.expand(commits, options, number, at));
        }
        let Some(number) = self.ready.next() else {
            return Ok(Step::Over);
        };
        if let Some((_, children)) = self.of(number) {
            *children = 0;
        }
        if options.since.is_none_or(|since| commits.date(number) >= since) {
            self.expanding = Some((number, 0));
        }
        Ok(Step::Working)
    }

    /// Looks at one parent of a commit that is listed next.
    fn expand(
        &mut self,
        commits: &Commits,
        options: &RevListOptions,
        number: Number,
        at: usize,
    ) -> Step {
        let Some(place) = commits.parents(number).nth(at) else {
            self.expanding = None;
            return Step::Found(number);
        };
        let parent = commits.edge(place);
        let counts = !commits.has(parent, UNINTERESTING);
        if counts && commits.generation(parent) < self.lowest {
            self.lowest = commits.generation(parent);
            self.is_counting = true;
            return Step::Working;
        }
        // If the first parent is uninteresting, git follows the next one in its place.
        let next = if counts && options.first_parent { usize::MAX } else { at.saturating_add(1) };
        self.expanding = Some((number, next));
        if counts {
            if let Some((_, children)) = self.of(parent).filter(|of| of.1 > 0) {
                *children = children.saturating_sub(1);
                if *children == 1 {
                    self.ready.add(commits, parent);
                }
            }
        }
        Step::Working
    }

    /// Counts the parents of a commit, or explores one that comes before it.
    fn count_step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
    ) -> Result<()> {
        let next = self.to_count.peek_generation().filter(|(least, _)| *least >= self.lowest);
        let Some((generation, number)) = next else {
            self.is_counting = false;
            return Ok(());
        };
        let first = self.to_explore.peek_generation();
        if let Some((_, first)) = first.filter(|(other, _)| *other >= generation) {
            return self.explore(commits, repository, options, modes, first);
        }
        self.to_count.pass();
        for place in commits.parents(number).take(most_parents(options)) {
            let parent = commits.edge(place);
            if let Some((_, children)) = self.of(parent) {
                *children = if *children > 0 { children.saturating_add(1) } else { 2 };
            }
            self.add(commits, parent, COUNTED);
        }
        Ok(())
    }

    fn explore(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        options: &RevListOptions,
        modes: &mut MaybeModes,
        number: Number,
    ) -> Result<()> {
        commits.parse(repository, number)?;
        let too_old = options.since.is_some_and(|since| commits.date(number) < since);
        if too_old {
            commits.set(number, UNINTERESTING);
        }
        self.process(commits, repository, modes, (number, most_parents(options)))?;
        self.to_explore.pass();
        if commits.has(number, UNINTERESTING) {
            mark_ancestors(commits, number, most_excluded(modes));
        }
        for place in commits.parents(number) {
            self.add(commits, commits.edge(place), EXPLORED);
        }
        Ok(())
    }

    /// Parses the first `most` parents of a commit, once, after they were simplified; passes to
    /// them what they have from it. If the commit is uninteresting, so are its parents.
    pub(super) fn process(
        &self,
        commits: &mut Commits,
        repository: &mut Repository,
        modes: &mut MaybeModes,
        (number, most): (Number, usize),
    ) -> Result<()> {
        if modes.as_ref().is_some_and(|modes| modes.has(number, ADDED)) {
            return Ok(());
        }
        let queue = &self.to_explore;
        if commits.has(number, UNINTERESTING) {
            let most = most_excluded(modes);
            parse_parents(commits, repository, number, most, true)
                .map_err(|error| ahead(error, commits, repository, number, queue))?;
            for place in commits.parents(number).take(most) {
                commits.set(commits.edge(place), UNINTERESTING);
                mark_ancestors(commits, commits.edge(place), most);
            }
        } else if commits.is_parsed(number) {
            simplify_and_parse(queue, commits, repository, modes, (number, most))?;
        }
        let Some(modes) = modes else {
            return Ok(());
        };
        modes.set(number, ADDED);
        if !commits.has(number, UNINTERESTING) {
            for place in commits.parents(number).take(most) {
                modes.inherit(number, commits.edge(place));
            }
        }
        Ok(())
    }

    fn of(&mut self, number: Number) -> Option<&mut (u8, u32)> {
        let length = (number as usize).saturating_add(1);
        if self.known.len() < length {
            self.known.resize(length, (0, 0));
        }
        self.known.get_mut(number as usize)
    }

    /// Adds a commit to a queue, once.
    fn add(&mut self, commits: &Commits, number: Number, mark: u8) {
        let Some((marks, _)) = self.of(number).filter(|(marks, _)| marks & mark == 0) else {
            return;
        };
        *marks |= mark;
        let queue = if mark == EXPLORED { &mut self.to_explore } else { &mut self.to_count };
        match commits.is_parsed(number) {
            true => queue.add(commits, number),
            // Git does not know the number of a commit that it has not read, and reads it next.
            false => queue.add_unread(number),
        }
    }

    pub fn memory(&self) -> u64 {
        let known = (self.known.capacity() as u64).saturating_mul(8);
        known.saturating_add(self.to_explore.memory()).saturating_add(self.to_count.memory())
    }
}
