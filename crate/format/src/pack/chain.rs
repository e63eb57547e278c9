//! Delta chains: from an entry through its bases to a whole object.

use super::{Entry, EntryKind};
use crate::object::ObjectType;
use packlens_base::block::{BlockSource, FileId};
use packlens_base::circle::Circle;
use packlens_base::error::Result;
use packlens_base::oid::{HashKind, ObjectId};

/// One entry of a chain.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Step {
    /// The pack with the entry.
    pub pack: FileId,
    /// The offset of the entry.
    pub offset: u64,
    /// The offset of the deflated bytes; 0 if the head came from a cache.
    pub data_offset: u64,
    /// The inflated size of the entry in bytes.
    pub size: u64,
}

/// The end of a walk along a chain.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ChainEnd {
    /// An entry that is not a delta.
    Whole(ObjectType, Step),
    /// A base that is not in the pack that was walked, by its id.
    Base(ObjectId),
    /// The entry at this offset, whose object the caller has already.
    Known(u64),
}

/// The deltas from an object down to its last base. Reused for later walks.
#[derive(Default)]
pub struct Chain {
    deltas: Vec<Step>,
    /// The entry at the end of the chain, and its type and step if it is not a delta.
    end: Option<(FileId, u64)>,
    whole: Option<(ObjectType, Step)>,
    /// The entry whose head was missing.
    next: Option<(FileId, u64)>,
    /// The entry at which the walk began.
    begin: Option<(FileId, u64)>,
    /// Watches the entries that are reached by a step forward in a pack for a repetition,
    /// which means that the chain is a cycle.
    circle: Option<Circle<(FileId, u64)>>,
}

impl Chain {
    /// Forgets the last walk.
    pub fn clear(&mut self) {
        self.deltas.clear();
        self.end = None;
        self.whole = None;
        self.next = None;
        self.begin = None;
        self.circle = None;
    }

    /// Returns the deltas; the object's own delta is first.
    pub fn deltas(&self) -> &[Step] {
        &self.deltas
    }

    /// Begins a walk from an entry; returns the entry to continue at. If the last walk began
    /// at the same entry and bytes were missing, the walk resumes where it stopped.
    pub fn begin(&mut self, place: (FileId, u64)) -> (FileId, u64) {
        match self.next.filter(|_| self.begin == Some(place)) {
            Some(next) => next,
            None => {
                self.clear();
                place
            }
        }
    }

    /// Returns the whole entry at the end of the last walk, if that began at `place` and
    /// reached one.
    pub fn whole(&self, place: (FileId, u64)) -> Option<(ObjectType, Step)> {
        self.whole.filter(|_| self.begin == Some(place))
    }

    /// Ends the last walk early, at an entry that it passed, if it began at `begin`; returns
    /// whether it did.
    pub fn cut(&mut self, begin: (FileId, u64), place: (FileId, u64)) -> bool {
        let at = self.deltas.iter().position(|step| (step.pack, step.offset) == place);
        let has = self.begin == Some(begin) && (at.is_some() || self.end == Some(place));
        if has {
            self.deltas.truncate(at.unwrap_or(usize::MAX));
            (self.end, self.whole, self.next) = (Some(place), None, None);
        }
        has
    }

    /// Returns the offset of a delta's base, if the base is in the same pack.
    pub fn base_of(&self, at: usize) -> Option<u64> {
        let pack = self.deltas.get(at)?.pack;
        let next = self.deltas.get(at.saturating_add(1));
        let base = next.map(|step| (step.pack, step.offset)).or(self.end);
        base.filter(|(file, _)| *file == pack).map(|(_, offset)| offset)
    }

