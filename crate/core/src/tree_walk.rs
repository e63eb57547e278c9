//! Walking over a tree and the trees in it.

use crate::appender::{Append, Output};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Mode, ObjectType, Tree};
use crate::oid::ObjectId;
use crate::repository::Repository;

/// How many of the entries that follow are named ahead, at most.
const MOST_AHEAD: usize = 1 << 16;

/// What a walk visits.
#[derive(Clone, Copy, Debug, Default)]
pub struct WalkOptions {
    /// Goes into the trees it finds.
    pub recursive: bool,
    /// Leaves trees out that it goes into.
    pub only_leaves: bool,
    /// Looks the sizes of blobs up.
    pub sizes: bool,
}

/// A walk over a tree, in git's order. It stops when it likes and goes on later.
pub struct TreeWalk {
    options: WalkOptions,
    levels: Vec<Level>,
    depth_limit: usize,
    /// The tree to begin with, until it is read.
    root: Option<ObjectId>,
}

struct Level {
    content: Vec<u8>,
    at: usize,
    /// What stands before the names of this tree, with a slash behind it.
    prefix: Vec<u8>,
}

/// An entry as it is handed over; see [`TreeWalk::fill`].
struct Found {
    mode: Mode,
    oid: ObjectId,
    path: Vec<u8>,
    rest: usize,
}

impl TreeWalk {
    /// Begins a walk over what `spec` stands for, which must lead to a tree.
    ///
    /// # Errors
    ///
    /// Those of [`Repository::resolve`] and [`Repository::peel`].
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

    /// Appends entries to `out` until it is about `capacity` bytes long; tells
    /// whether that was the last.
    ///
    /// A record is: mode (4 bytes), length of the id (4), size of a blob (8, all
    /// ones if not asked for), length of the path (4), the id, the path.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and go on. Those of reading;
    /// [`ErrorKind::Limit`] for trees nested too deep.
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
            // What can fail comes before the place moves on and the record is out.
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
            if descend && self.options.only_leaves {
                continue;
            }
            let mut appender = out.appender();
            appender.u32(found.mode.0)?;
            appender.u32(found.oid.as_bytes().len() as u32)?;
            appender.u64(size)?;
            appender.u32(found.path.len() as u32)?;
            appender.oid(&found.oid)?;
            appender.bytes(&found.path)?;
        }
        Ok(false)
    }

    /// Returns the next entry without moving on, leaving trees that are done.
    fn next_entry(&mut self, repository: &Repository) -> Result<Option<Found>> {
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
            return Ok(Some(Found { mode: entry.mode, oid: entry.oid, path, rest }));
        }
        Ok(None)
    }

    fn enter(&mut self, repository: &mut Repository, id: &ObjectId, prefix: Vec<u8>) -> Result<()> {
        if self.levels.len() >= self.depth_limit {
            return Err(Error::new(ErrorKind::Limit, "trees nested too deep").about(prefix));
        }
        let content = repository.read_of_type(id, ObjectType::Tree)?;
        self.levels.push(Level { content, at: 0, prefix });
        Ok(())
    }

    /// Adds to a need what the entries that follow will need: those of the same tree, then
    /// those of the trees around it.
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
        repository.looking_ahead(error, |at| ids.get(at as usize).copied())
    }

    fn size_of(&self, repository: &mut Repository, found: &Found) -> Result<u64> {
        if !self.options.sizes || found.mode.object_type() != ObjectType::Blob {
            return Ok(u64::MAX);
        }
        Ok(repository.odb.info(&mut repository.files, &found.oid)?.size)
    }
}
