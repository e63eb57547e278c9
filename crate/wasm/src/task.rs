//! Long answers, handed over a buffer at a time.

use packlens::{BatchCursor, Fields, ObjectId, Output, Repository, Result, Stretches};

/// A long answer, its output, and where it stands.
pub(crate) struct Task {
    pub(crate) output: Output,
    pub(crate) place: BatchCursor,
    pub(crate) answer: Box<dyn LongAnswer>,
}

/// What a task does. Each kind is implemented where it is begun.
pub(crate) trait LongAnswer {
    /// Goes on until the output is `capacity` bytes long; tells whether that was
    /// the last.
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool>;

    /// Returns how many bytes of memory this takes, but for what is in proportion
    /// to the depth of trees.
    fn memory(&self) -> u64;

    /// Has this made in stretches; `None` if it cannot be.
    fn stretches(&mut self, _repository: &mut Repository) -> Result<Option<Stretches>> {
        Ok(None)
    }

    /// Goes on with a stretch, or with what comes behind them all.
    fn claim(&mut self, _stretch: Option<u32>) {}

    /// Takes in what another instance tells.
    fn put(&mut self, _told: &[u8]) {}

    /// Leaves the object out that this stands at, and returns its id.
    fn pass(
        &mut self,
        _repository: &mut Repository,
        _place: &mut BatchCursor,
    ) -> Result<Option<ObjectId>> {
        Ok(None)
    }

    /// Tells whether this is a batch that is not done.
    fn is_unfinished_batch(&self, _place: BatchCursor) -> bool {
        false
    }

    /// Tells whether this is a batch of these specs.
    fn is_batch_of(&self, _specs: &[u8], _wanted: Fields, _in_pack_order: bool) -> bool {
        false
    }
}

/// What an answer goes into.
pub(crate) struct Filling<'a> {
    pub(crate) capacity: usize,
    pub(crate) output: &'a mut Output,
    pub(crate) place: &'a mut BatchCursor,
}

impl Task {
    pub(crate) fn new(answer: Box<dyn LongAnswer>) -> Task {
        Task { output: Output::default(), place: BatchCursor::default(), answer }
    }

    pub(crate) fn is_unfinished_batch(&self) -> bool {
        self.answer.is_unfinished_batch(self.place)
    }

    pub(crate) fn memory(&self) -> u64 {
        self.answer.memory().saturating_add(self.output.capacity() as u64)
    }

    pub(crate) fn fill(&mut self, repository: &mut Repository, capacity: usize) -> Result<bool> {
        let filling = Filling { capacity, output: &mut self.output, place: &mut self.place };
        self.answer.fill(repository, filling)
    }
}
