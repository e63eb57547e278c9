//! Making an index for a pack that has none.

use super::{LONG_OFFSET, SIGNATURE};
use crate::block::BlockSource;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::{object_id, Hasher};
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::object::ObjectType;
use crate::oid::{HashKind, ObjectId};
use crate::pack::{apply, entries_end, Delta, Entry, EntryKind, Header, HEADER_LEN};
use std::collections::BTreeMap;

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
    checksum: Hasher,
    entries: Vec<Scanned>,
    deltas_by_base: Option<Bases>,
    waiting: Vec<Waiting>,
    /// How many bytes of content wait.
    kept: u64,
    resolved: u64,
    deltas: u64,
    scratch: Vec<u8>,
}

/// The entries that build on another one, by what they call it.
struct Bases {
    by_offset: BTreeMap<u64, Vec<usize>>,
    by_id: BTreeMap<ObjectId, Vec<usize>>,
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
        let until = inflater.inflated_bytes().saturating_add(STEP_BYTES);
        while inflater.inflated_bytes() < until {
            if self.entries.len() < self.count as usize {
                self.scan(pack, inflater)?;
            } else if self.deltas_by_base.is_none() {
                self.check_end(pack)?;
                self.deltas_by_base = Some(self.bases());
            } else if let Some(next) = self.waiting.pop() {
                self.resolve_next(next, pack, inflater, limits)?;
            } else {
                self.check_all_resolved(pack)?;
                break;
            }
        }
        Ok(Progress {
            done: (self.entries.len() as u64).saturating_add(self.resolved),
            total: u64::from(self.count).saturating_add(self.deltas),
        })
    }

    /// Reads the next entry: what it is, where it ends, its checksum, and its id
    /// if it is no delta.
    fn scan<S: BlockSource>(&mut self, pack: &S, inflater: &mut Inflater) -> Result<()> {
        let offset = self.next_offset;
        let entry = Entry::decode(pack, self.hash, offset)?;
        let object_type = match entry.kind {
            EntryKind::Whole(object_type) => Some(object_type),
            _ => None,
        };
        let mut hasher = object_type.map(|known| Hasher::for_object(self.hash, known, entry.size));
        let mut stream = inflater.stream(pack, entry.data_offset);
        let mut left = entry.size;
        self.scratch.resize(1 << 16, 0);
        while left > 0 {
            let want = usize::try_from(left)
                .unwrap_or(usize::MAX)
                .min(self.scratch.len());
            let chunk = self.scratch.get_mut(..want).unwrap_or_default();
            if stream.fill(chunk)? < want {
                return Err(pack.corrupt("inflates to fewer bytes than announced", offset));
            }
            if let Some(hasher) = &mut hasher {
                hasher.update(chunk);
            }
            left = left.saturating_sub(want as u64);
        }
        let end = stream.finish()?;
        if end > entries_end(pack, self.hash) {
            return Err(pack.corrupt("an entry that runs into the pack's checksum", offset));
        }
        let (crc, checksum) = self.checksums(pack, offset, end)?;
        let id = hasher.map(Hasher::finish).zip(object_type);
        if id.is_none() {
            self.deltas = self.deltas.saturating_add(1);
        } else {
            self.waiting.push(Waiting {
                entry: self.entries.len(),
                content: None,
            });
        }
        let Entry {
            kind,
            size,
            data_offset,
        } = entry;
        self.entries.push(Scanned {
            offset,
            data_offset,
            size,
            crc,
            kind,
            id,
            base: None,
        });
        self.checksum = checksum;
        self.next_offset = end;
        Ok(())
    }

    fn checksums<S: BlockSource>(&self, pack: &S, offset: u64, end: u64) -> Result<(u32, Hasher)> {
        let mut crc = crc32fast::Hasher::new();
        let mut checksum = self.checksum.clone();
        let mut at = offset;
        while at < end {
            let left = end.saturating_sub(at);
            let run = pack.run_at(at).map_err(|error| error.widened(left))?;
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
            let run = run.get(..take).unwrap_or(run);
            crc.update(run);
            checksum.update(run);
            at = at.saturating_add(run.len() as u64);
        }
        Ok((crc.finalize(), checksum))
    }

    fn check_end<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
        let end = entries_end(pack, self.hash);
        if self.next_offset != end {
            return Err(pack.corrupt("more bytes than entries in the pack", self.next_offset));
        }
        let mut stored = vec![0; self.hash.len()];
        pack.read_at(end, &mut stored)?;
        if self.checksum.clone().finish().as_bytes() != stored {
            return Err(pack.corrupt("a pack that does not match its checksum", end));
        }
        Ok(())
    }

    fn bases(&self) -> Bases {
        let mut bases = Bases {
            by_offset: BTreeMap::new(),
            by_id: BTreeMap::new(),
        };
        for (at, entry) in self.entries.iter().enumerate() {
            match entry.kind {
                EntryKind::OfsDelta { base_offset } => {
                    bases.by_offset.entry(base_offset).or_default().push(at);
                }
                EntryKind::RefDelta { base } => bases.by_id.entry(base).or_default().push(at),
                EntryKind::Whole(_) => {}
            }
        }
        bases
    }

    fn resolve_next<S: BlockSource>(
        &mut self,
        mut next: Waiting,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let kept = next
            .content
            .as_ref()
            .map_or(0, |content| content.len() as u64);
        self.kept = self.kept.saturating_sub(kept);
        self.resolve_on(&mut next, pack, inflater, limits)
            .inspect_err(|error| {
                if error.is_missing() {
                    self.keep(next, u64::MAX);
                }
            })
    }

    /// Puts an entry among those that wait, without its content if there is
    /// more than `most` bytes of that already.
    fn keep(&mut self, mut waiting: Waiting, most: u64) {
        let size = waiting
            .content
            .as_ref()
            .map_or(0, |content| content.len() as u64);
        match self.kept.saturating_add(size) {
            kept if kept <= most => self.kept = kept,
            _ => waiting.content = None,
        }
        self.waiting.push(waiting);
    }

    /// Resolves the deltas that build directly on an entry, whose id is known.
    fn resolve_on<S: BlockSource>(
        &mut self,
        next: &mut Waiting,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let base = next.entry;
        let children = self.children(base);
        let known = self.entries.get(base).and_then(|base| base.id);
        let Some((_, object_type)) = known.filter(|_| !children.is_empty()) else {
            return Ok(());
        };
        if next.content.is_none() {
            next.content = Some(self.content(base, pack, inflater, limits)?);
        }
        let content = next.content.as_deref().unwrap_or_default();
        for child in children {
            let Some(entry) = self.entries.get(child) else {
                continue;
            };
            let result = apply_entry(pack, entry, content, inflater, limits)?;
            let id = object_id(self.hash, object_type, &result);
            if let Some(entry) = self.entries.get_mut(child) {
                (entry.id, entry.base) = (Some((id, object_type)), Some(base));
            }
            self.resolved = self.resolved.saturating_add(1);
            if !self.children(child).is_empty() {
                let waiting = Waiting {
                    entry: child,
                    content: Some(result),
                };
                self.keep(waiting, limits.base_cache);
            }
        }
        Ok(())
    }

    /// Returns the entries that build on `base` and have no id yet.
    fn children(&self, base: usize) -> Vec<usize> {
        let Some((bases, entry)) = self.deltas_by_base.as_ref().zip(self.entries.get(base)) else {
            return Vec::new();
        };
        let by_offset = bases.by_offset.get(&entry.offset).into_iter().flatten();
        let by_id = entry
            .id
            .and_then(|(id, _)| bases.by_id.get(&id))
            .into_iter()
            .flatten();
        let unresolved = |at: &&usize| {
            self.entries
                .get(**at)
                .is_some_and(|entry| entry.id.is_none())
        };
        by_offset.chain(by_id).filter(unresolved).copied().collect()
    }

    /// Makes the content of an entry whose bases are all resolved.
    fn content<S: BlockSource>(
        &self,
        at: usize,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Vec<u8>> {
        let mut chain = Vec::new();
        let mut next = Some(at);
        while let Some(entry) = next.and_then(|at| self.entries.get(at)) {
            chain.push(entry);
            next = entry.base;
        }
        let mut content = Vec::new();
        for entry in chain.into_iter().rev() {
            content = match entry.kind {
                EntryKind::Whole(_) => inflate_entry(pack, entry, inflater, limits)?,
                _ => apply_entry(pack, entry, &content, inflater, limits)?,
            };
        }
        Ok(content)
    }

    fn check_all_resolved<S: BlockSource>(&self, pack: &S) -> Result<()> {
        match self.entries.iter().find(|entry| entry.id.is_none()) {
            None => Ok(()),
            Some(entry) => Err(pack.corrupt("a delta whose base is not in the pack", entry.offset)),
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let row = size_of::<Scanned>() as u64;
        (self.entries.capacity() as u64)
            .saturating_mul(row)
            .saturating_add(self.kept)
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
                Error::new(
                    ErrorKind::BadInput,
                    "an index is written when all is resolved",
                )
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
        rows.iter()
            .for_each(|(_, crc, _)| out.extend(crc.to_be_bytes()));
        let mut long = Vec::new();
        for (.., offset) in &rows {
            let short = u32::try_from(*offset)
                .ok()
                .filter(|offset| *offset < LONG_OFFSET);
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

fn inflate_entry<S: BlockSource>(
    pack: &S,
    entry: &Scanned,
    inflater: &mut Inflater,
    limits: &Limits,
) -> Result<Vec<u8>> {
    let mut bytes = limits.buffer(entry.size)?;
    inflater.inflate(pack, entry.data_offset, &mut bytes)?;
    Ok(bytes)
}

fn apply_entry<S: BlockSource>(
    pack: &S,
    entry: &Scanned,
    base: &[u8],
    inflater: &mut Inflater,
    limits: &Limits,
) -> Result<Vec<u8>> {
    let bytes = inflate_entry(pack, entry, inflater, limits)?;
    let place = |error: Error| error.at(pack.file(), entry.offset);
    let delta = Delta::decode(&bytes).map_err(place)?;
    let mut out = limits.buffer(delta.result_size)?;
    apply(base, &delta, &mut out).map_err(place)?;
    Ok(out)
}
