//! Refs in the files storage: loose refs take precedence over packed ones.

use super::loose::{read_value, LooseNames};
use super::name::is_refname;
use super::packed_names::PackedNames;
use super::packed_order::PackedOrder;
use super::range::RefRange;
use super::{PackedRefs, RefRecord, RefValue, PACKED_REFS};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::limits::Limits;
use packlens_base::oid::HashKind;
use std::cmp::Ordering;

/// The prefix that names the refs of the main worktree from a linked one. In a repository
/// without linked worktrees these are found under their plain names.
pub const MAIN_WORKTREE: &[u8] = b"main-worktree/";

/// Returns whether a ref of this name may be a file. `packed-refs` may not: without a header
/// line the file looks like a ref.
pub(super) fn may_be_file(name: &[u8]) -> bool {
    is_refname(name) && name != PACKED_REFS
}

/// Looks up a ref: its file, or else its line in `packed-refs`.
pub fn get(
    files: &Files,
    hash: HashKind,
    limits: &Limits,
    order: &PackedOrder,
    name: &[u8],
) -> Result<Option<RefRecord>> {
    if !may_be_file(name) {
        return Ok(None);
    }
    if let Some(file) = files.find_fresh(name)? {
        let value = read_value(files, file, hash, limits)?;
        return Ok(Some(RefRecord { name: name.to_vec(), value, peeled: None }));
    }
    if let Some(own) = name.strip_prefix(MAIN_WORKTREE) {
        return get(files, hash, limits, order, own);
    }
    let Some(file) = files.find_fresh(PACKED_REFS)? else {
        return files.look_again(PACKED_REFS, name).map(|()| None);
    };
    let source = files.source(file);
    let refs = PackedRefs::open(&source, hash)?;
    let found = match refs.find(name)? {
        // Binary search is only right if the file really is sorted as it claims.
        None if refs.traits().sorted && !order.is_in_order(files, file, &refs)? => {
            refs.find_unsorted(name)?
        }
        found => found,
    };
    // git may have packed this ref since `packed-refs` was read for another name.
    files.look_again(PACKED_REFS, name)?;
    Ok(found)
}

/// A cursor over the refs below `refs/` that merges loose and packed refs.
pub(super) struct FilesCursor {
    hash: HashKind,
    limits: Limits,
    range: RefRange,
    loose: LooseNames,
    packed: PackedNames,
    /// A directory of loose refs that was listed after `packed-refs` was read.
    listed_later: Option<Vec<u8>>,
    record: RefRecord,
}

/// How the next loose name compares with the next packed one; `None` at the end of both.
type NameOrder = Option<Ordering>;

impl FilesCursor {
    pub fn new(hash: HashKind, limits: Limits, order: PackedOrder) -> FilesCursor {
        FilesCursor {
            hash,
            limits,
            range: RefRange::default(),
            loose: LooseNames::default(),
            packed: PackedNames::new(hash, limits, order),
            listed_later: None,
            record: RefRecord::default(),
        }
    }

    /// Moves to the first ref of a range.
    pub(super) fn seek(&mut self, range: RefRange) {
        self.loose.seek(range.from());
        self.packed.seek(range.from());
        self.range = range;
    }

    /// Reads directories until the next loose ref is known, without moving.
    pub(super) fn look_at_loose(&mut self, files: &Files) -> Result<()> {
        self.loose.peek(files, &self.range).map(|_| ())
    }

    /// Returns the next name without moving, and without reading the value.
    pub(super) fn peek_name(&mut self, files: &Files) -> Result<Option<&[u8]>> {
        let next = self.compare(files)?;
        match next {
            None => Ok(None),
            Some(Ordering::Greater) => {
                Ok(self.packed.peek(files, &self.range)?.map(|record| record.name.as_slice()))
            }
            Some(_) => self.loose.peek(files, &self.range),
        }
    }

    /// Returns the next ref and moves past it.
    pub(super) fn next(&mut self, files: &Files) -> Result<Option<&RefRecord>> {
        while let Some(next) = self.compare(files)? {
            if next == Ordering::Greater {
                self.record.clone_from(self.packed.head());
            } else if !self.take_loose(files)? {
                self.loose.advance();
                continue;
            }
            self.advance(next);
            self.range.pass(&self.record.name);
            if !is_refname(&self.record.name) {
                self.record.value = RefValue::Broken;
            }
            return Ok(Some(&self.record));
        }
        Ok(None)
    }

    /// Moves past the next ref without reading it.
    pub(super) fn pass(&mut self, files: &Files) -> Result<()> {
        if let Some(next) = self.compare(files)? {
            self.advance(next);
        }
        Ok(())
    }

    fn advance(&mut self, next: Ordering) {
        if next != Ordering::Greater {
            self.loose.advance();
        }
        if next != Ordering::Less {
            self.packed.advance();
        }
    }

    /// Returns how many bytes of memory the cursor takes.
    pub fn memory(&self) -> u64 {
        self.loose.memory().saturating_add(self.packed.memory())
    }

    /// Compares the next loose name with the next packed one. The loose one is read first, so
    /// a ref that is packed meanwhile is seen in at least one place.
    fn compare(&mut self, files: &Files) -> Result<NameOrder> {
        self.loose.peek(files, &self.range)?;
        self.listed_later = self.loose.take_listed().or(self.listed_later.take());
        if let Some(directory) = &self.listed_later {
            // A ref that the directory no longer has may have been packed since `packed-refs`
            // was read.
            files.look_again(PACKED_REFS, directory)?;
            self.packed.look_again();
            self.listed_later = None;
        }
        let loose = self.loose.peek(files, &self.range)?;
        let packed = self.packed.peek(files, &self.range)?;
        Ok(match (loose, packed) {
            (None, None) => None,
            (Some(_), None) => Some(Ordering::Less),
            (None, Some(_)) => Some(Ordering::Greater),
            (Some(loose), Some(packed)) => Some(loose.cmp(&packed.name)),
        })
    }

    /// Reads the next loose ref; returns `false` if its file is gone.
    fn take_loose(&mut self, files: &Files) -> Result<bool> {
        let Some(name) = self.loose.peek(files, &self.range)? else {
            return Ok(false);
        };
        let mut value = RefValue::Broken;
        if is_refname(name) {
            let Some(file) = files.find_fresh(name)? else {
                // The ref may have been packed since `packed-refs` was read. A name that is
                // listed but cannot be opened, such as a dangling symbolic link, is skipped.
                let looked = files.look_again(PACKED_REFS, name);
                if looked.is_err() {
                    self.packed.look_again();
                }
                return looked.map(|()| false);
            };
            value = read_value(files, file, self.hash, &self.limits)?;
        }
        // No object has the null id, so git treats a file with it as a broken ref.
        if matches!(&value, RefValue::Id(id) if id.is_null()) {
            value = RefValue::Broken;
        }
        self.record.name.clear();
        self.record.name.extend_from_slice(name);
        self.record.value = value;
        self.record.peeled = None;
        Ok(true)
    }
}
