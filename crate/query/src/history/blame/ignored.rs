//! Commits that are ignored: what they changed is guessed to come from similar lines of their
//! parents.

use super::super::commits::{Commits, Number};
use super::super::tips::named_commit;
use super::lines::{moved, part_ignored, take_before, Lines, Parted};
use super::pass::Passing;
use super::Blame;
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::sort;
use packlens_diff::{Change, SimilarLines};
use std::collections::VecDeque;

/// The guess of where the lines of one origin come from in one parent, change by change.
pub(super) struct Guess {
    similar: SimilarLines,
    changes: Vec<Change>,
    /// The change that is worked on.
    at: usize,
    has_begun: bool,
    /// The lines that are left, in the order of the origin.
    rest: VecDeque<Lines>,
    /// The ends of the last change, in the parent and in the origin.
    ends: [u32; 2],
    parted: Parted,
}

impl Guess {
    /// Works on a change; returns whether all are done.
    fn step(&mut self) -> bool {
        let Some(change) = self.changes.get(self.at) else {
            let ends = self.ends;
            self.parted.passed.extend(self.rest.drain(..).map(|lines| moved(lines, ends)));
            return true;
        };
        if !self.has_begun {
            let unchanged = take_before(&mut self.rest, change.after.start as u32);
            let ends = self.ends;
            self.parted.passed.extend(unchanged.into_iter().map(|lines| moved(lines, ends)));
            self.similar.begin(change);
            self.has_begun = true;
        }
        if !self.similar.step() {
            return false;
        }
        for lines in take_before(&mut self.rest, change.after.end as u32) {
            let parted = part_ignored(lines, change.after.start as u32, self.similar.found());
            self.parted.passed.extend(parted.passed);
            self.parted.kept.extend(parted.kept);
        }
        self.ends = [change.before.end as u32, change.after.end as u32];
        self.at = self.at.saturating_add(1);
        self.has_begun = false;
        false
    }

    pub(super) fn memory(&self) -> u64 {
        let lines = self.rest.capacity().saturating_add(self.parted.passed.capacity());
        let lines = lines.saturating_add(self.parted.kept.capacity());
        let lines = lines.saturating_mul(size_of::<Lines>());
        let changes = self.changes.capacity().saturating_mul(size_of::<Change>());
        self.similar.memory().saturating_add(lines.saturating_add(changes) as u64)
    }
}

impl Blame {
    /// Finds the commits that are ignored.
    pub(super) fn find_ignored(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
    ) -> Result<()> {
        let specs = self.options.ignored.iter();
        let found: Result<Vec<Number>> =
            specs.map(|spec| named_commit(commits, repository, spec)).collect();
        self.ignored = found?;
        sort::by(&mut self.ignored, |one, other| one.cmp(other));
        Ok(())
    }

    pub(super) fn is_ignored(&self, origin: usize) -> bool {
        let commit = self.origins.get(origin).map(|origin| origin.commit);
        commit.is_some_and(|commit| self.ignored.binary_search(&commit).is_ok())
    }

    /// Passes the lines that are like lines of a parent's file; returns whether none are left.
    pub(super) fn guess(
        &mut self,
        repository: &mut Repository,
        commits: &Commits,
        passing: &mut Passing,
    ) -> Result<bool> {
        let from = passing.found.get(passing.at).copied().flatten();
        let (Some(from), Some(new)) = (from, self.origins.get(passing.origin)) else {
            return Ok(false);
        };
        let Some(old) = self.origins.get(from) else {
            return Ok(false);
        };
        let mut guess = match passing.guess.take() {
            Some(guess) => guess,
            None => {
                let blobs = [&old.blob, &new.blob];
                Guess {
                    changes: self.contents.changes(repository, blobs, &self.options.text)?,
                    similar: self.contents.similar(repository, blobs)?,
                    at: 0,
                    has_begun: false,
                    rest: new.lines.iter().copied().collect(),
                    ends: [0, 0],
                    parted: Parted::default(),
                }
            }
        };
        while !guess.step() {
            if let Err(pause) = repository.files.step() {
                passing.guess = Some(guess);
                return Err(pause);
            }
        }
        let Parted { mut passed, kept } = guess.parted;
        // A line may be like any line of the parent.
        sort::by(&mut passed, |one, other| one.origin_at.cmp(&other.origin_at));
        let is_done = kept.is_empty();
        if let Some(origin) = self.origins.get_mut(passing.origin) {
            origin.lines = kept;
        }
        self.give(commits, from, passed);
        Ok(is_done)
    }
}
