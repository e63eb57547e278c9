//! Parses the entries of an index file.

use super::{take, take_id, take_u16, take_u32, take_u8, Damage, Named, KIND};
use packlens_base::cursor::varint;
use packlens_base::oid::{HashKind, ObjectId};

const GITLINK: u32 = 0o160_000;
const DIRECTORY: u32 = 0o040_000;

/// The bytes before the id of an entry: times, sizes and the mode.
const STAT_LEN: usize = 40;
const MODE_AT: usize = 24;

const EXTENDED: u16 = 0x4000;
const NAME_MASK: u16 = 0x0fff;

/// The extended flags that git knows: intent-to-add and skip-worktree.
const KNOWN_EXTENDED: u16 = 0x6000;

/// Calls `take` for each object that an entry names; returns the bytes after the entries.
pub(super) fn visit_entries<'a, E>(
    body: &'a [u8],
    hash: HashKind,
    layout: (u32, u32),
    take: &mut impl FnMut(&ObjectId, Named<'_>) -> Result<(), E>,
) -> Result<Result<&'a [u8], Damage>, E> {
    visit_all(body, hash, layout, |entry, name| match entry.mode & KIND {
        GITLINK => Ok(()),
        DIRECTORY => take(&entry.id, Named::Directory { name }),
        _ => take(&entry.id, Named::Blob { name }),
    })
}

/// Calls `take` for each entry and its name; returns the bytes after the entries.
pub(super) fn visit_all<E>(
    body: &[u8],
    hash: HashKind,
    (version, count): (u32, u32),
    mut take: impl FnMut(&Entry, &[u8]) -> Result<(), E>,
) -> Result<Result<&[u8], Damage>, E> {
    let mut rest = body;
    let mut name = Vec::new();
    let mut before = None;
    for _ in 0..count {
        let entry = match next_entry(&mut rest, hash, version, (&mut name, before)) {
            Ok(entry) => entry,
            Err(what) => return Ok(Err(Damage::Entries(what))),
        };
        before = Some(entry.stage);
        take(&entry, &name)?;
    }
    Ok(Ok(rest))
}

/// An entry: the object of a path at a stage.
pub(super) struct Entry {
    pub(super) id: ObjectId,
    mode: u32,
    pub(super) stage: u16,
}

impl Entry {
    /// Returns whether the entry is a directory of a sparse index.
    pub(super) fn is_directory(&self) -> bool {
        self.mode & KIND == DIRECTORY
    }
}

/// Parses an entry. `name` is the name of the entry before, at stage `before`, and is replaced
/// by the name of this entry.
fn next_entry(
    rest: &mut &[u8],
    hash: HashKind,
    version: u32,
    (name, before): (&mut Vec<u8>, Option<u16>),
) -> Result<Entry, String> {
    let ends = || "an entry ends after the end of the index".to_owned();
    let whole = rest.len();
    let stat = take(rest, STAT_LEN).ok_or_else(ends)?;
    let mode = stat.get(MODE_AT..).and_then(|mut at| take_u32(&mut at)).ok_or_else(ends)?;
    let id = take_id(rest, hash).ok_or_else(ends)?;
    let flags = take_u16(rest).ok_or_else(ends)?;
    if flags & EXTENDED != 0 {
        let extended = take_u16(rest).ok_or_else(ends)?;
        if extended & !KNOWN_EXTENDED != 0 {
            let shown = u32::from(extended) << 16;
            return Err(format!("unknown index entry format 0x{shown:08x}"));
        }
    }
    let kept = match version {
        4 => {
            let stripped = varint(|| take_u8(rest).ok_or(())).ok().flatten();
            let stripped = stripped.and_then(|stripped| usize::try_from(stripped).ok());
            let stripped = stripped.ok_or_else(ends)?;
            match before {
                None => 0,
                Some(_) => name.len().checked_sub(stripped).ok_or_else(|| {
                    let near = String::from_utf8_lossy(name);
                    format!("malformed name field in the index, near path '{near}'")
                })?,
            }
        }
        _ => 0,
    };
    let length = match flags & NAME_MASK {
        NAME_MASK => rest.iter().position(|byte| *byte == 0).ok_or_else(ends)?,
        length => usize::from(length).checked_sub(kept).ok_or_else(ends)?,
    };
    let added = take(rest, length).ok_or_else(ends)?;
    let padding = match version {
        4 => 1,
        // One to eight zeros, so that the length of an entry is a multiple of eight.
        _ => 8usize.saturating_sub(whole.saturating_sub(rest.len()) % 8),
    };
    take(rest, padding).ok_or_else(ends)?;
    let stage = (flags >> 12) & 3;
    if let Some(before) = before {
        check_order((name, before), (kept, added), stage)?;
    }
    name.truncate(kept);
    name.extend_from_slice(added);
    Ok(Entry { id, mode, stage })
}

/// Checks that an entry sorts after the one before. Both names begin with the first `kept`
/// bytes of `name`.
fn check_order(
    (name, before): (&[u8], u16),
    (kept, added): (usize, &[u8]),
    stage: u16,
) -> Result<(), String> {
    match name.get(kept..).unwrap_or_default().cmp(added) {
        std::cmp::Ordering::Less => return Ok(()),
        std::cmp::Ordering::Greater => return Err("unordered stage entries in index".to_owned()),
        std::cmp::Ordering::Equal => {}
    }
    let name = String::from_utf8_lossy(name);
    match before {
        0 => Err(format!("multiple stage entries for merged file '{name}'")),
        _ if before > stage => Err(format!("unordered stage entries for '{name}'")),
        _ => Ok(()),
    }
}
