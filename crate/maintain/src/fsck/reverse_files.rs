//! Checks reverse indexes against the order of the offsets in their index.

use super::finding::{exit, Finding};
use super::shared::{unless_damaged, Shared};
use packlens_base::block::{BlockSource, FileId};
use packlens_base::error::Result;
use packlens_base::oid::HashKind;
use packlens_format::checksum::Checksums;
use packlens_query::odb::PackNumber;
use packlens_query::repository::Repository;

/// How many entries are compared in a step.
const STEP: u32 = 1 << 14;

const HEADER_LEN: u64 = 12;

/// The reverse indexes of all packs, one after the other.
#[derive(Default)]
pub(super) struct ReverseFiles {
    pack: usize,
    open: Option<Open>,
}

struct Open {
    file: FileId,
    path: Vec<u8>,
    at: u32,
    is_wrong: bool,
}

impl ReverseFiles {
    /// Takes a step; returns whether all are checked.
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
        let Some((pack, _)) = shared.numbers.packs().get(self.pack).copied() else {
            return Ok(true);
        };
        let open = match &mut self.open {
            Some(open) => open,
            None => {
                let path = [repository.odb.stem_of(pack), b".rev"].concat();
                let found = match repository.files.find(&path)? {
                    Some(file) => begin(shared, checksums, repository, (pack, file), path)?,
                    None => None,
                };
                match found {
                    Some(open) => self.open.insert(open),
                    None => {
                        self.pack = self.pack.saturating_add(1);
                        return Ok(false);
                    }
                }
            }
        };
        if open.look(shared, repository, pack)? {
            if open.is_wrong {
                shared.report(finding("invalid rev-index").at(&open.path));
            }
            (self.pack, self.open) = (self.pack.saturating_add(1), None);
        }
        Ok(false)
    }
}

fn finding(message: &str) -> Finding {
    Finding::error("badReverseIndex", exit::REVERSE_INDEX, message)
}

/// Checks the size, header and checksum of a file; `None` if its entries cannot be read.
fn begin(
    shared: &mut Shared,
    checksums: &mut Checksums,
    repository: &Repository,
    (pack, file): (PackNumber, FileId),
    path: Vec<u8>,
) -> Result<Option<Open>> {
    let count = repository.odb.count_in(pack);
    let whole = checksums.check(&repository.files, file, repository.hash())?;
    match wrong_frame(&repository.files.source(file), repository.hash(), count)? {
        Some(what) => {
            shared.report(finding(what).at(&path));
            shared.report(finding("unable to load rev-index").at(&path));
            Ok(None)
        }
        None => {
            if !whole {
                shared.report(finding("invalid checksum").at(&path));
            }
            Ok(Some(Open { file, path, at: 0, is_wrong: !whole }))
        }
    }
}

/// Returns git's message if the size or the header is wrong.
fn wrong_frame<S: BlockSource>(
    reverse: &S,
    hash: HashKind,
    count: u32,
) -> Result<Option<&'static str>> {
    let hashes = (hash.len() as u64).saturating_mul(2);
    let least = HEADER_LEN.saturating_add(hashes);
    if reverse.size() < least {
        return Ok(Some("reverse-index file is too small"));
    }
    if reverse.size().saturating_sub(least) != u64::from(count).saturating_mul(4) {
        return Ok(Some("reverse-index file is corrupt"));
    }
    let header: [u8; HEADER_LEN as usize] = reverse.array_at(0)?;
    Ok(match header {
        [b'R', b'I', b'D', b'X', 0, 0, 0, 1, 0, 0, 0, 1 | 2] => None,
        [b'R', b'I', b'D', b'X', 0, 0, 0, 1, ..] => {
            Some("reverse-index file has unsupported hash id")
        }
        [b'R', b'I', b'D', b'X', ..] => Some("reverse-index file has unsupported version"),
        _ => Some("reverse-index file has unknown signature"),
    })
}

impl Open {
    /// Compares some entries; returns whether those were the last.
    fn look(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
        pack: PackNumber,
    ) -> Result<bool> {
        let count = repository.odb.count_in(pack);
        let end = count.min(self.at.saturating_add(STEP));
        while self.at < end {
            let entry = repository.odb.ordered_entry(&mut repository.files, pack, self.at as usize);
            // A damaged index, or one that is too large to sort in memory, cannot be compared.
            let Some((_, own)) = unless_damaged(entry)?.flatten() else {
                return Ok(true);
            };
            let offset = HEADER_LEN.saturating_add(u64::from(self.at).saturating_mul(4));
            let found = u32::from_be_bytes(repository.files.source(self.file).array_at(offset)?);
            if found != own {
                let at = self.at;
                let what = format!("invalid rev-index position at {at}: {own} != {found}");
                shared.report(finding(&what).at(&self.path));
                self.is_wrong = true;
            }
            self.at = self.at.saturating_add(1);
        }
        Ok(self.at >= count)
    }
}
