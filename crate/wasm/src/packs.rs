//! Pack indexes, and facts about the repository: counts, checks, its configuration.

use crate::task::{long_answers, Filling, LongAnswer};
use packlens::{
    ConfigList, CountObjects, Fsck, IndexPack, Repository, Result, ShowIndex, WorkUnits,
};

impl LongAnswer for IndexPack {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn work_units(&mut self, repository: &mut Repository) -> Result<Option<WorkUnits>> {
        self.work_units(repository).map(Some)
    }

    fn claim(&mut self, work_unit: Option<u32>) {
        self.claim(work_unit);
    }

    fn put(&mut self, results: &[u8]) {
        self.put(results);
    }
}

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

impl LongAnswer for Fsck {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn work_units(&mut self, repository: &mut Repository) -> Result<Option<WorkUnits>> {
        self.work_units(repository).map(Some)
    }

    fn claim(&mut self, work_unit: Option<u32>) {
        self.claim(work_unit);
    }

    fn put(&mut self, results: &[u8]) {
        self.put(results);
    }
}

long_answers!(ConfigList);
