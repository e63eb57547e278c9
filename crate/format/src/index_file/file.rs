//! An index file in memory, together with the shared file of a split index.

use super::entries::{Entry, EntryCursor};
use super::extensions::{cached_trees, extensions_in, undone, CachedTree, Extension};
use super::split::Link;
use super::staged::{staged, Staged};
use super::walk::IndexWalk;
use super::{bytes_of, check_frame, Damage, Named, Remarks, HEADER_LEN};
use packlens_base::block::Files;
use packlens_base::error::Result as OrError;
use packlens_base::limits::Limits;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_base::sort;

/// An index file that can be read to its end.
pub struct IndexFile {
    pub(super) own: IndexPart,
    /// Of a split index, what this file says of the shared one.
    pub(super) link: Option<Link>,
}

/// The bytes of one file.
pub(super) struct IndexPart {
    bytes: Vec<u8>,
    layout: (HashKind, u32),
    pub(super) count: u32,
}

impl IndexPart {
    /// Checks the header, and the hash at the end.
    pub(super) fn new(bytes: Vec<u8>, hash: HashKind) -> Result<IndexPart, Damage> {
        let (_, version, count) = check_frame(&bytes, hash)?;
        Ok(IndexPart { bytes, layout: (hash, version), count })
    }

    pub(super) fn entries(&self) -> EntryCursor {
        EntryCursor::new(self.body(), self.count)
    }

    pub(super) fn next(&self, cursor: &mut EntryCursor) -> Result<Option<Entry>, Damage> {
        cursor.next(self.body(), self.layout)
    }

    /// Reads all entries; returns a cursor after the last one.
    pub(super) fn after_entries(&self) -> Result<EntryCursor, Damage> {
        let mut cursor = self.entries();
        while self.next(&mut cursor)?.is_some() {}
        Ok(cursor)
    }

    pub(super) fn extensions(&self) -> Result<Vec<Extension<'_>>, Damage> {
        extensions_in(self.after_entries()?.rest(self.body()))
    }

    /// Returns the hash at the end of the file.
    pub(super) fn trailer(&self) -> &[u8] {
        let end = self.bytes.len().saturating_sub(self.layout.0.len());
        self.bytes.get(end..).unwrap_or_default()
    }

    /// Returns the bytes between header and hash.
    fn body(&self) -> &[u8] {
        let end = self.bytes.len().saturating_sub(self.layout.0.len());
        self.bytes.get(HEADER_LEN..end).unwrap_or_default()
    }

    fn memory(&self) -> u64 {
        self.bytes.capacity() as u64
    }
}

impl IndexFile {
    /// Reads an index file, and the shared file of a split one, which is in the git directory
    /// `directory`: empty, or with a slash at its end. Returns `None` if the file does not exist.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`Corrupt`](packlens_base::ErrorKind::Corrupt) for damage;
    /// [`Limit`](packlens_base::ErrorKind::Limit) for a file that takes too much memory.
    pub fn read(
        files: &Files,
        limits: &Limits,
        (directory, path): (&[u8], &[u8]),
        hash: HashKind,
    ) -> OrError<Option<IndexFile>> {
        let Some(bytes) = bytes_of(files, limits, path)? else {
            return Ok(None);
        };
        let file = files.find(path)?;
        let mut index = IndexFile::parse(bytes, hash).map_err(|damage| damage.error(file))?;
        if let Some(name) = index.shared_name() {
            let path = [directory, &name].concat();
            let bytes = bytes_of(files, limits, &path)?;
            let file = files.find(&path)?.or(file);
            index.put_shared(bytes).map_err(|damage| damage.error(file))?;
        }
        Ok(Some(index))
    }

    /// Parses a file. A split one cannot be walked until [`IndexFile::put_shared`] is called.
    ///
    /// # Errors
    ///
    /// The damage of the file.
    pub fn parse(bytes: Vec<u8>, hash: HashKind) -> Result<IndexFile, Damage> {
        let own = IndexPart::new(bytes, hash)?;
        let cursor = own.after_entries()?;
        let extensions = extensions_in(cursor.rest(own.body()))?;
        let link = extensions.into_iter().find(|(name, _)| name == b"link");
        let link = link.map(|(_, content)| Link::parse(content, hash)).transpose()?.flatten();
        if let (None, Some(what)) = (&link, cursor.disorder) {
            return Err(Damage::Entries(what, HEADER_LEN as u64));
        }
        Ok(IndexFile { own, link })
    }

