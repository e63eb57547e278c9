//! The commits that a walk begins with, and those that it excludes:
//! <https://git-scm.com/docs/git-rev-list#_description>.

use super::commits::{Commits, Number};
use super::marks::{mark_ancestors, BOTTOM, SEEN, UNINTERESTING};
use super::merge_base::Asking;
use super::objects::{add_start_object, StartObject};
use super::paint::{sort_by_date, Paintings};
use crate::repository::Repository;
use crate::revision::{split_path, stage_of};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::{require_full, FullOnly, IS_FULL};
use packlens_base::oid::ObjectId;
use packlens_base::sort;
use packlens_format::object::ObjectType;
use packlens_format::refs::{RefListing, RefRecord, RefValue};

const HEAD: &[u8] = b"HEAD";

/// An object that is requested or excluded.
struct Pending {
    object: ObjectId,
    /// The object at the end of a chain of tags, if the record of the ref has it.
    peeled: Option<ObjectId>,
    uninteresting: bool,
    /// The object is the left side of `a...b`.
    is_left: bool,
    /// The path of a spec such as `HEAD:path`, otherwise empty.
    path: Vec<u8>,
}

/// Resolves a list of specs, one after the other.
pub(super) struct Tips {
    specs: Vec<Vec<u8>>,
    at: usize,
    /// The refs of the current spec that are not added yet.
    refs: Option<RefListing>,
    /// An odd number of `--not` was read.
    negated: bool,
    pending: Vec<Pending>,
    paintings: Paintings,
    /// The commits of the first pending objects.
    found: Vec<Option<Number>>,
    /// The objects of these that are not commits, if objects are to be listed.
    objects: Option<FullOnly<Vec<StartObject>>>,
}

/// The tips of a walk.
pub(super) struct Begun {
    /// The tips, newest first.
    pub(super) tips: Vec<Number>,
    /// Some commits are uninteresting.
    pub(super) leaves_out: bool,
    /// The requested objects that are not commits.
    pub(super) objects: Vec<StartObject>,
    /// The left sides of `a...b`.
    pub(super) lefts: Vec<Number>,
}

impl Tips {
    /// Creates the tips; with `objects` also objects count that are no commits.
    pub fn new(specs: Vec<Vec<u8>>, objects: bool) -> Tips {
        Tips {
            specs,
            at: 0,
            refs: None,
            negated: false,
            pending: Vec::new(),
            paintings: Paintings::default(),
            found: Vec::new(),
            // The reader does not list objects: `RevList` asks for the full module first.
            objects: objects.then(|| FullOnly::new(Vec::new).ok()).flatten(),
        }
    }

    /// Resolves all specs, and marks the excluded commits and their ancestors by the first `most`
    /// parents of each. The tips are sorted by date, unless they keep the order of the specs.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and of
    /// reading.
    #[inline(never)]
    pub(super) fn run(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        most: usize,
        keeps_order: bool,
    ) -> Result<Begun> {
        while let Some(spec) = self.specs.get(self.at).cloned() {
            repository.files.step()?;
            self.expand(commits, repository, &spec)?;
            (self.at, self.refs) = (self.at.saturating_add(1), None);
        }
        while let Some(pending) = self.pending.get(self.found.len()) {
            repository.files.step()?;
            let id = pending.peeled.unwrap_or(pending.object);
            let found = match commit_of(commits, repository, &id) {
                Err(error) if commits.absent.is_some() && !error.is_missing() => {
                    let tip = (&pending.object, pending.path.as_slice(), pending.uninteresting);
                    let objects = self.objects.as_deref_mut();
                    commits.pass_absent_tip(repository, tip, objects, error)?;
                    self.found.push(None);
                    continue;
                }
                found => found.map_err(|error| self.ahead(error, repository))?,
            };
            if let Some(objects) = &mut self.objects {
                // Most refs point to commits, which are known by now and need no read.
                if found.is_none() || !commits.is_known(repository, &pending.object)? {
                    let (object, path) = (pending.object, &pending.path);
                    let uninteresting = pending.uninteresting;
                    let missing =
                        add_start_object(repository, &object, path, uninteresting, objects)?;
                    if let Some(id) = missing {
                        repository.object_type(&id)?;
                    }
                }
            }
            self.found.push(found);
        }
        let mut begun = self.begin(commits, most);
        if !(IS_FULL && keeps_order) {
            sort_by_date(commits, &mut begun.tips);
        }
        begun.objects = self.objects.take().map(FullOnly::into_inner).unwrap_or_default();
        Ok(begun)
    }

