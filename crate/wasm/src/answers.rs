//! Answers in the form of `git cat-file --batch`.

use crate::session::{self, Session};
use crate::status;
use crate::task::{Filling, LongAnswer, Task};
use packlens::{
    AllAnswers, Answer, Append, BatchFormat, BatchMode, LargeAnswer, ObjectId, ObjectList, Order,
    Place, Repository, Result, Room,
};
use wasm_bindgen::prelude::*;

/// Sets the format of batch answers to the input; outputs whether it splits
/// requests, in one byte.
#[wasm_bindgen]
pub fn batch_format(session: u32) -> u32 {
    status::of(session, Session::batch_format)
}

/// Sets the filter of batch answers: see [`objects`](crate::objects).
#[wasm_bindgen]
pub fn batch_filter(session: u32, types: u32, least: f64, most: f64) {
    session::with(session, |session| session.filter = crate::filter(types, least, most));
}

/// Outputs the answer to a batch request: the first `name_length` bytes of the
/// input are the name, what follows is the rest. Bits: 1 with content, 2 behind
/// the output of the task `queue` instead. The status "more" means that the
/// answer is large: the output is the number of the task that makes it.
#[wasm_bindgen]
pub fn answer(session: u32, name_length: u32, bits: u32, delimiter: u8, queue: u32) -> u32 {
    let queue = (bits & 2 != 0).then_some(queue);
    status::more(session, |session| {
        session.answer(name_length as usize, batch_mode(bits, delimiter), queue)
    })
}

/// Begins a queue of answers; outputs the number of the task.
#[wasm_bindgen]
pub fn queue(session: u32) -> u32 {
    status::of(session, Session::queue)
}

/// Begins answers for all objects; outputs the number of the task.
#[wasm_bindgen]
pub fn answers(session: u32, bits: u32, delimiter: u8, stored_order: bool) -> u32 {
    let mode = batch_mode(bits, delimiter);
    let order = crate::order(stored_order, mode.contents);
    status::of(session, |session| session.answers(mode, order))
}

/// Leaves the object out that such answers stand at; outputs its id.
#[wasm_bindgen]
pub fn pass(session: u32, task: u32) -> u32 {
    status::of(session, |session| session.pass(task))
}

/// Outputs, in 4 bytes, how many digits of the id in the input are enough: at
/// least so many, with 0 as many as the size of the repository asks for.
#[wasm_bindgen]
pub fn abbreviate(session: u32, least: u32) -> u32 {
    status::of(session, |session| session.abbreviate(least))
}

fn batch_mode(bits: u32, delimiter: u8) -> BatchMode {
    BatchMode { contents: bits & 1 != 0, delimiter }
}

impl LongAnswer for AllAnswers {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        let Filling { capacity, output, place } = filling;
        self.fill(repository, place, Room::to_be_hashed(capacity), output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn pass(&mut self, repository: &mut Repository, place: &mut Place) -> Result<Option<ObjectId>> {
        self.pass(repository, place)
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

/// Answers to batch requests that come from outside.
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
    pub(crate) fn batch_format(&mut self) -> Result<()> {
        let format = BatchFormat::parse(&self.input)?;
        let splits = u8::from(format.uses_rest());
        self.format = Some(format);
        self.fresh_output().u8(splits)
    }

    /// Answers into the output, or behind what is in the queue; `false` if the
    /// answer is large, and a task makes it.
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

    pub(crate) fn queue(&mut self) -> Result<()> {
        self.start(Task::new(Box::new(Queue)))
    }

    pub(crate) fn answers(&mut self, mode: BatchMode, order: Order) -> Result<()> {
        let Some(format) = self.format.clone() else {
            return self.queue();
        };
        let list = ObjectList::new(order, self.filter);
        let answers = AllAnswers::new(list, format, mode);
        self.start(Task::new(Box::new(answers)))
    }

    /// Leaves the object out that a task stands at, and outputs its id.
    pub(crate) fn pass(&mut self, number: u32) -> Result<()> {
        let mut passed = None;
        if let Some(Some(task)) = self.tasks.get_mut(number as usize) {
            passed = task.answer.pass(&mut self.repository, &mut task.place)?;
        }
        let mut out = self.fresh_output();
        passed.iter().try_for_each(|id| out.oid(id))
    }

    /// Outputs how many digits of the id in the input are enough; a `least` of
    /// 0 leaves that to the size of the repository.
    pub(crate) fn abbreviate(&mut self, least: u32) -> Result<()> {
        let least = Some(least as usize).filter(|least| *least > 0);
        let digits = match ObjectId::from_hex(self.repository.hash(), &self.input) {
            Some(id) => self.repository.abbreviate(&id, least)?,
            None => self.input.len(),
        };
        self.fresh_output().u32(digits as u32)
    }
}
