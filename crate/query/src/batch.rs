//! Reads many objects into one buffer, and resumes when it was full.

use crate::odb::{Head, Location, ObjectInfo, ObjectList, Plan, Planned, ReadHint, Verify};
use crate::repository::Repository;
use crate::row::{pad, padding, Row, RowKind, ROW_HEADER_LEN};
use crate::unchecked::{Ended, Unchecked};
use packlens_base::appender::{Append, Appender, Filler, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::ObjectType;

/// The smallest buffer that can be filled, in bytes: a row's header and some content.
pub const MIN_BATCH_LEN: usize = ROW_HEADER_LEN + 8;

/// The parts of an object that are requested.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Fields {
    /// The content.
    pub content: bool,
    /// The disk size and the delta base, which take the order of the whole pack.
    pub storage: bool,
}

/// The position of a batch: the current spec, and how many bytes of its content were
/// delivered.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BatchCursor {
    /// The index of the spec.
    pub index: u32,
    /// The number of delivered bytes of its content.
    pub skip: u64,
}

/// An object that did not fit, kept while it is delivered in pieces.
pub(crate) struct PartialObject {
    info: ObjectInfo,
    content: Output,
}

impl PartialObject {
    /// Returns how many bytes of memory the object takes.
    pub fn memory(&self) -> u64 {
        self.content.capacity() as u64
    }
}

/// How far an output is filled, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The most bytes in the output.
    pub most: usize,
    /// The length at which the output is handed over, unless a few more objects can be hashed
    /// together with the last.
    pub enough: usize,
}

impl Room {
    /// Fills the output as far as possible.
    pub fn all(most: usize) -> Room {
        Room { most, enough: most }
    }

    /// Fills so little that recent objects stay in the processor's cache as bases for the
    /// next, with room left for large objects to be hashed together.
    pub fn to_be_hashed(most: usize) -> Room {
        Room { most, enough: most / 16 }
    }
}

/// One requested object.
#[derive(Clone, Copy)]
pub enum BatchRequest<'s> {
    /// A revision, to be resolved.
    Spec(&'s [u8]),
    /// An object id, and how the object is read.
    Id(ObjectId, ReadHint<'s>),
}

/// The requests of a batch.
pub trait BatchRequests {
    /// Returns the request at an index, and the index for its row; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    fn get(
        &mut self,
        repository: &mut Repository,
        at: u32,
    ) -> Result<Option<(u32, BatchRequest<'_>)>>;

    /// Returns the object of a later request, if it is known, so that its bytes are prefetched
    /// from high-latency files.
    fn ahead(&self, _at: u32) -> Option<ObjectId> {
        None
    }
}

impl BatchRequests for ObjectList {
    fn get(
        &mut self,
        repository: &mut Repository,
        at: u32,
    ) -> Result<Option<(u32, BatchRequest<'_>)>> {
        let found = self.get(&mut repository.odb, &mut repository.files, at)?;
        Ok(found.map(|(id, hint)| (at, BatchRequest::Id(id, hint))))
    }
}

/// The objects of specs, in the order of a plan if there is one.
pub struct SpecRequests<'s> {
    /// The specs.
    pub specs: &'s [Vec<u8>],
    /// The plan. The reader makes none.
    pub plan: Option<&'s FullOnly<Box<Plan>>>,
    /// The hash algorithm of the object ids.
    pub hash: HashKind,
}

impl BatchRequests for SpecRequests<'_> {
    fn get(&mut self, _: &mut Repository, at: u32) -> Result<Option<(u32, BatchRequest<'_>)>> {
        let spec = |index: u32| Some((index, BatchRequest::Spec(self.specs.get(index as usize)?)));
        Ok(match self.plan.map(|plan| (plan, plan.at(at as usize))) {
            None => spec(at),
            Some((plan, Some((index, Some(id))))) => {
                Some((index, BatchRequest::Id(id, plan.hint(at as usize))))
            }
            Some((_, Some((index, None)))) => spec(index),
            Some((_, None)) => None,
        })
    }

    fn ahead(&self, at: u32) -> Option<ObjectId> {
        let (index, id) = match self.plan {
            Some(plan) => plan.at(at as usize)?,
            None => (at, None),
        };
        id.or_else(|| ObjectId::from_hex(self.hash, self.specs.get(index as usize)?))
    }
}

