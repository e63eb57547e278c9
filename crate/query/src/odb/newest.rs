//! Finds commits in the beginning of a pack on a server, where git writes the newest first.
//!
//! To look each up in the index of the pack takes a round trip, after which the ids of its parents
//! are known. One range of the pack has a hundred commits, whose ids are the hashes of what they say.

use super::{Odb, PackNumber, ReadHint};
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, Need, Result};
use packlens_base::hash::object_id;
use packlens_base::oid::ObjectId;
use packlens_base::sorted_map::SortedMap;
use packlens_format::object::ObjectType;
use packlens_format::pack::{apply, Delta, Entry, EntryKind, HEADER_LEN};

/// The largest commit or tag, or delta on one, whose id is found out; with little memory a share of
/// that, because a chain of them is in memory at once.
const MOST_BYTES: u64 = 64 << 10;
const BYTES_SHARE: u64 = 256;

/// How many entries are read for one look-up: more than a range has.
const MOST_READ: u32 = 1 << 8;

/// The share of the memory ceiling that the ids of one pack may take. A walk needs those of its last
/// range.
const IDS_SHARE: u64 = 64;

/// The longest chain of deltas that is followed.
const MOST_DEPTH: u32 = 50;

/// How many objects were found before more is requested ahead: a walk is under way then.
const LEAST_FOUND: u32 = 4;

/// How many bytes before the end a walk has come when more is requested.
const NEAR: u64 = 64 << 10;

/// How much of a pack the host requests before it is opened, if there is one pack (`first` of packs
/// in `js/src/source/url/store.ts`): reading that takes no round trip.
const REQUESTED: u64 = 24 << 10;

/// How much of such a pack is read for commits, which are mostly there, before the index is asked.
const READ_FOR_COMMITS: u64 = 48 << 10;

/// The packs whose beginnings are read; the index of any further one is asked as usual.
const MOST_PACKS: usize = 16;

/// The beginning of a pack.
pub(super) struct Beginning {
    pack: FileId,
    /// The offset of the first entry that was not read; `None` after the commits and tags.
    next: Option<u64>,
    offsets: SortedMap<ObjectId, u64>,
    kept: u64,
    /// The offset of the furthest object that was found, and how often one was the furthest: a
    /// walk goes on from the newest commits to older ones.
    furthest: u64,
    found: u32,
}

impl Beginning {
    pub(super) fn pack(&self) -> FileId {
        self.pack
    }

    /// Returns how many bytes of memory this takes: a vector may have grown to twice its length.
    fn memory(&self) -> u64 {
        self.kept.saturating_mul(const { size_of::<[(ObjectId, u64); 2]>() as u64 })
    }

    /// Returns whether a walk is under way that has read most of what is in memory.
    fn comes_to_the_end(&self) -> bool {
        let near = self.next.is_some_and(|next| next.saturating_sub(self.furthest) <= NEAR);
        near && self.found >= LEAST_FOUND
    }
}

/// A commit or tag, and the offset of the entry after it.
struct Read {
    object_type: ObjectType,
    content: Vec<u8>,
    end: u64,
}

impl Odb {
    /// Returns how many bytes of memory the ids take.
    pub(super) fn beginnings_memory(&self) -> u64 {
        self.beginnings.iter().map(Beginning::memory).fold(0, u64::saturating_add)
    }

