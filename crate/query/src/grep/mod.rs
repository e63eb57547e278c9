//! Searches the files of a tree, or a blob: <https://git-scm.com/docs/git-grep>.

mod expression;
mod file;
mod spans;

pub use expression::Matching;
pub use spans::match_spans;

use crate::file_walk::FileWalk;
use crate::repository::Repository;
use expression::Expression;
use file::SearchedFile;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{ErrorKind, Result};
use packlens_diff::is_binary;
use packlens_format::attributes::AttributeState;
use packlens_format::object::ObjectType;
use packlens_format::pathspec::Pathspec;

/// What is listed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum GrepAnswer {
    /// The lines that match.
    #[default]
    Lines,
    /// How many lines of each file match.
    Counts,
    /// The files that have such lines.
    Files,
    /// The files that do not.
    FilesWithout,
}

/// What is done with binary files.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum GrepBinary {
    /// Only that one matches is listed.
    #[default]
    Mention,
    /// They are searched as other files.
    Text,
    /// They are not searched.
    Skip,
}

/// Options of a search.
#[derive(Clone, Debug, Default)]
pub struct GrepOptions {
    /// How lines are matched.
    pub matching: Matching,
    /// Lists lines that do not match.
    pub invert: bool,
    /// Only files in which each alternative matches a line are searched.
    pub all_match: bool,
    /// What is listed.
    pub answer: GrepAnswer,
    /// What is done with binary files.
    pub binary: GrepBinary,
    /// Where lines match is listed, too.
    pub columns: bool,
    /// How many lines before and after a match are listed, too.
    pub before: u32,
    /// See `before`.
    pub after: u32,
    /// Lists the line with the name of the function.
    pub function: bool,
    /// Lists the whole function.
    pub function_context: bool,
    /// The most lines of a file that are listed as matches.
    pub max_count: Option<u32>,
    /// Which files are searched.
    pub pathspec: Pathspec,
    /// How many directories below the top, or below a path, are entered; `None` for all. Elements
    /// of the pathspec with wildcards have no such limit.
    pub max_depth: Option<u32>,
    /// Whether the attributes of the tree do not count.
    pub without_attributes: bool,
}

/// What a record is about.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum GrepRecord {
    /// A line that matches.
    Match,
    /// A line near one.
    Context,
    /// The line with the name of the function.
    Function,
    /// A binary file that matches.
    Binary,
    /// A file.
    File,
    /// A number of lines.
    Count,
}

impl GrepRecord {
    /// The names of the kinds, by number.
    pub const WORDS: &'static [&'static str] =
        &["match", "context", "function", "binary", "file", "count"];
}

/// A resumable search.
pub struct Grep {
    spec: Vec<u8>,
    expression: Expression,
    options: GrepOptions,
    walk: Option<FileWalk>,
    /// The question is about a blob alone, whose search has begun.
    is_blob: bool,
    file: Option<SearchedFile>,
}

