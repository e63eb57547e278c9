//! Which commit last changed each entry of a directory: git-last-modified(1), and `git log -1`
//! of each entry. One walk answers for all entries.

mod entries;

use super::answer::{self, Finding, Restart, Trust};
use super::commits::{Commits, Flags, Number};
use super::merged::Merged;
use super::queue::Queue;
use super::tips::named_commit;
use super::tree_cache::TreeCache;
use crate::repository::Repository;
use entries::{Entries, Entry};
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, MAX_OID_LEN};

/// The bytes of a record beside the name and the ids.
const RECORD_LEN: usize = 4 * 4;

/// The mark of commits that excluded ones reach.
const EXCLUDED: Flags = 1;

/// How many commits are visited at a time to learn whether one is excluded.
const STEPS: u32 = 64;

/// Options of the walk.
#[derive(Clone, Debug, Default)]
pub struct LastModifiedOptions {
    /// Only these entries of the directory are sought; all if there are none.
    pub names: Vec<Vec<u8>>,
    /// How many levels of trees below the directory are entered.
    pub depth: u32,
    /// Whether trees that are entered are sought, too.
    pub trees: bool,
    /// Revisions at whose commits, and those that they reach, the search ends.
    pub excluded: Vec<Vec<u8>>,
}

/// A resumable walk. From a commit that has an entry as one of its parents has it, the entry is
/// sought in the first such parent only, as by git's default simplification: so each entry is at
/// one commit at a time.
pub struct LastModified {
    spec: Vec<u8>,
    names: Vec<Vec<u8>>,
    options: LastModifiedOptions,
    entries: Entries,
    commits: Option<Commits>,
    /// What the excluded commits reach, if there are any.
    excluded: Option<Merged>,
    /// The commit to begin with, which as in git counts even if an excluded one reaches it.
    tip: Number,
    queue: Queue,
    /// The commits of the queue, and parents that were compared.
    places: Vec<Place>,
    trees: TreeCache,
    trust: Trust,
    is_started: bool,
    /// The entries that the current call found.
    found_now: Vec<u32>,
}

/// What is known of a commit.
struct Place {
    number: Number,
    /// The entries that are sought at it.
    sought: Vec<u32>,
    /// The directory, once it is known; `None` where the commit has none.
    directory: Option<Option<ObjectId>>,
}

impl LastModified {
    /// Creates the walk from a revision. `path` is the directory; empty for the root.
    pub fn new(spec: &[u8], path: &[u8], options: LastModifiedOptions) -> LastModified {
        let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        LastModified {
            spec: spec.to_vec(),
            names: names.map(<[u8]>::to_vec).collect(),
            options,
            entries: Entries::default(),
            commits: None,
            excluded: None,
            tip: Number::default(),
            queue: Queue::by_date(),
            places: Vec::new(),
            trees: TreeCache::unchecked(Trust::default()),
            trust: Trust::default(),
            is_started: false,
            found_now: Vec::new(),
        }
    }

