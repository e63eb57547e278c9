//! Refs: their names, their storage, and their values:
//! <https://git-scm.com/docs/gitrepository-layout>.

mod available;
mod cursor;
mod files_refs;
mod listing;
mod log_cursor;
mod loose;
mod name;
mod packed;
mod packed_names;
mod packed_order;
mod range;
mod record;
mod reflog;
mod reftable;
mod table_log;
mod table_refs;

pub use available::{Availability, AvailabilityOptions, CheckAvailable, RefCounts};
pub use cursor::RefCursor;
pub use files_refs::MAIN_WORKTREE;
pub use listing::RefListing;
pub use log_cursor::LogCursor;
pub use name::{candidates, REFS, ROOT_REFS};
pub use name::{follows_rules, is_branch_name, is_refname, normalize_refname, RefnameRules};
pub use packed::PackedRefs;
pub use record::{RefRecord, RefValue};
pub use reflog::{Reflog, ReflogEntry};
use reftable::Stacks;
pub use reftable::{
    LogRecord, Reftable, ReftableOptions, ReftableStack, ReftableWriter, TableLogs, TableRef,
    TableRefs,
};

use cursor::Backend;
use files_refs::{may_be_file, FilesCursor};
use packed_order::PackedOrder;
use packlens_base::block::{BlockSource, FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId};
pub use table_refs::is_own;

/// The path of the file of packed refs.
pub const PACKED_REFS: &[u8] = b"packed-refs";

/// How many candidates of a short name have their files looked at before `packed-refs`: up
/// to its branch.
const LIKELY: usize = 4;

/// A file that exists in linked worktrees only.
pub const LINKED_WORKTREE: &[u8] = b".worktree/HEAD";

/// The storage format of refs: git's `extensions.refStorage`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum RefStorage {
    /// Files below `refs/` and the file `packed-refs`.
    #[default]
    Files,
    /// A stack of reftables.
    Reftable,
}

/// The refs of a repository.
#[derive(Clone)]
pub struct Refs {
    hash: HashKind,
    limits: Limits,
    storage: Storage,
}

/// The storage of the refs, with the cached properties of its files.
#[derive(Clone)]
enum Storage {
    /// Whether `packed-refs` is sorted.
    Files(PackedOrder),
    /// The opened tables.
    Tables(FullOnly<Stacks>),
}

impl Refs {
    /// Creates the refs of a repository whose object ids use `hash`, in files.
    pub fn in_files(hash: HashKind, limits: Limits) -> Refs {
        Refs { hash, limits, storage: Storage::Files(PackedOrder::default()) }
    }

    /// Creates the refs of a repository whose object ids use `hash`.
    ///
    /// # Errors
    ///
    /// A need for the full module, which reads reftables.
    pub fn new(hash: HashKind, storage: RefStorage, limits: Limits) -> Result<Refs> {
        match storage {
            RefStorage::Files => Ok(Refs::in_files(hash, limits)),
            RefStorage::Reftable => {
                let stacks = FullOnly::new(|| Stacks::new(hash, limits))?;
                Ok(Refs { hash, limits, storage: Storage::Tables(stacks) })
            }
        }
    }

    /// Looks up a ref by its full name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `packed-refs` or table.
    pub fn get(&self, files: &Files, name: &[u8]) -> Result<Option<RefRecord>> {
        match &self.storage {
            Storage::Files(order) => files_refs::get(files, self.hash, &self.limits, order, name),
            Storage::Tables(stacks) => table_refs::get(files, stacks, name),
        }
    }

    /// In the files storage, looks up the file of a name, so that its absence is known.
    ///
    /// # Errors
    ///
    /// Missing files.
    fn look_at_file(&self, files: &Files, name: &[u8]) -> Result<bool> {
        match &self.storage {
            Storage::Files(_) if may_be_file(name) => {
                files.find_fresh(name).map(|file| file.is_some())
            }
            Storage::Files(_) | Storage::Tables(_) => Ok(false),
        }
    }

    /// Returns the full names that a short name may stand for. Looks at the files of the
    /// likely ones first, so that one look at `packed-refs` comes after all of them.
    fn candidates(&self, files: &Files, name: &[u8]) -> Result<[Vec<u8>; 6]> {
        let candidates = candidates(name);
        let likely = if name.starts_with(REFS) { 1 } else { LIKELY };
        for candidate in candidates.iter().take(likely) {
            if self.look_at_file(files, candidate)? {
                break;
            }
        }
        Ok(candidates)
    }

    /// Returns a cursor over all refs, before the first.
    pub fn cursor(&self) -> RefCursor {
        RefCursor::new(match &self.storage {
            Storage::Files(order) => {
                let cursor = FilesCursor::new(self.hash, self.limits, order.clone());
                Backend::Files(Box::new(cursor))
            }
            Storage::Tables(stacks) => Backend::tables(stacks.clone()),
        })
    }

    /// Returns a cursor over the reflog of the ref with this full name, before the newest
    /// entry.
    pub fn log(&self, name: &[u8]) -> LogCursor {
        match &self.storage {
            Storage::Files(_) => LogCursor::File(Reflog::new(name, self.hash, self.limits)),
            Storage::Tables(stacks) => LogCursor::in_tables(name, stacks.clone()),
        }
    }

