//! Indexes a pack, which may be thin, and verifies a pack with its index: git's `index-pack`
//! and `verify-pack`.

mod builder;
mod made;
mod records;

use builder::Builder;
use made::Made;
use packlens_base::appender::Output;
use packlens_base::block::FileId;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::Collisions;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::work_units::WorkUnits;
use packlens_format::checks::Severities;
use packlens_format::index::{Build, IndexRole, Progress, Strict, Thin};
use packlens_query::repository::Repository;
pub use records::IndexRecord;
use records::{append, append_finding};

/// The options of indexing, and the requested results.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct IndexPackOptions {
    /// Whether collision attacks are detected.
    pub collisions: Collisions,
    /// Returns the index.
    pub index: bool,
    /// Returns the reverse index.
    pub reverse: bool,
    /// Verifies the index that exists.
    pub verify: bool,
    /// Returns a line about each entry.
    pub lines: bool,
    /// Returns the number of delta chains of each length.
    pub summary: bool,
    /// How bases that are not in the pack are treated: they are read from the repository.
    pub thin: Thin,
    /// The role of this instance.
    pub role: IndexRole,
    /// The checks of the pack's objects; a shared build is not checked.
    pub strict: Strict,
}

enum IndexPackState {
    Opening,
    Building(FileId, Box<Builder>),
    Made(Box<Made>),
    Done,
}

/// An index in the making, which returns records.
pub struct IndexPack {
    pack_path: Vec<u8>,
    index_path: Vec<u8>,
    options: IndexPackOptions,
    severities: Severities,
    limits: Limits,
    inflater: Box<Inflater>,
    state: IndexPackState,
    /// The error to return after the findings.
    failed: Option<Error>,
}

impl IndexPack {
    /// Creates the job from the paths of a pack and of its index, which is only read to verify
    /// it. Nothing is read yet.
    pub fn new(
        pack_path: &[u8],
        index_path: &[u8],
        options: IndexPackOptions,
        limits: Limits,
    ) -> IndexPack {
        IndexPack {
            pack_path: pack_path.to_vec(),
            index_path: index_path.to_vec(),
            options,
            severities: Severities::new(true),
            limits,
            inflater: Box::default(),
            state: IndexPackState::Opening,
            failed: None,
        }
    }

    /// Sets the severities of findings; to be called before the first step.
    #[must_use]
    pub fn with_severities(mut self, severities: Severities) -> IndexPack {
        self.severities = severities;
        self
    }

