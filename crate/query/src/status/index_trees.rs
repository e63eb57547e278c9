//! The trees that the entries of the index make.
//!
//! git keeps the ids of these trees in the index, but other programs write indexes without them,
//! and each `git add` drops some. To hash the entries costs less than to read the trees of `HEAD`,
//! which are inflated and hashed too.

use crate::repository::Repository;
use crate::worktree::Tracked;
use packlens_base::error::Result;
use packlens_base::hash::object_id;
use packlens_base::oid::ObjectId;
use packlens_format::index_file::Entry;
use packlens_format::object::{Mode, ObjectType};

/// The share of the memory ceiling that the paths and ids may take. Directories without an id are
/// compared file by file.
const SHARE: u64 = 16;

const TREE: Mode = Mode(0o040_000);

/// A resumable computation, in the order of the entries.
pub(super) struct IndexTrees {
    /// The next entry.
    at: usize,
    /// The directories from the top to that of the last entry.
    open: Vec<OpenTree>,
    /// The path of the last of these, with a slash at its end; empty for the top.
    path: Vec<u8>,
    trees: Vec<(Vec<u8>, ObjectId)>,
    listed: u64,
}

/// A directory of which more entries may follow.
struct OpenTree {
    /// How long its path is, with a slash at its end.
    path_len: usize,
    content: Vec<u8>,
    /// False if `HEAD` cannot have the tree of these entries.
    is_tree: bool,
}

impl IndexTrees {
    pub(super) fn new() -> IndexTrees {
        IndexTrees {
            at: 0,
            open: vec![OpenTree { path_len: 0, content: Vec::new(), is_tree: true }],
            path: Vec::new(),
            trees: Vec::new(),
            listed: 0,
        }
    }

    /// Returns the paths of the directories, with a slash at their ends, and the ids of their trees,
    /// in the order of the paths. May be called again if what follows fails.
    ///
    /// # Errors
    ///
    /// [`Need::Turn`](packlens_base::error::Need::Turn) once the caller has waited long enough.
    #[inline(never)]
    pub(super) fn hash(
        &mut self,
        repository: &Repository,
        tracked: &Tracked,
    ) -> Result<Vec<(Vec<u8>, ObjectId)>> {
        while self.step(repository, tracked)? {}
        packlens_base::sort::by(&mut self.trees, |(one, _), (other, _)| one.cmp(other));
        Ok(self.trees.clone())
    }

    /// Adds the next entry; returns whether there may be more.
    #[inline(never)]
    fn step(&mut self, repository: &Repository, tracked: &Tracked) -> Result<bool> {
        repository.files.step()?;
        let Some((entry, path)) = tracked.get(self.at) else {
            self.close(b"", repository);
            self.close_last(repository);
            return Ok(false);
        };
        self.close(path, repository);
        if !self.enter(path, repository.limits().tree_depth) {
            // Without any ids, everything is compared.
            self.trees = Vec::new();
            return Ok(false);
        }
        self.add(entry, path);
        self.at = self.at.saturating_add(1);
        Ok(true)
    }

    /// Closes the directories that a path is not in.
    fn close(&mut self, path: &[u8], repository: &Repository) {
        while self.open.len() > 1 && !path.starts_with(&self.path) {
            self.close_last(repository);
        }
    }

    fn close_last(&mut self, repository: &Repository) {
        let Some(OpenTree { content, is_tree, .. }) = self.open.pop() else {
            return;
        };
        let above = self.open.last().map_or(0, |above| above.path_len);
        if is_tree {
            repository.files.count_object(content.len() as u64);
            let id = object_id(repository.hash(), ObjectType::Tree, &content);
            if let Some(tree) = self.open.last_mut() {
                let name = self.path.get(above..).unwrap_or_default();
                let name = name.strip_suffix(b"/").unwrap_or(name);
                append(&mut tree.content, TREE, name, &id);
            }
            let size = size_of::<(Vec<u8>, ObjectId)>().saturating_add(self.path.len()) as u64;
            let listed = self.listed.saturating_add(size);
            if listed <= repository.memory() / SHARE {
                self.listed = listed;
                self.trees.push((self.path.clone(), id));
            }
        } else if let Some(tree) = self.open.last_mut() {
            tree.is_tree = false;
        }
        self.path.truncate(above);
    }

    /// Opens the directories of a path; returns false if they are nested too deep.
    fn enter(&mut self, path: &[u8], most: usize) -> bool {
        while let Some(rest) = path.get(self.path.len()..) {
            let Some(slash) = rest.iter().position(|byte| *byte == b'/') else {
                break;
            };
            if self.open.len() >= most {
                return false;
            }
            self.path.extend_from_slice(rest.get(..=slash).unwrap_or_default());
            let path_len = self.path.len();
            self.open.push(OpenTree { path_len, content: Vec::new(), is_tree: true });
        }
        true
    }

    fn add(&mut self, entry: &Entry, path: &[u8]) {
        let name = path.get(self.path.len()..).unwrap_or_default();
        let Some(tree) = self.open.last_mut() else {
            return;
        };
        // A file in conflict, or of which the path alone was added, is in no tree.
        if entry.stage > 0 || entry.intent_to_add {
            tree.is_tree = false;
        } else {
            append(&mut tree.content, Mode(entry.mode).canonical(), name, &entry.id);
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let size = |tree: &OpenTree| size_of::<OpenTree>().saturating_add(tree.content.capacity());
        let open = self.open.iter().map(size).fold(0, usize::saturating_add);
        self.listed.saturating_add(open as u64)
    }
}

/// Appends an entry of a tree.
fn append(content: &mut Vec<u8>, mode: Mode, name: &[u8], id: &ObjectId) {
    let digits = mode.0.max(1).ilog2().saturating_div(3);
    for digit in (0..=digits).rev() {
        let digit = (mode.0 >> digit.saturating_mul(3)) & 7;
        content.push(b'0'.saturating_add(digit as u8));
    }
    content.push(b' ');
    content.extend_from_slice(name);
    content.push(0);
    content.extend_from_slice(id.as_bytes());
}
