//! Objects that wait in an output to be hashed, four at a time.

use crate::appender::Output;
use crate::batch::BatchCursor;
use crate::error::Result;
use crate::hash::{sha1_ids, Collisions, Load, Message};
use crate::object::ObjectType;
use crate::odb::{Verify, MOST_BACK};
use crate::oid::{HashKind, ObjectId};
use crate::repository::Repository;
use std::ops::Range;

/// Objects whose contents lie in an output and are not checked yet. Nothing of it is
/// to be handed over before they are.
#[derive(Default)]
pub(crate) struct Unchecked {
    objects: Vec<Object>,
    load: Load,
    /// From which of the wanted objects on contents wait. Others are checked one by one.
    from: u32,
}

struct Object {
    id: ObjectId,
    object_type: ObjectType,
    content: Range<usize>,
    /// Which of the objects wanted it is, and where its row begins.
    index: u32,
    start: usize,
}

/// Where to go on when a content turned out not to be what its id says: all objects
/// before it are good.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Damage {
    /// Which of the objects wanted it is, and where its row begins.
    index: u32,
    start: usize,
    /// The first of the objects wanted that was not read when it was found.
    behind: u32,
}

/// Why no more objects are read.
pub(crate) enum Ended {
    /// The last is done.
    Last,
    /// There is no more room.
    Full,
    /// Contents enough wait to be checked.
    Unchecked,
}

impl Repository {
    /// Has objects read from `place` on to the end of `out`, and makes sure that what is
    /// there afterwards was checked; tells whether the last is done.
    ///
    /// From the first that is damaged on they are read again, and checked one by one: it
    /// may lie elsewhere as well, and so may what was made of it.
    pub(crate) fn read_checked(
        &mut self,
        place: &mut BatchCursor,
        out: &mut Output,
        mut read: impl FnMut(
            &mut Repository,
            &mut BatchCursor,
            &mut Output,
            &mut Unchecked,
        ) -> Result<Ended>,
    ) -> Result<bool> {
        let mut unchecked = std::mem::take(&mut self.unchecked);
        let together = self.verify == Verify::Oid && self.hash() == HashKind::Sha1;
        unchecked.from = if together { 0 } else { u32::MAX };
        let done = loop {
            let ended = read(self, place, out, &mut unchecked);
            let (hashed, damage) = unchecked.check(out);
            self.odb.count_hashed(hashed);
            if let Some(damage) = damage {
                out.truncate(damage.start);
                *place = BatchCursor { index: damage.index, skip: 0 };
                unchecked.from = damage.behind;
                self.odb.forget_bases();
                continue;
            }
            match ended {
                Ok(Ended::Unchecked) => {}
                Ok(Ended::Last) => break Ok(true),
                Ok(Ended::Full) => break Ok(false),
                Err(error) => break Err(error),
            }
        };
        self.unchecked = unchecked;
        done
    }
}

impl Unchecked {
    /// Takes an object that is about to be read, if it is to wait.
    pub(crate) fn defer_check(&mut self, index: u32) -> Option<&mut Unchecked> {
        (index >= self.from).then_some(self)
    }

    /// Adds an object whose row begins at `start` and whose content lies in `content`.
    pub(crate) fn push(
        &mut self,
        (id, object_type): (ObjectId, ObjectType),
        (index, start): (u32, usize),
        content: Range<usize>,
    ) {
        self.load.add(content.len());
        self.objects.push(Object { id, object_type, content, index, start });
    }

    /// Tells whether it is time to hash them, before the object wanted at `index` is read.
    pub(crate) fn is_enough(&self, index: u32) -> bool {
        let first = self.objects.first().map_or(index, |object| object.index);
        self.load.is_enough() || index.saturating_sub(first) >= MOST_BACK
    }

    /// Tells whether all lanes have about as much to hash; also where none wait.
    pub(crate) fn is_even(&self) -> bool {
        self.load.is_even()
    }

    /// Hashes all, and forgets them; returns how many bytes that were, and the first
    /// that is damaged.
    fn check(&mut self, out: &Output) -> (u64, Option<Damage>) {
        if self.objects.is_empty() {
            return (0, None);
        }
        let behind = self.objects.iter().map(|object| object.index).max();
        let behind = behind.map_or(0, |last| last.saturating_add(1));
        let message = |key: usize| {
            let object = self.objects.get(key);
            Message {
                object_type: object.map_or(ObjectType::Blob, |object| object.object_type),
                content: object
                    .and_then(|of| out.as_slice().get(of.content.clone()))
                    .unwrap_or_default(),
            }
        };
        let mut first: Option<Damage> = None;
        sha1_ids(self.objects.len(), &message, Collisions::Trust, &mut |key, id| {
            if let Some(object) = self.objects.get(key).filter(|object| id != Some(object.id)) {
                if first.is_none_or(|first| object.start < first.start) {
                    let Object { index, start, .. } = *object;
                    first = Some(Damage { index, start, behind });
                }
            }
        });
        self.objects.clear();
        (std::mem::take(&mut self.load).bytes() as u64, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appender::Append;
    use crate::hash::object_id;
    use crate::oid::HashKind;

    #[test]
    fn the_first_that_is_damaged_is_told() {
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
                found.map(|found| (found.index, found.behind)),
                first.map(|at| (at + 7, 27))
            );
            assert_eq!(unchecked.check(&out), (0, None));
        }
    }
}
