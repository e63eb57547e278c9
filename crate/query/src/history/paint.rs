//! Paints the ancestors of two sides until they meet, which is how git finds merge bases.

use super::commits::{Commits, Flags, Number};
use super::queue::Queue;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::sort;

/// The first side, `one`, reaches the commit.
const ONE: Flags = 1 << 4;
/// The second side, one of `others`, reaches the commit.
const OTHER: Flags = 1 << 5;
/// A commit that both sides reach has this commit as an ancestor, so it is no merge base.
const STALE: Flags = 1 << 6;
/// Both sides reach the commit: it is a candidate for a merge base.
const RESULT: Flags = 1 << 7;
/// How many times the commit is in the queue: a counter of three bits.
const QUEUED_ONCE: Flags = 1 << 8;
const QUEUED: Flags = 0b111 << 8;

/// How many commits that both sides reach are visited although they are older than all others.
const SLOP: u32 = 5;

const ALL: Flags = ONE | OTHER | STALE | RESULT | QUEUED;

/// The question that a painting answers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct PaintQuestion {
    pub(super) one: Number,
    pub(super) others: Vec<Number>,
    /// Commits of a lower generation number reach none of the commits above.
    pub(super) min_generation: u64,
    /// The painting ends as soon as one of the others reaches the one.
    pub(super) until_reached: bool,
}

/// The answer of a painting.
#[derive(Clone, Debug, Default)]
pub(super) struct Painted {
    /// The commits that both sides reach, newest first, without those that were found to be
    /// ancestors of others.
    pub(super) bases: Vec<Number>,
    /// One of the others reaches the one commit.
    pub(super) one_reached: bool,
    /// For each of the others, whether the one commit reaches it.
    pub(super) others_reached: Vec<bool>,
}

/// A painting that stops where bytes are missing, and resumes later.
pub(super) struct Paint {
    question: PaintQuestion,
    queue: Queue,
    /// How many entries of the queue are not stale; without any the painting is over.
    live: usize,
    bases: Vec<Number>,
    /// All commits that were in the queue: others are not marked.
    marked: Vec<Number>,
    /// The date of the oldest commit of one side, and how many older ones are still visited.
    left: Option<(Option<u64>, u32)>,
}

impl Paint {
    /// Creates the painting; all commits of the question must be parsed.
    pub fn new(commits: &mut Commits, question: PaintQuestion) -> Paint {
        let by_date = question.min_generation == 0 && !commits.has_dates();
        let queue = if by_date { Queue::by_date() } else { Queue::by_generation() };
        let (bases, marked) = (Vec::new(), Vec::new());
        let mut paint = Paint { question, queue, live: 0, bases, marked, left: None };
        commits.set(paint.question.one, ONE);
        paint.add(commits, paint.question.one);
        if !paint.question.others.is_empty() {
            for other in paint.question.others.clone() {
                commits.set(other, OTHER);
                paint.add(commits, other);
            }
        }
        paint
    }

