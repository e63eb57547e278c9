//! The entries of packs that the next objects of a batch are made of, asked for together.

use super::needs::first_missing;
use super::{Odb, PackNumber, ReadHint};
use packlens_base::block::{AskedRange, BlockSource, FileId, Files};
use packlens_base::error::{Error, Need, Result};
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::pack::EntryKind;

/// The entries of so many objects are asked for together.
const MOST_OBJECTS: u32 = 32;

/// The share of the memory ceiling that the ranges of these may take.
const RANGES_SHARE: u64 = 16;

/// A pack that takes at most this share of the memory ceiling is read in blocks, which stay.
pub(super) const SMALL_SHARE: u64 = 4;

/// Entries with so many bytes between them are read as one range, if there is memory.
const MOST_BETWEEN: u64 = 4 << 10;

/// For one requested object in this many of a pack its order is worth sorting.
const ORDER_WORTH: u32 = 128;

/// While one object in so many is still requested, a pack that fits in memory is read in blocks, too:
/// these objects are made of most of it, and a read of a block takes less time than those of its entries.
const BLOCKS_WORTH: u32 = 3;

/// The chains of the next objects of a batch, as far as they are known.
#[derive(Default)]
pub(super) struct EntriesAhead {
    /// The first of these objects.
    first: Option<ObjectId>,
    next: Vec<Next>,
}

/// Where a chain goes on: at the entry that was asked for last.
struct Next {
    pack: PackNumber,
    file: FileId,
    offset: u64,
    /// Whether this is the entry of the object itself, whose head is always read.
    is_own: bool,
}

impl Odb {
    /// Turns a need for bytes of a large pack into one for exactly the entries that it and the next
    /// objects are made of, if the reads of the file are immediate. `ahead` returns the objects,
    /// the one that is being read first.
    #[inline(never)]
    pub(crate) fn entries_ahead(
        &mut self,
        files: &mut Files,
        error: Error,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) -> Error {
        match self.ranges_ahead(files, &error, ahead) {
            Ok(Some(ranges)) => {
                files.ask_for(&ranges.all);
                // If there is no room for them, adding them says so.
                let _ = self.make_room(files, 0, 0);
                ranges.need()
            }
            Err(other) if other.is_missing() => other,
            Ok(None) | Err(_) => error,
        }
    }

    fn ranges_ahead(
        &mut self,
        files: &mut Files,
        error: &Error,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) -> Result<Option<Ranges>> {
        let Some(Need::Bytes { file, offset, .. }) = error.need() else { return Ok(None) };
        let Some((pack, first)) = self.packs.number_of(*file).zip(ahead(0)) else {
            return Ok(None);
        };
        let (size, memory) = (files.source(*file).size(), self.limits.memory);
        let count = self.packs.count(pack);
        let requested = |count: u32| ahead(count.max(1)).is_some();
        let fits = || size <= memory.saturating_mul(2) / 3 && requested(count / BLOCKS_WORTH);
        let asks = files.is_immediate(*file)
            && size > memory / SMALL_SHARE
            && (self.packs.extents(pack).is_some() || (requested(count / ORDER_WORTH) && !fits()))
            && self.read_order(files, pack)?;
        let needed = match asks {
            true => self.range_around(files, *file, *offset),
            false => None,
        };
        let most = self.limits.memory / RANGES_SHARE;
        let Some(needed) = needed else { return Ok(None) };
        if length(&needed) > most {
            // A large entry takes all the memory that there is.
            self.forget_ahead(files);
            return Ok(None);
        }
        let mut ranges = Ranges { all: self.next_ranges(files, *file, None), needed };
        if ranges.first().is_none() {
            if self.entries_ahead.first != Some(first) {
                self.begin_ahead(files, first, ahead);
            } else if files.asked_size() > most {
                // The entries of this object alone are too many.
                files.drop_asked();
            }
            ranges.all = self.next_ranges(files, *file, Some(needed));
        }
        Ok(Some(ranges))
    }

    /// Returns the range of the entry that a byte of a pack is in; `None` if the index is wrong.
    fn range_around(&self, files: &Files, file: FileId, offset: u64) -> Option<AskedRange> {
        let extents = self.packs.extents(self.packs.number_of(file)?)?;
        let (start, _) = extents.entry(extents.after(offset).checked_sub(1)?)?;
        let end = start.saturating_add(extents.extent_at(start)?);
        (start < end && end <= files.source(file).size()).then_some((file, start, end))
    }

