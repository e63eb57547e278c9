//! Reads the links of commits for walks in other instances.

use super::commits::read_links;
use super::waiting::Waiting;
use crate::odb::{CommitWorkUnits, ReadHint, Verify};
use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::work_units::WorkUnits;
use packlens_format::object::{CommitLinks, ObjectType};

/// After so many bytes the waiting commits are hashed, while they are still in the processor's
/// cache.
const ENOUGH_BYTES: u64 = 256 << 10;

/// Makes rows of the commits in packs, for [`Repository::share_commits`]. The job is split into
/// work units, those of the oldest commits first.
///
/// A commit that is replaced, cannot be read or does not match its id has no row: a walk that
/// reaches it reads it itself, and reports the error.
pub struct LinkRows {
    work_units: CommitWorkUnits,
    waiting: Waiting,
    parents: Vec<ObjectId>,
}

impl LinkRows {
    /// Creates the job; nothing is read yet.
    pub fn new(repository: &Repository) -> LinkRows {
        LinkRows {
            work_units: CommitWorkUnits::new(repository.limits().work_unit_entries),
            waiting: Waiting::default(),
            parents: Vec::new(),
        }
    }

    /// Splits the job into work units, each of which any instance may claim.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub fn work_units(&mut self, repository: &mut Repository) -> Result<WorkUnits> {
        let count = self.work_units.cut(&mut repository.odb, &mut repository.files)?;
        Ok(WorkUnits { count, state: Vec::new() })
    }

    /// Claims one of the work units: [`LinkRows::fill`] makes its rows next.
    pub fn claim(&mut self, work_unit: u32) {
        self.work_units.claim(work_unit);
    }

    /// Appends rows until `out` is about `capacity` bytes long; returns whether the claimed
    /// work unit is complete.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while out.len() < capacity {
            let next = self.work_units.peek(&mut repository.odb, &mut repository.files)?;
            if next.is_none() || self.waiting.len() >= ENOUGH_BYTES {
                self.check(repository, out)?;
            }
            let Some((id, hint)) = next else {
                return Ok(true);
            };
            match self.read(repository, (&id, &hint), out) {
                Err(error) if error.is_missing() => return Err(error),
                _ => self.work_units.pass(),
            }
        }
        Ok(false)
    }

    fn read(
        &mut self,
        repository: &mut Repository,
        (id, hint): (&ObjectId, &ReadHint<'_>),
        out: &mut Output,
    ) -> Result<()> {
        if repository.odb.real(id)? != *id {
            return Ok(());
        }
        if repository.verify == Verify::Oid && repository.hash() == HashKind::Sha1 {
            return self.read_unchecked(repository, (id, hint));
        }
        self.parents.clear();
        let read = (self.waiting.content(), &mut self.parents);
        let links = read_links(repository, (id, hint), repository.verify, read)?;
        append(out, id, &links, &self.parents)
    }

    /// Reads a commit that is hashed later, with others.
    fn read_unchecked(
        &mut self,
        repository: &mut Repository,
        (id, hint): (&ObjectId, &ReadHint<'_>),
    ) -> Result<()> {
        let mut content = self.waiting.content().appender();
        let (odb, files) = (&mut repository.odb, &mut repository.files);
        match odb.read_hinted(files, (id, hint), &mut |_, _| Ok(()), Verify::None, &mut content) {
            Ok(info) if info.object_type == ObjectType::Commit => {
                drop(content);
                self.waiting.push(*id);
                Ok(())
            }
            other => {
                content.discard();
                other.map(|_| ())
            }
        }
    }

    /// Hashes the waiting commits, and appends the rows of those that match their ids.
    fn check(&mut self, repository: &mut Repository, out: &mut Output) -> Result<()> {
        let (parents, mut added) = (&mut self.parents, Ok(()));
        self.waiting.check(repository, &mut |id, content, good| {
            parents.clear();
            let links = CommitLinks::decode(HashKind::Sha1, content, |parent| parents.push(parent));
            if let (true, Ok(links), true) = (good, links, added.is_ok()) {
                added = append(out, id, &links, parents);
            }
        });
        added
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.waiting.memory().saturating_add(self.work_units.memory())
    }
}

/// Appends a row: see [`LinkRow`](super::shared_commits::LinkRow).
fn append(
    out: &mut Output,
    id: &ObjectId,
    links: &CommitLinks,
    parents: &[ObjectId],
) -> Result<()> {
    let count = u32::try_from(parents.len())
        .map_err(|_| Error::new(ErrorKind::Limit, "a commit has too many parents"))?;
    let mut out = out.appender();
    out.u32(count)?;
    out.u64(links.date.unwrap_or(0))?;
    out.oid(id)?;
    out.oid(&links.tree)?;
    parents.iter().try_for_each(|parent| out.oid(parent))
}