/// The result of appending one row.
enum Appended {
    Whole,
    /// A piece was appended; the object continues after this many bytes of content.
    Piece(u64),
    /// There was no room.
    Nothing,
}

impl Repository {
    /// Appends one object in a row of its own to `out`: the object that a revision stands for,
    /// or the object of a type that it peels to.
    ///
    /// # Errors
    ///
    /// The errors of [`Repository::resolve`] and [`Repository::resolve_to`], and of reading.
    pub fn read_row(
        &mut self,
        spec: &[u8],
        object_type: Option<ObjectType>,
        fields: Fields,
        out: &mut Output,
    ) -> Result<()> {
        let id = match object_type {
            Some(object_type) => self.resolve_to(spec, object_type)?,
            None => self.resolve(spec)?,
        };
        let asked = (&id, &ReadHint::default());
        self.object_row(asked, 0, fields, usize::MAX, None, out).map(|_| ())
    }

    /// Plans the best order to read the objects of specs, with their contents or without.
    /// Specs without an object come first.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    #[inline(never)]
    pub fn plan(&mut self, plan: &mut Plan, specs: &[Vec<u8>], contents: bool) -> Result<()> {
        while let Some(spec) = specs.get(plan.found()) {
            self.files.step()?;
            let (id, place) = match self.placed(spec) {
                Ok((id, Some(Location::Packed { pack, offset }))) => {
                    (Some(id), Some((pack, offset)))
                }
                Err(error) if error.is_missing() => {
                    let rest = specs.get(plan.found()..).unwrap_or_default();
                    let hash = self.hash();
                    return Err(self.looking_ahead(error, |at| {
                        ObjectId::from_hex(hash, rest.get(at as usize)?)
                    }));
                }
                _ => (None, None),
            };
            let index = u32::try_from(plan.found()).unwrap_or(u32::MAX);
            plan.add(Planned { index, id, place, bases_first: false });
        }
        self.odb.plan(&mut self.files, plan, contents)
    }

    /// Not inlined: engines that compile by use make a function fast once it was called often,
    /// here while the loop over all specs still runs.
    #[inline(never)]
    fn placed(&mut self, spec: &[u8]) -> Result<(ObjectId, Option<Location>)> {
        let id = self.resolve(spec)?;
        Ok((id, self.odb.find(&mut self.files, &id)?))
    }

    /// Appends a row to `out` for each request from `place` on. The output gets no longer than
    /// `room.most`, or a quarter of the memory ceiling; after `room.enough` bytes no further
    /// row is started. Returns whether all requests are answered.
    ///
    /// A spec with no object or several gets a row that says so, as does a damaged object. An
    /// object that does not fit an empty buffer is delivered in pieces.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if `room.most` is below [`MIN_BATCH_LEN`]; missing files and
    /// bytes: provide them and continue from `place`.
    pub fn read_batch(
        &mut self,
        requests: &mut dyn BatchRequests,
        place: &mut BatchCursor,
        fields: Fields,
        room: Room,
        out: &mut Output,
    ) -> Result<bool> {
        if room.most < MIN_BATCH_LEN {
            let what = "the buffer is too small for the header of a row";
            return Err(Error::new(ErrorKind::BadInput, what));
        }
        self.read_checked(place, out, |repository, place, out, unchecked| {
            repository.read_rows(requests, place, fields, room, unchecked, out)
        })
    }

