//! Long answers, handed over a buffer at a time.

use packlens::{
    AllAnswers, CheckAvailable, ContentStream, CountObjects, Fields, Fsck, IndexPack, LargeAnswer,
    MergeBase, ObjectId, ObjectList, Output, Place, Plan, RefList, RefLog, RefTable, Repository,
    Result, RevList, Room, ShowIndex, Stretches, TreeWalk, Wanted,
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
        /// The specs as they were given, if there is a plan.
        input: Vec<u8>,
        plan: Option<Box<Plan>>,
        fields: Fields,
        /// What the specs take.
        memory: u64,
    },
    Objects {
        list: Box<ObjectList>,
        fields: Fields,
    },
    Walk(Box<TreeWalk>),
    Content(Box<ContentStream>),
    Index(Box<IndexPack>),
    ShowIndex(Box<ShowIndex>),
    CountObjects(Box<CountObjects>),
    Fsck(Box<Fsck>),
    Commits(Box<RevList>),
    MergeBase(Box<MergeBase>),
    Refs(Box<RefList>),
    Available(Box<CheckAvailable>),
    RefLog(Box<RefLog>),
    RefTable(Box<RefTable>),
    /// Answers to batch requests for all objects.
    Answers(Box<AllAnswers>),
    /// An answer to one batch request.
    Large(Box<LargeAnswer>),
    /// Answers to batch requests that come from outside.
    Queue,
}

impl Task {
    pub(crate) fn new(kind: TaskKind) -> Task {
        Task { output: Output::default(), place: Place::default(), kind }
    }

    /// Tells whether this is a planned batch that is not done.
    pub(crate) fn is_unfinished_plan(&self) -> bool {
        match &self.kind {
            TaskKind::Batch { specs, plan: Some(_), .. } => {
                (self.place.index as usize) < specs.len()
            }
            _ => false,
        }
    }

    /// Tells whether this stands where a batch of these specs is to go on.
    pub(crate) fn goes_on_with(&self, specs: &[u8], wanted: Fields, place: Place) -> bool {
        match &self.kind {
            TaskKind::Batch { input, fields, .. } => {
                place.index > 0 && self.place == place && *fields == wanted && input == specs
            }
            _ => false,
        }
    }

    /// Returns how many bytes of memory this takes, but for what is in proportion
    /// to the depth of trees.
    pub(crate) fn memory(&self) -> u64 {
        let own = match &self.kind {
            TaskKind::Batch { memory, plan, .. } => {
                memory.saturating_add(plan.as_ref().map_or(0, |plan| plan.memory()))
            }
            TaskKind::Objects { list, .. } => list.memory(),
            TaskKind::Answers(answers) => answers.memory(),
            TaskKind::Large(answer) => answer.memory(),
            TaskKind::Walk(_) | TaskKind::ShowIndex(_) | TaskKind::Queue => 0,
            TaskKind::CountObjects(count) => count.memory(),
            TaskKind::Content(stream) => stream.memory(),
            TaskKind::Index(index) => index.memory(),
            TaskKind::Fsck(fsck) => fsck.memory(),
            TaskKind::Commits(list) => list.memory(),
            TaskKind::MergeBase(question) => question.memory(),
            TaskKind::Refs(list) => list.memory(),
            TaskKind::Available(check) => check.memory(),
            TaskKind::RefLog(log) => log.memory(),
            TaskKind::RefTable(table) => table.memory(),
        };
        own.saturating_add(self.output.capacity() as u64)
    }

    /// Has this made in stretches; `None` if it cannot be.
    pub(crate) fn stretches(&mut self, repository: &mut Repository) -> Result<Option<Stretches>> {
        match &mut self.kind {
            TaskKind::Objects { list, .. } => repository.cut(list),
            TaskKind::Index(index) => index.stretches(repository).map(Some),
            _ => Ok(None),
        }
    }