    /// Appends records to `out` until it is about `capacity` bytes long or the caller may wait
    /// for more; returns whether the walk is complete.
    ///
    /// A record has: the entry's mode (4 bytes), the length of an id (4), the length of the name
    /// (4), 1 if the commit is excluded and so an older one may have changed the entry, otherwise
    /// 0 (4), the id of the entry, the id of the commit, and the name: names joined by `/` if the
    /// entry is in a directory below.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::NotFound`] if there is no such directory.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        self.found_now.clear();
        answer::fill(self, repository, capacity, out)
    }

    /// Seeks entries at a parsed commit.
    fn seek(&mut self, commits: &Commits, number: Number, mut entries: Vec<u32>) {
        let is_new = self.known(number).is_none_or(|place| place.sought.is_empty());
        self.note(number, |place| place.sought.append(&mut entries));
        if is_new {
            self.queue.add(commits, number);
        }
    }

    /// Returns what is known of a commit.
    fn known(&self, number: Number) -> Option<&Place> {
        self.places.iter().rev().find(|place| place.number == number)
    }

    /// Notes what is known of a commit.
    fn note(&mut self, number: Number, note: impl FnOnce(&mut Place)) {
        match self.places.iter_mut().rev().find(|place| place.number == number) {
            Some(place) => note(place),
            None => {
                let mut place = Place { number, sought: Vec::new(), directory: None };
                note(&mut place);
                self.places.push(place);
            }
        }
    }

    /// Compares a commit with its parents, and appends the entries that it changed. If bytes are
    /// missing, nothing has changed.
    fn visit(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        out: &mut Output,
    ) -> Result<()> {
        let mut left = self.known(number).map(|place| place.sought.clone()).unwrap_or_default();
        let mut moves = Vec::new();
        let is_excluded = self.is_excluded(commits, repository, number)?;
        for (at, place) in commits.parents(number).enumerate() {
            if left.is_empty() || is_excluded {
                break;
            }
            let parent = commits.edge(place);
            let (same, changed) = self.compare(commits, repository, number, (at, parent), left)?;
            left = changed;
            if !same.is_empty() {
                commits.parse(repository, parent)?;
                moves.push((parent, same));
            }
        }
        if !left.is_empty() {
            let commit = commits.id(repository, number)?;
            for at in &left {
                if let Some(entry) = self.entries.get(*at) {
                    append(entry, &commit, is_excluded, out)?;
                }
            }
        }
        for at in left {
            if let Some(entry) = self.entries.get_mut(at) {
                entry.is_found = true;
                self.found_now.push(at);
            }
        }
        // A parent may be newer than its child, and so the next in the queue.
        self.queue.pass();
        self.places.retain(|place| place.number != number);
        for (parent, entries) in moves {
            self.seek(commits, parent, entries);
        }
        Ok(())
    }

    /// Splits entries into those that a parent has, too, and the others.
    fn compare(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
        (at, parent): (usize, Number),
        entries: Vec<u32>,
    ) -> Result<(Vec<u32>, Vec<u32>)> {
        // A filter compares with the first parent.
        let filter = if at == 0 { commits.path_filter(repository, number)? } else { None };
        let (mut same, mut rest) = (Vec::new(), entries);
        if let Some(filter) = filter {
            let may = |place: &u32| {
                self.entries.get(*place).is_some_and(|entry| filter.may_have(&entry.key))
            };
            (rest, same) = rest.into_iter().partition(may);
            if rest.is_empty() {
                return Ok((same, rest));
            }
        }
        let new = self.directory(commits, repository, number)?;
        let old = self.directory(commits, repository, parent)?;
        match (old, new) {
            (Some(old), Some(new)) if old != new => {
                // The commit has the entries that are sought at it as the first one has them.
                let LastModified { trees, entries, .. } = self;
                let (mut kept, changed) = entries.compare(repository, trees, (old, new), rest)?;
                same.append(&mut kept);
                Ok((same, changed))
            }
            (Some(_), _) => {
                same.append(&mut rest);
                Ok((same, rest))
            }
            (None, _) => Ok((same, rest)),
        }
    }

    /// Returns whether an excluded commit reaches this one.
    fn is_excluded(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<bool> {
        let Some(excluded) = self.excluded.as_mut().filter(|_| number != self.tip) else {
            return Ok(false);
        };
        loop {
            let reached = excluded.is_reached(commits, repository, number, &mut STEPS.clone())?;
            if let Some(is_reached) = reached {
                return Ok(is_reached);
            }
            repository.files.step()?;
        }
    }

    /// Returns the directory at a commit; `None` if there is none.
    fn directory(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        number: Number,
    ) -> Result<Option<ObjectId>> {
        if let Some(known) = self.known(number).and_then(|place| place.directory) {
            return Ok(known);
        }
        commits.parse(repository, number)?;
        let mut tree = Some(commits.compared_tree(repository, number)?);
        for name in &self.names {
            let Some(above) = tree else { break };
            let entry = self.trees.entry(repository, &above, name)?;
            tree = entry.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id);
        }
        self.note(number, |place| place.directory = Some(tree));
        Ok(tree)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let commits = self.commits.as_ref().map_or(0, Commits::memory);
        let sought = self.places.iter().map(|place| place.sought.capacity().saturating_mul(4));
        let sought = sought.fold(0, usize::saturating_add);
        let places = self.places.capacity().saturating_mul(size_of::<Place>());
        let excluded = self.excluded.as_ref().map_or(0, Merged::memory);
        commits
            .saturating_add(self.entries.memory())
            .saturating_add(excluded)
            .saturating_add(self.queue.memory())
            .saturating_add(self.trees.memory())
            .saturating_add(sought.saturating_add(places) as u64)
    }
}

