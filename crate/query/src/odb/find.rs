//! Finding objects by their id, whole or shortened.

use super::{Location, ObjectInfo, Odb, ReadHint, ReadOrder};
use crate::odb::PackNumber;
use packlens_base::block::{FileId, Files};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{ObjectId, Prefix};
use packlens_base::sort;
use packlens_format::loose;

/// The places where an object may be, in the order of the search: packs, then loose objects.
///
/// A damaged place does not end the search, because another one may have the object as well.
/// Its error is reported only if the object is not found.
#[derive(Default)]
pub(super) struct Search {
    /// The first pack that was searched; most objects are found there.
    first: Option<PackNumber>,
    /// Indexed by pack number: whether a pack other than `first` was searched.
    tried: Vec<bool>,
    sets_tried: bool,
    /// Search the packs of multi-pack-indexes by their own indexes.
    one_by_one: bool,
    loose_tried: bool,
    built_in_tried: bool,
    /// Whether the caller's hint was followed, and whether the last location is from there.
    hint_tried: bool,
    is_hinted: bool,
    error: Option<Error>,
}

impl Search {
    fn has_tried(&self, pack: PackNumber) -> bool {
        self.first == Some(pack) || self.tried.get(pack.0) == Some(&true)
    }

    fn tried(&mut self, pack: PackNumber) {
        match self.first {
            None => self.first = Some(pack),
            Some(_) => {
                self.tried.resize(self.tried.len().max(pack.0.saturating_add(1)), false);
                self.tried.get_mut(pack.0).into_iter().for_each(|tried| *tried = true);
            }
        }
    }

