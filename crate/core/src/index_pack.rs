//! Indexing a pack, which may lack bases, and verifying one with its index: git's
//! `index-pack` and `verify-pack`.

use crate::appender::{Append, Output};
use crate::block::FileId;
use crate::checks::{MessageId, Severities};
use crate::error::{Error, ErrorKind, Result};
use crate::hash::Collisions;
use crate::index::{
    Build, Checking, Comparison, Indexes, Listing, PackFinding, Progress, Share, Strict, Thin,
};
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::object::ObjectType;
use crate::repository::Repository;
use crate::stretches::Stretches;

/// What is wanted of a pack.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct IndexWishes {
    /// To look for collisions.
    pub collisions: Collisions,
    /// The index.
    pub index: bool,
    /// The reverse index.
    pub reverse: bool,
    /// To know that the index that is there is right.
    pub verify: bool,
    /// A line about each entry.
    pub lines: bool,
    /// How many chains there are of each length.
    pub summary: bool,
    /// What is done about bases that are not in the pack: the repository is asked
    /// for them.
    pub thin: Thin,
    /// What part of it is wanted.
    pub share: Share,
    /// What is checked of its objects; of no part of it anything is.
    pub strict: Strict,
}

/// What a record of the answer is. Each is this number in a byte, the length of
/// its content in 4 bytes, low ones first, and the content.
enum Record {
    /// How much is done of how much, 8 bytes each.
    Progress,
    /// Bytes of the index.
    Index,
    /// Bytes of the reverse index.
    Reverse,
    /// The number of objects in 4 bytes, and the checksum of the pack.
    Facts,
    /// Text about the entries.
    Text,
    /// Ids of objects, for the instance that leads: [`Build::take_ids`].
    Ids,
    /// What completes a thin pack: [`Indexes::take_tail`].
    Tail,
    /// Something that git would say of an object: how much it weighs (0 an error, 1 a
    /// warning, 2 neither) and whether it is late, a byte each; the id, git's name for
    /// it, and the message, each behind its length in 4 bytes.
    Finding,
}

/// Bytes of an answer that are longer than its buffer.
struct Whole {
    record: Record,
    bytes: Vec<u8>,
    done: usize,
}

enum State {
    Opening,
    Building(FileId, Box<Build>),
    Made(Box<Made>),
    Done,
}

/// What is known of the pack, and what is still to be told of it.
struct Made {
    file: FileId,
    index_path: Vec<u8>,
    indexes: Indexes,
    wishes: IndexWishes,
    comparison: Option<Comparison>,
    listing: Option<Listing>,
    whole: Option<Whole>,
    /// What is still to be asked of the repository.
    checking: Option<Checking>,
}

/// The making of an index, to be told as records.
pub struct IndexPack {
    pack_path: Vec<u8>,
    index_path: Vec<u8>,
    wishes: IndexWishes,
    severities: Severities,
    limits: Limits,
    inflater: Box<Inflater>,
    /// All stretches were claimed, and are done.
    is_last: bool,
    state: State,
    /// What it ends with, once it was told what was found.
    failed: Option<Error>,
}

impl IndexPack {
    /// Begins with the paths of a pack and of its index, which is looked for only
    /// to verify it. Nothing is read yet.
    pub fn new(
        pack_path: &[u8],
        index_path: &[u8],
        wishes: IndexWishes,
        limits: Limits,
    ) -> IndexPack {
        IndexPack {
            pack_path: pack_path.to_vec(),
            index_path: index_path.to_vec(),
            wishes,
            severities: Severities::new(true),
            limits,
            inflater: Box::default(),
            is_last: wishes.share == Share::Whole,
            state: State::Opening,
            failed: None,
        }
    }

    /// Sets how much what is found weighs; to be called before the first step.
    #[must_use]
    pub fn with_severities(mut self, severities: Severities) -> IndexPack {
        self.severities = severities;
        self
    }

    /// Returns how many stretches there are, as [`Build::stretches`] does.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and ask again.
    pub fn stretches(&mut self, repository: &Repository) -> Result<Stretches> {
        if matches!(self.state, State::Opening) {
            self.open(repository)?;
        }
        match &self.state {
            State::Building(file, build) => build.stretches(&repository.files.source(*file)),
            _ => Err(Error::new(ErrorKind::BadInput, "an index that is made already")),
        }
    }

    /// Goes on with a stretch; behind the last one, with the index.
    pub fn claim(&mut self, stretch: Option<u32>) {
        if let State::Building(_, build) = &mut self.state {
            match stretch {
                Some(stretch) => build.claim(stretch),
                None => self.is_last = true,
            }
        }
    }

    /// Takes ids in that another instance found.
    pub fn put_ids(&mut self, ids: &[u8]) {
        if let State::Building(_, build) = &mut self.state {
            build.put_ids(ids);
        }
    }

