//! Sources of bytes: whoever holds the bytes of a file lends views of them.

mod files;
mod pace;
mod parts;
mod paths;
mod reserve;

pub use files::over_ceiling;
pub use files::{AskedRange, Files, OpenFile};

use crate::error::{Error, Result};

/// Identifies an open file. Numbers are never reused.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub struct FileId(u32);

impl FileId {
    /// The id of a plain slice, which is not a file.
    pub const NONE: FileId = FileId(u32::MAX);

    /// Creates an id from its number.
    pub fn from_number(number: u32) -> FileId {
        FileId(number)
    }

    /// Returns the number of the id.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A file that hands out its own bytes.
///
/// The reader brings no buffer: what comes back is a view of memory that the
/// source owns, so looking at a pack costs no copy. An interface that fills the
/// caller's buffer has to copy even when the bytes are already there.
///
/// A source may hold the file in ranges of any size. Where a range ends never changes what is
/// read, only the number of calls.
pub trait BlockSource {
    /// Returns the size of the whole file, whether in memory or not.
    fn size(&self) -> u64;

    /// Returns the id of the file, for errors and needs.
    fn file(&self) -> FileId;

    /// Returns the longest run of bytes in memory that begins at `offset`.
    ///
    /// The run is never empty. The next one begins at `offset` plus its length.
    ///
    /// # Errors
    ///
    /// [`Missing`](crate::ErrorKind::Missing) if that byte is not in memory,
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if the file has no such byte.
    fn run_at(&self, offset: u64) -> Result<&[u8]>;

    /// Copies bytes from `offset` on, over as many runs as needed.
    ///
    /// # Errors
    ///
    /// As [`BlockSource::run_at`]; the need covers all bytes that are left to copy.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let mut rest = out;
        let mut at = offset;
        while !rest.is_empty() {
            let run = self.run_at(at).map_err(|error| error.widened(rest.len() as u64))?;
            let take = run.len().min(rest.len());
            let (now, later) = rest.split_at_mut(take);
            if let Some(from) = run.get(..take) {
                now.copy_from_slice(from);
            }
            rest = later;
            at = at.saturating_add(take as u64);
        }
        Ok(())
    }

    /// Reads `N` bytes at `offset`.
    ///
    /// # Errors
    ///
    /// As [`BlockSource::run_at`].
    fn array_at<const N: usize>(&self, offset: u64) -> Result<[u8; N]> {
        if let Some(bytes) = self.run_at(offset).ok().and_then(|run| run.first_chunk::<N>()) {
            return Ok(*bytes);
        }
        let mut out = [0; N];
        self.read_at(offset, &mut out)?;
        Ok(out)
    }

    /// Creates an error about this file.
    fn corrupt(&self, what: &'static str, offset: u64) -> Error {
        Error::corrupt(what, self.file(), offset)
    }
}

impl BlockSource for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn file(&self) -> FileId {
        FileId::NONE
    }

    fn run_at(&self, offset: u64) -> Result<&[u8]> {
        usize::try_from(offset)
            .ok()
            .and_then(|start| self.get(start..))
            .filter(|run| !run.is_empty())
            .ok_or_else(|| file_ends(FileId::NONE, self.len() as u64))
    }
}

/// Creates the error for bytes after the end of a file. The error's offset is the end of the
/// file, however far beyond it the reader was.
#[cold]
pub(crate) fn file_ends(file: FileId, size: u64) -> Error {
    Error::corrupt("file ends too early", file, size)
}
