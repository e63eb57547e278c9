//! Applies the deltas of a chain.

use super::bases::FoundBase;
use super::scratch::Buffer;
use super::{Location, ObjectInfo, Odb, ReadOrder, Stored};
use crate::odb::{Head, PackNumber};
use packlens_base::appender::Appender;
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use packlens_format::pack::{apply, CachePosition, ChainEnd, Delta, Entry, EntryKind, Step};

/// The base at the end of a delta chain.
pub(super) enum End {
    /// An entry of a pack that is not a delta.
    Whole(ObjectType, Step),
    /// The content of an object that is not in a pack.
    Elsewhere(ObjectType, Vec<u8>),
    /// A kept object.
    Kept(FoundBase),
    /// The partial result of an earlier try: its type, and how many deltas were applied to
    /// make it.
    Halfway(ObjectType, u32),
}

impl End {
    pub(super) fn object_type(&self) -> ObjectType {
        match self {
            End::Whole(object_type, _)
            | End::Elsewhere(object_type, _)
            | End::Halfway(object_type, _) => *object_type,
            End::Kept(found) => found.object_type,
        }
    }

    /// Returns how many deltas were applied to make this base.
    pub(super) fn depth(&self) -> u32 {
        match self {
            End::Kept(found) => found.depth,
            End::Halfway(_, depth) => *depth,
            End::Whole(..) | End::Elsewhere(..) => 0,
        }
    }
}

/// The inflated bytes of an entry, or an object.
pub(super) enum Bytes {
    Cached(CachePosition),
    Own(Buffer),
    Kept(FoundBase),
}

impl Bytes {
    /// Returns how many bytes these take outside the base cache and the kept bases.
    fn memory(&self) -> u64 {
        match self {
            Bytes::Own(bytes) => bytes.memory(),
            Bytes::Cached(_) | Bytes::Kept(_) => 0,
        }
    }
}

/// The largest base from another part of a pack that goes into the base cache, as one part in
/// this many of the memory ceiling: the bases that are kept need most of it.
const ROOT_BASE_SHARE: u64 = 64;

