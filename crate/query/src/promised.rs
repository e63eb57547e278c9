//! Promised objects, which a partial clone lacks but a promisor remote has:
//! <https://git-scm.com/docs/partial-clone>.

use crate::odb::{Filter, ObjectList, Order, ReadHint, Stored, Verify};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::ObjectId;
use packlens_format::object::{CommitLinks, ObjectType, Tag, Tree};
use std::collections::BTreeSet;

/// The ids of promised objects may take one part in this many of the memory ceiling.
const SHARE: u64 = 8;

/// The approximate memory that an id takes in the set, in bytes.
const BYTES_EACH: u64 = 16;

/// The objects that objects in promisor packs refer to.
#[derive(Default)]
pub(crate) struct Promised {
    /// The number of promisor packs when the set was collected.
    packs: usize,
    /// The unfinished pass over all objects; `None` before it starts and after it ends.
    list: Option<ObjectList>,
    index: u32,
    done: bool,
    /// The first 8 bytes of each id, which are random enough to be unique.
    ids: BTreeSet<[u8; 8]>,
    /// Whether there are too many ids to keep, so that every object counts as promised.
    all: bool,
}

impl Promised {
    /// Returns how many bytes of memory the set takes.
    pub fn memory(&self) -> u64 {
        (self.ids.len() as u64).saturating_mul(BYTES_EACH)
    }

    fn add(&mut self, id: &ObjectId) {
        self.ids.extend(id.as_bytes().first_chunk::<8>().copied());
    }

    fn has(&self, id: &ObjectId) -> bool {
        self.all || id.as_bytes().first_chunk::<8>().is_some_and(|start| self.ids.contains(start))
    }
}

impl Repository {
    /// Turns a "not found" error into a "promised" error if the object is promised. The first
    /// time, all commits, trees and tags in promisor packs are read for this.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    pub fn as_promised(&mut self, error: Error) -> Result<Error> {
        if error.kind() != ErrorKind::NotFound || !self.reports_promised {
            return Ok(error);
        }
        let Some(id) = ObjectId::from_hex(self.hash(), error.subject()) else {
            return Ok(error);
        };
        if !self.is_promised(&id)? {
            return Ok(error);
        }
        let what = "the object is promised, but was never fetched: give `missing` to open";
        Ok(Error::new(ErrorKind::Promised, what).about(id.to_hex()))
    }

    /// Returns whether an object is promised.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    #[cold]
    pub fn is_promised(&mut self, id: &ObjectId) -> Result<bool> {
        self.odb.list_packs(&self.files)?;
        let packs = self.odb.promisor_packs();
        if packs == 0 {
            return Ok(false);
        }
        let known = self.kept.promised.take().filter(|promised| promised.packs == packs);
        let mut promised = match known {
            Some(promised) => promised,
            None => FullOnly::new(|| Promised { packs, ..Promised::default() })?,
        };
        let scanned = match promised.done {
            true => Ok(()),
            false => self.scan_promised(&mut promised),
        };
        let has = promised.has(id);
        self.kept.promised = Some(promised);
        scanned.map(|()| has)
    }

    /// Collects the objects that promisor packs refer to.
    fn scan_promised(&mut self, promised: &mut Promised) -> Result<()> {
        let mut list = promised
            .list
            .take()
            .unwrap_or_else(|| ObjectList::new(Order::BaseFirst, Filter::default()));
        let result = self.advance_scan(promised, &mut list);
        match &result {
            Err(error) if error.is_missing() => promised.list = Some(list),
            _ => {
                promised.done = true;
                self.odb.forget_bases();
            }
        }
        result
    }

    fn advance_scan(&mut self, promised: &mut Promised, list: &mut ObjectList) -> Result<()> {
        let most = self.memory() / SHARE;
        while let Some((id, hint)) = list.get(&mut self.odb, &mut self.files, promised.index)? {
            match self.note_links((&id, &hint), promised) {
                Err(error) if error.is_missing() => return Err(error),
                // Damaged objects promise nothing.
                Ok(()) | Err(_) => {}
            }
            promised.index = promised.index.saturating_add(1);
            if promised.memory() > most {
                *promised = Promised { packs: promised.packs, all: true, ..Promised::default() };
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds the objects that an object refers to, if it is in a promisor pack.
    fn note_links(
        &mut self,
        listed: (&ObjectId, &ReadHint<'_>),
        promised: &mut Promised,
    ) -> Result<()> {
        let info = self.odb.info_hinted(&mut self.files, listed)?;
        let Stored::Packed { pack, .. } = info.stored else {
            return Ok(());
        };
        if info.object_type == ObjectType::Blob || !self.odb.is_promisor(pack) {
            return Ok(());
        }
        let read = self.odb.read_content(&mut self.files, listed, Verify::None);
        let (object_type, content) = read?;
        let hash = self.hash();
        match object_type {
            ObjectType::Commit => {
                let links = CommitLinks::decode(hash, &content, |parent| promised.add(&parent))?;
                promised.add(&links.tree);
            }
            ObjectType::Tag => promised.add(Tag::decode(hash, &content)?.target()),
            ObjectType::Tree => {
                for entry in Tree::new(hash, &content) {
                    let entry = entry?;
                    if entry.mode.object_type() != ObjectType::Commit {
                        promised.add(&entry.oid);
                    }
                }
            }
            ObjectType::Blob => {}
        }
        Ok(())
    }
}
