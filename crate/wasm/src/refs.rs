//! Long answers about refs.

use crate::task::{long_answers, Filling, LongAnswer};
use packlens::{CheckAvailable, RefList, RefLog, RefTable, Repository, Result};

long_answers!(RefList, RefLog, RefTable);

impl LongAnswer for CheckAvailable {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        repository.check_available(self, filling.output).map(|()| true)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}
