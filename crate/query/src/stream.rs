//! Streams the content of an object in chunks.

use crate::odb::{ObjectInfo, ReadHint, Stored, Verify};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::block::{BlockSource, FileId};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::Hasher;
use packlens_base::inflate::{Inflater, StreamPlace};
use packlens_base::oid::ObjectId;

/// The content of an object, delivered from start to end.
///
/// An object that is not a delta is inflated on demand, in memory that does not depend on its
/// size. A small object or a delta is read whole first, under the memory ceiling.
pub struct ContentStream {
    info: ObjectInfo,
    /// How the object is read if its file is closed meanwhile.
    hint: ReadHint<'static>,
    verify: Verify,
    /// The id of the object that is read: the replacement, if there is one.
    real: ObjectId,
    from: Origin,
    /// How many bytes of content were made so far.
    made: u64,
    start: u64,
    end: u64,
    hasher: Option<Hasher>,
}

enum Origin {
    /// A zlib stream, and how many bytes of it precede the content.
    Stored {
        file: FileId,
        inflater: Box<Inflater>,
        place: StreamPlace,
        header_left: u64,
    },
    Held(Output),
}

/// How many unrequested bytes are inflated at once, in order to skip them.
const SKIPPED_CHUNK: usize = 32 << 10;

/// The largest object that is always read whole, in bytes: a stream would save little memory,
/// and a command that reads one small object does without the code of streams.
const SMALL: u64 = 32 << 10;

impl ContentStream {
    /// Opens the content of the object for `spec`, in the byte range from `start` to `end`, or
    /// to the end of the content if that comes first.
    ///
    /// # Errors
    ///
    /// The errors of resolving and reading.
    pub fn open(
        repository: &mut Repository,
        spec: &[u8],
        start: u64,
        end: u64,
    ) -> Result<ContentStream> {
        let id = repository.resolve(spec)?;
        let verify = repository.verify;
        ContentStream::open_id(repository, (&id, &ReadHint::default()), verify, (start, end))
    }

    /// Returns how many bytes of memory the stream takes.
    pub fn memory(&self) -> u64 {
        match &self.from {
            Origin::Stored { inflater, .. } => inflater.memory(),
            Origin::Held(content) => content.capacity() as u64,
        }
    }

