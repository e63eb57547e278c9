//! The requests of a batch.

use super::Fields;
use crate::odb::{Filter, InfosAhead, ObjectInfo, ObjectList, Plan, ReadAhead, ReadHint};
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

/// So few specs are read one by one.
const MOST_ALONE: usize = 64;

/// The metadata of the objects of specs, read ahead for many of them.
pub struct SpecsAhead {
    infos: InfosAhead,
    /// The index of the first of these requests.
    first: u32,
    is_listed: bool,
}

impl SpecsAhead {
    /// Begins for a batch of specs, in the order of packs or not. None is needed if contents are
    /// read, if there are few specs, or if the order is that of packs and no storage is read.
    pub fn new(
        fields: Fields,
        specs: &[Vec<u8>],
        in_pack_order: bool,
    ) -> Option<FullOnly<Box<SpecsAhead>>> {
        let is_near = in_pack_order && !fields.storage;
        if fields.content || is_near || specs.len() <= MOST_ALONE {
            return None;
        }
        let begin = || {
            let (filter, storage) = (Filter::default(), fields.storage);
            let what = ReadAhead { filter, infos: true, storage, stored_form: false };
            Box::new(SpecsAhead { infos: InfosAhead::new(what), first: 0, is_listed: false })
        };
        FullOnly::new(begin).ok()
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.infos.memory()
    }

    /// Returns the metadata of a request; `None` if its object is in no pack, or cannot be read.
    fn get(&self, at: u32) -> Option<&ObjectInfo> {
        self.infos.info(at.checked_sub(self.first)? as usize)
    }

    /// Reads the metadata of a request, together with that of the next requests.
    #[inline(never)]
    fn read(
        &mut self,
        repository: &mut Repository,
        requests: &SpecRequests<'_>,
        at: u32,
    ) -> Result<()> {
        let index = at.checked_sub(self.first).map(|index| index as usize);
        if index.is_none_or(|index| self.is_listed && index >= self.infos.len()) {
            self.infos.clear();
            (self.first, self.is_listed) = (at, false);
        }
        let most = InfosAhead::most(&repository.odb);
        while !self.is_listed {
            repository.files.step()?;
            let next = self.first.saturating_add(self.infos.len() as u32);
            match requests.request(next).filter(|_| self.infos.len() < most) {
                Some((_, request)) => self.infos.push(repository.object_of(request, |at| {
                    requests.ahead(next.saturating_add(1).saturating_add(at))
                })?),
                None => self.is_listed = true,
            }
            repository.files.advance();
        }
        let read = self.infos.read(&mut repository.odb, &mut repository.files);
        read.map_err(|error| {
            repository.looking_ahead(error, None, |at| self.infos.rest().nth(at as usize))
        })
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
    /// The metadata that is read ahead, if it is. The reader reads none ahead.
    pub ahead: Option<&'s mut FullOnly<Box<SpecsAhead>>>,
}

impl<'s> SpecRequests<'s> {
    fn request(&self, at: u32) -> Option<(u32, BatchRequest<'s>)> {
        let spec = |index: u32| Some((index, BatchRequest::Spec(self.specs.get(index as usize)?)));
        match self.plan.map(|plan| (plan, plan.at(at as usize))) {
            None => spec(at),
            Some((plan, Some((index, Some(id))))) => {
                Some((index, BatchRequest::Id(id, plan.hint(at as usize))))
            }
            Some((_, Some((index, None)))) => spec(index),
            Some((_, None)) => None,
        }
    }
}

impl BatchRequests for SpecRequests<'_> {
    fn get(
        &mut self,
        repository: &mut Repository,
        at: u32,
    ) -> Result<Option<(u32, BatchRequest<'_>)>> {
        let Some(request) = self.request(at) else { return Ok(None) };
        let Some(ahead) = self.ahead.take() else { return Ok(Some(request)) };
        let read = ahead.read(repository, self, at);
        let ahead = self.ahead.insert(ahead);
        read?;
        Ok(Some(match ahead.get(at) {
            Some(info) => (request.0, BatchRequest::Id(info.id, ReadHint::with_info(info))),
            None => request,
        }))
    }

    fn ahead(&self, at: u32) -> Option<ObjectId> {
        let (index, id) = match self.plan {
            Some(plan) => plan.at(at as usize)?,
            None => (at, None),
        };
        id.or_else(|| ObjectId::from_hex(self.hash, self.specs.get(index as usize)?))
    }
}
