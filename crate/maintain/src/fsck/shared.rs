//! The state that all phases of a check share.

use super::finding::{exit, Finding};
use super::numbers::{flag, type_in, Number, Numbers};
use super::FsckOptions;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::checks::{Checks, Findings, Severities, SpecialFile};
use packlens_format::object::ObjectType;
use packlens_query::odb::Location;
use packlens_query::repository::Repository;
use std::collections::{BTreeMap, VecDeque};

/// The kinds of special files, in the order in which they are checked.
const SPECIAL_FILES: [SpecialFile; 2] = [SpecialFile::Modules, SpecialFile::Attributes];

/// The share of the memory ceiling that special files, and names of objects, may take each.
const SHARE: u64 = 8;

/// About how many bytes an entry takes in these maps, beside a name.
const EACH: u64 = 96;

/// Where a copy of an object is, in the order in which findings are reported: 0 for loose objects,
/// or the number of its pack from 1 on, and then its place there.
pub(super) type Place = u64;

/// The place after all others.
pub(super) const LAST: Place = u64::MAX >> 1;

/// The bits of a place that say where an object is in its pack.
const PLACE_BITS: u32 = 41;

/// Returns the place of an entry in the pack with an index.
pub(super) fn place_in(index: usize, offset: u64) -> Place {
    let pack = (index as u64).saturating_add(1).min(LAST >> PLACE_BITS);
    pack << PLACE_BITS | offset.min((1 << PLACE_BITS) - 1)
}

/// A special file: the place of the first tree that has it, times two, and 1 if it was checked. Maps
/// of such numbers are in the module anyway.
pub(super) type Special = u64;

/// Returns the place of the first tree that has a special file.
pub(super) fn tree_of(special: Special) -> Place {
    special >> 1
}

/// What is surveyed: nothing is reported about it, only noted that there is something.
#[derive(Clone, Copy)]
pub(super) enum Surveyed {
    /// The copy of an object that has this number.
    Object(u32),
    /// The files of the pack with this number.
    Files(u32),
}

/// The findings, and the flags of all objects.
pub(super) struct Shared {
    pub(super) options: FsckOptions,
    pub(super) severities: Severities,
    pub(super) numbers: Numbers,
    pub(super) findings: VecDeque<Finding>,
    /// What is surveyed at the moment; `None` when findings are reported.
    pub(super) surveyed: Option<Surveyed>,
    /// The packs whose files the survey found faulty, some more than once.
    pub(super) faulty: Vec<u32>,
    /// What the survey noted depends on the order of objects, or is not complete: they are all
    /// checked again.
    pub(super) conflicts: bool,
    /// An object could not be read.
    pub(super) unread: bool,
    specials: [BTreeMap<ObjectId, Special>; 2],
    /// The names by which objects are reached, if requested.
    names: BTreeMap<ObjectId, Vec<u8>>,
    names_memory: u64,
    /// The reachable objects that are to be visited.
    pub(super) pending: Vec<u32>,
    /// Reading a reachable object marks the objects it links to, so no walk may be needed.
    pub(super) marks_ahead: bool,
    pub(super) has_promisors: bool,
    /// An object links to another one as a wrong type.
    pub(super) has_wrong_types: bool,
}

impl Shared {
    pub(super) fn new(options: FsckOptions) -> Shared {
        Shared {
            severities: Severities::new(options.strict),
            options,
            numbers: Numbers::default(),
            findings: VecDeque::new(),
            surveyed: None,
            faulty: Vec::new(),
            conflicts: false,
            unread: false,
            specials: [BTreeMap::new(), BTreeMap::new()],
            names: BTreeMap::new(),
            names_memory: 0,
            pending: Vec::new(),
            marks_ahead: false,
            has_promisors: false,
            has_wrong_types: false,
        }
    }

    /// Returns how many bytes of memory this takes.
    pub(super) fn memory(&self) -> u64 {
        let specials = self.specials.iter().map(BTreeMap::len).sum::<usize>() as u64;
        let pending = (self.pending.capacity() as u64).saturating_mul(4);
        self.numbers
            .memory()
            .saturating_add(specials.saturating_mul(EACH))
            .saturating_add(self.names_memory)
            .saturating_add(pending)
    }