    /// Opens the content of an object by its id, in a range of bytes.
    ///
    /// # Errors
    ///
    /// The errors of reading.
    pub fn open_id(
        repository: &mut Repository,
        asked: (&ObjectId, &ReadHint<'_>),
        verify: Verify,
        (start, end): (u64, u64),
    ) -> Result<ContentStream> {
        let (id, hint) = (asked.0, asked.1.lasting());
        let (real, _) = repository.odb.hinted(id, &hint)?;
        let (info, stored) = repository.odb.open_stored(&mut repository.files, asked)?;
        // A range of an object cannot be checked against the id.
        let is_hashed = verify != Verify::None && end >= info.size;
        let (info, from, is_hashed) = match stored.filter(|_| info.size > SMALL) {
            Some(stored) => {
                let mut inflater = Box::new(Inflater::default());
                let source = repository.files.source(stored.file);
                let place = inflater.stream(&source, stored.data_offset).place();
                let (file, header_left) = (stored.file, stored.header_len);
                (info, Origin::Stored { file, inflater, place, header_left }, is_hashed)
            }
            None => {
                let mut content = Output::default();
                let info = repository.odb.read_hinted(
                    &mut repository.files,
                    asked,
                    &mut |_, _| Ok(()),
                    verify,
                    &mut content.appender(),
                )?;
                // The object was verified when it was read whole.
                (info, Origin::Held(content), false)
            }
        };
        let hasher = is_hashed.then(|| Hasher::for_object(id.hash(), info.object_type, info.size));
        let end = end.min(info.size);
        let start = start.min(end);
        Ok(ContentStream { info, hint, verify, real, from, made: 0, start, end, hasher })
    }

    /// Returns the metadata of the object.
    pub fn info(&self) -> &ObjectInfo {
        &self.info
    }

    /// Appends content to `out` until that is `capacity` bytes long; returns whether the
    /// content is complete. The object is verified once all of it was made.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and call again. [`ErrorKind::Corrupt`] if the object turns
    /// out to be damaged; content that was delivered before may be wrong too.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while self.made < self.end || self.is_before_content() {
            let room = capacity.saturating_sub(out.len());
            if room == 0 {
                return Ok(false);
            }
            self.step(repository, room, out)?;
        }
        self.finish(repository)?;
        Ok(true)
    }

    fn is_before_content(&self) -> bool {
        matches!(self.from, Origin::Stored { header_left, .. } if header_left > 0)
    }

    /// Looks the object up again if its file was closed, as after a repack deletes a pack.
    fn reopen(&mut self, repository: &mut Repository) -> Result<()> {
        let Origin::Stored { file, .. } = self.from else { return Ok(()) };
        if repository.files.path(file).is_none() {
            let delivered = self.made.max(self.start);
            let (asked, verify) = ((&self.info.id, &self.hint), self.verify);
            *self = ContentStream::open_id(repository, asked, verify, (delivered, self.end))?;
        }
        Ok(())
    }

    fn step(&mut self, repository: &mut Repository, room: usize, out: &mut Output) -> Result<()> {
        self.reopen(repository)?;
        let in_range = self.made >= self.start;
        let until = if in_range { self.end } else { self.start };
        let left = usize::try_from(until.saturating_sub(self.made)).unwrap_or(usize::MAX);
        match &mut self.from {
            Origin::Held(content) => {
                self.made = self.made.max(self.start);
                let at = usize::try_from(self.made).unwrap_or(usize::MAX);
                let left = usize::try_from(self.end.saturating_sub(self.made));
                let take = room.min(left.unwrap_or(usize::MAX));
                let bytes = content.as_slice().get(at..).and_then(|rest| rest.get(..take));
                let bytes = bytes.unwrap_or_default();
                out.appender().space(take)?.copy_from_slice(bytes);
                self.made = self.made.saturating_add(take as u64);
                Ok(())
            }
            Origin::Stored { file, inflater, place, header_left } => {
                let source = repository.files.source(*file);
                let mut stream = inflater.resume(&source, *place);
                let header = usize::try_from(*header_left).unwrap_or(usize::MAX);
                let length = match header {
                    0 if in_range => room.min(left),
                    0 => SKIPPED_CHUNK.min(left),
                    _ => header,
                };
                let mut appender = out.appender();
                let from = appender.position();
                let filled = stream.fill_some(appender.space(length)?);
                *place = stream.place();
                let ended = stream.has_ended();
                let filled = filled.inspect_err(|_| appender.rewind(from))?;
                appender.rewind(from.saturating_add(filled));
                if header > 0 {
                    *header_left = header_left.saturating_sub(filled as u64);
                    appender.rewind(from);
                } else {
                    self.made = self.made.saturating_add(filled as u64);
                    if let Some(hasher) = &mut self.hasher {
                        hasher.update(appender.since(from));
                    }
                    if !in_range {
                        appender.rewind(from);
                    }
                }
                match ended && self.made < self.info.size {
                    true => Err(source.corrupt("inflates to fewer bytes than announced", 0)),
                    false => Ok(()),
                }
            }
        }
    }

    /// Checks that the content ends where it should, and that its hash is the id.
    fn finish(&mut self, repository: &mut Repository) -> Result<()> {
        if self.end < self.info.size {
            return Ok(());
        }
        self.reopen(repository)?;
        if let Origin::Stored { file, inflater, place, .. } = &mut self.from {
            let source = repository.files.source(*file);
            let mut stream = inflater.resume(&source, *place);
            let end = stream.finish();
            *place = stream.place();
            let loose = matches!(self.info.stored, Stored::Loose { .. });
            if end? != source.size() && loose {
                return Err(source.corrupt("garbage at end of loose object", 0));
            }
        }
        match self.hasher.take().map(Hasher::finish) {
            Some(id) if id != self.real => {
                let what = "the content does not match its object id";
                Err(Error::new(ErrorKind::Corrupt, what).about(self.info.id.to_hex()))
            }
            _ => Ok(()),
        }
    }
}
