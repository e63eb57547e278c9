//! A repository: its format, objects, refs and files.

use crate::counts::Counts;
use crate::grafts::{Grafts, GRAFTS, SHALLOW};
use crate::kept::Kept;
use crate::odb::{Layout, ObjectList, Odb, ReadHint, ReplaceRefs, Verify};
use crate::repository_format::RepositoryFormat;
use packlens_base::block::Files;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::limits::Limits;
use packlens_base::module::require_full;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::work_units::WorkUnits;
use packlens_format::index::Progress;
use packlens_format::object::ObjectType;
use packlens_format::refs::Refs;

/// Options for opening a repository.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The resource limits.
    pub limits: Limits,
    /// How content is verified.
    pub verify: Verify,
    /// The hash algorithm of the object ids; `None` reads it from `config`.
    pub hash: Option<HashKind>,
}

/// A repository.
pub struct Repository {
    /// The files, which the caller provides.
    pub files: Files,
    /// Its objects.
    pub odb: Odb,
    /// Its refs.
    pub refs: Refs,
    /// How much of an object is verified before its content is returned.
    pub verify: Verify,
    pub(crate) counts: Counts,
    /// What answers leave for later questions.
    pub(crate) kept: Kept,
    grafts: Grafts,
    pub(crate) reports_promised: bool,
    layout: Layout,
    boundaries: Boundaries,
    options: Options,
    format_known: bool,
    warns_ambiguous: bool,
    /// The unfinished pass over the replace refs.
    replace_refs: Option<ReplaceRefs>,
    replacements_known: bool,
}

/// Settings that change the history from what its objects say. git takes these from its
/// environment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Boundaries {
    /// The prefix of replace refs; `None` ignores them.
    pub replace_base: Option<Vec<u8>>,
    /// The path of the file of shallow commits; empty for none.
    pub shallow_file: Vec<u8>,
    /// The path of the file of grafts; empty for none.
    pub graft_file: Vec<u8>,
    /// The path of the index that `:path` is looked up in; empty for none.
    pub index_file: Vec<u8>,
    /// Whether commit-graphs are used. They only repeat what the commits say.
    pub uses_graphs: bool,
}

impl Default for Boundaries {
    fn default() -> Boundaries {
        Boundaries {
            replace_base: Some(b"refs/replace/".to_vec()),
            shallow_file: SHALLOW.to_vec(),
            graft_file: GRAFTS.to_vec(),
            index_file: b"index".to_vec(),
            uses_graphs: true,
        }
    }
}

impl Repository {
    /// Creates a repository whose files are all unknown.
    pub fn new(options: Options) -> Repository {
        let hash = options.hash.unwrap_or_default();
        Repository {
            files: Files::new(options.limits.memory),
            odb: Odb::new(hash, options.limits, &Layout::default()),
            refs: Refs::in_files(hash, options.limits),
            verify: options.verify,
            counts: Counts::default(),
            kept: Kept::default(),
            grafts: Grafts::default(),
            reports_promised: true,
            layout: Layout::default(),
            boundaries: Boundaries::default(),
            options,
            format_known: options.hash.is_some(),
            warns_ambiguous: true,
            replace_refs: None,
            replacements_known: false,
        }
    }

    /// Returns a repository in the work tree of this one. It has no files of its own: those of this
    /// one are lent to it. Its objects take no memory that this one holds.
    pub(crate) fn inner(&self) -> Repository {
        let mut inner = Repository::new(Options { hash: None, ..self.options });
        inner.odb.reserve_memory(self.files.held());
        inner.reports_promised = false;
        inner
    }

    /// Sets the options and the layout of the objects. Call this before anything is requested.
    pub fn configure(&mut self, options: Options, layout: Layout) {
        let hash = options.hash.unwrap_or_default();
        self.files.set_ceiling(options.limits.memory);
        self.odb = Odb::new(hash, options.limits, &layout);
        self.refs = Refs::in_files(hash, options.limits);
        self.verify = options.verify;
        self.format_known = options.hash.is_some();
        (self.options, self.layout) = (options, layout);
    }

    /// Returns the settings that change the history. Set them before anything is requested.
    pub fn boundaries(&mut self) -> &mut Boundaries {
        &mut self.boundaries
    }

