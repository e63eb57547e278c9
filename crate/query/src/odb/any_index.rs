//! The bytes of a pack index.

use packlens_base::block::{BlockSource, FileId, OpenFile};
use packlens_base::error::Result;

/// The bytes of a pack index, in a file or built in memory.
pub(super) enum AnyIndex<'a> {
    File(OpenFile<'a>),
    Built(&'a [u8]),
}

impl BlockSource for AnyIndex<'_> {
    fn size(&self) -> u64 {
        match self {
            AnyIndex::File(file) => file.size(),
            AnyIndex::Built(bytes) => bytes.size(),
        }
    }

    fn file(&self) -> FileId {
        match self {
            AnyIndex::File(file) => file.file(),
            AnyIndex::Built(bytes) => bytes.file(),
        }
    }

    fn run_at(&self, offset: u64) -> Result<&[u8]> {
        match self {
            AnyIndex::File(file) => file.run_at(offset),
            AnyIndex::Built(bytes) => bytes.run_at(offset),
        }
    }
}
