//! Walks over commits.

use crate::session::Session;
use crate::status;
use crate::task::{long_answers, Filling, LongAnswer};
use packlens::{
    AheadBehind, Append, Blame, Describe, LastModified, LinkRows, MergeBase, NameRev, Repository,
    Result, RevList, WorkUnits,
};
use wasm_bindgen::prelude::*;

/// Stores the rows in the input, which another instance made, for walks until a task ends;
/// outputs a byte: 1 if there is memory for more rows, otherwise 0.
#[wasm_bindgen]
pub fn share_commits(session: u32) -> u32 {
    status::of(session, Session::share_commits)
}

impl LongAnswer for LinkRows {
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
        if let Some(work_unit) = work_unit {
            self.claim(work_unit);
        }
    }
}

long_answers!(RevList, LastModified, Blame, NameRev);

impl LongAnswer for Describe {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.output).map(|()| true)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for AheadBehind {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for MergeBase {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.answer(repository, filling.output).map(|()| true)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl Session {
    fn share_commits(&mut self) -> Result<()> {
        packlens::require_full()?;
        self.settle(0);
        let has_room = self.repository.share_commits(&self.input)?;
        self.fresh_output().u8(has_room.into())
    }
}
