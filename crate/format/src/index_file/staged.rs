//! Finds one path in an index file.

use super::entries::visit_all;
use super::extensions::extensions_in;
use super::{check_frame, Damage};
use packlens_base::oid::{HashKind, ObjectId};

/// The object of a path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Staged<'a> {
    /// The object itself.
    Is(ObjectId),
    /// A tree of a sparse index, and the rest of the path below it.
    Below(ObjectId, &'a [u8]),
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
    let visited = visit_all(body, hash, (version, count), |entry, name| {
        if entry.stage == stage {
            match path.strip_prefix(name) {
                Some([]) if !entry.is_directory() => found = Some(Staged::Is(entry.id)),
                Some(rest) if !rest.is_empty() && entry.is_directory() => {
                    found = Some(Staged::Below(entry.id, rest));
                }
                _ => {}
            }
        }
        Ok::<(), Damage>(())
    })?;
    extensions_in(visited?)?;
    Ok(found)
}
