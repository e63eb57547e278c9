//! Names commits after refs that reach them: git-name-rev(1).

mod naming;
mod tips;

use super::answer::{answer, Restart, Trust};
use super::commits::{Commits, Number};
use super::tips::commit_of;
use crate::repository::Repository;
use naming::{Cutoff, Naming};
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use tips::Tips;

/// The bytes of a record beside its texts.
const RECORD_LEN: usize = 3 * 4;

/// Options of the names.
#[derive(Clone, Debug, Default)]
pub struct NameRevOptions {
    /// Whether only tags count.
    pub tags: bool,
    /// Globs of refs that count, of their whole names or of what follows a slash; all if there
    /// are none.
    pub refs: Vec<Vec<u8>>,
    /// Globs of refs that do not count.
    pub exclude: Vec<Vec<u8>>,
    /// Whether all commits are named, even those that are older than all that are asked for.
    pub whole: bool,
}

/// The number of a ref, and what follows its name.
type Found = (u32, Vec<u8>);

/// The resumable names of some commits.
pub struct NameRev {
    specs: Vec<Vec<u8>>,
    options: NameRevOptions,
    /// The objects of the revisions, and whether they are commits.
    objects: Vec<(ObjectId, bool)>,
    tips: Tips,
    commits: Option<Commits>,
    asked: Vec<Option<Number>>,
    naming: Naming,
    /// What is answered, once it is known.
    found: Option<Vec<Option<Found>>>,
    /// How many names were written.
    written: usize,
    trust: Trust,
}

impl NameRev {
    /// Creates the question about revisions.
    pub fn new(specs: Vec<Vec<u8>>, options: NameRevOptions) -> NameRev {
        NameRev {
            specs,
            tips: Tips::new(&options),
            options,
            objects: Vec::new(),
            commits: None,
            asked: Vec::new(),
            naming: Naming::default(),
            found: None,
            written: 0,
            trust: Trust::default(),
        }
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// answer is complete.
    ///
    /// A record has: 1 if a glob selected only the end of the ref's name, otherwise 0 (4 bytes);
    /// then, each after its length in 4 bytes, the full name of the ref, and what follows it to
    /// name the commit. A revision without a name has an empty one. An object that is no commit
    /// has the name of a ref to itself.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::Limit`](packlens_base::error::ErrorKind::Limit) if the names take too much
    /// memory.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        while let Some(spec) = self.specs.get(self.objects.len()) {
            repository.files.step()?;
            let id = repository.resolve(spec)?;
            let is_commit = repository.object_type(&id)? == ObjectType::Commit;
            self.objects.push((id, is_commit));
        }
        self.tips.collect(repository)?;
        if self.found.is_none() {
            let found = answer(self, repository, NameRev::find)?;
            self.found = Some(found);
            // Nothing more is read from the commits, which may take half of the memory.
            (self.commits, self.naming) = (None, Naming::default());
        }
        let found = self.found.as_deref().unwrap_or_default();
        while let Some(name) = found.get(self.written).filter(|_| out.len() < capacity) {
            let tip = name.as_ref().and_then(|(tip, suffix)| Some((self.tips.get(*tip)?, suffix)));
            let (is_part, refname, suffix) = match &tip {
                Some((tip, suffix)) => (tip.is_part, tip.refname.as_slice(), suffix.as_slice()),
                None => (false, &b""[..], &b""[..]),
            };
            let length = RECORD_LEN.saturating_add(refname.len()).saturating_add(suffix.len());
            out.appender().reserved(length, |to| {
                to.u32(is_part.into())?;
                to.string(refname)?;
                to.string(suffix)
            })?;
            self.written = self.written.saturating_add(1);
        }
        Ok(self.written >= found.len())
    }

    fn find(&mut self, repository: &mut Repository) -> Result<Vec<Option<Found>>> {
        let commits = match &mut self.commits {
            Some(commits) => commits,
            None => self.commits.insert(Commits::new(repository, self.trust, true)?),
        };
        while let Some((id, is_commit)) = self.objects.get(self.asked.len()) {
            repository.files.step()?;
            let number = if *is_commit { commit_of(commits, repository, id)? } else { None };
            self.asked.push(number);
        }
        let asked = || self.asked.iter().flatten().copied();
        if asked().next().is_some() {
            let cutoff = Cutoff::of(commits, asked(), self.options.whole);
            self.naming.run(commits, repository, &self.tips, &cutoff)?;
        }
        let of_commit = |number: Number| {
            let name = self.naming.get(number)?;
            Some((name.tip, self.naming.suffix(&self.tips, name)))
        };
        let named = self.objects.iter().zip(&self.asked).map(|((id, _), number)| match number {
            Some(number) => of_commit(*number),
            None => self.tips.of(id).map(|tip| (tip, Vec::new())),
        });
        Ok(named.collect())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        let objects = self.objects.capacity().saturating_mul(size_of::<(ObjectId, bool)>());
        let asked = self.asked.capacity().saturating_mul(size_of::<Option<Number>>());
        commits
            .saturating_add(self.tips.memory())
            .saturating_add(self.naming.memory())
            .saturating_add(objects.saturating_add(asked) as u64)
    }
}

impl Restart for NameRev {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.commits.as_mut()
    }

    fn restart(&mut self, trust: Trust) {
        (self.commits, self.naming) = (None, Naming::default());
        self.asked.clear();
        self.trust = trust;
    }
}
