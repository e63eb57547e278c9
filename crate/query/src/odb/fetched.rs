//! Requests missing objects from the caller, as git does in partial clones:
//! <https://git-scm.com/docs/partial-clone>.

use super::directories::FETCHED;
use super::Odb;
use packlens_base::block::Files;
use packlens_base::error::{Error, ErrorKind, Need, Result};
use packlens_base::oid::ObjectId;
use std::collections::BTreeMap;

/// The most ids that are remembered as requested.
const MOST_ASKED: usize = 1 << 16;

/// The newest question at the time when each object was requested from the caller.
pub(super) type Requested = BTreeMap<ObjectId, u64>;

impl Odb {
    /// Creates the error for a missing object: a need, if the object can be fetched and was
    /// not requested since this question began, else [`ErrorKind::NotFound`].
    #[cold]
    pub(super) fn absent(&self, files: &Files, id: &ObjectId) -> Error {
        match self.may_fetch(files, id) {
            true => Error::missing(Need::Objects(vec![*id])),
            false => self.not_found("there is no such object").about(id.to_hex()),
        }
    }

    /// Creates the error for something that is not found. If a pack index is damaged the error
    /// names it, because that pack may have the object.
    #[cold]
    pub(crate) fn not_found(&self, what: &'static str) -> Error {
        let damaged = self.packs.damaged_index();
        match damaged.and_then(Error::place) {
            Some((file, offset)) => {
                let what = "not found, but a damaged index may have it";
                Error::new(ErrorKind::NotFound, what).at(file, offset)
            }
            None => Error::new(ErrorKind::NotFound, what),
        }
    }

    /// Checks that an object exists, without reading it.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; [`ErrorKind::NotFound`], or a need if the object can be
    /// fetched.
    pub(crate) fn must_have(&mut self, files: &mut Files, id: &ObjectId) -> Result<()> {
        let real = self.real(id)?;
        match self.locate(files, &real)? {
            Some(_) => Ok(()),
            None => Err(self.absent(files, &real)),
        }
    }

    fn may_fetch(&self, files: &Files, id: &ObjectId) -> bool {
        let Some(requested) = &self.requested else {
            return false;
        };
        requested.get(id).is_none_or(|question| *question < files.question())
    }

    /// Adds missing objects that will be needed next to a need for objects, so that they are
    /// fetched together.
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
                let Ok(real) = self.real(&id) else { continue };
                if !self.may_fetch(files, &real) || !known.insert(real) {
                    continue;
                }
                match self.is_absent(files, &real) {
                    Ok(true) => absent.push(real),
                    Err(error) if error.is_missing() => return error,
                    // Damage is reported when this object is read.
                    Ok(false) | Err(_) => {}
                }
            }
        }
        error.needing(absent)
    }

    /// Returns whether an object is missing. Lists the directories of loose objects: for many
    /// objects that takes fewer look-ups than a file each.
    fn is_absent(&mut self, files: &Files, id: &ObjectId) -> Result<bool> {
        if *id == self.empty_tree {
            return Ok(false);
        }
        let is_packed = self.is_packed(files, id)?;
        Ok(!is_packed && !self.loose_ids(files, id.first_byte())?.contains(id))
    }

    /// Returns whether any pack has an object, including the packs of alternates. Damaged
    /// packs are skipped.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn is_packed(&mut self, files: &Files, id: &ObjectId) -> Result<bool> {
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

    /// Records that the caller was asked for objects. Those that arrived will be found in the
    /// directory of fetched objects.
    pub(crate) fn fetched(&mut self, files: &mut Files, ids: impl IntoIterator<Item = ObjectId>) {
        let question = files.newest_question();
        let Some(requested) = &mut self.requested else {
            return;
        };
        if requested.len() > MOST_ASKED {
            requested.clear();
        }
        for id in ids {
            requested.insert(id, question);
            files.forget(&packlens_format::loose::path_in(FETCHED, &id));
        }
        self.packs.list_again(files, FETCHED);
    }
}
