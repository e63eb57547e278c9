//! Checks a repository, as `git fsck` does: <https://git-scm.com/docs/git-fsck>.
//!
//! Each object has a number and a byte of flags. A survey reads each once, bases first if memory
//! allows, and marks what it links to; several instances can share it. Then objects in which
//! something was found are checked again, in the order in which they are stored, and that is
//! reported.
//!
//! If nothing is missing, dangling objects are those that nothing links to. Otherwise, and for
//! unreachable objects, all reachable objects are walked, in git's order. Refs are followed before
//! objects are read, so reading a reachable object marks the objects it links to: if nothing is
//! missing, only those that were read before they were found to be reachable are walked again.

mod bitmap_files;
mod changes;
mod connectivity;
mod finding;
mod fsck_config;
mod graph_commits;
mod graph_files;
mod graph_rows;
mod index_files;
mod midx_files;
mod numbers;
mod objects;
mod options;
mod pack_files;
mod packed_refs;
mod reported;
mod reverse_files;
mod roots;
mod shared;
mod survey;
mod units;

use bitmap_files::BitmapFiles;
use connectivity::{Referents, Report, Walk};
use finding::{append_progress, exit, Finding};
pub use finding::{FindingLevel, FsckPhase, FsckRecord};
use fsck_config::FsckConfig;
use graph_files::GraphFiles;
use index_files::IndexFiles;
use midx_files::MidxFiles;
use numbers::flag;
pub use options::{FsckOptions, FsckRole};
use packed_refs::PackedRefsFile;
use packlens_base::appender::Output;
use packlens_base::error::{Error, Result};
use packlens_base::oid::HashKind;
use packlens_base::work_units::WorkUnits;
use packlens_format::checks::Severities;
use packlens_format::checksum::Checksums;
use packlens_query::odb::PackNumber;
use packlens_query::repository::Repository;
use reported::Reported;
use reverse_files::ReverseFiles;
use roots::Roots;
use shared::Shared;
use survey::Survey;
use units::Unit;

enum State {
    Grafts,
    PackedRefs(PackedRefsFile),
    ListLoose {
        directory: usize,
        byte: u16,
    },
    OpenPacks {
        packs: Vec<PackNumber>,
        at: usize,
    },
    /// Refs are followed before objects are read.
    Ahead(Roots),
    Survey(Box<Survey>),
    Reported(Box<Reported>),
    Specials,
    Roots(Roots),
    IndexFiles(IndexFiles),
    ReverseFiles(ReverseFiles),
    BitmapFiles(BitmapFiles),
    GraphFiles(GraphFiles),
    MidxFiles(MidxFiles),
    Walk(Box<Walk>),
    Referents(Box<Referents>),
    Report(Report),
    Done,
}

/// A check of a repository, which returns records.
pub struct Fsck {
    shared: Shared,
    checksums: Checksums,
    state: State,
    /// The work units of the survey, and how many of them an instance alone has begun.
    units: Vec<Unit>,
    begun: usize,
    /// All work units are claimed.
    is_last: bool,
    /// The kind of hash and the memory ceiling, once known.
    limits: (HashKind, u64),
    /// The error of what another instance surveyed, to be returned.
    failed: Option<Error>,
    /// The progress that was reported last.
    reported: Option<(FsckPhase, u64, u64)>,
    /// The bytes of packs that were hashed, and their total.
    hashed: u64,
    pack_bytes: u64,
    read: u64,
    /// A remote has promised objects.
    is_partial: bool,
    /// The caller's severities, which override those of `config`.
    rules: Vec<u8>,
    /// The caller's revisions, which are the roots instead of refs and reflogs.
    heads: Vec<Vec<u8>>,
}

impl Fsck {
    /// Creates a check; nothing is read yet.
    pub fn new(options: FsckOptions) -> Fsck {
        Fsck {
            shared: Shared::new(options),
            checksums: Checksums::default(),
            state: State::Grafts,
            units: Vec::new(),
            begun: 0,
            is_last: false,
            limits: (HashKind::Sha1, 0),
            failed: None,
            reported: None,
            hashed: 0,
            pack_bytes: 0,
            read: 0,
            is_partial: false,
            rules: Vec::new(),
            heads: Vec::new(),
        }
    }

