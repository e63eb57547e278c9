//! Archives of trees, as `git archive` makes them: <https://git-scm.com/docs/git-archive>.

mod check;
mod description;
mod gzip;
mod substitute;
mod tar;
mod writer;
mod zip;

use crate::conversion::Conversion;
use crate::file_walk::{FileEntry, FileWalk};
use crate::odb::ReadHint;
use crate::path_attributes::PathAttributes;
use crate::repository::Repository;
use crate::repository_format::own_config;
use crate::stream::ContentStream;
use check::{pathspec_in, Check};
use description::Description;
use gzip::Gzip;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::attributes::AttributeState;
use packlens_format::config::config_value;
use packlens_format::object::{Commit, Mode, ObjectType};
use tar::Tar;
use writer::Writer;
use zip::Zip;

/// Content from this size on is not held whole, unless it is converted.
const LARGE: u64 = 1 << 20;

/// Which bits of modes an archive does not have by default.
const UMASK: u32 = 0o002;

/// The format of an archive.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ArchiveFormat {
    /// A tar file: ustar, with pax headers where that does not suffice.
    #[default]
    Tar,
    /// A zip file.
    Zip,
    /// A tar file that is compressed by gzip.
    TarGz,
    /// No archive: the paths of its entries, one a line.
    List,
}

/// Options of an archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveOptions {
    /// The format.
    pub format: ArchiveFormat,
    /// What precedes every path.
    pub prefix: Vec<u8>,
    /// A directory with a slash at its end, which is not part of the names of entries, and outside
    /// of which nothing may be selected; empty for the root.
    pub directory: Vec<u8>,
    /// The elements of a pathspec that limits the archive; none for all.
    pub pathspec: Vec<Vec<u8>>,
    /// How hard to compress, from 0 to 9; `None` for the default of zlib, and for blobs in zip
    /// files as packs have them.
    pub level: Option<u32>,
    /// The date of all entries in seconds since 1970; `None` for that of the commit.
    pub mtime: Option<u64>,
    /// The current time, which is the date of a tree without a commit.
    pub now: u64,
}

/// What an entry of an archive is, beside its content.
struct Header<'a> {
    path: &'a [u8],
    mode: Mode,
    oid: ObjectId,
    size: u64,
}

/// A resumable archive.
pub struct Archive {
    spec: Vec<u8>,
    options: ArchiveOptions,
    check: Option<Check>,
    begun: Option<Begun>,
    gzip: Option<Gzip>,
    /// Bytes that are complete, and how many of them were handed over.
    ready: Vec<u8>,
    taken: usize,
    /// The content of a large file.
    stream: Option<ContentStream>,
    is_complete: bool,
}

struct Begun {
    walk: FileWalk,
    writer: Writer,
    conversion: Conversion,
    /// The commit, if the tree is that of one.
    commit: Option<(ObjectId, Vec<u8>)>,
    description: Description,
    /// Trees that were entered, but have no entry in the archive yet.
    directories: Vec<FileEntry>,
}

impl ArchiveFormat {
    /// The names of the formats, by number.
    pub const WORDS: &'static [&'static str] = &["tar", "zip", "tar.gz", "list"];
}

impl ArchiveOptions {
    /// Returns the name of an entry in the archive.
    fn name(&self, path: &[u8]) -> Vec<u8> {
        let path = path.get(self.directory.len()..).unwrap_or_default();
        [&self.prefix, path].concat()
    }
}

impl Archive {
    /// Creates the question about the tree that a revision leads to.
    pub fn new(spec: &[u8], options: ArchiveOptions) -> Archive {
        let gzip = (options.format == ArchiveFormat::TarGz).then(|| Gzip::new(options.level));
        Archive {
            spec: spec.to_vec(),
            options,
            check: None,
            begun: None,
            gzip,
            ready: Vec::new(),
            taken: 0,
            stream: None,
            is_complete: false,
        }
    }

