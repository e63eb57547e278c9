//! Batches of objects, listings, content streams and tree walks.

use crate::protocol::Encoded;
use crate::session::Session;
use crate::task::{long_answers, Filling, LongAnswer, Task};
use packlens::{
    Archive, BatchCursor, BatchPage, BatchReader, Changes, CombinedPatches, ContentStream, Fields,
    FullOnly, Grep, IgnoredPaths, IndexEntries, ObjectList, Order, Patches, PathsAttributes, Plan,
    Repository, Result, Room, SpecRequests, SpecsAhead, Status, Submodules, TextPatch, TreeWalk,
    WorkUnits,
};

/// The objects that specs name.
struct Batch {
    specs: Vec<Vec<u8>>,
    /// The same specs in the encoding of the question.
    encoded: Vec<u8>,
    plan: Option<FullOnly<Box<Plan>>>,
    /// The metadata that is read ahead, in the full module.
    ahead: Option<FullOnly<Box<SpecsAhead>>>,
    reader: BatchReader,
    /// How many bytes of memory the specs take.
    memory: u64,
}

impl LongAnswer for Batch {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        let Filling { capacity, output, place } = filling;
        let specs = &self.specs;
        if let Some(plan) = &mut self.plan {
            repository.plan(plan, specs, self.reader.fields().content)?;
        }
        let plan = self.plan.as_ref();
        let (hash, ahead) = (repository.hash(), self.ahead.as_mut());
        let mut requests = SpecRequests { specs, plan, hash, ahead };
        let room = Room::all(capacity);
        self.reader.read(repository, &mut requests, BatchPage { place, room, out: output })
    }

    fn memory(&self) -> u64 {
        let plan = self.plan.as_ref().map_or(0, |plan| plan.memory());
        let ahead = self.ahead.as_ref().map_or(0, |ahead| ahead.memory());
        let more = plan.saturating_add(ahead).saturating_add(self.reader.memory());
        self.memory.saturating_add(more)
    }

    fn is_unfinished_batch(&self, place: BatchCursor) -> bool {
        (place.index as usize) < self.specs.len()
    }

    fn is_batch_of(&self, specs: &[u8], fields: Fields, in_pack_order: bool) -> bool {
        self.reader.fields() == fields
            && self.plan.is_some() == in_pack_order
            && self.encoded == specs
    }
}

/// All objects, or those that match a filter.
pub(crate) struct Objects {
    list: ObjectList,
    reader: BatchReader,
}

impl Objects {
    pub(crate) fn new(list: ObjectList, fields: Fields) -> Objects {
        Objects { list, reader: BatchReader::new(fields) }
    }
}

/// Returns the order that lists objects fastest, either as they are stored or sorted by id.
pub(crate) fn order(stored: bool, contents: bool) -> Order {
    match (stored, contents) {
        (true, true) => Order::BaseFirst,
        (true, false) => Order::Stored,
        (false, true) => Order::Sorted,
        (false, false) => Order::SortedInfo,
    }
}

impl LongAnswer for Objects {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        let Filling { capacity, output, place } = filling;
        let list = &mut self.list;
        // An empty page lets other calls run, and lets the caller cancel.
        if !repository.prepare_list(list)? {
            return Ok(false);
        }
        let room = Room::to_be_hashed(capacity);
        self.reader.read(repository, list, BatchPage { place, room, out: output })
    }

    fn memory(&self) -> u64 {
        self.list.memory().saturating_add(self.reader.memory())
    }

    fn work_units(&mut self, repository: &mut Repository) -> Result<Option<WorkUnits>> {
        repository.cut(&mut self.list)
    }

    fn claim(&mut self, work_unit: Option<u32>) {
        if let Some(work_unit) = work_unit {
            self.list.claim(work_unit);
        }
    }
}

long_answers!(
    Archive,
    Grep,
    IgnoredPaths,
    IndexEntries,
    PathsAttributes,
    Submodules,
    Status,
    ContentStream,
    Changes,
    Patches,
    CombinedPatches
);

impl LongAnswer for TextPatch {
    fn fill(&mut self, _: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(filling.output).map(|()| true)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for TreeWalk {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        0
    }
}

impl Session {
    /// Begins a batch at a place, or resumes the last batch if it stopped there.
    pub(crate) fn batch(
        &mut self,
        specs: Encoded,
        fields: Fields,
        in_pack_order: bool,
        place: BatchCursor,
    ) -> Result<Task> {
        if let Some(task) = self.unfinished.take() {
            let resumes = place != BatchCursor::default() && task.place == place;
            if resumes && task.answer.is_batch_of(&specs.0, fields, in_pack_order) {
                return Ok(task);
            }
        }
        let plan = in_pack_order.then(|| FullOnly::new(Box::<Plan>::default)).transpose()?;
        let (specs, encoded) = (specs.names()?, specs.0);
        let memory = specs.iter().fold(encoded.len() as u64, |sum: u64, spec| {
            let each = size_of::<Vec<u8>>().saturating_add(spec.capacity());
            sum.saturating_add(each as u64)
        });
        let reader = BatchReader::new(fields);
        let ahead = SpecsAhead::new(fields, &specs, in_pack_order);
        let mut task = Task::new(Box::new(Batch { specs, encoded, plan, ahead, reader, memory }));
        task.place = place;
        Ok(task)
    }
}