impl Grep {
    /// Creates the question: see [`Grep::fill`] for the answers, and `Expression` for the tokens.
    ///
    /// # Errors
    ///
    /// [`BadInput`](packlens_base::ErrorKind::BadInput) for malformed expressions,
    /// [`Unsupported`](packlens_base::ErrorKind::Unsupported) for some others.
    pub fn new(spec: &[u8], tokens: &[Vec<u8>], options: GrepOptions) -> Result<Grep> {
        let expression = Expression::new(tokens, options.matching)?;
        Ok(Grep {
            spec: spec.to_vec(),
            expression,
            options,
            walk: None,
            is_blob: false,
            file: None,
        })
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// search is complete.
    ///
    /// A record has: its kind, the number of the line or the count, the column of the first match
    /// (0 if it is not known), how many matches of the line follow, the length of the path, that
    /// of the line (4 bytes each), where each match begins and ends (4 bytes each), the path, the
    /// line.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`Limit`](packlens_base::ErrorKind::Limit) for a file larger than memory.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        // Then git searches nothing, and lists no file as one without matches.
        if self.options.max_count == Some(0) {
            return Ok(true);
        }
        while out.len() < capacity {
            repository.files.step()?;
            if let Some(file) = &mut self.file {
                if file.step(&self.options, &mut self.expression, out)? {
                    self.file = None;
                }
                continue;
            }
            if self.is_blob {
                return Ok(true);
            }
            let Some(walk) = &mut self.walk else {
                self.begin(repository)?;
                continue;
            };
            let Some(entry) = walk.next(repository)? else {
                return Ok(true);
            };
            let GrepOptions { pathspec, max_depth, .. } = &self.options;
            let is_within = max_depth
                .is_none_or(|most| pathspec.is_within_depth(&entry.path, entry.mode, most));
            if is_within && entry.mode.is_tree() {
                walk.enter(repository, &entry)?;
                continue;
            }
            if is_within && entry.mode.is_file() {
                let content = match repository.read_of_type(&entry.oid, ObjectType::Blob) {
                    Ok(content) => content,
                    Err(error) => return Err(walk.ahead(error, repository)),
                };
                let path = entry.path.clone();
                self.file =
                    searched(path, content, walk.attributes(&entry).of("diff"), &self.options);
                self.expression.restart();
            }
            walk.pass(&entry);
            repository.files.advance();
        }
        Ok(false)
    }

    /// Begins with the tree, or reads the blob.
    fn begin(&mut self, repository: &mut Repository) -> Result<()> {
        let id = repository.resolve(&self.spec)?;
        let root = match repository.peel(&id, Some(ObjectType::Tree)) {
            Err(error) if error.kind() == ErrorKind::WrongType => {
                let blob = repository.peel(&id, Some(ObjectType::Blob))?;
                let content = repository.read_of_type(&blob, ObjectType::Blob)?;
                self.file = searched(Vec::new(), content, None, &self.options);
                self.is_blob = true;
                return Ok(());
            }
            root => root?,
        };
        let depth = repository.limits().tree_depth;
        let has_attributes = !self.options.without_attributes;
        let pathspec = self.options.pathspec.clone();
        self.walk = Some(FileWalk::new(root, pathspec, has_attributes, depth));
        Ok(())
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let walk = self.walk.as_ref().map_or(0, FileWalk::memory);
        let file = self.file.as_ref().map_or(0, SearchedFile::memory);
        self.expression.memory().saturating_add(walk).saturating_add(file)
    }
}

/// Returns a file that is searched; `None` if it is not. `diff` is the state of this attribute.
fn searched(
    path: Vec<u8>,
    content: Vec<u8>,
    diff: Option<&AttributeState>,
    options: &GrepOptions,
) -> Option<SearchedFile> {
    let is_binary = || match diff {
        Some(AttributeState::Unset) => true,
        Some(AttributeState::Set) => false,
        _ => is_binary(&content),
    };
    let is_binary = options.binary != GrepBinary::Text && is_binary();
    let is_skipped = is_binary && options.binary == GrepBinary::Skip;
    (!is_skipped).then(|| SearchedFile::new(path, content, is_binary))
}

/// A record to be appended.
struct Record<'a> {
    kind: GrepRecord,
    number: u32,
    column: u32,
    spans: &'a [std::ops::Range<usize>],
    path: &'a [u8],
    line: &'a [u8],
}

impl Record<'_> {
    fn append(&self, out: &mut Output) -> Result<()> {
        let texts = self.path.len().saturating_add(self.line.len());
        let spans = self.spans.len().saturating_mul(8);
        let length = texts.saturating_add(spans).saturating_add(6 * 4);
        out.appender().reserved(length, |to| {
            to.u32(self.kind as u32)?;
            to.u32(self.number)?;
            to.u32(self.column)?;
            to.u32(self.spans.len() as u32)?;
            to.u32(self.path.len() as u32)?;
            to.u32(self.line.len() as u32)?;
            for span in self.spans {
                to.u32(span.start as u32)?;
                to.u32(span.end as u32)?;
            }
            to.bytes(self.path)?;
            to.bytes(self.line)
        })
    }
}
