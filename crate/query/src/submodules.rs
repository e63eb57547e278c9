//! Lists the submodules of a tree: what its `.gitmodules` says, and their commits.

use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::ObjectType;
use packlens_format::submodules::{submodules, Submodule};

/// The share of the memory ceiling that the text of `.gitmodules` may have: few bytes describe a
/// submodule.
const TEXT_SHARE: u64 = 64;

/// The length of a record without its texts, at most.
const RECORD_LEN: usize = 64;

/// The bits of a record's flags.
const HAS_URL: u8 = 1;
const HAS_BRANCH: u8 = 2;

/// A resumable listing.
pub struct Submodules {
    spec: Vec<u8>,
    open: Option<(ObjectId, std::vec::IntoIter<Submodule>)>,
    /// The submodule that is looked up.
    current: Option<Submodule>,
}

impl Submodules {
    /// Creates the question about the tree of a revision.
    pub fn new(spec: Vec<u8>) -> Submodules {
        Submodules { spec, open: None, current: None }
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// listing is complete. Submodules without a path are not listed.
    ///
    /// A record has flags (1 byte: 1 for a URL, 2 for a branch), the id of the commit after its
    /// length (4), 0 if the tree has no commit at the path; then name, path, URL and branch, each
    /// after its length (4).
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::Corrupt`] about the number of a line that git refuses too;
    /// [`ErrorKind::Limit`] if `.gitmodules` is too large.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        let (tree, rest) = match &mut self.open {
            Some(open) => open,
            none => none.insert(read(&self.spec, repository)?),
        };
        while out.len() < capacity {
            repository.files.step()?;
            let submodule = match &self.current {
                Some(submodule) => submodule,
                None => match rest.next() {
                    Some(submodule) => self.current.insert(submodule),
                    None => return Ok(true),
                },
            };
            if let Some(path) = &submodule.path {
                let found = repository.find_path(tree, path)?;
                let commit = found.filter(|(_, mode)| mode.is_gitlink()).map(|(id, _)| id);
                write(submodule, path, commit, out)?;
            }
            self.current = None;
        }
        Ok(false)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let rest = self.open.iter().flat_map(|(_, rest)| rest.as_slice());
        rest.fold(self.spec.capacity() as u64, |sum, Submodule { name, path, url, branch }| {
            let texts = [Some(name), path.as_ref(), url.as_ref(), branch.as_ref()];
            let texts = texts.into_iter().flatten().map(|text| text.capacity() as u64);
            texts.fold(sum, u64::saturating_add).saturating_add(size_of::<Submodule>() as u64)
        })
    }
}

/// Returns the tree of a revision, and its submodules.
fn read(
    spec: &[u8],
    repository: &mut Repository,
) -> Result<(ObjectId, std::vec::IntoIter<Submodule>)> {
    let tree = repository.resolve_to(spec, ObjectType::Tree)?;
    let found = match repository.find_path(&tree, b".gitmodules")? {
        Some((id, mode)) if mode.is_file() => {
            let text = repository.read_of_type(&id, ObjectType::Blob)?;
            if text.len() as u64 > repository.memory() / TEXT_SHARE {
                let what = "`.gitmodules` takes more memory than allowed: raise `memory`";
                return Err(Error::new(ErrorKind::Limit, what).about(id.to_hex()));
            }
            submodules(&text).map_err(|bad| {
                let what = "bad config line in `.gitmodules`";
                Error::new(ErrorKind::Corrupt, what).about(bad.line.to_string())
            })?
        }
        _ => Vec::new(),
    };
    Ok((tree, found.into_iter()))
}

fn write(
    submodule: &Submodule,
    path: &[u8],
    commit: Option<ObjectId>,
    out: &mut Output,
) -> Result<()> {
    let url = submodule.url.as_deref();
    let branch = submodule.branch.as_deref();
    let texts = [Some(submodule.name.as_slice()), Some(path), url, branch];
    let length =
        texts.iter().flatten().fold(RECORD_LEN, |sum, text| sum.saturating_add(text.len()));
    out.appender().reserved(length, |to| {
        let has = |text: Option<&[u8]>, flag| if text.is_some() { flag } else { 0 };
        to.u8(has(url, HAS_URL) | has(branch, HAS_BRANCH))?;
        to.string(commit.as_ref().map_or(&[], |id| id.as_bytes()))?;
        texts.into_iter().flatten().try_for_each(|text| to.string(text))
    })
}