    fn forget_ahead(&mut self, files: &mut Files) {
        files.drop_asked();
        self.entries_ahead = EntriesAhead::default();
    }

    /// Looks up the next objects.
    fn begin_ahead(
        &mut self,
        files: &mut Files,
        first: ObjectId,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) {
        self.forget_ahead(files);
        self.entries_ahead.first = Some(first);
        for id in (0..MOST_OBJECTS).map_while(ahead) {
            if let Ok(Some((pack, offset))) = self.packed_at(files, &id, &ReadHint::default()) {
                if let Ok(file) = self.packs.file(pack) {
                    self.entries_ahead.next.push(Next { pack, file, offset, is_own: true });
                }
            }
        }
    }

    /// Follows the chains in a file as far as their entries are in memory; returns the ranges of the
    /// next entries.
    fn next_ranges(
        &mut self,
        files: &Files,
        file: FileId,
        needed: Option<AskedRange>,
    ) -> Vec<AskedRange> {
        let most = self.limits.memory / RANGES_SHARE;
        let between = MOST_BETWEEN.min(most.checked_div(MOST_OBJECTS.into()).unwrap_or(0));
        let mut room = most.saturating_sub(files.asked_size());
        let mut next = std::mem::take(&mut self.entries_ahead.next);
        let mut starts: Vec<u64> = needed.iter().map(|(_, start, _)| *start).collect();
        next.retain_mut(|entry| {
            if entry.file != file {
                return true;
            }
            let range = self.next_range(files, entry);
            if let Some(left) = range.and_then(|range| room.checked_sub(length(&range))) {
                room = left;
                starts.push(entry.offset);
            }
            range.is_some()
        });
        self.entries_ahead.next = next;
        sort::numbers(&mut starts);
        let mut ranges: Vec<AskedRange> = Vec::with_capacity(starts.len());
        for start in starts {
            let Some((_, start, end)) = self.range_around(files, file, start) else { continue };
            match ranges.last_mut() {
                Some((_, _, last)) if start <= last.saturating_add(between) => {
                    *last = end.max(*last)
                }
                _ => ranges.push((file, start, end)),
            }
        }
        ranges
    }

    /// Follows a chain; returns the range of the first entry that is not in memory.
    #[inline(never)]
    fn next_range(
        &self,
        files: &Files,
        Next { pack, file, offset, is_own }: &mut Next,
    ) -> Option<AskedRange> {
        loop {
            let base = match self.cache.head(*file, *offset).filter(|_| !*is_own) {
                Some(entry) => match entry.kind {
                    EntryKind::OfsDelta { base_offset } => Some(base_offset),
                    _ => None,
                },
                None => {
                    let range = self.range_around(files, *file, *offset)?;
                    if first_missing(files, range).is_some() {
                        return Some(range);
                    }
                    self.base_before(files, *pack, *offset).ok()?
                }
            };
            // Most bases come before their deltas, and these lead to no circle.
            (*offset, *is_own) = (base.filter(|base| *base < *offset)?, false);
        }
    }
}

/// Ranges of entries of a file, by offset, and the one that is needed now.
struct Ranges {
    all: Vec<AskedRange>,
    needed: AskedRange,
}

impl Ranges {
    /// Returns the index of the range that is needed now, if it is one of these.
    fn first(&self) -> Option<usize> {
        let (_, from, to) = self.needed;
        self.all.iter().position(|(_, start, end)| *start <= from && to <= *end)
    }

    /// Returns the need for all of them.
    fn need(&self) -> Error {
        let (before, from) = self.all.split_at(self.first().unwrap_or(0));
        let mut needs = from.iter().chain(before).map(|range| {
            let (file, offset, _) = *range;
            Need::Range { file, offset, length: length(range) }
        });
        let needed = || Need::Range {
            file: self.needed.0,
            offset: self.needed.1,
            length: length(&self.needed),
        };
        let first = needs.next().unwrap_or_else(needed);
        needs.fold(Error::missing(first), Error::guessing)
    }
}

fn length((_, start, end): &AskedRange) -> u64 {
    end.saturating_sub(*start)
}
