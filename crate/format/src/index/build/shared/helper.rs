//! An instance that resolves deltas for the leader.

use super::super::rows::{Row, NONE};
use super::super::scan::stored_checksum;
use super::super::{step, Build, Progress};
use super::{roots_of, ROW_LEN};
use crate::object::ObjectType;
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::ObjectId;
use packlens_base::work_units::WorkUnits;

/// Resolves the deltas of work units, and returns the ids of the objects.
pub struct IndexHelper {
    build: Build,
    work_unit_entries: u32,
}

impl IndexHelper {
    /// Shares a build that has made no step. A work unit takes its roots from
    /// `work_unit_entries` entries.
    pub fn new(mut build: Build, work_unit_entries: u32) -> IndexHelper {
        build.roots = 0..0;
        build.new_ids = Some(Vec::new());
        IndexHelper { build, work_unit_entries: work_unit_entries.max(1) }
    }

    /// Returns how many work units there are: none before all entries are known.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again.
    pub fn work_units<S: BlockSource>(&self, pack: &S) -> Result<WorkUnits> {
        let count = match self.has_all_rows() {
            true => self.build.count.div_ceil(self.work_unit_entries),
            false => 0,
        };
        self.build.work_units_of(count, pack)
    }

    fn has_all_rows(&self) -> bool {
        self.build.rows.len() >= self.build.count
    }

    /// Adds entries that [`IndexLeader::take_rows`](super::IndexLeader::take_rows) returned.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](packlens_base::ErrorKind::Limit) if memory does not suffice.
    pub fn put_rows(&mut self, rows: &[u8], limits: &Limits) -> Result<()> {
        let build = &mut self.build;
        if build.rows.len() == 0 {
            build.rows.reserve(build.count as usize, limits.memory)?;
        }
        for row in rows.chunks_exact(ROW_LEN) {
            let fields = row.split_first_chunk().and_then(|(offset, after)| {
                let (base, after) = after.split_first_chunk()?;
                Some((*offset, *base, *after.first()?))
            });
            let Some((offset, base, kind)) = fields.filter(|_| build.rows.len() < build.count)
            else {
                break;
            };
            let at = build.rows.len();
            let offset = u64::from_le_bytes(offset);
            let row = Row { offset, crc: 0, base: NONE, child: NONE, sibling: NONE };
            build.rows.push(row, ObjectType::from_number(kind));
            let base = u32::from_le_bytes(base);
            if base < at {
                build.rows.adopt(base, at);
            }
        }
        Ok(())
    }

    /// Claims a work unit, after the one before is complete.
    pub fn claim(&mut self, work_unit: u32) {
        self.build.roots = roots_of(work_unit, self.work_unit_entries);
    }

    /// Returns whether there is nothing to do until the next entries or the next claim.
    pub fn is_idle(&self) -> bool {
        !self.has_all_rows() || self.build.is_between_roots()
    }

    /// Works on a bounded number of bytes; returns the progress.
    ///
    /// # Errors
    ///
    /// Errors of [`Build::step`].
    pub fn step<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<Progress> {
        let waits =
            |helper: &IndexHelper| helper.is_idle() || helper.build.progress().is_complete();
        let advance = |IndexHelper { build, .. }: &mut IndexHelper| match build.is_sorted() {
            true => build.advance_sorted(pack, inflater, limits),
            false => {
                // The leader checks that the pack has this checksum.
                let stored = stored_checksum(pack, build.hash)?;
                match ObjectId::from_bytes(build.hash, &stored) {
                    Some(checksum) => build.end_entries(pack, checksum),
                    None => Ok(()),
                }
            }
        };
        step(self, |helper| &helper.build, waits, advance)
    }

    /// Returns new ids for the leader, in about `most` bytes: for each the row number of its
    /// entry (4 bytes) and the id.
    pub fn take_ids(&mut self, most: usize) -> Vec<u8> {
        let Build { hash, rows, new_ids, .. } = &mut self.build;
        let entries = new_ids.get_or_insert_default();
        let each = hash.len().saturating_add(4);
        let count = most.checked_div(each).unwrap_or(0).max(1);
        let kept = entries.len().saturating_sub(count);
        let mut ids = Vec::with_capacity(each.saturating_mul(entries.len().min(count)));
        for entry in entries.drain(kept..) {
            ids.extend(entry.to_le_bytes());
            ids.extend(rows.id(entry));
        }
        ids
    }

    /// Returns the build.
    pub fn build(&self) -> &Build {
        &self.build
    }
}