    /// Sets revisions whose objects are the roots. Refs and reflogs are then not roots, nor are
    /// index files unless [`FsckOptions::cache`] is set.
    #[must_use]
    pub fn with_heads(mut self, heads: Vec<Vec<u8>>) -> Fsck {
        self.heads = heads;
        self
    }

    /// Sets severities that override those of `config`, in the form that
    /// [`Severities::take_lines`] parses.
    #[must_use]
    pub fn with_rules(mut self, rules: &[u8]) -> Fsck {
        self.rules = rules.to_vec();
        self
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let state = match &self.state {
            State::Survey(survey) => survey.memory(),
            State::Reported(reported) => reported.memory(),
            _ => 0,
        };
        let units = self.units.capacity().saturating_mul(size_of::<Unit>()) as u64;
        self.shared.memory().saturating_add(state).saturating_add(units)
    }

    /// Returns the work units of the survey; none if an instance has to make it alone.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub fn work_units(&mut self, repository: &mut Repository) -> Result<WorkUnits> {
        while matches!(
            self.state,
            State::Grafts
                | State::PackedRefs(_)
                | State::ListLoose { .. }
                | State::OpenPacks { .. }
        ) {
            self.step(repository)?;
        }
        self.limits = (repository.hash(), repository.memory());
        let FsckOptions { full, connectivity_only, name_objects, .. } = self.shared.options;
        if self.units.is_empty() && full && !connectivity_only && !name_objects {
            self.units = units::parts(&self.shared.numbers, repository)?.unwrap_or_default();
        }
        if self.units.is_empty() && self.shared.options.role == FsckRole::Leader {
            self.shared.options.role = FsckRole::Alone;
        }
        let count = u32::try_from(self.units.len()).unwrap_or(u32::MAX);
        let state = units::fingerprint(&self.shared.numbers, repository);
        Ok(WorkUnits { count, state })
    }

    /// Claims a work unit of the survey; `None` says that all are made.
    pub fn claim(&mut self, work_unit: Option<u32>) {
        let Some(work_unit) = work_unit else {
            self.is_last = true;
            return;
        };
        let unit = self.units.get(work_unit as usize).cloned();
        if let (State::Survey(survey), Some(unit)) = (&mut self.state, unit) {
            survey.begin(unit);
        }
    }

    /// Takes what another instance surveyed.
    pub fn put(&mut self, results: &[u8]) {
        match changes::add(&mut self.shared, self.limits, results) {
            Ok(done) => self.count(done),
            Err(error) => self.failed = Some(error),
        }
    }

    fn count(&mut self, (read, hashed): (u32, u32)) {
        self.read = self.read.saturating_add(read.into());
        self.hashed = self.hashed.saturating_add(hashed.into());
    }

    /// Returns whether the next work unit is to be claimed.
    fn waits(&self) -> bool {
        match &self.state {
            State::Survey(survey) => {
                self.shared.options.role != FsckRole::Alone && survey.is_idle() && !self.is_last
            }
            _ => false,
        }
    }

    /// Takes a step, and appends its findings and the progress to `out`; returns whether the
    /// check is complete; of a shared one, whether the claimed work unit is.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    /// [`BadInput`](packlens_base::ErrorKind::BadInput) for unknown severities;
    /// [`Limit`](packlens_base::ErrorKind::Limit) if the state of the check takes too much memory.
    /// Damaged files and objects are findings, not errors.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let is_helper = self.shared.options.role == FsckRole::Helper;
        if self.shared.findings.is_empty() && !matches!(self.state, State::Done) && !self.waits() {
            let stepped = self.step(repository);
            // Findings from before the missing bytes are returned first, and only once.
            if let Err(error) = stepped {
                if is_helper || self.shared.findings.is_empty() || !error.is_missing() {
                    return Err(error);
                }
            }
        }
        if is_helper {
            // The leader finds the same.
            self.shared.findings.clear();
            let done = [std::mem::take(&mut self.read), std::mem::take(&mut self.hashed)];
            // Those of one step.
            let [read, hashed] = done.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
            changes::append(&mut self.shared, (read, hashed), out)?;
            return Ok(self.waits());
        }
        if let Some((phase, done, total)) =
            self.progress().filter(|now| self.reported != Some(*now))
        {
            append_progress(phase, (done, total), out)?;
            self.reported = Some((phase, done, total));
        }
        while out.len() < capacity {
            match self.shared.findings.pop_front() {
                Some(finding) => finding.append(out)?,
                None => return Ok(matches!(self.state, State::Done) || self.waits()),
            }
        }
        Ok(false)
    }

    fn progress(&self) -> Option<(FsckPhase, u64, u64)> {
        let objects = u64::from(self.shared.numbers.count());
        match &self.state {
            State::Survey(_) if self.hashed < self.pack_bytes => {
                Some((FsckPhase::Packs, self.hashed, self.pack_bytes))
            }
            State::Survey(_) | State::Reported(_) => {
                Some((FsckPhase::Objects, self.read.min(objects), objects))
            }
            State::Walk(walk) => Some((FsckPhase::Connectivity, walk.done(), objects)),
            State::Done => Some((FsckPhase::Connectivity, objects, objects)),
            _ => None,
        }
    }

    fn step(&mut self, repository: &mut Repository) -> Result<()> {
        let next = match &mut self.state {
            State::Grafts => {
                repository.look_at_grafts()?;
                let config = FsckConfig::read(repository)?;
                self.is_partial = config.is_partial;
                let mut severities = Severities::new(self.shared.options.strict);
                config.set(repository, &mut severities)?;
                severities.take_lines(repository.hash(), &self.rules)?;
                self.shared.severities = severities;
                let is_helper = self.shared.options.role == FsckRole::Helper;
                Some(match self.shared.options.references && !is_helper {
                    true => State::PackedRefs(PackedRefsFile::default()),
                    false => State::ListLoose { directory: 0, byte: 0 },
                })
            }
            State::PackedRefs(file) => file
                .step(&mut self.shared, repository)?
                .then_some(State::ListLoose { directory: 0, byte: 0 }),
            State::ListLoose { .. } => self.list_loose(repository)?,
            State::OpenPacks { .. } => self.open_packs(repository)?,
            State::Ahead(roots) => {
                let done = roots.step(&mut self.shared, repository)?;
                done.then(|| self.survey())
            }
            State::Survey(_) => self.survey_on(repository)?,
            State::Reported(reported) => reported
                .step(&mut self.shared, &mut self.checksums, repository)?
                .then_some(State::Specials),
            State::Specials => self.check_specials(repository)?,
            State::Roots(roots) => roots.step(&mut self.shared, repository)?.then(|| {
                match self.heads.is_empty() || self.shared.options.cache {
                    true => State::IndexFiles(IndexFiles::default()),
                    false => State::ReverseFiles(ReverseFiles::default()),
                }
            }),
            State::IndexFiles(files) => files
                .step(&mut self.shared, repository)?
                .then(|| State::ReverseFiles(ReverseFiles::default())),
            State::ReverseFiles(files) => files
                .step(&mut self.shared, &mut self.checksums, repository)?
                .then(|| State::BitmapFiles(BitmapFiles::default())),
            State::BitmapFiles(files) => files
                .step(&mut self.shared, &mut self.checksums, repository)?
                .then(|| State::GraphFiles(GraphFiles::default())),
            State::GraphFiles(files) => files
                .step(&mut self.shared, &mut self.checksums, repository)?
                .then(|| State::MidxFiles(MidxFiles::default())),
            State::MidxFiles(files) => files
                .step(&mut self.shared, &mut self.checksums, repository)?
                .then(|| State::Walk(Box::default())),
            State::Walk(walk) => {
                let done = walk.step(&mut self.shared, repository)?;
                let options = &self.shared.options;
                // Objects that were read have their links marked already.
                let unread = options.connectivity_only && options.dangling;
                done.then(|| match unread {
                    true => State::Referents(Box::default()),
                    false => State::Report(Report::default()),
                })
            }
            State::Referents(referents) => referents
                .step(&mut self.shared, repository)?
                .then(|| State::Report(Report::default())),
            State::Report(report) => {
                report.step(&mut self.shared, repository)?.then_some(State::Done)
            }
            State::Done => None,
        };
        if let Some(next) = next {
            self.state = next;
            repository.odb.forget_bases();
        }
        Ok(())
    }

    /// Lists the loose objects of all directories.
    fn list_loose(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        let State::ListLoose { directory, byte } = &mut self.state else {
            return Ok(None);
        };
        let path = repository.odb.directory(&repository.files, *directory)?;
        let Some(path) = path else {
            self.shared.numbers.sort_loose();
            repository.odb.list_packs(&repository.files)?;
            let packs = repository.odb.pack_numbers();
            return Ok(Some(State::OpenPacks { packs, at: 0 }));
        };
        while let Ok(first) = u8::try_from(*byte) {
            let (ids, others) = repository.odb.loose_in(&repository.files, &path, first)?;
            let is_reported = |name: &&Vec<u8>| {
                !self.shared.options.connectivity_only && !name.starts_with(b"tmp_obj_")
            };
            let others: Vec<_> = others.iter().filter(is_reported).collect();
            for name in others {
                let folder = packlens_format::loose::directory_in(&path, first);
                let place = [folder.as_slice(), b"/", name].concat();
                let finding = Finding::info("badLooseFile", "no loose object has such a name");
                self.shared.report(finding.at(&place));
            }
            self.shared.numbers.add_loose(ids);
            *byte = byte.saturating_add(1);
        }
        (*directory, *byte) = (directory.saturating_add(1), 0);
        Ok(None)
    }

    fn open_packs(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        let State::OpenPacks { packs, at } = &mut self.state else {
            return Ok(None);
        };
        while let Some(pack) = packs.get(*at).copied() {
            if let Some(file) = repository.odb.open_pack(&repository.files, pack)? {
                self.shared.numbers.add_pack(pack, repository.odb.count_in(pack));
                let bytes = packlens_base::block::BlockSource::size(&repository.files.source(file));
                self.pack_bytes = self.pack_bytes.saturating_add(bytes);
            } else if let Some(error) = repository.odb.damage_of(pack) {
                let is_known = repository.odb.is_unreadable(pack);
                // For connectivity only, git does not read packs, but it checks their reverse
                // indexes.
                let (id, ending, bits) = match (is_known, self.shared.options.connectivity_only) {
                    (true, _) => ("badPack", ".pack", exit::PACK),
                    (false, true) => ("badPackIndex", ".idx", exit::REVERSE_INDEX),
                    (false, false) => ("badPackIndex", ".idx", exit::PACK | exit::REVERSE_INDEX),
                };
                let path = [repository.odb.stem_of(pack), ending.as_bytes()].concat();
                self.shared.report(Finding::error(id, bits, error.what()).at(&path));
            }
            *at = at.saturating_add(1);
        }
        self.shared.has_promisors = self.is_partial && repository.odb.promisor_packs() > 0;
        let options = &self.shared.options;
        self.shared.marks_ahead = !self.shared.has_promisors
            && options.full
            && !options.connectivity_only
            && !options.name_objects;
        if options.connectivity_only {
            for number in 0..self.shared.numbers.count() {
                self.shared.numbers.set(number, flag::THERE);
            }
            return Ok(Some(State::Roots(Roots::new(repository, &self.heads, false))));
        }
        if options.role == FsckRole::Helper {
            return Ok(Some(self.survey()));
        }
        Ok(Some(State::Ahead(Roots::new(repository, &self.heads, true))))
    }

    /// Begins the survey.
    fn survey(&mut self) -> State {
        let is_alone = self.shared.options.role == FsckRole::Alone;
        if is_alone {
            self.units = match self.shared.options.full {
                true => units::whole(&self.shared.numbers),
                false => vec![Unit::Loose(0..usize::MAX)],
            };
        }
        if !self.shared.options.full {
            self.pack_bytes = 0;
        }
        if self.shared.options.role == FsckRole::Helper {
            self.shared.numbers.record_changes();
        }
        State::Survey(Box::new(Survey::new(is_alone)))
    }

    fn survey_on(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        let State::Survey(survey) = &mut self.state else {
            return Ok(None);
        };
        if survey.is_idle() {
            let is_alone = self.shared.options.role == FsckRole::Alone;
            let Some(unit) = self.units.get(self.begun).filter(|_| is_alone) else {
                self.hashed = self.pack_bytes;
                return Ok(Some(State::Reported(Box::default())));
            };
            survey.begin(unit.clone());
            self.begun = self.begun.saturating_add(1);
        }
        let stepped = survey.step(&mut self.shared, &mut self.checksums, repository);
        let done = survey.take_done();
        self.count(done);
        stepped.map(|()| None)
    }

    /// Checks special files that were read before the tree which has them.
    fn check_specials(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        if let Some(id) = self.shared.next_special() {
            objects::check_special(&mut self.shared, repository, &id)?;
            return Ok(None);
        }
        connectivity::begin(&mut self.shared);
        Ok(Some(State::Roots(Roots::new(repository, &self.heads, false))))
    }
}