    /// Reads rows until there is no more room, or enough contents wait to be hashed.
    #[allow(clippy::too_many_arguments, reason = "all of them are those of `read_batch`")]
    fn read_rows(
        &mut self,
        requests: &mut dyn BatchRequests,
        place: &mut BatchCursor,
        fields: Fields,
        room: Room,
        unchecked: &mut Unchecked,
        out: &mut Output,
    ) -> Result<Ended> {
        let most = room.most.min(self.most_output());
        while let Some((index, next)) = requests.get(self, place.index)? {
            self.files.step()?;
            let left = most.saturating_sub(out.len());
            let is_enough = out.len() >= room.enough && unchecked.is_even();
            if left < ROW_HEADER_LEN || is_enough {
                return Ok(Ended::Full);
            }
            if unchecked.is_enough(place.index) {
                return Ok(Ended::Unchecked);
            }
            let appended = self.batch_row(&next, index, *place, fields, left, unchecked, out);
            let after = place.index.saturating_add(1);
            let row = appended.map_err(|error| {
                self.looking_ahead(error, |at| requests.ahead(after.saturating_add(at)))
            });
            match row? {
                Appended::Whole => {
                    *place = BatchCursor { index: place.index.saturating_add(1), skip: 0 }
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

    #[allow(clippy::too_many_arguments, reason = "a row is made of all of them")]
    fn batch_row(
        &mut self,
        request: &BatchRequest<'_>,
        index: u32,
        place: BatchCursor,
        fields: Fields,
        room: usize,
        unchecked: &mut Unchecked,
        out: &mut Output,
    ) -> Result<Appended> {
        let asked = match request {
            BatchRequest::Id(id, hint) => Ok((*id, *hint)),
            BatchRequest::Spec(spec) => self.resolve(spec).map(|id| (id, ReadHint::default())),
        };
        let row = asked.and_then(|(id, hint)| {
            let asked = (&id, &hint);
            let later = unchecked.defer_check(place.index).filter(|_| fields.content);
            let later = later.map(|unchecked| (unchecked, place.index));
            if place.skip == 0 && self.object_row(asked, index, fields, room, later, out)? {
                return Ok(Appended::Whole);
            }
            match out.is_empty() {
                true => self.piece(asked, index, place.skip, fields, room, out),
                false => Ok(Appended::Nothing),
            }
        });
        row.or_else(|error| self.other_row(error, request, index, room, out))
    }

    /// Appends the row of an object unless that takes more than `room` bytes; returns whether
    /// it was appended. An object that does not fit is not inflated. With `unchecked` the
    /// content is checked later; the number is the index of the request.
    fn object_row(
        &mut self,
        asked: (&ObjectId, &ReadHint<'_>),
        index: u32,
        fields: Fields,
        room: usize,
        unchecked: Option<(&mut Unchecked, u32)>,
        out: &mut Output,
    ) -> Result<bool> {
        let verify = if unchecked.is_some() { Verify::None } else { self.verify };
        let mut out = out.appender();
        let start = out.position();
        let mut fits = true;
        let read = self.append_object(asked, fields, verify, &mut out, &mut |info, out| {
            let content = if fields.content { info.size } else { 0 };
            let length =
                content.saturating_add(ROW_HEADER_LEN.saturating_add(padding(content)) as u64);
            fits = length <= room as u64;
            match fits {
                true => out.space(ROW_HEADER_LEN).map(|_| ()),
                false => Err(Error::new(ErrorKind::Limit, "the buffer is full")),
            }
        });
        let written = read.and_then(|info| {
            let mut row = Row::of_object(index, info);
            row.length = if fields.content { info.size } else { 0 };
            row.write(&mut Filler::new(out.since(start)))?;
            let content = start.saturating_add(ROW_HEADER_LEN)..out.position();
            pad(&mut out, row.length)?;
            Ok((info.object_type, content))
        });
        match written {
            Ok((object_type, content)) => {
                if let Some((unchecked, at)) = unchecked {
                    unchecked.push((*asked.0, object_type), (at, start), content);
                }
                return Ok(true);
            }
            Err(_) if !fits => {}
            Err(error) => {
                out.rewind(start);
                return Err(error);
            }
        }
        out.rewind(start);
        Ok(false)
    }

    /// Appends the header that `head` writes, and the content if that is requested.
    pub(crate) fn append_object(
        &mut self,
        asked: (&ObjectId, &ReadHint<'_>),
        fields: Fields,
        verify: Verify,
        out: &mut Appender<'_>,
        head: Head<'_>,
    ) -> Result<ObjectInfo> {
        if fields.content {
            let mut info = self.odb.read_hinted(&mut self.files, asked, head, verify, out)?;
            if fields.storage {
                self.odb.add_storage(&mut self.files, &mut info)?;
            }
            return Ok(info);
        }
        let info = match fields.storage {
            true => self.odb.info_with_storage(&mut self.files, asked)?,
            false => self.odb.info_hinted(&mut self.files, asked)?,
        };
        head(&info, out)?;
        Ok(info)
    }

    /// Appends the next piece of an object, as long as there is room for.
    #[inline(never)]
    fn piece(
        &mut self,
        asked: (&ObjectId, &ReadHint<'_>),
        index: u32,
        skip: u64,
        fields: Fields,
        room: usize,
        out: &mut Output,
    ) -> Result<Appended> {
        let held = match self.held.take().filter(|held| held.info.id == *asked.0) {
            Some(held) => held,
            None => {
                let mut content = Output::default();
                let (verify, mut appender) = (self.verify, content.appender());
                let info =
                    self.append_object(asked, fields, verify, &mut appender, &mut |_, _| Ok(()))?;
                drop(appender);
                self.odb.save_bases(&content);
                PartialObject { info, content }
            }
        };
        let size = held.info.size;
        let room = room.saturating_sub(ROW_HEADER_LEN) & !7;
        let length = size.saturating_sub(skip).min(room as u64);
        let end = skip.saturating_add(length);
        let content = usize::try_from(skip)
            .ok()
            .zip(usize::try_from(end).ok())
            .and_then(|(start, end)| held.content.as_slice().get(start..end))
            .unwrap_or_default();
        let mut row = Row::of_object(index, held.info);
        (row.from, row.length) = (skip, length);
        let mut appender = out.appender();
        row.write(&mut appender)?;
        appender.bytes(content)?;
        pad(&mut appender, length)?;
        if end < size {
            self.held = Some(held);
            return Ok(Appended::Piece(end));
        }
        Ok(Appended::Whole)
    }

    /// Appends a row for a request that failed.
    #[cold]
    #[inline(never)]
    fn other_row(
        &mut self,
        error: Error,
        request: &BatchRequest<'_>,
        index: u32,
        room: usize,
        out: &mut Output,
    ) -> Result<Appended> {
        let error = self.as_promised(error)?;
        let (kind, mut content) = match (error.kind(), request) {
            (ErrorKind::Missing, _) => return Err(error),
            (ErrorKind::NotFound, _) => (RowKind::Missing, Vec::new()),
            (ErrorKind::Ambiguous, BatchRequest::Spec(spec)) => {
                let ids = self.candidates(spec)?;
                (RowKind::Ambiguous, ids.iter().flat_map(|id| id.as_bytes().to_vec()).collect())
            }
            _ => (RowKind::Failed, error.to_record()),
        };
        let padded = content.len().saturating_add(padding(content.len() as u64));
        let most = room.saturating_sub(ROW_HEADER_LEN) & !7;
        if padded > most {
            if !out.is_empty() {
                return Ok(Appended::Nothing);
            }
            // No buffer can hold all of the content, so the row is cut.
            content.truncate(most);
        }
        let length = content.len() as u64;
        let mut appender = out.appender();
        Row::other(kind, index, length).write(&mut appender)?;
        appender.bytes(&content)?;
        pad(&mut appender, length)?;
        Ok(Appended::Whole)
    }
}
