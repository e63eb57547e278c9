//! The commits of packs in work units, the oldest commits first: a walk through history starts
//! with the newest ones, so workers that start with the oldest meet it half way.

use crate::odb::{Odb, PackNumber, ReadHint, ReadOrder, Verify};
use packlens_base::appender::Output;
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::object::{CommitLinks, ObjectType};
use std::ops::Range;

/// How many entries of a work unit are probed for commits. Commits are next to each other in
/// packs that git wrote, but may be anywhere in others.
const PROBES: usize = 8;

/// A range of entries of a pack.
#[derive(Clone, Debug, Eq, PartialEq)]
struct WorkUnit {
    pack: PackNumber,
    entries: Range<usize>,
}

/// The commits of packs in work units. Some commits may be missing, and some are listed more
/// than once.
pub struct CommitWorkUnits {
    /// The number of entries in a work unit.
    length: usize,
    /// The packs that were not probed yet, once they are listed; and how many entries of the
    /// last of them were probed.
    packs: Option<Vec<PackNumber>>,
    looked: usize,
    work_units: Vec<WorkUnit>,
    /// The work units by date: the date of one commit in each, and the unit's index.
    dates: Vec<u64>,
    claimed: Option<WorkUnit>,
    content: Output,
}

impl CommitWorkUnits {
    /// Starts with work units of `length` entries.
    pub fn new(length: u32) -> CommitWorkUnits {
        CommitWorkUnits {
            length: length.max(1) as usize,
            packs: None,
            looked: 0,
            work_units: Vec::new(),
            dates: Vec::new(),
            claimed: None,
            content: Output::default(),
        }
    }

    /// Returns the number of work units. High-latency packs have none, nor have packs for
    /// whose order there is not enough memory.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub(crate) fn cut(&mut self, odb: &mut Odb, files: &mut Files) -> Result<u32> {
        if self.packs.is_none() {
            odb.list_packs(files)?;
            self.packs = Some(odb.packs.in_order().collect());
        }
        while let Some(pack) = self.packs.as_ref().and_then(|packs| packs.last()).copied() {
            let is_near =
                odb.packs.open(files, pack)?.is_some_and(|file| !files.is_high_latency(file));
            if is_near && odb.read_order(files, pack)? {
                self.look_at(odb, files, pack)?;
            }
            self.looked = 0;
            self.packs.as_mut().and_then(Vec::pop);
        }
        sort::numbers(&mut self.dates);
        Ok(u32::try_from(self.dates.len()).unwrap_or(u32::MAX))
    }

    /// Probes all work units of a pack for commits.
    fn look_at(&mut self, odb: &mut Odb, files: &mut Files, pack: PackNumber) -> Result<()> {
        let count = odb.packs.count(pack) as usize;
        while self.looked < count {
            let end = self.looked.saturating_add(self.length).min(count);
            let step = end.saturating_sub(self.looked).div_ceil(PROBES).max(1);
            for at in (self.looked..end).step_by(step) {
                let Some(date) = self.date_at(odb, files, (pack, at))? else {
                    continue;
                };
                self.dates.push(sort::keyed(date, self.work_units.len() as u32));
                self.work_units.push(WorkUnit { pack, entries: self.looked..end });
                break;
            }
            self.looked = end;
        }
        Ok(())
    }

    /// Returns the committer date of an entry that is a commit, at most `u32::MAX`.
    fn date_at(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
        entry: (PackNumber, usize),
    ) -> Result<Option<u32>> {
        let Some((id, hint)) = commit_at(odb, files, entry)? else {
            return Ok(None);
        };
        let mut out = self.content.appender();
        let asked = (&id, &hint);
        let read = odb.read_hinted(files, asked, &mut |_, _| Ok(()), Verify::None, &mut out);
        let links = read.and_then(|_| CommitLinks::decode(odb.hash, out.since(0), |_| {}));
        out.discard();
        match links {
            Err(error) if error.is_missing() => Err(error),
            links => Ok(links
                .ok()
                .map(|links| u32::try_from(links.date.unwrap_or(0)).unwrap_or(u32::MAX))),
        }
    }

    /// Starts a work unit.
    pub(crate) fn claim(&mut self, work_unit: u32) {
        let place = self.dates.get(work_unit as usize).copied().map(sort::place);
        self.claimed = place.and_then(|place| self.work_units.get(place)).cloned();
    }

    /// Returns the current commit; `None` after the last one of the work unit.
    ///
    /// # Errors
    ///
    /// Missing bytes: provide them and call again. Damaged indexes.
    pub fn peek(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
    ) -> Result<Option<(ObjectId, ReadHint<'static>)>> {
        while let Some(WorkUnit { pack, entries }) = &mut self.claimed {
            if entries.start >= entries.end {
                break;
            }
            let commit = commit_at(odb, files, (*pack, entries.start))?;
            if commit.is_some() {
                return Ok(commit);
            }
            entries.start = entries.start.saturating_add(1);
        }
        Ok(None)
    }

    /// Moves past the current commit.
    pub fn pass(&mut self) {
        if let Some(WorkUnit { entries, .. }) = &mut self.claimed {
            entries.start = entries.start.saturating_add(1);
        }
    }

    /// Returns how many bytes of memory the work units take.
    pub fn memory(&self) -> u64 {
        let work_units = self.work_units.capacity().saturating_mul(size_of::<WorkUnit>());
        let dates = self.dates.capacity().saturating_mul(size_of::<u64>());
        work_units.saturating_add(dates).saturating_add(self.content.capacity()) as u64
    }
}

/// Returns the id of a pack entry if it is a commit, and where it is. The order of the pack must
/// have been read.
fn commit_at(
    odb: &mut Odb,
    files: &mut Files,
    (pack, at): (PackNumber, usize),
) -> Result<Option<(ObjectId, ReadHint<'static>)>> {
    let (offset, position) = odb.entry_at(files, pack, at)?;
    let file = odb.packs.file(pack)?;
    match odb.walk_chain(files, (file, offset), None, ReadOrder::Any) {
        Err(error) if error.is_missing() => Err(error),
        Ok(end) if end.object_type() == ObjectType::Commit => {
            let id = odb.packs.id_at(files, pack, position)?;
            Ok(Some((id, ReadHint::at((pack, offset)))))
        }
        _ => Ok(None),
    }
}
