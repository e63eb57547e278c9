//! Which commits some others reach: git-for-each-ref(1), `--merged`.

use super::commits::{Commits, Flags, Number};
use super::marks::{ahead, parse_parents};
use super::queue::Queue;
use crate::repository::Repository;
use packlens_base::error::Result;

/// Answers for one commit after the other whether the commits it began with reach it. All
/// questions are one walk, which visits no lower generation than the questions need; without
/// generation numbers it ends early only if all commits of the questions were reached.
pub(super) struct Merged {
    reached: Flags,
    queue: Queue,
}

impl Merged {
    /// Creates the walk from parsed commits; the flag must be unused.
    pub fn new(commits: &mut Commits, from: &[Number], reached: Flags) -> Merged {
        let mut merged = Merged { reached, queue: Queue::by_generation() };
        from.iter().for_each(|number| merged.reach(commits, *number));
        merged
    }

    /// Returns whether a commit, which must be parsed, is reached; `None` if `steps` ran out
    /// before that is known: call again.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    pub(super) fn is_reached(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        tip: Number,
        steps: &mut u32,
    ) -> Result<Option<bool>> {
        let lowest = commits.generation(tip);
        while !commits.has(tip, self.reached) {
            let next = self.queue.peek();
            let Some(number) = next.filter(|next| commits.generation(*next) >= lowest) else {
                return Ok(Some(false));
            };
            if *steps == 0 {
                return Ok(None);
            }
            *steps = steps.saturating_sub(1);
            parse_parents(commits, repository, number, usize::MAX, false)
                .map_err(|error| ahead(error, commits, repository, number, &self.queue))?;
            self.queue.pass();
            for place in commits.parents(number) {
                self.reach(commits, commits.edge(place));
            }
        }
        Ok(Some(true))
    }

    fn reach(&mut self, commits: &mut Commits, number: Number) {
        if !commits.has(number, self.reached) {
            commits.set(number, self.reached);
            self.queue.add(commits, number);
        }
    }

    pub fn memory(&self) -> u64 {
        self.queue.memory()
    }
}
