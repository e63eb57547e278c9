//! Which commits reach one of some other commits: git-for-each-ref(1), `--contains`.

use super::commits::{Commits, Flags, Number};
use crate::repository::Repository;
use packlens_base::error::Result;

/// Answers for one commit after the other whether it reaches a target, or is one.
/// Answers stay marked on the commits, so all questions are one walk: it visits each commit
/// once, and none of a lower generation than all targets.
pub(super) struct Containing {
    /// The mark of a commit that reaches a target.
    yes: Flags,
    /// The mark of a commit that reaches none. Both marks together: its parents are being
    /// visited.
    no: Flags,
    min_generation: u64,
    /// The commits from the question down to the one that is visited now, each with the index
    /// of the parent that it continues with.
    path: Vec<(Number, usize)>,
}

impl Containing {
    /// Creates the walk. The targets must be parsed; both flags must be unused.
    pub fn new(commits: &mut Commits, targets: &[Number], [yes, no]: [Flags; 2]) -> Self {
        targets.iter().for_each(|number| commits.set(*number, yes));
        let generations = targets.iter().map(|number| commits.generation(*number));
        let min_generation = generations.min().unwrap_or(0);
        Containing { yes, no, min_generation, path: Vec::new() }
    }

    /// Returns whether a commit, which must be parsed, reaches a target; `None` if
    /// `steps` ran out before that is known: call again.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    pub(super) fn leads(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        tip: Number,
        steps: &mut u32,
    ) -> Result<Option<bool>> {
        let both = self.yes | self.no;
        if self.path.first().is_none_or(|(first, _)| *first != tip) {
            // The marks of an unfinished question are no answers.
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
                // A commit of the path that is reached again would close a cycle, which no
                // history has.
                *at = at.saturating_add(1);
            } else {
                commits.parse(repository, parent)?;
                self.enter(commits, parent);
            }
        }
        Ok(Some(commits.has(tip, self.yes)))
    }

    /// Continues with a parsed commit, unless its answer is known.
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

    pub fn memory(&self) -> u64 {
        (self.path.capacity() as u64).saturating_mul(16)
    }
}
