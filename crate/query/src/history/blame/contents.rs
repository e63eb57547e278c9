//! The contents that are compared: mostly that of a file and its next older version.

use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_diff::{Change, DiffOptions, SimilarLines, TextDiff};
use packlens_format::object::ObjectType;

/// How many contents are kept, the last used one at the end.
const MOST_CONTENTS: usize = 8;

/// Contents beyond the two newest may take one part in this many of the memory ceiling.
const CONTENTS_SHARE: u64 = 16;

/// The memory that finding similar lines takes for a byte of text, and its part of the ceiling.
const PAIR_BYTES: u64 = 8;
const SIMILAR_SHARE: u64 = 2;

#[derive(Default)]
pub(super) struct Contents {
    list: Vec<(ObjectId, Vec<u8>)>,
}

impl Contents {
    /// Returns what has changed between two blobs.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; errors of reading; those of [`TextDiff::new`].
    pub(super) fn changes(
        &mut self,
        repository: &mut Repository,
        [old, new]: [&ObjectId; 2],
        options: &DiffOptions,
    ) -> Result<Vec<Change>> {
        self.read(repository, new)?;
        self.read(repository, old)?;
        let [old, new] = [self.kept(old), self.kept(new)];
        Ok(TextDiff::new(old, new, options)?.changes().to_vec())
    }

    /// Returns what has changed from a blob to a text.
    ///
    /// # Errors
    ///
    /// As [`Contents::changes`].
    pub(super) fn changes_to(
        &mut self,
        repository: &mut Repository,
        old: &ObjectId,
        new: &[u8],
        options: &DiffOptions,
    ) -> Result<Vec<Change>> {
        self.read(repository, old)?;
        Ok(TextDiff::new(self.kept(old), new, options)?.changes().to_vec())
    }

    /// Prepares to find similar lines of two blobs.
    ///
    /// # Errors
    ///
    /// As [`Contents::changes`]; [`ErrorKind::Limit`] if they need too much memory.
    pub(super) fn similar(
        &mut self,
        repository: &mut Repository,
        [old, new]: [&ObjectId; 2],
    ) -> Result<SimilarLines> {
        self.read(repository, new)?;
        self.read(repository, old)?;
        let [old, new] = [self.kept(old), self.kept(new)];
        let needed = (old.len().saturating_add(new.len()) as u64).saturating_mul(PAIR_BYTES);
        if needed > repository.memory() / SIMILAR_SHARE {
            let what = "a file is too large to guess where lines of ignored commits come from: \
                        raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        SimilarLines::new(old, new)
    }

    fn kept(&self, blob: &ObjectId) -> &[u8] {
        let kept = self.list.iter().rev().find(|(id, _)| id == blob);
        kept.map(|(_, content)| content.as_slice()).unwrap_or_default()
    }

    fn read(&mut self, repository: &mut Repository, blob: &ObjectId) -> Result<()> {
        if let Some(at) = self.list.iter().position(|(id, _)| id == blob) {
            let used = self.list.remove(at);
            self.list.push(used);
            return Ok(());
        }
        let content = repository.read_of_type(blob, ObjectType::Blob)?;
        self.list.push((*blob, content));
        let most = repository.memory() / CONTENTS_SHARE;
        while self.list.len() > MOST_CONTENTS || (self.list.len() > 2 && self.memory() > most) {
            self.list.remove(0);
        }
        Ok(())
    }

    pub(super) fn memory(&self) -> u64 {
        let sizes = self.list.iter().map(|(_, content)| content.capacity() as u64);
        sizes.fold(0, u64::saturating_add)
    }
}
