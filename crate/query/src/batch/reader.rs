//! Reads the objects of a batch in rows, and in pieces where one does not fit.

use super::{BatchCursor, BatchPage, BatchRequest, BatchRequests, Fields, MIN_BATCH_LEN};
use crate::odb::{ObjectInfo, ReadHint};
use crate::repository::Repository;
use crate::row::{pad, Row, ROW_HEADER_LEN};
use crate::unchecked::{Ended, Unchecked};
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;

/// The result of appending one row.
pub(super) enum Appended {
    Whole,
    /// A piece was appended; the object continues after this many bytes of content.
    Piece(u64),
    /// There was no room.
    Nothing,
}

/// Reads a batch, one output after the other.
pub struct BatchReader {
    fields: Fields,
    unchecked: Unchecked,
    /// The object that is delivered in pieces.
    partial: Option<PartialObject>,
}

/// An object that did not fit, kept while it is delivered in pieces.
struct PartialObject {
    info: ObjectInfo,
    content: Output,
}

impl BatchReader {
    /// Creates a reader of these parts of objects.
    pub fn new(fields: Fields) -> BatchReader {
        BatchReader { fields, unchecked: Unchecked::default(), partial: None }
    }

    /// Returns the parts of objects that are read.
    pub fn fields(&self) -> Fields {
        self.fields
    }

    /// Returns how many bytes of memory the reader takes.
    pub fn memory(&self) -> u64 {
        self.partial.as_ref().map_or(0, |partial| partial.content.capacity() as u64)
    }

    /// Appends a row to the page for each request from its place on. The output gets no longer
    /// than `room.most`, or a quarter of the memory ceiling; after `room.enough` bytes no further
    /// row is started. Returns whether all requests are answered.
    ///
    /// A spec with no object or several gets a row that says so, as does a damaged object. An
    /// object that does not fit an empty buffer is delivered in pieces.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if `room.most` is below [`MIN_BATCH_LEN`]; missing files and
    /// bytes: provide them and continue from that place.
    pub fn read(
        &mut self,
        repository: &mut Repository,
        requests: &mut dyn BatchRequests,
        mut page: BatchPage<'_>,
    ) -> Result<bool> {
        if page.room.most < MIN_BATCH_LEN {
            let what = "the buffer is too small for the header of a row";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        self.unchecked.begin(repository);
        loop {
            let ended = self.read_rows(repository, requests, &mut page);
            if self.unchecked.match_their_ids(repository, page.place, page.out) {
                if let Some(done) = ended?.is_last() {
                    return Ok(done);
                }
            }
        }
    }

    /// Reads rows until there is no more room, or enough contents wait to be hashed.
    fn read_rows(
        &mut self,
        repository: &mut Repository,
        requests: &mut dyn BatchRequests,
        page: &mut BatchPage<'_>,
    ) -> Result<Ended> {
        let BatchPage { place, room, out } = page;
        let most = room.most.min(repository.most_output());
        while let Some((index, next)) = requests.get(repository, place.index)? {
            repository.files.step()?;
            let left = most.saturating_sub(out.len());
            let is_enough = out.len() >= room.enough && self.unchecked.is_even();
            if left < ROW_HEADER_LEN || is_enough {
                return Ok(Ended::Full);
            }
            if self.unchecked.is_enough(place.index) {
                return Ok(Ended::Unchecked);
            }
            let appended = self.append(repository, (&next, index), **place, left, out);
            let is_planned = matches!(next, BatchRequest::Id(..));
            let from = place.index;
            let row = appended.map_err(|error| {
                let ahead = |at| requests.ahead(from.saturating_add(at));
                repository.entries_ahead(error, is_planned, ahead)
            });
            match row? {
                Appended::Whole => {
                    **place = BatchCursor { index: place.index.saturating_add(1), skip: 0 };
                    repository.files.advance();
                }
                Appended::Piece(done) => {
                    place.skip = done;
                    return Ok(Ended::Full);
                }
                Appended::Nothing => return Ok(Ended::Full),
            }
        }
        Ok(Ended::Last)
    }

    /// Appends the row of a request, given its index.
    fn append(
        &mut self,
        repository: &mut Repository,
        (request, index): (&BatchRequest<'_>, u32),
        place: BatchCursor,
        room: usize,
        out: &mut Output,
    ) -> Result<Appended> {
        let asked = match request {
            BatchRequest::Id(id, hint) => Ok((*id, *hint)),
            BatchRequest::Spec(spec) => {
                repository.resolve(spec).map(|id| (id, ReadHint::default()))
            }
        };
        let row = asked.and_then(|(id, hint)| {
            let (asked, fields) = ((&id, &hint), self.fields);
            let later = self.unchecked.defer_check(place.index).filter(|_| fields.content);
            let later = later.map(|unchecked| (unchecked, place.index));
            if place.skip == 0 && repository.object_row(asked, index, fields, room, later, out)? {
                return Ok(Appended::Whole);
            }
            match out.is_empty() {
                true => self.piece(repository, asked, (index, place.skip), room, out),
                false => Ok(Appended::Nothing),
            }
        });
        row.or_else(|error| repository.other_row(error, request, index, room, out))
    }

    /// Appends the next piece of an object, as long as there is room for. The piece begins
    /// after `skip` bytes of the content.
    #[inline(never)]
    fn piece(
        &mut self,
        repository: &mut Repository,
        asked: (&ObjectId, &ReadHint<'_>),
        (index, skip): (u32, u64),
        room: usize,
        out: &mut Output,
    ) -> Result<Appended> {
        let partial = match self.partial.take().filter(|partial| partial.info.id == *asked.0) {
            Some(partial) => partial,
            None => {
                let mut content = Output::default();
                let info = repository.append_object(
                    asked,
                    self.fields,
                    repository.verify,
                    &mut content.appender(),
                    &mut |_, _| Ok(()),
                )?;
                repository.odb.save_bases(&content);
                PartialObject { info, content }
            }
        };
        let size = partial.info.size;
        let room = room.saturating_sub(ROW_HEADER_LEN) & !7;
        let length = size.saturating_sub(skip).min(room as u64);
        let end = skip.saturating_add(length);
        let content = usize::try_from(skip)
            .ok()
            .zip(usize::try_from(end).ok())
            .and_then(|(start, end)| partial.content.as_slice().get(start..end))
            .unwrap_or_default();
        let mut row = Row::of_object(index, partial.info);
        (row.from, row.length) = (skip, length);
        let mut appender = out.appender();
        row.write(&mut appender)?;
        appender.bytes(content)?;
        pad(&mut appender, length)?;
        if end < size {
            self.partial = Some(partial);
            return Ok(Appended::Piece(end));
        }
        Ok(Appended::Whole)
    }
}