    /// Returns how many work units there are; none if the instance works alone.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub fn work_units(&mut self, repository: &Repository) -> Result<WorkUnits> {
        if matches!(self.state, IndexPackState::Opening) {
            self.open(repository)?;
        }
        match &self.state {
            IndexPackState::Building(file, builder) => {
                builder.work_units(&repository.files.source(*file))
            }
            _ => Err(Error::new(
                ErrorKind::BadInput,
                "the index is complete: it takes no more records",
            )),
        }
    }

    /// Claims a work unit; `None` says that there are no more. A leader claims sections of the
    /// pack first, as [`IndexLeader::claim`](packlens_format::index::IndexLeader::claim)
    /// explains.
    pub fn claim(&mut self, work_unit: Option<u32>) {
        if let IndexPackState::Building(_, builder) = &mut self.state {
            builder.claim(work_unit);
        }
    }

    /// Takes the records of another instance. A leader takes sections until all entries are
    /// known, and ids from then on; a helper takes entries.
    pub fn put(&mut self, results: &[u8]) {
        if let IndexPackState::Building(_, builder) = &mut self.state {
            builder.put(results, &self.limits);
        }
    }

    fn open(&mut self, repository: &Repository) -> Result<()> {
        let file = find(repository, &self.pack_path)?;
        let pack = repository.files.source(file);
        let IndexPackOptions { collisions, thin, strict, role, .. } = self.options;
        let new = || Ok(Build::new(&pack, repository.hash())?.with_collisions(collisions));
        let build = new()?.with_thin(thin);
        let build = build.with_strict(strict, self.severities.clone(), &self.limits);
        let builder = Builder::new(role, build, new, self.limits.work_unit_entries)?;
        self.state = IndexPackState::Building(file, Box::new(builder));
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        match &self.state {
            IndexPackState::Building(_, builder) => builder.memory(),
            IndexPackState::Made(made) => made.memory(),
            IndexPackState::Opening | IndexPackState::Done => 0,
        }
    }

    /// Takes steps, and appends records to `out` until it is about `capacity` bytes long or
    /// there is progress to report. Returns whether the job is complete; of a shared job,
    /// whether the claimed work unit is.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of [`Build::step`];
    /// [`ErrorKind::Corrupt`] if the index does not match the pack.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let result = self.advance(repository, capacity, out);
        let findings = match &mut self.state {
            IndexPackState::Building(_, builder) => {
                builder.build_mut().map(Build::take_findings).unwrap_or_default()
            }
            IndexPackState::Made(made) => made.take_findings(),
            IndexPackState::Opening | IndexPackState::Done => Vec::new(),
        };
        if findings.is_empty() {
            return result;
        }
        findings.iter().try_for_each(|finding| append_finding(out, finding))?;
        // An error would discard the records, so it is returned by the next call.
        result.or_else(|error| {
            self.failed = Some(error).filter(|error| !error.is_missing());
            Ok(false)
        })
    }

    fn advance(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        match std::mem::replace(&mut self.state, IndexPackState::Done) {
            IndexPackState::Opening => {
                self.state = IndexPackState::Opening;
                self.open(repository)?;
                Ok(false)
            }
            IndexPackState::Building(file, mut builder) => {
                let built = self.build_on(repository, file, &mut builder, capacity, out);
                self.state = match built {
                    Ok((true, _)) => {
                        IndexPackState::Made(Box::new(self.make(repository, file, *builder)?))
                    }
                    _ => IndexPackState::Building(file, builder),
                };
                built.map(|(_, waits)| waits)
            }
            IndexPackState::Made(mut made) => {
                let result = made.fill(repository, capacity, out);
                if !matches!(result, Ok(true)) {
                    self.state = IndexPackState::Made(made);
                }
                result
            }
            IndexPackState::Done => Ok(true),
        }
    }

    /// Takes a step, and appends records. Returns whether all objects are resolved, and whether
    /// the claimed work unit is complete.
    fn build_on(
        &mut self,
        repository: &mut Repository,
        file: FileId,
        builder: &mut Builder,
        capacity: usize,
        out: &mut Output,
    ) -> Result<(bool, bool)> {
        let progress = self.step(repository, file, builder)?;
        let mut bytes = [0; 16];
        let numbers = progress.done.to_le_bytes().into_iter();
        let numbers = numbers.chain(progress.total.to_le_bytes());
        bytes.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
        append(out, IndexRecord::Progress, &bytes)?;
        let shared = builder.take_shared(capacity);
        let kinds = [IndexRecord::Ids, IndexRecord::Section, IndexRecord::Rows];
        let records = [&shared.ids, &shared.section, &shared.rows];
        for (kind, record) in kinds.into_iter().zip(records) {
            if !record.is_empty() {
                append(out, kind, record)?;
            }
        }
        let is_last = builder.is_last();
        if is_last && builder.is_idle() && !progress.is_complete() {
            if let Some(build) = builder.build_mut().filter(|build| !build.is_stuck()) {
                return Err(build.unresolved(&repository.files.source(file)));
            }
        }
        let nothing_to_report = shared.ids.is_empty() && shared.rows.is_empty();
        let waits = builder.is_idle() && nothing_to_report && !is_last;
        Ok((is_last && progress.is_complete(), waits))
    }

    /// Takes a step. If nothing else is left to do, gives the build a base from the repository.
    fn step(
        &mut self,
        repository: &mut Repository,
        file: FileId,
        builder: &mut Builder,
    ) -> Result<Progress> {
        if builder.is_last() {
            if let Some(build) = builder.build_mut().filter(|build| build.is_stuck()) {
                repository.odb.give_base(&mut repository.files, file, build)?;
            }
        }
        builder.step(&repository.files.source(file), &mut self.inflater, &self.limits)
    }

    /// Ends the build.
    fn make(
        &mut self,
        repository: &mut Repository,
        file: FileId,
        builder: Builder,
    ) -> Result<Made> {
        let Some(mut build) = builder.into_build() else {
            return Err(Error::new(ErrorKind::BadInput, "this instance makes no index"));
        };
        // Cached ranges of files are evicted to make room for the index.
        repository.files.hold(build.memory().saturating_add(build.finishing_memory()))?;
        let index_path = std::mem::take(&mut self.index_path);
        let checking = build.take_checking();
        let mut made = Made::new(file, index_path, build.finish()?, self.options);
        made.checking = checking;
        Ok(made)
    }
}

fn find(repository: &Repository, path: &[u8]) -> Result<FileId> {
    let what = "there is no such file";
    let error = || Error::new(ErrorKind::NotFound, what).about(path);
    repository.files.find(path)?.ok_or_else(error)
}
