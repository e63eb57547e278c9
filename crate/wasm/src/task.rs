//! Long answers, handed over a buffer at a time.

use crate::answers;
use packlens::{
    BatchFormat, BatchMode, ContentStream, Fields, LargeAnswer, ObjectId, ObjectList, Output,
    Place, Repository, Result, Room, TreeWalk, Wanted,
};

/// A long answer, its output, and where it stands.
pub(crate) struct Task {
    pub(crate) output: Output,
    pub(crate) place: Place,
    pub(crate) kind: TaskKind,
}

pub(crate) enum TaskKind {
    Batch {
        specs: Vec<Vec<u8>>,
        order: Option<Vec<u32>>,
        fields: Fields,
        /// What specs and order take.
        memory: u64,
    },
    Objects {
        list: ObjectList,
        fields: Fields,
    },
    Walk(Box<TreeWalk>),
    Content(Box<ContentStream>),
    /// Answers to batch requests for all objects.
    Answers {
        list: ObjectList,
        format: BatchFormat,
        mode: BatchMode,
        /// The one that is being made.
        large: Option<Box<LargeAnswer>>,
    },
    /// An answer to one batch request.
    Large(Box<LargeAnswer>),
    /// Answers to batch requests that come from outside.
    Queue,
}

impl Task {
    pub(crate) fn new(kind: TaskKind) -> Task {
        Task { output: Output::default(), place: Place::default(), kind }
    }

    /// Returns how many bytes of memory this takes, but for what is in proportion
    /// to the depth of trees.
    pub(crate) fn memory(&self) -> u64 {
        let own = match &self.kind {
            TaskKind::Batch { memory, .. } => *memory,
            TaskKind::Objects { list, .. } => list.memory(),
            TaskKind::Answers { list, large, .. } => {
                let large = large.as_ref().map_or(0, |answer| answer.memory());
                list.memory().saturating_add(large)
            }
            TaskKind::Large(answer) => answer.memory(),
            TaskKind::Walk(_) | TaskKind::Queue => 0,
            TaskKind::Content(stream) => stream.memory(),
        };
        own.saturating_add(self.output.capacity() as u64)
    }

    /// Goes on until the output is `capacity` bytes long; tells whether that was
    /// the last.
    pub(crate) fn fill(&mut self, repository: &mut Repository, capacity: usize) -> Result<bool> {
        let (place, output) = (&mut self.place, &mut self.output);
        match &mut self.kind {
            TaskKind::Batch { specs, order, fields, .. } => {
                let order = order.as_deref();
                let wanted = |_: &mut Repository, at: u32| {
                    let index = match order {
                        Some(order) => order.get(at as usize).copied(),
                        None => Some(at),
                    };
                    let spec = |index| Some((index, Wanted::Spec(specs.get(index as usize)?)));
                    Ok(index.and_then(spec))
                };
                let hash = repository.hash();
                let ahead = |at: u32| {
                    let index = match order {
                        Some(order) => *order.get(at as usize)?,
                        None => at,
                    };
                    ObjectId::from_hex(hash, specs.get(index as usize)?)
                };
                repository.read_batch(wanted, ahead, place, *fields, Room::all(capacity), output)
            }
            TaskKind::Objects { list, fields } => {
                let wanted = |repository: &mut Repository, at: u32| {
                    Ok(repository.listed(list, at)?.map(|id| (at, Wanted::Id(id))))
                };
                // What was made last stays in the processor's cache for what builds on it.
                let room = Room { most: capacity, enough: capacity / 4 };
                repository.read_batch(wanted, |_| None, place, *fields, room, output)
            }
            TaskKind::Walk(walk) => walk.fill(repository, capacity, output),
            TaskKind::Content(stream) => stream.fill(repository, capacity, output),
            TaskKind::Answers { list, format, mode, large } => {
                let asked = (list, &*format, *mode);
                answers::fill(repository, asked, large, place, capacity, output)
            }
            TaskKind::Large(answer) => answer.fill(repository, capacity, output),
            TaskKind::Queue => Ok(true),
        }
    }
}
