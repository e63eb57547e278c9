//! Walks over commits.

use crate::session::Session;
use crate::status;
use crate::task::{Filling, LongAnswer, Task};
use packlens::{
    Append, LinkRows, MergeBase, MergeBaseKind, Repository, Result, RevList, RevListOptions,
    RevOrder, Stretches,
};
use wasm_bindgen::prelude::*;

/// Begins a list of the commits that the specs in the input stand for, each spec
/// behind its length in 4 bytes; outputs the number of the task. Bits: 1 in the
/// order of dates, 2 of topology, 4 reverse, 8 first parents, 16 only how many, 32
/// merges, 64 no merges, 128 objects as well, 256 by bitmaps. A number below 0 is none.
#[wasm_bindgen]
pub fn rev_list(session: u32, bits: u32, skip: f64, limit: f64, since: f64, until: f64) -> u32 {
    let some = |number: f64| (number >= 0.0).then_some(number as u64);
    let options = RevListOptions {
        order: match (bits & 1, bits & 2) {
            (0, 0) => RevOrder::Default,
            (_, 0) => RevOrder::Date,
            _ => RevOrder::Topo,
        },
        reverse: bits & 4 != 0,
        first_parent: bits & 8 != 0,
        count: bits & 16 != 0,
        objects: bits & 128 != 0,
        use_bitmaps: bits & 256 != 0,
        skip: some(skip).unwrap_or(0),
        limit: some(limit),
        min_parents: if bits & 32 != 0 { 2 } else { 0 },
        max_parents: (bits & 64 != 0).then_some(1),
        since: some(since),
        until: some(until),
    };
    status::of(session, |session| session.rev_list(options))
}

/// Begins a question about the merge bases of the specs in the input, each behind
/// its length in 4 bytes; outputs the number of the task. The kind is 0 for those
/// of the first with all others, 1 octopus, 2 independent, 3 is-ancestor.
#[wasm_bindgen]
pub fn merge_base(session: u32, kind: u32) -> u32 {
    let kind = match kind {
        0 => MergeBaseKind::Common,
        1 => MergeBaseKind::Octopus,
        2 => MergeBaseKind::Independent,
        _ => MergeBaseKind::Ancestor,
    };
    status::of(session, |session| session.merge_base(kind))
}

/// Begins to tell what the commits in packs lead to, in stretches; outputs the number of
/// the task: see [`packlens::LinkRows`].
#[wasm_bindgen]
pub fn link_rows(session: u32) -> u32 {
    status::of(session, Session::link_rows)
}

/// Takes the rows in the input, which another instance told, for walks to go by until a
/// task ends; outputs 1 if there is memory for more, else 0, in a byte.
#[wasm_bindgen]
pub fn put_links(session: u32) -> u32 {
    status::of(session, Session::put_links)
}

impl LongAnswer for LinkRows {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn stretches(&mut self, repository: &mut Repository) -> Result<Option<Stretches>> {
        self.stretches(repository).map(Some)
    }

    fn claim(&mut self, stretch: Option<u32>) {
        if let Some(stretch) = stretch {
            self.claim(stretch);
        }
    }
}

impl LongAnswer for RevList {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
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
    fn rev_list(&mut self, options: RevListOptions) -> Result<()> {
        let list = RevList::new(self.specs(), options);
        self.start(Task::new(Box::new(list)))
    }

    fn link_rows(&mut self) -> Result<()> {
        let rows = LinkRows::new(&self.repository);
        self.start(Task::new(Box::new(rows)))
    }

    fn put_links(&mut self) -> Result<()> {
        self.settle(0);
        let has_room = self.repository.put_links(&self.input)?;
        self.fresh_output().u8(has_room.into())
    }

    fn merge_base(&mut self, kind: MergeBaseKind) -> Result<()> {
        let question = MergeBase::new(self.specs(), kind)?;
        self.start(Task::new(Box::new(question)))
    }
}
