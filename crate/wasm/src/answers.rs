//! Answers in the form of `git cat-file --batch`.

use crate::session::Session;
use crate::status;
use crate::task::{Task, TaskKind};
use packlens::{
    Append, BatchFormat, BatchMode, ErrorKind, ObjectId, ObjectList, Order, Output, Result,
};
use wasm_bindgen::prelude::*;

/// Sets the format of batch answers to the input; outputs whether it splits
/// requests, in one byte.
#[wasm_bindgen]
pub fn batch_format(session: u32) -> u32 {
    status::of(session, Session::batch_format)
}

/// Outputs the answer to a batch request: the first `name_length` bytes of the
/// input are the name, what follows is the rest. Bits: 1 with content, 2 behind
/// the output of the task `queue` instead.
#[wasm_bindgen]
pub fn answer(session: u32, name_length: u32, bits: u32, delimiter: u8, queue: u32) -> u32 {
    let queue = (bits & 2 != 0).then_some(queue);
    status::of(session, |session| {
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
    status::of(session, |session| session.answers(mode, crate::order(stored_order)))
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

impl Session {
    pub(crate) fn batch_format(&mut self) -> Result<()> {
        let format = BatchFormat::parse(&self.input)?;
        let splits = u8::from(format.uses_rest());
        self.format = Some(format);
        self.fresh_output().u8(splits)
    }

    /// Answers into the output, or behind what is in the queue.
    pub(crate) fn answer(
        &mut self,
        name_len: usize,
        mode: BatchMode,
        queue: Option<u32>,
    ) -> Result<()> {
        let kept = self.kept_output();
        let (name, rest) = self.input.split_at_checked(name_len).unwrap_or((&self.input, b""));
        let Some(format) = &self.format else {
            return Ok(());
        };
        let out = match queue {
            Some(number) => match self.tasks.get_mut(number as usize) {
                Some(Some(task)) => &mut task.output,
                _ => return Ok(()),
            },
            None => {
                self.output.clear(kept);
                &mut self.output
            }
        };
        self.repository.answer(name, rest, format, mode, out)
    }

    pub(crate) fn queue(&mut self) -> Result<()> {
        self.start(Task::new(TaskKind::Queue))
    }

    pub(crate) fn answers(&mut self, mode: BatchMode, order: Order) -> Result<()> {
        let Some(format) = self.format.clone() else {
            return self.queue();
        };
        let list = ObjectList::new(order);
        self.start(Task::new(TaskKind::Answers { list, format, mode }))
    }

    /// Leaves the object out that a task stands at, and outputs its id.
    pub(crate) fn pass(&mut self, number: u32) -> Result<()> {
        let mut passed = None;
        if let Some(Some(task)) = self.tasks.get_mut(number as usize) {
            if let TaskKind::Answers { list, .. } = &mut task.kind {
                passed = self.repository.listed(list, task.place.index)?;
                task.place.index = task.place.index.saturating_add(1);
            }
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

/// Answers for one object after the other until `capacity` bytes are there;
/// tells whether that was the last.
pub(crate) fn fill(
    repository: &mut packlens::Repository,
    (list, format, mode): (&mut ObjectList, &BatchFormat, BatchMode),
    index: &mut u32,
    capacity: usize,
    out: &mut Output,
) -> Result<bool> {
    while out.len() < capacity {
        let answered = repository.listed(list, *index).and_then(|id| match id {
            Some(id) => repository.answer_id(&id, b"", format, mode, out).map(|()| true),
            None => Ok(false),
        });
        match answered {
            Ok(true) => *index = index.saturating_add(1),
            Ok(false) => return Ok(true),
            // What is done goes out before the error is told.
            Err(error) if error.kind() != ErrorKind::Missing && !out.is_empty() => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}