    /// Reads the repository format and the replace refs, and builds missing pack indexes, one
    /// step per call. Returns `None` when the repository is ready.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::Unsupported`] for a repository format that
    /// packlens cannot read; [`ErrorKind::Corrupt`] for a damaged pack.
    pub fn prepare(&mut self) -> Result<Option<Progress>> {
        if !self.format_known {
            let format = RepositoryFormat::read(&self.files, &self.options.limits)?;
            self.odb = Odb::new(format.hash, self.options.limits, &self.layout);
            self.refs = Refs::new(format.hash, format.ref_storage, self.options.limits)?;
            if !format.replaces {
                self.boundaries.replace_base = None;
            }
            self.boundaries.uses_graphs &= format.uses_graphs;
            self.warns_ambiguous = format.warns_ambiguous;
            self.format_known = true;
        }
        if let (false, Some(base)) = (self.replacements_known, &self.boundaries.replace_base) {
            let refs = &self.refs;
            let found = self.replace_refs.get_or_insert_with(|| ReplaceRefs::new(refs, base));
            let replacements = match found.read(&self.files, refs, self.odb.hash()) {
                Err(error) if error.is_missing() => return Err(error),
                replacements => replacements,
            };
            self.replace_refs = None;
            // Damaged replace refs are reported when an object that may be replaced is read.
            self.odb.set_replacements(replacements);
            self.replacements_known = true;
        }
        if self.verify == Verify::Crc {
            self.odb.check_crcs();
        }
        let progress = self.odb.build_indexes(&mut self.files)?;
        // The reader cannot switch modules in the middle of a listing, so it must do so now.
        if self.odb.promisor_packs() > 0 {
            require_full()?;
        }
        Ok(progress)
    }

    /// Sets whether missing objects that are promised have an error of their own. The default
    /// is true.
    pub fn report_promised(&mut self, reports: bool) {
        self.reports_promised = reports;
    }

    /// Records that objects were requested from the caller, whether they arrived or not.
    pub fn fetched(&mut self, ids: &[ObjectId]) {
        self.odb.fetched(&mut self.files, ids.iter().copied());
    }

    /// Has the next `prepare` read the replace refs again.
    pub fn refresh(&mut self) {
        self.replacements_known = false;
        self.replace_refs = None;
        self.kept.refresh();
    }

    /// Looks up the files with parents that replace those of commits, and reads them if they
    /// have changed.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; a damaged `shallow`.
    pub fn look_at_grafts(&mut self) -> Result<&Grafts> {
        let places = (&*self.boundaries.shallow_file, &*self.boundaries.graft_file);
        let hash = self.odb.hash();
        self.grafts.look(&self.files, hash, &self.options.limits, places)?;
        Ok(&self.grafts)
    }

    /// Returns the parents that replace a commit's own, as of the last look-up.
    pub fn grafted_parents(&self, id: &ObjectId) -> Option<&[ObjectId]> {
        self.grafts.parents(id)
    }

    /// Returns whether commit-graphs are used.
    pub fn uses_graphs(&self) -> bool {
        self.boundaries.uses_graphs
    }

    /// Returns whether an ambiguous refname should give a warning: `core.warnAmbiguousRefs`.
    pub fn warns_ambiguous_refs(&self) -> bool {
        self.warns_ambiguous
    }

    /// Returns the hash algorithm of the object ids.
    pub fn hash(&self) -> HashKind {
        self.odb.hash()
    }

    /// Returns the refs.
    pub fn refs(&self) -> &Refs {
        &self.refs
    }

    /// Returns the type of an object.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; the errors of reading.
    pub fn object_type(&mut self, id: &ObjectId) -> Result<ObjectType> {
        Ok(self.odb.info(&mut self.files, id)?.object_type)
    }

    /// Reads the content of an object that must have a type.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::WrongType`] if it has another; the errors of reading.
    pub fn read_of_type(&mut self, id: &ObjectId, object_type: ObjectType) -> Result<Vec<u8>> {
        let asked = (id, &ReadHint::of_type(object_type));
        let read = self.odb.read_content(&mut self.files, asked, self.verify)?;
        of_type(id, object_type, read)
    }

