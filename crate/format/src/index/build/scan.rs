//! Reads the entries of a pack in pack order.

use super::hashing::Unhashed;
use super::resolve::colliding_at;
use super::rows::{Row, NONE};
use super::Build;
use crate::pack::{entries_end, Entry, EntryKind, HEADER_LEN};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::hash::{Crc32, Hasher, ObjectHasher};
use packlens_base::inflate::{Inflater, StreamPlace};
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};

/// How many bytes are inflated at a time of an entry that is read in chunks.
const CHUNK: usize = 64 << 10;

/// The largest entry that is inflated at once, if memory could hold many such.
const AT_ONCE: u64 = 512 << 10;

/// An entry that is read in chunks. It may be larger than memory: bytes that were read are not
/// needed again.
pub(super) struct Scanning {
    entry: Entry,
    place: StreamPlace,
    left: u64,
    crc: Crc32,
    id: Option<ObjectHasher>,
    /// The content of the entry, if it is checked.
    kept: Option<Vec<u8>>,
}

impl Scanning {
    pub fn memory(&self) -> u64 {
        self.kept.as_ref().map_or(0, |kept| kept.capacity() as u64)
    }
}

/// The hash of the pack from its start to the offset `end`.
#[derive(Clone)]
pub(super) struct PackChecksum {
    hasher: Hasher,
    pub(super) end: u64,
}

impl PackChecksum {
    /// Begins with the header of the pack.
    pub(super) fn new(hash: HashKind, header: &[u8; HEADER_LEN as usize]) -> PackChecksum {
        let mut hasher = Hasher::new(hash);
        hasher.update(header);
        PackChecksum { hasher, end: HEADER_LEN }
    }

    /// Adds the bytes at `offset`, unless bytes before them are missing.
    pub(super) fn add(&mut self, offset: u64, bytes: &[u8]) {
        if offset == self.end {
            self.hasher.update(bytes);
            self.end = self.end.saturating_add(bytes.len() as u64);
        }
    }
}

