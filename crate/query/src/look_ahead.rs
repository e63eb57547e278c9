//! Prefetches the byte ranges that the next objects need, where each read is a round trip: one
//! round trip serves many objects.

use crate::odb::ReadHint;
use crate::repository::Repository;
use packlens_base::error::{Error, Need};
use packlens_base::module::IS_FULL;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;

/// How many of the next objects are examined.
const MOST_OBJECTS: u32 = 1024;

/// The approximate number of bytes that one guess loads.
const BYTES_PER_GUESS: u64 = 80 << 10;

/// The same of a guess that says how many bytes are needed.
const BYTES_PER_NEED: u64 = 8 << 10;

/// The share of the memory ceiling that guesses may load.
const GUESSES_SHARE: u64 = 16;

impl Repository {
    /// Returns whether an error is a need that later objects can be added to.
    pub(crate) fn looks_ahead(&self, error: &Error) -> bool {
        match error.need() {
            Some(Need::Objects(_)) => true,
            Some(Need::Bytes { file, .. }) => self.files.is_high_latency(*file),
            _ => false,
        }
    }

    /// Adds the needs of later objects to a need for objects, or for bytes of a high-latency
    /// file. `ahead` returns the later objects, counted from 0, which are of `object_type`, if
    /// the caller knows it.
    pub(crate) fn looking_ahead(
        &mut self,
        error: Error,
        object_type: Option<ObjectType>,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) -> Error {
        if matches!(error.need(), Some(Need::Objects(_))) {
            let ids = (0..).map_while(ahead);
            return self.odb.fetching_ahead(&mut self.files, error, ids);
        }
        if !self.looks_ahead(&error) {
            return error;
        }
        let most = self.memory() / GUESSES_SHARE / BYTES_PER_GUESS;
        let hint = ReadHint::of_likely_type(object_type);
        let mut error = error;
        for id in (0..MOST_OBJECTS).map_while(ahead) {
            if error.guesses().len() as u64 >= most {
                break;
            }
            match self.odb.info_hinted(&mut self.files, (&id, &hint)) {
                Err(other) if matches!(other.need(), Some(Need::Bytes { .. })) => {
                    error = error.guessing_all(other);
                }
                _ => {}
            }
        }
        error
    }

    /// As [`Repository::looking_ahead`]; where reads are immediate and in no planned order, asks for
    /// the entries of packs that the objects are made of. `ahead` returns the object that is being
    /// read first.
    pub(crate) fn entries_ahead(
        &mut self,
        error: Error,
        is_planned: bool,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) -> Error {
        if IS_FULL && !is_planned && !self.looks_ahead(&error) {
            return self.odb.entries_ahead(&mut self.files, error, ahead);
        }
        self.looking_ahead(error, None, |at| ahead(at.saturating_add(1)))
    }

    /// Adds what later trees need to a need for bytes of a high-latency file: for each call of
    /// `next`, which notes the needs of one more tree, until it returns `None`.
    pub(crate) fn guessing_trees(
        &mut self,
        mut error: Error,
        mut next: impl FnMut(&mut Repository, &mut Vec<Need>) -> Option<()>,
    ) -> Error {
        let most = self.memory() / GUESSES_SHARE / BYTES_PER_NEED;
        let mut needs = Vec::new();
        while (needs.len() as u64) < most && next(self, &mut needs).is_some() {}
        for need in needs {
            if !error.guesses().contains(&need) {
                error = error.guessing(need);
            }
        }
        error
    }
}
