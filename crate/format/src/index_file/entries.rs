//! Parses the entries of an index file.

use super::{take, take_id, take_u16, take_u32, take_u8, Damage, Named, HEADER_LEN, KIND};
use packlens_base::cursor::varint;
use packlens_base::hash::object_id;
use packlens_base::object_type::ObjectType;
use packlens_base::oid::{HashKind, ObjectId};

const GITLINK: u32 = 0o160_000;
const DIRECTORY: u32 = 0o040_000;

/// The numbers before the id of an entry: times, places, sizes and the mode.
const STAT_NUMBERS: usize = 10;

const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const NAME_MASK: u16 = 0x0fff;

const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// The extended flags that git knows.
const KNOWN_EXTENDED: u16 = SKIP_WORKTREE | INTENT_TO_ADD;

/// What the file system said of a file when its entry was written: numbers of 32 bits, of which
/// larger ones lack their upper bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct StatData {
    /// When the file's metadata changed: seconds since 1970, and nanoseconds.
    pub ctime: [u32; 2],
    /// When its content changed.
    pub mtime: [u32; 2],
    /// The device.
    pub dev: u32,
    /// The number of the file on it.
    pub ino: u32,
    /// The owner.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// The bytes of the file in the worktree.
    pub size: u32,
}

/// An entry without its path.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Entry {
    /// The object.
    pub id: ObjectId,
    /// The mode, as in trees.
    pub mode: u32,
    /// 0, or in a conflict 1 for the common ancestor, 2 for ours, 3 for theirs.
    pub stage: u16,
    /// What the file system said.
    pub stat: StatData,
    /// git takes the file for unchanged without looking at it.
    pub assume_valid: bool,
    /// The file need not be in the worktree.
    pub skip_worktree: bool,
    /// Only the path was added; the object is the empty blob.
    pub intent_to_add: bool,
}

impl Entry {
    /// Returns whether the entry is a directory of a sparse index.
    pub fn is_directory(&self) -> bool {
        self.mode & KIND == DIRECTORY
    }

    /// Returns whether the object is the empty blob.
    pub fn is_empty_blob(&self) -> bool {
        self.id == object_id(self.id.hash(), ObjectType::Blob, b"")
    }

    /// Returns how the entry names its object; a submodule names none.
    pub(super) fn named<'a>(&self, name: &'a [u8]) -> Option<Named<'a>> {
        match self.mode & KIND {
            GITLINK => None,
            DIRECTORY => Some(Named::Directory { name }),
            _ => Some(Named::Blob { name }),
        }
    }
}

/// Where the next entry begins, and what it depends on of the entry before.
#[derive(Clone, Debug)]
pub(super) struct EntryCursor {
    /// How many bytes of the body are left.
    left_bytes: usize,
    left_entries: u32,
    /// The path of the last entry.
    pub(super) name: Vec<u8>,
    before: Option<u16>,
    /// The fault of entries without a path, of which only a split index has several.
    pub(super) disorder: Option<String>,
}

impl EntryCursor {
    /// Begins with the first of `count` entries.
    pub(super) fn new(body: &[u8], count: u32) -> EntryCursor {
        EntryCursor {
            left_bytes: body.len(),
            left_entries: count,
            name: Vec::new(),
            before: None,
            disorder: None,
        }
    }

    /// Returns the bytes after the last entry that was read.
    pub(super) fn rest<'a>(&self, body: &'a [u8]) -> &'a [u8] {
        body.get(body.len().saturating_sub(self.left_bytes)..).unwrap_or_default()
    }

    /// Returns the next entry, whose path is then `name`; `None` after the last one.
    pub(super) fn next(
        &mut self,
        body: &[u8],
        (hash, version): (HashKind, u32),
    ) -> Result<Option<Entry>, Damage> {
        let Some(left) = self.left_entries.checked_sub(1) else {
            return Ok(None);
        };
        let mut rest = self.rest(body);
        let before = (&mut self.name, self.before, &mut self.disorder);
        let offset = HEADER_LEN.saturating_add(body.len()).saturating_sub(rest.len()) as u64;
        let entry = next_entry(&mut rest, hash, version, before);
        let entry = entry.map_err(|what| Damage::Entries(what, offset))?;
        self.before = Some(entry.stage);
        self.left_bytes = rest.len();
        self.left_entries = left;
        Ok(Some(entry))
    }
}

/// Parses an entry. `name` is the name of the entry before, at stage `before`, and is replaced
/// by the name of this entry.
fn next_entry(
    rest: &mut &[u8],
    hash: HashKind,
    version: u32,
    (name, before, disorder): (&mut Vec<u8>, Option<u16>, &mut Option<String>),
) -> Result<Entry, String> {
    let ends = || "an entry ends after the end of the index".to_owned();
    let whole = rest.len();
    let mut numbers = [0; STAT_NUMBERS];
    for number in &mut numbers {
        *number = take_u32(rest).ok_or_else(ends)?;
    }
    let [ctime, ctime_nanos, mtime, mtime_nanos, dev, ino, mode, uid, gid, size] = numbers;
    let id = take_id(rest, hash).ok_or_else(ends)?;
    let flags = take_u16(rest).ok_or_else(ends)?;
    let mut extended = 0;
    if flags & EXTENDED != 0 {
        extended = take_u16(rest).ok_or_else(ends)?;
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
        let ordering = name.get(kept..).unwrap_or_default().cmp(added);
        match check_order(ordering, name, (before, stage)) {
            Err(what) if name.is_empty() => *disorder = Some(what),
            checked => checked?,
        }
    }
    name.truncate(kept);
    name.extend_from_slice(added);
    Ok(Entry {
        id,
        mode,
        stage,
        stat: StatData {
            ctime: [ctime, ctime_nanos],
            mtime: [mtime, mtime_nanos],
            dev,
            ino,
            uid,
            gid,
            size,
        },
        assume_valid: flags & ASSUME_VALID != 0,
        skip_worktree: extended & SKIP_WORKTREE != 0,
        intent_to_add: extended & INTENT_TO_ADD != 0,
    })
}

/// Checks that an entry sorts after the one before, which has `name`; `ordering` is how the
/// names compare.
pub(super) fn check_order(
    ordering: std::cmp::Ordering,
    name: &[u8],
    (before, stage): (u16, u16),
) -> Result<(), String> {
    match ordering {
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
