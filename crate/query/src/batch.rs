//! Reads many objects into one buffer, and resumes when it was full.

mod reader;
mod requests;

use reader::Appended;
pub use reader::BatchReader;
pub use requests::{BatchRequest, BatchRequests, SpecRequests, SpecsAhead};

use crate::odb::{Asked, Head, Location, ObjectInfo, Plan, Planned, ReadHint, Verify};
use crate::repository::Repository;
use crate::row::{pad, padding, Row, RowKind, ROW_HEADER_LEN};
use crate::unchecked::Unchecked;
use packlens_base::appender::{Append, Appender, Filler, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
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

/// A page of a batch: where it continues, and the output that it fills.
pub struct BatchPage<'a> {
    /// The next request; moves on with each row.
    pub place: &'a mut BatchCursor,
    /// How far the output is filled.
    pub room: Room,
    /// The output.
    pub out: &'a mut Output,
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
        let asked = (&id, &ReadHint::of_likely_type(object_type));
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
                    return Err(self.looking_ahead(error, None, |at| {
                        ObjectId::from_hex(hash, rest.get(at as usize)?)
                    }));
                }
                _ => (None, None),
            };
            let index = u32::try_from(plan.found()).unwrap_or(u32::MAX);
            plan.add(Planned { index, id, place, bases_first: false });
            self.files.advance();
        }
        self.odb.plan(&mut self.files, plan, contents)
    }

    /// Returns the object of a request, and its place in a pack if that is known; `None` if there is
    /// no such object. `ahead` returns the objects of the next requests.
    fn object_of(
        &mut self,
        request: BatchRequest<'_>,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) -> Result<Asked> {
        let spec = match request {
            BatchRequest::Spec(spec) => spec,
            BatchRequest::Id(id, hint) => return Ok(Some((id, hint.place()))),
        };
        match self.resolve(spec) {
            Err(error) if error.is_missing() => Err(self.looking_ahead(error, None, ahead)),
            id => Ok(id.ok().map(|id| (id, None))),
        }
    }

    /// Not inlined: engines that compile by use make a function fast once it was called often,
    /// here while the loop over all specs still runs.
    #[inline(never)]
    fn placed(&mut self, spec: &[u8]) -> Result<(ObjectId, Option<Location>)> {
        let id = self.resolve(spec)?;
        Ok((id, self.odb.find(&mut self.files, &id)?))
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