    /// Returns whether the storage has an index from objects to the refs that point at them.
    pub fn have_object_blocks(&self, files: &Files) -> Result<bool> {
        match &self.storage {
            Storage::Files(_) => Ok(false),
            Storage::Tables(stacks) => table_refs::have_object_blocks(files, stacks),
        }
    }

    /// Returns the objects for which [`Refs::leading_to`] needs to know whether they are tags;
    /// empty once enough is known.
    pub fn unsure(&self, files: &Files) -> Result<Vec<ObjectId>> {
        match &self.storage {
            Storage::Files(_) => Ok(Vec::new()),
            Storage::Tables(stacks) => table_refs::unsure(files, stacks),
        }
    }

    /// Records the answers for the objects that [`Refs::unsure`] returned.
    pub fn settle(&self, are_tags: &[bool]) {
        if let Storage::Tables(stacks) = &self.storage {
            stacks.settle(are_tags);
        }
    }

    /// Returns, in order, candidates for the refs below `refs/` that point at one of some
    /// objects or at a tag of one. `with_unindexed` adds all symbolic refs and all refs to tags
    /// whose peeled object is not stored. Returns `None` if a walk over all refs is no slower.
    pub fn leading_to(
        &self,
        files: &Files,
        ids: &[ObjectId],
        with_unindexed: bool,
    ) -> Result<Option<Vec<RefRecord>>> {
        match &self.storage {
            Storage::Files(_) => Ok(None),
            Storage::Tables(stacks) => table_refs::leading_to(files, stacks, ids, with_unindexed),
        }
    }

    /// Returns how many reftables were opened.
    pub fn tables_opened(&self) -> u64 {
        match &self.storage {
            Storage::Files(_) => 0,
            Storage::Tables(stacks) => stacks.count(),
        }
    }

    /// Returns the full names of all refs that have a reflog, sorted. A deleted ref is
    /// included if its log was kept.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes; a damaged table.
    pub fn log_names(&self, files: &Files) -> Result<Vec<Vec<u8>>> {
        match &self.storage {
            Storage::Files(_) => reflog::names(files),
            Storage::Tables(stacks) => table_log::names(files, stacks),
        }
    }

    /// Follows symbolic refs from `name` on. Returns the name of the last ref and its object;
    /// `None` for the object if that ref is unborn.
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
                    return Err(Error::new(ErrorKind::Corrupt, "a ref is broken").about(name));
                }
            }
        }
        Err(Error::new(ErrorKind::Limit, "a chain of symbolic refs is too long").about(name))
    }

    /// Returns the object that a ref leads to; `None` if the ref is broken or unborn.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `packed-refs` or table.
    pub fn id_of(&self, files: &Files, record: &RefRecord) -> Result<Option<ObjectId>> {
        match &record.value {
            RefValue::Id(id) => Ok(Some(*id)),
            RefValue::Broken => Ok(None),
            RefValue::Symbolic(target) => self.found(files, target),
        }
    }

    /// Returns the object for a full or short ref name, by git's rules. Broken refs are
    /// skipped.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `packed-refs` or table.
    pub fn find_short(&self, files: &Files, name: &[u8]) -> Result<Option<ObjectId>> {
        for candidate in self.candidates(files, name)? {
            if let Some(id) = self.found(files, &candidate)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// Returns the ref that [`Refs::find_short`] finds for a name. The ref leads to an object.
    ///
    /// # Errors
    ///
    /// As [`Refs::find_short`].
    pub fn expand(&self, files: &Files, name: &[u8]) -> Result<Option<RefRecord>> {
        for candidate in self.candidates(files, name)? {
            if self.found(files, &candidate)?.is_some() {
                return self.get(files, &candidate);
            }
        }
        Ok(None)
    }

    /// Like [`Refs::follow`]; `None` for broken and unborn refs.
    fn found(&self, files: &Files, name: &[u8]) -> Result<Option<ObjectId>> {
        Ok(self.follow_found(files, name)?.map(|(_, id)| id))
    }

    /// Like [`Refs::follow`], with the last name; `None` for broken and unborn refs.
    pub fn follow_found(&self, files: &Files, name: &[u8]) -> Result<Option<(Vec<u8>, ObjectId)>> {
        match self.follow(files, name) {
            Ok((last, id)) => Ok(id.map(|id| (last, id))),
            Err(error) if error.is_missing() || error.place().is_some() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Returns all refs whose names begin with `prefix`, in the order of their bytes.
    ///
    /// # Errors
    ///
    /// Missing files, directories and bytes; a damaged `packed-refs` or table.
    pub fn list(&self, files: &Files, prefix: &[u8]) -> Result<Vec<RefRecord>> {
        let mut cursor = self.cursor();
        cursor.seek_prefix(prefix);
        let mut records = Vec::new();
        while let Some(record) = cursor.next(files)? {
            if is_refname(&record.name) {
                records.push(record.clone());
            }
        }
        Ok(records)
    }
}

/// Returns the content of a small file.
pub fn text_of(files: &Files, file: FileId, limits: &Limits) -> Result<Vec<u8>> {
    let source = files.source(file);
    if source.size() > limits.text_size {
        let what = "a small text file is too large";
        return Err(Error::new(ErrorKind::Limit, what).at(file, 0));
    }
    let mut text = limits.buffer(source.size())?;
    source.read_at(0, &mut text)?;
    Ok(text)
}