impl Build {
    /// Reads the next entry, and links it with its base.
    pub(super) fn read_next<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        let (at, kind) = self.scan(pack, inflater, limits)?;
        self.link(at, kind);
        Ok(())
    }

    /// Reads the next entry: its head, its end, its CRC-32 checksum, and its id if it is no
    /// delta. Returns its row number and kind. After missing bytes it resumes where it stopped.
    pub(super) fn scan<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<(u32, EntryKind)> {
        let mut scanning = match self.scanning.take() {
            Some(scanning) => scanning,
            None => {
                let entry = Entry::decode(pack, self.hash, self.next_offset)?;
                if entry.size <= AT_ONCE.min(limits.memory / 64) {
                    match self.scan_at_once(pack, &entry, inflater, limits) {
                        // The stream below keeps what is inflated: no byte is inflated a third
                        // time.
                        Err(error) if error.is_missing() => {}
                        scanned => return scanned.map(|at| (at, entry.kind)),
                    }
                }
                self.begin_entry(pack, entry)?
            }
        };
        let read = self.read_entry(pack, &mut scanning);
        if let Err(error) = read {
            self.scanning = Some(scanning).filter(|_| error.is_missing());
            return Err(error);
        }
        let Scanning { entry, crc, id, kept, .. } = scanning;
        let offset = self.next_offset;
        let at = self.push_row(&entry, crc.finish());
        if let Some(id) = id {
            let id = id.finish().ok_or_else(|| colliding_at(pack, offset))?;
            self.rows.set_id(at, &id);
            self.hashed = self.hashed.saturating_add(1);
            if let (EntryKind::Whole(object_type), Some(kept)) = (entry.kind, kept) {
                self.check_read(object_type, &id, &kept)?;
            }
        }
        Ok((at, entry.kind))
    }

    /// Reads a small entry, if all of its bytes are in memory; returns its row number.
    fn scan_at_once<S: BlockSource>(
        &mut self,
        pack: &S,
        entry: &Entry,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<u32> {
        let size = limits.check_size(entry.size)?;
        let object_type = match entry.kind {
            EntryKind::Whole(object_type) => object_type,
            EntryKind::OfsDelta { .. } | EntryKind::RefDelta { .. } => {
                self.scratch.resize(self.scratch.len().max(size), 0);
                let out = self.scratch.get_mut(..size).unwrap_or_default();
                let end = inflater.inflate(pack, entry.data_offset, out)?;
                let crc = self.sum_up_entry(pack, end)?;
                return Ok(self.push_row(entry, crc));
            }
        };
        let content = self.take_content(size, pack, limits)?;
        let out = self.contents.get_mut(content);
        let inflated = inflater.inflate(pack, entry.data_offset, out);
        let crc = inflated.and_then(|end| self.sum_up_entry(pack, end));
        let crc = crc.inspect_err(|_| self.contents.release(content))?;
        let at = self.push_row(entry, crc);
        self.await_hash(Unhashed { entry: at, object_type, content, length: size });
        self.hash_if_full(pack)?;
        Ok(at)
    }

    /// Adds the entry that was read, and advances past it; returns its row number.
    fn push_row(&mut self, entry: &Entry, crc: u32) -> u32 {
        let at = self.add_row(self.next_offset, crc, entry.kind);
        self.next_offset = self.summed;
        self.count_work(entry.size);
        at
    }

    /// Adds an entry; returns its row number.
    pub(super) fn add_row(&mut self, offset: u64, crc: u32, kind: EntryKind) -> u32 {
        let at = self.rows.len();
        let row = Row { offset, crc, base: NONE, child: NONE, sibling: NONE };
        let object_type = match kind {
            EntryKind::Whole(object_type) => Some(object_type),
            EntryKind::OfsDelta { .. } | EntryKind::RefDelta { .. } => None,
        };
        self.rows.push(row, object_type);
        at
    }

    /// Links an entry with its base, if it is a delta.
    pub(super) fn link(&mut self, at: u32, kind: EntryKind) {
        match kind {
            EntryKind::OfsDelta { base_offset } => {
                if let Some(base) = self.rows.at_offset(base_offset) {
                    self.rows.adopt(base, at);
                }
            }
            EntryKind::RefDelta { base } => self.by_id.push((base, at)),
            EntryKind::Whole(_) => {}
        }
    }

    fn begin_entry<S: BlockSource>(&mut self, pack: &S, entry: Entry) -> Result<Scanning> {
        let (id, kept) = match entry.kind {
            EntryKind::Whole(object_type) => (
                Some(ObjectHasher::new(self.hash, self.collisions, object_type, entry.size)),
                self.room_to_check(object_type, entry.size, AT_ONCE)?,
            ),
            _ => (None, None),
        };
        let place = self.inflater.stream(pack, entry.data_offset).place();
        let (left, crc) = (entry.size, Crc32::new());
        Ok(Scanning { entry, place, left, crc, id, kept })
    }

    fn read_entry<S: BlockSource>(&mut self, pack: &S, scanning: &mut Scanning) -> Result<()> {
        self.scratch.resize(self.scratch.len().max(CHUNK), 0);
        loop {
            self.sum_up(pack, scanning)?;
            let want = usize::try_from(scanning.left).unwrap_or(usize::MAX).min(CHUNK);
            let chunk = self.scratch.get_mut(..want).unwrap_or_default();
            let mut stream = self.inflater.resume(pack, scanning.place);
            let filled = match want {
                0 => stream.finish().map(|_| 0),
                _ => stream.fill_some(chunk),
            };
            let (place, ended) = (stream.place(), stream.has_ended());
            scanning.place = place;
            let filled = filled?;
            if let Some(hasher) = &mut scanning.id {
                hasher.update(chunk.get(..filled).unwrap_or_default());
            }
            if let Some(kept) = &mut scanning.kept {
                kept.extend_from_slice(chunk.get(..filled).unwrap_or_default());
            }
            scanning.left = scanning.left.saturating_sub(filled as u64);
            if ended && scanning.left > 0 {
                let what = "inflates to fewer bytes than announced";
                return Err(pack.corrupt(what, scanning.entry.data_offset));
            }
            if want == 0 {
                self.check_inside(pack, scanning.place.offset())?;
                return self.sum_up(pack, scanning);
            }
        }
    }

    /// Checks that an entry does not extend beyond the last byte that entries may take.
    fn check_inside<S: BlockSource>(&self, pack: &S, end: u64) -> Result<()> {
        if end > entries_end(pack, self.hash) {
            let what = "an entry of the pack reaches into its checksum";
            return Err(pack.corrupt(what, self.next_offset));
        }
        Ok(())
    }

    /// Adds a whole entry, which ends at `end`, to the pack's checksum; returns the CRC-32
    /// checksum of the entry.
    fn sum_up_entry<S: BlockSource>(&mut self, pack: &S, end: u64) -> Result<u32> {
        self.check_inside(pack, end)?;
        let mut crc = Crc32::new();
        self.sum_up_to(pack, end, &mut crc)?;
        Ok(crc.finish())
    }

    /// Adds the bytes that the stream has consumed to the checksums.
    fn sum_up<S: BlockSource>(&mut self, pack: &S, scanning: &mut Scanning) -> Result<()> {
        self.sum_up_to(pack, scanning.place.offset(), &mut scanning.crc)
    }

    fn sum_up_to<S: BlockSource>(&mut self, pack: &S, end: u64, crc: &mut Crc32) -> Result<()> {
        while self.summed < end {
            let left = end.saturating_sub(self.summed);
            let run = pack.run_at(self.summed).map_err(|error| error.widened(left))?;
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
            let run = run.get(..take).unwrap_or(run);
            crc.update(run);
            self.checksum.add(self.summed, run);
            self.summed = self.summed.saturating_add(run.len() as u64);
        }
        Ok(())
    }

    /// Checks that the pack ends after its last entry, with the right checksum.
    pub(super) fn check_end<S: BlockSource>(&self, pack: &S) -> Result<ObjectId> {
        let end = entries_end(pack, self.hash);
        if self.next_offset != end {
            return Err(pack.corrupt("the pack has bytes after its last entry", self.next_offset));
        }
        let stored = stored_checksum(pack, self.hash)?;
        let checksum = Some(self.checksum.hasher.clone().finish());
        checksum
            .filter(|sum| sum.as_bytes() == stored)
            .ok_or_else(|| pack.corrupt("the pack does not match its checksum", end))
    }
}

/// Returns the checksum at the end of the pack.
pub(super) fn stored_checksum<S: BlockSource>(pack: &S, hash: HashKind) -> Result<Vec<u8>> {
    let mut stored = vec![0; hash.len()];
    pack.read_at(entries_end(pack, hash), &mut stored)?;
    Ok(stored)
}
