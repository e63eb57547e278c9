//! An index that several instances make: each reads the whole pack for what lies
//! where, and one resolves what others do not.

use super::Build;
use crate::block::BlockSource;
use crate::error::Result;
use crate::oid::ObjectId;
use crate::pack::entries_end;
use crate::stretches::Stretches;
use std::ops::Range;

/// Which part an instance has in the making of an index.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Share {
    /// All of it.
    #[default]
    Whole,
    /// Some stretches, and the index at the end: the ids of the others come from
    /// those who help.
    Leads,
    /// Some stretches, to tell the ids of their objects.
    Helps,
}

impl Build {
    /// Sets what part this has, and among how many entries the roots of a stretch
    /// are; to be called before the first step. One that is shared makes no object
    /// before a stretch is claimed.
    #[must_use]
    pub fn with_share(mut self, share: Share, stretch: u32) -> Build {
        (self.share, self.stretch) = (share, stretch.max(1));
        if self.is_shared() {
            self.roots = 0..0;
        }
        self
    }

    pub(super) fn is_shared(&self) -> bool {
        self.share != Share::Whole
    }

    /// Returns how many stretches there are, as far as is known; for sure once all
    /// entries were read.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and ask again.
    pub fn stretches<S: BlockSource>(&self, pack: &S) -> Result<Stretches> {
        let mut state = vec![0; self.hash.len()];
        pack.read_at(entries_end(pack, self.hash), &mut state)?;
        let count = match self.by_id.is_empty() {
            true => self.count.div_ceil(self.stretch),
            // Who builds on what is known only to who has all ids.
            false => 0,
        };
        Ok(Stretches { count, state })
    }

    /// Goes on with one of the stretches, the last being done. If there are none, the
    /// first is all.
    pub fn claim(&mut self, stretch: u32) {
        let first = stretch.saturating_mul(self.stretch);
        self.roots = match self.by_id.is_empty() {
            true => first..first.saturating_add(self.stretch),
            false => all_roots(),
        };
    }

    /// Tells whether there is nothing to do until a stretch is claimed.
    pub fn is_idle(&self) -> bool {
        let made = self.bases.is_empty() && self.hashing.is_empty();
        let done = self.roots.is_empty() || self.progress().is_complete();
        self.is_shared() && self.is_sorted() && made && done
    }

    /// Gives every entry its type that builds on another through offsets.
    pub(super) fn settle_types(&mut self) {
        for at in 0..self.rows.len() {
            // A base lies before what builds on it.
            let base = self.rows.get(at).map(|row| row.base);
            if let Some(object_type) = base.and_then(|base| self.rows.object_type(base)) {
                self.rows.set_type(at, object_type);
            }
        }
    }

    /// Takes ids that are to be told: each behind the number of its entry in 4
    /// bytes, and about `most` bytes of them.
    pub fn take_ids(&mut self, most: usize) -> Vec<u8> {
        let each = self.hash.len().saturating_add(4);
        let count = most.checked_div(each).unwrap_or(0).max(1);
        let kept = self.made.len().saturating_sub(count);
        let mut ids = Vec::with_capacity(each.saturating_mul(self.made.len().min(count)));
        for entry in self.made.drain(kept..) {
            ids.extend(entry.to_le_bytes());
            ids.extend(self.rows.id(entry));
        }
        ids
    }

    /// Takes ids in that others found, as [`Build::take_ids`] tells them.
    pub fn put_ids(&mut self, ids: &[u8]) {
        let each = self.hash.len().saturating_add(4);
        for (entry, id) in ids.chunks_exact(each).filter_map(<[u8]>::split_first_chunk) {
            let entry = u32::from_le_bytes(*entry);
            if self.rows.get(entry).is_none() || self.rows.has_id(entry) {
                continue;
            }
            if let Some(id) = ObjectId::from_bytes(self.hash, id) {
                self.rows.set_id(entry, &id);
                self.hashed = self.hashed.saturating_add(1);
            }
        }
    }
}

/// Every entry that may be a root.
pub(super) fn all_roots() -> Range<u32> {
    0..u32::MAX
}
