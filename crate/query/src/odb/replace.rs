//! Replacements of objects: <https://git-scm.com/docs/git-replace>.

use super::Odb;
use packlens_base::block::Files;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::refs::{RefListing, RefRecord, RefValue, Refs};
use std::collections::BTreeMap;

/// How many look-ups a chain of replacements may take, as in git: the last one must find none, so
/// at most 4 replacements may be chained.
const MOST_DEPTH: usize = 5;

/// Maps the ids of replaced objects to their replacements, as the replace refs say.
#[derive(Debug, Default)]
pub struct Replacements(Option<FullOnly<BTreeMap<ObjectId, ObjectId>>>);

/// A pass over the replace refs.
pub(crate) struct ReplaceRefs {
    refs: RefListing,
    found: Replacements,
}

impl ReplaceRefs {
    /// Starts at the refs below `base`, whose names end with the id of the replaced object.
    pub fn new(refs: &Refs, base: &[u8]) -> ReplaceRefs {
        ReplaceRefs { refs: RefListing::new(refs, base), found: Replacements::default() }
    }

    /// Reads all replace refs. Refs whose name does not end with an id are skipped, as in git.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again. [`ErrorKind::Corrupt`] if two
    /// refs replace the same object.
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
                if self.found.map()?.insert(replaced, id).is_some() {
                    let what = "an object has two replace refs";
                    return Err(Error::new(ErrorKind::Corrupt, what).about(name.as_slice()));
                }
            }
            self.refs.advance();
        }
        Ok(std::mem::take(&mut self.found))
    }
}

impl Replacements {
    fn map(&mut self) -> Result<&mut BTreeMap<ObjectId, ObjectId>> {
        match &mut self.0 {
            Some(map) => Ok(map),
            none => Ok(none.insert(FullOnly::new(BTreeMap::new)?)),
        }
    }

    /// Returns the object that is read for an id: its final replacement, or itself.
    fn of(&self, id: &ObjectId) -> Result<ObjectId> {
        let mut real = id;
        for _ in 0..MOST_DEPTH {
            match self.0.as_ref().and_then(|map| map.get(real)) {
                Some(next) => real = next,
                None => return Ok(*real),
            }
        }
        let what = "a chain of replace refs is too long";
        Err(Error::new(ErrorKind::Limit, what).about(id.to_hex()))
    }
}

impl Odb {
    /// Sets the replacements, or the error that reading them gave.
    pub(crate) fn set_replacements(&mut self, replacements: Result<Replacements>) {
        self.replacements = replacements;
    }

    /// Returns whether any object may have a replacement.
    pub(crate) fn replaces(&self) -> bool {
        self.replacements.as_ref().map_or(true, |replacements| replacements.0.is_some())
    }

    /// Returns the object that is read for an id, replacements applied.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] after too many replacements; the error of the replace refs, if
    /// they could not be read.
    pub(crate) fn real(&self, id: &ObjectId) -> Result<ObjectId> {
        match self.replaces() {
            true => self.replaced(id),
            false => Ok(*id),
        }
    }

    #[cold]
    fn replaced(&self, id: &ObjectId) -> Result<ObjectId> {
        self.replacements.as_ref().map_err(Error::clone)?.of(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_follow_each_other_and_no_more() {
        let id = |at: u8| ObjectId::from_bytes(HashKind::Sha1, &[at; 20]).unwrap();
        let replacements = |pairs: BTreeMap<ObjectId, ObjectId>| {
            Replacements(Some(FullOnly::new(|| pairs).unwrap()))
        };
        let chain = replacements((0..5).map(|at| (id(at), id(at + 1))).collect());
        assert_eq!(chain.of(&id(1)).unwrap(), id(5));
        assert_eq!(chain.of(&id(9)).unwrap(), id(9));
        assert_eq!(chain.of(&id(0)).unwrap_err().kind(), ErrorKind::Limit);
        let round = replacements([(id(1), id(2)), (id(2), id(1))].into());
        assert_eq!(round.of(&id(1)).unwrap_err().kind(), ErrorKind::Limit);
    }
}
