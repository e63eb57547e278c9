//! Reading an object: one look-up, its content straight into the output.

use super::info::{ObjectInfo, Stored};
use super::{Location, Odb, Verify};
use crate::appender::Appender;
use crate::block::{BlockSource, FileId, Files};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::object_id;
use crate::loose::Loose;
use crate::object::ObjectType;
use crate::oid::ObjectId;
use crate::pack::{apply, entries_end, BaseCache, ChainEnd, Delta, Place, Step};

/// No deflated byte can stand for more inflated ones than this.
const MOST_INFLATED: u64 = 1040;

/// Writes what stands in front of an object's content, once its type and size
/// are known.
pub type Head<'h> = &'h mut dyn FnMut(&ObjectInfo, &mut Appender<'_>) -> Result<()>;

impl Odb {
    /// Reads an object: appends what `head` makes of its type and size, and its
    /// content right behind that. Nothing is published.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; [`ErrorKind::Corrupt`] if the object is damaged
    /// in every place it is in; [`ErrorKind::Limit`] if it is too large;
    /// missing files and bytes.
    pub fn read_into(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        head: Head<'_>,
        verify: Verify,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        let info = self.at_any_location(files, id, |odb, files, location| {
            let start = out.position();
            let mut content_start = start;
            let mut head = |info: &ObjectInfo, out: &mut Appender<'_>| {
                head(info, out)?;
                content_start = out.position();
                Ok(())
            };
            let read = match location {
                Location::Packed { pack, offset } => {
                    let file = odb.packs.file(pack)?;
                    let read = odb.read_packed(files, id, (file, offset), &mut head, out);
                    odb.cache.unpin();
                    read
                }
                Location::Loose => odb.read_loose(files, id, &mut head, out),
                Location::BuiltIn(info) => head(&info, out).map(|()| info),
            };
            read.and_then(|info| {
                let content = out.since(content_start);
                odb.verify(verify, &info, content)?;
                Ok(info)
            })
            .inspect_err(|_| out.rewind(start))
        })?;
        self.counts.objects = self.counts.objects.saturating_add(1);
        Ok(info)
    }

    /// Reads an object of which only the content is wanted, and not for long.
    ///
    /// # Errors
    ///
    /// As [`Odb::read_into`].
    pub fn read(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        verify: Verify,
    ) -> Result<(ObjectType, Vec<u8>)> {
        let mut output = crate::appender::Output::default();
        let info = self.read_into(files, id, &mut |_, _| Ok(()), verify, &mut output.appender())?;
        Ok((info.object_type, output.into_vec()))
    }

    fn verify(&mut self, verify: Verify, info: &ObjectInfo, content: &[u8]) -> Result<()> {
        if verify == Verify::None {
            return Ok(());
        }
        self.counts.hashed_bytes = self.counts.hashed_bytes.saturating_add(content.len() as u64);
        if object_id(self.hash, info.object_type, content) == info.id {
            return Ok(());
        }
        let error = Error::new(ErrorKind::Corrupt, "the content is not what its id says");
        Err(match info.stored {
            Stored::Packed { pack, offset, .. } => error.at(pack, offset),
            Stored::Loose { file } => error.at(file, 0),
            Stored::BuiltIn => error,
        }
        .about(info.id.to_hex()))
    }

    fn read_loose(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        let (info, stored) = self.stored_loose(files, id)?;
        let length = self.limits.check_size(info.size)?;
        self.make_room(files, out.peak(info.size), 0)?;
        head(&info, out)?;
        let source = files.source(stored.file);
        Loose::open(&mut self.inflater, &source)?.read(out.space(length)?)?;
        self.forget_loose_later(files, id);
        Ok(info)
    }

    fn read_packed(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        (pack, offset): (FileId, u64),
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        let end = self.walk_chain(files, pack, offset)?;
        let depth = self.chain.deltas().len();
        let mut info = ObjectInfo {
            id: *id,
            object_type: end.object_type(),
            size: 0,
            delta_depth: u32::try_from(depth).unwrap_or(u32::MAX),
            disk_size: None,
            delta_base: None,
            stored: Stored::Packed { pack, offset },
        };
        match end {
            End::Whole(_, step) if depth == 0 => {
                info.size = step.size;
                self.read_whole(files, &step, &info, head, out)?;
            }
            End::Whole(_, step) => {
                let base = self.entry_bytes(files, &step, out.capacity())?;
                self.apply_chain(files, base, &mut info, head, out)?;
            }
            End::Elsewhere(_, base) => {
                self.apply_chain(files, Bytes::Own(base), &mut info, head, out)?;
            }
        }
        Ok(info)
    }

    /// Walks from an entry to the base that all its deltas rest on, through as
    /// many packs as it takes; a base outside all packs is read.
    pub(super) fn walk_chain(
        &mut self,
        files: &mut Files,
        pack: FileId,
        offset: u64,
    ) -> Result<End> {
        self.chain.clear();
        let (mut pack, mut offset) = (pack, offset);
        loop {
            let number = self.packs.number_of(pack);
            let source = files.source(pack);
            let packs = &self.packs;
            let end = self.chain.walk(&source, self.hash, offset, |base| match number {
                Some(number) => packs.offset_of(files, number, base),
                None => Ok(None),
            })?;
            let base = match end {
                ChainEnd::Whole(object_type, step) => return Ok(End::Whole(object_type, step)),
                ChainEnd::Base(base) => base,
            };
            match self.find(files, &base)? {
                Some(Location::Packed { pack: number, offset: found }) => {
                    (pack, offset) = (self.packs.file(number)?, found);
                }
                Some(Location::Loose) => {
                    let (object_type, content) = self.read_loose_base(files, &base)?;
                    return Ok(End::Elsewhere(object_type, content));
                }
                Some(Location::BuiltIn(info)) => {
                    return Ok(End::Elsewhere(info.object_type, Vec::new()));
                }
                None => {
                    let what = "a delta whose base is nowhere";
                    return Err(Error::corrupt(what, pack, offset).about(base.to_hex()));
                }
            }
        }
    }

    fn read_loose_base(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
    ) -> Result<(ObjectType, Vec<u8>)> {
        let mut output = crate::appender::Output::default();
        let info = self.read_loose(files, id, &mut |_, _| Ok(()), &mut output.appender())?;
        Ok((info.object_type, output.into_vec()))
    }

    /// Inflates an entry that is no delta straight into the output.
    fn read_whole(
        &mut self,
        files: &mut Files,
        step: &Step,
        info: &ObjectInfo,
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<()> {
        let length = self.check_step(files, step)?;
        self.make_room(files, out.peak(step.size), 0)?;
        head(info, out)?;
        let source = files.source(step.pack);
        self.inflater.inflate(&source, step.data_offset, out.space(length)?)?;
        Ok(())
    }

    /// Applies the deltas of the chain to `base`, the last one straight into the
    /// output.
    fn apply_chain(
        &mut self,
        files: &mut Files,
        mut base: Bytes,
        info: &mut ObjectInfo,
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<()> {
        let mut content: Option<Vec<u8>> = None;
        for at in (0..self.chain.deltas().len()).rev() {
            let Some(step) = self.chain.deltas().get(at).copied() else {
                continue;
            };
            let held = content.as_ref().map_or(0, |content| content.capacity() as u64);
            let held = held.saturating_add(base.memory());
            let bytes = self.entry_bytes(files, &step, out.capacity().saturating_add(held))?;
            let place = |error: Error| error.at(step.pack, step.offset);
            let result_size = Delta::decode(bytes.of(&self.cache)).map_err(place)?.result_size;
            let length = self.limits.check_size(result_size).map_err(place)?;
            let output = if at == 0 { out.peak(result_size) } else { out.capacity() };
            let next = if at == 0 { 0 } else { result_size };
            self.make_room(
                files,
                output,
                held.saturating_add(bytes.memory()).saturating_add(next),
            )?;
            self.counts.deltas_applied = self.counts.deltas_applied.saturating_add(1);
            if at == 0 {
                info.size = result_size;
                head(info, out)?;
                let target = out.space(length)?;
                self.apply(&base, content.as_deref(), &bytes, target).map_err(place)?;
                if let Some(done) = content {
                    self.give_back(done);
                }
                return Ok(());
            }
            let mut next = self.scratch(length)?;
            self.apply(&base, content.as_deref(), &bytes, &mut next).map_err(place)?;
            if let Some(done) = content.replace(next) {
                self.give_back(done);
            }
            base = Bytes::Own(Vec::new());
            self.cache.unpin();
        }
        Err(Error::new(ErrorKind::BadInput, "a chain without a delta"))
    }

    /// Applies a delta to `content`, or to `base` if it is the first.
    fn apply(
        &self,
        base: &Bytes,
        content: Option<&[u8]>,
        delta: &Bytes,
        out: &mut [u8],
    ) -> Result<()> {
        let delta = Delta::decode(delta.of(&self.cache))?;
        apply(content.unwrap_or_else(|| base.of(&self.cache)), &delta, out)
    }

    /// Takes a buffer of exactly `length` bytes; what they hold is left over.
    fn scratch(&mut self, length: usize) -> Result<Vec<u8>> {
        let [first, second] = &mut self.scratch;
        let larger = if first.capacity() >= second.capacity() { first } else { second };
        let mut buffer = std::mem::take(larger);
        if buffer.capacity() < length {
            buffer = Vec::new();
            buffer.try_reserve_exact(length).map_err(|_| crate::block::over_ceiling())?;
        }
        buffer.resize(length, 0);
        Ok(buffer)
    }

    fn give_back(&mut self, buffer: Vec<u8>) {
        // One large object must not hold its memory for ever.
        if buffer.capacity() as u64 > self.limits.memory / 16 {
            return;
        }
        let [first, second] = &mut self.scratch;
        let smaller = if first.capacity() <= second.capacity() { first } else { second };
        *smaller = buffer;
    }

    /// Returns the inflated bytes of an entry, from the cache or into it. They
    /// stay there until [`BaseCache::unpin`].
    fn entry_bytes(&mut self, files: &mut Files, step: &Step, output: u64) -> Result<Bytes> {
        if let Some(place) = self.cache.find(step.pack, step.offset) {
            return Ok(Bytes::Cached(place));
        }
        let length = self.check_step(files, step)?;
        let growth = self.cache.growth(length);
        self.make_room(files, output, growth)?;
        let source = files.source(step.pack);
        let inflater = &mut self.inflater;
        let mut fill =
            |target: &mut [u8]| inflater.inflate(&source, step.data_offset, target).map(|_| ());
        if let Some(place) = self.cache.keep(step.pack, step.offset, length, &mut fill)? {
            return Ok(Bytes::Cached(place));
        }
        let mut bytes = self.limits.buffer(step.size)?;
        fill(&mut bytes)?;
        Ok(Bytes::Own(bytes))
    }

    /// Makes sure that the size an entry announces is possible and allowed,
    /// before memory is taken for it.
    fn check_step(&self, files: &Files, step: &Step) -> Result<usize> {
        self.check_possible(files, step)?;
        self.limits.check_size(step.size).map_err(|error| error.at(step.pack, step.offset))
    }

    /// Makes sure that the bytes of an entry can stand for what it announces.
    pub(super) fn check_possible(&self, files: &Files, step: &Step) -> Result<()> {
        let source = files.source(step.pack);
        let stored = entries_end(&source, self.hash).saturating_sub(step.data_offset);
        if step.size > stored.saturating_mul(MOST_INFLATED) {
            let what = "an entry that announces more than its bytes can stand for";
            return Err(source.corrupt(what, step.offset));
        }
        Ok(())
    }
}

/// The inflated bytes of an entry.
enum Bytes {
    Cached(Place),
    Own(Vec<u8>),
}

impl Bytes {
    /// Returns how many bytes they take outside the cache.
    fn memory(&self) -> u64 {
        match self {
            Bytes::Cached(_) => 0,
            Bytes::Own(bytes) => bytes.capacity() as u64,
        }
    }

    fn of<'a>(&'a self, cache: &'a BaseCache) -> &'a [u8] {
        match self {
            Bytes::Cached(place) => cache.bytes(*place),
            Bytes::Own(bytes) => bytes,
        }
    }
}

/// What all deltas of a chain rest on.
pub(super) enum End {
    /// An entry of a pack.
    Whole(ObjectType, Step),
    /// The content of an object outside the packs.
    Elsewhere(ObjectType, Vec<u8>),
}

impl End {
    fn object_type(&self) -> ObjectType {
        match self {
            End::Whole(object_type, _) | End::Elsewhere(object_type, _) => *object_type,
        }
    }
}
