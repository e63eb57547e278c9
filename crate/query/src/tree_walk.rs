//! Walks a tree and its subtrees.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_format::object::{Mode, ObjectType, Tree};

/// How many of the following entries are prefetched at most.
const MOST_AHEAD: usize = 1 << 16;

/// The most bytes of a row beside its path: mode, two lengths, size and id.
const ROW_LEN: usize = 3 * 4 + 8 + MAX_OID_LEN;

/// Options of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub struct WalkOptions {
    /// Whether subtrees are walked too.
    pub recursive: bool,
    /// Whether trees that are walked are not reported themselves.
    pub only_leaves: bool,
    /// Whether the sizes of blobs are looked up.
    pub sizes: bool,
}

/// A resumable walk over a tree, in git's order.
pub struct TreeWalk {
    options: WalkOptions,
    levels: Vec<TreeLevel>,
    depth_limit: usize,
    /// The root tree, until it is read.
    root: Option<ObjectId>,
}

struct TreeLevel {
    content: Vec<u8>,
    at: usize,
    /// The path of this tree with a trailing slash; empty for the root.
    prefix: Vec<u8>,
}

/// An entry to be reported; see [`TreeWalk::fill`].
struct WalkedEntry {
    mode: Mode,
    oid: ObjectId,
    path: Vec<u8>,
    rest: usize,
}

impl TreeWalk {
    /// Starts a walk over the tree that `spec` leads to.
    ///
    /// # Errors
    ///
    /// The errors of [`Repository::resolve`] and [`Repository::peel`].
    pub fn new(
        repository: &mut Repository,
        spec: &[u8],
        options: WalkOptions,
        depth_limit: usize,
    ) -> Result<TreeWalk> {
        let id = repository.resolve(spec)?;
        let root = repository.peel(&id, Some(ObjectType::Tree))?;
        Ok(TreeWalk { options, levels: Vec::new(), depth_limit, root: Some(root) })
    }

    /// Appends entries to `out` until it is about `capacity` bytes long; returns whether the
    /// walk is complete.
    ///
    /// A record has: mode (4 bytes), length of the id (4), size of a blob (8, all ones if not
    /// requested), length of the path (4), the id, the path.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading;
    /// [`ErrorKind::Limit`] for trees that are nested too deeply.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if let Some(root) = self.root {
            self.enter(repository, &root, Vec::new())?;
            self.root = None;
        }
        while out.len() < capacity {
            repository.files.step()?;
            let Some(found) = self.next_entry(repository)? else {
                return Ok(true);
            };
            let descend = self.options.recursive && found.mode.is_tree();
            let size = match self.size_of(repository, &found) {
                Ok(size) => size,
                Err(error) => return Err(self.ahead(error, repository)),
            };
            // Everything that can fail comes before the position moves and the record is
            // appended.
            let parent = self.levels.len();
            if descend {
                let prefix = [&found.path, &b"/"[..]].concat();
                if let Err(error) = self.enter(repository, &found.oid, prefix) {
                    return Err(self.ahead(error, repository));
                }
            }
            if let Some(level) = self.levels.get_mut(parent.saturating_sub(1)) {
                level.at = found.rest;
            }
            repository.files.advance();
            if descend && self.options.only_leaves {
                continue;
            }
            let length = found.path.len().saturating_add(ROW_LEN);
            out.appender().reserved(length, |to| {
                to.u32(found.mode.0)?;
                to.u32(found.oid.as_bytes().len() as u32)?;
                to.u64(size)?;
                to.u32(found.path.len() as u32)?;
                to.oid(&found.oid)?;
                to.bytes(&found.path)
            })?;
        }
        Ok(false)
    }

    /// Returns the next entry without moving past it; leaves trees that are complete.
    fn next_entry(&mut self, repository: &Repository) -> Result<Option<WalkedEntry>> {
        while let Some(level) = self.levels.last() {
            let rest = level.content.get(level.at..).unwrap_or_default();
            let mut tree = Tree::new(repository.hash(), rest);
            let Some(entry) = tree.next() else {
                self.levels.pop();
                continue;
            };
            let entry = entry?;
            let rest = level.content.len().saturating_sub(tree.rest().len());
            let path = [&level.prefix, entry.name].concat();
            return Ok(Some(WalkedEntry { mode: entry.mode, oid: entry.oid, path, rest }));
        }
        Ok(None)
    }

    fn enter(&mut self, repository: &mut Repository, id: &ObjectId, prefix: Vec<u8>) -> Result<()> {
        if self.levels.len() >= self.depth_limit {
            return Err(Error::new(ErrorKind::Limit, "trees are nested too deep").about(prefix));
        }
        let content = repository.read_of_type(id, ObjectType::Tree)?;
        self.levels.push(TreeLevel { content, at: 0, prefix });
        Ok(())
    }

    /// Adds the needs of the following entries to a need: first those in the same tree, then
    /// those in the trees above it.
    fn ahead(&self, error: Error, repository: &mut Repository) -> Error {
        let hash = repository.hash();
        let following = self.levels.iter().rev().flat_map(|level| {
            let rest = level.content.get(level.at..).unwrap_or_default();
            Tree::new(hash, rest).flatten()
        });
        let needed = following.filter(|entry| match entry.mode.object_type() {
            ObjectType::Tree => self.options.recursive,
            ObjectType::Blob => self.options.sizes,
            _ => false,
        });
        let ids: Vec<ObjectId> = needed.map(|entry| entry.oid).take(MOST_AHEAD).collect();
        repository.looking_ahead(error, None, |at| ids.get(at as usize).copied())
    }

    fn size_of(&self, repository: &mut Repository, found: &WalkedEntry) -> Result<u64> {
        if !self.options.sizes || found.mode.object_type() != ObjectType::Blob {
            return Ok(u64::MAX);
        }
        Ok(repository.odb.info(&mut repository.files, &found.oid)?.size)
    }
}
