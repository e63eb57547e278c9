//! Indexes a pack, which may be thin, and verifies a pack with its index: git's `index-pack`
//! and `verify-pack`.

mod made;
mod records;

use made::Made;
use packlens_base::appender::Output;
use packlens_base::block::FileId;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::hash::Collisions;
use packlens_base::inflate::Inflater;
use packlens_base::limits::Limits;
use packlens_base::work_units::WorkUnits;
use packlens_format::checks::Severities;
use packlens_format::index::{Build, Progress, Share, Strict, Thin};
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
    pub share: Share,
    /// The checks of the pack's objects; a shared build is not checked.
    pub strict: Strict,
}

enum IndexPackState {
    Opening,
    Building(FileId, Box<Build>),
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
    /// Scans sections of the pack, for the leader's own build.
    scans: Option<Box<Build>>,
    /// All work units are claimed and complete.
    is_last: bool,
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
            scans: None,
            is_last: options.share == Share::Whole,
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

    /// Returns how many work units there are, as [`Build::work_units`] does.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub fn work_units(&mut self, repository: &Repository) -> Result<WorkUnits> {
        if matches!(self.state, IndexPackState::Opening) {
            self.open(repository)?;
        }
        match &self.state {
            IndexPackState::Building(file, build) => {
                build.work_units(&repository.files.source(*file))
            }
            _ => Err(Error::new(
                ErrorKind::BadInput,
                "the index is complete: it takes no more records",
            )),
        }
    }

    /// Claims a work unit; `None` says that there are no more. A leader claims sections of the
    /// pack first. After the last section it reads the entries that no section has; after the
    /// last work unit it makes the index.
    pub fn claim(&mut self, work_unit: Option<u32>) {
        let IndexPackState::Building(_, build) = &mut self.state else {
            return;
        };
        match (work_unit, &mut self.scans) {
            (Some(section), Some(scans)) => scans.claim(section),
            (Some(work_unit), None) => build.claim(work_unit),
            (None, Some(_)) => {
                self.scans = None;
                build.read_rest();
            }
            (None, None) => self.is_last = true,
        }
    }

    /// Takes the records of another instance. A leader takes sections until all entries are
    /// known, and ids from then on; a helper takes entries.
    pub fn put(&mut self, results: &[u8]) {
        let IndexPackState::Building(_, build) = &mut self.state else {
            return;
        };
        match self.options.share {
            Share::Leads if build.reads_rest() => build.put_ids(results),
            Share::Leads => build.put_section(results),
            // A helper that lacks entries has nothing to share.
            Share::Helps => drop(build.put_rows(results, &self.limits)),
            Share::Whole | Share::Scans => {}
        }
    }

    fn open(&mut self, repository: &Repository) -> Result<()> {
        let file = find(repository, &self.pack_path)?;
        let pack = repository.files.source(file);
        let new = |share| -> Result<Build> {
            let build = Build::new(&pack, repository.hash())?;
            let build = build.with_collisions(self.options.collisions);
            Ok(build.with_share(share, self.limits.work_unit_entries))
        };
        if self.options.share == Share::Leads {
            self.scans = Some(Box::new(new(Share::Scans)?));
        }
        let build = new(self.options.share)?.with_thin(self.options.thin).with_strict(
            self.options.strict,
            self.severities.clone(),
            &self.limits,
        );
        self.state = IndexPackState::Building(file, Box::new(build));
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let scans = self.scans.as_ref().map_or(0, |scans| scans.memory());
        match &self.state {
            IndexPackState::Building(_, build) => build.memory().saturating_add(scans),
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
            IndexPackState::Building(_, build) => build.take_findings(),
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
            IndexPackState::Building(file, mut build) => {
                let stepped = self.step(repository, file, &mut build);
                let progress = match stepped {
                    Ok(progress) => progress,
                    Err(error) => {
                        self.state = IndexPackState::Building(file, build);
                        return Err(error);
                    }
                };
                let mut bytes = [0; 16];
                let numbers = progress.done.to_le_bytes().into_iter();
                let numbers = numbers.chain(progress.total.to_le_bytes());
                bytes.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
                append(out, IndexRecord::Progress, &bytes)?;
                let ids = build.take_ids(capacity);
                if !ids.is_empty() {
                    append(out, IndexRecord::Ids, &ids)?;
                }
                if let Some(section) = build.take_section() {
                    append(out, IndexRecord::Section, &section)?;
                }
                let rows = build.take_rows(capacity);
                if !rows.is_empty() {
                    append(out, IndexRecord::Rows, &rows)?;
                }
                let is_idle = build.is_idle() && !build.is_stuck();
                if self.is_last && is_idle && !progress.is_complete() {
                    return Err(build.unresolved(&repository.files.source(file)));
                }
                let nothing_to_report = ids.is_empty() && rows.is_empty();
                let scans = self.scans.as_ref().is_some_and(|scans| !scans.is_idle());
                let waits = build.is_idle() && nothing_to_report && !scans && !self.is_last;
                self.state = match self.is_last && progress.is_complete() {
                    false => IndexPackState::Building(file, build),
                    true => {
                        // Cached ranges of files are evicted to make room for the index.
                        let own = build.memory().saturating_add(build.finishing_memory());
                        repository.files.hold(own)?;
                        let index_path = std::mem::take(&mut self.index_path);
                        let checking = build.take_checking();
                        let indexes = build.finish()?;
                        let mut made = Made::new(file, index_path, indexes, self.options);
                        made.checking = checking;
                        IndexPackState::Made(Box::new(made))
                    }
                };
                Ok(waits)
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

    /// Takes a step of the build. If the build has nothing else left to do, gives it a base
    /// from the repository.
    fn step(
        &mut self,
        repository: &mut Repository,
        file: FileId,
        build: &mut Build,
    ) -> Result<Progress> {
        if let Some(scans) = self.scans.as_mut().filter(|scans| !scans.is_idle()) {
            let pack = repository.files.source(file);
            scans.step(&pack, &mut self.inflater, &self.limits)?;
            if let Some(section) = scans.take_section() {
                build.put_section(&section);
            }
            return Ok(build.progress());
        }
        if self.is_last && build.is_stuck() {
            repository.odb.give_base(&mut repository.files, file, build)?;
        }
        build.step(&repository.files.source(file), &mut self.inflater, &self.limits)
    }
}

fn find(repository: &Repository, path: &[u8]) -> Result<FileId> {
    let what = "there is no such file";
    let error = || Error::new(ErrorKind::NotFound, what).about(path);
    repository.files.find(path)?.ok_or_else(error)
}
