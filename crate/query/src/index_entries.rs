//! Lists the entries of a worktree's index, as `git ls-files --cached` does.

use crate::file_walk::FileWalk;
use crate::repository::Repository;
use packlens_base::appender::{Append, Appender, Output};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::index_file::{Entry, IndexFile, IndexWalk, StatData};
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;
use packlens_format::refs::LINKED_WORKTREE;

/// The bits of a record's flags, after the two of the stage.
const ASSUME_UNCHANGED: u32 = 4;
const SKIP_WORKTREE: u32 = 8;
const INTENT_TO_ADD: u32 = 16;

/// A resumable listing.
pub struct IndexEntries {
    pathspec: Pathspec,
    /// Whether directories of a sparse index are listed themselves, not their files.
    sparse: bool,
    open: Option<(IndexFile, IndexWalk)>,
    directory: Option<SparseDirectory>,
}

/// The files of a directory that a sparse index has as one entry.
struct SparseDirectory {
    prefix: Vec<u8>,
    walk: FileWalk,
}

impl IndexEntries {
    /// Creates the question: see [`IndexEntries::fill`] for the answers.
    pub fn new(pathspec: Pathspec, sparse: bool) -> IndexEntries {
        IndexEntries { pathspec, sparse, open: None, directory: None }
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// listing is complete. Without an index file nothing is listed.
    ///
    /// A record has numbers of 4 bytes: the mode, the flags, seconds and nanoseconds of ctime and
    /// of mtime, the device, the inode, the owner, the group, the size of the file, the length of
    /// the id, that of the path; then the id and the path. Flags are the stage, 4 for
    /// assume-unchanged, 8 for skip-worktree, 16 for intent-to-add.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    /// [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged index;
    /// [`Limit`](packlens_base::ErrorKind::Limit) for one that takes too much memory.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while out.len() < capacity {
            let taken = |entry: &Entry, path: &[u8]| write(&mut out.appender(), entry, path);
            if !self.step(repository, taken)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Passes the next entry and its path to `take`, unless the step finds none; returns whether
    /// there may be more.
    ///
    /// # Errors
    ///
    /// As [`IndexEntries::fill`], and those of `take`.
    #[inline(never)]
    pub(crate) fn step(
        &mut self,
        repository: &mut Repository,
        mut take: impl FnMut(&Entry, &[u8]) -> Result<()>,
    ) -> Result<bool> {
        repository.files.step()?;
        if let Some(directory) = &mut self.directory {
            if !directory.step(&self.pathspec, repository, &mut take)? {
                self.directory = None;
            }
            return Ok(true);
        }
        if self.open.is_none() {
            let Some(index) = repository.read_index()? else {
                return Ok(false);
            };
            let walk = index.walk().map_err(|damage| damage.error(None))?;
            self.open = Some((index, walk));
        }
        let Some((index, walk)) = &mut self.open else {
            return Ok(false);
        };
        let Some((entry, name)) = walk.next(index).map_err(|damage| damage.error(None))? else {
            return Ok(false);
        };
        let path = match entry.is_directory() {
            true => name.strip_suffix(b"/").unwrap_or(name),
            false => name,
        };
        if entry.is_directory() && !self.sparse {
            if self.pathspec.select(path, 0, Mode(0o040_000), true).descends {
                let depth = repository.limits().tree_depth;
                let walk = FileWalk::new(entry.id, Pathspec::default(), false, depth);
                self.directory = Some(SparseDirectory { prefix: [path, b"/"].concat(), walk });
            }
            return Ok(true);
        }
        let mode = match entry.is_directory() {
            true => Mode(0o160_000),
            false => Mode(entry.mode),
        };
        if self.pathspec.select(path, 0, mode, true).is_selected {
            take(&entry, name)?;
        }
        Ok(true)
    }

    /// Returns [`IndexFile::cached_trees`], after the first step.
    ///
    /// # Errors
    ///
    /// As [`IndexEntries::fill`].
    pub(crate) fn cached_trees(&self) -> Result<Vec<(Vec<u8>, ObjectId)>> {
        let trees = self.open.as_ref().map(|(index, _)| index.cached_trees()).transpose();
        Ok(trees.map_err(|damage| damage.error(None))?.unwrap_or_default())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let index = self.open.as_ref().map_or(0, |(index, _)| index.memory());
        let directory = self.directory.as_ref().map_or(0, |directory| directory.walk.memory());
        index.saturating_add(directory).saturating_add(self.pathspec.memory())
    }
}

impl SparseDirectory {
    /// Passes the next file to `take` if it is selected; returns whether there was one.
    fn step(
        &mut self,
        pathspec: &Pathspec,
        repository: &mut Repository,
        take: &mut impl FnMut(&Entry, &[u8]) -> Result<()>,
    ) -> Result<bool> {
        let Some(found) = self.walk.next(repository)? else {
            return Ok(false);
        };
        let path = [&self.prefix, found.path.as_slice()].concat();
        let selection = pathspec.select(&path, self.prefix.len(), found.mode, true);
        if found.mode.is_tree() && selection.descends {
            self.walk.enter(repository, &found)?;
            return Ok(true);
        }
        if !found.mode.is_tree() && selection.is_selected {
            take(&skipped(found.oid, found.mode), &path)?;
        }
        self.walk.pass(&found);
        Ok(true)
    }
}

/// Returns the entry of a file that only the tree of a sparse directory has.
fn skipped(id: ObjectId, mode: Mode) -> Entry {
    Entry {
        id,
        mode: mode.canonical().0,
        stage: 0,
        stat: StatData::default(),
        assume_valid: false,
        skip_worktree: true,
        intent_to_add: false,
    }
}

fn write(out: &mut Appender<'_>, entry: &Entry, path: &[u8]) -> Result<()> {
    let flag = |is_set: bool, bit| if is_set { bit } else { 0 };
    let flags = u32::from(entry.stage)
        | flag(entry.assume_valid, ASSUME_UNCHANGED)
        | flag(entry.skip_worktree, SKIP_WORKTREE)
        | flag(entry.intent_to_add, INTENT_TO_ADD);
    let StatData { ctime, mtime, dev, ino, uid, gid, size } = entry.stat;
    let id = entry.id.as_bytes();
    let lengths = [id.len() as u32, path.len() as u32];
    for number in [entry.mode, flags].into_iter().chain(ctime).chain(mtime) {
        out.u32(number)?;
    }
    for number in [dev, ino, uid, gid, size].into_iter().chain(lengths) {
        out.u32(number)?;
    }
    out.bytes(id)?;
    out.bytes(path)
}

impl Repository {
    /// Reads the index of this worktree: `None` if it has none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a damaged index;
    /// [`Limit`](packlens_base::ErrorKind::Limit) for one that takes too much memory.
    pub fn read_index(&mut self) -> Result<Option<IndexFile>> {
        let path = self.index_path()?;
        if path.is_empty() {
            return Ok(None);
        }
        let own: &[u8] = match self.files.find(LINKED_WORKTREE)? {
            Some(_) => b".worktree/",
            None => b"",
        };
        IndexFile::read(&self.files, &self.limits(), (own, &path), self.hash())
    }

    /// Returns the path of the index of this worktree; empty for none.
    ///
    /// # Errors
    ///
    /// Missing files.
    pub(crate) fn index_path(&mut self) -> Result<Vec<u8>> {
        let path = self.boundaries().index_file.clone();
        if path == b"index" && self.files.find(LINKED_WORKTREE)?.is_some() {
            return Ok(b".worktree/index".to_vec());
        }
        Ok(path)
    }
}
