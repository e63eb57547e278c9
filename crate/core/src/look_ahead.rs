//! What those objects will need that are asked for next, where each read is a
//! way to go: one way for many.

use crate::error::{Error, Need};
use crate::oid::ObjectId;
use crate::repository::Repository;

/// How many of the objects that follow are looked at, at most.
const MOST_OBJECTS: u32 = 1024;

/// How many bytes a guess brings in, about.
const BYTES_PER_GUESS: u64 = 80 << 10;

/// The share of the ceiling that guesses may bring in.
const GUESSES_SHARE: u64 = 16;

impl Repository {
    /// Adds to a need of far bytes, or of an object that is nowhere, what the objects
    /// asked for behind will need: `ahead` tells which they are, counted from 0.
    pub(crate) fn looking_ahead(
        &mut self,
        error: Error,
        ahead: impl Fn(u32) -> Option<ObjectId>,
    ) -> Error {
        if matches!(error.need(), Some(Need::Objects(_))) {
            let ids = (0..).map_while(ahead);
            return self.odb.fetching_ahead(&mut self.files, error, ids);
        }
        let far = matches!(error.need(), Some(Need::Bytes { file, .. }) if self.files.is_high_latency(*file));
        let most = self.memory() / GUESSES_SHARE / BYTES_PER_GUESS;
        if !far {
            return error;
        }
        let mut error = error;
        for id in (0..MOST_OBJECTS).map_while(ahead) {
            if error.guesses().len() as u64 >= most {
                break;
            }
            match self.odb.info(&mut self.files, &id) {
                Err(other) if matches!(other.need(), Some(Need::Bytes { .. })) => {
                    error = error.guessing_all(other);
                }
                _ => {}
            }
        }
        error
    }
}
