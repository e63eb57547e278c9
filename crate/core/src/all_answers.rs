//! Answers in the form of `git cat-file --batch-all-objects`.

use crate::appender::Output;
use crate::batch::{BatchCursor, Room};
use crate::cat_file::{Answer, BatchFormat, BatchMode, LargeAnswer};
use crate::error::{ErrorKind, Result};
use crate::odb::ObjectList;
use crate::oid::ObjectId;
use crate::repository::Repository;
use crate::unchecked::{Ended, Unchecked};

/// The least that is made at once of an answer that comes in chunks.
const LEAST_CHUNK: usize = 64 << 10;

/// Answers for the objects of a list, one after the other.
pub struct AllAnswers {
    list: ObjectList,
    format: BatchFormat,
    mode: BatchMode,
    /// The one that is being made, and which of the objects it is about.
    large: Option<(u32, Box<LargeAnswer>)>,
}

impl AllAnswers {
    /// Begins to answer.
    pub fn new(list: ObjectList, format: BatchFormat, mode: BatchMode) -> AllAnswers {
        AllAnswers { list, format, mode, large: None }
    }

    /// Answers from `place` on until there is no more `room`; tells whether that was the
    /// last. The last answer may take more. Of a large one that is not complete the place
    /// tells how many bytes were made.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; that of the object at `place`: what is before it is
    /// there, [`AllAnswers::pass`] goes on behind it.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        place: &mut BatchCursor,
        room: Room,
        out: &mut Output,
    ) -> Result<bool> {
        repository.read_checked(place, out, |repository, place, out, unchecked| {
            self.append(repository, place, room, unchecked, out)
        })
    }

    /// Leaves the object at `place` out, and returns its id.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn pass(
        &mut self,
        repository: &mut Repository,
        place: &mut BatchCursor,
    ) -> Result<Option<ObjectId>> {
        let passed = repository.listed(&mut self.list, place.index)?;
        place.index = place.index.saturating_add(1);
        Ok(passed)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let large = self.large.as_ref().map_or(0, |(_, answer)| answer.memory());
        self.list.memory().saturating_add(large)
    }

    fn append(
        &mut self,
        repository: &mut Repository,
        place: &mut BatchCursor,
        room: Room,
        unchecked: &mut Unchecked,
        out: &mut Output,
    ) -> Result<Ended> {
        let most = room.most.min(repository.most_output());
        loop {
            // Where one before it turned out to be damaged it is begun again.
            self.large = self.large.take().filter(|(index, _)| *index == place.index);
            if let Some((_, answer)) = &mut self.large {
                let filled = answer.fill(repository, room.enough.max(LEAST_CHUNK), out);
                place.skip = answer.made();
                if !filled? {
                    return Ok(Ended::Full);
                }
                self.large = None;
                *place = BatchCursor { index: place.index.saturating_add(1), skip: 0 };
            }
            let is_enough = out.len() >= room.enough.max(1) && unchecked.is_even();
            if is_enough || out.len() >= most {
                return Ok(Ended::Full);
            }
            if unchecked.is_enough(place.index) {
                return Ok(Ended::Unchecked);
            }
            let later = unchecked.defer_check(place.index).filter(|_| self.mode.contents);
            let later = later.map(|unchecked| (unchecked, place.index));
            let listed = repository.listed(&mut self.list, place.index);
            // As git, which looks at no object where only ids are wanted.
            let only_names = !self.mode.contents && self.format.is_of_names();
            let answered = listed.and_then(|id| match id {
                Some(id) if only_names => {
                    self.format.append_name(&id, self.mode.delimiter, out)?;
                    Ok(Some(Answer::Whole))
                }
                Some(id) => {
                    repository.answer_id(&id, b"", &self.format, self.mode, later, out).map(Some)
                }
                None => Ok(None),
            });
            match answered {
                Ok(Some(Answer::Whole)) => place.index = place.index.saturating_add(1),
                Ok(Some(Answer::Large(answer))) => self.large = Some((place.index, answer)),
                Ok(None) => return Ok(Ended::Last),
                // What is done goes out before the error is told.
                Err(error) if error.kind() != ErrorKind::Missing && !out.is_empty() => {
                    return Ok(Ended::Full);
                }
                Err(error) => return Err(error),
            }
        }
    }
}
