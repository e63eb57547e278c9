//! The known files of a repository, under one memory ceiling.

mod latency;
mod prefix;
#[cfg(test)]
mod tests;
mod window;

use super::pace::Pace;
use super::parts::{joined, place, Parts};
use super::paths::Paths;
use super::reserve::Reserve;
use super::{file_ends, BlockSource, FileId};
use crate::error::{Error, ErrorKind, Need, Result};
use crate::sorted_map::SortedMap;
use latency::Latency;
use prefix::Prefix;
use std::cell::Cell;
use std::ops::Range;
pub use window::AskedRange;
use window::Window;

/// Of the time since the oldest cached range was used, the last part in this many is recent: a
/// range used in it is not evicted merely for its place in memory.
const NEWEST_SHARE: u64 = 16;

/// The share of the memory ceiling for paths that are kept only for the current questions.
const PASSING_SHARE: u64 = 64;

struct File {
    path: Vec<u8>,
    size: u64,
    /// Changes when the file changes, for example its modification time; 0 if unknown.
    stamp: u64,
    parts: Parts,
    /// Whether the file exists but cannot be read.
    unreadable: bool,
    latency: Latency,
}

/// The files of a repository: which exist, and their cached ranges.
///
/// The core does no I/O. It requests a path, a directory or bytes. If that is not known, the
/// call returns [`ErrorKind::Missing`] with a [`Need`]; the caller does the I/O, answers with
/// [`found`](Files::found), [`absent`](Files::absent), [`listed`](Files::listed) or
/// [`add`](Files::add), and calls again.
///
/// The least recently used ranges are evicted first when the ceiling is reached.
pub struct Files {
    open: SortedMap<FileId, File>,
    next_id: u32,
    paths: Paths,
    /// What precedes the paths that are asked for.
    prefix: Prefix,
    closed: Vec<FileId>,
    window: Window,
    /// How many bytes were added or asked for since a part of the answer was completed.
    added: Cell<u64>,
    clock: Cell<u64>,
    pace: Pace,
    ceiling: u64,
    resident: u64,
    reserve: Reserve,
    /// Memory other than cached ranges that counts under the same ceiling.
    held: u64,
    high_water: u64,
    counts: Counts,
}

/// Counts of what was loaded and evicted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Ranges added.
    pub blocks: u64,
    /// Bytes added.
    pub bytes: u64,
    /// Ranges evicted.
    pub evicted: u64,
    /// Files opened.
    pub opened: u64,
}

impl Files {
    /// Creates an empty set of files whose ranges take at most `ceiling` bytes.
    pub fn new(ceiling: u64) -> Files {
        Files {
            open: SortedMap::default(),
            next_id: 0,
            paths: Paths::default(),
            prefix: Prefix::default(),
            closed: Vec::new(),
            window: Window::default(),
            added: Cell::new(0),
            clock: Cell::new(0),
            pace: Pace::default(),
            ceiling,
            resident: 0,
            reserve: Reserve::new(ceiling),
            held: 0,
            high_water: 0,
            counts: Counts::default(),
        }
    }

    /// Sets the memory ceiling in bytes. Call this before any bytes are added.
    pub fn set_ceiling(&mut self, ceiling: u64) {
        (self.ceiling, self.reserve) = (ceiling, Reserve::new(ceiling));
    }

    /// Starts a new question and returns its number, for [`Files::resume_question`]. Paths
    /// that are requested as fresh are looked up again, as are paths that did not exist.
    /// `oldest` is the first question that is not answered yet, if there is one: what was
    /// looked up since it began is kept for it and later questions.
    pub fn new_question(&mut self, oldest: Option<u64>) -> u64 {
        let most = usize::try_from(self.ceiling / PASSING_SHARE).unwrap_or(usize::MAX);
        for path in self.paths.new_question(oldest, most) {
            self.forget(&path);
        }
        self.pace.resume();
        self.paths.question()
    }

    /// Resumes a question that was started earlier.
    pub fn resume_question(&mut self, question: u64) {
        self.paths.resume_question(question);
        self.pace.resume();
    }

