//! Refs that object blocks do not cover: symbolic refs, and refs to tags that are stored
//! without the peeled object, as `git refs migrate` writes them. Each table is scanned for
//! them once.

use super::block::BlockKind;
use super::record::{Target, Value};
use super::table::Reftable;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;

/// The most bytes of names that are kept per table.
const MOST: usize = 64 << 10;

/// How many refs may wait for the answer whether they point at tags.
const BATCH: usize = 256;

/// The refs found in a table so far.
#[derive(Default)]
pub(super) struct Unindexed {
    names: Vec<Vec<u8>>,
    /// The total length of `names` in bytes.
    length: usize,
    /// Refs to objects that may be tags.
    unsure: Vec<(Vec<u8>, ObjectId)>,
    /// The name of the last ref that was scanned.
    last: Vec<u8>,
    is_done: bool,
}

impl Unindexed {
    /// Resumes the scan until it ends or too many refs wait for an answer. The scan is
    /// complete if no refs wait afterwards.
    ///
    /// # Errors
    ///
    /// Missing bytes: call again to resume. [`Corrupt`](packlens_base::ErrorKind::Corrupt) for a
    /// damaged table.
    pub(super) fn advance<S: BlockSource>(&mut self, table: &Reftable<S>) -> Result<()> {
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

    /// Returns the objects for which the caller has to say whether they are tags.
    pub(super) fn unsure(&self) -> Vec<ObjectId> {
        self.unsure.iter().map(|(_, id)| *id).collect()
    }

    /// Records the answers for the objects of [`Unindexed::unsure`], in the same order.
    pub(super) fn settle(&mut self, are_tags: &[bool]) {
        for ((name, _), is_tag) in std::mem::take(&mut self.unsure).into_iter().zip(are_tags) {
            if *is_tag {
                self.keep(name);
            }
        }
    }

    /// Returns the names of the refs that were found.
    pub(super) fn names(&self) -> &[Vec<u8>] {
        &self.names
    }

    /// Returns whether there were more names than are kept.
    pub(super) fn is_too_much(&self) -> bool {
        self.length > MOST
    }

    fn keep(&mut self, name: Vec<u8>) {
        self.length = self.length.saturating_add(name.len());
        self.names.push(name);
    }
}
