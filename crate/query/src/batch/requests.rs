//! The requests of a batch.

use crate::odb::{ObjectList, Plan, ReadHint};
use crate::repository::Repository;
use packlens_base::error::Result;
use packlens_base::module::FullOnly;
use packlens_base::oid::{HashKind, ObjectId};

/// One requested object.
#[derive(Clone, Copy)]
pub enum BatchRequest<'s> {
    /// A revision, to be resolved.
    Spec(&'s [u8]),
    /// An object id, and how the object is read.
    Id(ObjectId, ReadHint<'s>),
}

/// The requests of a batch.
pub trait BatchRequests {
    /// Returns the request at an index, and the index for its row; `None` after the last.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    fn get(
        &mut self,
        repository: &mut Repository,
        at: u32,
    ) -> Result<Option<(u32, BatchRequest<'_>)>>;

    /// Returns the object of a later request, if it is known, so that its bytes are prefetched
    /// from high-latency files.
    fn ahead(&self, _at: u32) -> Option<ObjectId> {
        None
    }
}

impl BatchRequests for ObjectList {
    fn get(
        &mut self,
        repository: &mut Repository,
        at: u32,
    ) -> Result<Option<(u32, BatchRequest<'_>)>> {
        let found = self.get(&mut repository.odb, &mut repository.files, at)?;
        Ok(found.map(|(id, hint)| (at, BatchRequest::Id(id, hint))))
    }
}

/// The objects of specs, in the order of a plan if there is one.
pub struct SpecRequests<'s> {
    /// The specs.
    pub specs: &'s [Vec<u8>],
    /// The plan. The reader makes none.
    pub plan: Option<&'s FullOnly<Box<Plan>>>,
    /// The hash algorithm of the object ids.
    pub hash: HashKind,
}

impl BatchRequests for SpecRequests<'_> {
    fn get(&mut self, _: &mut Repository, at: u32) -> Result<Option<(u32, BatchRequest<'_>)>> {
        let spec = |index: u32| Some((index, BatchRequest::Spec(self.specs.get(index as usize)?)));
        Ok(match self.plan.map(|plan| (plan, plan.at(at as usize))) {
            None => spec(at),
            Some((plan, Some((index, Some(id))))) => {
                Some((index, BatchRequest::Id(id, plan.hint(at as usize))))
            }
            Some((_, Some((index, None)))) => spec(index),
            Some((_, None)) => None,
        })
    }

    fn ahead(&self, at: u32) -> Option<ObjectId> {
        let (index, id) = match self.plan {
            Some(plan) => plan.at(at as usize)?,
            None => (at, None),
        };
        id.or_else(|| ObjectId::from_hex(self.hash, self.specs.get(index as usize)?))
    }
}
