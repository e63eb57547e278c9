//! Answers to batch requests, in the form of `git cat-file --batch`.

use crate::objects::order;
use crate::session::Session;
use crate::status;
use crate::task::{Filling, LongAnswer, Task};
use packlens::{
    require_full, AllAnswers, Answer, Append, BatchCursor, BatchFormat, BatchMode, BatchPage,
    FullOnly, LargeAnswer, ObjectId, ObjectList, Order, Repository, Result, Room,
};
use wasm_bindgen::prelude::*;

const CONTENTS: u8 = 1;
const QUEUED: u8 = 2;

/// The flags of [`answer`]: the word and the bit of each.
#[cfg(test)]
pub(crate) const ANSWER_FLAGS: [(&str, u8); 2] = [("contents", CONTENTS), ("queued", QUEUED)];

/// Outputs the answer to a batch request. The first `name_length` bytes of the input are the
/// name; the bytes after it are the rest of the request. Of `ANSWER_FLAGS`, `contents` adds
/// the content, and `queued` appends the answer to the output of the task `queue` instead. If
/// the answer is large the status is "more", and the output is the number of the task that
/// makes it.
#[wasm_bindgen]
pub fn answer(session: u32, name_length: u32, flags: u8, delimiter: u8, queue: u32) -> u32 {
    let queue = (flags & QUEUED != 0).then_some(queue);
    status::more(session, |session| {
        require_full()?;
        session.answer(name_length as usize, batch_mode(flags, delimiter), queue)
    })
}

/// Skips the next object of a task of [`AllAnswers`]; outputs its id.
#[wasm_bindgen]
pub fn skip_object(session: u32, task: u32) -> u32 {
    status::of(session, |session| {
        require_full()?;
        session.skip_object(task)
    })
}

fn batch_mode(flags: u8, delimiter: u8) -> BatchMode {
    BatchMode { contents: flags & CONTENTS != 0, delimiter }
}

impl LongAnswer for AllAnswers {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        let Filling { capacity, output, place } = filling;
        let room = Room::to_be_hashed(capacity);
        self.fill(repository, BatchPage { place, room, out: output })
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn skip_object(
        &mut self,
        repository: &mut Repository,
        place: &mut BatchCursor,
    ) -> Result<Option<ObjectId>> {
        self.skip_object(repository, place)
    }
}

impl LongAnswer for LargeAnswer {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

/// Collects answers to batch requests that the caller sends one by one.
struct Queue;

impl LongAnswer for Queue {
    fn fill(&mut self, _repository: &mut Repository, _filling: Filling<'_>) -> Result<bool> {
        Ok(true)
    }

    fn memory(&self) -> u64 {
        0
    }
}

impl Session {
    pub(crate) fn batch_format(&mut self, format: &[u8]) -> Result<()> {
        let format = BatchFormat::parse(format)?;
        let splits = u8::from(format.uses_rest());
        self.format = Some(FullOnly::new(|| format)?);
        self.fresh_output().u8(splits)
    }

    /// Writes the answer to the output, or appends it to the queue; returns `false` if the
    /// answer is large and a task was started for it.
    pub(crate) fn answer(
        &mut self,
        name_len: usize,
        mode: BatchMode,
        queue: Option<u32>,
    ) -> Result<bool> {
        let kept = self.kept_output();
        let (name, rest) = self.input.split_at_checked(name_len).unwrap_or((&self.input, b""));
        let Some(format) = &self.format else {
            return Ok(true);
        };
        let out = match queue {
            Some(number) => match self.tasks.get_mut(number as usize) {
                Some(Some(task)) => &mut task.output,
                _ => return Ok(true),
            },
            None => {
                self.output.clear(kept);
                &mut self.output
            }
        };
        match self.repository.answer(name, rest, format, mode, &self.filter, out)? {
            Answer::Whole => Ok(true),
            Answer::Large(answer) => {
                self.start(Task::new(answer))?;
                Ok(false)
            }
        }
    }

    pub(crate) fn queue(&mut self) -> Result<Task> {
        Ok(Task::new(Box::new(Queue)))
    }

    pub(crate) fn answers(&mut self, mode: BatchMode, stored_order: bool) -> Result<Task> {
        let Some(format) = self.format.as_deref().cloned() else {
            return self.queue();
        };
        let order = match order(stored_order, mode.contents) {
            Order::SortedInfo if format.is_of_names() => Order::Sorted,
            order => order,
        };
        let list = ObjectList::new(order, self.filter);
        Ok(Task::new(Box::new(AllAnswers::new(list, format, mode))))
    }

    /// Skips the next object of a task, and outputs its id.
    pub(crate) fn skip_object(&mut self, number: u32) -> Result<()> {
        let mut skipped = None;
        if let Some(Some(task)) = self.tasks.get_mut(number as usize) {
            skipped = task.answer.skip_object(&mut self.repository, &mut task.place)?;
        }
        let mut out = self.fresh_output();
        skipped.iter().try_for_each(|id| out.oid(id))
    }
}