    /// Begins a step of a possibly long loop: over refs, tags, parents or objects. Call this
    /// where all progress is saved, because a retry resumes there.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] with [`Need::Turn`] once the caller has waited long enough.
    pub fn step(&self) -> Result<()> {
        self.pace.step()
    }

    /// Notes that a part of the answer is complete: a retry does not do it again. Bytes that were
    /// evicted may be needed again for the next part as often as for this one.
    pub fn advance(&self) {
        self.added.set(0);
        self.pace.advance();
    }

    /// Returns whether a part of the answer was completed since the question was started or
    /// resumed.
    pub fn has_advanced(&self) -> bool {
        self.pace.has_advanced()
    }

    /// Counts a read object as work, given the size of its content in bytes.
    pub fn count_object(&self, bytes: u64) {
        self.pace.count_object(bytes);
    }

    /// Counts a look-up in a pack index as work.
    pub fn count_look(&self) {
        self.pace.count_look();
    }

    /// Returns the number of the current question.
    pub fn question(&self) -> u64 {
        self.paths.question()
    }

    /// Returns the number of the question that was started last.
    pub fn newest_question(&self) -> u64 {
        self.paths.newest_question()
    }

    /// Returns the file at `path`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if the path was never looked up.
    pub fn find(&self, path: &[u8]) -> Result<Option<FileId>> {
        self.paths.find(&self.prefix.full(path))
    }

    /// Returns the file at `path`, looked up since the current question began.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if the path was not looked up since the question began.
    pub fn find_fresh(&self, path: &[u8]) -> Result<Option<FileId>> {
        self.paths.find_fresh(&self.prefix.full(path))
    }

    /// Checks that the file at `path` was looked up after the file or directory at `other`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if not: the caller has to look it up again, however recent the
    /// last look-up is.
    pub fn look_again(&self, path: &[u8], other: &[u8]) -> Result<()> {
        self.paths.look_again(&self.prefix.full(path), &self.prefix.full(other))
    }

    /// Returns the names in the directory at `path`; empty if there is no such directory.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if the directory was never listed.
    pub fn list(&self, path: &[u8]) -> Result<&[Vec<u8>]> {
        self.paths.list(&self.prefix.full(path))
    }

    /// Returns the names in the directory at `path`, listed since the current question began.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Missing`] if the directory was not listed since the question began.
    pub fn list_fresh(&self, path: &[u8]) -> Result<&[Vec<u8>]> {
        self.paths.list_fresh(&self.prefix.full(path))
    }

