//! Commits that were read but not hashed yet: four are hashed at a time.

use super::links::{read_links, read_whole};
use crate::history::waiting::Waiting;
use crate::odb::{ReadHint, Verify};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::{CommitLinks, ObjectType};

const COMMIT: ReadHint<'static> = ReadHint::of_type(ObjectType::Commit);

/// After so many bytes the waiting commits are hashed, while they are still in the processor's
/// cache.
const ENOUGH_BYTES: usize = 128 << 10;

/// The share of the memory ceiling that waiting commits may take.
const SHARE: u64 = 64;

/// So many commits are hashed one by one before any commit waits: a WebAssembly engine
/// recompiles the code that hashes four at once, which takes longer than it saves in a short
/// history.
const MOST_ALONE: u32 = 256;

/// The commits that wait. No result that depends on them may be returned before they are
/// checked.
#[derive(Default)]
pub(super) struct Unchecked {
    /// Commits that do not wait are read into the same buffer, and dropped afterwards.
    waiting: Waiting,
    alone: u32,
    /// Each commit is hashed when it is read.
    one_by_one: bool,
    is_damaged: bool,
}

impl Unchecked {
    pub fn new(one_by_one: bool) -> Unchecked {
        Unchecked { one_by_one, ..Unchecked::default() }
    }

    /// Reads the links of a commit. The commit may wait here afterwards, to be hashed.
    pub(super) fn read(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        parents: &mut Vec<ObjectId>,
    ) -> Result<CommitLinks> {
        let hashed = repository.verify == Verify::Oid && repository.hash() == HashKind::Sha1;
        if hashed && !self.one_by_one {
            if self.alone >= MOST_ALONE {
                return self.read_unchecked(repository, id, parents);
            }
            self.alone = self.alone.saturating_add(1);
        }
        self.read_alone(repository, id, repository.verify, parents)
    }

    /// As [`Unchecked::read`]; the commit is hashed at once, or not at all.
    pub(super) fn read_alone(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        verify: Verify,
        parents: &mut Vec<ObjectId>,
    ) -> Result<CommitLinks> {
        read_links(repository, (id, &COMMIT), verify, (self.waiting.content(), parents))
    }

    #[inline(never)]
    fn read_unchecked(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        parents: &mut Vec<ObjectId>,
    ) -> Result<CommitLinks> {
        let enough = (ENOUGH_BYTES as u64).min(repository.memory() / SHARE);
        if self.waiting.len() >= enough && !self.check(repository) {
            return Err(damaged());
        }
        let real = repository.odb.real(id)?;
        let mut out = self.waiting.content().appender();
        match read_whole(repository, (id, &COMMIT), Verify::None, (&mut out, parents)) {
            Ok(links) => {
                drop(out);
                self.waiting.push(real);
                Ok(links)
            }
            Err(error) => {
                out.discard();
                if error.is_missing() {
                    return Err(error);
                }
                // Another copy of the object may be good.
                parents.clear();
                self.read_alone(repository, id, Verify::Oid, parents)
            }
        }
    }

    /// Hashes the waiting commits, and forgets them; returns whether all that ever waited here
    /// match their ids.
    pub(super) fn check(&mut self, repository: &mut Repository) -> bool {
        if !self.waiting.is_empty() {
            let damaged = &mut self.is_damaged;
            self.waiting.check(repository, &mut |_, _, good| *damaged |= !good);
        }
        !self.is_damaged
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.waiting.memory()
    }
}

/// Returns an error that restarts the walk; the restarted walk reports the damaged commit.
#[cold]
pub(super) fn damaged() -> Error {
    Error::new(ErrorKind::Corrupt, "a commit does not match its object id")
}