impl Odb {
    /// Walks from an entry to the base at the end of its delta chain, through as many packs as
    /// needed. A base that is not in a pack is read. The walk ends early at a kept base, if
    /// its content is available given `out`.
    pub(super) fn walk_chain(
        &mut self,
        files: &mut Files,
        asked: (FileId, u64),
        out: Option<&Appender<'_>>,
        order: ReadOrder<'_>,
    ) -> Result<End> {
        // A look at its type may have walked to an object that is kept.
        let is_kept = order.is_similar() && self.bases.find(asked.0, asked.1, order).is_some();
        if let Some(end) = self.walked(asked).filter(|_| !is_kept) {
            return Ok(end);
        }
        let (mut pack, mut offset) = self.chain.begin(asked);
        loop {
            let number = self.packs.number_of(pack);
            let source = files.source(pack);
            let (packs, bases) = (&self.packs, &self.bases);
            let find = |base: &ObjectId| match number {
                Some(number) => packs.offset_of(files, number, base),
                None => Ok(None),
            };
            let at_hand =
                |offset| bases.find(pack, offset, order).filter(|base| bases.has(*base, out));
            let halfway = self.halfway.as_ref().filter(|halfway| !halfway.is_of(asked));
            let known = |offset| {
                halfway.is_some_and(|halfway| halfway.is_of((pack, offset)))
                    || (!bases.is_empty(order) && at_hand(offset).is_some())
            };
            // Planned reads bypass the base cache.
            let cache = &self.cache;
            let remembered =
                |offset| (!order.is_planned()).then(|| cache.head(pack, offset)).flatten();
            let end = self.chain.walk(&source, self.hash, offset, find, known, remembered)?;
            let base = match end {
                ChainEnd::Whole(object_type, step) => return Ok(End::Whole(object_type, step)),
                ChainEnd::Known(offset) => match self.bases.hold(pack, offset, order) {
                    Some(found) => return Ok(End::Kept(found)),
                    None => match self.halfway_at((pack, offset)) {
                        Some(halfway) => return Ok(halfway.end()),
                        None => continue,
                    },
                },
                ChainEnd::Base(base) => base,
            };
            match self.locate(files, &base)? {
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
                    let what = "the base of a delta was not found";
                    return Err(Error::corrupt(what, pack, offset).about(base.to_hex()));
                }
            }
        }
    }

    /// Returns the result of the last walk if it began at the same entry. Without this a retry
    /// would need the entry heads again, which may have been evicted since.
    fn walked(&mut self, asked: (FileId, u64)) -> Option<End> {
        let halfway = self.halfway.as_ref().filter(|halfway| !halfway.is_of(asked));
        match halfway.filter(|halfway| halfway.cuts(&mut self.chain, asked)) {
            Some(halfway) => Some(halfway.end()),
            None => {
                self.chain.whole(asked).map(|(object_type, step)| End::Whole(object_type, step))
            }
        }
    }

    /// Returns the offset of an entry's base if the base is in the same pack before the entry.
    /// Returns `None` for a damaged entry: reading it will report the damage.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn base_before(
        &self,
        files: &Files,
        pack: PackNumber,
        offset: u64,
    ) -> Result<Option<u64>> {
        let source = files.source(self.packs.file(pack)?);
        let base = Entry::decode(&source, self.hash, offset).and_then(|entry| match entry.kind {
            EntryKind::Whole(_) => Ok(None),
            EntryKind::OfsDelta { base_offset } => Ok(Some(base_offset)),
            EntryKind::RefDelta { base } => self.packs.offset_of(files, pack, &base),
        });
        match base {
            Ok(base) => Ok(base.filter(|base| *base < offset)),
            Err(error) if error.is_missing() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Applies the deltas of the chain to its base; the last one writes straight into the
    /// output.
    #[inline(never)]
    pub(super) fn apply_chain(
        &mut self,
        files: &mut Files,
        (end, order): (End, ReadOrder<'_>),
        info: &mut ObjectInfo,
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<()> {
        // A planned order needs the own delta once, and so do most of many objects anywhere in a pack:
        // it bypasses the base cache.
        let is_scattered = !order.is_similar() && files.has_asked();
        let bypasses_cache = order.is_planned() || order.is_planned_root() || is_scattered;
        let own_order = if bypasses_cache { ReadOrder::Planned(&[]) } else { order };
        // Read first, so that no work is lost if the output turns out to be full.
        let own = match order.is_planned() || order.is_planned_root() {
            true => Some(self.own_delta(files, info, &mut *head, out, own_order)?),
            false => None,
        };
        let mut content = self.base_of(files, (end, order), info.object_type, out)?;
        for at in (1..self.chain.deltas().len()).rev() {
            let Some(step) = self.chain.deltas().get(at).copied() else {
                continue;
            };
            let held = out.capacity().saturating_add(content.memory());
            let delta = match self.entry_bytes(files, &step, self.delta_kind(at), held, order) {
                Ok(delta) => delta,
                Err(error) => return Err(self.stop_halfway(error, at, content, info)),
            };
            let place = |error: Error| error.at(step.pack, step.offset);
            let result_size = Delta::decode(self.bytes(&delta, out)).map_err(place)?.result_size;
            let length = self.limits.check_size(result_size).map_err(place)?;
            let held = content.memory().saturating_add(delta.memory());
            self.make_room(files, out.capacity(), held.saturating_add(result_size))?;
            let mut next = self.scratch.take(length)?;
            self.counts.deltas_applied = self.counts.deltas_applied.saturating_add(1);
            let (base, delta_bytes) = (self.bytes(&content, out), self.bytes(&delta, out));
            apply(base, &Delta::decode(delta_bytes)?, next.as_mut_slice()).map_err(place)?;
            self.release(content);
            self.release(delta);
            let depth = info.delta_depth.saturating_sub(u32::try_from(at).unwrap_or(u32::MAX));
            self.keep_if_used(&step, (info.object_type, depth), next.as_slice(), order);
            content = Bytes::Own(next);
            self.cache.unpin();
        }
        let own = match own {
            Some(own) => own,
            None => {
                let held = content.memory();
                let own = match self.own_delta(files, info, head, out, own_order) {
                    Ok(own) => own,
                    Err(error) => return Err(self.stop_halfway(error, 0, content, info)),
                };
                self.make_room(files, out.peak(info.size), held.saturating_add(own.memory()))?;
                own
            }
        };
        let place = |error: Error| match info.stored {
            Stored::Packed { pack, offset } => error.at(pack, offset),
            _ => error,
        };
        self.counts.deltas_applied = self.counts.deltas_applied.saturating_add(1);
        let length = self.limits.check_size(info.size).map_err(place)?;
        let delta = Delta::decode(self.held(&own).unwrap_or_default())?;
        self.make_from(&content, length, out, |base, target| apply(base, &delta, target))
            .map_err(place)?;
        self.release(content);
        self.release(own);
        Ok(())
    }

    /// Inflates the object's own delta, sets the size that the delta announces and writes the
    /// head.
    fn own_delta(
        &mut self,
        files: &mut Files,
        info: &mut ObjectInfo,
        head: Head<'_>,
        out: &mut Appender<'_>,
        order: ReadOrder<'_>,
    ) -> Result<Bytes> {
        let Some(step) = self.chain.deltas().first().copied() else {
            return Err(Error::new(ErrorKind::BadInput, "a delta chain has no delta"));
        };
        let place = |error: Error| error.at(step.pack, step.offset);
        let delta = self.entry_bytes(files, &step, self.delta_kind(0), out.capacity(), order)?;
        info.size = Delta::decode(self.bytes(&delta, out)).map_err(place)?.result_size;
        self.limits.check_size(info.size).map_err(place)?;
        self.make_room(files, out.peak(info.size), delta.memory())?;
        head(info, out)?;
        Ok(delta)
    }

    /// Returns the bytes of the base at the end of a chain.
    fn base_of(
        &mut self,
        files: &mut Files,
        (end, order): (End, ReadOrder<'_>),
        object_type: ObjectType,
        out: &mut Appender<'_>,
    ) -> Result<Bytes> {
        Ok(match end {
            End::Whole(_, step) => {
                let kind = Some(EntryKind::Whole(object_type));
                let base = self.entry_bytes(files, &step, kind, out.capacity(), order)?;
                if let Bytes::Own(base) = &base {
                    self.keep_if_used(&step, (object_type, 0), base.as_slice(), order);
                }
                base
            }
            End::Elsewhere(_, content) => Bytes::Own(Buffer::from(content)),
            End::Kept(found) => Bytes::Kept(found),
            End::Halfway(..) => Bytes::Own(self.take_halfway().ok_or_else(not_at_hand)?),
        })
    }

    /// Copies a kept object into the output.
    #[inline(never)]
    pub(super) fn copy_kept(
        &mut self,
        files: &mut Files,
        found: FoundBase,
        info: &mut ObjectInfo,
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<()> {
        let length = found.size;
        info.size = length as u64;
        self.make_room(files, out.peak(info.size), 0)?;
        head(info, out)?;
        self.make_from(&Bytes::Kept(found), length, out, |bytes, target| {
            target.copy_from_slice(bytes);
            Ok(())
        })?;
        self.bases.used(found);
        Ok(())
    }

    /// Appends `length` bytes that `make` produces from a base, which may be in the same
    /// output.
    fn make_from(
        &self,
        base: &Bytes,
        length: usize,
        out: &mut Appender<'_>,
        make: impl FnOnce(&[u8], &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        if let Bytes::Kept(found) = base {
            if let Some((stamp, range)) = self.bases.in_output(*found) {
                let spaced = out.space_after(length, stamp, &range)?;
                let (base, target) = spaced.ok_or_else(not_at_hand)?;
                return make(base, target);
            }
        }
        let base = self.held(base).ok_or_else(not_at_hand)?;
        make(base, out.space(length)?)
    }

    /// Returns the bytes unless they are in an output.
    fn held<'a>(&'a self, bytes: &'a Bytes) -> Option<&'a [u8]> {
        match bytes {
            Bytes::Own(bytes) => Some(bytes.as_slice()),
            Bytes::Cached(place) => Some(self.cache.bytes(*place)),
            Bytes::Kept(found) => self.bases.own(*found),
        }
    }

    fn bytes<'a>(&'a self, bytes: &'a Bytes, out: &'a Appender<'_>) -> &'a [u8] {
        let content = match bytes {
            Bytes::Kept(found) => self.bases.content(*found, out),
            _ => self.held(bytes),
        };
        content.unwrap_or_default()
    }

    /// Releases bytes after their use.
    fn release(&mut self, bytes: Bytes) {
        match bytes {
            Bytes::Own(buffer) => self.scratch.give_back(buffer, self.limits.memory / 16),
            Bytes::Kept(found) => self.bases.used(found),
            Bytes::Cached(_) => {}
        }
    }

    /// Keeps the object of an entry in the chain if the plan has other deltas on it. The base
    /// cache has those of a root.
    fn keep_if_used(
        &mut self,
        step: &Step,
        (object_type, depth): (ObjectType, u32),
        bytes: &[u8],
        order: ReadOrder<'_>,
    ) {
        if let Some(uses) = order.uses_of(step.offset).filter(|_| order.is_planned()) {
            let entry = (step.pack, step.offset);
            self.bases.keep_copy(entry, (object_type, depth), uses, bytes);
        }
    }

    /// Returns the kind of a delta in the chain, if its base is in the same pack.
    fn delta_kind(&self, at: usize) -> Option<EntryKind> {
        self.chain.base_of(at).map(|base_offset| EntryKind::OfsDelta { base_offset })
    }

    /// Returns the inflated bytes of an entry from the base cache, inflating it into the cache
    /// with its `kind` if needed. Cached bytes stay until
    /// [`BaseCache::unpin`](packlens_format::pack::BaseCache::unpin).
    ///
    /// A planned order needs each entry once, so it does not fill the cache; of the bases in
    /// another part of a pack only the large ones do not.
    fn entry_bytes(
        &mut self,
        files: &mut Files,
        step: &Step,
        kind: Option<EntryKind>,
        output: u64,
        order: ReadOrder<'_>,
    ) -> Result<Bytes> {
        if let Some(place) = self.cache.find(step.pack, step.offset) {
            return Ok(Bytes::Cached(place));
        }
        let step = &self.with_head(files, step)?;
        let length = self.check_step(files, step)?;
        self.check_crc(files, step)?;
        let is_large = length as u64 > self.limits.memory / ROOT_BASE_SHARE;
        let bypasses_cache = order.is_planned() || (order.is_planned_root() && is_large);
        if !bypasses_cache {
            let growth = self.cache.growth(length);
            self.make_room(files, output, growth)?;
            let (source, inflater) = (files.source(step.pack), &mut self.inflater);
            let fill =
                |target: &mut [u8]| inflater.inflate(&source, step.data_offset, target).map(|_| ());
            if let Some(place) = self.cache.keep(step.pack, step.offset, length, kind, fill)? {
                return Ok(Bytes::Cached(place));
            }
        }
        self.make_room(files, output, step.size)?;
        let mut bytes = self.scratch.take(length)?;
        let source = files.source(step.pack);
        self.inflater.inflate(&source, step.data_offset, bytes.as_mut_slice())?;
        Ok(Bytes::Own(bytes))
    }

    /// Completes a step with the entry's head, if the head came from the cache during the walk
    /// and the entry was evicted since.
    fn with_head(&self, files: &Files, step: &Step) -> Result<Step> {
        if step.data_offset > 0 {
            return Ok(*step);
        }
        let Entry { size, data_offset, .. } =
            Entry::decode(&files.source(step.pack), self.hash, step.offset)?;
        Ok(Step { size, data_offset, ..*step })
    }
}

#[cold]
fn not_at_hand() -> Error {
    Error::new(ErrorKind::BadInput, "a base of a delta is no longer in memory")
}
