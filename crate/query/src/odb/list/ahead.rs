//! Lists objects by id, with metadata that is read ahead, for many objects in the order of their
//! packs.

use super::sorted::Sorted;
use super::Listed;
use crate::odb::{Filter, InfosAhead, Known, ObjectInfo, Odb, ReadAhead};
use packlens_base::block::Files;
use packlens_base::error::Result;

/// How many objects are read ahead at first: a caller may want no more than these.
const FIRST: usize = 256;

/// How many times as many are read ahead then.
const GROWTH: usize = 4;

pub(super) struct SortedAhead {
    sorted: Sorted,
    /// The objects of `infos`, at the same indices.
    listed: Vec<Listed>,
    infos: InfosAhead,
    /// The index of the next object.
    next: usize,
    /// How many objects are read ahead at once.
    most: usize,
    is_last: bool,
}

impl SortedAhead {
    /// Begins a list of the objects that pass a filter; `infos` says whether their metadata is read
    /// as well.
    pub(super) fn new(filter: Filter, infos: bool) -> SortedAhead {
        let what = ReadAhead { filter, infos, storage: infos, stored_form: true };
        SortedAhead {
            sorted: Sorted::default(),
            listed: Vec::new(),
            infos: InfosAhead::new(what),
            next: 0,
            most: FIRST,
            is_last: false,
        }
    }

    /// Returns the next object that the filter does not exclude, and its metadata if it was read.
    #[inline(never)]
    pub(super) fn next(
        &mut self,
        odb: &mut Odb,
        files: &mut Files,
    ) -> Result<(Option<Listed>, Option<ObjectInfo>)> {
        loop {
            if self.next > 0 && self.next == self.listed.len() {
                self.most = self.most.saturating_mul(GROWTH);
                (self.next, self.listed) = (0, Vec::new());
                self.infos.clear();
            }
            if self.next == 0 {
                self.read(odb, files)?;
            }
            let index = self.next;
            let Some(listed) = self.listed.get(index).copied() else { return Ok((None, None)) };
            self.next = index.saturating_add(1);
            match self.infos.get(index) {
                Known::Excluded => {}
                Known::Nothing => return Ok((Some(listed), None)),
                Known::Selected => return Ok((Some(Listed { planned: true, ..listed }), None)),
                Known::Info(info, _) => {
                    return Ok((Some(Listed { planned: true, ..listed }), Some(info)));
                }
            }
        }
    }

    /// Lists the next objects, and reads their metadata.
    fn read(&mut self, odb: &mut Odb, files: &mut Files) -> Result<()> {
        let most = self.most.min(InfosAhead::most(odb));
        while !self.is_last && self.infos.len() < most {
            files.step()?;
            match self.sorted.next(odb, files)? {
                Some(listed) => {
                    self.listed.push(listed);
                    // A loose object is read alone.
                    self.infos.push(listed.place.map(|place| (listed.id, Some(place))));
                }
                None => self.is_last = true,
            }
            files.advance();
        }
        self.infos.read(odb, files)
    }

    pub(super) fn memory(&self) -> u64 {
        let listed = self.listed.capacity().saturating_mul(size_of::<Listed>()) as u64;
        self.sorted.memory().saturating_add(listed).saturating_add(self.infos.memory())
    }
}
