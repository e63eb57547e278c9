//! Reads objects: one look-up each, and the content goes straight into the output.

use super::deltas::End;
use super::info::{ObjectInfo, Stored};
use super::{Location, Odb, ReadHint, ReadOrder, Verify};
use packlens_base::appender::Appender;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::object_id;
use packlens_base::oid::ObjectId;
use packlens_format::loose::Loose;
use packlens_format::object::ObjectType;
use packlens_format::pack::{entries_end, Step};

/// The most bytes that one deflated byte can inflate to.
const MOST_INFLATED: u64 = 1040;

/// What is known of content before it is hashed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Proof {
    None,
    /// Every entry that it is made from has a CRC32, against which it is checked.
    Crcs,
    /// It was kept as an object that was hashed to the same id.
    Hashed,
}

/// Writes the header that precedes an object's content, once type and size are known.
pub type Head<'h> = &'h mut dyn FnMut(&ObjectInfo, &mut Appender<'_>) -> Result<()>;

impl Odb {
    /// Reads an object, or its replacement: appends the header that `head` writes for its type
    /// and size, then the content. Nothing is published.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; [`ErrorKind::Corrupt`] if every copy of the object is damaged;
    /// [`ErrorKind::Limit`] if it is too large; missing files and bytes.
    pub fn read_into(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        head: Head<'_>,
        verify: Verify,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        self.read_hinted(files, (id, &ReadHint::default()), head, verify, out)
    }

    /// Like [`Odb::read_into`], with what the caller knows of the object.
    pub(crate) fn read_hinted(
        &mut self,
        files: &mut Files,
        (asked, hint): (&ObjectId, &ReadHint<'_>),
        head: Head<'_>,
        verify: Verify,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        let (id, hint) = &self.hinted(asked, hint)?;
        let mut head =
            |info: &ObjectInfo, out: &mut Appender<'_>| head(&info.reported_as(asked), out);
        let info = self.at_any_location(files, id, hint, |odb, files, location, order| {
            odb.read_verified(files, id, (location, verify, order), &mut head, out)
        })?;
        self.counts.objects = self.counts.objects.saturating_add(1);
        files.count_object(info.size);
        Ok(info.reported_as(asked))
    }

    /// Reads the copy of an object at one location, like [`Odb::read_into`], without a look-up
    /// and unverified.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damage of that copy; [`ErrorKind::Limit`] if it is too large.
    pub(super) fn read_here(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        (location, order): (Location, ReadOrder<'_>),
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        self.read_verified(files, id, (location, Verify::None, order), head, out)
    }

    fn read_verified(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        (location, verify, order): (Location, Verify, ReadOrder<'_>),
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<ObjectInfo> {
        let start = out.position();
        let kept = self.bases.count();
        let mut content_start = start;
        let mut head = |info: &ObjectInfo, out: &mut Appender<'_>| {
            head(info, out)?;
            content_start = out.position();
            Ok(())
        };
        let read = match location {
            Location::Packed { pack, offset } => {
                let file = self.packs.file(pack)?;
                let read = self.read_packed(files, id, (file, offset, order), &mut head, out);
                self.cache.unpin();
                self.bases.unpin_recent();
                read
            }
            Location::Loose => {
                self.read_loose(files, id, &mut head, out).map(|info| (info, Proof::None))
            }
            Location::BuiltIn(info) => head(&info, out).map(|()| (info, Proof::None)),
        };
        read.and_then(|(info, mut proof)| {
            self.halfway = None;
            self.chain.clear();
            let content = out.since(content_start);
            // An entry that was inflated only now may have had no CRC32.
            if proof == Proof::Crcs && self.crcs.gaps() {
                proof = Proof::None;
            }
            let is_hashed = self.verify(verify, &info, content, proof)?;
            match order {
                ReadOrder::Similar => {
                    self.keep_similar(files, (&info, is_hashed), out, content_start)?;
                }
                _ => self.keep_base(&info, out, content_start, order),
            }
            Ok(info)
        })
        .inspect_err(|_| {
            self.bases.truncate(kept);
            out.rewind(start);
        })
    }

    /// Reads the type and content of an object into a vector of its own.
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
        self.read_content(files, (id, &ReadHint::default()), verify)
    }

    /// Like [`Odb::read`], with what the caller knows of the object.
    pub(crate) fn read_content(
        &mut self,
        files: &mut Files,
        asked: (&ObjectId, &ReadHint<'_>),
        verify: Verify,
    ) -> Result<(ObjectType, Vec<u8>)> {
        let mut output = packlens_base::appender::Output::default();
        let info =
            self.read_hinted(files, asked, &mut |_, _| Ok(()), verify, &mut output.appender())?;
        Ok((info.object_type, output.into_vec()))
    }

    /// Keeps the object that was just read if the plan has deltas on it.
    fn keep_base(
        &mut self,
        info: &ObjectInfo,
        out: &mut Appender<'_>,
        start: usize,
        order: ReadOrder<'_>,
    ) {
        let Stored::Packed { pack, offset } = info.stored else {
            return;
        };
        if let Some(uses) = order.uses_of(offset) {
            let what = (info.object_type, info.delta_depth);
            self.bases.keep_appended((pack, offset), what, uses, out, start);
        }
    }

    /// Keeps the object that was just read: the next one is probably a delta on it.
    #[inline(never)]
    fn keep_similar(
        &mut self,
        files: &mut Files,
        (info, is_hashed): (&ObjectInfo, bool),
        out: &mut Appender<'_>,
        start: usize,
    ) -> Result<()> {
        let Stored::Packed { pack, offset } = info.stored else {
            return Ok(());
        };
        if self.bases.find(pack, offset, ReadOrder::Similar).is_some() {
            return Ok(());
        }
        let growth = self.bases.recent_growth(out.since(start).len());
        self.make_room(files, out.capacity(), growth)?;
        let what = (info.object_type, info.delta_depth);
        let hashed = is_hashed.then_some(&info.id);
        self.bases.keep_recent((pack, offset), what, hashed, out.since(start))
    }

    /// Hashes content, unless nothing is verified, or it is proven already; returns whether it
    /// was hashed now or before.
    fn verify(
        &mut self,
        verify: Verify,
        info: &ObjectInfo,
        content: &[u8],
        proof: Proof,
    ) -> Result<bool> {
        match (verify, proof) {
            (Verify::None, _) | (Verify::Crc, Proof::Crcs) => return Ok(false),
            (_, Proof::Hashed) => return Ok(true),
            _ => {}
        }
        self.count_hashed(content.len() as u64);
        if object_id(self.hash, info.object_type, content) == info.id {
            return Ok(true);
        }
        let error = Error::new(ErrorKind::Corrupt, "the content does not match its object id");
        Err(match info.stored {
            Stored::Packed { pack, offset, .. } => error.at(pack, offset),
            Stored::Loose { file } => error.at(file, 0),
            Stored::BuiltIn => error,
        }
        .about(info.id.to_hex()))
    }

    #[inline(never)]
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

    /// Reads an object from a pack.
    fn read_packed(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        (pack, offset, order): (FileId, u64, ReadOrder<'_>),
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<(ObjectInfo, Proof)> {
        let end = self.walk_chain(files, (pack, offset), Some(out), order)?;
        let has_crcs = self.chain_has_crcs(files, pack, &end)?;
        let depth = self.chain.deltas().len();
        let proof = match end {
            End::Kept(found) if depth == 0 && self.bases.was_hashed(found, id) => Proof::Hashed,
            _ if has_crcs => Proof::Crcs,
            _ => Proof::None,
        };
        let mut info = ObjectInfo {
            id: *id,
            object_type: end.object_type(),
            size: 0,
            delta_depth: u32::try_from(depth).unwrap_or(u32::MAX).saturating_add(end.depth()),
            disk_size: None,
            delta_base: None,
            stored: Stored::Packed { pack, offset },
        };
        match end {
            End::Whole(_, step) if depth == 0 => {
                info.size = step.size;
                self.read_whole(files, &step, &info, head, out)?;
            }
            End::Kept(found) if depth == 0 => {
                self.copy_kept(files, found, &mut info, head, out)?;
            }
            end => self.apply_chain(files, (end, order), &mut info, head, out)?,
        }
        Ok((info, proof))
    }

    pub(super) fn read_loose_base(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
    ) -> Result<(ObjectType, Vec<u8>)> {
        let mut output = packlens_base::appender::Output::default();
        let info = self.read_loose(files, id, &mut |_, _| Ok(()), &mut output.appender())?;
        Ok((info.object_type, output.into_vec()))
    }

    /// Inflates an entry that is not a delta straight into the output.
    fn read_whole(
        &mut self,
        files: &mut Files,
        step: &Step,
        info: &ObjectInfo,
        head: Head<'_>,
        out: &mut Appender<'_>,
    ) -> Result<()> {
        let length = self.check_step(files, step)?;
        self.check_crc(files, step)?;
        self.make_room(files, out.peak(step.size), 0)?;
        head(info, out)?;
        let source = files.source(step.pack);
        self.inflater.inflate(&source, step.data_offset, out.space(length)?)?;
        Ok(())
    }

    /// Checks that an entry's announced size is possible and within the limits, before any
    /// memory is allocated for it.
    pub(super) fn check_step(&self, files: &Files, step: &Step) -> Result<usize> {
        self.check_possible(files, step)?;
        self.limits.check_size(step.size).map_err(|error| error.at(step.pack, step.offset))
    }

    /// Checks that the deflated bytes of an entry can inflate to the announced size.
    pub(super) fn check_possible(&self, files: &Files, step: &Step) -> Result<()> {
        let source = files.source(step.pack);
        let stored = entries_end(&source, self.hash).saturating_sub(step.data_offset);
        if step.size > stored.saturating_mul(MOST_INFLATED) {
            let what = "an entry announces more bytes than it can inflate to";
            return Err(source.corrupt(what, step.offset));
        }
        Ok(())
    }
}
