//! Reading the entries of a pack one after the other.

use super::{Build, Scanned, Waiting};
use crate::block::BlockSource;
use crate::error::Result;
use crate::hash::Hasher;
use crate::inflate::Inflater;
use crate::pack::{entries_end, Entry, EntryKind};

impl Build {
    /// Reads the next entry: what it is, where it ends, its checksum, and its id
    /// if it is no delta.
    pub(super) fn scan<S: BlockSource>(&mut self, pack: &S, inflater: &mut Inflater) -> Result<()> {
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
            let want = usize::try_from(left).unwrap_or(usize::MAX).min(self.scratch.len());
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
            self.waiting.push(Waiting { entry: self.entries.len(), content: None });
        }
        let Entry { kind, size, data_offset } = entry;
        self.entries.push(Scanned { offset, data_offset, size, crc, kind, id, base: None });
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
