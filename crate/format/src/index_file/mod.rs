//! The file `index` of a worktree: <https://git-scm.com/docs/gitformat-index>. Its entries are
//! parsed, and the extensions that name objects.

mod entries;
mod extensions;
mod file;
mod split;
mod staged;
mod walk;

pub use entries::{Entry, StatData};
pub use file::IndexFile;
pub use walk::IndexWalk;

use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result as OrError};
use packlens_base::hash::Hasher;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};
pub use staged::{find_staged, Staged};

/// The share of the memory ceiling that an index file may take.
const SHARE: u64 = 4;

/// The bits of a mode that hold the file type.
const KIND: u32 = 0o170_000;

/// The bytes before the entries.
const HEADER_LEN: usize = 12;

/// An object that an index file names.
#[derive(Debug, Eq, PartialEq)]
pub enum Named<'a> {
    /// The blob of a path.
    Blob {
        /// The path from the root of the worktree.
        name: &'a [u8],
    },
    /// A directory of a sparse index, whose entries are not in the index.
    Directory {
        /// The path from the root of the worktree.
        name: &'a [u8],
    },
    /// A tree of the cache-tree.
    CachedTree {
        /// How many of the next trees are below it.
        below: usize,
    },
    /// The blob of a path at a stage, before the conflict was resolved.
    Undone {
        /// 1 for the common ancestor, 2 for ours, 3 for theirs.
        stage: u8,
        /// The path from the root of the worktree.
        name: &'a [u8],
    },
}

/// The reason why an index file cannot be read, in git's words if it has some.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Damage {
    /// The file is too short to be an index.
    Short,
    /// The signature, version, hash or an extension is wrong.
    Frame(String),
    /// The entry at an offset is wrong.
    Entries(String, u64),
}

impl Damage {
    /// Returns the error of a damaged file; its subject are git's words.
    pub fn error(self, file: Option<FileId>) -> Error {
        let (what, about, offset) = match self {
            Damage::Short => ("index file smaller than expected", String::new(), 0),
            Damage::Frame(about) => ("index file corrupt", about, 0),
            Damage::Entries(about, offset) => ("an index file has damaged entries", about, offset),
        };
        let error = Error::new(ErrorKind::Corrupt, what).about(about);
        match file {
            Some(file) => error.at(file, offset),
            None => error,
        }
    }
}

/// Faults that name no object.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Remarks {
    /// The resolve-undo extension cannot be parsed, and is ignored.
    pub bad_resolve_undo: bool,
}

/// Returns the bytes of an index file; `None` if the file does not exist.
///
/// # Errors
///
/// Missing files and bytes. [`ErrorKind::Limit`] if the file takes too much memory.
pub fn bytes_of(files: &Files, limits: &Limits, path: &[u8]) -> OrError<Option<Vec<u8>>> {
    let Some(file) = files.find_fresh(path)? else {
        return Ok(None);
    };
    let source = files.source(file);
    let size = source.size();
    if size > limits.memory / SHARE {
        let what = "the index file is larger than a quarter of `memory`";
        return Err(Error::new(ErrorKind::Limit, what).about(path));
    }
    let mut bytes = limits.buffer(size)?;
    source.read_at(0, &mut bytes)?;
    Ok(Some(bytes))
}

/// Returns the bytes between header and hash, the version, and the number of entries.
fn check_frame(bytes: &[u8], hash: HashKind) -> Result<(&[u8], u32, u32), Damage> {
    let (start, trailer) =
        bytes.split_at_checked(bytes.len().saturating_sub(hash.len())).ok_or(Damage::Short)?;
    let mut rest = start;
    let mut number = || take_u32(&mut rest).ok_or(Damage::Short);
    let (signature, version, count) = (number()?, number()?, number()?);
    if &signature.to_be_bytes() != b"DIRC" {
        // git prints the number in the byte order of its machine.
        let signature = signature.swap_bytes();
        return Err(Damage::Frame(format!("bad signature 0x{signature:08x}")));
    }
    if !(2..=4).contains(&version) {
        let version = version.cast_signed();
        return Err(Damage::Frame(format!("bad index version {version}")));
    }
    // `index.skipHash` writes zeros instead of a hash.
    if trailer.iter().any(|byte| *byte != 0) {
        let mut hasher = Hasher::new(hash);
        hasher.update(start);
        if hasher.finish().as_bytes() != trailer {
            return Err(Damage::Frame("bad index file sha1 signature".to_owned()));
        }
    }
    Ok((rest, version, count))
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

fn take_until<'a>(rest: &mut &'a [u8], end: u8) -> Option<&'a [u8]> {
    let length = rest.iter().position(|byte| *byte == end)?;
    let taken = take(rest, length);
    take(rest, 1)?;
    taken
}

fn take_u8(rest: &mut &[u8]) -> Option<u8> {
    take(rest, 1)?.first().copied()
}

fn take_u16(rest: &mut &[u8]) -> Option<u16> {
    take(rest, 2)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

fn take_u32(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}

fn take_id(rest: &mut &[u8], hash: HashKind) -> Option<ObjectId> {
    ObjectId::from_bytes(hash, take(rest, hash.len())?)
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]
mod tests;