    fn begin(&self, commits: &mut Commits, most: usize) -> Begun {
        let uninteresting = self.pending.iter().filter(|pending| pending.uninteresting);
        let mut all_uninteresting: Vec<_> = uninteresting.map(|pending| pending.object).collect();
        sort::by_id(&mut all_uninteresting, |id| id);
        let all = || {
            let found = self.found.iter().copied();
            let both = self.pending.iter().zip(found);
            both.filter_map(|(pending, found)| Some((pending, found?)))
        };
        // A tag is excluded by its own id; the commit it leads to is marked in the next loop.
        for (pending, number) in all() {
            if pending.uninteresting && pending.peeled.is_none_or(|peeled| peeled == pending.object)
            {
                commits.set(number, UNINTERESTING);
            }
        }
        let mut begun =
            Begun { tips: Vec::new(), leaves_out: false, objects: Vec::new(), lefts: Vec::new() };
        for (pending, number) in all() {
            if all_uninteresting.binary_search(&pending.object).is_ok() {
                commits.set(number, UNINTERESTING | BOTTOM);
                mark_ancestors(commits, number, if IS_FULL { most } else { usize::MAX });
                begun.leaves_out = true;
            }
            if pending.is_left && IS_FULL {
                begun.lefts.push(number);
            }
            if !commits.has(number, SEEN) {
                commits.set(number, SEEN);
                begun.tips.push(number);
            }
        }
        begun
    }

    pub fn memory(&self) -> u64 {
        let pending = self.pending.capacity().saturating_mul(size_of::<Pending>());
        let refs = self.refs.as_ref().map_or(0, RefListing::memory);
        (pending as u64).saturating_add(self.paintings.memory()).saturating_add(refs)
    }

    fn ahead(&self, error: Error, repository: &mut Repository) -> Error {
        let next = self.found.len().saturating_add(1);
        repository.looking_ahead(error, None, |at| {
            let pending = self.pending.get(next.saturating_add(at as usize))?;
            Some(pending.peeled.unwrap_or(pending.object))
        })
    }

    /// Adds the objects that a spec stands for, in git's order.
    fn expand(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        spec: &[u8],
    ) -> Result<()> {
        // The reader knows revisions only: no options, no ranges, nothing to exclude.
        if spec.starts_with(b"-") || spec.starts_with(b"^") || Range::split(spec).is_some() {
            require_full()?;
        }
        match spec {
            b"--not" if IS_FULL => {
                self.negated = !self.negated;
                return Ok(());
            }
            b"--all" if IS_FULL => {
                self.add_refs(repository, b"refs/")?;
                return self.add_head(repository);
            }
            b"--branches" if IS_FULL => return self.add_refs(repository, b"refs/heads/"),
            b"--tags" if IS_FULL => return self.add_refs(repository, b"refs/tags/"),
            b"--remotes" if IS_FULL => return self.add_refs(repository, b"refs/remotes/"),
            [b'-', ..] => {
                let what = "an option among the revisions is unknown";
                return Err(Error::new(ErrorKind::BadInput, what).about(spec));
            }
            _ => {}
        }
        if let Some(range) = Range::split(spec) {
            require_full()?;
            match self.expand_range(commits, repository, &range) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                result => return result,
            }
        }
        match spec.strip_prefix(b"^") {
            Some(name) => {
                let id = repository.resolve(name)?;
                self.add(id, !self.negated);
                self.name_last(name);
            }
            None => {
                let id = repository.resolve(spec)?;
                self.add(id, self.negated);
                self.name_last(spec);
            }
        }
        Ok(())
    }

    fn expand_range(
        &mut self,
        commits: &mut Commits,
        repository: &mut Repository,
        range: &Range<'_>,
    ) -> Result<()> {
        let from = repository.resolve_committish(range.from)?;
        let to = repository.resolve_committish(range.to)?;
        if !range.symmetric {
            self.add(from, !self.negated);
            self.add(to, self.negated);
            return Ok(());
        }
        require_full()?;
        let mut both = [0; 2];
        for (number, (id, spec)) in both.iter_mut().zip([(from, range.from), (to, range.to)]) {
            *number = expect_commit(commits, repository, &id, spec)?;
        }
        let [one, other] = both;
        let mut paintings = std::mem::take(&mut self.paintings);
        paintings.begin();
        let bases =
            Asking { commits, repository, paintings: &mut paintings }.merge_bases(one, &[other]);
        self.paintings = if bases.is_ok() { Paintings::default() } else { paintings };
        for base in bases? {
            let id = commits.id(repository, base)?;
            self.add(id, !self.negated);
        }
        self.add(from, self.negated);
        if let Some(last) = self.pending.last_mut() {
            last.is_left = true;
        }
        self.add(to, self.negated);
        Ok(())
    }

    fn add(&mut self, object: ObjectId, uninteresting: bool) {
        self.pending.push(Pending {
            object,
            peeled: None,
            uninteresting,
            is_left: false,
            path: Vec::new(),
        });
    }

    /// Stores the path of a spec such as `HEAD:path` or `:0:path` with the object added last.
    fn name_last(&mut self, spec: &[u8]) {
        let path = match split_path(spec) {
            Some((b"", path)) if IS_FULL => stage_of(path).1,
            Some((_, path)) => path,
            None => return,
        };
        if let Some(last) = self.pending.last_mut() {
            last.path = path.to_vec();
        }
    }

    fn add_refs(&mut self, repository: &Repository, prefix: &[u8]) -> Result<()> {
        let listing = || RefListing::new(repository.refs(), prefix);
        let mut listing = self.refs.take().unwrap_or_else(listing);
        let added = self.add_listed(repository, &mut listing);
        // The listing is kept even when it is complete: a retry must not add its refs again.
        self.refs = Some(listing);
        added
    }

    fn add_listed(&mut self, repository: &Repository, listing: &mut RefListing) -> Result<()> {
        while let Some(RefRecord { value, peeled, .. }) = listing.peek(&repository.files)? {
            let object = match value {
                RefValue::Id(id) => Some(*id),
                RefValue::Broken => None,
                RefValue::Symbolic(target) => followed(repository, target)?,
            };
            let peeled = peeled.flatten();
            let (uninteresting, path) = (self.negated, Vec::new());
            let pending = object.map(|object| Pending {
                object,
                peeled,
                uninteresting,
                is_left: false,
                path,
            });
            self.pending.extend(pending);
            listing.advance();
        }
        Ok(())
    }

    fn add_head(&mut self, repository: &Repository) -> Result<()> {
        if let Some(id) = followed(repository, HEAD)? {
            self.add(id, self.negated);
        }
        Ok(())
    }
}

