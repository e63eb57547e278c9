//! The patch of a merge: its files compared with those of all parents.

use super::header::{append_combined_header, CombinedHeader};
use super::{PatchKind, PatchOptions};
use crate::changes::{
    content, ChangeOptions, Changes, OriginKind, PickaxeOptions, TreeChange, TreeDiffOptions,
};
use crate::path_attributes::{DiffAttribute, TreeAttributes};
use crate::repository::Repository;
use packlens_base::appender::{Append, Output};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, MAX_OID_LEN};
use packlens_base::sort;
use packlens_diff::combined_patch;
use packlens_format::object::Mode;
use packlens_format::pathspec::Pathspec;
use std::collections::VecDeque;

/// The listed files may take one part in this many of the memory ceiling.
const LIST_SHARE: u64 = 4;

type Entry = Option<(Mode, ObjectId)>;

/// A file that differs from that of each parent.
struct MergedFile {
    path: Vec<u8>,
    result: Entry,
    parents: Vec<ParentFile>,
}

/// The file of a parent.
struct ParentFile {
    entry: Entry,
    /// What happened to it, and its path, if that is another one.
    origin: Option<(OriginKind, Vec<u8>)>,
}

impl ParentFile {
    fn of(change: &mut TreeChange) -> ParentFile {
        let origin = change.origin.take().filter(|origin| origin.kind != OriginKind::Rewritten);
        let origin = origin.map(|origin| (origin.kind, origin.path));
        ParentFile { entry: change.sides[0], origin }
    }

    /// Returns the path; `merged` is that in the merge.
    fn path<'a>(&'a self, merged: &'a [u8]) -> &'a [u8] {
        self.origin.as_ref().map_or(merged, |(_, path)| path)
    }

    /// Returns the path, if it is not that of the merge; otherwise it is empty.
    fn other_path(&self) -> &[u8] {
        self.origin.as_ref().map_or(b"", |(_, path)| path)
    }
}

impl MergedFile {
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.parents.iter().map(|parent| &parent.entry).chain([&self.result])
    }

    fn memory(&self) -> u64 {
        let files = self.parents.capacity().saturating_mul(size_of::<ParentFile>());
        let paths = self.parents.iter().map(|parent| parent.other_path().len());
        let entries = paths.fold(files, usize::saturating_add);
        let sizes = self.path.capacity().saturating_add(entries);
        sizes.saturating_add(size_of::<MergedFile>()) as u64
    }
}

/// A resumable listing of the files of a merge that differ from those of all parents.
pub struct CombinedPatches {
    spec: Vec<u8>,
    options: PatchOptions,
    is_dense: bool,
    /// Whether the header names the file of each parent.
    names_parents: bool,
    /// What listed paths begin with.
    prefix: Vec<u8>,
    pathspec: Pathspec,
    pickaxe: PickaxeOptions,
    /// The revision whose attributes count, if any do.
    attributes_spec: Option<Vec<u8>>,
    attributes: Option<TreeAttributes>,
    /// The revisions of other parents than the commit's own, if there are any.
    given: Vec<Vec<u8>>,
    parents: Vec<ObjectId>,
    has_parents: bool,
    files: Vec<MergedFile>,
    /// The comparison with the next parent, and the files that it found again.
    listing: Option<Changes>,
    found: Vec<MergedFile>,
    compared: usize,
    /// The places of the files, by their paths.
    by_path: Vec<u32>,
    /// The bytes that the files take which differ from the first parent.
    listed: u64,
    ready: VecDeque<MergedFile>,
    is_listed: bool,
}

impl CombinedPatches {
    /// Creates the question about a commit; `is_dense` leaves out hunks in which the file is that
    /// of a parent. Only files that the pathspec selects are compared.
    pub fn new(
        spec: &[u8],
        options: PatchOptions,
        is_dense: bool,
        pathspec: Pathspec,
    ) -> CombinedPatches {
        CombinedPatches {
            spec: spec.to_vec(),
            options,
            is_dense,
            names_parents: false,
            prefix: Vec::new(),
            pathspec,
            pickaxe: PickaxeOptions::default(),
            attributes_spec: None,
            attributes: None,
            given: Vec::new(),
            parents: Vec::new(),
            has_parents: false,
            files: Vec::new(),
            listing: None,
            found: Vec::new(),
            compared: 0,
            by_path: Vec::new(),
            listed: 0,
            ready: VecDeque::new(),
            is_listed: false,
        }
    }

    /// Compares the commit with other parents than its own, unless the list is empty.
    #[must_use]
    pub fn with_parents(self, given: Vec<Vec<u8>>) -> CombinedPatches {
        CombinedPatches { given, ..self }
    }