    /// Returns the offset of an object in a pack about whose index `missing` says that bytes are
    /// needed, if the object is in the beginning of the pack, as far as that is in memory. Nothing
    /// is read there for trees and blobs.
    ///
    /// # Errors
    ///
    /// `missing` if it is not, or the pack is not on a server; with it the next range of the
    /// pack, if other objects were found there. Missing bytes that the host has requested already,
    /// or that are likely to have the commit.
    #[cold]
    pub(super) fn offset_in_beginning(
        &mut self,
        files: &Files,
        number: PackNumber,
        (id, hint): (&ObjectId, &ReadHint<'_>),
        missing: Error,
    ) -> Result<u64> {
        if let Some(ObjectType::Tree | ObjectType::Blob) = hint.object_type {
            return Err(missing);
        }
        let Some(at) = self.beginning_of(files, number, &missing)? else {
            return Err(missing);
        };
        let searched = self.search_beginning(files, at, id);
        let Some(beginning) = self.beginnings.get_mut(at) else {
            return Err(missing);
        };
        // What is read first is mostly the commit of `HEAD`.
        let is_commit = hint.object_type == Some(ObjectType::Commit) || beginning.found == 0;
        let most = if is_commit { READ_FOR_COMMITS } else { REQUESTED };
        match searched {
            Ok(Some(offset)) => {
                if offset > beginning.furthest {
                    beginning.furthest = offset;
                    beginning.found = beginning.found.saturating_add(1);
                }
                Ok(offset)
            }
            Err(more) if self.packs.is_alone() && ends_by(&more, most) => Err(more),
            Err(more) if beginning.comes_to_the_end() => Err(missing.guessing_all(more)),
            _ => Err(missing),
        }
    }

    /// Returns the place of a pack in the list of beginnings.
    fn beginning_of(
        &mut self,
        files: &Files,
        number: PackNumber,
        missing: &Error,
    ) -> Result<Option<usize>> {
        match missing.need() {
            Some(Need::Bytes { file, .. }) if files.is_high_latency(*file) => {}
            _ => return Ok(None),
        }
        let Some(pack) = self.packs.open_beginning(files, number)? else {
            return Ok(None);
        };
        let known = self.beginnings.iter().position(|beginning| beginning.pack == pack);
        if known.is_none() && self.beginnings.len() < MOST_PACKS {
            let next = Some(HEADER_LEN);
            let offsets = SortedMap::default();
            self.beginnings.push(Beginning { pack, next, offsets, kept: 0, furthest: 0, found: 0 });
            return Ok(self.beginnings.len().checked_sub(1));
        }
        Ok(known)
    }

    /// Reads the entries of a beginning until one is the object.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    fn search_beginning(&mut self, files: &Files, at: usize, id: &ObjectId) -> Result<Option<u64>> {
        let known = self.beginnings.get(at).and_then(|beginning| beginning.offsets.get(id));
        if let Some(offset) = known {
            return Ok(Some(*offset));
        }
        for _ in 0..MOST_READ {
            let Some(&Beginning { pack, next: Some(offset), .. }) = self.beginnings.get(at) else {
                return Ok(None);
            };
            let read = match self.read_newest(files, (pack, offset), 0) {
                Err(error) if error.is_missing() => return Err(error),
                // What is damaged is reported by who reads it.
                read => read.ok().flatten(),
            };
            let found = read.as_ref().map(|read| {
                self.count_hashed(read.content.len() as u64);
                object_id(self.hash, read.object_type, &read.content)
            });
            let Some(beginning) = self.beginnings.get_mut(at) else {
                return Ok(None);
            };
            beginning.next = read.map(|read| read.end);
            let Some(found) = found else {
                return Ok(None);
            };
            if beginning.memory() > self.limits.memory / IDS_SHARE {
                beginning.offsets = SortedMap::default();
                beginning.kept = 0;
            }
            beginning.offsets.insert(found, offset);
            beginning.kept = beginning.kept.saturating_add(1);
            if found == *id {
                return Ok(Some(offset));
            }
        }
        Ok(None)
    }

    /// Reads the commit or tag at an offset; `None` if the entry is of another type or large.
    fn read_newest(
        &mut self,
        files: &Files,
        (pack, offset): (FileId, u64),
        depth: u32,
    ) -> Result<Option<Read>> {
        let source = files.source(pack);
        let entry = Entry::decode(&source, self.hash, offset)?;
        let base_offset = match entry.kind {
            EntryKind::Whole(ObjectType::Commit | ObjectType::Tag) => None,
            EntryKind::OfsDelta { base_offset } if depth < MOST_DEPTH => Some(base_offset),
            _ => return Ok(None),
        };
        let most = MOST_BYTES.min(self.limits.memory / BYTES_SHARE);
        let Some(mut content) = bytes_of(entry.size, most) else {
            return Ok(None);
        };
        let end = self.inflater.inflate(&source, entry.data_offset, &mut content)?;
        let Some(base_offset) = base_offset else {
            let EntryKind::Whole(object_type) = entry.kind else {
                return Ok(None);
            };
            return Ok(Some(Read { object_type, content, end }));
        };
        let depth = depth.saturating_add(1);
        let Some(base) = self.read_newest(files, (pack, base_offset), depth)? else {
            return Ok(None);
        };
        let delta = Delta::decode(&content)?;
        let Some(mut made) = bytes_of(delta.result_size, most) else {
            return Ok(None);
        };
        apply(&base.content, &delta, &mut made)?;
        Ok(Some(Read { object_type: base.object_type, content: made, end }))
    }
}

/// Returns whether the bytes that are needed end before an offset.
fn ends_by(error: &Error, end: u64) -> bool {
    match error.need() {
        Some(Need::Bytes { offset, length, .. }) => offset.saturating_add((*length).max(1)) <= end,
        _ => false,
    }
}

/// Returns memory for the content of an entry; `None` if that is too large.
fn bytes_of(size: u64, most: u64) -> Option<Vec<u8>> {
    let size = usize::try_from(size).ok().filter(|_| size <= most)?;
    Some(vec![0; size])
}