    /// Returns checks that report to `found`.
    pub(super) fn checks<'a>(&'a self, hash: HashKind, found: &'a mut dyn Findings) -> Checks<'a> {
        Checks::new(hash, self.options.strict, found).with_severities(&self.severities)
    }

    pub(super) fn find(&mut self, repository: &Repository, id: &ObjectId) -> Result<Number> {
        self.numbers.find(&repository.odb, &repository.files, id)
    }

    /// Returns whether a copy of an object is checked again, to report what is wrong with it.
    pub(super) fn is_to_report(&self, number: u32) -> bool {
        self.conflicts || self.numbers.flags(number) & flag::NOTED != 0
    }

    /// Returns whether reading all objects has found them all, so that those which nothing links
    /// to are known, and no other object is unreachable without being linked to by one.
    pub(super) fn is_whole(&self) -> bool {
        let FsckOptions { full, connectivity_only, unreachable, .. } = self.options;
        let all_read = full && !connectivity_only && !self.unread && !self.has_wrong_types;
        all_read && !unreachable && self.numbers.missing().is_empty()
    }

    /// Returns the id of an object and where it is stored; `None` if its index is damaged,
    /// which was reported before.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn place_of(
        &self,
        repository: &Repository,
        number: u32,
    ) -> Result<Option<(ObjectId, Location)>> {
        unless_damaged(self.numbers.place_of(&repository.odb, &repository.files, number))
    }

    /// Adds a special file, to be checked, which the tree at a place has.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if there are too many.
    pub(super) fn note_special(
        &mut self,
        (file, id): (SpecialFile, ObjectId),
        tree: Place,
        memory: u64,
    ) -> Result<()> {
        if self.memory_of_specials() >= memory / SHARE {
            return Err(too_many());
        }
        let special = self.special(file).entry(id).or_insert(tree << 1);
        *special = (*special & 1) | tree_of(*special).min(tree) << 1;
        Ok(())
    }

    fn memory_of_specials(&self) -> u64 {
        let count = self.specials.iter().map(BTreeMap::len).sum::<usize>();
        (count as u64).saturating_mul(EACH)
    }

    /// Returns the special files that the object at a place is still to be checked as, and marks
    /// them as checked. Those are not among them whose first tree comes later, nor any during
    /// the survey, because such trees may be found later.
    pub(super) fn take_special(&mut self, id: &ObjectId, at: Place) -> Vec<SpecialFile> {
        let is_surveyed = self.surveyed.is_some();
        let is_one = |file: &SpecialFile| match self.special(*file).get_mut(id) {
            Some(special) if tree_of(*special) < at && !is_surveyed => {
                let before = std::mem::replace(special, *special | 1);
                before & 1 == 0
            }
            _ => false,
        };
        SPECIAL_FILES.into_iter().filter(is_one).collect()
    }

    /// Returns a special file that was not checked yet.
    pub(super) fn next_special(&self) -> Option<ObjectId> {
        let all = self.specials.iter().flatten();
        all.filter(|(_, special)| **special & 1 == 0).map(|(id, _)| *id).next()
    }

    /// Returns all special files.
    pub(super) fn specials(&self) -> impl Iterator<Item = (SpecialFile, &ObjectId, &Special)> {
        let both = SPECIAL_FILES.into_iter().zip(&self.specials);
        both.flat_map(|(file, of)| of.iter().map(move |(id, special)| (file, id, special)))
    }

    /// Forgets the special files.
    pub(super) fn forget_specials(&mut self) {
        self.specials.iter_mut().for_each(BTreeMap::clear);
    }

    fn special(&mut self, file: SpecialFile) -> &mut BTreeMap<ObjectId, Special> {
        let [modules, attributes] = &mut self.specials;
        match file {
            SpecialFile::Modules => modules,
            SpecialFile::Attributes => attributes,
        }
    }

    /// Sets the name of an object unless it has one. `name` is only called if names are
    /// requested.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if names take too much memory.
    pub(super) fn put_name(
        &mut self,
        id: &ObjectId,
        memory: u64,
        name: impl FnOnce() -> Vec<u8>,
    ) -> Result<()> {
        if !self.options.name_objects || self.names.contains_key(id) {
            return Ok(());
        }
        let name = name();
        let taken = EACH.saturating_add(name.capacity() as u64);
        self.names_memory = self.names_memory.saturating_add(taken);
        if self.names_memory > memory / SHARE {
            return Err(too_many());
        }
        self.names.insert(*id, name);
        Ok(())
    }

    /// Returns the name of an object; empty if it has none.
    pub(super) fn name_of(&self, id: &ObjectId) -> &[u8] {
        self.names.get(id).map_or(&[], Vec::as_slice)
    }

    /// Reports a finding, and adds the names of its objects. During the survey only notes that
    /// there is one.
    pub(super) fn report(&mut self, finding: Finding) {
        match self.surveyed {
            Some(Surveyed::Object(number)) => return self.numbers.set(number, flag::NOTED),
            Some(Surveyed::Files(pack)) => return self.faulty.push(pack),
            None => {}
        }
        let name =
            |id: &Option<ObjectId>| id.as_ref().map_or(Vec::new(), |id| self.name_of(id).to_vec());
        let names = [name(&finding.oid), name(&finding.to)];
        self.findings.push_back(Finding { names, ..finding });
    }

    /// Reports an object that is linked to as a wrong type: about `parent`, if the linking
    /// object is known.
    pub(super) fn report_wrong_type(
        &mut self,
        (id, object_type): (&ObjectId, ObjectType),
        parent: Option<(&ObjectId, ObjectType)>,
    ) {
        self.has_wrong_types = true;
        self.report(match parent {
            Some((parent, parent_type)) => {
                let what = "wrong object type in link";
                let finding = Finding::error("wrongType", exit::OBJECT, what);
                finding.of(parent, Some(parent_type)).to(id, Some(object_type))
            }
            None => {
                let what = "linked to as an object of another type";
                Finding::error("wrongType", exit::OBJECT, what).of(id, Some(object_type))
            }
        });
    }

    /// Returns the type of an object. Reads the object's head if the type is not known yet.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn type_of(
        &mut self,
        repository: &mut Repository,
        number: u32,
    ) -> Result<Option<ObjectType>> {
        if let Some(known) = type_in(self.numbers.flags(number)) {
            return Ok(Some(known));
        }
        let Some((id, place)) = self.place_of(repository, number)? else {
            return Ok(None);
        };
        let found = repository.odb.type_at(&mut repository.files, &id, place);
        let found = unless_damaged(found)?;
        self.numbers.set(number, found.map_or(0, |found| found as u8));
        Ok(found)
    }

    /// Returns whether an object is promised; `false` in a repository without promisor packs.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn is_promised(&self, repository: &mut Repository, id: &ObjectId) -> Result<bool> {
        match self.has_promisors {
            true => repository.is_promised(id),
            false => Ok(false),
        }
    }

    /// Marks an object as a root. It is visited later, unless all that it links to is promised.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn mark_root(&mut self, repository: &Repository, number: u32) -> Result<()> {
        let ends = self.is_of_promisor(repository, number)?;
        let flags = self.numbers.flags(number);
        self.numbers.set(number, flag::USED | flag::REACHABLE);
        if flags & (flag::REACHABLE | flag::THERE) == flag::THERE && !ends {
            self.pending.push(number);
        }
        Ok(())
    }

    /// Returns whether an object is in a promisor pack, which promises all that its objects
    /// link to.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(super) fn is_of_promisor(&self, repository: &Repository, number: u32) -> Result<bool> {
        if !self.has_promisors {
            return Ok(false);
        }
        match self.place_of(repository, number)? {
            Some((_, Location::Packed { pack, .. })) => {
                Ok(repository.odb.is_promisor(repository.odb.pack_file(pack)?))
            }
            _ => Ok(false),
        }
    }
}

/// Turns errors about damage into `None`; missing bytes and limits stay errors.
pub(super) fn unless_damaged<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::Limit) => Err(error),
        Err(_) => Ok(None),
    }
}

fn too_many() -> Error {
    let what = "notes about the objects take more memory than allowed: raise `memory`";
    Error::new(ErrorKind::Limit, what)
}