    /// Returns the bytes of an open file. A closed file has none.
    pub fn source(&self, file: FileId) -> OpenFile<'_> {
        OpenFile { files: self, id: file, file: self.open.get(&file) }
    }

    /// Returns the path of an open file.
    pub fn path(&self, file: FileId) -> Option<&[u8]> {
        self.open.get(&file).map(|file| file.path.as_slice())
    }

    /// Returns the memory other than cached ranges that counts under the same ceiling.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Records that there is a file of `size` bytes at `path`. The stamp changes when the file
    /// does, for example its modification time; 0 if unknown.
    ///
    /// If the file was known with the same size and a known stamp, and the stamp is the same,
    /// it stays open and keeps its cached ranges.
    pub fn found(&mut self, path: &[u8], size: u64, stamp: u64) -> FileId {
        self.pace.count_need();
        if let Ok(Some(id)) = self.paths.find(path) {
            let same = |file: &File| {
                stamp != 0 && file.size == size && file.stamp == stamp && !file.unreadable
            };
            if self.open.get(&id).is_some_and(same) {
                self.paths.set(path, Some(id));
                return id;
            }
        }
        self.forget(path);
        let id = FileId(self.next_id);
        self.next_id = self.next_id.saturating_add(1);
        let parts = Parts::default();
        let (path_of, latency) = (path.to_vec(), Latency::default());
        let file = File { path: path_of, size, stamp, parts, unreadable: false, latency };
        self.open.insert(id, file);
        self.paths.set(path, Some(id));
        self.counts.opened = self.counts.opened.saturating_add(1);
        id
    }

    /// Records that a file exists but cannot be read. Reads then fail as if the file were
    /// damaged, so that only its own content is affected.
    pub fn set_unreadable(&mut self, file: FileId) {
        if let Some(open) = self.open.get_mut(&file) {
            open.unreadable = true;
        }
    }

    /// Records that there is no file at `path`.
    pub fn absent(&mut self, path: &[u8]) {
        self.pace.count_need();
        self.forget(path);
        self.paths.set(path, None);
    }

    /// Records the names in the directory at `path`, in any order; those of directories end
    /// with `/`. A directory that does not exist has no names.
    pub fn listed(&mut self, path: &[u8], names: Vec<Vec<u8>>) {
        self.pace.count_need();
        self.paths.set_listing(path, names);
    }

    /// Drops the listing of a directory, so that it is requested again.
    pub fn forget_listing(&mut self, path: &[u8]) {
        self.paths.forget_listing(&self.prefix.full(path));
    }

    /// Drops what is known of `path` as soon as all current questions are answered and a new
    /// one begins.
    pub fn forget_later(&mut self, path: Vec<u8>) {
        self.paths.forget_later(path);
    }

    /// Drops what is known of `path`, and closes the file that is open there.
    pub fn forget(&mut self, path: &[u8]) {
        let path = self.prefix.full(path);
        if let Some(id) = self.paths.forget(&path) {
            if let Some(file) = self.open.remove(&id) {
                self.resident = self.resident.saturating_sub(file.parts.len());
            }
            self.closed.push(id);
        }
    }

    /// Returns whether files were closed since the last [`Files::take_closed`].
    pub fn any_closed(&self) -> bool {
        !self.closed.is_empty()
    }

    /// Returns the files that were closed since the last call.
    pub fn take_closed(&mut self) -> Vec<FileId> {
        std::mem::take(&mut self.closed)
    }

    /// Adds bytes of a file, from `offset` on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] if the file is not open or has no such bytes;
    /// [`ErrorKind::Limit`] if the bytes alone exceed the ceiling.
    pub fn add(&mut self, file: FileId, offset: u64, bytes: Vec<u8>) -> Result<()> {
        let length = bytes.len() as u64;
        let fits = self
            .open
            .get(&file)
            .is_some_and(|open| offset.checked_add(length).is_some_and(|end| end <= open.size));
        if !fits {
            return Err(Error::new(ErrorKind::BadInput, "the bytes are outside of the file"));
        }
        if !self.make_room(length) {
            return Err(over_ceiling());
        }
        self.pace.count_need();
        self.counts.blocks = self.counts.blocks.saturating_add(1);
        self.counts.bytes = self.counts.bytes.saturating_add(length);
        let Some(bytes) = self.add_asked(file, offset, bytes) else { return Ok(()) };
        let now = self.tick();
        self.count_added(length);
        if let Some(open) = self.open.get_mut(&file) {
            let (added, dropped) = open.parts.add(offset, bytes, now);
            self.resident = self.resident.saturating_add(added).saturating_sub(dropped);
        }
        self.note_high_water();
        Ok(())
    }

    /// Sets how many bytes outside the cached ranges count under the same ceiling; evicts
    /// ranges until everything fits.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if `held` alone exceeds the ceiling.
    pub fn hold(&mut self, held: u64) -> Result<()> {
        if held > self.ceiling {
            return Err(over_ceiling());
        }
        self.held = held;
        self.make_room(0);
        self.note_high_water();
        Ok(())
    }

    /// Returns the counts of loaded and evicted ranges.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the most bytes that were in memory at one time, held bytes included.
    pub fn high_water(&self) -> u64 {
        self.high_water
    }

    fn note_high_water(&mut self) {
        let size = self.resident.saturating_add(self.held);
        self.high_water = self.high_water.max(size);
        self.reserve.reach(size);
    }

    /// Returns a buffer for the next range. Reuses the buffer of an evicted range if that has
    /// the same length: if large buffers were freed and allocated again, small allocations
    /// would fill their gaps.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for it.
    pub fn buffer(&mut self, length: u64) -> Result<Vec<u8>> {
        let size = usize::try_from(length).map_err(|_| over_ceiling())?;
        let needed = length.saturating_add(self.held);
        let mut buffer = Vec::new();
        while self.resident.saturating_add(needed) > self.ceiling {
            buffer = self.evict().ok_or_else(over_ceiling)?;
        }
        if buffer.capacity() != size {
            self.reserve.reach(self.resident.saturating_add(needed));
            buffer = Vec::new();
            buffer.try_reserve_exact(size).map_err(|_| over_ceiling())?;
        }
        buffer.resize(size, 0);
        Ok(buffer)
    }

    /// Evicts ranges until there is room for `length` more bytes. Prefers ranges that are
    /// adjacent in memory to an evicted one, because the new range may be longer than each of
    /// them.
    fn make_room(&mut self, length: u64) -> bool {
        let needed = length.saturating_add(self.held);
        let mut gap = 0..0;
        while self.resident.saturating_add(needed) > self.ceiling {
            let Some(bytes) = self.evict_beside(&gap).or_else(|| self.evict()) else {
                return false;
            };
            gap = joined(gap, place(&bytes));
        }
        true
    }

    /// Evicts a range that is adjacent in memory to a gap, unless it was used recently.
    fn evict_beside(&mut self, gap: &Range<usize>) -> Option<Vec<u8>> {
        if gap.is_empty() {
            return None;
        }
        let now = self.clock.get();
        let oldest = self.open.values().filter_map(|file| file.parts.oldest()).min()?;
        let until = now.saturating_sub(now.saturating_sub(oldest) / NEWEST_SHARE);
        let bytes = self.open.values_mut().find_map(|file| file.parts.evict_beside(gap, until))?;
        self.note_evicted(&bytes);
        Some(bytes)
    }

    /// Evicts the least recently used range, and returns its buffer. Drops the ranges that were asked
    /// for instead if they take more than all others.
    fn evict(&mut self) -> Option<Vec<u8>> {
        if self.window.size() > self.resident / 2 {
            self.drop_asked();
            return Some(Vec::new());
        }
        let age = |file: &File| file.parts.oldest();
        let least = self.open.iter().filter_map(|(id, file)| Some((age(file)?, *id))).min();
        let (used, id) = least?;
        let bytes = self.open.get_mut(&id)?.parts.evict(used)?;
        self.note_evicted(&bytes);
        Some(bytes)
    }

    fn note_evicted(&mut self, bytes: &[u8]) {
        self.resident = self.resident.saturating_sub(bytes.len() as u64);
        self.counts.evicted = self.counts.evicted.saturating_add(1);
    }

    fn tick(&self) -> u64 {
        let now = self.clock.get().saturating_add(1);
        self.clock.set(now);
        now
    }
}

