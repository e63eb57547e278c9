//! Reading the entries of a pack one after the other.

use super::{Build, Scanned, Waiting};
use crate::block::BlockSource;
use crate::error::Result;
use crate::hash::Hasher;
use crate::inflate::StreamPlace;
use crate::object::ObjectType;
use crate::pack::{entries_end, Entry, EntryKind};

/// How much is inflated at a time of an entry that is only looked over.
const CHUNK: usize = 64 << 10;

/// An entry that is being read. It may be larger than memory: what was read of
/// it is not needed again.
pub(super) struct Scanning {
    entry: Entry,
    place: StreamPlace,
    left: u64,
    crc: crc32fast::Hasher,
    id: Option<(Hasher, ObjectType)>,
}

impl Build {
    /// Reads the next entry: what it is, where it ends, its checksum, and its id
    /// if it is no delta. After missing bytes it goes on where it was.
    pub(super) fn scan<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
        let offset = self.next_offset;
        let mut scanning = match self.scanning.take() {
            Some(scanning) => scanning,
            None => self.begin_entry(pack)?,
        };
        let read = self.read_entry(pack, &mut scanning);
        if let Err(error) = read {
            self.scanning = Some(scanning).filter(|_| error.is_missing());
            return Err(error);
        }
        let id = scanning.id.map(|(hasher, object_type)| (hasher.finish(), object_type));
        if id.is_none() {
            self.deltas = self.deltas.saturating_add(1);
        } else {
            self.waiting.push(Waiting { entry: self.entries.len(), content: None });
        }
        let Entry { kind, size, data_offset } = scanning.entry;
        let crc = scanning.crc.finalize();
        self.entries.push(Scanned { offset, data_offset, size, crc, kind, id, base: None });
        self.next_offset = self.summed;
        Ok(())
    }

    fn begin_entry<S: BlockSource>(&mut self, pack: &S) -> Result<Scanning> {
        let entry = Entry::decode(pack, self.hash, self.next_offset)?;
        let id = match entry.kind {
            EntryKind::Whole(object_type) => {
                Some((Hasher::for_object(self.hash, object_type, entry.size), object_type))
            }
            _ => None,
        };
        let place = self.inflater.stream(pack, entry.data_offset).place();
        Ok(Scanning { entry, place, left: entry.size, crc: crc32fast::Hasher::new(), id })
    }

    fn read_entry<S: BlockSource>(&mut self, pack: &S, scanning: &mut Scanning) -> Result<()> {
        self.scratch.resize(CHUNK, 0);
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
            if let Some((hasher, _)) = &mut scanning.id {
                hasher.update(chunk.get(..filled).unwrap_or_default());
            }
            scanning.left = scanning.left.saturating_sub(filled as u64);
            if ended && scanning.left > 0 {
                let what = "inflates to fewer bytes than announced";
                return Err(pack.corrupt(what, scanning.entry.data_offset));
            }
            if want == 0 {
                return self.end_entry(pack, scanning);
            }
        }
    }

    fn end_entry<S: BlockSource>(&mut self, pack: &S, scanning: &mut Scanning) -> Result<()> {
        if scanning.place.offset() > entries_end(pack, self.hash) {
            let what = "an entry that runs into the pack's checksum";
            return Err(pack.corrupt(what, self.next_offset));
        }
        self.sum_up(pack, scanning)
    }

    /// Adds what was inflated to the checksums, up to where the stream stands.
    fn sum_up<S: BlockSource>(&mut self, pack: &S, scanning: &mut Scanning) -> Result<()> {
        let end = scanning.place.offset();
        while self.summed < end {
            let left = end.saturating_sub(self.summed);
            let run = pack.run_at(self.summed).map_err(|error| error.widened(left))?;
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
            let run = run.get(..take).unwrap_or(run);
            scanning.crc.update(run);
            self.checksum.update(run);
            self.summed = self.summed.saturating_add(run.len() as u64);
        }
        Ok(())
    }

    pub(super) fn check_end<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
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
}
