//! Commits that wait to be hashed, four at a time.

use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::hash::{sha1_ids, Collisions, Message};
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;

/// Commits of a SHA-1 repository that were read but not checked.
#[derive(Default)]
pub(super) struct Waiting {
    /// The contents of the commits, concatenated.
    content: Output,
    /// The ids under which they were read, each with the offset at which its content ends.
    commits: Vec<(ObjectId, usize)>,
}

impl Waiting {
    /// Returns the buffer of the contents. Content that is appended waits after
    /// [`Waiting::push`].
    pub(super) fn content(&mut self) -> &mut Output {
        &mut self.content
    }

    /// Adds the commit whose content was appended last.
    pub(super) fn push(&mut self, id: ObjectId) {
        self.commits.push((id, self.content.len()));
    }

    /// Returns whether no commit waits.
    pub(super) fn is_empty(&self) -> bool {
        self.commits.is_empty()
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
        let of = |key: usize| {
            let end = |key: usize| commits.get(key).map_or(0, |(_, end)| *end);
            let start = key.checked_sub(1).map_or(0, end);
            content.get(start..end(key)).unwrap_or_default()
        };
        let message = |key: usize| Message { object_type: ObjectType::Commit, content: of(key) };
        let mut good = vec![false; commits.len()];
        sha1_ids(commits.len(), &message, Collisions::Trust, &mut |key, found| {
            let same = commits.get(key).map(|(id, _)| *id) == found;
            good.get_mut(key).into_iter().for_each(|good| *good = same);
        });
        for (key, ((id, _), good)) in commits.iter().zip(good).enumerate() {
            report(id, of(key), good);
        }
        repository.odb.count_hashed(self.len());
        self.content.truncate(0);
        self.commits.clear();
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.capacity().saturating_mul(size_of::<(ObjectId, usize)>());
        self.content.capacity().saturating_add(commits) as u64
    }
}
