//! Archives of trees, as `git archive` makes them: <https://git-scm.com/docs/git-archive>.

mod substitute;
mod tar;
mod zip;

use crate::conversion::Conversion;
use crate::file_walk::{FileEntry, FileWalk};
use crate::odb::ReadHint;
use crate::path_attributes::PathAttributes;
use crate::repository::Repository;
use crate::stream::ContentStream;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::attributes::AttributeState;
use packlens_format::config::config_value;
use packlens_format::object::{Commit, Mode, ObjectType};
use packlens_format::pathspec::Pathspec;
use packlens_format::refs::text_of;
use tar::Tar;
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
}

/// Options of an archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveOptions {
    /// The format.
    pub format: ArchiveFormat,
    /// What precedes every path.
    pub prefix: Vec<u8>,
    /// The paths that are archived, with what is below them; none for all.
    pub paths: Vec<Vec<u8>>,
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
    begun: Option<Begun>,
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
    /// Trees that were entered, but have no entry in the archive yet.
    directories: Vec<FileEntry>,
}

enum Writer {
    Tar(Tar),
    Zip(Box<Zip>),
}

impl ArchiveFormat {
    /// The names of the formats, by number.
    pub const WORDS: &'static [&'static str] = &["tar", "zip"];
}

impl Archive {
    /// Creates the question about the tree that a revision leads to.
    pub fn new(spec: &[u8], options: ArchiveOptions) -> Archive {
        Archive {
            spec: spec.to_vec(),
            options,
            begun: None,
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
    /// [`ErrorKind::NotFound`] for a path that the tree does not have;
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

    /// Makes the next bytes: of one entry, or of a part of a large one.
    fn step(&mut self, repository: &mut Repository) -> Result<()> {
        repository.files.step()?;
        let begun = match &mut self.begun {
            Some(begun) => begun,
            None => {
                let begun = begin(repository, &self.spec, &self.options, &mut self.ready)?;
                self.begun = Some(begun);
                return Ok(());
            }
        };
        if let Some(stream) = &mut self.stream {
            let mut part = Output::default();
            let filled = stream.fill(repository, LARGE as usize, &mut part);
            // What was made before bytes are missing is not made again.
            begun.writer.content(part.as_slice(), &mut self.ready)?;
            if filled? {
                begun.writer.end_content(&mut self.ready)?;
                self.stream = None;
            }
            return Ok(());
        }
        let Some(entry) = begun.walk.next(repository)? else {
            begun.writer.end(&mut self.ready)?;
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
            begun.directories.push(entry);
            return Ok(());
        }
        if is_ignored {
            begun.add_directories(&self.options.prefix, &mut self.ready)?;
            begun.walk.pass(&entry);
            return Ok(());
        }
        let prefix = &self.options.prefix;
        match begun.add(repository, &entry, &attributes, prefix, &mut self.ready) {
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
                Writer::Tar(_) => 0,
                Writer::Zip(zip) => zip.memory(),
            };
            let commit = begun.commit.as_ref().map_or(0, |(_, content)| content.len() as u64);
            begun.walk.memory().saturating_add(writer).saturating_add(commit)
        });
        stream.saturating_add(begun).saturating_add(self.ready.capacity() as u64)
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
    for path in &options.paths {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let spec = [tree.to_hex().as_bytes(), b":", path].concat();
        repository.resolve(&spec).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Error::new(ErrorKind::NotFound, "the path is not in the tree").about(path)
            }
            _ => error,
        })?;
    }
    let config = match repository.files.find(b"config")? {
        Some(file) => text_of(&repository.files, file, &repository.limits())?,
        None => Vec::new(),
    };
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
        ArchiveFormat::Tar => Writer::Tar(Tar::new(id, mtime, umask(&config)?, out)),
        ArchiveFormat::Zip => Writer::Zip(Box::new(Zip::new(id, mtime))),
    };
    if options.prefix.ends_with(b"/") {
        let end = options.prefix.iter().rposition(|byte| *byte != b'/');
        let end = end.map_or(0, |at| at.saturating_add(1));
        let path = [options.prefix.get(..end).unwrap_or_default(), b"/"].concat();
        writer
            .directory(&Header { path: &path, mode: Mode(0o040_000), oid: tree, size: 0 }, out)?;
    }
    let literal: Vec<_> =
        options.paths.iter().map(|path| [b":(literal)", &path[..]].concat()).collect();
    let pathspec = Pathspec::parse(&literal)?;
    let walk = FileWalk::new(tree, pathspec, true, repository.limits().tree_depth);
    let conversion = Conversion::configured(&config);
    Ok(Begun { walk, writer, conversion, commit, directories: Vec::new() })
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

    fn add_directories(&mut self, prefix: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for entry in std::mem::take(&mut self.directories) {
            let path = [prefix, &entry.path, b"/"].concat();
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
        prefix: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Option<ContentStream>> {
        let mut path = [prefix, &entry.path].concat();
        let oid = entry.oid;
        if entry.mode.is_gitlink() {
            self.add_directories(prefix, out)?;
            path.push(b'/');
            let header = Header { path: &path, mode: entry.mode, oid, size: 0 };
            self.writer.directory(&header, out)?;
            return Ok(None);
        }
        let is_file = entry.mode.is_file();
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
            self.add_directories(prefix, out)?;
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
                substitute::substituted(content, repository, id, commit).map_err(|error| {
                    if error.subject().is_empty() {
                        error.about(&path)
                    } else {
                        error
                    }
                })?;
        }
        self.add_directories(prefix, out)?;
        let header = Header { path: &path, mode: entry.mode, oid, size: content.len() as u64 };
        self.writer.file(&header, &content, deflated, attributes, out)?;
        Ok(None)
    }
}

impl Writer {
    fn directory(&mut self, header: &Header<'_>, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.header(header, b"", out),
            Writer::Zip(zip) => zip.directory(header, out),
        }
    }

    fn file(
        &mut self,
        header: &Header<'_>,
        content: &[u8],
        deflated: Option<Vec<u8>>,
        attributes: &PathAttributes,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self {
            Writer::Tar(tar) if header.mode.is_file() => {
                tar.header(header, b"", out)?;
                tar.content(content, out)?;
                tar.end_content(out)
            }
            Writer::Tar(tar) => tar.header(header, content, out),
            Writer::Zip(zip) => zip.file(header, content, deflated, attributes, out),
        }
    }

    fn begin_content(
        &mut self,
        header: &Header<'_>,
        attributes: &PathAttributes,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.header(header, b"", out),
            Writer::Zip(zip) => zip.begin_content(header, attributes, out),
        }
    }

    fn content(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.content(part, out),
            Writer::Zip(zip) => zip.content(part, out),
        }
    }

    fn end_content(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.end_content(out),
            Writer::Zip(zip) => zip.end_content(out),
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.end(out),
            Writer::Zip(zip) => zip.end(out),
        }
    }
}