    fn open(&mut self, repository: &Repository) -> Result<()> {
        let file = find(repository, &self.pack_path)?;
        let build = Build::new(&repository.files.source(file), repository.hash())?
            .with_collisions(self.wishes.collisions)
            .with_thin(self.wishes.thin)
            .with_share(self.wishes.share, self.limits.stretch)
            .with_strict(self.wishes.strict, self.severities.clone(), &self.limits);
        self.state = State::Building(file, Box::new(build));
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        match &self.state {
            State::Building(_, build) => build.memory(),
            State::Made(made) => made.memory(),
            State::Opening | State::Done => 0,
        }
    }

    /// Goes on, and appends records to `out` until that is about `capacity` bytes
    /// long, or progress is to be told; tells whether that was the last. What is
    /// shared is done for now when the stretch that was claimed is.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and go on. Those of [`Build::step`];
    /// [`ErrorKind::Corrupt`] if the index is not what it should be.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let told = self.go_on(repository, capacity, out);
        let findings = match &mut self.state {
            State::Building(_, build) => build.take_findings(),
            State::Made(made) => made.take_findings(),
            State::Opening | State::Done => Vec::new(),
        };
        if findings.is_empty() {
            return told;
        }
        findings.iter().try_for_each(|finding| append_finding(out, finding))?;
        // Records are lost with an error.
        told.or_else(|error| {
            self.failed = Some(error).filter(|error| !error.is_missing());
            Ok(false)
        })
    }

    fn go_on(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Opening => {
                self.state = State::Opening;
                self.open(repository)?;
                Ok(false)
            }
            State::Building(file, mut build) => {
                let stepped = self.step(repository, file, &mut build);
                let progress = match stepped {
                    Ok(progress) => progress,
                    Err(error) => {
                        self.state = State::Building(file, build);
                        return Err(error);
                    }
                };
                let mut bytes = [0; 16];
                let numbers = progress.done.to_le_bytes().into_iter();
                let numbers = numbers.chain(progress.total.to_le_bytes());
                bytes.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
                append(out, &Record::Progress, &bytes)?;
                let ids = build.take_ids(capacity);
                if !ids.is_empty() {
                    append(out, &Record::Ids, &ids)?;
                }
                let is_idle = build.is_idle() && !build.is_stuck();
                if self.is_last && is_idle && !progress.is_complete() {
                    return Err(build.unresolved(&repository.files.source(file)));
                }
                let waits = build.is_idle() && ids.is_empty() && !self.is_last;
                self.state = match self.is_last && progress.is_complete() {
                    false => State::Building(file, build),
                    true => {
                        // Its parts give way to what it is written in.
                        let own = build.memory().saturating_add(build.finishing_memory());
                        repository.files.hold(own)?;
                        let index_path = std::mem::take(&mut self.index_path);
                        let checking = build.take_checking();
                        let indexes = build.finish()?;
                        let mut made = Made::new(file, index_path, indexes, self.wishes);
                        made.checking = checking;
                        State::Made(Box::new(made))
                    }
                };
                Ok(waits)
            }
            State::Made(mut made) => {
                let told = made.fill(repository, capacity, out);
                if !matches!(told, Ok(true)) {
                    self.state = State::Made(made);
                }
                told
            }
            State::Done => Ok(true),
        }
    }

    /// Goes on with a pack, and gives it a base from the repository when nothing else
    /// is left to do.
    fn step(
        &mut self,
        repository: &mut Repository,
        file: FileId,
        build: &mut Build,
    ) -> Result<Progress> {
        if self.is_last && build.is_stuck() {
            repository.odb.give_base(&mut repository.files, file, build)?;
        }
        build.step(&repository.files.source(file), &mut self.inflater, &self.limits)
    }
}

impl Made {
    fn new(file: FileId, index_path: Vec<u8>, indexes: Indexes, wishes: IndexWishes) -> Made {
        Made {
            file,
            index_path,
            indexes,
            wishes,
            comparison: None,
            listing: None,
            whole: None,
            checking: None,
        }
    }

    fn memory(&self) -> u64 {
        let whole = self.whole.as_ref().map_or(0, |whole| whole.bytes.capacity() as u64);
        let listing = self.listing.as_ref().map_or(0, Listing::memory);
        let checking = self.checking.as_ref().map_or(0, Checking::memory);
        let own = whole.saturating_add(listing).saturating_add(checking);
        self.indexes.memory().saturating_add(own)
    }

    fn take_findings(&mut self) -> Vec<PackFinding> {
        self.checking.as_mut().map(Checking::take_findings).unwrap_or_default()
    }

