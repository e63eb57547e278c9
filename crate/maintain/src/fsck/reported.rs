//! Reports what the survey noted: checks these objects again, in the order in which they are
//! stored.

use super::finding::{exit, Finding};
use super::numbers::flag;
use super::objects::{Batch, From};
use super::pack_files::{path_of, PackFiles};
use super::shared::{place_in, tree_of, unless_damaged, Place, Shared};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::checksum::Checksums;
use packlens_query::odb::{PackNumber, ReadHint};
use packlens_query::repository::Repository;
use std::rc::Rc;

/// How many objects are passed over in a step.
const STEP: usize = 1 << 16;

/// Reports the findings about packs, loose objects and packed ones.
#[derive(Default)]
pub(super) struct Reported {
    state: ReportedState,
    batch: Batch,
}

#[derive(Default)]
enum ReportedState {
    #[default]
    Begin,
    /// Notes the special files that come after a tree which has them.
    Specials {
        specials: Vec<(ObjectId, Place)>,
        at: usize,
    },
    Files {
        packs: Vec<u64>,
        at: usize,
        files: Option<Box<PackFiles>>,
    },
    Loose {
        at: usize,
    },
    Packed {
        index: usize,
        path: Option<Rc<[u8]>>,
        at: usize,
    },
    Done,
}

impl Reported {
    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.batch.memory()
    }

    /// Takes a step; returns whether everything is reported.
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
        shared.surveyed = None;
        match &mut self.state {
            ReportedState::Begin => {
                shared.conflicts |= shared.has_wrong_types;
                if shared.conflicts {
                    // The order in which links are found decides what is reported of their types.
                    shared.numbers.forget_types();
                }
                let specials = shared.specials().map(|(_, id, special)| (*id, tree_of(*special)));
                self.state = ReportedState::Specials { specials: specials.collect(), at: 0 };
            }
            ReportedState::Specials { specials, at } => {
                while let Some((id, tree)) = specials.get(*at) {
                    note_copies_after(shared, repository, id, *tree)?;
                    *at = at.saturating_add(1);
                }
                let faulty = std::mem::take(&mut shared.faulty);
                let mut packs: Vec<_> = faulty.into_iter().map(u64::from).collect();
                sort::numbers(&mut packs);
                packs.dedup();
                self.state = ReportedState::Files { packs, at: 0, files: None };
            }
            ReportedState::Files { packs, at, files } => {
                let pack = packs.get(*at).and_then(|at| shared.numbers.packs().get(*at as usize));
                let Some((pack, _)) = pack.copied() else {
                    self.state = ReportedState::Loose { at: 0 };
                    return Ok(false);
                };
                let checking = match files {
                    Some(checking) => checking,
                    None => {
                        let file = repository.odb.pack_file(pack)?;
                        files.insert(Box::new(PackFiles::new(repository, pack, file)))
                    }
                };
                if checking.step(shared, checksums, repository)? {
                    (*at, *files) = (at.saturating_add(1), None);
                }
            }
            ReportedState::Loose { .. } => self.check_loose(shared, repository)?,
            ReportedState::Packed { .. } => self.check_packed(shared, repository)?,
            ReportedState::Done => return Ok(true),
        }
        Ok(false)
    }

    fn check_loose(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<()> {
        let ReportedState::Loose { at } = &mut self.state else {
            return Ok(());
        };
        while !self.batch.is_full(repository) && *at < shared.numbers.loose().len() {
            let number = u32::try_from(*at).unwrap_or(u32::MAX);
            if shared.is_to_report(number) {
                self.batch.read_loose(shared, repository, *at)?;
            }
            *at = at.saturating_add(1);
        }
        if self.batch.is_waiting() {
            return self.batch.check(shared, repository);
        }
        self.state = ReportedState::Packed { index: 0, path: None, at: 0 };
        Ok(())
    }

    fn check_packed(&mut self, shared: &mut Shared, repository: &mut Repository) -> Result<()> {
        let ReportedState::Packed { index, path, at } = &mut self.state else {
            return Ok(());
        };
        let pack = shared.numbers.packs().get(*index).filter(|_| shared.options.full);
        let Some((pack, first)) = pack.copied() else {
            self.state = ReportedState::Done;
            return Ok(());
        };
        let count = repository.odb.count_in(pack) as usize;
        let path = match path {
            Some(path) => path.clone(),
            None => {
                // Most packs have nothing to report, so their order is not needed.
                let end = first.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
                if !(first..end).any(|number| shared.is_to_report(number)) {
                    *at = count;
                }
                let found: Rc<[u8]> = path_of(repository, repository.odb.pack_file(pack)?).into();
                path.insert(found).clone()
            }
        };
        let mut ended = *at >= count;
        let until = at.saturating_add(STEP);
        while !self.batch.is_full(repository) && !ended && *at < until {
            match next(shared, repository, (pack, first), *at) {
                Ok(None) => {}
                Ok(Some((id, offset, number))) => {
                    let from = From::packed((*index, pack), offset, number, &path);
                    let hint = ReadHint::default();
                    self.batch.read(shared, repository, (&id, &hint), from)?;
                }
                Err(error) if error.is_missing() => return Err(error),
                Err(error) => {
                    shared.unread = true;
                    let finding = Finding::error("badPack", exit::PACK, error.what());
                    shared.report(finding.at(&path));
                    *at = count;
                }
            }
            *at = at.saturating_add(1);
            ended = *at >= count;
        }
        if self.batch.is_waiting() {
            return self.batch.check(shared, repository);
        }
        if ended {
            self.state =
                ReportedState::Packed { index: index.saturating_add(1), path: None, at: 0 };
            repository.odb.forget_bases();
        }
        Ok(())
    }
}

/// Returns the id, the offset and the number of an entry of a pack, given its number in pack
/// order; `None` if nothing is to be reported of it.
fn next(
    shared: &Shared,
    repository: &mut Repository,
    (pack, first): (PackNumber, u32),
    at: usize,
) -> Result<Option<(ObjectId, u64, u32)>> {
    let (offset, position) = repository.odb.numbered_entry(&mut repository.files, pack, at)?;
    let number = first.saturating_add(position);
    if !shared.is_to_report(number) {
        return Ok(None);
    }
    let (id, _) = repository.odb.entry_in(&repository.files, pack, position)?;
    Ok(Some((id, offset, number)))
}

/// Notes the copies of a special file that come after the first tree which has it: they are
/// checked where they are stored, as git does. Others are checked after all objects.
fn note_copies_after(
    shared: &mut Shared,
    repository: &Repository,
    id: &ObjectId,
    tree: Place,
) -> Result<()> {
    let (odb, files) = (&repository.odb, &repository.files);
    if let Ok(at) = shared.numbers.loose().binary_search(id) {
        if tree < at as u64 {
            shared.numbers.set(u32::try_from(at).unwrap_or(u32::MAX), flag::NOTED);
        }
    }
    for index in 0..shared.numbers.packs().len() {
        let Some((pack, first)) = shared.numbers.packs().get(index).copied() else { continue };
        let place = |position| Ok((position, odb.entry_in(files, pack, position)?.1));
        let found = odb.position_in(files, pack, id).and_then(|at| at.map(place).transpose());
        if let Some((position, offset)) = unless_damaged(found)?.flatten() {
            if tree < place_in(index, offset) {
                shared.numbers.set(first.saturating_add(position), flag::NOTED);
            }
        }
    }
    Ok(())
}