    /// Walks from the entry at `offset` of `pack` to the end of its chain.
    ///
    /// `find` looks up an object of the same pack by its id. `known` says whether the caller
    /// has the object of an entry, which ends the walk. `remembered` returns the heads of
    /// bases that were read before.
    ///
    /// # Errors
    ///
    /// The errors of [`Entry::decode`] and of `find`; [`Corrupt`](packlens_base::ErrorKind::Corrupt) if the
    /// chain is a cycle.
    pub fn walk<S: BlockSource>(
        &mut self,
        pack: &S,
        hash: HashKind,
        offset: u64,
        mut find: impl FnMut(&ObjectId) -> Result<Option<u64>>,
        known: impl Fn(u64) -> bool,
        remembered: impl Fn(u64) -> Option<Entry>,
    ) -> Result<ChainEnd> {
        let mut offset = offset;
        let is_next = self.next.take() == Some((pack.file(), offset));
        if !is_next && !self.reach(pack.file(), offset) {
            return Err(pack.corrupt("a chain of deltas is a circle", offset));
        }
        loop {
            if known(offset) {
                self.end = Some((pack.file(), offset));
                return Ok(ChainEnd::Known(offset));
            }
            let entry = match remembered(offset).filter(|_| !self.deltas.is_empty()) {
                Some(entry) => entry,
                None => Entry::decode(pack, hash, offset).inspect_err(|error| {
                    self.next = Some((pack.file(), offset)).filter(|_| error.is_missing());
                })?,
            };
            let Entry { size, data_offset, .. } = entry;
            let step = Step { pack: pack.file(), offset, data_offset, size };
            let base_offset = match entry.kind {
                EntryKind::Whole(object_type) => {
                    self.end = Some((step.pack, offset));
                    self.whole = Some((object_type, step));
                    return Ok(ChainEnd::Whole(object_type, step));
                }
                EntryKind::OfsDelta { base_offset } => base_offset,
                EntryKind::RefDelta { base } => match find(&base)? {
                    Some(base_offset) => base_offset,
                    None => {
                        self.deltas.push(step);
                        return Ok(ChainEnd::Base(base));
                    }
                },
            };
            self.deltas.push(step);
            if base_offset >= offset && !self.reach(pack.file(), base_offset) {
                return Err(pack.corrupt("a chain of deltas is a circle", offset));
            }
            offset = base_offset;
        }
    }