    /// Paints until the question is answered.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    pub(super) fn run(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        while self.live > 0 {
            repository.files.step()?;
            let Some(number) = self.queue.peek() else {
                break;
            };
            if commits.generation(number) < self.question.min_generation {
                break;
            }
            self.visit(commits, repository, number)?;
            if self.question.until_reached && commits.has(self.question.one, OTHER) {
                break;
            }
        }
        Ok(())
    }

    /// As [`Paint::run`], to count the commits of each side. Wrong dates may hide that both sides
    /// reach a commit, so this goes on among those that both reach, while they are as new as the
    /// oldest one of one side, and for a few more: as far as git does to list the commits.
    ///
    /// # Errors
    ///
    /// As [`Paint::run`].
    pub(super) fn run_to_count(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<()> {
        self.run(commits, repository)?;
        let (oldest, mut slop) = self.left.unwrap_or_else(|| {
            let is_single = |number: &&Number| {
                let sides = commits.flags(**number) & (ONE | OTHER);
                sides == ONE || sides == OTHER
            };
            let dates = self.marked.iter().filter(is_single).map(|number| commits.date(*number));
            (dates.min(), SLOP)
        });
        while let (Some(oldest), Some(number), 1..) = (oldest, self.queue.peek(), slop) {
            self.left = Some((Some(oldest), slop));
            repository.files.step()?;
            let is_older = commits.date(number) < oldest;
            self.visit(commits, repository, number)?;
            slop = if is_older { slop.saturating_sub(1) } else { SLOP };
        }
        Ok(())
    }

    /// Paints the parents of the next commit of the queue.
    fn visit(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<()> {
        let mut flags = commits.flags(number) & (ONE | OTHER | STALE);
        let is_base = flags == ONE | OTHER;
        if is_base {
            flags |= STALE;
        }
        let lacks = |commits: &Commits, parent| commits.flags(parent) & flags != flags;
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            if !commits.is_parsed(parent) && lacks(commits, parent) {
                commits.parse(repository, parent).map_err(|error| {
                    super::marks::ahead(error, commits, repository, number, &self.queue)
                })?;
            }
        }
        self.queue.pass();
        self.taken(commits, number);
        repository.files.advance();
        if is_base && !commits.has(number, RESULT) {
            commits.set(number, RESULT);
            self.bases.push(number);
        }
        for place in commits.parents(number) {
            let parent = commits.edge(place);
            if lacks(commits, parent) {
                self.paint(commits, parent, flags);
                self.add(commits, parent);
            }
        }
        Ok(())
    }

    /// Returns the answer, and clears the marks of all commits.
    pub(super) fn finish(self, commits: &mut Commits) -> Painted {
        let is_good = |base: &Number| !commits.has(*base, STALE);
        let mut bases: Vec<Number> = self.bases.iter().copied().filter(is_good).collect();
        sort_by_date(commits, &mut bases);
        let reached = |other: &Number| commits.has(*other, ONE);
        let painted = Painted {
            bases,
            one_reached: commits.has(self.question.one, OTHER),
            others_reached: self.question.others.iter().map(reached).collect(),
        };
        self.marked.iter().for_each(|number| commits.unset(*number, ALL));
        painted
    }

    /// Returns how many commits only the one commit reaches, and how many only the others, and
    /// clears the marks of all commits.
    pub(super) fn count_sides(mut self, commits: &mut Commits) -> [u64; 2] {
        // Where dates are wrong, commits that both sides reach were taken for those of one.
        while let Some(number) = self.queue.peek() {
            self.queue.pass();
            let flags = commits.flags(number) & (ONE | OTHER);
            for place in commits.parents(number) {
                let parent = commits.edge(place);
                let own = commits.flags(parent) & (ONE | OTHER);
                if own != 0 && own & flags != flags {
                    commits.set(parent, flags);
                    self.queue.add(commits, parent);
                }
            }
        }
        let mut sides = [0u64; 2];
        for number in &self.marked {
            let flags = commits.flags(*number) & (ONE | OTHER);
            for (count, side) in sides.iter_mut().zip([ONE, OTHER]) {
                *count = count.saturating_add((flags == side).into());
            }
            // A commit that was queued again is counted once.
            commits.unset(*number, ALL);
        }
        sides
    }

    pub fn memory(&self) -> u64 {
        let marked = (self.marked.capacity() as u64).saturating_mul(4);
        self.queue.memory().saturating_add(marked)
    }

    fn add(&mut self, commits: &mut Commits, number: Number) {
        self.queue.add(commits, number);
        self.marked.push(number);
        let queued = commits.flags(number) & QUEUED;
        commits.unset(number, QUEUED);
        commits.set(number, queued.wrapping_add(QUEUED_ONCE) & QUEUED);
        if !commits.has(number, STALE) {
            self.live = self.live.saturating_add(1);
        }
    }

    fn taken(&mut self, commits: &mut Commits, number: Number) {
        let queued = commits.flags(number) & QUEUED;
        commits.unset(number, QUEUED);
        commits.set(number, queued.saturating_sub(QUEUED_ONCE));
        if !commits.has(number, STALE) {
            self.live = self.live.saturating_sub(1);
        }
    }

    fn paint(&mut self, commits: &mut Commits, number: Number, flags: Flags) {
        if flags & STALE != 0 && !commits.has(number, STALE) {
            let queued = (commits.flags(number) & QUEUED) / QUEUED_ONCE;
            self.live = self.live.saturating_sub(queued.into());
        }
        commits.set(number, flags);
    }
}

/// Sorts commits by their dates, newest first; commits of the same date keep their order.
pub(super) fn sort_by_date(commits: &Commits, list: &mut [Number]) {
    sort::by(list, |one, other| commits.date(*other).cmp(&commits.date(*one)));
}

/// A sequence of paintings. A caller with several questions starts over when bytes are missing;
/// the paintings that are complete are not repeated.
#[derive(Default)]
pub(super) struct Paintings {
    done: Vec<Painted>,
    asked: usize,
    current: Option<Paint>,
}

impl Paintings {
    /// Starts over: the next question is the first one again.
    pub(super) fn begin(&mut self) {
        self.asked = 0;
    }

    /// Answers the next question of the sequence.
    ///
    /// # Errors
    ///
    /// As [`Paint::run`].
    pub(super) fn ask(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        question: PaintQuestion,
    ) -> Result<Painted> {
        if let Some(painted) = self.done.get(self.asked) {
            self.asked = self.asked.saturating_add(1);
            return Ok(painted.clone());
        }
        let mut paint = self.current.take().unwrap_or_else(|| Paint::new(commits, question));
        if let Err(error) = paint.run(commits, repository) {
            self.current = Some(paint);
            return Err(error);
        }
        let painted = paint.finish(commits);
        self.done.push(painted.clone());
        self.asked = self.asked.saturating_add(1);
        Ok(painted)
    }

    pub fn memory(&self) -> u64 {
        self.current.as_ref().map_or(0, Paint::memory)
    }
}
