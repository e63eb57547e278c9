//! The versions of files that lines may come from.

use super::super::commits::Number;
use super::lines::{merge, Lines};
use packlens_base::oid::ObjectId;
use packlens_format::commit_graph::ChangedPath;
use packlens_format::object::Mode;

const NONE: u32 = u32::MAX;

/// A file of a commit.
pub(super) struct Origin {
    pub(super) commit: Number,
    /// The place of its path.
    pub(super) path: usize,
    pub(super) mode: Mode,
    pub(super) blob: ObjectId,
    /// The lines that may come from it, in its order.
    pub(super) lines: Vec<Lines>,
    /// The first file of a parent that it was compared with.
    pub(super) previous: Option<usize>,
    /// The next origin of the same commit.
    next: u32,
}

/// A path, and how changed-path filters are asked for it.
pub(super) struct Path {
    pub(super) bytes: Vec<u8>,
    pub(super) key: ChangedPath,
}

/// All origins; those of a commit are a list, the newest first.
#[derive(Default)]
pub(super) struct Origins {
    list: Vec<Origin>,
    /// The first origin of each commit, by its number.
    heads: Vec<u32>,
    pub(super) paths: Vec<Path>,
}

impl Origins {
    pub(super) fn get(&self, at: usize) -> Option<&Origin> {
        self.list.get(at)
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Origin> {
        self.list.get_mut(at)
    }

    /// Returns the path of an origin.
    pub(super) fn path_of(&self, at: usize) -> &[u8] {
        let path = self.list.get(at).and_then(|origin| self.paths.get(origin.path));
        path.map_or(&[], |path| &path.bytes)
    }

    /// Returns the place of a path.
    pub(super) fn path(&mut self, bytes: &[u8]) -> usize {
        if let Some(at) = self.paths.iter().position(|path| path.bytes == bytes) {
            return at;
        }
        self.paths.push(Path { bytes: bytes.to_vec(), key: ChangedPath::new(bytes) });
        self.paths.len().saturating_sub(1)
    }

    fn of_commit(&self, commit: Number) -> impl Iterator<Item = usize> + '_ {
        let mut next = self.heads.get(commit as usize).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let at = next as usize;
            next = self.list.get(at)?.next;
            Some(at)
        })
    }

    /// Returns the origin of a path in a commit.
    pub(super) fn find(&self, commit: Number, path: usize) -> Option<usize> {
        self.of_commit(commit).find(|at| self.list.get(*at).is_some_and(|has| has.path == path))
    }

    /// Returns the first origin of a commit that lines may come from.
    pub(super) fn with_lines(&self, commit: Number) -> Option<usize> {
        self.of_commit(commit)
            .find(|at| self.list.get(*at).is_some_and(|has| !has.lines.is_empty()))
    }

    /// Returns the origin of a path in a commit, which is added if it is new.
    pub(super) fn add(
        &mut self,
        commit: Number,
        path: usize,
        (mode, blob): (Mode, ObjectId),
    ) -> usize {
        if let Some(at) = self.find(commit, path) {
            return at;
        }
        let place = commit as usize;
        if self.heads.len() <= place {
            self.heads.resize(place.saturating_add(1), NONE);
        }
        let at = self.list.len();
        if let Some(head) = self.heads.get_mut(place) {
            let (lines, next) = (Vec::new(), std::mem::replace(head, at as u32));
            self.list.push(Origin { commit, path, mode, blob, lines, previous: None, next });
        }
        at
    }

    /// Adds lines that may come from an origin; returns whether its commit had none before.
    pub(super) fn add_lines(&mut self, at: usize, lines: Vec<Lines>) -> bool {
        let Some(commit) = self.list.get(at).map(|origin| origin.commit) else {
            return false;
        };
        let is_first = self.with_lines(commit).is_none() && !lines.is_empty();
        if let Some(origin) = self.list.get_mut(at) {
            merge(&mut origin.lines, lines);
        }
        is_first
    }

    /// Returns how many bytes of memory this takes, if the final file has `lines` lines: each of
    /// them is in one place.
    pub(super) fn memory(&self, lines: u32) -> u64 {
        let lines = (lines as usize).saturating_mul(2).saturating_mul(size_of::<Lines>());
        let list = self.list.capacity().saturating_mul(size_of::<Origin>());
        let heads = self.heads.capacity().saturating_mul(4);
        lines.saturating_add(list).saturating_add(heads) as u64
    }
}