    /// Reads one of many objects that mostly resemble an earlier one, or are read again.
    ///
    /// # Errors
    ///
    /// As [`Repository::read_of_type`].
    pub(crate) fn read_similar(
        &mut self,
        id: &ObjectId,
        object_type: ObjectType,
        verify: Verify,
    ) -> Result<Vec<u8>> {
        let asked = (id, &ReadHint::similar(object_type));
        let read = self.odb.read_content(&mut self.files, asked, verify)?;
        of_type(id, object_type, read)
    }

    /// Reads a tree, as [`Repository::read_similar`] does.
    ///
    /// # Errors
    ///
    /// As [`Repository::read_of_type`].
    pub(crate) fn read_tree(&mut self, id: &ObjectId, verify: Verify) -> Result<Vec<u8>> {
        self.read_similar(id, ObjectType::Tree, verify)
    }

    /// Returns the object of a list at `index`, which is the current one or the next; `None`
    /// after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub fn listed(&mut self, list: &mut ObjectList, index: u32) -> Result<Option<ObjectId>> {
        Ok(list.get(&mut self.odb, &mut self.files, index)?.map(|(id, _)| id))
    }

    /// Works on the next object of a list: see [`ObjectList::prepare`].
    ///
    /// # Errors
    ///
    /// As [`Repository::listed`].
    pub fn prepare_list(&mut self, list: &mut ObjectList) -> Result<bool> {
        list.prepare(&mut self.odb, &mut self.files)
    }

    /// Splits a list of objects into work units, which are claimed one by one; `None` if the
    /// list cannot be split.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. Damaged indexes.
    pub fn cut(&mut self, list: &mut ObjectList) -> Result<Option<WorkUnits>> {
        list.cut(&mut self.odb, &mut self.files)
    }

    /// Sets how many bytes the caller holds under the same ceiling: output that was not taken
    /// yet, and questions that are not answered yet.
    pub fn reserve_memory(&mut self, bytes: u64) {
        self.odb.reserve_memory(bytes.saturating_add(self.kept.memory()));
    }

    /// Forgets the pack that `file` belongs to, as pack or index: the pack was deleted while
    /// it was open, and none of it can be read any more. Its objects are looked up again, as
    /// are those of a replaced multi-pack-index. Any other file, such as a ref that git has
    /// rewritten, is opened again.
    pub fn forget_replaced(&mut self, file: packlens_base::FileId) {
        let path = self.files.path(file).unwrap_or_default().to_vec();
        if path.ends_with(b".pack") || path.ends_with(b".idx") {
            return self.odb.forget_pack(&mut self.files, file);
        }
        self.files.forget(&path);
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        if name.starts_with(b"multi-pack-index") {
            self.odb.forget_sets();
        }
    }

    /// Returns the resource limits.
    pub fn limits(&self) -> Limits {
        self.options.limits
    }

    /// Returns the memory ceiling in bytes.
    pub fn memory(&self) -> u64 {
        self.options.limits.memory
    }

    /// Returns a buffer for the next range of a file. First counts memory again that an
    /// interrupted question has released.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there is no memory for it.
    pub fn range_buffer(&mut self, length: u64) -> Result<Vec<u8>> {
        self.odb.make_room(&mut self.files, 0, 0)?;
        self.files.buffer(length)
    }

    /// Returns the most bytes of output before it must be handed over: inflating needs the
    /// rest of the memory.
    pub(crate) fn most_output(&self) -> usize {
        usize::try_from(self.options.limits.memory / 4).unwrap_or(usize::MAX)
    }

    /// Drops the bases that were kept for a listing.
    pub fn end_listing(&mut self) {
        self.files.drop_asked();
        self.odb.end_listing();
    }
}

/// Returns the content of an object that must have a type.
fn of_type(
    id: &ObjectId,
    object_type: ObjectType,
    (found, content): (ObjectType, Vec<u8>),
) -> Result<Vec<u8>> {
    if found == object_type {
        return Ok(content);
    }
    let what = "the object is of another type";
    Err(Error::new(ErrorKind::WrongType, what).about(id.to_hex()))
}
