//! Which commits lead to one of some others: git-for-each-ref(1), `--contains`.

use super::commits::{Commits, Flags, Number};
use crate::error::Result;
use crate::repository::Repository;

/// Tells of one commit after the other whether it leads to one of those wanted, or is
/// one. What is known of a commit stays noted: all questions are one walk, which comes
/// to each commit once, and to none of a lower generation than all that are wanted.
pub(super) struct Containing {
    /// It leads to one of them.
    yes: Flags,
    /// It leads to none. With both its parents are being looked at.
    no: Flags,
    min_generation: u64,
    /// The commits on the way down, and the parent that each goes on with.
    path: Vec<(Number, usize)>,
}

impl Containing {
    /// Begins. The wanted commits must be parsed; both flags must be free.
    pub(super) fn new(commits: &mut Commits, wanted: &[Number], [yes, no]: [Flags; 2]) -> Self {
        wanted.iter().for_each(|number| commits.set(*number, yes));
        let generations = wanted.iter().map(|number| commits.generation(*number));
        let min_generation = generations.min().unwrap_or(0);
        Containing { yes, no, min_generation, path: Vec::new() }
    }

    /// Tells whether a commit, which must be parsed, leads to one of those wanted;
    /// `None` if that is not known after so many steps: ask again.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and ask again. Those of reading.
    pub(super) fn leads(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        tip: Number,
        steps: &mut u32,
    ) -> Result<Option<bool>> {
        let both = self.yes | self.no;
        if self.path.first().is_none_or(|(first, _)| *first != tip) {
            // What another question left behind is not known.
            for (number, _) in self.path.drain(..) {
                commits.unset(number, both);
            }
            self.enter(commits, tip);
        }
        while let Some((number, at)) = self.path.last_mut() {
            if *steps == 0 {
                return Ok(None);
            }
            *steps = steps.saturating_sub(1);
            let parents = commits.parents(*number);
            let place = parents.start.saturating_add(*at);
            if place >= parents.end {
                commits.unset(*number, self.yes);
                self.path.pop();
                continue;
            }
            let parent = commits.edge(place);
            let known = commits.flags(parent) & both;
            if known == self.yes {
                commits.unset(*number, self.no);
                self.path.pop();
            } else if known != 0 {
                // One that is on the way itself is in a circle, which no history has.
                *at = at.saturating_add(1);
            } else {
                commits.parse(repository, parent)?;
                self.enter(commits, parent);
            }
        }
        Ok(Some(commits.has(tip, self.yes)))
    }

    /// Goes on to a commit that was parsed, unless it is known what it leads to.
    fn enter(&mut self, commits: &mut Commits, number: Number) {
        if commits.has(number, self.yes | self.no) {
            return;
        }
        if commits.generation(number) < self.min_generation {
            commits.set(number, self.no);
            return;
        }
        commits.set(number, self.yes | self.no);
        self.path.push((number, 0));
    }

    pub(super) fn memory(&self) -> u64 {
        (self.path.capacity() as u64).saturating_mul(16)
    }
}
