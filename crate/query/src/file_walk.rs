//! Walks over the files of a tree that a pathspec selects, with their attributes.

use crate::configured_path::ignores_case;
use crate::path_attributes::{attributes_in, info_attributes, PathAttributes};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::attributes::{Attributes, PlacedAttributes};
use packlens_format::object::{Mode, ObjectType, Tree};
use packlens_format::pathspec::Pathspec;

/// How many of the following files are prefetched at most.
const MOST_AHEAD: usize = 1 << 10;

/// A resumable walk, in the order of trees.
pub(crate) struct FileWalk {
    levels: Vec<WalkLevel>,
    /// The root tree, until it is read.
    root: Option<ObjectId>,
    pathspec: Pathspec,
    depth_limit: usize,
    /// `info/attributes`; `None` if attributes are not wanted.
    info: Option<Attributes>,
    /// Whether their patterns match both cases of letters.
    fold_case: bool,
}

struct WalkLevel {
    content: Vec<u8>,
    at: usize,
    /// The path of this tree with a slash at its end; empty for the root.
    prefix: Vec<u8>,
    attributes: Attributes,
}

/// An entry of the walk.
pub(crate) struct FileEntry {
    pub(crate) mode: Mode,
    pub(crate) oid: ObjectId,
    pub(crate) path: Vec<u8>,
    /// Where the next entry of the same tree begins.
    rest: usize,
}

impl FileWalk {
    /// Starts a walk over a tree.
    pub(crate) fn new(
        root: ObjectId,
        pathspec: Pathspec,
        has_attributes: bool,
        depth_limit: usize,
    ) -> FileWalk {
        let info = has_attributes.then(Attributes::default);
        FileWalk {
            levels: Vec::new(),
            root: Some(root),
            pathspec,
            depth_limit,
            info,
            fold_case: false,
        }
    }

    /// Returns the next entry without moving past it: a file, a submodule, or a tree, which may
    /// be entered.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading.
    pub(crate) fn next(&mut self, repository: &mut Repository) -> Result<Option<FileEntry>> {
        if let Some(root) = self.root {
            if self.info.is_some() {
                self.fold_case = ignores_case(repository)?;
                self.info = Some(info_attributes(repository, self.fold_case)?);
            }
            self.push(repository, &root, Vec::new())?;
            self.root = None;
        }
        let hash = repository.hash();
        while let Some(level) = self.levels.last_mut() {
            let rest = level.content.get(level.at..).unwrap_or_default();
            let mut tree = Tree::new(hash, rest);
            let Some(entry) = tree.next() else {
                self.levels.pop();
                continue;
            };
            let entry = entry?;
            let rest = level.content.len().saturating_sub(tree.rest().len());
            let path = [&level.prefix, entry.name].concat();
            let selection = self.pathspec.select(&path, level.prefix.len(), entry.mode, true);
            match if entry.mode.is_tree() { selection.descends } else { selection.is_selected } {
                true => {
                    return Ok(Some(FileEntry { mode: entry.mode, oid: entry.oid, path, rest }))
                }
                false => level.at = rest,
            }
        }
        Ok(None)
    }

    /// Returns whether the pathspec selects an entry; of a tree, whether it selects the tree, not
    /// only entries of it.
    pub(crate) fn selects_itself(&self, entry: &FileEntry) -> bool {
        // As a submodule, which is a directory without entries.
        let mode = if entry.mode.is_tree() { Mode(0o160_000) } else { entry.mode };
        self.pathspec.select(&entry.path, 0, mode, true).is_selected
    }

    /// Moves past an entry.
    pub(crate) fn pass(&mut self, entry: &FileEntry) {
        if let Some(level) = self.levels.last_mut() {
            level.at = entry.rest;
        }
    }

    /// Moves past a tree, to its first entry.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of reading;
    /// [`ErrorKind::Limit`] for trees that are nested too deeply.
    pub(crate) fn enter(&mut self, repository: &mut Repository, entry: &FileEntry) -> Result<()> {
        let above = self.levels.len();
        let prefix = [&entry.path, &b"/"[..]].concat();
        match self.push(repository, &entry.oid, prefix) {
            Ok(()) => {}
            Err(error) => return Err(self.ahead(error, repository)),
        }
        if let Some(level) = self.levels.get_mut(above.saturating_sub(1)) {
            level.at = entry.rest;
        }
        Ok(())
    }

    fn push(&mut self, repository: &mut Repository, id: &ObjectId, prefix: Vec<u8>) -> Result<()> {
        if self.levels.len() >= self.depth_limit {
            return Err(Error::new(ErrorKind::Limit, "trees are nested too deep").about(prefix));
        }
        let content = repository.read_of_type(id, ObjectType::Tree)?;
        let attributes = match self.info {
            Some(_) => attributes_in(&content, prefix.is_empty(), self.fold_case, repository)?,
            None => Attributes::default(),
        };
        self.levels.push(WalkLevel { content, at: 0, prefix, attributes });
        Ok(())
    }

    /// Returns the attributes of an entry.
    pub(crate) fn attributes(&self, entry: &FileEntry) -> PathAttributes {
        let own = self.levels.iter().filter(|level| !level.attributes.is_empty());
        let own =
            own.map(|level| PlacedAttributes { base: &level.prefix, file: &level.attributes });
        let info = self.info.iter().filter(|info| !info.is_empty());
        let info = info.map(|file| PlacedAttributes { base: b"", file });
        let files: Vec<_> = own.chain(info).collect();
        PathAttributes::new(&files, &entry.path, entry.mode.is_tree())
    }

    /// Adds the needs of the following files to a need: first those in the same tree.
    pub(crate) fn ahead(&self, error: Error, repository: &mut Repository) -> Error {
        let hash = repository.hash();
        let following = self.levels.iter().rev().flat_map(|level| {
            let rest = level.content.get(level.at..).unwrap_or_default();
            Tree::new(hash, rest).flatten()
        });
        let ids = following.filter(|entry| !entry.mode.is_gitlink()).map(|entry| entry.oid);
        let ids: Vec<ObjectId> = ids.take(MOST_AHEAD).collect();
        repository.looking_ahead(error, None, |at| ids.get(at as usize).copied())
    }

    /// Returns how many bytes of memory the pathspec and the files of attributes take.
    pub(crate) fn memory(&self) -> u64 {
        let own = self.levels.iter().map(|level| &level.attributes).chain(&self.info);
        own.map(Attributes::memory).fold(self.pathspec.memory(), u64::saturating_add)
    }
}