/// Returns the object that a ref leads to; `None` if the ref is missing or broken.
pub(super) fn followed(repository: &Repository, name: &[u8]) -> Result<Option<ObjectId>> {
    match repository.refs().follow(&repository.files, name) {
        Ok((_, id)) => Ok(id),
        Err(error) if error.is_missing() => Err(error),
        Err(_) => Ok(None),
    }
}

/// Returns the commit that an object is, or that a tag leads to, and parses it; `None` if the
/// object is a tree or blob, or a tag of one.
///
/// # Errors
///
/// Missing files and bytes; [`ErrorKind::NotFound`]; errors of reading.
pub(super) fn commit_of(
    commits: &mut Commits,
    repository: &mut Repository,
    id: &ObjectId,
) -> Result<Option<Number>> {
    let mut commit = *id;
    if !commits.is_in_graph(repository, id)? {
        commit = repository.peel(id, None)?;
        if repository.object_type(&commit)? != ObjectType::Commit {
            return Ok(None);
        }
    }
    let number = commits.number_of(repository, &commit)?;
    commits.parse(repository, number)?;
    Ok(Some(number))
}

/// Returns the commit that a revision names, and parses it.
///
/// # Errors
///
/// Those of [`Repository::resolve_committish`]; [`ErrorKind::WrongType`] for another object.
pub(super) fn named_commit(
    commits: &mut Commits,
    repository: &mut Repository,
    spec: &[u8],
) -> Result<Number> {
    let id = repository.resolve_committish(spec)?;
    expect_commit(commits, repository, &id, spec)
}

/// As [`commit_of`], of an object that must lead to a commit; `spec` named it.
fn expect_commit(
    commits: &mut Commits,
    repository: &mut Repository,
    id: &ObjectId,
    spec: &[u8],
) -> Result<Number> {
    commit_of(commits, repository, id)?.ok_or_else(|| {
        Error::new(ErrorKind::WrongType, "the object is not a commit or a tag of one").about(spec)
    })
}

/// Two revisions with dots between them.
pub(super) struct Range<'a> {
    pub(super) from: &'a [u8],
    pub(super) to: &'a [u8],
    pub(super) symmetric: bool,
}

impl<'a> Range<'a> {
    /// Splits a spec at its dots; `None` if there are none, or if the spec is `..`, the parent
    /// directory.
    pub(super) fn split(spec: &'a [u8]) -> Option<Range<'a>> {
        let at = spec.windows(2).position(|pair| pair == b"..")?;
        let (from, rest) = spec.split_at_checked(at)?;
        let symmetric = rest.starts_with(b"...");
        let to = rest.get(if symmetric { 3 } else { 2 }..)?;
        if from.is_empty() && to.is_empty() && !symmetric {
            return None;
        }
        let or_head = |name: &'a [u8]| if name.is_empty() { HEAD } else { name };
        Some(Range { from: or_head(from), to: or_head(to), symmetric })
    }
}
