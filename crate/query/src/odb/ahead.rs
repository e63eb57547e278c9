//! The metadata of objects that are known to be requested, read in the order of their packs.
//!
//! Objects in the order of their ids, or in that of a caller, are anywhere in their packs: each
//! would need a range of its own, which was evicted when the next object near it is read.

use super::info::StoredBase;
use super::{Filter, Location, ObjectInfo, Odb, PackNumber, ReadHint, Stored};
use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::oid::ObjectId;
use packlens_base::sort;

/// Metadata that is read ahead may take one part in this many of the memory ceiling.
const AHEAD_SHARE: u64 = 8;

/// An object, if there is one, and its place in a pack, if that is known.
pub(crate) type Asked = Option<(ObjectId, Option<(PackNumber, u64)>)>;

/// What is read ahead.
#[derive(Clone, Copy)]
pub(crate) struct ReadAhead {
    /// Objects that this excludes are not read.
    pub(crate) filter: Filter,
    /// Whether the metadata is read.
    pub(crate) infos: bool,
    /// Whether the fields that [`Odb::add_storage`] fills are read as well.
    pub(crate) storage: bool,
    /// Whether objects are read even if replace refs name replacements.
    pub(crate) stored_form: bool,
}

/// A pass over the objects.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Pass {
    /// None began.
    None,
    /// The objects are looked up whose places are not known, in the order of their ids.
    Places,
    /// The heads of the entries are read.
    Heads,
    /// The storage that takes a search of an index is found.
    Storage,
    /// The ids of bases are read, in the order of their positions.
    Bases,
}

/// What is known of an object.
#[derive(Clone, Copy)]
pub(crate) enum Known {
    /// Nothing: it is in no pack, or it cannot be read, and reading it alone will report why.
    Nothing,
    /// The filter excludes it.
    Excluded,
    /// The filter selects it.
    Selected,
    /// Its metadata, and what is not known yet of its storage.
    Info(ObjectInfo, Pending),
}

/// What has to be read for the storage of an object.
#[derive(Clone, Copy)]
pub(crate) enum Pending {
    Nothing,
    /// All of it, which takes a search of the index of the pack: given the offset of the base.
    Storage(Option<u64>),
    /// The id of the base, at a position of an index.
    Base((PackNumber, u32)),
}

/// The metadata of some objects.
pub(crate) struct InfosAhead {
    what: ReadAhead,
    asked: Vec<Asked>,
    /// The indices of the objects in packs, in the order of their places.
    order: Vec<u32>,
    /// The pass that is under way, and how many in this order it has done.
    pass: Pass,
    done: usize,
    /// What is known of each object.
    known: Vec<Known>,
}

impl InfosAhead {
    /// Begins with no objects.
    pub(crate) fn new(what: ReadAhead) -> InfosAhead {
        InfosAhead {
            what,
            asked: Vec::new(),
            order: Vec::new(),
            pass: Pass::None,
            done: 0,
            known: Vec::new(),
        }
    }

    /// Returns for how many objects there is memory.
    pub(crate) fn most(odb: &Odb) -> usize {
        let each = size_of::<Asked>().saturating_add(size_of::<Known>());
        // Each index, and the two numbers of a search for neighbours.
        let each = each.saturating_add(size_of::<u32>().saturating_add(32));
        let most = (odb.limits.memory / AHEAD_SHARE).checked_div(each as u64).unwrap_or(1);
        usize::try_from(most).unwrap_or(usize::MAX).max(1)
    }

    pub(crate) fn len(&self) -> usize {
        self.asked.len()
    }

    /// Adds an object; not after reading began.
    pub(crate) fn push(&mut self, asked: Asked) {
        self.asked.push(asked);
    }

    /// Forgets all objects.
    pub(crate) fn clear(&mut self) {
        *self = InfosAhead::new(self.what);
    }

    /// Returns what is known of the object at an index.
    pub(crate) fn get(&self, index: usize) -> Known {
        self.known.get(index).copied().unwrap_or(Known::Nothing)
    }

    /// Returns the metadata of the object at an index.
    pub(crate) fn info(&self, index: usize) -> Option<&ObjectInfo> {
        match self.known.get(index)? {
            Known::Info(info, _) => Some(info),
            _ => None,
        }
    }

    /// Returns the objects that were not read yet, in the order in which they will be.
    pub(crate) fn rest(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let rest = self.order.get(self.done..).unwrap_or_default();
        rest.iter().filter_map(|index| (*self.asked.get(*index as usize)?).map(|(id, _)| id))
    }

    /// Returns how many bytes of memory this takes.
    pub(crate) fn memory(&self) -> u64 {
        let asked = self.asked.capacity().saturating_mul(size_of::<Asked>());
        let known = self.known.capacity().saturating_mul(size_of::<Known>());
        let order = self.order.capacity().saturating_mul(size_of::<u32>());
        asked.saturating_add(known).saturating_add(order) as u64
    }

    /// Reads the metadata of all objects in packs. An object that cannot be read is left out:
    /// reading it alone will report why.
    ///
    /// # Errors
    ///
    /// Missing files and bytes: provide them and call again.
    #[inline(never)]
    pub(crate) fn read(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        loop {
            while let Some(index) = self.order.get(self.done).map(|index| *index as usize) {
                files.step()?;
                match self.pass {
                    Pass::None => break,
                    Pass::Places => self.look_up(odb, files, index)?,
                    Pass::Heads => self.read_one(odb, files, index)?,
                    Pass::Storage => self.find_storage(odb, files, index)?,
                    Pass::Bases => self.read_base(odb, files, index)?,
                }
                self.done = self.done.saturating_add(1);
                files.advance();
            }
            self.pass = match self.pass {
                Pass::None => Pass::Places,
                Pass::Places => Pass::Heads,
                Pass::Heads => Pass::Storage,
                Pass::Storage => Pass::Bases,
                Pass::Bases => return Ok(()),
            };
            self.sort();
            odb.make_room(files, 0, self.memory())?;
        }
    }

