//! Pack indexes, and facts about the repository: counts, checks, its configuration.

use crate::task::{long_answers, Filling, LongAnswer};
use packlens::{ConfigList, CountObjects, Fsck, IndexPack, Repository, Result, ShowIndex};

impl LongAnswer for ShowIndex {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        0
    }
}

impl LongAnswer for CountObjects {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

long_answers!(ConfigList);
long_answers!(shared IndexPack, Fsck);
