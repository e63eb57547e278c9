//! Commits that wait to be hashed, four at a time.

use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::hash::{Collisions, Message, Pending};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::ObjectType;
use std::ops::Range;

/// Commits of a SHA-1 repository that were read but not checked.
#[derive(Default)]
pub(super) struct Waiting {
    /// The contents of the commits, concatenated.
    content: Output,
    /// The ids under which they were read, each with the range of its content.
    commits: Pending<(ObjectId, Range<usize>)>,
}

impl Waiting {
    /// Returns the buffer of the contents. Content that is appended waits after
    /// [`Waiting::push`].
    pub(super) fn content(&mut self) -> &mut Output {
        &mut self.content
    }

    /// Adds the commit whose content was appended last.
    pub(super) fn push(&mut self, id: ObjectId) {
        let start = self.commits.bytes();
        let range = start..self.content.len();
        let length = range.len();
        self.commits.push((id, range), length);
    }

    /// Returns whether no commit waits.
    pub(super) fn is_empty(&self) -> bool {
        self.commits.keys().is_empty()
    }

    /// Returns how many bytes of content wait.
    pub(super) fn len(&self) -> u64 {
        self.content.len() as u64
    }

    /// Hashes the waiting commits, calls `report` with the id of each, its content and whether
    /// the two match, and forgets them.
    #[inline(never)]
    pub(super) fn check(
        &mut self,
        repository: &mut Repository,
        report: &mut dyn FnMut(&ObjectId, &[u8], bool),
    ) {
        let (content, commits) = (self.content.as_slice(), &self.commits);
        let content_of = |range: &Range<usize>| content.get(range.clone()).unwrap_or_default();
        let expected = |(id, range): &(ObjectId, Range<usize>)| {
            (*id, Message { object_type: ObjectType::Commit, content: content_of(range) })
        };
        let mut good = vec![true; commits.keys().len()];
        commits.check((HashKind::Sha1, Collisions::Trust), expected, |at| {
            good.get_mut(at).into_iter().for_each(|good| *good = false);
        });
        for ((id, range), good) in commits.keys().iter().zip(good) {
            report(id, content_of(range), good);
        }
        repository.odb.count_hashed(self.len());
        self.content.truncate(0);
        self.commits.clear();
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        (self.content.capacity() as u64).saturating_add(self.commits.memory())
    }
}