    /// Remembers the error of a place; only the first one is reported.
    pub(super) fn failed(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

/// How many interrupted searches are kept.
const MOST_STOPPED: usize = 16;

/// Searches that were interrupted by missing bytes. When the question is retried the search
/// resumes, so each pack is searched once and not once per missing file.
#[derive(Default)]
pub(super) struct Stopped {
    searches: Vec<(u64, ObjectId, Search)>,
    prefixed: Vec<(u64, Prefixed)>,
}

/// A search for ids by prefix.
struct Prefixed {
    prefix: Prefix,
    /// How many packs were searched, and the ids found there.
    looked_in: usize,
    found: Vec<ObjectId>,
}

impl Stopped {
    /// Forgets all searches, because the set of packs may have changed.
    pub(super) fn clear(&mut self) {
        *self = Stopped::default();
    }

    /// Returns the interrupted search of a question for an object, or a new one.
    fn take(&mut self, question: u64, id: &ObjectId) -> Search {
        let is_it =
            |(of, requested, _): &(u64, ObjectId, Search)| (*of, requested) == (question, id);
        let at = self.searches.iter().position(is_it);
        at.map_or_else(Search::default, |at| self.searches.remove(at).2)
    }

    fn take_prefixed(&mut self, question: u64, prefix: &Prefix) -> Prefixed {
        let is_it =
            |(of, progress): &(u64, Prefixed)| *of == question && progress.prefix == *prefix;
        let at = self.prefixed.iter().position(is_it);
        let new = || Prefixed { prefix: *prefix, looked_in: 0, found: Vec::new() };
        at.map_or_else(new, |at| self.prefixed.remove(at).1)
    }

    fn keep_prefixed(&mut self, question: u64, progress: Prefixed) {
        self.prefixed.retain(|(of, _)| *of != question);
        if self.prefixed.len() >= MOST_STOPPED {
            self.prefixed.remove(0);
        }
        self.prefixed.push((question, progress));
    }

    fn keep(&mut self, question: u64, id: ObjectId, search: Search) {
        self.searches.retain(|(of, ..)| *of != question);
        if self.searches.len() >= MOST_STOPPED {
            self.searches.remove(0);
        }
        self.searches.push((question, id, search));
    }
}

impl Odb {
    /// Returns where the object is stored that is read for an id, replacements applied; `None`
    /// if it is missing.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; damage, if nothing else is found; [`ErrorKind::Limit`] after
    /// too many replacements.
    pub fn find(&mut self, files: &mut Files, id: &ObjectId) -> Result<Option<Location>> {
        let real = self.real(id)?;
        self.locate(files, &real)
    }

    /// Returns where an object is stored, replacements ignored; `None` if it is missing.
    ///
    /// # Errors
    ///
    /// Missing files and bytes; the error of a damaged index or pack, only if the object is
    /// not found elsewhere.
    pub(super) fn locate(&mut self, files: &mut Files, id: &ObjectId) -> Result<Option<Location>> {
        self.locate_hinted(files, id, &ReadHint::default())
    }

    /// As [`Odb::locate`], with what the caller knows of the object.
    pub(super) fn locate_hinted(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        hint: &ReadHint<'_>,
    ) -> Result<Option<Location>> {
        let mut search = self.stopped.take(files.question(), id);
        if let Some(location) = self.resume_search(files, id, hint, &mut search)? {
            return Ok(Some(location));
        }
        match search.error {
            Some(error) => Err(error),
            None => Ok(None),
        }
    }

    /// Calls `visit` with one location of an object after the other until one is not corrupt;
    /// first with the one that the hint names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; missing bytes; the error of the first location if all are
    /// corrupt.
    pub(super) fn at_any_location<T>(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        hint: &ReadHint<'_>,
        mut visit: impl FnMut(&mut Odb, &mut Files, Location, ReadOrder<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut search = self.stopped.take(files.question(), id);
        while let Some(location) = self.resume_search(files, id, hint, &mut search)? {
            let order = match search.is_hinted {
                true => hint.order,
                false => hint.order.of_other_copy(),
            };
            match visit(self, files, location, order) {
                Ok(value) => {
                    self.counts.lookups = self.counts.lookups.saturating_add(1);
                    return Ok(value);
                }
                Err(error) if error.kind() == ErrorKind::Corrupt => search.failed(error),
                Err(error) => return Err(error),
            }
        }
        self.counts.lookups = self.counts.lookups.saturating_add(1);
        // A listing has no other way to report which object failed.
        Err(match search.error {
            Some(error) => error.about(id.to_hex()),
            None => self.absent(files, id),
        })
    }

    /// Returns the next location. Keeps the search if something is missing.
    fn resume_search(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        hint: &ReadHint<'_>,
        search: &mut Search,
    ) -> Result<Option<Location>> {
        let found = self.next_location(files, id, hint, search);
        if found.as_ref().is_err_and(Error::is_missing) && !search.tried.is_empty() {
            self.stopped.keep(files.question(), *id, std::mem::take(search));
        }
        found
    }

    fn next_location(
        &mut self,
        files: &mut Files,
        id: &ObjectId,
        hint: &ReadHint<'_>,
        search: &mut Search,
    ) -> Result<Option<Location>> {
        search.is_hinted = false;
        if id.hash() != self.hash {
            return Ok(None);
        }
        if *id == self.empty_tree && !std::mem::replace(&mut search.built_in_tried, true) {
            return Ok(Some(Location::BuiltIn(ObjectInfo::of_empty_tree(id))));
        }
        let place = hint.place.filter(|(pack, _)| self.packs.is_open(*pack));
        if let (Some((pack, offset)), false) =
            (place, std::mem::replace(&mut search.hint_tried, true))
        {
            search.tried(pack);
            search.is_hinted = true;
            self.packs.set_recent(pack);
            return Ok(Some(Location::Packed { pack, offset }));
        }
        self.packs.list(files, &self.directories)?;
        loop {
            if let Some(found) = self.next_packed(files, id, hint, search)? {
                return Ok(Some(found));
            }
            if !search.loose_tried {
                let found = self.find_loose(files, id)?.is_some();
                search.loose_tried = true;
                if found {
                    return Ok(Some(Location::Loose));
                }
            }
            if self.directories.read_alternates(files, &self.limits)? {
                (search.loose_tried, search.sets_tried) = (false, false);
            } else if self.refresh_once(files) || (hint.listed && self.look_again_for(files, id)) {
                // Damaged files may have been repaired: search everything again.
                let Search { built_in_tried, hint_tried, .. } = *search;
                *search = Search { built_in_tried, hint_tried, ..Search::default() };
            } else if !search.one_by_one && self.must_search_one_by_one(files, search)? {
                search.one_by_one = true;
            } else {
                self.forget_loose_later(files, id);
                return Ok(None);
            }
            // git may have moved the object into a new pack meanwhile.
            self.packs.list(files, &self.directories)?;
        }
    }

    /// Returns the file of a loose object, from the first directory that has it.
    pub(super) fn find_loose(&self, files: &Files, id: &ObjectId) -> Result<Option<FileId>> {
        for directory in self.directories.paths() {
            if let Some(file) = files.find(&loose::path_in(directory, id))? {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Forgets where a loose object is as soon as the next question begins.
    pub(super) fn forget_loose_later(&self, files: &mut Files, id: &ObjectId) {
        for directory in self.directories.paths() {
            files.forget_later(loose::path_in(directory, id));
        }
    }

    /// Returns whether the packs of multi-pack-indexes should be searched one by one for an
    /// object that no multi-pack-index has: if one was damaged, or if not all are known to be
    /// complete.
    fn must_search_one_by_one(&mut self, files: &Files, search: &Search) -> Result<bool> {
        if self.packs.sets().is_empty() {
            return Ok(false);
        }
        Ok(search.error.is_some() || !self.packs.sets_are_complete(files)?)
    }

    fn next_packed(
        &mut self,
        files: &Files,
        id: &ObjectId,
        hint: &ReadHint<'_>,
        search: &mut Search,
    ) -> Result<Option<Location>> {
        if !search.sets_tried {
            match self.packs.find_in_sets(files, id) {
                Err(error) if error.is_missing() => return Err(error),
                Err(error) => search.failed(error),
                Ok(Some((pack, offset))) => {
                    search.sets_tried = true;
                    return Ok(Some(Location::Packed { pack, offset }));
                }
                Ok(None) => {}
            }
            search.sets_tried = true;
        }
        for pack in self.packs.in_turn() {
            let in_set = self.packs.is_in_set(pack) && !search.one_by_one;
            if in_set || search.has_tried(pack) {
                continue;
            }
            if search.first.is_some() {
                // Counts work but does not yield: an interruption would lose what the caller's
                // step found.
                files.count_look();
            }
            match self.packs.offset_in(files, pack, id) {
                Ok(found) => {
                    search.tried(pack);
                    if let Some(offset) = found {
                        self.packs.set_recent(pack);
                        return Ok(Some(Location::Packed { pack, offset }));
                    }
                }
                Err(error) if error.is_missing() => {
                    let offset = self.offset_in_beginning(files, pack, (id, hint), error)?;
                    search.tried(pack);
                    self.packs.set_recent(pack);
                    return Ok(Some(Location::Packed { pack, offset }));
                }
                Err(error) => {
                    search.tried(pack);
                    search.failed(error);
                }
            }
        }
        Ok(None)
    }

    /// Returns the ids of all objects that begin with `prefix`, sorted.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub fn find_prefix(&mut self, files: &mut Files, prefix: &Prefix) -> Result<Vec<ObjectId>> {
        loop {
            let found = self.find_prefix_in_known(files, prefix)?;
            // git may have moved the object into a new pack meanwhile.
            if !found.is_empty() || !self.refresh_once(files) {
                return Ok(found);
            }
            if self.directories.lists_loose_once() {
                for directory in self.directories.paths() {
                    let byte = prefix.lowest().first_byte();
                    files.forget_listing(&loose::directory_in(directory, byte));
                }
            }
        }
    }

    /// Like [`Odb::find_prefix`], in the packs that were listed before.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn find_prefix_in_known(
        &mut self,
        files: &mut Files,
        prefix: &Prefix,
    ) -> Result<Vec<ObjectId>> {
        let question = files.question();
        let mut progress = self.stopped.take_prefixed(question, prefix);
        let result = self.resume_find_prefix(files, prefix, &mut progress);
        if result.as_ref().is_err_and(Error::is_missing) && progress.looked_in > 0 {
            self.stopped.keep_prefixed(question, progress);
            return result.map(|()| Vec::new());
        }
        result?;
        let mut found = progress.found;
        sort::by_id(&mut found, |id| id);
        found.dedup();
        Ok(found)
    }

    /// Searches the packs that were not searched before, then the loose objects.
    fn resume_find_prefix(
        &mut self,
        files: &mut Files,
        prefix: &Prefix,
        progress: &mut Prefixed,
    ) -> Result<()> {
        self.list_packs(files)?;
        let complete = self.packs.sets_are_complete(files)?;
        for pack in self.packs.in_order().skip(progress.looked_in) {
            files.count_look();
            let passed = complete && self.packs.is_in_set(pack);
            if !passed && self.packs.open_index(files, pack)? {
                let positions = self.packs.find_prefix(files, pack, prefix)?;
                let ids = positions.map(|position| self.packs.id_at(files, pack, position));
                progress.found.extend(ids.collect::<Result<Vec<_>>>()?);
            }
            progress.looked_in = progress.looked_in.saturating_add(1);
        }
        let mut found = Vec::new();
        if complete {
            self.packs.sets().add_prefixed(files, prefix, &mut found)?;
        }
        let loose = self.loose_ids(files, prefix.lowest().first_byte())?;
        progress.found.extend(loose.into_iter().filter(|id| prefix.matches(id)));
        progress.found.extend(found);
        Ok(())
    }
}
