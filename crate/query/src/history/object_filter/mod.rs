//! Filters of objects: <https://git-scm.com/docs/git-rev-list#Documentation/git-rev-list.txt---filterfilter-spec>.

mod filtering;
mod size;
mod spec;
mod tail;

use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::ignore::Ignores;
use packlens_format::object::ObjectType;

pub(super) use filtering::{Filtering, Reached, Visit};
pub(super) use tail::Absent;

/// The most filters that are combined: each has a bit in the levels of a walk.
const MOST_PARTS: usize = 32;

/// How a list of objects is filtered.
#[derive(Clone, Debug, Default)]
pub struct ObjectFilterOptions {
    /// Filters as `git rev-list --filter` takes them, all of which an object must pass.
    pub specs: Vec<Vec<u8>>,
    /// The requested objects must pass, too.
    pub provided: bool,
    /// Lists the objects that a filter omitted, after all others, each after `~`.
    pub print_omitted: bool,
    /// What happens to objects that are missing.
    pub missing: MissingObjects,
}

impl ObjectFilterOptions {
    /// Parses options of `git rev-list`, without their dashes: `filter=blob:none`,
    /// `filter-provided-objects`, `filter-print-omitted`, `missing=allow-any`. The filters
    /// themselves are parsed when the list begins.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for another option.
    pub fn parse(words: Vec<Vec<u8>>) -> Result<ObjectFilterOptions> {
        let mut options = ObjectFilterOptions::default();
        for word in words {
            match word.as_slice() {
                b"filter-provided-objects" => options.provided = true,
                b"filter-print-omitted" => options.print_omitted = true,
                b"missing=error" => options.missing = MissingObjects::Error,
                b"missing=allow-any" => options.missing = MissingObjects::AllowAny,
                b"missing=allow-promisor" => options.missing = MissingObjects::AllowPromisor,
                b"missing=print" => options.missing = MissingObjects::Print,
                b"missing=print-info" => options.missing = MissingObjects::PrintInfo,
                word => match word.strip_prefix(b"filter=") {
                    Some(spec) => options.specs.push(spec.to_vec()),
                    None => {
                        let what = "not an option that filters objects";
                        return Err(Error::new(ErrorKind::BadInput, what).about(word));
                    }
                },
            }
        }
        Ok(options)
    }
}

/// What happens to objects that a list reaches but the repository lacks. Of commits, the commit-graph
/// is not asked then.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum MissingObjects {
    /// They are an error.
    #[default]
    Error,
    /// They are not listed.
    AllowAny,
    /// Promised ones are not listed, others are an error.
    AllowPromisor,
    /// They are listed after all others, each after `?`.
    Print,
    /// As [`MissingObjects::Print`], with ` path=<path>` and ` type=<type>` after the id where a tree
    /// or a commit links to them. A path with spaces or special bytes is in quotes.
    PrintInfo,
}

impl MissingObjects {
    /// Returns whether a walk continues after an error: the object is missing, and may be.
    ///
    /// # Errors
    ///
    /// Missing bytes.
    pub(super) fn allows(
        self,
        repository: &mut Repository,
        id: &ObjectId,
        error: &Error,
    ) -> Result<bool> {
        match self {
            _ if error.kind() != ErrorKind::NotFound => Ok(false),
            MissingObjects::Error => Ok(false),
            MissingObjects::AllowPromisor => repository.is_promised(id),
            _ => Ok(true),
        }
    }
}

/// One filter.
#[derive(Debug)]
enum Part {
    /// Omits blobs of this size and larger ones; 0 for all blobs.
    BlobLimit(u64),
    /// Omits objects of other types.
    Type(ObjectType),
    /// Omits trees and blobs from this depth on; the tree of a commit has depth 0.
    TreeDepth(u64),
    /// Omits blobs whose paths the patterns of this blob do not select.
    Sparse(SparsePatterns),
}

#[derive(Debug)]
enum SparsePatterns {
    Named(Vec<u8>),
    Read(Ignores),
}

/// The filters of a list.
#[derive(Debug, Default)]
pub(super) struct ObjectFilter {
    parts: Vec<Part>,
}

impl ObjectFilter {
    /// Parses filters.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`] for what is no filter; [`ErrorKind::Limit`] for too many.
    pub(super) fn parse(specs: &[Vec<u8>]) -> Result<ObjectFilter> {
        let mut parts = Vec::new();
        for spec in specs {
            spec::parse(spec, &mut parts)?;
        }
        if parts.len() > MOST_PARTS {
            return Err(Error::new(ErrorKind::Limit, "too many filters are combined"));
        }
        Ok(ObjectFilter { parts })
    }

    /// Reads the patterns that filters name.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::BadInput`] if a name is not that of a blob.
    pub(super) fn open(&mut self, repository: &mut Repository) -> Result<()> {
        for part in &mut self.parts {
            if let Part::Sparse(patterns) = part {
                if let SparsePatterns::Named(spec) = patterns {
                    let read = read_patterns(repository, spec)?;
                    *patterns = SparsePatterns::Read(read);
                }
            }
        }
        Ok(())
    }

    /// Returns whether a commit or tag passes.
    pub(super) fn passes(&self, object_type: ObjectType) -> bool {
        self.parts.iter().all(|part| !matches!(part, Part::Type(other) if *other != object_type))
    }

    /// Returns whether the same object may pass at one path and not at another.
    fn depends_on_path(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::TreeDepth(_) | Part::Sparse(_)))
    }

    fn memory(&self) -> u64 {
        let own = |part: &Part| match part {
            Part::Sparse(SparsePatterns::Read(ignores)) => ignores.memory(),
            _ => 0,
        };
        self.parts.iter().map(own).fold(0, u64::saturating_add)
    }
}

fn read_patterns(repository: &mut Repository, spec: &[u8]) -> Result<Ignores> {
    let unknown = |error: Error, what: &'static str, about: &[u8]| match error.kind() {
        ErrorKind::NotFound | ErrorKind::WrongType => {
            Error::new(ErrorKind::BadInput, what).about(about)
        }
        _ => error,
    };
    let id: ObjectId = repository
        .resolve(spec)
        .map_err(|error| unknown(error, "a sparse filter names an unknown blob", spec))?;
    let content = repository
        .read_of_type(&id, ObjectType::Blob)
        .map_err(|error| unknown(error, "a sparse filter names no blob", spec))?;
    Ok(Ignores::parse(&content))
}
