//! Errors: what went wrong, and what the caller can do about it.

use crate::block::FileId;
use crate::oid::ObjectId;
use crate::words::words;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The longest subject that is kept, in bytes: names from outside may have any length.
const MOST_SUBJECT: usize = 4096;

words! {
    /// The kinds of errors, by what a caller can do about them.
    ///
    /// JavaScript sees these as `error.code`, so a kind is added only when a caller would act
    /// differently, never for a new message.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    #[non_exhaustive]
    pub enum ErrorKind {
        /// Something is not in memory: provide what [`Error::need`] names, and call again.
        Missing = "INTERNAL",
        /// There is no such object, ref or path.
        NotFound = "NOT_FOUND",
        /// A shortened object id stands for several objects.
        Ambiguous = "AMBIGUOUS",
        /// The object exists, but has another type than requested.
        WrongType = "WRONG_TYPE",
        /// The bytes break their format, or do not match their id.
        Corrupt = "CORRUPT",
        /// The bytes may be well formed, but this reader cannot handle them.
        Unsupported = "UNSUPPORTED",
        /// The operation would exceed [`Limits`](crate::Limits).
        Limit = "LIMIT",
        /// The request itself is invalid.
        BadInput = "BAD_INPUT",
        /// The object is part of the repository, but was never fetched.
        Promised = "PROMISED",
        /// A file that was being read has been deleted or replaced: ask again from the beginning.
        Changed = "CHANGED",
    }
}

words! {
    /// The kinds of needs.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum NeedKind {
        /// Bytes of a file.
        Bytes = "bytes",
        /// The existence of a file.
        File = "file",
        /// The names in a directory.
        Directory = "directory",
        /// Missing objects.
        Objects = "objects",
        /// A turn for the caller; nothing is missing.
        Turn = "turn",
        /// The full module.
        Module = "module",
        /// A range of a file.
        Range = "range",
    }
}

impl Need {
    /// Returns the need as JavaScript gets it; numbers have their low bytes first. The kind
    /// ([`NeedKind`], 4 bytes), then for bytes and ranges: file (4), offset (8) and length (8). For
    /// the other kinds: the length of the path or ids (4), the offset at which reading will start
    /// (8, all ones if unknown; of the module 1 if its rest is needed, otherwise 0), and the path
    /// or ids.
    pub fn to_record(&self) -> Vec<u8> {
        let ids: Vec<u8>;
        let (kind, path, near): (NeedKind, &[u8], u64) = match self {
            Need::Bytes { file, offset, length } | Need::Range { file, offset, length } => {
                let kind = match self {
                    Need::Range { .. } => NeedKind::Range,
                    _ => NeedKind::Bytes,
                };
                let mut record = u32::from(kind.number()).to_le_bytes().to_vec();
                record.extend(file.number().to_le_bytes());
                record.extend(offset.to_le_bytes());
                record.extend(length.to_le_bytes());
                return record;
            }
            Need::File { path, near } => (NeedKind::File, path, near.unwrap_or(u64::MAX)),
            Need::Directory(path) => (NeedKind::Directory, path, u64::MAX),
            Need::Objects(needed) => {
                ids = needed.iter().flat_map(|id| id.as_bytes().to_vec()).collect();
                (NeedKind::Objects, &ids, u64::MAX)
            }
            Need::Turn => (NeedKind::Turn, &[], u64::MAX),
            Need::Module { rest } => (NeedKind::Module, &[], u64::from(*rest)),
        };
        let mut record = u32::from(kind.number()).to_le_bytes().to_vec();
        record.extend((path.len() as u32).to_le_bytes());
        record.extend(near.to_le_bytes());
        record.extend(path);
        record
    }
}

/// The data that the caller has to provide before the question can be answered.
///
/// A path is bytes, with `/` between names. Absolute paths come from files of alternates; all
/// others are below the git directory. A linked worktree has two such directories: its own,
/// and the one that the file `commondir` names. Below its own are:
///
/// - `config.worktree`, and names of capital letters and `_` without a `/`, such as `HEAD`;
/// - `refs/bisect/`, `refs/worktree/`, `refs/rewritten/`, and the same below `logs/`, as are
///   the reflogs of the names above;
/// - paths with `.worktree/` before them, which no other git directory has.
///
/// Paths with `main-worktree/` before them, and all others, are below the other one. The
/// directory `refs` has the names of both.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Need {
    /// Bytes of a file, from `offset` on: see [`Files::add`](crate::block::Files::add). At
    /// least the first one is not in memory; `length` is how many the reader expects to use,
    /// which may be more than the file has. Any number of bytes from `offset` on will do.
    Bytes {
        /// The file.
        file: FileId,
        /// The offset of the first byte.
        offset: u64,
        /// The number of bytes, at least 1.
        length: u64,
    },
    /// Whether there is a file at this path, and its size: see
    /// [`Files::found`](crate::block::Files::found) and
    /// [`Files::absent`](crate::block::Files::absent). A directory is no file.
    File {
        /// The path.
        path: Vec<u8>,
        /// The offset at which reading will start, if known.
        near: Option<u64>,
    },
    /// The names in the directory at this path: see
    /// [`Files::listed`](crate::block::Files::listed).
    Directory(Vec<u8>),
    /// Missing objects: all that are known to be needed. Only a repository whose layout says
    /// that objects can be fetched has this need.
    Objects(Vec<ObjectId>),
    /// Nothing is missing: a step of a long question is over. The caller may do something
    /// else, or give up, before it calls again.
    Turn,
    /// The full module: the reader, which is smaller, does not have the code that answers this
    /// question. The caller asks the question anew in the full module.
    Module {
        /// The rest of the full module is needed, too: see
        /// [`require_rest`](crate::module::require_rest).
        rest: bool,
    },
    /// As [`Need::Bytes`], where the number of bytes is known: what is beside them is of no use.
    /// Of an immediate file exactly these are added: see
    /// [`Files::set_immediate`](crate::block::Files::set_immediate).
    Range {
        /// The file.
        file: FileId,
        /// The offset of the first byte.
        offset: u64,
        /// The number of bytes, at least 1.
        length: u64,
    },
}

