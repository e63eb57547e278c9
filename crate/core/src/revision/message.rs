//! Commits that are meant by their message: `:/text`, `main^{/text}`.

use super::not_found;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Commit, ObjectType};
use crate::oid::ObjectId;
use crate::refs::GatheredRefs;
use crate::regex::{Refused, Regex};
use crate::repository::Repository;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// A search that stopped where bytes were missing; the same question goes on with it.
pub(crate) struct MessageSearch {
    question: u64,
    from: Option<ObjectId>,
    wanted: Vec<u8>,
    regex: Regex,
    /// Commits without such a message are meant.
    negative: bool,
    /// All refs, where it begins with them, until all were read.
    refs: Option<GatheredRefs<ObjectId>>,
    /// What it begins with, as far as that was not read: the last one comes first.
    tips: Vec<ObjectId>,
    /// The newest commit comes first, of those of one date the one that was added first.
    queue: BinaryHeap<(u64, Reverse<u64>, usize)>,
    /// The one whose parents are being read.
    current: Option<usize>,
    read: Vec<Read>,
    seen: BTreeSet<ObjectId>,
}

/// A commit that was read.
struct Read {
    id: ObjectId,
    /// Those that were not read yet: the last one comes first.
    parents: Vec<ObjectId>,
    fits: bool,
}

/// What a commit takes, about.
const ENTRY: u64 = 256;

impl Repository {
    /// Returns the newest commit whose message fits, of those that `from` leads to, or
    /// any ref.
    pub(super) fn find_message(
        &mut self,
        spec: &[u8],
        from: Option<ObjectId>,
        wanted: &[u8],
    ) -> Result<ObjectId> {
        let question = self.files.question();
        let goes_on = |search: &MessageSearch| {
            search.question == question && search.from == from && search.wanted == wanted
        };
        let mut search = match self.message_search.take().filter(|search| goes_on(search)) {
            Some(search) => search,
            None => Box::new(MessageSearch::new(self, spec, from, wanted)?),
        };
        let found = search.run(self);
        if found.as_ref().is_err_and(Error::is_missing) {
            self.message_search = Some(search);
        }
        found?.ok_or_else(|| not_found(spec))
    }
}

impl MessageSearch {
    fn new(
        repository: &mut Repository,
        spec: &[u8],
        from: Option<ObjectId>,
        wanted: &[u8],
    ) -> Result<MessageSearch> {
        let (negative, pattern) = match wanted {
            [b'!', b'-', rest @ ..] => (true, rest),
            [b'!', rest @ ..] if rest.starts_with(b"!") => (false, rest),
            [b'!', ..] => return Err(not_found(spec)),
            wanted => (false, wanted),
        };
        let regex = Regex::new(pattern).map_err(|refused| match refused {
            Refused::Invalid => not_found(spec),
            Refused::Unsupported => {
                let what = "back references and names of characters in an expression";
                Error::new(ErrorKind::Unsupported, what).about(spec)
            }
            Refused::TooLarge => {
                let what = "an expression that takes too much memory";
                Error::new(ErrorKind::Limit, what).about(spec)
            }
        })?;
        repository.look_at_grafts()?;
        Ok(MessageSearch {
            question: repository.files.question(),
            from,
            wanted: wanted.to_vec(),
            regex,
            negative,
            refs: from.is_none().then(|| GatheredRefs::new(&repository.refs, b"refs/")),
            tips: from.into_iter().collect(),
            queue: BinaryHeap::new(),
            current: None,
            read: Vec::new(),
            seen: BTreeSet::new(),
        })
    }

    fn run(&mut self, repository: &mut Repository) -> Result<Option<ObjectId>> {
        if let Some(gathered) = &mut self.refs {
            let (files, refs) = (&repository.files, &repository.refs);
            let head = refs.find_short(files, b"HEAD")?;
            self.tips = gathered.run(files, |record| refs.id_of(files, record))?;
            self.tips.extend(head);
            self.refs = None;
        }
        while let Some(tip) = self.tips.last().copied() {
            self.add(repository, &tip)?;
            self.tips.pop();
        }
        while let Some(at) = self.current.or_else(|| self.queue.pop().map(|(_, _, at)| at)) {
            self.current = Some(at);
            while let Some(parent) = self.read.get(at).and_then(|read| read.parents.last().copied())
            {
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

    /// Reads a commit, unless it was read; what leads to none is passed over.
    fn add(&mut self, repository: &mut Repository, id: &ObjectId) -> Result<()> {
        let memory = (self.read.len() as u64).saturating_mul(ENTRY);
        if memory > repository.memory() / 4 {
            let what = "so many commits take more memory than allowed: raise `memory`";
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
        let fits = self.regex.is_in(decoded.message()) != self.negative;
        let date = decoded.committer().seconds.unwrap_or(0);
        self.seen.insert(commit);
        self.queue.push((date, Reverse(self.read.len() as u64), self.read.len()));
        self.read.push(Read { id: commit, parents, fits });
        Ok(())
    }
}
