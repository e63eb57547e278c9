//! The entries of the index in memory, so that the files of a directory are found among them.

use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::index_file::Entry;
use std::ops::Range;

/// The share of the memory ceiling that the entries may take.
const SHARE: u64 = 2;

/// The entries in the order of their paths and stages.
#[derive(Default)]
pub(crate) struct Tracked {
    entries: Vec<Entry>,
    /// The paths, one after the other, and where each ends.
    paths: Vec<u8>,
    ends: Vec<usize>,
}

impl Tracked {
    /// Adds an entry, whose path is after all others.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if the entries take too much of `memory`.
    pub(crate) fn add(&mut self, entry: &Entry, path: &[u8], memory: u64) -> Result<()> {
        let more = size_of::<Entry>().saturating_add(path.len()) as u64;
        if self.memory().saturating_add(more) > memory / SHARE {
            let what = "the entries of the index take more than half of `memory`: raise it";
            return Err(Error::new(ErrorKind::Limit, what).about(path));
        }
        self.entries.push(*entry);
        self.paths.extend_from_slice(path);
        self.ends.push(self.paths.len());
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<(&Entry, &[u8])> {
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        Some((self.entries.get(at)?, self.paths.get(start..*self.ends.get(at)?)?))
    }

    pub(crate) fn path(&self, at: usize) -> &[u8] {
        self.get(at).map_or(b"", |(_, path)| path)
    }

    /// Returns the entries of a path, of which there are several in a conflict.
    pub(crate) fn of(&self, path: &[u8], within: &Range<usize>) -> Range<usize> {
        let start = match self.path(within.start) == path {
            true => within.start,
            false => self.first(within, |other| other >= path),
        };
        self.all_of(path, start, within.end)
    }

    /// As [`Tracked::of`], of a path whose first entry is probably at a place.
    pub(crate) fn of_near(&self, path: &[u8], near: usize, within: &Range<usize>) -> Range<usize> {
        match within.contains(&near) && self.path(near) == path {
            true => self.all_of(path, near, within.end),
            false => self.of(path, within),
        }
    }

    /// Returns the entries of a path, given the first: most have one.
    fn all_of(&self, path: &[u8], start: usize, end: usize) -> Range<usize> {
        let mut at = start;
        while at < end && self.path(at) == path {
            at = at.saturating_add(1);
        }
        start..at
    }

    /// Returns the entries below a directory, whose path ends with a slash.
    pub(crate) fn below(&self, directory: &[u8], within: &Range<usize>) -> Range<usize> {
        let start = self.first(within, |other| other >= directory);
        start..self.first(&(start..within.end), |other| !other.starts_with(directory))
    }

    /// Returns the first place whose path fulfills a condition that later ones fulfill too.
    fn first(&self, within: &Range<usize>, fits: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (within.start, within.end);
        while low < high {
            let middle = low.saturating_add(high.saturating_sub(low) / 2);
            match fits(self.path(middle)) {
                true => high = middle,
                false => low = middle.saturating_add(1),
            }
        }
        low
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let entries = self.entries.capacity().saturating_mul(size_of::<Entry>());
        let ends = self.ends.capacity().saturating_mul(size_of::<usize>());
        entries.saturating_add(ends).saturating_add(self.paths.capacity()) as u64
    }
}
