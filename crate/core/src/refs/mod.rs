//! Refs as files: loose ones, `packed-refs`, and symbolic ones.

mod name;
mod packed;

pub(crate) use name::candidates;
pub use name::is_refname;
pub use packed::PackedRefs;

use crate::block::{BlockSource, FileId, Files};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::oid::{split_hex, HashKind, ObjectId};
use std::collections::BTreeMap;

/// What stands before the refs of the main worktree, seen from a linked one. A
/// repository without linked worktrees has them under their plain names.
const MAIN_WORKTREE: &[u8] = b"main-worktree/";

const PACKED_REFS: &[u8] = b"packed-refs";

/// What a ref points at.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RefValue {
    /// An object.
    Id(ObjectId),
    /// Another ref.
    Symbolic(Vec<u8>),
    /// Nothing that can be made out.
    Broken,
}

/// A ref.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RefRecord {
    /// Its full name.
    pub name: Vec<u8>,
    /// What it points at.
    pub value: RefValue,
    /// What its tag peels to, if that is known: `Some(None)` is no tag.
    pub peeled: Option<Option<ObjectId>>,
}

/// The refs of a repository.
#[derive(Clone, Copy)]
pub struct Refs {
    hash: HashKind,
    limits: Limits,
}

impl Refs {
    /// Makes the refs of a repository whose ids are of `hash`.
    pub fn new(hash: HashKind, limits: Limits) -> Refs {
        Refs { hash, limits }
    }

    /// Returns what a ref points at, `None` if there is none of this name.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `packed-refs`.
    pub fn get(&self, files: &Files, name: &[u8]) -> Result<Option<RefRecord>> {
        // The list of refs is no ref, though one of a server begins as they do.
        if !is_refname(name) || name == PACKED_REFS {
            return Ok(None);
        }
        if let Some(file) = files.find_fresh(name)? {
            let value = self.loose_value(files, file)?;
            return Ok(Some(RefRecord { name: name.to_vec(), value, peeled: None }));
        }
        if let Some(own) = name.strip_prefix(MAIN_WORKTREE) {
            return self.get(files, own);
        }
        match files.find_fresh(PACKED_REFS)? {
            Some(file) => PackedRefs::open(&files.source(file), self.hash)?.find(name),
            None => Ok(None),
        }
    }

    /// Follows symbolic refs from `name` on. Returns the last name, and the
    /// object there; `None` if that ref is not born yet.
    ///
    /// # Errors
    ///
    /// As [`Refs::get`]; [`ErrorKind::Limit`] after too many symbolic refs,
    /// [`ErrorKind::Corrupt`] for a broken ref.
    pub fn follow(&self, files: &Files, name: &[u8]) -> Result<(Vec<u8>, Option<ObjectId>)> {
        let mut name = name.to_vec();
        for _ in 0..=self.limits.symref_depth {
            match self.get(files, &name)?.map(|record| record.value) {
                None => return Ok((name, None)),
                Some(RefValue::Id(id)) => return Ok((name, Some(id))),
                Some(RefValue::Symbolic(target)) => name = target,
                Some(RefValue::Broken) => {
                    return Err(Error::new(ErrorKind::Corrupt, "a broken ref").about(name));
                }
            }
        }
        Err(Error::new(ErrorKind::Limit, "too many symbolic refs, one after the other").about(name))
    }

    /// Returns the object that a name stands for, spelled out or not, as git
    /// looks for it. Names of refs that are broken stand for nothing.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `packed-refs`.
    pub fn find_short(&self, files: &Files, name: &[u8]) -> Result<Option<ObjectId>> {
        for candidate in candidates(name) {
            match self.follow(files, &candidate) {
                Ok((_, Some(id))) => return Ok(Some(id)),
                Ok((_, None)) => {}
                Err(error) if error.is_missing() || error.place().is_some() => return Err(error),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Returns all refs under `refs/` that begin with `prefix`, in git's order.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes; a damaged `packed-refs`.
    pub fn list(&self, files: &Files, prefix: &[u8]) -> Result<Vec<RefRecord>> {
        let mut records = BTreeMap::new();
        if let Some(file) = files.find_fresh(PACKED_REFS)? {
            for record in PackedRefs::open(&files.source(file), self.hash)?.list()? {
                records.insert(record.name.clone(), record);
            }
        }
        for name in loose_names(files)? {
            if let Some(file) = files.find_fresh(&name)? {
                let value = self.loose_value(files, file)?;
                records.insert(name.clone(), RefRecord { name, value, peeled: None });
            }
        }
        let wanted =
            |record: &RefRecord| record.name.starts_with(prefix) && is_refname(&record.name);
        Ok(records.into_values().filter(wanted).collect())
    }

    fn loose_value(&self, files: &Files, file: FileId) -> Result<RefValue> {
        let text = text_of(files, file, &self.limits)?;
        if let Some(target) = text.strip_prefix(b"ref:") {
            let target = target.trim_ascii();
            return Ok(match is_refname(target) {
                true => RefValue::Symbolic(target.to_vec()),
                false => RefValue::Broken,
            });
        }
        Ok(match split_hex(self.hash, &text) {
            Ok((id, rest)) if rest.first().is_none_or(u8::is_ascii_whitespace) => RefValue::Id(id),
            _ => RefValue::Broken,
        })
    }
}

/// Returns the names of all files under `refs/`.
fn loose_names(files: &Files) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    let mut directories = vec![b"refs".to_vec()];
    while let Some(directory) = directories.pop() {
        for entry in files.list_fresh(&directory)? {
            let path = [&directory, &b"/"[..], entry].concat();
            match path.strip_suffix(b"/") {
                Some(inner) if is_refname(inner) => directories.push(inner.to_vec()),
                None if is_refname(&path) => names.push(path),
                _ => {}
            }
        }
    }
    Ok(names)
}

/// Returns all bytes of a small file.
pub(crate) fn text_of(files: &Files, file: FileId, limits: &Limits) -> Result<Vec<u8>> {
    let source = files.source(file);
    if source.size() > limits.text_size {
        let what = "a small text file that is too large";
        return Err(Error::new(ErrorKind::Limit, what).at(file, 0));
    }
    let mut text = limits.buffer(source.size())?;
    source.read_at(0, &mut text)?;
    Ok(text)
}
