//! Finds ids in a sorted table. Ids are hashes and spread evenly, so the position of an id can
//! be estimated from its bytes, with an error of a few rows.

use super::{IdTable, Rows};
use packlens_base::block::BlockSource;
use packlens_base::error::{Error, Need, Result};
use packlens_base::oid::{ObjectId, Prefix};
use std::cmp::Ordering;
use std::ops::Range;

/// How often the position is estimated from the ids around it. After that the search moves in
/// growing steps until it has passed the id, then halves the rest: a table that was crafted to
/// mislead costs no more than two binary searches.
const MOST_RECKONED: u32 = 4;

/// The first step after the last estimate, in rows.
const FIRST_STEP: u32 = 4;

/// The rows among which an id must be, and the key range that bounds them.
struct Between {
    rows: Range<u32>,
    low: u64,
    high: u64,
}

impl Between {
    /// Estimates the row of an id that begins with `key`.
    fn reckon(&self, key: u64) -> u32 {
        let count = u64::from(self.rows.end.saturating_sub(self.rows.start));
        let span = self.high.saturating_sub(self.low);
        // Of both distances the upper 32 bits of the span: the product fits then.
        let shift = u32::BITS.saturating_sub(span.leading_zeros());
        let above = key.saturating_sub(self.low).checked_shr(shift).unwrap_or(0);
        let span = span.checked_shr(shift).unwrap_or(0).max(1);
        let row = above.saturating_mul(count).checked_div(span).unwrap_or(0);
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        self.rows.start.saturating_add(row).clamp(self.rows.start, self.rows.end.saturating_sub(1))
    }

    /// Returns the row `step` rows from the bound that was found last, or the middle row if
    /// that is nearer.
    fn step(&self, step: u32, upwards: bool) -> u32 {
        let Range { start, end } = self.rows;
        let middle = start.midpoint(end);
        match upwards {
            true => start.saturating_add(step).min(middle),
            false => end.saturating_sub(step).max(middle),
        }
    }
}

impl IdTable {
    /// Returns the position of an id by plain binary search, as git would find it even in an
    /// unsorted table.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find_by_halves<S: BlockSource>(&self, index: &S, id: &ObjectId) -> Result<Option<u32>> {
        let mut rows = self.range(id.as_bytes().first().copied().unwrap_or(0));
        while rows.start < rows.end {
            let middle = rows.start.midpoint(rows.end);
            match self.id_at(index, middle)?.cmp(id) {
                Ordering::Equal => return Ok(Some(middle)),
                Ordering::Less => rows.start = middle.saturating_add(1),
                Ordering::Greater => rows.end = middle,
            }
        }
        Ok(None)
    }

    /// Returns the position of an id, if it is in the table.
    ///
    /// # Errors
    ///
    /// Missing bytes: those around the estimated position and, as a guess, those that are read
    /// after the id was found.
    pub fn find<S: BlockSource>(&self, index: &S, id: &ObjectId) -> Result<Option<u32>> {
        let (position, found) = self.lower_bound(index, id)?;
        Ok(found.then_some(position))
    }

    /// Returns the positions of all ids that begin with `prefix`.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub fn find_prefix<S: BlockSource>(&self, index: &S, prefix: &Prefix) -> Result<Range<u32>> {
        let (start, _) = self.lower_bound(index, prefix.lowest())?;
        let mut last = start;
        while last < self.count() && prefix.matches(&self.id_at(index, last)?) {
            last = last.saturating_add(1);
        }
        Ok(start..last)
    }

    /// Returns the position of the first id at or after `id`, and whether it equals `id`.
    fn lower_bound<S: BlockSource>(&self, index: &S, id: &ObjectId) -> Result<(u32, bool)> {
        let rows = self.fanout.range(id.first_byte());
        let low = u64::from(id.first_byte()) << 56;
        let mut between = Between { rows, low, high: low | (u64::MAX >> 8) };
        let key = key_of(id.as_bytes());
        let mut reckoned = 0u32;
        let mut step = FIRST_STEP;
        let mut upwards = true;
        while between.rows.start < between.rows.end {
            let row = if reckoned < MOST_RECKONED {
                reckoned = reckoned.saturating_add(1);
                between.reckon(key)
            } else {
                step = step.saturating_mul(2);
                between.step(step, upwards)
            };
            let (found, order) = self
                .compare(index, row, id)
                .map_err(|error| self.widened(error, index, row, &between.rows))?;
            match order {
                Ordering::Less => {
                    upwards = true;
                    between.rows.start = row.saturating_add(1);
                    between.low = found.max(between.low);
                }
                Ordering::Greater => {
                    upwards = false;
                    between.rows.end = row;
                    between.high = found.min(between.high);
                }
                Ordering::Equal => return Ok((row, true)),
            }
        }
        Ok((between.rows.start, false))
    }

    /// Compares the id at a position with `id`; also returns its first bytes as a number.
    fn compare<S: BlockSource>(
        &self,
        index: &S,
        position: u32,
        id: &ObjectId,
    ) -> Result<(u64, Ordering)> {
        match index.run_at(self.ids.at(position))?.get(..id.as_bytes().len()) {
            Some(bytes) => Ok((key_of(bytes), bytes.cmp(id.as_bytes()))),
            None => {
                let found = self.id_at(index, position)?;
                Ok((key_of(found.as_bytes()), found.cmp(id)))
            }
        }
    }

    /// Widens a need for one id to the rows that the search will visit, and adds the rows that
    /// are read after that as a guess.
    fn widened<S: BlockSource>(
        &self,
        error: Error,
        index: &S,
        row: u32,
        rows: &Range<u32>,
    ) -> Error {
        // Four standard deviations of evenly spread ids: one in thousands is farther away.
        let around = rows.end.saturating_sub(rows.start).isqrt().saturating_mul(2);
        let first = row.saturating_sub(around).max(rows.start);
        let last = row.saturating_add(around).min(rows.end.saturating_sub(1));
        let span = |place: Rows, from: u32, to: u32, length: u64| {
            let offset = place.at(from);
            let end = place.at(to).saturating_add(length);
            Need::Bytes { file: index.file(), offset, length: end.saturating_sub(offset) }
        };
        let after = self.ids.at(last).saturating_sub(self.ids.at(row));
        let error = error
            .widened(after.saturating_add(self.hash.len() as u64))
            .guessing(span(self.ids, first, row, 0));
        match self.beside {
            Some(beside) => error.guessing(span(beside, first, last, beside.stride)),
            None => error,
        }
    }
}

