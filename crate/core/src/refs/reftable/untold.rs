//! Refs that no block about objects tells of: symbolic ones, and those to tags that are
//! stored without what they lead to, as `git refs migrate` does. A table is gone over
//! once for them.

use super::block::BlockKind;
use super::record::{Target, Value};
use super::table::Reftable;
use crate::block::BlockSource;
use crate::error::Result;
use crate::oid::ObjectId;

/// The most bytes of names that are kept of a table.
const MOST: usize = 64 << 10;

/// How many refs wait at most to be told whether they are of tags.
const BATCH: usize = 256;

/// What was found in a table, as far as it was gone over.
#[derive(Default)]
pub(super) struct Untold {
    names: Vec<Vec<u8>>,
    /// The bytes of these names.
    length: usize,
    /// Refs to objects that may be tags.
    unsure: Vec<(Vec<u8>, ObjectId)>,
    /// The last ref that was looked at.
    last: Vec<u8>,
    is_done: bool,
}

impl Untold {
    /// Goes on through the table, as far as refs can wait. None do when this is done.
    ///
    /// # Errors
    ///
    /// Missing bytes: it goes on from there.
    /// [`Corrupt`](crate::ErrorKind::Corrupt) for a damaged table.
    pub(super) fn go_on<S: BlockSource>(&mut self, table: &Reftable<S>) -> Result<()> {
        if self.is_done || !self.unsure.is_empty() {
            return Ok(());
        }
        let mut cursor = table.cursor(BlockKind::Refs);
        if !self.last.is_empty() && cursor.seek(&self.last)? {
            cursor.step()?;
        }
        while self.unsure.len() < BATCH {
            if self.is_too_much() || !cursor.step()? {
                self.is_done = true;
                break;
            }
            self.last.clear();
            self.last.extend_from_slice(cursor.key());
            match cursor.value() {
                Some(Value::Ref { target: Target::Symbolic(_), .. }) => {
                    self.keep(cursor.key().to_vec());
                }
                Some(Value::Ref { target: Target::Id(id), .. }) => {
                    self.unsure.push((cursor.key().to_vec(), *id));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the objects of which it must be told whether they are tags.
    pub(super) fn unsure(&self) -> Vec<ObjectId> {
        self.unsure.iter().map(|(_, id)| *id).collect()
    }

    /// Takes the answers about them.
    pub(super) fn settle(&mut self, are_tags: &[bool]) {
        for ((name, _), is_tag) in std::mem::take(&mut self.unsure).into_iter().zip(are_tags) {
            if *is_tag {
                self.keep(name);
            }
        }
    }

    /// Returns the refs that were found.
    pub(super) fn names(&self) -> &[Vec<u8>] {
        &self.names
    }

    /// Tells whether there were more than are kept.
    pub(super) fn is_too_much(&self) -> bool {
        self.length > MOST
    }

    fn keep(&mut self, name: Vec<u8>) {
        self.length = self.length.saturating_add(name.len());
        self.names.push(name);
    }
}
