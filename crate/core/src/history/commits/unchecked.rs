//! Commits that were read, and are not hashed yet: four are hashed at a time.

use super::links::{read_links, read_whole};
use crate::error::{Error, ErrorKind, Result};
use crate::history::waiting::Waiting;
use crate::object::CommitLinks;
use crate::odb::Verify;
use crate::oid::{HashKind, ObjectId};
use crate::repository::Repository;

/// Behind so many bytes they are hashed: they are still in the processor's cache.
const ENOUGH_BYTES: usize = 128 << 10;

/// The share of the ceiling that they may take.
const SHARE: u64 = 64;

/// So many are hashed alone before any wait: an engine compiles anew what hashes four at
/// once, which takes longer than it saves in a short history.
const MOST_ALONE: u32 = 256;

/// Nothing that a walk learnt from them is to be handed over before they are checked.
#[derive(Default)]
pub(super) struct Unchecked {
    /// Others are read behind them, and dropped.
    waiting: Waiting,
    alone: u32,
    /// Each is checked when it is read.
    one_by_one: bool,
    is_damaged: bool,
}

impl Unchecked {
    pub(super) fn new(one_by_one: bool) -> Unchecked {
        Unchecked { one_by_one, ..Unchecked::default() }
    }

    /// Reads a commit, of which only what a walk needs is looked at. It may wait here
    /// afterwards.
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

    /// As [`Unchecked::read`]; the commit does not wait.
    pub(super) fn read_alone(
        &mut self,
        repository: &mut Repository,
        id: &ObjectId,
        verify: Verify,
        parents: &mut Vec<ObjectId>,
    ) -> Result<CommitLinks> {
        read_links(repository, id, verify, (self.waiting.content(), parents))
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
        let real = repository.odb.real(&repository.files, id)?;
        let mut out = self.waiting.content().appender();
        match read_whole(repository, id, Verify::None, (&mut out, parents)) {
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
                // It may be good elsewhere.
                parents.clear();
                self.read_alone(repository, id, Verify::Oid, parents)
            }
        }
    }

    /// Hashes all that wait, and forgets them; tells whether all that ever waited are
    /// what their ids say.
    pub(super) fn check(&mut self, repository: &mut Repository) -> bool {
        if !self.waiting.is_empty() {
            let damaged = &mut self.is_damaged;
            self.waiting.check(repository, &mut |_, _, good| *damaged |= !good);
        }
        !self.is_damaged
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        self.waiting.memory()
    }
}

/// The walk begins anew, and tells what is wrong.
#[cold]
pub(super) fn damaged() -> Error {
    Error::new(ErrorKind::Corrupt, "a commit that was read is not what its id says")
}