fn key_of(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::PackIndex;
    use crate::object::ObjectType;
    use packlens_base::block::{FileId, Files};
    use packlens_base::hash::object_id;
    use packlens_base::oid::HashKind;
    use std::cell::Cell;

    /// An index that counts its reads.
    struct Counted<'a>(&'a [u8], Cell<u32>);

    impl BlockSource for Counted<'_> {
        fn size(&self) -> u64 {
            self.0.size()
        }

        fn file(&self) -> FileId {
            FileId::NONE
        }

        fn run_at(&self, offset: u64) -> Result<&[u8]> {
            self.1.set(self.1.get() + 1);
            self.0.run_at(offset)
        }
    }

    /// Makes the bytes of an index whose entries are 100 bytes apart.
    fn index_of(ids: &[ObjectId], version: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        if version == 2 {
            bytes.extend([0xff, b't', b'O', b'c', 0, 0, 0, 2]);
        }
        for byte in 0..=u8::MAX {
            let count = ids.partition_point(|id| id.first_byte() <= byte) as u32;
            bytes.extend(count.to_be_bytes());
        }
        let offsets = (0..ids.len() as u32).map(|at| (12 + at * 100).to_be_bytes());
        if version == 1 {
            for (id, offset) in ids.iter().zip(offsets) {
                bytes.extend(offset);
                bytes.extend(id.as_bytes());
            }
        } else {
            ids.iter().for_each(|id| bytes.extend(id.as_bytes()));
            bytes.resize(bytes.len() + ids.len() * 4, 0);
            offsets.for_each(|offset| bytes.extend(offset));
        }
        bytes.resize(bytes.len() + 2 * ids[0].as_bytes().len(), 0);
        bytes
    }

    fn spread(count: u32) -> Vec<ObjectId> {
        let id = |at: u32| object_id(HashKind::Sha1, ObjectType::Blob, &at.to_be_bytes());
        let mut ids: Vec<ObjectId> = (0..count).map(id).collect();
        ids.sort_unstable();
        ids
    }

    /// Returns ids that are clustered at both ends of the range of their first byte.
    fn misleading(count: u32) -> Vec<ObjectId> {
        let id = |at: u32| {
            let mut bytes = [if at.is_multiple_of(2) { 0 } else { 0xff }; 20];
            bytes[0] = 7;
            bytes[16..].copy_from_slice(&at.to_be_bytes());
            ObjectId::from_bytes(HashKind::Sha1, &bytes).unwrap()
        };
        let mut ids: Vec<ObjectId> = (0..count).map(id).collect();
        ids.sort_unstable();
        ids
    }

    fn not_there(id: &ObjectId) -> ObjectId {
        let mut bytes = id.as_bytes().to_vec();
        bytes[19] ^= 1;
        ObjectId::from_bytes(HashKind::Sha1, &bytes).unwrap()
    }

    #[test]
    fn existing_ids_are_found_within_few_looks() {
        for (ids, most, mean) in [(spread(100_000), 14, 3.6), (misleading(20_000), 34, 34.0)] {
            for version in [1, 2] {
                let bytes = index_of(&ids, version);
                let layout = PackIndex::decode(&bytes.as_slice(), HashKind::Sha1).unwrap();
                let mut looks = 0;
                for (at, id) in ids.iter().enumerate().step_by(7) {
                    let index = Counted(&bytes, Cell::new(0));
                    assert_eq!(layout.find(&index, id).unwrap(), Some(at as u32));
                    assert!(index.1.get() <= most, "{} looks", index.1.get());
                    looks += index.1.get();
                    let other = not_there(id);
                    let there = ids.binary_search(&other).ok().map(|at| at as u32);
                    assert_eq!(layout.find(&index, &other).unwrap(), there);
                }
                let average = f64::from(looks) / ids.len().div_ceil(7) as f64;
                assert!(average <= mean, "{average} looks on average");
            }
        }
    }

    #[test]
    fn every_prefix_has_its_range() {
        for ids in [spread(2000), misleading(300)] {
            let bytes = index_of(&ids, 2);
            let layout = PackIndex::decode(&bytes.as_slice(), HashKind::Sha1).unwrap();
            for id in &ids {
                for digits in [1, 2, 3, 4, 7, 39, 40] {
                    let prefix =
                        Prefix::from_hex(HashKind::Sha1, &id.to_hex().as_bytes()[..digits]);
                    let prefix = prefix.unwrap();
                    let first = ids.partition_point(|other| other < prefix.lowest()) as u32;
                    let count = ids.iter().filter(|other| prefix.matches(other)).count() as u32;
                    let found = layout.find_prefix(&bytes.as_slice(), &prefix).unwrap();
                    assert_eq!(found, first..first + count);
                }
            }
        }
    }

    /// With the bytes of one need and its guesses, id and offset are found.
    #[test]
    fn one_need_with_its_guesses_is_enough() {
        let ids = spread(100_000);
        for version in [1, 2] {
            let bytes = index_of(&ids, version);
            let layout = PackIndex::decode(&bytes.as_slice(), HashKind::Sha1).unwrap();
            let (mut enough, mut provided) = (0, 0);
            for (at, id) in ids.iter().enumerate().step_by(100) {
                let mut files = Files::new(1 << 20);
                let file = files.found(b"idx", bytes.len() as u64, 0);
                let error = layout.find(&files.source(file), id).unwrap_err();
                for need in error.need().into_iter().chain(error.guesses()) {
                    let Need::Bytes { offset, length, .. } = need else { panic!("{need:?}") };
                    let range = *offset as usize..(offset + length) as usize;
                    provided += range.len();
                    files.add(file, *offset, bytes[range].to_vec()).unwrap();
                }
                let source = files.source(file);
                let found = layout.find(&source, id).and_then(|found| {
                    assert_eq!(found, Some(at as u32));
                    layout.offset_at(&source, at as u32)
                });
                match found {
                    Ok(offset) => assert_eq!(offset, 12 + at as u64 * 100),
                    Err(error) => assert!(error.is_missing()),
                }
                enough += u32::from(layout.find(&source, id).is_ok());
            }
            assert!(enough >= 998, "{enough} of 1000");
            assert!(provided / 1000 <= 2500, "{} bytes each", provided / 1000);
        }
    }
}
