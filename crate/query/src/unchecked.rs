//! Objects in an output that wait to be hashed, four at a time.

use crate::batch::BatchCursor;
use crate::odb::{Verify, MOST_BACK};
use crate::repository::Repository;
use packlens_base::appender::Output;
use packlens_base::hash::{Collisions, Message, Pending};
use packlens_base::oid::{HashKind, ObjectId};
use packlens_format::object::ObjectType;
use std::ops::Range;

/// Objects whose contents are in an output but not checked yet. The output must not be handed
/// over before they are.
#[derive(Default)]
pub(crate) struct Unchecked {
    objects: Pending<Object>,
    /// The index of the first request whose content may wait. Earlier ones are checked one by
    /// one.
    from: u32,
}

struct Object {
    id: ObjectId,
    object_type: ObjectType,
    content: Range<usize>,
    /// The index of the request, and the offset of its row.
    index: u32,
    start: usize,
}

/// The first content that does not match its id: all objects before it are good.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Damage {
    /// The index of the request, and the offset of its row.
    index: u32,
    start: usize,
    /// The index of the first request that was not read when the damage was found.
    next_index: u32,
}

/// Why the reading of objects stopped.
pub(crate) enum Ended {
    /// All requests are done.
    Last,
    /// There is no more room.
    Full,
    /// Enough contents wait to be checked.
    Unchecked,
}

impl Ended {
    /// Returns whether all requests are done; `None` if reading goes on after a check.
    pub(crate) fn is_last(&self) -> Option<bool> {
        match self {
            Ended::Last => Some(true),
            Ended::Full => Some(false),
            Ended::Unchecked => None,
        }
    }
}

impl Unchecked {
    /// Begins to read an output, in which no object waits.
    pub(crate) fn begin(&mut self, repository: &Repository) {
        let together = repository.verify == Verify::Oid && repository.hash() == HashKind::Sha1;
        self.from = if together { 0 } else { u32::MAX };
    }

    /// Hashes the waiting objects. If one is damaged, returns `false` and goes back to it: from
    /// there on the objects are read again and checked one by one. Another copy may be good,
    /// and objects made from the damaged one may be wrong as well.
    pub(crate) fn match_their_ids(
        &mut self,
        repository: &mut Repository,
        place: &mut BatchCursor,
        out: &mut Output,
    ) -> bool {
        let (hashed, damage) = self.check(out);
        repository.odb.count_hashed(hashed);
        let Some(damage) = damage else {
            return true;
        };
        out.truncate(damage.start);
        *place = BatchCursor { index: damage.index, skip: 0 };
        self.from = damage.next_index;
        repository.odb.forget_bases();
        false
    }

    /// Returns `self` if the check of the object at `index` may wait.
    pub(crate) fn defer_check(&mut self, index: u32) -> Option<&mut Unchecked> {
        (index >= self.from).then_some(self)
    }

    /// Adds an object with a row that begins at `start` and a content in the range `content`.
    pub(crate) fn push(
        &mut self,
        (id, object_type): (ObjectId, ObjectType),
        (index, start): (u32, usize),
        content: Range<usize>,
    ) {
        let length = content.len();
        self.objects.push(Object { id, object_type, content, index, start }, length);
    }

    /// Returns whether the waiting objects should be hashed before the request at `index` is
    /// read.
    pub(crate) fn is_enough(&self, index: u32) -> bool {
        let first = self.objects.keys().first().map_or(index, |object| object.index);
        self.objects.is_enough() || index.saturating_sub(first) >= MOST_BACK
    }

    /// Returns whether all lanes have about the same load; `true` if none wait.
    pub(crate) fn is_even(&self) -> bool {
        self.objects.is_even()
    }

    /// Hashes the waiting objects and drops them; returns the number of bytes, and the first
    /// object that is damaged.
    fn check(&mut self, out: &Output) -> (u64, Option<Damage>) {
        let next_index = self.objects.keys().last().map_or(0, |last| last.index.saturating_add(1));
        let expected = |object: &Object| {
            let content = out.as_slice().get(object.content.clone()).unwrap_or_default();
            (object.id, Message { object_type: object.object_type, content })
        };
        let mut first: Option<usize> = None;
        let hash = (HashKind::Sha1, Collisions::Trust);
        self.objects.check(hash, expected, |at| {
            first = Some(first.map_or(at, |first| first.min(at)));
        });
        let first = first.and_then(|at| self.objects.keys().get(at));
        let damage = first.map(|&Object { index, start, .. }| Damage { index, start, next_index });
        let hashed = self.objects.bytes() as u64;
        self.objects.clear();
        (hashed, damage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packlens_base::appender::Append;
    use packlens_base::hash::object_id;
    use packlens_base::oid::HashKind;

    #[test]
    fn the_first_damaged_object_is_reported() {
        for damaged in [vec![], vec![5], vec![19, 3, 4], vec![0, 19]] {
            let (mut out, mut unchecked) = (Output::default(), Unchecked::default());
            for index in 0..20u32 {
                let content = vec![index as u8; 1000 - 7 * index as usize];
                let start = out.len();
                let mut appender = out.appender();
                appender.u64(0).unwrap();
                appender.bytes(&content).unwrap();
                drop(appender);
                let id = object_id(HashKind::Sha1, ObjectType::Blob, &content);
                let named =
                    if damaged.contains(&index) { ObjectType::Tree } else { ObjectType::Blob };
                unchecked.push((id, named), (index + 7, start), start + 8..out.len());
            }
            let (bytes, found) = unchecked.check(&out);
            let first = damaged.iter().min();
            assert_eq!(bytes, (0..20).map(|index| 1000 - 7 * index).sum::<u64>());
            assert_eq!(
                found.map(|found| (found.index, found.next_index)),
                first.map(|at| (at + 7, 27))
            );
            assert_eq!(unchecked.check(&out), (0, None));
        }
    }
}
