//! Checks the bytes of a pack against its checksum, and its entries against the index's CRC-32.

use super::finding::{exit, Finding};
use super::shared::{unless_damaged, Shared};
use packlens_base::block::{BlockSource, FileId};
use packlens_base::error::Result;
use packlens_base::hash::{Crc32, Hasher};
use packlens_format::checksum::Checksums;
use packlens_format::pack::entries_end;
use packlens_query::odb::PackNumber;
use packlens_query::repository::Repository;

/// How many bytes are hashed in a step.
const STEP: u64 = 4 << 20;

/// A pack that is read once from start to end.
pub(super) struct PackFiles {
    pack: PackNumber,
    file: FileId,
    hasher: Hasher,
    offset: u64,
    crc: Crc32,
    /// The index position of the current entry.
    position: Option<u32>,
    /// The offset at which the entry ends, or the first one begins; `None` until that is known.
    boundary: Option<u64>,
    /// The number of the next entry, in pack order.
    next: usize,
    index_done: bool,
}

impl PackFiles {
    pub(super) fn new(repository: &Repository, pack: PackNumber, file: FileId) -> PackFiles {
        PackFiles {
            pack,
            file,
            hasher: Hasher::new(repository.hash()),
            offset: 0,
            crc: Crc32::new(),
            position: None,
            boundary: None,
            next: 0,
            index_done: false,
        }
    }

    /// Returns how many bytes were read.
    pub(super) fn done(&self) -> u64 {
        self.offset
    }

    /// Takes a step; returns whether the pack is checked.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &mut Repository,
    ) -> Result<bool> {
        if !self.index_done {
            self.check_index(shared, checksums, repository)?;
            self.index_done = true;
            return Ok(false);
        }
        let hash = repository.hash();
        let end = entries_end(&repository.files.source(self.file), hash);
        let until = self.offset.saturating_add(STEP).min(end);
        while self.offset < until {
            while self.boundary.is_none_or(|boundary| boundary <= self.offset) {
                self.turn(shared, repository, end)?;
            }
            let boundary = self.boundary.unwrap_or(end);
            let source = repository.files.source(self.file);
            let left = boundary.min(until).saturating_sub(self.offset);
            let run = source.run_at(self.offset).map_err(|error| error.widened(left))?;
            let length = usize::try_from(left).unwrap_or(usize::MAX).min(run.len());
            let run = run.get(..length).unwrap_or_default();
            self.hasher.update(run);
            if self.position.is_some() {
                self.crc.update(run);
            }
            self.offset = self.offset.saturating_add(length as u64);
        }
        if self.offset < end {
            return Ok(false);
        }
        while self.position.is_some() {
            self.turn(shared, repository, end)?;
        }
        let source = repository.files.source(self.file);
        let mut trailer = vec![0; hash.len()];
        source.read_at(end, &mut trailer)?;
        let path = path_of(repository, self.file);
        let of_index = index_trailer(repository, self.pack)?;
        if self.hasher.clone().finish().as_bytes() != trailer {
            let what = "pack checksum mismatch";
            shared.report(Finding::error("packChecksum", exit::PACK, what).at(&path));
        }
        if of_index.is_some_and(|of_index| of_index != trailer) {
            let what = "pack checksum does not match its index";
            shared.report(Finding::error("packIndexMismatch", exit::PACK, what).at(&path));
        }
        Ok(true)
    }

    fn check_index(
        &self,
        shared: &mut Shared,
        checksums: &mut Checksums,
        repository: &Repository,
    ) -> Result<()> {
        if let Some(index) = repository.odb.index_of(self.pack) {
            if !checksums.check(&repository.files, index, repository.hash())? {
                let what = "the index does not match the hash at its end";
                let path = path_of(repository, self.file);
                shared.report(Finding::error("packIndexChecksum", exit::PACK, what).at(&path));
            }
        }
        Ok(())
    }

    /// Compares the CRC-32 checksum of the current entry with the index, and begins the next
    /// entry.
    fn turn(&mut self, shared: &mut Shared, repository: &mut Repository, end: u64) -> Result<()> {
        let first = self.boundary.is_none();
        let entry = unless_damaged(self.entry(repository, end, first))?.flatten();
        let Some((position, boundary)) = entry else {
            // The order of a pack may be too large for memory, or its index damaged: only the
            // checksum of the whole pack is compared then.
            (self.position, self.boundary) = (None, Some(u64::MAX));
            return Ok(());
        };
        if let Some(position) = self.position {
            let expected = repository.odb.crc_in(&repository.files, self.pack, position)?;
            let found = self.crc.finish();
            if expected.is_some_and(|expected| expected != found) {
                let (files, odb) = (&repository.files, &repository.odb);
                let entry = unless_damaged(odb.entry_in(files, self.pack, position))?;
                let path = path_of(repository, self.file);
                let what = match entry {
                    Some((_, offset)) => format!("index CRC mismatch at offset {offset}"),
                    None => "index CRC mismatch".to_owned(),
                };
                let finding = Finding::error("packCrc", exit::PACK, &what).at(&path);
                shared.report(match entry {
                    Some((id, _)) => finding.of(&id, None),
                    None => finding,
                });
            }
        }
        self.crc = Crc32::new();
        self.next = self.next.saturating_add(usize::from(!first));
        (self.position, self.boundary) = (position, Some(boundary));
        Ok(())
    }

    /// Returns the position and the end of the next entry; with `first` the offset of the first
    /// entry instead. The position is `None` after the last entry. Returns `None` if memory
    /// does not suffice to sort the entries.
    fn entry(
        &self,
        repository: &mut Repository,
        end: u64,
        first: bool,
    ) -> Result<Option<(Option<u32>, u64)>> {
        let count = repository.odb.count_in(self.pack) as usize;
        let files = &mut repository.files;
        let mut at = |at: usize| match at < count {
            true => repository.odb.ordered_entry(files, self.pack, at),
            false => Ok(Some((end, u32::MAX))),
        };
        if first {
            return Ok(at(0)?.map(|(start, _)| (None, start)));
        }
        if self.next >= count {
            return Ok(Some((None, u64::MAX)));
        }
        let both = at(self.next)?.zip(at(self.next.saturating_add(1))?);
        Ok(both.map(|((_, position), (after, _))| (Some(position), after)))
    }
}

/// Returns the path of an open file.
pub(super) fn path_of(repository: &Repository, file: FileId) -> Vec<u8> {
    repository.files.path(file).unwrap_or_default().to_vec()
}

/// Returns the checksum of the pack that is stored in its index.
fn index_trailer(repository: &Repository, pack: PackNumber) -> Result<Option<Vec<u8>>> {
    let Some(index) = repository.odb.index_of(pack) else {
        return Ok(None);
    };
    let source = repository.files.source(index);
    let length = repository.hash().len() as u64;
    let mut trailer = vec![0; repository.hash().len()];
    source.read_at(source.size().saturating_sub(length.saturating_mul(2)), &mut trailer)?;
    Ok(Some(trailer))
}