    /// Returns the name of the shared file that most entries of a split index are in.
    pub fn shared_name(&self) -> Option<Vec<u8>> {
        let id = self.link.as_ref()?.id;
        Some([b"sharedindex.", id.to_hex().as_bytes()].concat())
    }

    /// Takes the bytes of the shared file; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// The damage of that file, or of this one together with that.
    pub fn put_shared(&mut self, bytes: Option<Vec<u8>>) -> Result<(), Damage> {
        if let Some(link) = &mut self.link {
            let bytes = bytes.ok_or_else(|| {
                Damage::Frame("the shared file of a split index does not exist".to_owned())
            })?;
            link.put_shared(bytes, self.own.layout.0)?;
        }
        let mut walk = self.walk()?;
        while walk.next(self)?.is_some() {}
        Ok(())
    }

    /// Begins a walk over the entries, in the order of their paths and stages.
    ///
    /// # Errors
    ///
    /// The damage of the file, which is known by then.
    pub fn walk(&self) -> Result<IndexWalk, Damage> {
        IndexWalk::new(self)
    }

    /// Returns the object of a path at a stage.
    ///
    /// # Errors
    ///
    /// The damage of the file, which is known by then.
    pub fn find<'a>(&self, path: &'a [u8], stage: u16) -> Result<Option<Staged<'a>>, Damage> {
        let (mut walk, mut found) = (self.walk()?, None);
        while let Some((entry, name)) = walk.next(self)? {
            found = staged(&entry, name, path, stage).or(found);
        }
        Ok(found)
    }

    /// Calls `take` for all objects that the file names, until `take` fails: for entries in their
    /// order, then for cached trees, then for resolve-undo. Submodules are skipped.
    ///
    /// # Errors
    ///
    /// Errors of `take`. The inner result is an error if the file is damaged.
    pub fn visit_named<E>(
        &self,
        mut take: impl FnMut(&ObjectId, Named<'_>) -> Result<(), E>,
    ) -> Result<Result<Remarks, Damage>, E> {
        match self.visit_entries(&mut take)? {
            Ok(()) => {}
            Err(damage) => return Ok(Err(damage)),
        }
        let extensions = match self.own.extensions() {
            Ok(extensions) => extensions,
            Err(damage) => return Ok(Err(damage)),
        };
        let (hash, _) = self.own.layout;
        let mut remarks = Remarks::default();
        for (name, content) in extensions {
            match &name {
                b"TREE" => {
                    for tree in cached_trees(content, hash).unwrap_or_default() {
                        take(&tree.id, Named::CachedTree { below: tree.below })?;
                    }
                }
                b"REUC" => match undone(content, hash) {
                    Some(all) => {
                        for (id, stage, name) in all {
                            take(&id, Named::Undone { stage, name })?;
                        }
                    }
                    None => remarks.bad_resolve_undo = true,
                },
                _ => {}
            }
        }
        Ok(Ok(remarks))
    }

    /// Returns the trees that directories of the index would be written as, in the order of their
    /// paths: git removes those that a change of the index made invalid. Each path ends with a
    /// slash; that of the root is empty.
    ///
    /// # Errors
    ///
    /// The damage of the file.
    pub fn cached_trees(&self) -> Result<Vec<(Vec<u8>, ObjectId)>, Damage> {
        let (hash, _) = self.own.layout;
        let extensions = self.own.extensions()?;
        let found = extensions.into_iter().find(|(name, _)| name == b"TREE");
        let trees = found.and_then(|(_, content)| cached_trees(content, hash)).unwrap_or_default();
        let with_path = |tree: CachedTree| Some((tree.path?, tree.id));
        let mut trees: Vec<_> = trees.into_iter().filter_map(with_path).collect();
        sort::by(&mut trees, |(one, _), (other, _)| one.cmp(other));
        Ok(trees)
    }

    fn visit_entries<E>(
        &self,
        take: &mut impl FnMut(&ObjectId, Named<'_>) -> Result<(), E>,
    ) -> Result<Result<(), Damage>, E> {
        let mut walk = match self.walk() {
            Ok(walk) => walk,
            Err(damage) => return Ok(Err(damage)),
        };
        loop {
            match walk.next(self) {
                Ok(None) => return Ok(Ok(())),
                Err(damage) => return Ok(Err(damage)),
                Ok(Some((entry, name))) => {
                    if let Some(named) = entry.named(name) {
                        take(&entry.id, named)?;
                    }
                }
            }
        }
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        let shared = self.link.as_ref().and_then(Link::shared);
        self.own.memory().saturating_add(shared.map_or(0, IndexPart::memory))
    }
}