    /// Sorts the objects for a pass: those of which it has something to read.
    fn sort(&mut self) {
        self.known.resize(self.asked.len(), Known::Nothing);
        let (pass, asked, known) = (self.pass, &self.asked, &self.known);
        let key = |index: &u32| match known.get(*index as usize)? {
            Known::Info(_, Pending::Storage(_)) if pass == Pass::Storage => {
                asked.get(*index as usize).copied()??.1
            }
            Known::Info(_, Pending::Base((pack, position))) if pass == Pass::Bases => {
                Some((*pack, u64::from(*position)))
            }
            Known::Nothing if pass == Pass::Heads => asked.get(*index as usize).copied()??.1,
            _ => None,
        };
        let id = |index: &u32| match asked.get(*index as usize)? {
            Some((id, None)) => Some(id),
            _ => None,
        };
        self.done = 0;
        self.order.clear();
        let all = 0..asked.len() as u32;
        if pass == Pass::Places {
            self.order.extend(all.filter(|index| id(index).is_some()));
            sort::by(&mut self.order, |one, other| id(one).cmp(&id(other)));
        } else {
            self.order.extend(all.filter(|index| key(index).is_some()));
            sort::by(&mut self.order, |one, other| key(one).cmp(&key(other)));
        }
    }

    fn look_up(&mut self, odb: &mut Odb, files: &mut Files, index: usize) -> Result<()> {
        if let Some(Some((id, place))) = self.asked.get_mut(index) {
            if let Some(Some(Location::Packed { pack, offset })) = readable(odb.find(files, id))? {
                *place = Some((pack, offset));
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn read_one(&mut self, odb: &mut Odb, files: &mut Files, index: usize) -> Result<()> {
        let Some(Some((id, Some(place)))) = self.asked.get(index) else { return Ok(()) };
        let ReadAhead { filter, infos, storage, stored_form } = self.what;
        let hint = ReadHint { stored_form, listed: stored_form, ..ReadHint::at(*place) };
        let mut known = Known::Selected;
        if !filter.wants_all() && !odb.is_selected(files, id, &hint, &filter)? {
            known = Known::Excluded;
        } else if infos {
            known = match readable(odb.info_hinted(files, (id, &hint)))? {
                Some(info) if storage => {
                    Known::Info(info, Pending::Storage(odb.base_offset(&info)))
                }
                Some(info) => Known::Info(info, Pending::Nothing),
                None => Known::Nothing,
            };
        }
        if let Known::Info(info, Pending::Storage(_)) = known {
            if odb.has_extents(files, *place)? {
                known = stored(odb, files, info)?;
            }
        }
        self.set(index, known);
        Ok(())
    }

    /// Finds the storage of an object by a search of the whole index: the same search as for the
    /// other objects of the pack.
    #[inline(never)]
    fn find_storage(&mut self, odb: &mut Odb, files: &mut Files, index: usize) -> Result<()> {
        let number = |odb: &Odb, info: &ObjectInfo| match info.stored {
            Stored::Packed { pack, offset } => Some((odb.packs.number_of(pack)?, offset)),
            _ => None,
        };
        let Known::Info(info, Pending::Storage(base)) = self.get(index) else { return Ok(()) };
        if let Some((pack, offset)) = number(odb, &info) {
            if !odb.searches((pack, offset, base)) {
                let rest = self.order.get(self.done..).unwrap_or_default();
                let asked = rest.iter().filter_map(|index| match self.get(*index as usize) {
                    Known::Info(info, Pending::Storage(base)) => {
                        let (of, offset) = number(odb, &info)?;
                        (of == pack).then_some((offset, base))
                    }
                    _ => None,
                });
                let asked: Vec<_> = asked.collect();
                odb.search_together(files, pack, &asked)?;
            }
        }
        let known = stored(odb, files, info)?;
        self.set(index, known);
        Ok(())
    }

    fn read_base(&mut self, odb: &mut Odb, files: &mut Files, index: usize) -> Result<()> {
        if let Known::Info(mut info, Pending::Base((pack, position))) = self.get(index) {
            info.delta_base = readable(odb.packs.id_at(files, pack, position))?;
            let is_known = info.delta_base.is_some();
            let known = if is_known { Known::Info(info, Pending::Nothing) } else { Known::Nothing };
            self.set(index, known);
        }
        Ok(())
    }

    fn set(&mut self, index: usize, known: Known) {
        self.known.get_mut(index).into_iter().for_each(|kept| *kept = known);
    }
}

/// Returns what is known of an object with its storage, except the id of a base.
fn stored(odb: &mut Odb, files: &mut Files, info: ObjectInfo) -> Result<Known> {
    let Some((disk_size, base)) = readable(odb.storage_of(files, &info))? else {
        return Ok(Known::Nothing);
    };
    let info = ObjectInfo { disk_size, ..info };
    Ok(match base {
        StoredBase::None => Known::Info(info, Pending::Nothing),
        StoredBase::Id(id) => {
            Known::Info(ObjectInfo { delta_base: Some(id), ..info }, Pending::Nothing)
        }
        StoredBase::At(place) => Known::Info(info, Pending::Base(place)),
    })
}

/// Returns `None` in place of an error other than of missing bytes.
fn readable<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(error) if !error.is_missing() => Ok(None),
        result => result.map(Some),
    }
}
