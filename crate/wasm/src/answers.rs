//! Answers in the form of `git cat-file --batch`.

use crate::session::Session;
use crate::task::{Task, TaskKind};
use packlens::{Append, BatchFormat, BatchMode, ErrorKind, ObjectId, Order, Output, Result};

/// Memory of one large object is not kept for the small ones after it.
const KEPT_OUTPUT: usize = 1 << 20;

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
        let (name, rest) = self
            .input
            .split_at_checked(name_len)
            .unwrap_or((&self.input, b""));
        let Some(format) = &self.format else {
            return Ok(());
        };
        let out = match queue {
            Some(number) => match self.tasks.get_mut(number as usize) {
                Some(Some(task)) => &mut task.output,
                _ => return Ok(()),
            },
            None => {
                self.output.clear(KEPT_OUTPUT);
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
        let ids = self.repository.list_objects(order)?;
        self.start(Task::new(TaskKind::Answers { ids, format, mode }))
    }

    /// Leaves the object out that a task stands at, and outputs its id.
    pub(crate) fn pass(&mut self, number: u32) -> Result<()> {
        let mut passed = None;
        if let Some(Some(task)) = self.tasks.get_mut(number as usize) {
            if let TaskKind::Answers { ids, .. } = &task.kind {
                passed = ids.get(task.place.index as usize).copied();
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
    (ids, format, mode): (&[ObjectId], &BatchFormat, BatchMode),
    index: &mut u32,
    capacity: usize,
    out: &mut Output,
) -> Result<bool> {
    while let Some(id) = ids.get(*index as usize) {
        if out.len() >= capacity {
            return Ok(false);
        }
        match repository.answer_id(id, b"", format, mode, out) {
            Ok(()) => *index = index.saturating_add(1),
            // What is done goes out before the error is told.
            Err(error) if error.kind() != ErrorKind::Missing && !out.is_empty() => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