    /// Appends bytes of the archive to `out` until it is `capacity` bytes long; returns whether
    /// the archive is complete.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::NotFound`] for an element of the pathspec that selects nothing,
    /// [`ErrorKind::BadInput`] for one that selects what is outside of the directory;
    /// [`ErrorKind::Unsupported`] for content that git would convert in a way that is not
    /// supported.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        loop {
            let rest = self.ready.get(self.taken..).unwrap_or_default();
            let room = capacity.saturating_sub(out.len()).min(rest.len());
            out.appender().bytes(rest.get(..room).unwrap_or_default())?;
            self.taken = self.taken.saturating_add(room);
            if self.taken < self.ready.len() {
                return Ok(false);
            }
            self.ready.clear();
            self.taken = 0;
            if self.is_complete {
                return Ok(true);
            }
            if out.len() >= capacity {
                return Ok(false);
            }
            self.step(repository)?;
            repository.files.advance();
        }
    }

    /// Makes the next bytes, and compresses them.
    fn step(&mut self, repository: &mut Repository) -> Result<()> {
        repository.files.step()?;
        let mut out = Vec::new();
        // What was made before bytes are missing is not made again.
        let made = self.make(repository, &mut out);
        match &mut self.gzip {
            Some(gzip) => {
                gzip.add(&out, &mut self.ready)?;
                if self.is_complete {
                    gzip.finish(&mut self.ready)?;
                }
            }
            None => self.ready = out,
        }
        made
    }

    /// Makes the next bytes: of one entry, or of a part of a large one.
    fn make(&mut self, repository: &mut Repository, out: &mut Vec<u8>) -> Result<()> {
        let begun = match &mut self.begun {
            Some(begun) => begun,
            None => {
                let check = match &mut self.check {
                    Some(check) => check,
                    None => self.check.insert(Check::new(repository, &self.spec, &self.options)?),
                };
                if check.step(repository)? {
                    self.begun = Some(begin(repository, &self.spec, &self.options, out)?);
                    self.check = None;
                }
                return Ok(());
            }
        };
        if let Some(stream) = &mut self.stream {
            let mut part = Output::default();
            let filled = stream.fill(repository, LARGE as usize, &mut part);
            begun.writer.content(part.as_slice(), out)?;
            if filled? {
                begun.writer.end_content(out)?;
                self.stream = None;
            }
            return Ok(());
        }
        let Some(entry) = begun.walk.next(repository)? else {
            begun.writer.end(out)?;
            self.is_complete = true;
            return Ok(());
        };
        begun.leave_directories(&entry);
        let attributes = begun.walk.attributes(&entry);
        let is_ignored = attributes.of("export-ignore") == Some(&AttributeState::Set);
        if entry.mode.is_tree() {
            if is_ignored {
                begun.walk.pass(&entry);
                return Ok(());
            }
            begun.walk.enter(repository, &entry)?;
            // The directory itself and those above it have no names.
            if entry.path.len() >= self.options.directory.len() {
                begun.directories.push(entry);
            }
            return Ok(());
        }
        if is_ignored {
            begun.add_directories(&self.options, out)?;
            begun.walk.pass(&entry);
            return Ok(());
        }
        match begun.add(repository, &entry, &attributes, &self.options, out) {
            Ok(stream) => self.stream = stream,
            Err(error) => return Err(begun.walk.ahead(error, repository)),
        }
        begun.walk.pass(&entry);
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let stream = self.stream.as_ref().map_or(0, ContentStream::memory);
        let begun = self.begun.as_ref().map_or(0, |begun| {
            let writer = match &begun.writer {
                Writer::Tar(_) | Writer::List => 0,
                Writer::Zip(zip) => zip.memory(),
            };
            let commit = begun.commit.as_ref().map_or(0, |(_, content)| content.len() as u64);
            let walk = begun.walk.memory().saturating_add(begun.description.memory());
            walk.saturating_add(writer).saturating_add(commit)
        });
        let check = self.check.as_ref().map_or(0, Check::memory);
        let gzip = self.gzip.as_ref().map_or(0, Gzip::memory);
        [begun, check, gzip, self.ready.capacity() as u64]
            .iter()
            .fold(stream, |sum, one| sum.saturating_add(*one))
    }
}

/// Finds the tree, and writes what precedes its entries.
fn begin(
    repository: &mut Repository,
    spec: &[u8],
    options: &ArchiveOptions,
    out: &mut Vec<u8>,
) -> Result<Begun> {
    let id = repository.resolve(spec)?;
    let peeled = repository.peel(&id, None)?;
    let commit = match repository.object_type(&peeled)? {
        ObjectType::Commit => Some((peeled, repository.read_of_type(&peeled, ObjectType::Commit)?)),
        _ => None,
    };
    let tree = repository.peel(&peeled, Some(ObjectType::Tree))?;
    let config = own_config(&repository.files, &repository.limits())?;
    let date = match &commit {
        Some((_, content)) => {
            let commit = Commit::decode(repository.hash(), content)?;
            commit.committer().seconds.unwrap_or(0)
        }
        None => options.now,
    };
    let mtime = options.mtime.unwrap_or(date);
    let id = commit.as_ref().map(|(id, _)| *id);
    let mut writer = match options.format {
        ArchiveFormat::Tar | ArchiveFormat::TarGz => {
            Writer::Tar(Tar::new(id, mtime, umask(&config)?, out))
        }
        ArchiveFormat::Zip => Writer::Zip(Box::new(Zip::new(id, mtime, options.level, &config))),
        ArchiveFormat::List => Writer::List,
    };
    if options.prefix.ends_with(b"/") {
        let end = options.prefix.iter().rposition(|byte| *byte != b'/');
        let end = end.map_or(0, |at| at.saturating_add(1));
        let path = [options.prefix.get(..end).unwrap_or_default(), b"/"].concat();
        writer
            .directory(&Header { path: &path, mode: Mode(0o040_000), oid: tree, size: 0 }, out)?;
    }
    let pathspec = pathspec_in(&options.directory, &options.pathspec)?;
    let walk = FileWalk::new(tree, pathspec, true, repository.limits().tree_depth);
    let conversion = Conversion::configured(&config);
    let description = Description::default();
    Ok(Begun { walk, writer, conversion, commit, description, directories: Vec::new() })
}

