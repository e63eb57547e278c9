//! An index that several instances make: each finds what lies where in sections of the
//! pack, who leads tells the others of all, and one resolves what others do not.

use super::rows::{Row, NONE};
use super::sections::Section;
use super::Build;
use crate::block::BlockSource;
use crate::error::Result;
use crate::limits::Limits;
use crate::object::ObjectType;
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
    /// Some stretches, and the index at the end: what lies where is told by those who
    /// scan, the ids of other stretches by those who help.
    Leads,
    /// Some sections of the pack, to tell what lies where.
    Scans,
    /// Some stretches, to tell the ids of their objects, once it was told of all
    /// entries.
    Helps,
}

/// How many bytes tell of an entry.
const ROW_LEN: usize = 8 + 4 + 1;

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

    /// Returns how many stretches there are, once all entries are known; how many
    /// sections before that.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and ask again.
    pub fn stretches<S: BlockSource>(&self, pack: &S) -> Result<Stretches> {
        let mut state = vec![0; self.hash.len()];
        pack.read_at(entries_end(pack, self.hash), &mut state)?;
        let count = match self.share {
            Share::Helps if self.rows.len() < self.count => 0,
            Share::Leads | Share::Scans if !self.is_sorted() => self.sections(pack),
            _ if self.by_id.is_empty() => self.count.div_ceil(self.stretch),
            // Who builds on what is known only to who has all ids.
            _ => 0,
        };
        Ok(Stretches { count, state })
    }

    /// Goes on with one of the stretches, the last being done. If there are none, the
    /// first is all. Who scans goes on with a section.
    pub fn claim(&mut self, stretch: u32) {
        if self.share == Share::Scans {
            self.section = Section::Claimed(stretch);
            return;
        }
        let first = stretch.saturating_mul(self.stretch);
        self.roots = match self.by_id.is_empty() {
            true => first..first.saturating_add(self.stretch),
            false => all_roots(),
        };
    }

    /// Tells whether there is nothing to do until a stretch is claimed.
    pub fn is_idle(&self) -> bool {
        match self.share {
            Share::Scans => return !self.has_section(),
            Share::Leads if !self.is_sorted() && !self.reads_rest => {
                return !self.has_next_section() && !self.is_behind();
            }
            Share::Helps if self.rows.len() < self.count => return true,
            _ => {}
        }
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

    /// Has this read what no section has: all were told that there are.
    pub fn read_rest(&mut self) {
        self.reads_rest = true;
    }

    /// Tells whether this reads what no section has, or has done so.
    pub fn reads_rest(&self) -> bool {
        self.reads_rest
    }

    /// Takes what is to be told those who help of the next entries, about `most` bytes
    /// of it: for each where it lies in 8 bytes, its base in 4, and its type in one.
    /// Nothing if that was all, or it is of no use to them.
    pub fn take_rows(&mut self, most: usize) -> Vec<u8> {
        let mut rows = Vec::new();
        let is_known = self.share == Share::Leads && self.is_sorted() && self.by_id.is_empty();
        let end = if is_known { self.rows.len() } else { 0 };
        let count = u32::try_from(most / ROW_LEN).unwrap_or(u32::MAX).max(1);
        let end = end.min(self.told.saturating_add(count));
        for at in self.told..end {
            if let Some(row) = self.rows.get(at) {
                rows.extend(row.offset.to_le_bytes());
                rows.extend(row.base.to_le_bytes());
                rows.push(self.rows.object_type(at).map_or(0, |known| known as u8));
            }
        }
        self.told = self.told.max(end);
        rows
    }

    /// Takes entries in as [`Build::take_rows`] tells of them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) if there is no memory for them.
    pub fn put_rows(&mut self, rows: &[u8], limits: &Limits) -> Result<()> {
        if self.rows.len() == 0 {
            self.rows.reserve(self.count as usize, limits.memory)?;
        }
        for row in rows.chunks_exact(ROW_LEN) {
            let told = row.split_first_chunk().and_then(|(offset, behind)| {
                let (base, behind) = behind.split_first_chunk()?;
                Some((*offset, *base, *behind.first()?))
            });
            let Some((offset, base, kind)) = told.filter(|_| self.rows.len() < self.count) else {
                break;
            };
            let at = self.rows.len();
            let offset = u64::from_le_bytes(offset);
            let row = Row { offset, crc: 0, base: NONE, child: NONE, sibling: NONE };
            self.rows.push(row, ObjectType::from_number(kind));
            let base = u32::from_le_bytes(base);
            if base < at {
                self.rows.adopt(base, at);
            }
        }
        Ok(())
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
