//! Finds one path in an index file.

use super::entries::{Entry, EntryCursor};
use super::extensions::extensions_in;
use super::{check_frame, Damage, HEADER_LEN};
use packlens_base::oid::{HashKind, ObjectId};

/// The object of a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Staged<'a> {
    /// The object itself.
    Is(ObjectId),
    /// A tree of a sparse index, and the rest of the path below it.
    Below(ObjectId, &'a [u8]),
    /// The index is split: see [`IndexFile`](super::IndexFile), which reads its other part.
    Split,
}

/// Returns the object of a path at a stage. The whole file is parsed, so that a damaged file is
/// an error for every path.
///
/// # Errors
///
/// The damage of the file.
pub fn find_staged<'a>(
    bytes: &[u8],
    hash: HashKind,
    path: &'a [u8],
    stage: u16,
) -> Result<Option<Staged<'a>>, Damage> {
    let (body, version, count) = check_frame(bytes, hash)?;
    let mut found = None;
    let mut cursor = EntryCursor::new(body, count);
    while let Some(entry) = cursor.next(body, (hash, version))? {
        found = staged(&entry, &cursor.name, path, stage).or(found);
    }
    if extensions_in(cursor.rest(body))?.iter().any(|(name, _)| name == b"link") {
        return Ok(Some(Staged::Split));
    }
    match cursor.disorder {
        Some(what) => Err(Damage::Entries(what, HEADER_LEN as u64)),
        None => Ok(found),
    }
}

/// Returns the object of a path at a stage, if an entry has it.
pub(super) fn staged<'a>(
    entry: &Entry,
    name: &[u8],
    path: &'a [u8],
    stage: u16,
) -> Option<Staged<'a>> {
    if entry.stage != stage {
        return None;
    }
    match path.strip_prefix(name)? {
        [] if !entry.is_directory() => Some(Staged::Is(entry.id)),
        rest if !rest.is_empty() && entry.is_directory() => Some(Staged::Below(entry.id, rest)),
        _ => None,
    }
}
