//! What can go wrong, and who can do something about it.

use crate::block::FileId;
use crate::oid::ObjectId;
use crate::words::words;

/// The result of everything in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The most bytes of a subject: names from outside may have any length.
const MOST_SUBJECT: usize = 4096;

words! {
    /// What went wrong, told by who can act on it.
    ///
    /// JavaScript sees these as `error.code`, so a kind is added only when a caller
    /// would act differently, never for a new message.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    #[non_exhaustive]
    pub enum ErrorKind {
        /// Something is not in memory: provide what [`Error::need`] names, ask again.
        Missing = "INTERNAL",
        /// There is no such object, ref or path.
        NotFound = "NOT_FOUND",
        /// A shortened object id stands for several objects.
        Ambiguous = "AMBIGUOUS",
        /// The object is there, but is of another type than asked for.
        WrongType = "WRONG_TYPE",
        /// The bytes break their format, or are not what their id says.
        Corrupt = "CORRUPT",
        /// The bytes may be well formed, but this reader cannot use them.
        Unsupported = "UNSUPPORTED",
        /// Going on would take more than [`Limits`](crate::Limits) allows.
        Limit = "LIMIT",
        /// The question itself makes no sense.
        BadInput = "BAD_INPUT",
        /// The object is part of the repository, but was never fetched.
        Promised = "PROMISED",
    }
}

words! {
    /// What kind of need one is.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum NeedKind {
        /// Bytes of a file.
        Bytes = "bytes",
        /// Whether there is a file.
        File = "file",
        /// What names a directory has.
        Directory = "directory",
        /// Objects that are nowhere.
        Objects = "objects",
        /// Nothing, but that others get a turn.
        Turn = "turn",
    }
}

impl Need {
    /// Returns the need as JavaScript gets it: what it is (4 bytes:
    /// [`NeedKind`]), then file (4), offset (8) and length
    /// (8); or the length of the path (4), where in the file reading will begin (8, all
    /// ones if that is not known), and the path, or the ids.
    pub fn to_record(&self) -> Vec<u8> {
        let ids: Vec<u8>;
        let (kind, path, near): (NeedKind, &[u8], u64) = match self {
            Need::Bytes { file, offset, length } => {
                let mut record = u32::from(NeedKind::Bytes.number()).to_le_bytes().to_vec();
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
        };
        let mut record = u32::from(kind.number()).to_le_bytes().to_vec();
        record.extend((path.len() as u32).to_le_bytes());
        record.extend(near.to_le_bytes());
        record.extend(path);
        record
    }
}

/// What has to be provided before the same question can be answered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Need {
    /// Bytes of a file, from `offset` on. At least the first is not in memory;
    /// `length` is how many the reader expects to use.
    Bytes {
        /// The file.
        file: FileId,
        /// Where the bytes begin.
        offset: u64,
        /// How many bytes, at least 1.
        length: u64,
    },
    /// Whether there is a file at this path, and its size.
    File {
        /// The path.
        path: Vec<u8>,
        /// Where in it reading will begin, if that is known already.
        near: Option<u64>,
    },
    /// The names in the directory at this path.
    Directory(Vec<u8>),
    /// Objects that are nowhere, all that are known to be needed.
    Objects(Vec<ObjectId>),
    /// Nothing is missing: a step of a long question is over. Whoever asks may do
    /// something else, or leave, before it asks again.
    Turn,
}

/// An error: what, and where.
///
/// One word wide; the details lie behind it.
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
    /// Makes an error that belongs to no place in a file.
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

    /// Makes an error of kind [`ErrorKind::Corrupt`] about `file` at `offset`.
    #[cold]
    pub fn corrupt(what: &'static str, file: FileId, offset: u64) -> Error {
        Error::new(ErrorKind::Corrupt, what).at(file, offset)
    }

    /// Makes an error of kind [`ErrorKind::Missing`].
    #[cold]
    pub fn missing(need: Need) -> Error {
        let mut error = Error::new(ErrorKind::Missing, "not in memory");
        error.0.need = Some(need);
        error
    }

    /// Adds the place, unless a more exact one is already known.
    #[must_use]
    pub fn at(mut self, file: FileId, offset: u64) -> Error {
        self.0.place.get_or_insert((file, offset));
        self
    }

    /// Adds what the error is about: an object id, a refname, a spec. Of a long one only
    /// the beginning is kept.
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

    /// Asks for at least `length` bytes, if bytes are what is missing.
    #[must_use]
    pub fn widened(mut self, length: u64) -> Error {
        if let Some(Need::Bytes { length: wanted, .. }) = &mut self.0.need {
            *wanted = length.max(*wanted);
        }
        self
    }

    /// Tells where in a file reading will begin, if it is a file that is missing.
    #[must_use]
    pub fn near(mut self, offset: u64) -> Error {
        if let Some(Need::File { near, .. }) = &mut self.0.need {
            *near = Some(offset);
        }
        self
    }

    /// Adds what will likely be missing next, if something is missing now.
    #[must_use]
    pub fn guessing(mut self, need: Need) -> Error {
        let empty = matches!(need, Need::Bytes { length: 0, .. });
        if self.0.need.is_some() && !empty {
            self.0.guesses.push(need);
        }
        self
    }

    /// Adds what another error lacks, and guesses, as guesses of this one.
    #[must_use]
    pub(crate) fn guessing_all(mut self, other: Error) -> Error {
        if self.0.need.is_some() {
            self.0.guesses.extend(other.0.need);
            self.0.guesses.extend(other.0.guesses);
        }
        self
    }

    /// Adds objects to those that are missing, if objects are.
    #[must_use]
    pub(crate) fn needing(mut self, more: impl IntoIterator<Item = ObjectId>) -> Error {
        if let Some(Need::Objects(ids)) = &mut self.0.need {
            ids.extend(more);
        }
        self
    }

    /// Returns the error as JavaScript gets it. All numbers have their low bytes
    /// first: the kind (1 byte, [`ErrorKind::number`]), whether there is a place
    /// (1), 0 (2), the file (4), the offset (8), then the length of what went
    /// wrong (4) and its text, the length of the subject (4) and its bytes.
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

    /// Returns what went wrong, in words for people.
    pub fn what(&self) -> &'static str {
        self.0.what
    }

    /// Returns what the error is about; empty if nothing but the place is known.
    pub fn subject(&self) -> &[u8] {
        &self.0.subject
    }

    /// Returns the file and the offset in it.
    pub fn place(&self) -> Option<(FileId, u64)> {
        self.0.place
    }

    /// Returns what is missing, for kind [`ErrorKind::Missing`] only.
    pub fn need(&self) -> Option<&Need> {
        self.0.need.as_ref()
    }

    /// Returns what will likely be missing next. To provide it spares questions,
    /// not to provide it changes nothing.
    pub fn guesses(&self) -> &[Need] {
        &self.0.guesses
    }

    /// Tells whether providing what [`Error::need`] names may help.
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
