//! Objects that are asked for when they are nowhere, as git does in partial clones:
//! <https://git-scm.com/docs/partial-clone>.

use super::directories::FETCHED;
use super::Odb;
use crate::block::Files;
use crate::error::{Error, ErrorKind, Need, Result};
use crate::oid::ObjectId;
use std::collections::BTreeMap;

/// The most ids of objects that are kept as asked for in vain.
const MOST_ASKED: usize = 1 << 16;

/// Which objects were asked for.
#[derive(Debug)]
pub(super) struct Fetches {
    /// Whether there is anybody to be asked.
    active: bool,
    /// The newest question when an object was asked for.
    asked: BTreeMap<ObjectId, u64>,
}

impl Fetches {
    pub(super) fn new(active: bool) -> Fetches {
        Fetches { active, asked: BTreeMap::new() }
    }
}

impl Odb {
    /// Makes the error of an object that is nowhere: a need, where it may be fetched
    /// and this question has not asked for it.
    #[cold]
    pub(super) fn absent(&self, files: &Files, id: &ObjectId) -> Error {
        match self.may_fetch(files, id) {
            true => Error::missing(Need::Objects(vec![*id])),
            false => self.not_found("there is no such object").about(id.to_hex()),
        }
    }

    /// Makes the error of something that is not found: it names the index that cannot be
    /// used, if there is one.
    #[cold]
    pub(crate) fn not_found(&self, what: &'static str) -> Error {
        let damaged = self.packs.damaged_index();
        match damaged.and_then(Error::place) {
            Some((file, offset)) => {
                let what = "not found, but there is a damaged index that may have it";
                Error::new(ErrorKind::NotFound, what).at(file, offset)
            }
            None => Error::new(ErrorKind::NotFound, what),
        }
    }

    /// Makes sure that an object is somewhere; it is not read.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::NotFound`]; a need, where it may be fetched.
    pub(crate) fn must_have(&mut self, files: &mut Files, id: &ObjectId) -> Result<()> {
        let real = self.real(files, id)?;
        match self.locate(files, &real)? {
            Some(_) => Ok(()),
            None => Err(self.absent(files, &real)),
        }
    }

    fn may_fetch(&self, files: &Files, id: &ObjectId) -> bool {
        let asked = self.fetches.asked.get(id).copied();
        self.fetches.active && asked.is_none_or(|question| question < files.question())
    }

    /// Adds to a need of an object those that will be needed next and are nowhere.
    pub(crate) fn fetching_ahead(
        &mut self,
        files: &mut Files,
        error: Error,
        ahead: impl Iterator<Item = ObjectId>,
    ) -> Error {
        let mut absent = Vec::new();
        if let Some(Need::Objects(ids)) = error.need() {
            let mut known = std::collections::BTreeSet::new();
            known.extend(ids.iter().copied());
            for id in ahead.take(MOST_ASKED) {
                let Ok(real) = self.real(files, &id) else { continue };
                if !self.may_fetch(files, &real) || !known.insert(real) {
                    continue;
                }
                match self.is_nowhere(files, &real) {
                    Ok(true) => absent.push(real),
                    Err(error) if error.is_missing() => return error,
                    // What is damaged is told when its turn comes.
                    Ok(false) | Err(_) => {}
                }
            }
        }
        error.needing(absent)
    }

    /// Tells whether an object is in no pack and no directory of loose ones. These are
    /// listed: it takes fewer looks than one for each of many objects.
    fn is_nowhere(&mut self, files: &Files, id: &ObjectId) -> Result<bool> {
        if *id == self.empty_tree {
            return Ok(false);
        }
        let is_packed = self.is_packed(files, id)?;
        Ok(!is_packed && !self.loose_ids(files, id.first_byte())?.contains(id))
    }

    /// Tells whether any pack has an object, those of alternates included. A damaged one
    /// has none.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn is_packed(&mut self, files: &Files, id: &ObjectId) -> Result<bool> {
        self.list_packs(files)?;
        for pack in self.packs.in_turn() {
            match self.packs.offset_in(files, pack, id) {
                Ok(Some(_)) => return Ok(true),
                Err(error) if error.is_missing() => return Err(error),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Takes the answer that objects were asked for; those that came are looked for
    /// among what was fetched.
    pub(crate) fn fetched(&mut self, files: &mut Files, ids: impl IntoIterator<Item = ObjectId>) {
        let question = files.newest_question();
        if self.fetches.asked.len() > MOST_ASKED {
            self.fetches.asked.clear();
        }
        for id in ids {
            self.fetches.asked.insert(id, question);
            files.forget(&crate::loose::path_in(FETCHED, &id));
        }
        self.packs.list_again(files, FETCHED);
    }
}
