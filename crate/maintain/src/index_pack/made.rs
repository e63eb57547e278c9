//! Returns the results of an index, once all objects of the pack are resolved.

use super::records::{append, IndexRecord};
use super::{find, IndexPackOptions};
use packlens_base::appender::Output;
use packlens_base::block::FileId;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::index::{Checking, Comparison, Indexes, Listing, PackFinding};
use packlens_format::object::ObjectType;
use packlens_query::repository::Repository;

/// Bytes of a result that may be longer than the output buffer.
struct Whole {
    record: IndexRecord,
    bytes: Vec<u8>,
    done: usize,
}

/// The resolved pack, and the results that are still to be returned.
pub(super) struct Made {
    file: FileId,
    index_path: Vec<u8>,
    indexes: Indexes,
    options: IndexPackOptions,
    comparison: Option<Comparison>,
    is_compared: bool,
    listing: Option<Listing>,
    whole: Option<Whole>,
    /// The checks that need objects of the repository.
    pub(super) checking: Option<Checking>,
}

impl Made {
    pub(super) fn new(
        file: FileId,
        index_path: Vec<u8>,
        indexes: Indexes,
        options: IndexPackOptions,
    ) -> Made {
        Made {
            file,
            index_path,
            indexes,
            options,
            comparison: None,
            is_compared: false,
            listing: None,
            whole: None,
            checking: None,
        }
    }

    pub(super) fn memory(&self) -> u64 {
        let whole = self.whole.as_ref().map_or(0, |whole| whole.bytes.capacity() as u64);
        let listing = self.listing.as_ref().map_or(0, Listing::memory);
        let checking = self.checking.as_ref().map_or(0, Checking::memory);
        let own = whole.saturating_add(listing).saturating_add(checking);
        self.indexes.memory().saturating_add(own)
    }

    pub(super) fn take_findings(&mut self) -> Vec<PackFinding> {
        self.checking.as_mut().map(Checking::take_findings).unwrap_or_default()
    }

    /// Checks in the repository that linked objects exist which the pack does not have, and
    /// checks special files that are not in the pack.
    fn check_outside(&mut self, repository: &mut Repository) -> Result<()> {
        let Some(checking) = &mut self.checking else {
            return Ok(());
        };
        while let Some((id, expected)) = checking.next_link() {
            let found = match self.indexes.type_of(&id) {
                Some(object_type) => Some(object_type),
                None => match repository.odb.stored_type(&mut repository.files, &id) {
                    Ok(object_type) => Some(object_type),
                    Err(error) if error.kind() == ErrorKind::NotFound => None,
                    Err(error) if error.kind() == ErrorKind::Promised => Some(expected),
                    Err(error) => return Err(error),
                },
            };
            checking.pass_link(found)?;
        }
        if checking.is_of_links() {
            has_each_once(&self.indexes)?;
        }
        while let Some(id) = checking.next_special() {
            let read = repository.odb.read_stored(&mut repository.files, &id);
            let found = match &read {
                Ok((object_type, content)) => Some((*object_type, Some(content.as_slice()))),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) if error.kind() == ErrorKind::Limit => Some((ObjectType::Blob, None)),
                Err(error) => return Err(error.clone()),
            };
            checking.special(&id, found, true)?;
        }
        Ok(())
    }

    pub(super) fn fill(
        &mut self,
        repository: &mut Repository,
        capacity: usize,
        out: &mut Output,
    ) -> Result<bool> {
        if self.checking.is_some() {
            self.check_outside(repository)?;
            if self.checking.as_ref().is_some_and(Checking::has_findings) {
                return Ok(false);
            }
            self.checking = None;
        }
        if self.options.verify && !self.is_compared {
            let new = || Comparison::new(repository.hash());
            let comparison = self.comparison.get_or_insert_with(new);
            let index = find(repository, &self.index_path)?;
            self.indexes.compare(&repository.files.source(index), comparison)?;
            (self.comparison, self.is_compared) = (None, true);
        }
        if let Some(whole) = &mut self.whole {
            let rest = whole.bytes.get(whole.done..).unwrap_or_default();
            let part = rest.get(..capacity.max(1)).unwrap_or(rest);
            append(out, whole.record, part)?;
            whole.done = whole.done.saturating_add(part.len());
            if whole.done >= whole.bytes.len() {
                self.whole = None;
            }
            return Ok(false);
        }
        if std::mem::take(&mut self.options.index) {
            let bytes = self.indexes.index()?;
            self.whole = Some(Whole { record: IndexRecord::Index, bytes, done: 0 });
            return Ok(false);
        }
        if std::mem::take(&mut self.options.reverse) {
            let bytes = self.indexes.reverse_index()?;
            self.whole = Some(Whole { record: IndexRecord::Reverse, bytes, done: 0 });
            return Ok(false);
        }
        let tail = self.indexes.take_tail();
        if !tail.is_empty() {
            self.whole = Some(Whole { record: IndexRecord::Tail, bytes: tail, done: 0 });
            return Ok(false);
        }
        if self.options.lines || self.options.summary {
            return self.list(repository, capacity, out);
        }
        if self.options.verify {
            has_each_once(&self.indexes)?;
        }
        let mut facts = self.indexes.count().to_le_bytes().to_vec();
        facts.extend(self.indexes.checksum().as_bytes());
        append(out, IndexRecord::Facts, &facts)?;
        Ok(true)
    }

    fn list(&mut self, repository: &Repository, capacity: usize, out: &mut Output) -> Result<bool> {
        let pack = repository.files.source(self.file);
        let listing = match &mut self.listing {
            Some(listing) => listing,
            None => self.listing.insert(self.indexes.listing(&pack)?),
        };
        let mut text = Vec::new();
        while self.options.lines && text.len() < capacity {
            match self.indexes.line(listing, &pack, &mut text) {
                Ok(more) => self.options.lines = more,
                Err(error) if error.is_missing() && !text.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        if !self.options.lines {
            text.extend(listing.summary());
            self.options.summary = false;
        }
        append(out, IndexRecord::Text, &text)?;
        Ok(false)
    }
}

/// Checks that a pack has no object twice: git rejects such a pack.
fn has_each_once(indexes: &Indexes) -> Result<()> {
    match indexes.twice() {
        Some(id) => {
            let what = "the pack has an object twice";
            Err(Error::new(ErrorKind::Corrupt, what).about(id.to_hex()))
        }
        None => Ok(()),
    }
}
