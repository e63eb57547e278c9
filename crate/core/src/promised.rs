//! Objects that a partial clone lacks, but somebody promised:
//! <https://git-scm.com/docs/partial-clone>.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{CommitLinks, ObjectType, Tag, Tree};
use crate::odb::{Filter, ObjectList, Order, Stored, Verify};
use crate::oid::ObjectId;
use crate::repository::Repository;
use std::collections::BTreeSet;

/// The share of the ceiling that ids of promised objects may take.
const SHARE: u64 = 8;

/// The bytes that an id takes in the set, about.
const BYTES_EACH: u64 = 16;

/// What the objects of promisor packs refer to.
#[derive(Default)]
pub(crate) struct Promised {
    /// How many such packs there were.
    packs: usize,
    /// Where going over them stands; `None` before it began and when it is done.
    list: Option<ObjectList>,
    index: u32,
    done: bool,
    /// The beginnings of ids, which are random enough to go by.
    ids: BTreeSet<[u8; 8]>,
    /// There are too many to be kept: all are taken for promised.
    all: bool,
}

impl Promised {
    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
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
    /// Makes of "not found" that the object is promised, where that is so. The first
    /// time all commits, trees and tags of promisor packs are gone over for it.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and ask again.
    pub fn as_promised(&mut self, error: Error) -> Result<Error> {
        if error.kind() != ErrorKind::NotFound || !self.tells_promised {
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

    /// Tells whether somebody promised an object.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and ask again.
    #[cold]
    pub(crate) fn is_promised(&mut self, id: &ObjectId) -> Result<bool> {
        self.odb.list_packs(&self.files)?;
        let packs = self.odb.promisor_packs();
        if packs == 0 {
            return Ok(false);
        }
        if self.promised.packs != packs {
            self.promised = Promised { packs, ..Promised::default() };
        }
        let mut promised = std::mem::take(&mut self.promised);
        let gone_over = match promised.done {
            true => Ok(()),
            false => self.go_over(&mut promised),
        };
        let has = promised.has(id);
        self.promised = promised;
        gone_over.map(|()| has)
    }

    /// Notes what all objects of promisor packs refer to.
    fn go_over(&mut self, promised: &mut Promised) -> Result<()> {
        let mut list = promised
            .list
            .take()
            .unwrap_or_else(|| ObjectList::new(Order::BaseFirst, Filter::default()));
        let gone = self.go_on_over(promised, &mut list);
        self.odb.end_as_stored();
        match &gone {
            Err(error) if error.is_missing() => promised.list = Some(list),
            _ => {
                promised.done = true;
                self.odb.forget_bases();
            }
        }
        gone
    }

    fn go_on_over(&mut self, promised: &mut Promised, list: &mut ObjectList) -> Result<()> {
        let most = self.memory() / SHARE;
        while let Some(id) = self.listed(list, promised.index)? {
            match self.note_links(&id, promised) {
                Err(error) if error.is_missing() => return Err(error),
                // What is damaged promises nothing.
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

    /// Notes what an object refers to, if it lies in a promisor pack.
    fn note_links(&mut self, id: &ObjectId, promised: &mut Promised) -> Result<()> {
        let info = self.odb.info(&mut self.files, id)?;
        let Stored::Packed { pack, .. } = info.stored else {
            return Ok(());
        };
        if info.object_type == ObjectType::Blob || !self.odb.is_promisor(pack) {
            return Ok(());
        }
        self.odb.expect_again();
        let (object_type, content) = self.odb.read(&mut self.files, id, Verify::None)?;
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
