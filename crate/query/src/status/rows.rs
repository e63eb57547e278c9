//! The rows of a status: what was found of each path, together.

use super::scan::{OtherPath, WorktreeChange};
use super::staged::StagedChanges;
use super::walk::WorktreeWalk;
use crate::changes::{OriginKind, TreeChange, MAX_SCORE};
use crate::worktree::Tracked;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_base::words;
use packlens_format::index_file::Entry;
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;

/// The most bytes of a row beside its paths.
const NUMBERS_AND_IDS: usize = 48 + 3 * MAX_OID_LEN;

words! {
    /// The kinds of rows.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum StatusRecord {
        /// A file that differs between `HEAD`, index and work tree.
        Changed = "changed",
        /// A file in conflict.
        Unmerged = "unmerged",
        /// A file or directory that is not tracked.
        Untracked = "untracked",
        /// A file or directory that is ignored.
        Ignored = "ignored",
        /// A tracked file that is the same in `HEAD`, index and work tree.
        Unchanged = "unchanged",
    }
}

type Side = Option<(Mode, ObjectId)>;

/// A row before it is written.
struct Row<'a> {
    kind: StatusRecord,
    /// How the index differs from `HEAD`, and the work tree from the index; 0 for not at all.
    letters: [u8; 2],
    /// Bits of `within.rs`.
    submodule: u8,
    score: u32,
    /// Of a change those in `HEAD` and the index, and of a file that was read its id; of a conflict the
    /// three stages.
    sides: [Side; 3],
    worktree: Option<Mode>,
    origin: &'a [u8],
    path: &'a [u8],
}

/// What rows are made of.
pub(super) struct Found<'a> {
    pub(super) tracked: &'a Tracked,
    pub(super) staged: &'a StagedChanges,
    pub(super) walk: &'a WorktreeWalk,
    /// Of which paths unchanged files have rows, too; `None` for none.
    pub(super) unchanged: Option<&'a Pathspec>,
}

/// Where the next row comes from.
#[derive(Default)]
pub(super) struct RowCursor {
    /// The next entry of the index, if unchanged files have rows.
    tracked: usize,
    staged: usize,
    worktree: usize,
    others: usize,
}

impl RowCursor {
    /// Appends rows until `out` is about `capacity` bytes long; returns whether all are written.
    #[inline(never)]
    pub(super) fn fill(
        &mut self,
        found: &Found<'_>,
        id_len: usize,
        (capacity, out): (usize, &mut Output),
    ) -> Result<bool> {
        let Found { tracked, staged, walk, unchanged } = *found;
        while out.len() < capacity {
            let change = staged.changes.get(self.staged);
            let worktree = walk.changes.get(self.worktree);
            let path = worktree.map(|worktree| tracked.path(worktree.entry));
            if let Some(pathspec) = unchanged {
                let next = [change.map(|change| change.path.as_slice()), path];
                if self.unchanged(found, pathspec, next, (capacity, &mut *out))? {
                    continue;
                }
            }
            let is_staged =
                change.is_some_and(|change| path.is_none_or(|path| change.path.as_slice() <= path));
            let is_worktree =
                path.is_some_and(|path| change.is_none_or(|change| path <= change.path.as_slice()));
            let change = change.filter(|_| is_staged);
            let worktree = worktree.filter(|_| is_worktree);
            self.staged = self.staged.saturating_add(is_staged.into());
            self.worktree = self.worktree.saturating_add(is_worktree.into());
            let row = match (change, worktree) {
                (None, None) => match walk.others.get(self.others) {
                    Some(other) => {
                        self.others = self.others.saturating_add(1);
                        other_row(other)
                    }
                    None => return Ok(true),
                },
                (_, Some(worktree)) if worktree.letter == b'U' => unmerged_row(tracked, worktree),
                _ => changed_row(tracked, change, worktree),
            };
            row.write(id_len, out)?;
        }
        Ok(false)
    }
}

impl RowCursor {
    /// Appends the rows of unchanged files before the next changes; returns whether it passed any
    /// entry. The loop is not in `fill`, because engines compile a whole function again once a loop
    /// in it is hot.
    #[inline(never)]
    fn unchanged(
        &mut self,
        Found { tracked, walk, .. }: &Found<'_>,
        pathspec: &Pathspec,
        changed: [Option<&[u8]>; 2],
        (capacity, out): (usize, &mut Output),
    ) -> Result<bool> {
        let start = self.tracked;
        while let Some((entry, path)) = tracked.get(self.tracked).filter(|_| out.len() < capacity) {
            if changed.iter().flatten().any(|changed| *changed < path) {
                break;
            }
            let has_row = changed.contains(&Some(path));
            if !has_row && walk.is_unchanged(self.tracked, entry, path, pathspec) {
                write_unchanged(entry, path, out)?;
            }
            self.tracked = self.tracked.saturating_add(1);
        }
        Ok(self.tracked != start)
    }
}

