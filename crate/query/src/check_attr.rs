//! Finds the attributes of paths: `git check-attr`.

use crate::path_attributes::{PathAttributes, TreeAttributes};
use crate::repository::Repository;
use crate::worktree::{PathsIn, WorktreePaths};
use packlens_base::appender::{Append, Appender, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::sort;
use packlens_format::attributes::{is_attribute_name, AttributeState, Attributes};

/// What git itself says something of, in the order of its list.
const BUILT_IN: [&[u8]; 4] = [b"binary", b"diff", b"merge", b"text"];

/// Which files `.gitattributes` count; `info/attributes` always does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AttributesIn {
    /// Those of the work tree; where one is missing, that of the index.
    Worktree,
    /// Those of the index.
    Index,
    /// Those of a tree: its revision.
    Tree(Vec<u8>),
}

/// A resumable answer.
pub struct PathsAttributes {
    files: Files,
    paths: Vec<Vec<u8>>,
    /// The attributes that are asked for; none for all that something is said of.
    names: Vec<Vec<u8>>,
    /// How many paths are answered.
    at: usize,
    order: NameOrder,
}

enum Files {
    Worktree(Box<WorktreePaths>),
    Tree(TreeAttributes),
}

impl PathsAttributes {
    /// Creates the question about paths, of which those of directories end with a slash.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for a path that does not begin at the top of the work tree, and for
    /// a name that no attribute can have.
    pub fn new(
        source: AttributesIn,
        paths: Vec<Vec<u8>>,
        names: Vec<Vec<u8>>,
    ) -> Result<PathsAttributes> {
        WorktreePaths::check(&paths)?;
        if let Some(name) = names.iter().find(|name| !is_attribute_name(name)) {
            let what = "not a valid attribute name";
            return Err(Error::new(ErrorKind::BadInput, what).about(name.as_slice()));
        }
        let files = match source {
            AttributesIn::Worktree => {
                Files::Worktree(Box::new(WorktreePaths::new(PathsIn::Worktree)))
            }
            AttributesIn::Index => Files::Worktree(Box::new(WorktreePaths::new(PathsIn::Index))),
            AttributesIn::Tree(spec) => Files::Tree(TreeAttributes::new(spec)),
        };
        Ok(PathsAttributes { files, paths, names, at: 0, order: NameOrder::new() })
    }

    /// Appends a record for each path until `out` is about `capacity` bytes long; returns whether
    /// all are answered.
    ///
    /// A record has the number of attributes in 4 bytes. Each attribute has its state (1 byte: 0
    /// unspecified, 1 set, 2 unset, 3 with a value), the lengths of its name and its value (4
    /// each), and these.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::Unsupported`] for a source without a work tree, if
    /// that is asked for, and if `core.attributesFile` is no absolute path.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if let Files::Worktree(files) = &mut self.files {
            files.begin(repository)?;
        }
        while let Some(path) = self.paths.get(self.at) {
            if out.len() >= capacity {
                return Ok(false);
            }
            repository.files.step()?;
            let (name, is_directory) = match path.strip_suffix(b"/") {
                Some(name) => (name, true),
                None => (path.as_slice(), false),
            };
            let found = match &mut self.files {
                Files::Worktree(files) => files.attributes((name, is_directory), repository)?,
                Files::Tree(files) => files.of((name, is_directory), repository)?,
            };
            let mut record = out.appender();
            match self.names.is_empty() {
                true => {
                    match &self.files {
                        Files::Worktree(files) => self.order.add(files.read_attributes()),
                        Files::Tree(files) => self.order.add(files.read()),
                    }
                    write_all(&mut record, &found, &self.order)?;
                }
                false => {
                    record.u32(self.names.len() as u32)?;
                    for name in &self.names {
                        let state = found.of(name).unwrap_or(&AttributeState::Unspecified);
                        write(&mut record, name, state)?;
                    }
                }
            }
            self.at = self.at.saturating_add(1);
        }
        Ok(true)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let files = match &self.files {
            Files::Worktree(files) => files.memory(),
            Files::Tree(files) => files.memory(),
        };
        let texts = self.paths.iter().chain(&self.names).map(|text| text.capacity() as u64);
        texts.fold(files.saturating_add(self.order.memory()), u64::saturating_add)
    }
}

fn write_all(record: &mut Appender<'_>, found: &PathAttributes, order: &NameOrder) -> Result<()> {
    let mut all: Vec<_> = found.all().collect();
    sort::by(&mut all, |(one, _), (other, _)| order.of(one).cmp(&order.of(other)));
    record.u32(all.len() as u32)?;
    all.into_iter().try_for_each(|(name, state)| write(record, name, state))
}

fn write(record: &mut Appender<'_>, name: &[u8], state: &AttributeState) -> Result<()> {
    let (code, value): (u8, &[u8]) = match state {
        AttributeState::Unspecified => (0, b""),
        AttributeState::Set => (1, b""),
        AttributeState::Unset => (2, b""),
        AttributeState::Value(value) => (3, value),
    };
    record.bytes(&[code])?;
    record.u32(name.len() as u32)?;
    record.u32(value.len() as u32)?;
    record.bytes(name)?;
    record.bytes(value)
}

/// The order in which git lists attributes: that in which it reads their names first.
struct NameOrder {
    /// Names in the order of their bytes, each with its place in git's order.
    names: Vec<(Vec<u8>, usize)>,
}

impl NameOrder {
    fn new() -> NameOrder {
        let names = BUILT_IN.iter().enumerate().map(|(at, name)| (name.to_vec(), at));
        NameOrder { names: names.collect() }
    }

    /// Adds the names of files that are not known yet.
    fn add<'a>(&mut self, files: impl Iterator<Item = &'a Attributes>) {
        let known = self.names.len();
        let more = files.flat_map(Attributes::names).filter(|name| self.find(name).is_err());
        let more: Vec<_> =
            more.enumerate().map(|(at, name)| (name, known.saturating_add(at))).collect();
        if more.is_empty() {
            return;
        }
        self.names.extend(more.into_iter().map(|(name, at)| (name.to_vec(), at)));
        // Of a name that was added twice the first counts.
        sort::by(&mut self.names, |one, other| one.cmp(other));
        self.names.dedup_by(|later, earlier| later.0 == earlier.0);
    }

    fn of(&self, name: &[u8]) -> usize {
        let found = self.find(name).ok().and_then(|at| self.names.get(at));
        found.map_or(usize::MAX, |(_, at)| *at)
    }

    fn find(&self, name: &[u8]) -> std::result::Result<usize, usize> {
        self.names.binary_search_by(|(other, _)| other.as_slice().cmp(name))
    }

    fn memory(&self) -> u64 {
        let own = |(name, _): &(Vec<u8>, usize)| {
            name.capacity().saturating_add(size_of::<(Vec<u8>, usize)>()) as u64
        };
        self.names.iter().map(own).fold(0, u64::saturating_add)
    }
}
