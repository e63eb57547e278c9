//! Index files of worktrees: the objects they name are reachable, like those of refs.

use super::finding::{exit, Finding};
use super::numbers::Number;
use super::roots::can_be_read;
use super::shared::Shared;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_format::index_file::{bytes_of, Damage, IndexFile, Named, Remarks};
use packlens_format::object::ObjectType;
use packlens_query::repository::Repository;

/// An index file, or its damage.
type Parsed = std::result::Result<IndexFile, Damage>;

/// The index files of all worktrees, one after the other.
#[derive(Default)]
pub(super) struct IndexFiles {
    paths: Option<Vec<Vec<u8>>>,
    at: usize,
    /// How many objects of the current file were visited: a retry must not report findings
    /// twice.
    taken: usize,
    file: Option<Parsed>,
}

impl IndexFiles {
    /// Reads a file; returns whether all are read.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    /// [`Limit`](packlens_base::ErrorKind::Limit) for an index that takes too much memory.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        repository: &mut Repository,
    ) -> Result<bool> {
        let paths = match &self.paths {
            Some(paths) => paths,
            None => self.paths.insert(paths_in(repository)?),
        };
        let Some(path) = paths.get(self.at).cloned() else {
            return Ok(true);
        };
        if self.file.is_none() {
            self.file = read(repository, &path)?;
        }
        let place = IndexFilePlace { path: &path, is_first: self.at == 0 };
        match &self.file {
            Some(Ok(index)) => look_at(shared, repository, (index, place), &mut self.taken)?,
            Some(Err(damage)) => shared.report(finding_of(damage).at(&path)),
            None => {}
        }
        (self.at, self.taken, self.file) = (self.at.saturating_add(1), 0, None);
        Ok(false)
    }
}

#[derive(Clone, Copy)]
struct IndexFilePlace<'a> {
    path: &'a [u8],
    is_first: bool,
}

fn paths_in(repository: &Repository) -> Result<Vec<Vec<u8>>> {
    let mut paths = vec![b"index".to_vec()];
    for name in repository.files.list_fresh(b"worktrees")? {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        paths.push([b"worktrees/", name, b"/index"].concat());
    }
    Ok(paths)
}

/// Reads an index file, and the shared file of a split one, which is beside it.
fn read(repository: &Repository, path: &[u8]) -> Result<Option<Parsed>> {
    let (files, limits) = (&repository.files, repository.limits());
    let Some(bytes) = bytes_of(files, &limits, path)? else {
        return Ok(None);
    };
    let mut index = match IndexFile::parse(bytes, repository.hash()) {
        Ok(index) => index,
        Err(damage) => return Ok(Some(Err(damage))),
    };
    if let Some(name) = index.shared_name() {
        let directory = path.strip_suffix(b"index").unwrap_or_default();
        let bytes = bytes_of(files, &limits, &[directory, &name].concat())?;
        if let Err(damage) = index.put_shared(bytes) {
            return Ok(Some(Err(damage)));
        }
    }
    Ok(Some(Ok(index)))
}

/// Returns the finding of a damaged file.
fn finding_of(damage: &Damage) -> Finding {
    let (id, what) = match damage {
        Damage::Short => ("shortIndexFile", "index file smaller than expected"),
        Damage::Frame(what) => ("badIndexFile", what.as_str()),
        Damage::Entries(what, _) => ("badIndexEntries", what.as_str()),
    };
    Finding::error(id, exit::GIVES_UP, what)
}

fn look_at(
    shared: &mut Shared,
    repository: &mut Repository,
    (index, place): (&IndexFile, IndexFilePlace<'_>),
    taken: &mut usize,
) -> Result<()> {
    let mut number = 0usize;
    let visited = index.visit_named(|id, named| {
        if number >= *taken {
            let passed = take(shared, repository, place, (id, named))?;
            *taken = taken.saturating_add(1).saturating_add(passed);
        }
        number = number.saturating_add(1);
        Ok(())
    })?;
    let finding = match visited {
        Ok(Remarks { bad_resolve_undo: false }) => return Ok(()),
        Ok(Remarks { bad_resolve_undo: true }) => {
            let what = "Index records invalid resolve-undo information";
            Finding::error("badResolveUndo", 0, what)
        }
        Err(damage) => finding_of(&damage),
    };
    shared.report(finding.at(place.path));
    Ok(())
}

/// Marks a named object as reachable; returns how many of the next objects git does not visit.
fn take(
    shared: &mut Shared,
    repository: &mut Repository,
    place: IndexFilePlace<'_>,
    (id, named): (&ObjectId, Named<'_>),
) -> Result<usize> {
    let start = if place.is_first { &[][..] } else { place.path };
    let (expected, name) = match named {
        Named::Blob { name } => (ObjectType::Blob, name),
        Named::Directory { name } => (ObjectType::Tree, name),
        Named::CachedTree { below } => {
            let is_good = take_read(shared, repository, (id, b":"), CACHED_TREE, place)?;
            return Ok(if is_good { 0 } else { below });
        }
        Named::Undone { stage, name } => {
            let stage = format!(":({stage}):");
            let name = [stage.as_bytes(), name].concat();
            take_read(shared, repository, (id, &name), UNDONE, place)?;
            return Ok(0);
        }
    };
    let named = || [start, b":", name].concat();
    let memory = repository.memory();
    let Number::Is(number) = shared.find(repository, id)? else {
        let promised = shared.is_promised(repository, id)?;
        shared.put_name(id, memory, named)?;
        shared.numbers.set_lost(id, expected, promised, memory)?;
        return Ok(0);
    };
    match shared.type_of(repository, number)? {
        Some(found) if found != expected => {
            let what = "named by an index as another type";
            let finding = Finding::error("wrongTypeInIndex", 0, what);
            shared.report(finding.of(id, Some(found)).at(place.path));
            return Ok(0);
        }
        Some(_) => {}
        None => shared.numbers.set(number, expected as u8),
    }
    shared.put_name(id, memory, named)?;
    shared.mark_root(repository, number)?;
    Ok(0)
}

/// The id and the message of a finding about an object that cannot be read.
type Kind = (&'static str, &'static str);
const CACHED_TREE: Kind = ("invalidCacheTree", "invalid sha1 pointer in cache-tree");
const UNDONE: Kind = ("invalidResolveUndo", "invalid sha1 pointer in resolve-undo");

/// Marks an object as reachable that git reads to do so; returns whether it could be read.
fn take_read(
    shared: &mut Shared,
    repository: &mut Repository,
    (id, name): (&ObjectId, &[u8]),
    (reported_as, what): Kind,
    place: IndexFilePlace<'_>,
) -> Result<bool> {
    let number = match shared.find(repository, id)? {
        Number::Is(number) if can_be_read(shared, repository, number)? => number,
        _ => {
            let finding = Finding::error(reported_as, exit::REFS, what);
            shared.report(finding.of(id, None).at(place.path));
            return Ok(false);
        }
    };
    let object_type = shared.type_of(repository, number)?;
    shared.put_name(id, repository.memory(), || name.to_vec())?;
    shared.mark_root(repository, number)?;
    if reported_as == CACHED_TREE.0 && object_type != Some(ObjectType::Tree) {
        let what = "non-tree in cache-tree";
        shared.report(Finding::error("brokenLinks", exit::OBJECT, what).of(id, object_type));
    }
    Ok(true)
}