impl Finding for LastModified {
    fn relies_on_generations(&self) -> bool {
        !self.options.excluded.is_empty()
    }

    fn commits_place(&mut self) -> (&mut Option<Commits>, Trust) {
        (&mut self.commits, self.trust)
    }

    fn is_started(&mut self) -> &mut bool {
        &mut self.is_started
    }

    /// Seeks the entries that were not found yet at the commit that the revision names.
    fn start(&mut self, commits: &mut Commits, repository: &mut Repository) -> Result<()> {
        let tip = named_commit(commits, repository, &self.spec)?;
        let directory = self.directory(commits, repository, tip)?;
        let Some(directory) = directory else {
            let what = "the commit has no such directory";
            return Err(Error::new(ErrorKind::NotFound, what).about(self.names.join(&b'/')));
        };
        let LastModified { trees, names, options, entries, .. } = self;
        entries.list(repository, trees, (&directory, names), options)?;
        if !self.options.excluded.is_empty() {
            let named = self.options.excluded.iter();
            let named = named.map(|spec| named_commit(commits, repository, spec));
            let named: Vec<Number> = named.collect::<Result<_>>()?;
            if named.contains(&tip) {
                return Ok(());
            }
            self.tip = tip;
            self.excluded = Some(Merged::new(commits, &named, EXCLUDED));
        }
        let sought = self.entries.sought();
        if !sought.is_empty() {
            self.seek(commits, tip, sought);
        }
        Ok(())
    }

    fn step(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        out: &mut Output,
    ) -> Result<bool> {
        let Some(number) = self.queue.peek() else {
            return Ok(true);
        };
        self.visit(commits, repository, number, out)?;
        Ok(false)
    }
}

impl Restart for LastModified {
    fn commits(&mut self) -> Option<&mut Commits> {
        self.commits.as_mut()
    }

    fn trees(&mut self) -> Option<&mut TreeCache> {
        Some(&mut self.trees)
    }

    fn restart(&mut self, trust: Trust) {
        (self.commits, self.excluded, self.is_started) = (None, None, false);
        self.queue = Queue::by_date();
        self.places.clear();
        for at in self.found_now.drain(..) {
            if let Some(entry) = self.entries.get_mut(at) {
                entry.is_found = false;
            }
        }
        self.trees = TreeCache::unchecked(trust);
        self.trust = trust;
    }
}

fn append(entry: &Entry, commit: &ObjectId, is_excluded: bool, out: &mut Output) -> Result<()> {
    let ids = MAX_OID_LEN.saturating_mul(2);
    let length = RECORD_LEN.saturating_add(ids).saturating_add(entry.path.len());
    out.appender().reserved(length, |to| {
        to.u32(entry.mode.0)?;
        to.u32(commit.hash().len() as u32)?;
        to.u32(entry.path.len() as u32)?;
        to.u32(is_excluded.into())?;
        to.oid(&entry.id)?;
        to.oid(commit)?;
        to.bytes(&entry.path)
    })
}
