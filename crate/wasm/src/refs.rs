//! Long answers about refs.

use crate::task::{Filling, LongAnswer};
use packlens::{CheckAvailable, RefList, RefLog, RefTable, Repository, Result};

impl LongAnswer for RefList {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for RefLog {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for RefTable {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for CheckAvailable {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        repository.check_available(self, filling.output).map(|()| true)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}
