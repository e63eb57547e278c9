//! A change of a path, and its record.

use packlens_base::appender::Append;
use packlens_base::error::Result;
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_format::object::Mode;

/// The most bytes of a record beside its paths: seven numbers and two ids.
const NUMBERS_AND_IDS: usize = 7 * 4 + 2 * MAX_OID_LEN;

/// The score of contents that are the same; others have a part of it, as in git.
pub const MAX_SCORE: u32 = 60_000;

/// Mode and id of an entry of a tree.
pub(crate) type Entry = (Mode, ObjectId);

/// A path that differs between two trees.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TreeChange {
    /// Mode and id in the old and in the new tree; `None` where there is no such entry.
    pub sides: [Option<Entry>; 2],
    /// The path from the roots.
    pub path: Vec<u8>,
    /// Where the new content comes from, if that was looked for and found.
    pub origin: Option<Origin>,
}

/// Where the new content of a path comes from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Origin {
    /// Which transformation it is.
    pub kind: OriginKind,
    /// How similar the contents are; of a rewritten file, how much of the old content is gone.
    pub score: u32,
    /// The path that was renamed, copied or named; empty for a rewritten file.
    pub path: Vec<u8>,
}

/// A transformation of gitdiffcore: <https://git-scm.com/docs/gitdiffcore>.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OriginKind {
    /// None: two files were named, and their contents are compared.
    Named,
    /// The old path does not exist any more.
    Renamed,
    /// The old path still exists.
    Copied,
    /// The file has little of its old content.
    Rewritten,
}

/// The names of records: of a change without an origin, of the kinds of origins, and of
/// [`RenameNotice`](super::RenameNotice)s.
pub const CHANGE_RECORDS: &[&str] =
    &["plain", "renamed", "copied", "rewritten", "limited", "partly-limited"];

impl TreeChange {
    /// Returns the path in the old tree.
    pub fn old_path(&self) -> &[u8] {
        match &self.origin {
            Some(origin) if origin.kind != OriginKind::Rewritten => &origin.path,
            _ => &self.path,
        }
    }

    /// Returns whether the change is one of trees, not of files in them.
    pub(crate) fn is_of_trees(&self) -> bool {
        self.sides.iter().flatten().all(|(mode, _)| mode.is_tree())
    }

    /// Returns the change with paths as they are below a prefix, which they begin with.
    pub(crate) fn relative_to(&self, prefix: &[u8]) -> TreeChange {
        let mut change = self.clone();
        let origin = change.origin.as_mut().map(|origin| &mut origin.path);
        for path in origin.into_iter().chain([&mut change.path]) {
            if let Some(rest) = path.strip_prefix(prefix).filter(|_| !prefix.is_empty()) {
                *path = rest.strip_prefix(b"/").unwrap_or(rest).to_vec();
            }
        }
        change
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let origin = self.origin.as_ref().map_or(0, |origin| origin.path.capacity());
        self.path.capacity().saturating_add(origin).saturating_add(size_of::<TreeChange>()) as u64
    }

    /// Returns the most bytes that the record of [`TreeChange::append`] takes.
    pub(crate) fn record_len(&self) -> usize {
        let origin = self.origin.as_ref().map_or(0, |origin| origin.path.len());
        self.path.len().saturating_add(origin).saturating_add(NUMBERS_AND_IDS)
    }

    /// Appends the record that [`Changes::fill`](super::Changes::fill) explains.
    pub(crate) fn append(&self, id_len: usize, to: &mut impl Append) -> Result<()> {
        for side in self.sides {
            to.u32(side.map_or(0, |(mode, _)| mode.canonical().0))?;
        }
        let origin = self.origin.as_ref();
        let from = origin.map_or(&[][..], |origin| &origin.path);
        to.u32(origin.map_or(0, |origin| origin.kind as u32))?;
        to.u32(origin.map_or(0, |origin| origin.score))?;
        to.u32(id_len as u32)?;
        to.u32(from.len() as u32)?;
        to.u32(self.path.len() as u32)?;
        for side in self.sides {
            match side {
                Some((_, id)) => to.oid(&id)?,
                None => to.bytes([0; MAX_OID_LEN].get(..id_len).unwrap_or_default())?,
            }
        }
        to.bytes(from)?;
        to.bytes(&self.path)
    }
}