    /// Asks the repository for what the pack's objects lead to, and for settings that
    /// the pack has not.
    fn check_outside(&mut self, repository: &mut Repository) -> Result<()> {
        let Some(checking) = &mut self.checking else {
            return Ok(());
        };
        while let Some((id, wanted)) = checking.next_link() {
            let found = match self.indexes.type_of(&id) {
                Some(object_type) => Some(object_type),
                None => match repository.odb.stored_type(&mut repository.files, &id) {
                    Ok(object_type) => Some(object_type),
                    Err(error) if error.kind() == ErrorKind::NotFound => None,
                    Err(error) if error.kind() == ErrorKind::Promised => Some(wanted),
                    Err(error) => return Err(error),
                },
            };
            checking.pass_link(found)?;
        }
        if let Some(id) = self.indexes.twice().filter(|_| checking.is_of_links()) {
            let what = "an object that the pack has twice";
            return Err(Error::new(ErrorKind::Corrupt, what).about(id.to_hex()));
        }
        while let Some(id) = checking.next_special() {
            let read = repository.odb.read_stored(&mut repository.files, &id);
            let found = match &read {
                Ok((object_type, content)) => Some((*object_type, Some(content.as_slice()))),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) if error.kind() == ErrorKind::Limit => Some((ObjectType::Blob, None)),
                Err(error) => return Err(error.clone()),
            };
            checking.special(&id, found, true)?;
        }
        Ok(())
    }

    fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if self.checking.is_some() {
            self.check_outside(repository)?;
            if self.checking.as_ref().is_some_and(Checking::has_findings) {
                return Ok(false);
            }
            self.checking = None;
        }
        if std::mem::take(&mut self.wishes.verify) {
            self.comparison = Some(Comparison::new(repository.hash()));
        }
        if let Some(comparison) = &mut self.comparison {
            let index = find(repository, &self.index_path)?;
            self.indexes.compare(&repository.files.source(index), comparison)?;
            self.comparison = None;
        }
        if let Some(whole) = &mut self.whole {
            let rest = whole.bytes.get(whole.done..).unwrap_or_default();
            let part = rest.get(..capacity.max(1)).unwrap_or(rest);
            append(out, &whole.record, part)?;
            whole.done = whole.done.saturating_add(part.len());
            if whole.done >= whole.bytes.len() {
                self.whole = None;
            }
            return Ok(false);
        }
        if std::mem::take(&mut self.wishes.index) {
            let bytes = self.indexes.index()?;
            self.whole = Some(Whole { record: Record::Index, bytes, done: 0 });
            return Ok(false);
        }
        if std::mem::take(&mut self.wishes.reverse) {
            let bytes = self.indexes.reverse_index()?;
            self.whole = Some(Whole { record: Record::Reverse, bytes, done: 0 });
            return Ok(false);
        }
        let tail = self.indexes.take_tail();
        if !tail.is_empty() {
            self.whole = Some(Whole { record: Record::Tail, bytes: tail, done: 0 });
            return Ok(false);
        }
        if self.wishes.lines || self.wishes.summary {
            return self.list(repository, capacity, out);
        }
        let mut facts = self.indexes.count().to_le_bytes().to_vec();
        facts.extend(self.indexes.checksum().as_bytes());
        append(out, &Record::Facts, &facts)?;
        Ok(true)
    }

    fn list(&mut self, repository: &Repository, capacity: usize, out: &mut Output) -> Result<bool> {
        let pack = repository.files.source(self.file);
        let listing = match &mut self.listing {
            Some(listing) => listing,
            None => self.listing.insert(self.indexes.listing(&pack)?),
        };
        let mut text = Vec::new();
        while self.wishes.lines && text.len() < capacity {
            match self.indexes.line(listing, &pack, &mut text) {
                Ok(more) => self.wishes.lines = more,
                Err(error) if error.is_missing() && !text.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        if !self.wishes.lines {
            text.extend(listing.summary());
            self.wishes.summary = false;
        }
        append(out, &Record::Text, &text)?;
        Ok(false)
    }
}

fn append(out: &mut Output, record: &Record, content: &[u8]) -> Result<()> {
    let mut out = out.appender();
    out.u8(match record {
        Record::Progress => 0,
        Record::Index => 1,
        Record::Reverse => 2,
        Record::Facts => 3,
        Record::Text => 4,
        Record::Ids => 5,
        Record::Tail => 6,
        Record::Finding => 7,
    })?;
    out.u32(content.len() as u32)?;
    out.bytes(content)
}

fn append_finding(out: &mut Output, finding: &PackFinding) -> Result<()> {
    let id = finding.id;
    let severity = match id {
        MessageId::GitmodulesMissing => 2,
        _ if finding.is_error() => 0,
        _ => 1,
    };
    let mut content = vec![severity, u8::from(finding.is_late)];
    let message = [id.text().as_bytes(), &finding.about].concat();
    for text in [finding.oid.as_bytes(), id.name().as_bytes(), &message] {
        content.extend((text.len() as u32).to_le_bytes());
        content.extend(text);
    }
    append(out, &Record::Finding, &content)
}

fn find(repository: &Repository, path: &[u8]) -> Result<FileId> {
    let what = "there is no such file";
    let error = || Error::new(ErrorKind::NotFound, what).about(path);
    repository.files.find(path)?.ok_or_else(error)
}
