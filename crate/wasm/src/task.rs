//! Tasks: long answers that are returned a buffer at a time.

use packlens::{BatchCursor, Fields, ObjectId, Output, Repository, Result, WorkUnits};

/// A long answer, its output, and its position.
pub(crate) struct Task {
    pub(crate) output: Output,
    pub(crate) place: BatchCursor,
    pub(crate) answer: Box<dyn LongAnswer>,
}

/// The work of a task. Each kind is implemented in the module that begins it.
pub(crate) trait LongAnswer {
    /// Fills the output until it is about `capacity` bytes long; returns whether the answer is
    /// complete.
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool>;

    /// Returns how many bytes of memory this takes, not counting memory that is proportional to
    /// the depth of trees.
    fn memory(&self) -> u64;

    /// Splits the task into work units; `None` if it cannot be shared.
    fn work_units(&mut self, _repository: &mut Repository) -> Result<Option<WorkUnits>> {
        Ok(None)
    }

    /// Claims a work unit; `None` says that there are no more work units.
    fn claim(&mut self, _work_unit: Option<u32>) {}

    /// Adds results of another instance.
    fn put(&mut self, _results: &[u8]) {}

    /// Skips the next object, and returns its id.
    fn skip_object(
        &mut self,
        _repository: &mut Repository,
        _place: &mut BatchCursor,
    ) -> Result<Option<ObjectId>> {
        Ok(None)
    }

    /// Returns whether this is a batch that is not complete.
    fn is_unfinished_batch(&self, _place: BatchCursor) -> bool {
        false
    }

    /// Returns whether this is a batch of these specs.
    fn is_batch_of(&self, _specs: &[u8], _fields: Fields, _in_pack_order: bool) -> bool {
        false
    }
}

/// Implements [`LongAnswer`] by the methods that answers have themselves; after `shared`, of those
/// whose work units several instances make.
macro_rules! long_answers {
    (shared $($answer:ty),+) => {$(
        $crate::task::long_answers!(@one $answer {
            fn work_units(
                &mut self,
                repository: &mut packlens::Repository,
            ) -> packlens::Result<Option<packlens::WorkUnits>> {
                self.work_units(repository).map(Some)
            }

            fn claim(&mut self, work_unit: Option<u32>) {
                self.claim(work_unit);
            }

            fn put(&mut self, results: &[u8]) {
                self.put(results);
            }
        });
    )+};
    (@one $answer:ty { $($more:tt)* }) => {
        impl $crate::task::LongAnswer for $answer {
            fn fill(
                &mut self,
                repository: &mut packlens::Repository,
                filling: $crate::task::Filling<'_>,
            ) -> packlens::Result<bool> {
                self.fill(repository, filling.capacity, filling.output)
            }

            fn memory(&self) -> u64 {
                self.memory()
            }

            $($more)*
        }
    };
    ($($answer:ty),+ $(,)?) => {$(
        $crate::task::long_answers!(@one $answer {});
    )+};
}
pub(crate) use long_answers;

/// The destination of an answer.
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
