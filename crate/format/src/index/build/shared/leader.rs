//! The instance that writes the index.

use super::super::{step, Build, Progress, ALL_ROOTS};
use super::section::SectionEntry;
use super::{roots_of, SectionScanner, ROW_LEN};
use packlens_base::block::BlockSource;
use packlens_base::error::Result;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::oid::ObjectId;
use packlens_base::work_units::WorkUnits;

/// Makes an index from the sections and ids of others; what they do not make, it makes itself.
pub struct IndexLeader {
    build: Build,
    /// Reads the sections that the leader claims, until all are claimed.
    scanner: Option<Box<SectionScanner>>,
    /// The sections that are not joined yet, each with the offset of its first entry, which
    /// descend.
    sections: Vec<(u64, Vec<u8>)>,
    /// How many entries were handed to helpers.
    taken_rows: u32,
    work_unit_entries: u32,
    /// All work units are claimed.
    is_last: bool,
}

impl IndexLeader {
    /// Shares a build that has made no step. `other` is another of the same pack. A work unit
    /// takes its roots from `work_unit_entries` entries.
    pub fn new(mut build: Build, other: Build, work_unit_entries: u32) -> IndexLeader {
        build.roots = 0..0;
        IndexLeader {
            build,
            scanner: Some(Box::new(SectionScanner::new(other, work_unit_entries))),
            sections: Vec::new(),
            taken_rows: 0,
            work_unit_entries: work_unit_entries.max(1),
            is_last: false,
        }
    }

    /// Returns how many sections there are; once all entries are known, how many work units.
    ///
    /// # Errors
    ///
    /// Missing bytes of the pack: provide them and call again.
    pub fn work_units<S: BlockSource>(&self, pack: &S) -> Result<WorkUnits> {
        let count = match (self.build.is_sorted(), self.build.by_id.is_empty()) {
            (false, _) => self.build.sections(pack, self.work_unit_entries),
            (true, true) => self.build.count.div_ceil(self.work_unit_entries),
            // Deltas that name their base by id can only be linked by an instance with all ids.
            (true, false) => 0,
        };
        self.build.work_units_of(count, pack)
    }

    /// Claims a section, or a work unit after the one before is complete; if there are none,
    /// the first one is the whole job. `None` says that there are no more. After the last
    /// section the leader reads the entries that no section has; after the last work unit it
    /// makes the index.
    pub fn claim(&mut self, work_unit: Option<u32>) {
        match (work_unit, &mut self.scanner) {
            (Some(section), Some(scanner)) => scanner.claim(section),
            (Some(work_unit), None) => {
                self.build.roots = match self.build.by_id.is_empty() {
                    true => roots_of(work_unit, self.work_unit_entries),
                    false => ALL_ROOTS,
                };
            }
            (None, Some(_)) => self.scanner = None,
            (None, None) => self.is_last = true,
        }
    }

    /// Returns whether all work units are claimed.
    pub fn is_last(&self) -> bool {
        self.is_last
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
        if let Some(scanner) = self.scanner.as_mut().filter(|scanner| !scanner.is_idle()) {
            scanner.step(pack, inflater, limits)?;
            if let Some(section) = scanner.take_section() {
                self.put_section(&section);
            }
            return Ok(self.build.progress());
        }
        let waits = |leader: &IndexLeader| {
            let build = &leader.build;
            build.progress().is_complete() || leader.is_idle() || build.is_stuck()
        };
        let advance = |leader: &mut IndexLeader| leader.advance(pack, inflater, limits);
        step(self, |leader| &leader.build, waits, advance)
    }

    fn advance<S: BlockSource>(
        &mut self,
        pack: &S,
        inflater: &mut Inflater,
        limits: &Limits,
    ) -> Result<()> {
        self.build.reserve(pack, limits)?;
        if self.has_next_section() {
            self.join_next_section();
            Ok(())
        } else if self.has_unhashed_entries() {
            self.hash_pack(pack)
        } else if self.build.rows.len() < self.build.count {
            self.build.read_next(pack, inflater, limits)
        } else if !self.build.is_sorted() {
            let checksum = self.build.check_end(pack)?;
            self.build.end_entries(pack, checksum)?;
            self.settle_types();
            Ok(())
        } else {
            self.build.advance_sorted(pack, inflater, limits)
        }
    }

    /// Returns whether there is nothing to do until the next claim.
    pub fn is_idle(&self) -> bool {
        match &self.scanner {
            _ if self.build.is_sorted() => self.build.is_between_roots(),
            Some(scanner) => {
                scanner.is_idle() && !self.has_next_section() && !self.has_unhashed_entries()
            }
            None => false,
        }
    }

    /// Returns whether entries are known whose bytes the checksum of the pack lacks: those of
    /// sections.
    fn has_unhashed_entries(&self) -> bool {
        self.build.checksum.end < self.build.next_offset
    }

