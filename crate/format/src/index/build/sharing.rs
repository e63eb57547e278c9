//! An index that several instances make together. Scanners read the entries in sections of the
//! pack. The leader joins the sections, and hands the entries to helpers, who resolve the
//! deltas of their work units and return the ids. The leader resolves the rest.

use super::rows::{Row, NONE};
use super::sections::Section;
use super::Build;
use crate::object::ObjectType;
use crate::pack::entries_end;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::limits::Limits;
use packlens_base::oid::ObjectId;
use packlens_base::work_units::WorkUnits;
use std::ops::Range;

/// The role of an instance in making an index.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Share {
    /// Makes the whole index alone.
    #[default]
    Whole,
    /// The leader: resolves some work units, and writes the index. Scanners give it the
    /// entries, and helpers the ids of other work units.
    Leads,
    /// A scanner: reads the entries of some sections of the pack.
    Scans,
    /// A helper: resolves some work units and returns their ids, after it got all entries.
    Helps,
}

/// The length in bytes of an entry in [`Build::take_rows`].
const ROW_LEN: usize = 8 + 4 + 1;

impl Build {
    /// Sets the role of this instance, and how many entries a work unit takes its roots from;
    /// to be called before the first step. A shared build makes no object before it claims a
    /// work unit.
    #[must_use]
    pub fn with_share(mut self, share: Share, work_unit_entries: u32) -> Build {
        (self.share, self.work_unit_entries) = (share, work_unit_entries.max(1));
        if self.is_shared() {
            self.roots = 0..0;
        }
        self
    }

    pub(super) fn is_shared(&self) -> bool {
        self.share != Share::Whole
    }

    /// Returns how many work units there are, once all entries are known; before that, how many
    /// sections.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again.
    pub fn work_units<S: BlockSource>(&self, pack: &S) -> Result<WorkUnits> {
        let mut state = vec![0; self.hash.len()];
        pack.read_at(entries_end(pack, self.hash), &mut state)?;
        let count = match self.share {
            Share::Helps if self.rows.len() < self.count => 0,
            Share::Leads | Share::Scans if !self.is_sorted() => self.sections(pack),
            _ if self.by_id.is_empty() => self.count.div_ceil(self.work_unit_entries),
            // Deltas that name their base by id can only be linked by an instance with all ids.
            _ => 0,
        };
        Ok(WorkUnits { count, state })
    }

    /// Claims a work unit, after the one before is complete. If there are none, the first one
    /// is the whole job. A scanner claims a section.
    pub fn claim(&mut self, work_unit: u32) {
        if self.share == Share::Scans {
            self.section = Section::Claimed(work_unit);
            return;
        }
        let first = work_unit.saturating_mul(self.work_unit_entries);
        self.roots = match self.by_id.is_empty() {
            true => first..first.saturating_add(self.work_unit_entries),
            false => all_roots(),
        };
    }

    /// Returns whether there is nothing to do until the next claim.
    pub fn is_idle(&self) -> bool {
        match self.share {
            Share::Scans => return !self.has_section(),
            Share::Leads if !self.is_sorted() && !self.reads_rest => {
                return !self.has_next_section() && !self.has_unhashed_entries();
            }
            Share::Helps if self.rows.len() < self.count => return true,
            _ => {}
        }
        let made = self.bases.is_empty() && self.hashing.keys().is_empty();
        let done = self.roots.is_empty() || self.progress().is_complete();
        self.is_shared() && self.is_sorted() && made && done
    }

    /// Sets the types of the deltas that name their base by offset.
    pub(super) fn settle_types(&mut self) {
        for at in 0..self.rows.len() {
            // Such a base comes before its deltas.
            let base = self.rows.get(at).map(|row| row.base);
            if let Some(object_type) = base.and_then(|base| self.rows.object_type(base)) {
                self.rows.set_type(at, object_type);
            }
        }
    }

    /// Lets this instance read the entries that no section has; to be called after the last
    /// [`Build::put_section`].
    pub fn read_rest(&mut self) {
        self.reads_rest = true;
    }

    /// Returns whether [`Build::read_rest`] was called.
    pub fn reads_rest(&self) -> bool {
        self.reads_rest
    }

    /// Returns the next entries for the helpers, in about `most` bytes: for each its offset (8
    /// bytes), the row number of its base (4 bytes) and its type (1 byte). Empty after the
    /// last, or if helpers have no use for them.
    pub fn take_rows(&mut self, most: usize) -> Vec<u8> {
        let mut rows = Vec::new();
        let is_known = self.share == Share::Leads && self.is_sorted() && self.by_id.is_empty();
        let end = if is_known { self.rows.len() } else { 0 };
        let count = u32::try_from(most / ROW_LEN).unwrap_or(u32::MAX).max(1);
        let end = end.min(self.taken_rows.saturating_add(count));
        for at in self.taken_rows..end {
            if let Some(row) = self.rows.get(at) {
                rows.extend(row.offset.to_le_bytes());
                rows.extend(row.base.to_le_bytes());
                rows.push(self.rows.object_type(at).map_or(0, |known| known as u8));
            }
        }
        self.taken_rows = self.taken_rows.max(end);
        rows
    }

    /// Adds entries that [`Build::take_rows`] returned.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](packlens_base::ErrorKind::Limit) if memory does not suffice.
    pub fn put_rows(&mut self, rows: &[u8], limits: &Limits) -> Result<()> {
        if self.rows.len() == 0 {
            self.rows.reserve(self.count as usize, limits.memory)?;
        }
        for row in rows.chunks_exact(ROW_LEN) {
            let fields = row.split_first_chunk().and_then(|(offset, after)| {
                let (base, after) = after.split_first_chunk()?;
                Some((*offset, *base, *after.first()?))
            });
            let Some((offset, base, kind)) = fields.filter(|_| self.rows.len() < self.count) else {
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

    /// Returns new ids for the leader, in about `most` bytes: for each the row number of its
    /// entry (4 bytes) and the id.
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

    /// Adds ids that [`Build::take_ids`] returned.
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

/// Returns the range of all entries, any of which may be a root.
pub(super) fn all_roots() -> Range<u32> {
    0..u32::MAX
}