    /// Names the file of each parent in headers: `--combined-all-paths`.
    #[must_use]
    pub fn naming_parents(self, names_parents: bool) -> CombinedPatches {
        CombinedPatches { names_parents, ..self }
    }

    /// Compares only paths that begin with `prefix`: see [`Changes::relative_to`].
    #[must_use]
    pub fn relative_to(self, prefix: Vec<u8>) -> CombinedPatches {
        CombinedPatches { prefix, ..self }
    }

    /// Lists only files whose changes since each parent are picked: see [`Changes::picking`].
    #[must_use]
    pub fn picking(self, pickaxe: PickaxeOptions) -> CombinedPatches {
        CombinedPatches { pickaxe, ..self }
    }

    /// Lets attributes say which files are binary: see [`Changes::with_attributes`].
    #[must_use]
    pub fn with_attributes(self, spec: Option<Vec<u8>>) -> CombinedPatches {
        let attributes = spec.clone().map(TreeAttributes::new);
        CombinedPatches { attributes, attributes_spec: spec, ..self }
    }

    /// Appends records to `out` until it is about `capacity` bytes long; returns whether the
    /// answer is complete.
    ///
    /// A record has: the kind of the patch (4 bytes), the length of an id (4), the number of
    /// parents (4), the length of the path (4), of the header (4) and of the hunks (4), the modes
    /// of the parents and of the result (4 each, 0 where there is no file), for each parent the kind
    /// of the origin and the length of its path (4 each, 0 if it is the same path), the ids (zeros
    /// where there is none), the path, those of the parents, the header, the hunks.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Errors of resolving and reading;
    /// [`ErrorKind::Limit`] for more files than memory holds.
    pub fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        self.list(repository)?;
        while out.len() < capacity {
            repository.files.step()?;
            let Some(file) = self.ready.front() else {
                return Ok(true);
            };
            let attribute = match &mut self.attributes {
                Some(attributes) => attributes.diff(&file.path, file.result, repository)?,
                None => DiffAttribute::default(),
            };
            self.append(repository, file, attribute, out)?;
            self.ready.pop_front();
            repository.files.advance();
        }
        Ok(false)
    }

    /// Lists the files, with one parent after the other.
    fn list(&mut self, repository: &mut Repository) -> Result<()> {
        if self.is_listed {
            return Ok(());
        }
        if !self.has_parents {
            self.find_parents(repository)?;
        }
        while let Some(parent) = self.parents.get(self.compared) {
            let mut listing = match self.listing.take() {
                Some(listing) => listing,
                None => {
                    let tree = TreeDiffOptions { recursive: true, trees: false };
                    let options = ChangeOptions { tree, renames: self.options.renames };
                    let parent = parent.to_hex();
                    let specs = [Some(parent.as_bytes()), Some(self.spec.as_slice())];
                    let depth = repository.limits().tree_depth;
                    let listing = Changes::new(repository, specs, options, depth)?;
                    let listing = listing.relative_to(self.prefix.clone());
                    let listing = listing.with_attributes(self.attributes_spec.clone());
                    listing.limited_to(self.pathspec.clone()).picking(&self.pickaxe)?
                }
            };
            let listed = self.compare(&mut listing, repository);
            self.listing = Some(listing);
            listed?;
            self.listing = None;
            self.files = std::mem::take(&mut self.found);
            let path_of = |at: &u32| self.files.get(*at as usize).map(|file| &file.path);
            self.by_path = (0..self.files.len() as u32).collect();
            sort::by(&mut self.by_path, |one, other| path_of(one).cmp(&path_of(other)));
            self.compared = self.compared.saturating_add(1);
        }
        self.ready = std::mem::take(&mut self.files).into();
        self.is_listed = true;
        Ok(())
    }

    fn find_parents(&mut self, repository: &mut Repository) -> Result<()> {
        let given = self.given.iter().map(|spec| repository.resolve(spec));
        let given: Vec<_> = given.collect::<Result<_>>()?;
        self.parents = if given.is_empty() { own_parents(&self.spec, repository)? } else { given };
        self.has_parents = true;
        Ok(())
    }

    /// Keeps the files that differ from one more parent, too.
    fn compare(&mut self, listing: &mut Changes, repository: &mut Repository) -> Result<()> {
        while let Some(mut change) = listing.next(repository)? {
            let old = ParentFile::of(&mut change);
            let [_, result] = change.sides;
            if self.compared == 0 {
                let file = MergedFile { path: change.path, result, parents: vec![old] };
                self.listed = self.listed.saturating_add(file.memory());
                if self.listed > repository.memory() / LIST_SHARE {
                    let what = "a merge of too many files: set a larger memory limit";
                    return Err(Error::new(ErrorKind::Limit, what).about(file.path));
                }
                self.found.push(file);
                continue;
            }
            let path_of = |at: &u32| self.files.get(*at as usize).map(|file| &file.path);
            let place = self.by_path.binary_search_by(|at| path_of(at).cmp(&Some(&change.path)));
            let at = place.ok().and_then(|place| self.by_path.get(place)).copied();
            if let Some(file) = at.and_then(|at| self.files.get_mut(at as usize)) {
                let mut parents = std::mem::take(&mut file.parents);
                parents.push(old);
                self.found.push(MergedFile { path: change.path, result, parents });
            }
        }
        Ok(())
    }

    fn append(
        &self,
        repository: &mut Repository,
        file: &MergedFile,
        attribute: DiffAttribute,
        out: &mut Output,
    ) -> Result<()> {
        let MergedFile { path, result, parents } = file;
        let mut olds = Vec::new();
        for parent in parents {
            olds.push(content(parent.entry, repository)?);
        }
        let new = content(*result, repository)?;
        let contents: Vec<&[u8]> = olds.iter().map(Vec::as_slice).collect();
        let mut all = contents.iter().copied().chain([new.as_slice()]);
        let has_binary = all.any(|content| attribute.is_binary(content));
        let kind = if has_binary { PatchKind::Binary } else { PatchKind::Text };
        let hunks = match kind {
            PatchKind::Text => combined_patch(&new, &contents, &self.options.text, self.is_dense)?,
            _ => Vec::new(),
        };
        let mode = |entry: &Entry| entry.map_or(0, |(mode, _)| mode.canonical().0);
        let modes: Vec<u32> = file.entries().map(mode).collect();
        let differs = modes.iter().any(|mode| Some(mode) != modes.last());
        let mut header = Vec::new();
        if has_binary || differs || !hunks.is_empty() {
            let mut digits = Vec::new();
            for entry in file.entries() {
                digits.push(super::digits(*entry, repository, &self.options)?);
            }
            let is_dense = self.is_dense;
            let old_paths = parents.iter().map(|parent| parent.path(path));
            let old_paths = self.names_parents.then(|| old_paths.collect());
            let (modes, digits) = (&modes, &digits);
            let head = CombinedHeader { path, modes, digits, old_paths, is_dense, has_binary };
            append_combined_header(&head, &mut header);
        }
        let id_len = repository.hash().len();
        let numbers = modes.len().saturating_mul(MAX_OID_LEN.saturating_add(3 * 4));
        let paths = parents.iter().map(|parent| parent.other_path().len());
        let paths = paths.fold(path.len(), usize::saturating_add);
        let texts = paths.saturating_add(header.len()).saturating_add(hunks.len());
        let length = numbers.saturating_add(texts).saturating_add(6 * 4);
        out.appender().reserved(length, |to| {
            to.u32(kind as u32)?;
            to.u32(id_len as u32)?;
            to.u32(parents.len() as u32)?;
            to.u32(path.len() as u32)?;
            to.u32(header.len() as u32)?;
            to.u32(hunks.len() as u32)?;
            modes.iter().try_for_each(|mode| to.u32(*mode))?;
            for parent in parents {
                to.u32(parent.origin.as_ref().map_or(0, |(kind, _)| *kind as u32))?;
                to.u32(parent.other_path().len() as u32)?;
            }
            for entry in file.entries() {
                match entry {
                    Some((_, id)) => to.oid(id)?,
                    None => to.bytes([0; MAX_OID_LEN].get(..id_len).unwrap_or_default())?,
                }
            }
            to.bytes(path)?;
            parents.iter().try_for_each(|parent| to.bytes(parent.other_path()))?;
            to.bytes(&header)?;
            to.bytes(&hunks)
        })
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let lists = self.files.iter().chain(&self.found).chain(&self.ready);
        let listing = self.listing.as_ref().map_or(0, Changes::memory);
        let places = (self.by_path.capacity() as u64).saturating_mul(4);
        let own = listing.saturating_add(places);
        lists.map(MergedFile::memory).fold(own, u64::saturating_add)
    }
}

/// Returns the parents of a commit.
fn own_parents(spec: &[u8], repository: &mut Repository) -> Result<Vec<ObjectId>> {
    let mut parents = Vec::new();
    for number in 1_u32.. {
        let parent = [spec, format!("^{number}").as_bytes()].concat();
        match repository.resolve(&parent) {
            Ok(parent) => parents.push(parent),
            Err(error) if error.kind() == ErrorKind::NotFound && number > 1 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(parents)
}