    /// Records an entry that was not reached by a step backward; returns whether it is new.
    /// Most chains only go backward, and record nothing but their start.
    fn reach(&mut self, file: FileId, offset: u64) -> bool {
        let place = (file, offset);
        let Some(begin) = self.begin else {
            self.begin = Some(place);
            return true;
        };
        let circle = self.circle.get_or_insert_with(|| Circle::new(begin));
        circle.closed_by(&place).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::block::Files;
    use packlens_base::error::ErrorKind;

    /// Makes a pack of three ref-deltas of 21 bytes each, from offset 12 on; their ids begin
    /// with 1, 2 and 3.
    fn pack(bases: [u8; 3]) -> Vec<u8> {
        let mut pack = vec![0; 12];
        for base in bases {
            pack.push(0b0111_0001);
            pack.extend([base; 20]);
        }
        pack
    }

    fn walk(bases: [u8; 3]) -> Result<ChainEnd> {
        let find = |id: &ObjectId| {
            Ok(match id.first_byte() {
                0 => None,
                number => Some(12 + 21 * (u64::from(number) - 1)),
            })
        };
        Chain::default().walk(
            &pack(bases).as_slice(),
            HashKind::Sha1,
            12,
            find,
            |_| false,
            |_| None,
        )
    }

    #[test]
    fn circles_of_every_length_are_refused() {
        for bases in [[1, 0, 0], [2, 1, 0], [2, 3, 1], [2, 2, 0], [3, 0, 3], [3, 3, 2]] {
            assert_eq!(walk(bases).unwrap_err().kind(), ErrorKind::Corrupt, "{bases:?}");
        }
    }

    #[test]
    fn a_walk_ends_at_a_cached_object() {
        let find = |_: &ObjectId| Ok(Some(33));
        let pack = pack([2, 2, 0]);
        for (at, deltas) in [(12, 0), (33, 1)] {
            let mut chain = Chain::default();
            let known = |offset| offset == at;
            let end = chain.walk(&pack.as_slice(), HashKind::Sha1, 12, find, known, |_| None);
            assert_eq!((end.unwrap(), chain.deltas().len()), (ChainEnd::Known(at), deltas));
        }
    }

    #[test]
    fn heads_that_are_remembered_are_not_read_again() {
        let find = |_: &ObjectId| Ok(Some(33));
        let pack = pack([2, 0, 0]);
        let head = |kind| Entry { kind, size: 7, data_offset: 0 };
        let remembered = |offset| match offset {
            // The first entry is read all the same.
            12 => Some(head(EntryKind::Whole(ObjectType::Tag))),
            33 => Some(head(EntryKind::OfsDelta { base_offset: 1000 })),
            1000 => Some(head(EntryKind::Whole(ObjectType::Tree))),
            _ => None,
        };
        let mut chain = Chain::default();
        let end =
            chain.walk(&pack.as_slice(), HashKind::Sha1, 12, find, |_| false, remembered).unwrap();
        let step = |offset| Step { pack: FileId::NONE, offset, data_offset: 0, size: 7 };
        assert_eq!(end, ChainEnd::Whole(ObjectType::Tree, step(1000)));
        assert_eq!((chain.deltas()[0].size, chain.deltas()[1]), (1, step(33)));
        assert_eq!([0, 1, 2].map(|at| chain.base_of(at)), [Some(33), Some(1000), None]);
    }

    #[test]
    fn a_walk_resumes_where_bytes_were_missing_and_can_end_earlier() {
        let bytes = pack([2, 3, 3]);
        let find = |id: &ObjectId| Ok(Some(12 + 21 * (u64::from(id.first_byte()) - 1)));
        let mut files = Files::new(1 << 20);
        let file = files.found(b"pack", bytes.len() as u64, 0);
        files.add(file, 0, bytes[..33].to_vec()).unwrap();
        let asked = (file, 12);
        let mut chain = Chain::default();
        let walk = |chain: &mut Chain, files: &Files, remembers: bool| {
            let (_, offset) = chain.begin(asked);
            let head = Entry { kind: EntryKind::Whole(ObjectType::Tag), size: 1, data_offset: 0 };
            let remembered = |offset| Some(head).filter(|_| remembers && offset == 54);
            let source = files.source(file);
            let end = chain.walk(&source, HashKind::Sha1, offset, find, |_| false, remembered);
            (offset, end.map_err(|error| error.is_missing()))
        };
        assert_eq!(walk(&mut chain, &files, false), (12, Err(true)));
        assert_eq!(walk(&mut chain, &files, true), (33, Err(true)));
        files.add(file, 33, bytes[33..].to_vec()).unwrap();
        let (begun, end) = walk(&mut chain, &files, true);
        assert_eq!((begun, chain.deltas().len()), (33, 2));
        let step = Step { pack: file, offset: 54, data_offset: 0, size: 1 };
        assert_eq!(end, Ok(ChainEnd::Whole(ObjectType::Tag, step)));
        assert_eq!(chain.whole(asked), Some((ObjectType::Tag, step)));
        assert_eq!(chain.whole((file, 33)), None);
        // A wrong start and a wrong entry; the last entry; an entry on the way.
        assert!(!chain.cut((file, 33), (file, 54)) && !chain.cut(asked, (file, 13)));
        assert!(chain.cut(asked, (file, 54)) && chain.deltas().len() == 2);
        assert!(chain.cut(asked, (file, 33)) && chain.deltas().len() == 1);
        assert_eq!((chain.base_of(0), chain.whole(asked)), (Some(33), None));
        assert_eq!(chain.begin((file, 33)), (file, 33));
        assert!(chain.deltas().is_empty());
        // A cycle is also detected after the walk was interrupted.
        assert_eq!(walk(&mut chain, &files, false), (12, Err(false)));
    }

    #[test]
    fn a_base_may_come_later_in_the_pack_or_not_at_all() {
        let elsewhere = ObjectId::from_bytes(HashKind::Sha1, &[0; 20]).unwrap();
        for bases in [[0, 0, 0], [3, 0, 2], [2, 3, 0]] {
            assert_eq!(walk(bases).unwrap(), ChainEnd::Base(elsewhere), "{bases:?}");
        }
    }
}
