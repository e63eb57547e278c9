//! The survey: hashes the packs, reads all objects, and marks what they link to. What it notes
//! does not depend on the order of the objects, so several instances can share the work; what is
//! wrong is reported afterwards.

use super::objects::{Batch, From};
use super::pack_files::{path_of, PackFiles};
use super::shared::{Shared, Surveyed};
use super::units::Unit;
use packlens_base::error::Result;
use packlens_format::checksum::Checksums;
use packlens_query::odb::{PackEntries, PackNumber};
use packlens_query::repository::Repository;
use std::ops::Range;
use std::rc::Rc;

/// A survey, a work unit at a time.
#[derive(Default)]
pub(super) struct Survey {
    /// Whether faults of the files of packs are reported at once.
    reports_files: bool,
    current: Option<Current>,
    batch: Batch,
    /// The pack that is read, with its entries: the next work unit may be of the same one.
    pack: Option<Pack>,
    /// How many objects were read and how many bytes of packs hashed, since they were taken.
    read: u32,
    hashed: u32,
}

/// The current work unit.
enum Current {
    Files(usize, Option<Box<PackFiles>>),
    Loose(Range<usize>),
    Packed(usize, Range<usize>),
    /// One whose entries are being listed.
    Listed,
}

struct Pack {
    index: usize,
    number: PackNumber,
    /// The number of its first object.
    first: u32,
    path: Rc<[u8]>,
    entries: Box<PackEntries>,
}

impl Survey {
    /// Creates a survey; `reports_files` says whether faults of the files of packs are reported
    /// at once.
    pub(super) fn new(reports_files: bool) -> Survey {
        Survey { reports_files, ..Survey::default() }
    }

    /// Begins a work unit.
    pub(super) fn begin(&mut self, unit: Unit) {
        self.current = Some(match unit {
            Unit::Files(pack) => Current::Files(pack, None),
            Unit::Loose(range) => Current::Loose(range),
            Unit::Packed(pack, roots) => Current::Packed(pack, roots),
        });
    }

    /// Returns whether there is no work unit to make.
    pub(super) fn is_idle(&self) -> bool {
        self.current.is_none()
    }

    /// Returns how many objects were read and how many bytes of packs were hashed since the last
    /// call.
    pub(super) fn take_done(&mut self) -> (u32, u32) {
        (std::mem::take(&mut self.read), std::mem::take(&mut self.hashed))
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let entries = self.pack.as_ref().map_or(0, |pack| pack.entries.memory());
        self.batch.memory().saturating_add(entries)
    }

    /// Takes a step of the work unit.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<()> {
        shared.surveyed = Some(Surveyed::Object(0));
        let ended = match &mut self.current {
            Some(Current::Files(..)) => self.check_files(shared, checksums, repository)?,
            Some(Current::Loose(_)) => self.read_loose(shared, repository)?,
            Some(Current::Packed(..)) => self.open(shared, repository)?,
            Some(Current::Listed) => self.read_packed(shared, repository)?,
            None => true,
        };
        if ended {
            self.current = None;
        }
        Ok(())
    }

    fn check_files(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<bool> {
        let Some(Current::Files(pack, files)) = &mut self.current else {
            return Ok(true);
        };
        let Some((number, _)) = shared.numbers.packs().get(*pack).copied() else {
            return Ok(true);
        };
        let noted = Surveyed::Files(u32::try_from(*pack).unwrap_or(u32::MAX));
        shared.surveyed = Some(noted).filter(|_| !self.reports_files);
        let files = match files {
            Some(files) => files,
            None => {
                let file = repository.odb.pack_file(number)?;
                files.insert(Box::new(PackFiles::new(repository, number, file)))
            }
        };
        let before = files.done();
        let stepped = files.step(shared, checksums, repository);
        let mut done = files.done().saturating_sub(before);
        if matches!(stepped, Ok(true)) {
            // The checksum at the end.
            done = done.saturating_add(repository.hash().len() as u64);
        }
        // A step hashes some megabytes.
        let done = u32::try_from(done).unwrap_or(u32::MAX);
        self.hashed = self.hashed.saturating_add(done);
        stepped
    }

    fn read_loose(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<bool> {
        let Some(Current::Loose(range)) = &mut self.current else {
            return Ok(true);
        };
        let mut ended = false;
        while !self.batch.is_full(repository) && !ended {
            match self.batch.read_loose(shared, repository, range.start)? {
                true if range.start < range.end => {
                    range.start = range.start.saturating_add(1);
                    self.read = self.read.saturating_add(1);
                }
                _ => ended = true,
            }
        }
        if self.batch.is_waiting() {
            self.batch.check(shared, repository)?;
        }
        Ok(ended)
    }

    /// Begins to list the entries of a work unit.
    fn open(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<bool> {
        let Some(Current::Packed(index, roots)) = &self.current else {
            return Ok(true);
        };
        let Some((number, first)) = shared.numbers.packs().get(*index).copied() else {
            return Ok(true);
        };
        if self.pack.as_ref().is_none_or(|pack| pack.index != *index) {
            let path = path_of(repository, repository.odb.pack_file(number)?).into();
            let entries = Box::new(PackEntries::new(number));
            self.pack = Some(Pack { index: *index, number, first, path, entries });
            repository.odb.forget_bases();
        }
        self.pack.iter_mut().for_each(|pack| pack.entries.go_to(roots.clone()));
        self.current = Some(Current::Listed);
        Ok(false)
    }

    fn read_packed(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<bool> {
        let Some(pack) = &mut self.pack else {
            return Ok(true);
        };
        let mut ended = false;
        while !self.batch.is_full(repository) && !ended {
            match pack.entries.peek(&mut repository.odb, &mut repository.files) {
                Ok(Some(entry)) => {
                    let from = From::packed(
                        (pack.index, pack.number),
                        entry.offset,
                        pack.first.saturating_add(entry.position),
                        &pack.path,
                    );
                    let read = (&entry.id, &entry.hint);
                    self.batch.read(shared, repository, read, from)?;
                    pack.entries.pass();
                    self.read = self.read.saturating_add(1);
                }
                Ok(None) => ended = true,
                Err(error) if error.is_missing() => return Err(error),
                // The rest of the pack is unknown: it is reported with the findings.
                Err(_) => (shared.conflicts, ended) = (true, true),
            }
        }
        if self.batch.is_waiting() {
            self.batch.check(shared, repository)?;
        }
        Ok(ended)
    }
}