    /// Goes on with a stretch, or with what comes behind them all.
    pub(crate) fn claim(&mut self, stretch: Option<u32>) {
        match (&mut self.kind, stretch) {
            (TaskKind::Objects { list, .. }, Some(stretch)) => list.claim(stretch),
            (TaskKind::Index(index), _) => index.claim(stretch),
            _ => {}
        }
    }

    /// Takes ids in that another instance found.
    pub(crate) fn put_ids(&mut self, ids: &[u8]) {
        if let TaskKind::Index(index) = &mut self.kind {
            index.put_ids(ids);
        }
    }

    /// Goes on until the output is `capacity` bytes long; tells whether that was
    /// the last.
    pub(crate) fn fill(&mut self, repository: &mut Repository, capacity: usize) -> Result<bool> {
        let (place, output) = (&mut self.place, &mut self.output);
        match &mut self.kind {
            TaskKind::Batch { specs, plan, fields, .. } => apart(|| {
                if let Some(plan) = plan {
                    apart(|| repository.plan(plan, specs, fields.content))?;
                }
                let plan = plan.as_deref();
                let wanted = |repository: &mut Repository, at: u32| {
                    Ok(match plan {
                        Some(plan) => repository.planned(plan, at, specs),
                        None => specs.get(at as usize).map(|spec| (at, Wanted::Spec(spec))),
                    })
                };
                let hash = repository.hash();
                let ahead = |at: u32| match plan {
                    Some(plan) => {
                        let (index, id) = plan.at(at as usize)?;
                        let spec = || ObjectId::from_hex(hash, specs.get(index as usize)?);
                        id.or_else(spec)
                    }
                    None => ObjectId::from_hex(hash, specs.get(at as usize)?),
                };
                repository.read_batch(wanted, ahead, place, *fields, Room::all(capacity), output)
            }),
            TaskKind::Objects { list, fields } => apart(|| {
                let wanted = |repository: &mut Repository, at: u32| {
                    Ok(repository.listed(list, at)?.map(|id| (at, Wanted::Id(id))))
                };
                // What was made last stays in the processor's cache for what builds on it.
                let room = Room { most: capacity, enough: capacity / 4 };
                repository.read_batch(wanted, |_| None, place, *fields, room, output)
            }),
            TaskKind::Walk(walk) => apart(|| walk.fill(repository, capacity, output)),
            TaskKind::Content(stream) => apart(|| stream.fill(repository, capacity, output)),
            TaskKind::Index(index) => apart(|| index.fill(repository, capacity, output)),
            TaskKind::Commits(list) => apart(|| list.fill(repository, capacity, output)),
            TaskKind::MergeBase(question) => {
                apart(|| question.answer(repository, output).map(|()| true))
            }
            TaskKind::ShowIndex(entries) => apart(|| entries.fill(repository, capacity, output)),
            TaskKind::CountObjects(count) => apart(|| count.fill(repository, output)),
            TaskKind::Refs(list) => apart(|| list.fill(repository, capacity, output)),
            TaskKind::RefLog(log) => apart(|| log.fill(repository, capacity, output)),
            TaskKind::RefTable(table) => apart(|| table.fill(repository, capacity, output)),
            TaskKind::Available(check) => {
                apart(|| repository.check_available(check, output).map(|()| true))
            }
            TaskKind::Answers(answers) => {
                apart(|| answers.fill(repository, place, capacity, output))
            }
            TaskKind::Large(answer) => apart(|| answer.fill(repository, capacity, output)),
            TaskKind::Fsck(fsck) => apart(|| fsck.fill(repository, capacity, output)),
            TaskKind::Queue => Ok(true),
        }
    }
}

/// Keeps what is done for one kind of task out of the function that goes on with them
/// all: once a part of a function is hot, engines compile all of it again.
#[inline(never)]
fn apart<T>(go_on: impl FnOnce() -> T) -> T {
    go_on()
}
