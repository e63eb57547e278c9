//! Answers in the format of `git cat-file --batch-all-objects`.

use crate::batch::{BatchCursor, BatchPage};
use crate::cat_file::{Answer, BatchFormat, BatchMode, LargeAnswer};
use crate::odb::ObjectList;
use crate::repository::Repository;
use crate::unchecked::{Ended, Unchecked};
use packlens_base::error::{ErrorKind, Result};
use packlens_base::oid::ObjectId;

/// The least number of bytes that are made at once of an answer in chunks.
const LEAST_CHUNK: usize = 64 << 10;

/// The answers for the objects of a list, one by one.
pub struct AllAnswers {
    list: ObjectList,
    format: BatchFormat,
    mode: BatchMode,
    /// The unfinished large answer, and the index of its object.
    large: Option<(u32, Box<LargeAnswer>)>,
    unchecked: Unchecked,
}

impl AllAnswers {
    /// Creates the answers for a list.
    pub fn new(list: ObjectList, format: BatchFormat, mode: BatchMode) -> AllAnswers {
        AllAnswers { list, format, mode, large: None, unchecked: Unchecked::default() }
    }

    /// Appends answers to the page, from its place on, until there is no more room; returns
    /// whether all are complete. The last answer may exceed the room. For an incomplete large
    /// answer, the place has the number of bytes made.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; the error of the object at the place: the answers before it are
    /// in the output, and [`AllAnswers::skip_object`] skips the object.
    pub fn fill(&mut self, repository: &mut Repository, mut page: BatchPage<'_>) -> Result<bool> {
        self.unchecked.begin(repository);
        loop {
            let ended = self.append(repository, &mut page);
            if self.unchecked.match_their_ids(repository, page.place, page.out) {
                if let Some(done) = ended?.is_last() {
                    return Ok(done);
                }
            }
        }
    }

    /// Skips the object at `place`, and returns its id.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn skip_object(
        &mut self,
        repository: &mut Repository,
        place: &mut BatchCursor,
    ) -> Result<Option<ObjectId>> {
        let skipped = repository.listed(&mut self.list, place.index)?;
        place.index = place.index.saturating_add(1);
        Ok(skipped)
    }

    /// Returns how many bytes of memory the answers take.
    pub fn memory(&self) -> u64 {
        let large = self.large.as_ref().map_or(0, |(_, answer)| answer.memory());
        self.list.memory().saturating_add(large)
    }

    fn append(&mut self, repository: &mut Repository, page: &mut BatchPage<'_>) -> Result<Ended> {
        let BatchPage { place, room, out } = page;
        let most = room.most.min(repository.most_output());
        loop {
            // If an earlier object turned out to be damaged, the large answer starts again.
            self.large = self.large.take().filter(|(index, _)| *index == place.index);
            if let Some((_, answer)) = &mut self.large {
                let filled = answer.fill(repository, room.enough.max(LEAST_CHUNK), out);
                place.skip = answer.made();
                if !filled? {
                    return Ok(Ended::Full);
                }
                self.large = None;
                **place = BatchCursor { index: place.index.saturating_add(1), skip: 0 };
            }
            let is_enough = out.len() >= room.enough.max(1) && self.unchecked.is_even();
            if is_enough || out.len() >= most {
                return Ok(Ended::Full);
            }
            if self.unchecked.is_enough(place.index) {
                return Ok(Ended::Unchecked);
            }
            let contents = self.mode.contents;
            let later = self.unchecked.defer_check(place.index).filter(|_| contents);
            let later = later.map(|unchecked| (unchecked, place.index));
            let (odb, files) = (&mut repository.odb, &mut repository.files);
            let listed = self.list.get(odb, files, place.index);
            // If only ids are requested, objects are not read, as in git.
            let only_names = !self.mode.contents && self.format.is_of_names();
            let answered = listed.and_then(|found| match found {
                Some((id, _)) if only_names => {
                    self.format.append_name(&id, self.mode.delimiter, out)?;
                    Ok(Some(Answer::Whole))
                }
                Some((id, hint)) => repository
                    .answer_id((&id, &hint), b"", &self.format, self.mode, later, out)
                    .map(Some),
                None => Ok(None),
            });
            match answered {
                Ok(Some(Answer::Whole)) => place.index = place.index.saturating_add(1),
                Ok(Some(Answer::Large(answer))) => self.large = Some((place.index, answer)),
                Ok(None) => return Ok(Ended::Last),
                // The finished answers are handed over before the error is reported.
                Err(error) if error.kind() != ErrorKind::Missing && !out.is_empty() => {
                    return Ok(Ended::Full);
                }
                Err(error) => return Err(error),
            }
        }
    }
}
