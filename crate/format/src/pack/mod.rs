//! Packs, their entries and deltas: <https://git-scm.com/docs/gitformat-pack>.

mod base_cache;
mod chain;
mod delta;
mod entry;
mod forest;

pub use base_cache::{BaseCache, CachePosition};
pub use chain::{Chain, ChainEnd, Step};
pub use delta::MAX_SIZES_LEN;
pub use delta::{apply, Delta};
pub use entry::{Entry, EntryKind};
pub(crate) use entry::{OFS_DELTA, REF_DELTA};
pub use forest::{Forest, Walk};

use packlens_base::block::BlockSource;
use packlens_base::cursor::Cursor;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::HashKind;

/// The length of a pack's header: signature, version and number of entries.
pub const HEADER_LEN: u64 = 12;

/// The header of a pack.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Header {
    /// The version, 2 or 3. Both have the same format.
    pub version: u32,
    /// The number of entries.
    pub count: u32,
}

impl Header {
    /// Decodes the header of a pack whose ids are of `hash`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if the file is not a pack or too short for one;
    /// [`ErrorKind::Unsupported`] for other versions.
    pub fn decode<S: BlockSource>(pack: &S, hash: HashKind) -> Result<Header> {
        let mut cursor = Cursor::new(pack, 0);
        if cursor.array()? != *b"PACK" {
            return Err(pack.corrupt("not a pack: its signature is missing", 0));
        }
        let version = u32::from_be_bytes(cursor.array()?);
        if !matches!(version, 2 | 3) {
            let error =
                Error::new(ErrorKind::Unsupported, "the version of a pack is neither 2 nor 3");
            return Err(error.at(pack.file(), 4));
        }
        let count = u32::from_be_bytes(cursor.array()?);
        if pack.size() < HEADER_LEN.saturating_add(hash.len() as u64) {
            return Err(pack.corrupt("a pack is too short for its header and checksum", 0));
        }
        Ok(Header { version, count })
    }
}

/// Returns the offset at which the entries of a pack end and its checksum begins.
pub fn entries_end<S: BlockSource>(pack: &S, hash: HashKind) -> u64 {
    pack.size().saturating_sub(hash.len() as u64)
}
