//! Commits, and other objects that revisions name, that a list reaches but the repository lacks.

use super::commits::{Commits, Number};
use super::marks::SEEN;
use super::object_filter::{Absent, MissingObjects};
use super::objects::{add_start_object, StartObject};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::{require_full, FullOnly};
use packlens_base::oid::ObjectId;
use packlens_format::id_table::Ids;
use packlens_format::object::ObjectType;

/// What a walk does with commits that are missing, and those that it has met.
#[derive(Default)]
pub(super) struct AbsentCommits {
    rule: MissingObjects,
    ids: Ids,
    /// As many as there are ids. A commit whose child names it is known to be one; of what a
    /// revision names nothing is known.
    found: Vec<Absent>,
}

impl AbsentCommits {
    pub(super) fn new(rule: MissingObjects) -> AbsentCommits {
        AbsentCommits { rule, ..AbsentCommits::default() }
    }

    fn note(&mut self, id: &ObjectId, object_type: Option<ObjectType>) {
        let count = self.found.len() as u32;
        if self.ids.number_of(id, count) == count {
            self.found.push(Absent { id: *id, object_type, path: None });
        }
    }

    pub(super) fn memory(&self) -> u64 {
        let found = self.found.capacity().saturating_mul(size_of::<Absent>()) as u64;
        found.saturating_add(self.ids.memory())
    }
}

impl Commits {
    /// Continues without commits that are missing, if the rule allows it.
    pub(super) fn may_miss(&mut self, rule: MissingObjects) -> Result<()> {
        if rule != MissingObjects::Error {
            self.absent = Some(FullOnly::new(|| Box::new(AbsentCommits::new(rule)))?);
        }
        Ok(())
    }

    /// Returns what was missing.
    pub(super) fn take_absent(&mut self) -> Vec<Absent> {
        self.absent.as_mut().map(|absent| std::mem::take(&mut absent.found)).unwrap_or_default()
    }

    /// Returns whether a commit is known to be missing.
    pub(super) fn is_absent(&self, id: &ObjectId) -> bool {
        self.absent.as_ref().is_some_and(|absent| absent.ids.has(id))
    }

    /// Notes a parent that cannot be read, so that the walk does not reach it.
    ///
    /// # Errors
    ///
    /// The error, if the parent is not missing or must not be; missing bytes.
    pub(super) fn pass_absent(
        &mut self,
        repository: &mut Repository,
        parent: Number,
        error: Error,
    ) -> Result<()> {
        /// Is called by [`RevList`](super::rev_list::RevList) after `require_rest`.
        #[cold]
        #[inline(never)]
        fn in_rest(
            commits: &mut Commits,
            repository: &mut Repository,
            parent: Number,
            error: Error,
        ) -> Result<()> {
            let id = commits.id(repository, parent)?;
            match &mut commits.absent {
                Some(absent) if absent.rule.allows(repository, &id, &error)? => {
                    absent.note(&id, Some(ObjectType::Commit));
                }
                _ => return Err(error),
            }
            commits.set(parent, SEEN);
            Ok(())
        }
        require_full()?;
        in_rest(self, repository, parent, error)
    }

    /// Notes an object that a revision names and that is missing, or that a tag leads to: such a tag
    /// is listed.
    ///
    /// # Errors
    ///
    /// The error, if nothing is missing or may be; missing bytes.
    pub(super) fn pass_absent_tip(
        &mut self,
        repository: &mut Repository,
        tip: (&ObjectId, &[u8], bool),
        starts: Option<&mut Vec<StartObject>>,
        error: Error,
    ) -> Result<()> {
        /// Is called as the one of [`Commits::pass_absent`].
        #[cold]
        #[inline(never)]
        fn in_rest(
            commits: &mut Commits,
            repository: &mut Repository,
            (object, path, uninteresting): (&ObjectId, &[u8], bool),
            starts: Option<&mut Vec<StartObject>>,
            error: Error,
        ) -> Result<()> {
            let Some(absent) =
                commits.absent.as_mut().filter(|_| error.kind() == ErrorKind::NotFound)
            else {
                return Err(error);
            };
            let mut unused = Vec::new();
            let starts = starts.unwrap_or(&mut unused);
            let missing = add_start_object(repository, object, path, uninteresting, starts)?;
            // Whether it was promised does not matter to git.
            absent.note(&missing.ok_or(error)?, None);
            Ok(())
        }
        require_full()?;
        in_rest(self, repository, tip, starts, error)
    }
}