/// Returns the error of what takes more memory than the ceiling allows.
#[cold]
pub fn over_ceiling() -> Error {
    Error::new(ErrorKind::Limit, "this takes more memory than allowed: raise `memory`")
}

/// One file of [`Files`].
#[derive(Clone, Copy)]
pub struct OpenFile<'a> {
    files: &'a Files,
    id: FileId,
    file: Option<&'a File>,
}

impl OpenFile<'_> {
    fn missing(&self, offset: u64) -> Error {
        Error::missing(Need::Bytes { file: self.id, offset, length: 1 })
    }
}

impl BlockSource for OpenFile<'_> {
    fn size(&self) -> u64 {
        self.file.map_or(0, |file| file.size)
    }

    fn file(&self) -> FileId {
        self.id
    }

    fn run_at(&self, offset: u64) -> Result<&[u8]> {
        let Some(file) = self.file.filter(|file| offset < file.size) else {
            return Err(file_ends(self.id, self.size()));
        };
        if file.unreadable {
            return Err(Error::corrupt("a file cannot be read", self.id, offset));
        }
        let cached = file.parts.run_at(offset, self.files.tick());
        cached
            .or_else(|| self.files.window.run_at(self.id, offset))
            .ok_or_else(|| self.missing(offset))
    }
}