fn other_row(other: &OtherPath) -> Row<'_> {
    let kind = match other.is_ignored {
        true => StatusRecord::Ignored,
        false => StatusRecord::Untracked,
    };
    let (letters, sides) = ([0; 2], [None; 3]);
    let (path, origin) = (other.path.as_slice(), b"".as_slice());
    Row { kind, letters, submodule: 0, score: 0, sides, worktree: None, origin, path }
}

/// Returns the row of the entries of a path in conflict.
fn unmerged_row<'a>(tracked: &'a Tracked, change: &WorktreeChange) -> Row<'a> {
    let path = tracked.path(change.entry);
    let mut sides = [None; 3];
    for at in tracked.of(path, &(change.entry..tracked.len())) {
        if let Some((entry, _)) = tracked.get(at) {
            let side = usize::from(entry.stage).checked_sub(1).and_then(|at| sides.get_mut(at));
            if let Some(side) = side {
                *side = Some((Mode(entry.mode), entry.id));
            }
        }
    }
    Row {
        kind: StatusRecord::Unmerged,
        letters: [0; 2],
        submodule: 0,
        score: 0,
        sides,
        worktree: change.mode,
        origin: b"",
        path,
    }
}

fn changed_row<'a>(
    tracked: &'a Tracked,
    staged: Option<&'a TreeChange>,
    worktree: Option<&WorktreeChange>,
) -> Row<'a> {
    let entry = worktree.and_then(|worktree| tracked.get(worktree.entry));
    let [mut head, mut index] = staged.map_or([None; 2], |change| change.sides);
    if let Some((entry, _)) = entry {
        // An entry whose file was not added counts once that file is deleted.
        let counts = !entry.intent_to_add || worktree.is_some_and(|change| change.letter == b'D');
        let own = counts.then_some((Mode(entry.mode), entry.id));
        index = own;
        if staged.is_none() {
            head = own;
        }
    }
    let old = worktree.and_then(|change| tracked.get(change.origin?));
    if let Some((entry, _)) = old {
        (head, index) = (Some((Mode(entry.mode), entry.id)), Some((Mode(entry.mode), entry.id)));
    }
    let origin = staged.and_then(|change| change.origin.as_ref());
    let path = staged.map(|change| change.path.as_slice());
    Row {
        kind: StatusRecord::Changed,
        letters: [staged.map_or(0, letter_of), worktree.map_or(0, |change| change.letter)],
        submodule: worktree.map_or(0, |change| change.submodule),
        score: origin.map_or(if old.is_some() { MAX_SCORE } else { 0 }, |origin| origin.score),
        sides: [head, index, worktree.and_then(|change| change.mode.zip(change.content))],
        worktree: match worktree {
            Some(change) => change.mode,
            None => index.map(|(mode, _)| mode),
        },
        origin: origin.map_or(old.map_or(b"", |(_, path)| path), |origin| &origin.path),
        path: path.or(entry.map(|(_, path)| path)).unwrap_or_default(),
    }
}

/// Returns the letter of a change, as git writes it.
fn letter_of(change: &TreeChange) -> u8 {
    match (change.origin.as_ref().map(|origin| origin.kind), change.sides) {
        (Some(OriginKind::Renamed), _) => b'R',
        (Some(OriginKind::Copied), _) => b'C',
        (_, [None, _]) => b'A',
        (_, [_, None]) => b'D',
        (_, [Some((old, _)), Some((new, _))]) if old.format() != new.format() => b'T',
        _ => b'M',
    }
}

/// Appends the record of an unchanged file, which [`Status::fill`](super::Status::fill) explains.
fn write_unchanged(entry: &Entry, path: &[u8], out: &mut Output) -> Result<()> {
    out.appender().reserved(path.len().saturating_add(NUMBERS_AND_IDS), |to| {
        to.u8(StatusRecord::Unchanged.number())?;
        to.u32(Mode(entry.mode).canonical().0)?;
        to.u32(entry.id.as_bytes().len() as u32)?;
        to.oid(&entry.id)?;
        to.string(path)
    })
}

impl Row<'_> {
    /// Appends the record that [`Status::fill`](super::Status::fill) explains.
    fn write(&self, id_len: usize, out: &mut Output) -> Result<()> {
        let paths = self.origin.len().saturating_add(self.path.len());
        out.appender().reserved(paths.saturating_add(NUMBERS_AND_IDS), |to| {
            to.u8(self.kind.number())?;
            to.bytes(&self.letters)?;
            to.u8(self.submodule)?;
            to.u32(self.score)?;
            for side in self.sides {
                to.u32(side.map_or(0, |(mode, _)| mode.canonical().0))?;
            }
            to.u32(self.worktree.map_or(0, |mode| mode.canonical().0))?;
            to.u32(id_len as u32)?;
            for side in self.sides {
                match side {
                    Some((_, id)) => to.oid(&id)?,
                    None => to.bytes([0; MAX_OID_LEN].get(..id_len).unwrap_or_default())?,
                }
            }
            to.string(self.origin)?;
            to.string(self.path)
        })
    }
}
