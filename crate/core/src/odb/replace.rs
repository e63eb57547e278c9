//! Objects that others are read in place of:
//! <https://git-scm.com/docs/git-replace>.

use super::Odb;
use crate::block::Files;
use crate::error::{Error, ErrorKind, Result};
use crate::oid::{HashKind, ObjectId};
use crate::refs::{RefListing, RefRecord, RefValue, Refs};
use std::collections::BTreeMap;

/// How many replacements may follow each other, as in git.
const MOST_DEPTH: usize = 5;

/// Which object is read in place of which, as replace refs say.
#[derive(Debug, Default)]
pub struct Replacements(BTreeMap<ObjectId, ObjectId>);

/// Replace refs that are being read.
pub(crate) struct ReplaceRefs {
    refs: RefListing,
    found: Replacements,
}

impl ReplaceRefs {
    /// Begins with the refs below `base`, whose names end with the id that is replaced.
    pub(crate) fn new(refs: &Refs, base: &[u8]) -> ReplaceRefs {
        ReplaceRefs { refs: RefListing::new(refs, base), found: Replacements::default() }
    }

    /// Reads them. Others that lie there are passed over, as git does.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and go on. [`ErrorKind::Corrupt`] if two
    /// replace one object.
    pub(crate) fn read(
        &mut self,
        files: &Files,
        refs: &Refs,
        hash: HashKind,
    ) -> Result<Replacements> {
        while let Some(RefRecord { name, value, .. }) = self.refs.peek(files)? {
            let hex = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            let id = match value {
                RefValue::Id(id) => Some(*id),
                RefValue::Symbolic(target) => refs.follow(files, target)?.1,
                RefValue::Broken => None,
            };
            if let (Some(replaced), Some(id)) = (ObjectId::from_hex(hash, hex), id) {
                if self.found.0.insert(replaced, id).is_some() {
                    let what = "two replace refs of one object";
                    return Err(Error::new(ErrorKind::Corrupt, what).about(name.as_slice()));
                }
            }
            self.refs.advance();
        }
        Ok(std::mem::take(&mut self.found))
    }
}

impl Replacements {
    /// Returns the object that is read in place of another, itself if there is none.
    fn of(&self, id: &ObjectId) -> Result<ObjectId> {
        let mut real = id;
        for _ in 0..MOST_DEPTH {
            match self.0.get(real) {
                Some(next) => real = next,
                None => return Ok(*real),
            }
        }
        let what = "too many replace refs, one after the other";
        Err(Error::new(ErrorKind::Limit, what).about(id.to_hex()))
    }
}

impl Odb {
    /// Says which objects are read in place of others, or why that is not known.
    pub(crate) fn set_replacements(&mut self, replacements: Result<Replacements>) {
        self.replacements = replacements;
    }

    /// Tells whether any object may be replaced.
    pub(crate) fn replaces(&self) -> bool {
        self.replacements.as_ref().map_or(true, |replacements| !replacements.0.is_empty())
    }

    /// Returns the object that is read when this one is asked for.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] after too many replacements; what was wrong with the refs
    /// that would tell.
    pub(crate) fn real(&self, files: &Files, id: &ObjectId) -> Result<ObjectId> {
        if !self.replaces() || self.as_stored == Some((*id, files.question())) {
            return Ok(*id);
        }
        self.replaced(id)
    }

    #[cold]
    fn replaced(&self, id: &ObjectId) -> Result<ObjectId> {
        self.replacements.as_ref().map_err(Error::clone)?.of(id)
    }

    /// Tells that this question asks for an object as it is stored: a listing comes
    /// to each, replaced or not.
    pub(super) fn take_as_stored(&mut self, files: &Files, id: &ObjectId) {
        if self.replaces() {
            self.as_stored = Some((*id, files.question()));
        }
    }

    /// Ends that.
    pub(crate) fn end_as_stored(&mut self) {
        self.as_stored = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_follow_each_other_and_no_more() {
        let id = |at: u8| ObjectId::from_bytes(HashKind::Sha1, &[at; 20]).unwrap();
        let chain = Replacements((0..5).map(|at| (id(at), id(at + 1))).collect());
        assert_eq!(chain.of(&id(1)).unwrap(), id(5));
        assert_eq!(chain.of(&id(9)).unwrap(), id(9));
        assert_eq!(chain.of(&id(0)).unwrap_err().kind(), ErrorKind::Limit);
        let round = Replacements([(id(1), id(2)), (id(2), id(1))].into());
        assert_eq!(round.of(&id(1)).unwrap_err().kind(), ErrorKind::Limit);
    }
}