/// An error: what went wrong, and where.
///
/// One pointer wide; the details are in a box.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, Eq, PartialEq)]
struct Details {
    kind: ErrorKind,
    what: &'static str,
    subject: Vec<u8>,
    place: Option<(FileId, u64)>,
    need: Option<Need>,
    guesses: Vec<Need>,
}

impl Error {
    /// Creates an error without a location in a file.
    #[cold]
    pub fn new(kind: ErrorKind, what: &'static str) -> Error {
        Error(Box::new(Details {
            kind,
            what,
            subject: Vec::new(),
            place: None,
            need: None,
            guesses: Vec::new(),
        }))
    }

    /// Creates an error of kind [`ErrorKind::Corrupt`] about `file` at `offset`.
    #[cold]
    pub fn corrupt(what: &'static str, file: FileId, offset: u64) -> Error {
        Error::new(ErrorKind::Corrupt, what).at(file, offset)
    }

    /// Creates an error of kind [`ErrorKind::Missing`].
    #[cold]
    pub fn missing(need: Need) -> Error {
        let mut error = Error::new(ErrorKind::Missing, "not in memory");
        error.0.need = Some(need);
        error
    }

    /// Sets the location, unless a more exact one is already known.
    #[must_use]
    pub fn at(mut self, file: FileId, offset: u64) -> Error {
        self.0.place.get_or_insert((file, offset));
        self
    }

    /// Sets the subject of the error: an object id, a refname, a spec. A long subject is cut.
    #[must_use]
    pub fn about(mut self, subject: impl AsRef<[u8]>) -> Error {
        if self.0.subject.is_empty() {
            let subject = subject.as_ref();
            let kept = subject.get(..MOST_SUBJECT).unwrap_or(subject);
            self.0.subject = kept.to_vec();
            if kept.len() < subject.len() {
                self.0.subject.extend_from_slice(b"...");
            }
        }
        self
    }

    /// Widens a need for bytes to at least `length` bytes.
    #[must_use]
    pub fn widened(mut self, length: u64) -> Error {
        if let Some(Need::Bytes { length: needed, .. }) = &mut self.0.need {
            *needed = length.max(*needed);
        }
        self
    }

    /// Sets the offset at which reading will start, in a need for a file.
    #[must_use]
    pub fn near(mut self, offset: u64) -> Error {
        if let Some(Need::File { near, .. }) = &mut self.0.need {
            *near = Some(offset);
        }
        self
    }

    /// Adds a need that will probably come next, if this is an error of missing data.
    #[must_use]
    pub fn guessing(mut self, need: Need) -> Error {
        let empty = matches!(need, Need::Bytes { length: 0, .. });
        if self.0.need.is_some() && !empty {
            self.0.guesses.push(need);
        }
        self
    }

    /// Adds the need and the guesses of another error as guesses of this one.
    #[must_use]
    pub fn guessing_all(mut self, other: Error) -> Error {
        if self.0.need.is_some() {
            self.0.guesses.extend(other.0.need);
            self.0.guesses.extend(other.0.guesses);
        }
        self
    }

    /// Adds objects to a need for objects.
    #[must_use]
    pub fn needing(mut self, more: impl IntoIterator<Item = ObjectId>) -> Error {
        if let Some(Need::Objects(ids)) = &mut self.0.need {
            ids.extend(more);
        }
        self
    }

    /// Returns the error as JavaScript gets it; numbers have their low bytes first. The kind
    /// (1 byte, [`ErrorKind::number`]), whether there is a location (1), 0 (2), file (4),
    /// offset (8); then the length of the message (4) and the message, the length of the
    /// subject (4) and the subject.
    pub fn to_record(&self) -> Vec<u8> {
        let (file, offset) = self.0.place.map_or((0, 0), |(file, at)| (file.number(), at));
        let mut record = vec![self.0.kind.number(), u8::from(self.0.place.is_some()), 0, 0];
        record.extend(file.to_le_bytes());
        record.extend(offset.to_le_bytes());
        for text in [self.0.what.as_bytes(), &self.0.subject] {
            record.extend((text.len() as u32).to_le_bytes());
            record.extend(text);
        }
        record
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the message for people.
    pub fn what(&self) -> &'static str {
        self.0.what
    }

    /// Returns the subject; empty if only the location is known.
    pub fn subject(&self) -> &[u8] {
        &self.0.subject
    }

    /// Returns the location: a file and an offset in it.
    pub fn place(&self) -> Option<(FileId, u64)> {
        self.0.place
    }

    /// Returns the need, for kind [`ErrorKind::Missing`] only.
    pub fn need(&self) -> Option<&Need> {
        self.0.need.as_ref()
    }

    /// Returns needs that will probably come next. Providing them saves round trips, but is
    /// optional.
    pub fn guesses(&self) -> &[Need] {
        &self.0.guesses
    }

    /// Returns whether the call may succeed once [`Error::need`] is provided.
    pub fn is_missing(&self) -> bool {
        self.0.kind == ErrorKind::Missing
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.what)?;
        if !self.0.subject.is_empty() {
            write!(f, ": {}", String::from_utf8_lossy(&self.0.subject))?;
        }
        match self.0.place {
            Some((file, offset)) => write!(f, " (file {} at offset {offset})", file.number()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
