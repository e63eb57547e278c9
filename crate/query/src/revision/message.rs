//! Revisions that select a commit by its message: `:/text`, `main^{/text}`.

use super::not_found;
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::ObjectId;
use packlens_base::regex::{Refused, Regex};
use packlens_format::object::{Commit, ObjectType};
use packlens_format::refs::RefListing;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A search that can be interrupted by missing bytes; a retry of the question resumes it.
pub(crate) struct MessageSearch {
    from: Option<ObjectId>,
    expression: Vec<u8>,
    regex: Regex,
    /// Whether the message must not match.
    negative: bool,
    /// The refs to start from, until all were read.
    refs: Option<RefListing>,
    /// The objects to start from that were not read yet; the last one is read first.
    tips: Vec<ObjectId>,
    /// The commits to visit, newest first; of those with the same date, the one that was added
    /// first.
    queue: BinaryHeap<(u64, Reverse<u64>, usize)>,
    /// The commit whose parents are being read.
    current: Option<usize>,
    read: Vec<Read>,
    seen: BTreeSet<ObjectId>,
}

/// A commit that was read.
struct Read {
    id: ObjectId,
    /// The parents that were not read yet; the last one is read first.
    parents: Vec<ObjectId>,
    fits: bool,
}

/// The approximate memory that a commit takes, in bytes.
const ENTRY: u64 = 256;

impl Repository {
    /// Returns the newest commit with a matching message that is reachable from `from`, or
    /// from any ref.
    pub(super) fn find_message(
        &mut self,
        spec: &[u8],
        from: Option<ObjectId>,
        expression: &[u8],
    ) -> Result<ObjectId> {
        self.must_not_be_lost()?;
        let is_same =
            |search: &MessageSearch| search.from == from && search.expression == expression;
        let mut search = match self.progress().search.take().filter(|search| is_same(search)) {
            Some(search) => search,
            None => {
                let search = MessageSearch::new(self, spec, from, expression)?;
                FullOnly::new(|| Box::new(search))?
            }
        };
        let found = search.run(self);
        if found.as_ref().is_err_and(Error::is_missing) {
            self.progress().search = Some(search);
        }
        found?.ok_or_else(|| not_found(spec))
    }
}

impl MessageSearch {
    fn new(
        repository: &mut Repository,
        spec: &[u8],
        from: Option<ObjectId>,
        expression: &[u8],
    ) -> Result<MessageSearch> {
        let (negative, pattern) = match expression {
            [b'!', b'-', rest @ ..] => (true, rest),
            [b'!', rest @ ..] if rest.starts_with(b"!") => (false, rest),
            [b'!', ..] => return Err(not_found(spec)),
            expression => (false, expression),
        };
        let regex = Regex::new(pattern).map_err(|refused| match refused {
            Refused::Invalid => not_found(spec),
            refused => refused.about(spec),
        })?;
        repository.look_at_grafts()?;
        let refs = from.is_none().then(|| RefListing::new(&repository.refs, b"refs/"));
        Ok(MessageSearch {
            from,
            expression: expression.to_vec(),
            regex,
            negative,
            refs,
            tips: from.into_iter().collect(),
            queue: BinaryHeap::new(),
            current: None,
            read: Vec::new(),
            seen: BTreeSet::new(),
        })
    }

    fn run(&mut self, repository: &mut Repository) -> Result<Option<ObjectId>> {
        self.add_refs(repository)?;
        while let Some(tip) = self.tips.last().copied() {
            repository.files.step()?;
            self.add(repository, &tip)?;
            self.tips.pop();
        }
        while let Some(at) = self.current.or_else(|| self.queue.pop().map(|(_, _, at)| at)) {
            self.current = Some(at);
            while let Some(parent) = self.read.get(at).and_then(|read| read.parents.last().copied())
            {
                repository.files.step()?;
                self.add(repository, &parent)?;
                if let Some(read) = self.read.get_mut(at) {
                    read.parents.pop();
                }
            }
            let Some(read) = self.read.get(at) else {
                break;
            };
            if read.fits {
                return Ok(Some(read.id));
            }
            self.current = None;
        }
        Ok(None)
    }

    /// Adds the refs and `HEAD` as starting points, if the search starts from refs. The last
    /// one is read first.
    fn add_refs(&mut self, repository: &Repository) -> Result<()> {
        let Some(listing) = &mut self.refs else {
            return Ok(());
        };
        let (refs, files) = (&repository.refs, &repository.files);
        while let Some(record) = listing.peek(files)? {
            self.tips.extend(refs.id_of(files, record)?);
            listing.advance();
        }
        self.tips.extend(refs.find_short(files, b"HEAD")?);
        self.refs = None;
        Ok(())
    }

    /// Returns how many bytes of memory the search takes.
    pub fn memory(&self) -> u64 {
        let tips = self.tips.capacity().saturating_mul(size_of::<ObjectId>()) as u64;
        let refs = self.refs.as_ref().map_or(0, RefListing::memory);
        (self.read.len() as u64).saturating_mul(ENTRY).saturating_add(tips).saturating_add(refs)
    }

    /// Reads a commit, unless it was read before; objects that do not lead to a commit are
    /// skipped.
    fn add(&mut self, repository: &mut Repository, id: &ObjectId) -> Result<()> {
        let memory = (self.read.len() as u64).saturating_mul(ENTRY);
        if memory > repository.memory() / 4 {
            let what = "the commits take more memory than allowed: raise `memory`";
            return Err(Error::new(ErrorKind::Limit, what));
        }
        let commit = match repository.peel(id, None) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            commit => commit?,
        };
        if self.seen.contains(&commit) || repository.object_type(&commit)? != ObjectType::Commit {
            return Ok(());
        }
        let content = repository.read_of_type(&commit, ObjectType::Commit)?;
        let decoded = Commit::decode(repository.hash(), &content)?;
        let parents = repository.grafted_parents(&commit).unwrap_or(decoded.parents());
        let mut parents = parents.to_vec();
        parents.reverse();
        let fits = self.regex.is_in(decoded.searched_message()) != self.negative;
        let date = decoded.committer().seconds.unwrap_or(0);
        self.seen.insert(commit);
        self.queue.push((date, Reverse(self.read.len() as u64), self.read.len()));
        self.read.push(Read { id: commit, parents, fits });
        Ok(())
    }
}
