//! Ranges of files that were asked for together, for objects that are read next.

use super::{FileId, Files};
use crate::module::IS_FULL;

/// A range of a file that is asked for: the file, and the offsets of its begin and its end.
pub type AskedRange = (FileId, u64, u64);

/// An asked range, and its bytes once they are there.
struct Range {
    asked: AskedRange,
    bytes: Vec<u8>,
}

/// The ranges, until others are asked for in their place. The reader asks for none, and has no code
/// for them.
///
/// They are many and short, and each is used for few objects: as cached ranges they would take
/// longer to find and to evict than to read.
#[derive(Default)]
pub(super) struct Window {
    /// The ranges that were asked for at one time, by file and offset.
    rows: Vec<Vec<Range>>,
    size: u64,
}

impl Window {
    /// Returns how many bytes the ranges have.
    pub(super) fn size(&self) -> u64 {
        match IS_FULL {
            true => self.size,
            false => 0,
        }
    }

    /// Returns whether no ranges were asked for.
    pub(super) fn is_empty(&self) -> bool {
        !IS_FULL || self.rows.is_empty()
    }

    /// Drops all ranges.
    pub(super) fn clear(&mut self) {
        if IS_FULL {
            *self = Window::default();
        }
    }

    /// Asks for more ranges, which are sorted and do not overlap.
    pub(super) fn ask(&mut self, ranges: &[AskedRange]) {
        let row = ranges.iter().map(|asked| Range { asked: *asked, bytes: Vec::new() });
        self.rows.push(row.collect());
    }

    /// Takes the bytes of a range if exactly that was asked for last; returns them otherwise.
    pub(super) fn add(&mut self, file: FileId, offset: u64, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let end = offset.saturating_add(bytes.len() as u64);
        let Some(row) = self.rows.last_mut() else { return Some(bytes) };
        let at = row.partition_point(|range| range.asked < (file, offset, end));
        match row.get_mut(at).filter(|range| range.asked == (file, offset, end)) {
            Some(range) if range.bytes.is_empty() => {
                self.size = self.size.saturating_add(bytes.len() as u64);
                range.bytes = bytes;
                None
            }
            _ => Some(bytes),
        }
    }

    /// Returns the bytes from `offset` on, if a range has them.
    pub(super) fn run_at(&self, file: FileId, offset: u64) -> Option<&[u8]> {
        if !IS_FULL {
            return None;
        }
        self.rows.iter().rev().find_map(|row| {
            let after = row.partition_point(|range| {
                let (of, start, _) = range.asked;
                (of, start) <= (file, offset)
            });
            let Range { asked: (of, start, _), bytes } = row.get(after.checked_sub(1)?)?;
            let skip = usize::try_from(offset.checked_sub(*start)?).ok()?;
            bytes.get(skip..).filter(|run| *of == file && !run.is_empty())
        })
    }
}

impl Files {
    /// Asks for ranges, which are sorted and do not overlap, beside those asked for since
    /// [`Files::drop_asked`]: whoever has the need for each of them adds exactly these.
    pub fn ask_for(&mut self, ranges: &[AskedRange]) {
        for (_, start, end) in ranges {
            self.count_added(end.saturating_sub(*start));
        }
        self.window.ask(ranges);
    }

    /// Adds the bytes of a range if exactly that was asked for; returns them otherwise.
    pub(super) fn add_asked(
        &mut self,
        file: FileId,
        offset: u64,
        bytes: Vec<u8>,
    ) -> Option<Vec<u8>> {
        if !IS_FULL {
            return Some(bytes);
        }
        let length = bytes.len() as u64;
        let others = self.window.add(file, offset, bytes);
        if others.is_none() {
            self.resident = self.resident.saturating_add(length);
            self.note_high_water();
        }
        others
    }

    pub(super) fn count_added(&self, bytes: u64) {
        if !IS_FULL {
            return;
        }
        self.added.set(self.added.get().saturating_add(bytes));
    }

    /// Drops the ranges that were asked for.
    pub fn drop_asked(&mut self) {
        self.resident = self.resident.saturating_sub(self.window.size());
        self.window.clear();
    }

    /// Returns whether ranges were asked for.
    pub fn has_asked(&self) -> bool {
        !self.window.is_empty()
    }

    /// Returns how many bytes the ranges have that were asked for.
    pub fn asked_size(&self) -> u64 {
        self.window.size()
    }

    /// Returns how much memory cached ranges need, of at most `most` bytes: less where ranges are
    /// asked for, unless this part of the answer needs more.
    pub fn needed_room(&self, most: u64) -> u64 {
        match self.has_asked() {
            false => most,
            true => self.added.get().max(most / 3).saturating_add(self.window.size()).min(most),
        }
    }
}