    /// Adds more bytes to the pack's checksum, up to the end of the known entries.
    fn hash_pack<S: BlockSource>(&mut self, pack: &S) -> Result<()> {
        let at = self.build.checksum.end;
        let left = self.build.next_offset.saturating_sub(at);
        let run = pack.run_at(at).map_err(|error| error.widened(left))?;
        let run = run.get(..usize::try_from(left).unwrap_or(usize::MAX)).unwrap_or(run);
        self.build.checksum.add(at, run);
        self.build.count_work(run.len() as u64);
        Ok(())
    }

    /// Sets the types of the deltas that name their base by offset: helpers need them.
    fn settle_types(&mut self) {
        let rows = &mut self.build.rows;
        for at in 0..rows.len() {
            // Such a base comes before its deltas.
            let base = rows.get(at).map(|row| row.base);
            if let Some(object_type) = base.and_then(|base| rows.object_type(base)) {
                rows.set_type(at, object_type);
            }
        }
    }

    /// Adds results of another instance: sections until all of them are claimed, and ids from
    /// then on.
    pub fn put(&mut self, results: &[u8]) {
        match self.scanner {
            Some(_) => self.put_section(results),
            None => self.put_ids(results),
        }
    }

    /// Adds a section that [`SectionScanner::take_section`] returned.
    fn put_section(&mut self, section: &[u8]) {
        if let Some((first, entries)) = section.split_first_chunk() {
            let first = u64::from_le_bytes(*first);
            let at = self.sections.partition_point(|(other, _)| *other > first);
            self.sections.insert(at, (first, entries.to_vec()));
        }
    }

    /// Returns whether a section begins at the end of the known entries, or before it.
    fn has_next_section(&self) -> bool {
        let Build { rows, count, next_offset, .. } = &self.build;
        let first = self.sections.last();
        rows.len() < *count && first.is_some_and(|(first, _)| first <= next_offset)
    }

    /// Adds the entries of the next section, if it begins at the end of the known entries. A
    /// section that begins before that was found by mistake, and is dropped.
    fn join_next_section(&mut self) {
        let Some((first, entries)) = self.sections.pop() else {
            return;
        };
        let build = &mut self.build;
        build.count_work(entries.len() as u64);
        if first != build.next_offset {
            return;
        }
        let mut rest = entries.as_slice();
        while build.rows.len() < build.count {
            let offset = build.next_offset;
            let Some(entry) = SectionEntry::split_from(&mut rest, offset, build.hash) else {
                return;
            };
            let at = build.add_row(offset, entry.crc, entry.kind);
            build.link(at, entry.kind);
            if let Some(id) = entry.id {
                build.rows.set_id(at, &id);
                build.hashed = build.hashed.saturating_add(1);
            }
            build.next_offset = offset.saturating_add(entry.length);
            build.summed = build.next_offset;
        }
    }

    /// Returns the next entries for the helpers, in about `most` bytes: for each its offset (8
    /// bytes), the row number of its base (4 bytes) and its type (1 byte). Empty after the
    /// last, or if helpers have no use for them.
    pub fn take_rows(&mut self, most: usize) -> Vec<u8> {
        let rows = &self.build.rows;
        let mut taken = Vec::new();
        let is_known = self.build.is_sorted() && self.build.by_id.is_empty();
        let end = if is_known { rows.len() } else { 0 };
        let count = u32::try_from(most / ROW_LEN).unwrap_or(u32::MAX).max(1);
        let end = end.min(self.taken_rows.saturating_add(count));
        for at in self.taken_rows..end {
            if let Some(row) = rows.get(at) {
                taken.extend(row.offset.to_le_bytes());
                taken.extend(row.base.to_le_bytes());
                taken.push(rows.object_type(at).map_or(0, |known| known as u8));
            }
        }
        self.taken_rows = self.taken_rows.max(end);
        taken
    }

    /// Adds ids that [`IndexHelper::take_ids`](super::IndexHelper::take_ids) returned.
    fn put_ids(&mut self, ids: &[u8]) {
        let Build { hash, rows, hashed, .. } = &mut self.build;
        let each = hash.len().saturating_add(4);
        for (entry, id) in ids.chunks_exact(each).filter_map(<[u8]>::split_first_chunk) {
            let entry = u32::from_le_bytes(*entry);
            if rows.get(entry).is_none() || rows.has_id(entry) {
                continue;
            }
            if let Some(id) = ObjectId::from_bytes(*hash, id) {
                rows.set_id(entry, &id);
                *hashed = hashed.saturating_add(1);
            }
        }
    }

    /// Returns the build.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// Returns the build, to give it bases that the pack lacks.
    pub fn build_mut(&mut self) -> &mut Build {
        &mut self.build
    }

    /// Returns the build, which can be finished if it is complete.
    pub fn into_build(self) -> Build {
        self.build
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let sections: usize = self.sections.iter().map(|(_, entries)| entries.capacity()).sum();
        let scanner = self.scanner.as_ref().map_or(0, |scanner| scanner.memory());
        self.build.memory().saturating_add(scanner).saturating_add(sections as u64)
    }
}
