//! What identifies the change of a commit, wherever it was made: as `git patch-id` and
//! `git log --cherry-pick` compare changes, without white space and numbers of lines.

use crate::changes::{content, Changes, TreeChange};
use crate::repository::Repository;
use packlens_base::error::{ErrorKind, Result};
use packlens_base::hash::Hasher;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_diff::{is_binary, DiffOptions, TextDiff};
use packlens_format::pathspec::Pathspec;

/// A resumable hash of the change between two trees.
pub(crate) struct PatchId {
    changes: Changes,
    /// The change that is read now, until nothing is missing for it.
    current: Option<TreeChange>,
    with_lines: bool,
    hasher: Hasher,
}

impl PatchId {
    /// Starts to compare what a pathspec selects of two trees; without lines, only which files
    /// change.
    pub(crate) fn new(
        hash: HashKind,
        roots: [Option<ObjectId>; 2],
        pathspec: Option<Pathspec>,
        with_lines: bool,
        depth_limit: usize,
    ) -> PatchId {
        let mut changes = Changes::of_files(roots, depth_limit);
        if let Some(pathspec) = pathspec {
            changes = changes.limited_to(pathspec);
        }
        PatchId { changes, current: None, with_lines, hasher: Hasher::new(hash) }
    }

    /// Adds one change; returns the hash after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. The errors of reading.
    pub(crate) fn step(&mut self, repository: &mut Repository) -> Result<Option<ObjectId>> {
        if self.current.is_none() {
            self.current = self.changes.next(repository)?;
        }
        let Some(change) = &self.current else {
            return Ok(Some(self.hasher.clone().finish()));
        };
        let mut text = header(change);
        if self.with_lines {
            text.extend(lines(change, repository)?);
        }
        self.hasher.update(&text);
        self.current = None;
        Ok(None)
    }

    pub(crate) fn memory(&self) -> u64 {
        self.changes.memory()
    }
}

/// Returns the names of the files that are compared, and the mode of a new or a deleted one.
fn header(change: &TreeChange) -> Vec<u8> {
    let mut path = Vec::new();
    add_without_space(&change.path, &mut path);
    let mode = |what: &str, mode: u32| format!("{what}filemode{mode:06o}");
    let [old, new] = change.sides.map(|side| side.map(|(mode, _)| mode.canonical().0));
    let (modes, names) = match (old, new) {
        (None, Some(new)) => (mode("new", new), ["/dev/null", "b/"]),
        (Some(old), None) => (mode("deleted", old), ["a/", "/dev/null"]),
        (Some(old), Some(new)) if old != new => {
            (format!("oldmode{old:06o}newmode{new:06o}"), ["a/", "b/"])
        }
        _ => (String::new(), ["a/", "b/"]),
    };
    let mut header = [b"diff--gita/", &*path, b"b/", &path, modes.as_bytes()].concat();
    for (mark, name) in ["---", "+++"].into_iter().zip(names) {
        header.extend_from_slice(mark.as_bytes());
        header.extend_from_slice(name.as_bytes());
        if !name.starts_with('/') {
            header.extend_from_slice(&path);
        }
    }
    header
}

/// Returns the printed lines of a change; of a binary file both ids.
fn lines(change: &TreeChange, repository: &mut Repository) -> Result<Vec<u8>> {
    let [old, new] = change.sides;
    let ids = || {
        let hex = change.sides.map(|side| side.map(|(_, id)| id.to_hex()).unwrap_or_default());
        hex.concat().into_bytes()
    };
    let contents = content(old, repository).and_then(|old| Ok((old, content(new, repository)?)));
    let patch = contents.and_then(|(old, new)| {
        if is_binary(&old) || is_binary(&new) {
            return Ok(None);
        }
        let options = DiffOptions { indent_heuristic: false, ..DiffOptions::default() };
        TextDiff::new(&old, &new, &options).map(|diff| Some(diff.patch()))
    });
    let patch = match patch {
        // What is too large to compare is the same only if it is the same object.
        Err(error) if error.kind() == ErrorKind::Limit => None,
        patch => patch?,
    };
    let Some(patch) = patch else {
        return Ok(ids());
    };
    let mut text = Vec::new();
    for line in patch.split_inclusive(|byte| *byte == b'\n') {
        if !line.starts_with(b"@") && !line.starts_with(b"\\") {
            add_without_space(line, &mut text);
        }
    }
    Ok(text)
}

fn add_without_space(line: &[u8], to: &mut Vec<u8>) {
    to.extend(
        line.iter().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)),
    );
}
