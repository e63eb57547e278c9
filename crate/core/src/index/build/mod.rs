//! Making an index for a pack that has none.

mod resolve;
mod scan;

use super::{LONG_OFFSET, SIGNATURE};
use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::Hasher;
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::object::ObjectType;
use crate::oid::{HashKind, ObjectId};
use crate::pack::{EntryKind, Header, HEADER_LEN};
use resolve::Bases;
use scan::Scanning;

/// How many bytes one step inflates, about, before it lets others go on.
const STEP_BYTES: u64 = 8 << 20;

/// How far the making of an index has come.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Progress {
    /// Entries read and deltas resolved.
    pub done: u64,
    /// What there is to do: entries, and the deltas among them once more.
    pub total: u64,
}

impl Progress {
    /// Tells whether all is done.
    pub fn is_complete(self) -> bool {
        self.done >= self.total
    }
}

struct Scanned {
    offset: u64,
    data_offset: u64,
    size: u64,
    crc: u32,
    kind: EntryKind,
    id: Option<(ObjectId, ObjectType)>,
    /// The entry it builds on, once that is known.
    base: Option<usize>,
}

/// An entry whose deltas are still to be resolved.
struct Waiting {
    entry: usize,
    /// Its content, if there was room to keep it.
    content: Option<Vec<u8>>,
}

/// An index in the making. First every entry is read in turn, then the deltas
/// are resolved, bases first.
pub struct Build {
    hash: HashKind,
    count: u32,
    next_offset: u64,
    /// The hash of the pack up to `summed`.
    checksum: Hasher,
    summed: u64,
    scanning: Option<Scanning>,
    /// Its own: what it is in the middle of must not be lost to other streams.
    inflater: Inflater,
    entries: Vec<Scanned>,
    deltas_by_base: Option<Bases>,
    waiting: Vec<Waiting>,
    /// How many bytes of content wait.
    kept: u64,
    resolved: u64,
    deltas: u64,
    scratch: Vec<u8>,
}

impl Build {
    /// Begins with the pack's header.
    ///
    /// # Errors
    ///
    /// Those of [`Header::decode`].
    pub fn new<S: BlockSource>(pack: &S, hash: HashKind) -> Result<Build> {
        let header = Header::decode(pack, hash)?;
        let mut checksum = Hasher::new(hash);
        checksum.update(&pack.array_at::<{ HEADER_LEN as usize }>(0)?);
        Ok(Build {
            hash,
            count: header.count,
            next_offset: HEADER_LEN,
            checksum,
            summed: HEADER_LEN,
            scanning: None,
            inflater: Inflater::default(),
            entries: Vec::new(),
            deltas_by_base: None,
            waiting: Vec::new(),
            kept: 0,
            resolved: 0,
            deltas: 0,
            scratch: Vec::new(),
        })
    }

    /// Goes on for a while, and tells how far that came.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and go on.
    /// [`ErrorKind::Corrupt`] if the pack is damaged, or a base is not in it.
    pub fn step<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Progress> {
        let before = self.progress();
        let inflated = |build: &Build, inflater: &Inflater| {
            build.inflater.inflated_bytes().saturating_add(inflater.inflated_bytes())
        };
        let until = inflated(self, inflater).saturating_add(STEP_BYTES);
        while inflated(self, inflater) < until && !self.progress().is_complete() {
            match self.go_on(pack, inflater, limits) {
                Ok(()) => {}
                // To have come further is an answer too: what is missing is
                // asked for by the next step.
                Err(error) if error.is_missing() && self.progress() != before => break,
                Err(error) => return Err(error),
            }
        }
        Ok(self.progress())
    }

    fn go_on<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        if self.entries.len() < self.count as usize {
            self.scan(pack)
        } else if self.deltas_by_base.is_none() {
            self.check_end(pack)?;
            self.deltas_by_base = Some(self.bases());
            Ok(())
        } else if let Some(next) = self.waiting.pop() {
            self.resolve_next(next, pack, inflater, limits)
        } else {
            Err(self.unresolved(pack))
        }
    }

    fn progress(&self) -> Progress {
        // Reading the end and sorting by base is a step of its own.
        let sorted = u64::from(self.deltas_by_base.is_some());
        let read = (self.entries.len() as u64).saturating_add(sorted);
        Progress {
            done: read.saturating_add(self.resolved),
            total: u64::from(self.count).saturating_add(self.deltas).saturating_add(1),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let row = size_of::<Scanned>() as u64;
        (self.entries.capacity() as u64).saturating_mul(row).saturating_add(self.kept)
    }

    /// Writes the index, version 2.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] before all is done.
    pub fn finish(self) -> Result<Vec<u8>> {
        let mut rows = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let (id, _) = entry.id.ok_or_else(|| {
                Error::new(ErrorKind::BadInput, "an index is written when all is resolved")
            })?;
            rows.push((id, entry.crc, entry.offset));
        }
        rows.sort_unstable();
        let mut out = Vec::new();
        out.extend(SIGNATURE);
        out.extend(2u32.to_be_bytes());
        for byte in 0..=u8::MAX {
            let upto = rows.partition_point(|(id, ..)| id.first_byte() <= byte);
            out.extend((upto as u32).to_be_bytes());
        }
        rows.iter().for_each(|(id, ..)| out.extend(id.as_bytes()));
        rows.iter().for_each(|(_, crc, _)| out.extend(crc.to_be_bytes()));
        let mut long = Vec::new();
        for (.., offset) in &rows {
            let short = u32::try_from(*offset).ok().filter(|offset| *offset < LONG_OFFSET);
            let stored = short.unwrap_or_else(|| {
                let row = (long.len() / 8) as u32;
                long.extend(offset.to_be_bytes());
                row | LONG_OFFSET
            });
            out.extend(stored.to_be_bytes());
        }
        out.extend(long);
        out.extend(self.checksum.finish().as_bytes());
        let mut checksum = Hasher::new(self.hash);
        checksum.update(&out);
        out.extend(checksum.finish().as_bytes());
        Ok(out)
    }
}
