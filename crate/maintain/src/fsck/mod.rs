//! Checks a repository, as `git fsck` does: <https://git-scm.com/docs/git-fsck>.
//!
//! Each object has a number and a byte of flags, and is read once, bases first if memory
//! allows. Refs are followed before objects are read, so reading a reachable object marks the
//! objects it links to. If nothing is missing in the end, only objects that were read before
//! they were found to be reachable are walked again. Otherwise all reachable objects are
//! walked, in git's order.

mod bitmap_files;
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
mod reverse_files;
mod roots;
mod shared;

use bitmap_files::BitmapFiles;
use connectivity::{Referents, Report, Walk};
use finding::{append_progress, exit, Finding};
pub use finding::{FindingLevel, FsckPhase, FsckRecord};
use fsck_config::FsckConfig;
use graph_files::GraphFiles;
use index_files::IndexFiles;
use midx_files::MidxFiles;
use numbers::flag;
use objects::{Batch, From};
pub use options::FsckOptions;
use pack_files::{path_of, PackFiles};
use packed_refs::PackedRefsFile;
use packlens_base::appender::Output;
use packlens_base::error::Result;
use packlens_format::checks::Severities;
use packlens_format::checksum::Checksums;
use packlens_format::object::ObjectType;
use packlens_query::odb::{Location, PackEntries, PackNumber, ReadHint};
use packlens_query::repository::Repository;
use reverse_files::ReverseFiles;
use roots::Roots;
use shared::Shared;

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
    Loose {
        at: usize,
    },
    PackFiles {
        at: usize,
        files: Option<Box<PackFiles>>,
    },
    Packed {
        at: usize,
        entries: Option<Box<PackEntries>>,
    },
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
    batch: Batch,
    state: State,
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
            batch: Batch::default(),
            state: State::Grafts,
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
        let entries = match &self.state {
            State::Packed { entries: Some(entries), .. } => entries.memory(),
            _ => 0,
        };
        self.shared.memory().saturating_add(self.batch.memory()).saturating_add(entries)
    }

    /// Takes a step, and appends its findings and the progress to `out`; returns whether the
    /// check is complete.
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
        if self.shared.findings.is_empty() && !matches!(self.state, State::Done) {
            let before = self.progress();
            let stepped = self.step(repository);
            // Findings from before the missing bytes are returned first, and only once.
            if let Err(error) = stepped {
                if self.shared.findings.is_empty() || !error.is_missing() {
                    return Err(error);
                }
            }
            if let Some((phase, done, total)) = self.progress().filter(|now| before != Some(*now)) {
                append_progress(phase, (done, total), out)?;
            }
        }
        while out.len() < capacity {
            match self.shared.findings.pop_front() {
                Some(finding) => finding.append(out)?,
                None => return Ok(matches!(self.state, State::Done)),
            }
        }
        Ok(false)
    }

    fn progress(&self) -> Option<(FsckPhase, u64, u64)> {
        let objects = u64::from(self.shared.numbers.count());
        match &self.state {
            State::PackFiles { files, .. } => {
                let done = files.as_ref().map_or(0, |files| files.done());
                Some((FsckPhase::Packs, self.hashed.saturating_add(done), self.pack_bytes))
            }
            State::Loose { .. } | State::Packed { .. } => {
                Some((FsckPhase::Objects, self.read, objects))
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
                Some(match self.shared.options.references {
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
                roots.step(&mut self.shared, repository)?.then_some(State::Loose { at: 0 })
            }
            State::Loose { .. } => self.read_loose(repository)?,
            State::PackFiles { .. } => self.check_pack_files(repository)?,
            State::Packed { .. } => self.read_packed(repository)?,
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
        Ok(Some(State::Ahead(Roots::new(repository, &self.heads, true))))
    }

    fn read_loose(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        let State::Loose { at } = &mut self.state else {
            return Ok(None);
        };
        while !self.batch.is_full(repository) {
            let Some(id) = self.shared.numbers.loose().get(*at).copied() else {
                break;
            };
            let Some(file) = repository.odb.loose_file(&repository.files, &id)? else {
                *at = at.saturating_add(1);
                continue;
            };
            let path = path_of(repository, file);
            let from = From { place: Location::Loose, path };
            self.batch.read(&mut self.shared, repository, (&id, &ReadHint::default()), from)?;
            *at = at.saturating_add(1);
            self.read = self.read.saturating_add(1);
        }
        if self.batch.is_waiting() {
            self.batch.check(&mut self.shared, repository)?;
            return Ok(None);
        }
        Ok(Some(match self.shared.options.full {
            true => State::PackFiles { at: 0, files: None },
            false => State::Specials,
        }))
    }

    fn check_pack_files(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        let State::PackFiles { at, files } = &mut self.state else {
            return Ok(None);
        };
        let Some((pack, _)) = self.shared.numbers.packs().get(*at).copied() else {
            return Ok(Some(State::Packed { at: 0, entries: None }));
        };
        let checking = match files {
            Some(checking) => checking,
            None => {
                let file = repository.odb.pack_file(pack)?;
                files.insert(Box::new(PackFiles::new(repository, pack, file)))
            }
        };
        if checking.step(&mut self.shared, &mut self.checksums, repository)? {
            self.hashed = self.hashed.saturating_add(checking.done());
            (*at, *files) = (at.saturating_add(1), None);
        }
        Ok(None)
    }

    fn read_packed(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        let State::Packed { at, entries } = &mut self.state else {
            return Ok(None);
        };
        let Some((pack, _)) = self.shared.numbers.packs().get(*at).copied() else {
            return Ok(Some(State::Specials));
        };
        let path = path_of(repository, repository.odb.pack_file(pack)?);
        let list = entries.get_or_insert_with(|| Box::new(PackEntries::new(pack)));
        let mut ended = false;
        while !self.batch.is_full(repository) && !ended {
            match list.peek(&mut repository.odb, &mut repository.files) {
                Ok(Some(entry)) => {
                    let place = Location::Packed { pack, offset: entry.offset };
                    let from = From { place, path: path.clone() };
                    self.batch.read(
                        &mut self.shared,
                        repository,
                        (&entry.id, &entry.hint),
                        from,
                    )?;
                    list.pass();
                    self.read = self.read.saturating_add(1);
                }
                Ok(None) => ended = true,
                Err(error) if error.is_missing() => return Err(error),
                Err(error) => {
                    let finding = Finding::error("badPack", exit::PACK, error.what());
                    self.shared.report(finding.at(&path));
                    ended = true;
                }
            }
        }
        if self.batch.is_waiting() {
            self.batch.check(&mut self.shared, repository)?;
        }
        if ended {
            if let State::Packed { at, entries } = &mut self.state {
                (*at, *entries) = (at.saturating_add(1), None);
            }
            repository.odb.forget_bases();
        }
        Ok(None)
    }

    /// Checks special files that were read before the tree which has them.
    fn check_specials(&mut self, repository: &mut Repository) -> Result<Option<State>> {
        if let Some(id) = self.shared.next_special() {
            objects::check_special(&mut self.shared, repository, &id)?;
            return Ok(None);
        }
        self.begin_again();
        Ok(Some(State::Roots(Roots::new(repository, &self.heads, false))))
    }

    /// Queues the objects that were read before they were found to be reachable; or clears all
    /// marks if reading the objects did not find everything that is reachable.
    fn begin_again(&mut self) {
        let numbers = &mut self.shared.numbers;
        let all_there = || {
            (0..numbers.count()).all(|number| {
                let flags = numbers.flags(number);
                flags & flag::REACHABLE == 0 || flags & flag::THERE != 0
            })
        };
        let nothing_missing = numbers.missing().is_empty();
        let is_known = self.shared.marks_ahead && !self.shared.has_wrong_types;
        if !(is_known && nothing_missing && all_there()) {
            numbers.clear(flag::REACHABLE | flag::WALKED);
            return;
        }
        let waits = |number: &u32| {
            let flags = numbers.flags(*number);
            flags & (flag::REACHABLE | flag::WALKED) == flag::REACHABLE
                && flags & flag::TYPE != ObjectType::Blob as u8
        };
        self.shared.pending = (0..numbers.count()).filter(waits).collect();
    }
}