/// Returns `tar.umask`.
fn umask(config: &[u8]) -> Result<u32> {
    let Some(value) = config_value(config, "tar", "umask") else {
        return Ok(UMASK);
    };
    let text = std::str::from_utf8(&value).unwrap_or_default();
    let number = match text.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => u32::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    };
    number.ok_or_else(|| {
        let what = "`tar.umask` is not a number, which packlens needs: it knows no user";
        Error::new(ErrorKind::Unsupported, what).about(value)
    })
}

impl Begun {
    /// Forgets directories that have no entry in the archive, and in which the next one is not.
    fn leave_directories(&mut self, entry: &FileEntry) {
        while let Some(last) = self.directories.last() {
            let below = entry.path.strip_prefix(last.path.as_slice());
            if below.is_some_and(|rest| rest.starts_with(b"/")) {
                break;
            }
            self.directories.pop();
        }
    }

    fn add_directories(&mut self, options: &ArchiveOptions, out: &mut Vec<u8>) -> Result<()> {
        for entry in std::mem::take(&mut self.directories) {
            let path = [options.name(&entry.path).as_slice(), b"/"].concat();
            let header = Header { path: &path, mode: entry.mode, oid: entry.oid, size: 0 };
            self.writer.directory(&header, out)?;
        }
        Ok(())
    }

    /// Adds a file or a submodule; returns the content that follows, if it is large.
    fn add(
        &mut self,
        repository: &mut Repository,
        entry: &FileEntry,
        attributes: &PathAttributes,
        options: &ArchiveOptions,
        out: &mut Vec<u8>,
    ) -> Result<Option<ContentStream>> {
        let mut path = options.name(&entry.path);
        let oid = entry.oid;
        if entry.mode.is_gitlink() {
            self.add_directories(options, out)?;
            path.push(b'/');
            let header = Header { path: &path, mode: entry.mode, oid, size: 0 };
            self.writer.directory(&header, out)?;
            return Ok(None);
        }
        let is_file = entry.mode.is_file();
        if matches!(self.writer, Writer::List) {
            self.add_directories(options, out)?;
            let header = Header { path: &path, mode: entry.mode, oid, size: 0 };
            self.writer.file(&header, b"", None, attributes, out)?;
            return Ok(None);
        }
        let conversion = match is_file {
            true => self.conversion.of(attributes),
            false => Conversion::default(),
        };
        if let Some(name) = conversion.encoding() {
            let what = "files with `working-tree-encoding` are not converted";
            return Err(Error::new(ErrorKind::Unsupported, what).about(name));
        }
        let is_substituted = is_file && attributes.of("export-subst") == Some(&AttributeState::Set);
        let commit = self.commit.as_ref().filter(|_| is_substituted);
        let converts = commit.is_some() || conversion.changes_files();
        let size = repository.odb.info(&mut repository.files, &oid)?.size;
        if size >= LARGE && is_file && !converts {
            let verify = repository.verify;
            let asked = (&oid, &ReadHint::default());
            let stream = ContentStream::open_id(repository, asked, verify, (0, u64::MAX))?;
            if stream.info().object_type != ObjectType::Blob {
                return Err(Error::new(ErrorKind::WrongType, "a file is no blob").about(&path));
            }
            self.add_directories(options, out)?;
            let header = Header { path: &path, mode: entry.mode, oid, size };
            self.writer.begin_content(&header, attributes, out)?;
            return Ok(Some(stream));
        }
        let stored = match &mut self.writer {
            Writer::Zip(zip) if is_file && !converts => zip.stored(repository, &oid)?,
            _ => None,
        };
        let (content, deflated) = match stored {
            Some(stored) => (stored.content, Some(stored.deflated)),
            None => (repository.read_of_type(&oid, ObjectType::Blob)?, None),
        };
        let mut content = conversion.to_file(content, &oid);
        if let Some((id, commit)) = commit {
            content =
                substitute::substituted(content, repository, id, commit, &mut self.description)
                    .map_err(
                        |error| {
                            if error.subject().is_empty() {
                                error.about(&path)
                            } else {
                                error
                            }
                        },
                    )?;
        }
        self.add_directories(options, out)?;
        let header = Header { path: &path, mode: entry.mode, oid, size: content.len() as u64 };
        self.writer.file(&header, &content, deflated, attributes, out)?;
        Ok(None)
    }
}
