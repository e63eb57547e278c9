//! A session: a repository, its buffers, and its tasks.

use crate::protocol::{self, Begun};
use crate::task::Task;
use packlens::{
    Append, BatchCursor, BatchFormat, Boundaries, BundleHeader, Error, ErrorKind, Fields, FileId,
    Filter, FullOnly, HashKind, Layout, Limits, ObjectType, Options, Output, Repository, Result,
    Verify, WorkUnits,
};
use std::cell::RefCell;
use web_sys::{FileSystemReadWriteOptions, FileSystemSyncAccessHandle};

/// The memory ceiling of a repository that is not configured yet.
const LEAST_MEMORY: u64 = 1 << 20;

/// An input buffer of this many bytes is always kept.
const SMALL_INPUT: usize = 1 << 20;

thread_local! {
    static SESSIONS: RefCell<Vec<Option<Session>>> = const { RefCell::new(Vec::new()) };
}

/// A repository, and the buffers for questions and answers.
pub(crate) struct Session {
    pub(crate) repository: Repository,
    pub(crate) output: Output,
    pub(crate) input: Vec<u8>,
    range: Vec<u8>,
    pub(crate) tasks: Vec<Option<Task>>,
    pub(crate) format: Option<FullOnly<BatchFormat>>,
    /// The filter for the objects of batch answers.
    pub(crate) filter: Filter,
    /// A batch whose buffer was full. The next question may continue it.
    pub(crate) unfinished: Option<Task>,
    pub(crate) limits: Limits,
}

/// Stores a session; returns its number.
pub(crate) fn open(session: Session) -> u32 {
    SESSIONS.with_borrow_mut(|sessions| put(sessions, session))
}

/// Drops a session and everything in it.
pub(crate) fn close(number: u32) {
    SESSIONS.with_borrow_mut(|sessions| {
        if let Some(place) = sessions.get_mut(number as usize) {
            *place = None;
        }
    });
}

/// Calls `ask` with a session; `None` if there is no session of this number.
pub(crate) fn with<T>(number: u32, ask: impl FnOnce(&mut Session) -> T) -> Option<T> {
    SESSIONS.with_borrow_mut(|sessions| sessions.get_mut(number as usize)?.as_mut().map(ask))
}

fn put<T>(list: &mut Vec<Option<T>>, value: T) -> u32 {
    let free = list.iter().position(Option::is_none);
    let at = free.unwrap_or_else(|| {
        list.push(None);
        list.len().saturating_sub(1)
    });
    if let Some(place) = list.get_mut(at) {
        *place = Some(value);
    }
    at as u32
}

impl Session {
    pub(crate) fn new(memory: u64) -> Session {
        let limits = Limits::for_memory(memory);
        // Until it is configured, the repository must not reserve the memory that `limits`
        // allow.
        let least = Limits::for_memory(LEAST_MEMORY);
        let options = Options { limits: least, verify: Verify::Oid, hash: None };
        Session {
            repository: Repository::new(options),
            output: Output::default(),
            input: Vec::new(),
            range: Vec::new(),
            tasks: Vec::new(),
            format: None,
            filter: Filter::default(),
            unfinished: None,
            limits,
        }
    }

    /// Configures the repository: how it is read, where its objects are, and what else depends
    /// on the environment.
    pub(crate) fn configure(
        &mut self,
        base_cache: Option<u64>,
        (hash, verify): (Option<HashKind>, Verify),
        layout: Layout,
        set: impl FnOnce(&mut Boundaries),
    ) {
        let own = self.limits.base_cache;
        self.limits.base_cache = base_cache.unwrap_or(own).min(own);
        let options = Options { limits: self.limits, verify, hash };
        self.repository.configure(options, layout);
        set(self.repository.boundaries());
    }

    /// Resumes a question.
    pub(crate) fn resume(&mut self, question: u64) {
        self.repository.files.resume_question(question);
        self.settle(0);
    }

    /// Notes that the caller tried to fetch the objects in the input, whether they came or not.
    pub(crate) fn fetched(&mut self) {
        let hash = self.repository.hash();
        let ids = self.input.chunks(hash.len());
        let ids: Vec<_> = ids.filter_map(|id| packlens::ObjectId::from_bytes(hash, id)).collect();
        self.repository.fetched(&ids);
    }

    /// Returns how many bytes an output buffer keeps: a buffer for one large object is not kept
    /// for small ones.
    pub(crate) fn kept_output(&self) -> usize {
        usize::try_from(self.limits.memory / 64).unwrap_or(usize::MAX)
    }

    /// Reserves the memory that the session itself holds. The repository counts `filled` bytes
    /// of that on its own: those of the output that the question fills.
    pub(crate) fn settle(&mut self, filled: usize) {
        let tasks = self.tasks.iter().flatten().chain(&self.unfinished);
        let tasks = tasks.fold(0, |sum: u64, task| sum.saturating_add(task.memory()));
        let own = self.output.capacity().saturating_add(self.input.capacity());
        let held = tasks.saturating_add(own as u64).saturating_sub(filled as u64);
        self.repository.reserve_memory(held);
    }

    /// Returns the address to write input of `length` bytes to; 0 if that is more than half of
    /// the memory ceiling, because a question copies its input at least once.
    pub(crate) fn input(&mut self, length: usize) -> u32 {
        // A buffer for one large input is not kept for small ones.
        if length.max(SMALL_INPUT) < self.input.capacity() / 4 {
            self.input = Vec::new();
        }
        self.input.clear();
        let allowed = length as u64 <= self.limits.memory / 2;
        if !allowed || self.input.try_reserve_exact(length).is_err() {
            return 0;
        }
        self.input.resize(length, 0);
        self.input.as_ptr() as u32
    }

    /// Traps if the input says so.
    #[cfg(feature = "test-trap")]
    pub(crate) fn trap_if_asked(&self) {
        if self.input == b"trap!" {
            std::process::abort();
        }
    }

    pub(crate) fn found(
        &mut self,
        size: u64,
        stamp: u64,
        (high_latency, immediate): (bool, bool),
    ) -> u32 {
        let file = self.repository.files.found(&self.input, size, stamp);
        if high_latency {
            self.repository.files.set_high_latency(file);
        }
        if immediate {
            self.repository.files.set_immediate(file);
        }
        file.number()
    }

    pub(crate) fn unreadable(&mut self, file: u32) {
        self.repository.files.set_unreadable(FileId::from_number(file));
    }

    pub(crate) fn absent(&mut self) {
        self.repository.files.absent(&self.input);
    }

    pub(crate) fn listed(&mut self) {
        let mut parts = self.input.split(|byte| *byte == 0);
        let path = parts.next().unwrap_or_default();
        self.repository.files.listed(path, parts.map(<[u8]>::to_vec).collect());
    }

    pub(crate) fn range_buffer(&mut self, length: usize) -> u32 {
        // The output that the question was filling still takes memory.
        self.settle(0);
        let mut buffer = self.repository.range_buffer(length as u64);
        if buffer.is_err() && self.forget_unfinished() {
            self.settle(0);
            buffer = self.repository.range_buffer(length as u64);
        }
        match buffer {
            Ok(buffer) => {
                self.range = buffer;
                self.range.as_ptr() as u32
            }
            Err(_) => 0,
        }
    }

    /// Fills the buffer from a file; returns how many bytes were read, 0 if the file cannot be
    /// read any more.
    pub(crate) fn fill_range(&mut self, handle: &FileSystemSyncAccessHandle, offset: f64) -> u32 {
        let place = FileSystemReadWriteOptions::new();
        place.set_at(offset);
        let read = handle.read_with_u8_array_and_options(&mut self.range, &place);
        read.map_or(0, |count| count as u32)
    }

    pub(crate) fn provide_range(&mut self, file: u32, offset: u64, length: usize) -> Result<()> {
        let mut range = std::mem::take(&mut self.range);
        range.truncate(length);
        self.repository.files.add(FileId::from_number(file), offset, range)
    }

    pub(crate) fn closed(&mut self) -> Result<()> {
        let closed = self.repository.files.take_closed();
        let mut out = fresh(&mut self.output);
        closed.iter().try_for_each(|file| out.u32(file.number()))
    }

    pub(crate) fn prepare(&mut self) -> Result<bool> {
        let progress = self.repository.prepare()?;
        let mut out = fresh(&mut self.output);
        if let Some(progress) = progress {
            out.u64(progress.done)?;
            out.u64(progress.total)?;
        }
        Ok(progress.is_none())
    }

    pub(crate) fn bundle(&mut self, path: &[u8]) -> Result<()> {
        let files = &self.repository.files;
        let file = files.find(path)?.unwrap_or(FileId::NONE);
        let header = BundleHeader::decode(&files.source(file), &self.limits)?;
        header.write(&mut fresh(&mut self.output))
    }

    pub(crate) fn read(&mut self, object_type: Option<ObjectType>, fields: Fields) -> Result<()> {
        self.give_back();
        self.settle(self.output.capacity());
        let read = self.repository.read_row(&self.input, object_type, fields, &mut self.output);
        let is_short = read.as_ref().is_err_and(|error| error.kind() == ErrorKind::Limit);
        match is_short && self.forget_unfinished() {
            true => self.read(object_type, fields),
            false => read,
        }
    }

    /// Answers the question in the input, or begins a task for it.
    pub(crate) fn ask(&mut self) -> Result<()> {
        let question = std::mem::take(&mut self.input);
        let begun = protocol::begin(self, &question);
        // The buffer is reused for the next input.
        self.input = question;
        match begun? {
            Begun::Pages(task) => self.start(task),
            Begun::Output => Ok(()),
        }
    }

    pub(crate) fn start(&mut self, task: Task) -> Result<()> {
        self.give_back();
        let number = put(&mut self.tasks, task);
        fresh(&mut self.output).u32(number)
    }

    pub(crate) fn fill(&mut self, task: u32, capacity: usize) -> Result<bool> {
        self.give_back();
        self.settle(self.task(task).map_or(0, |task| task.output.capacity()));
        match self.tasks.get_mut(task as usize).and_then(Option::as_mut) {
            Some(task) => task.fill(&mut self.repository, capacity),
            None => Ok(true),
        }
    }

    pub(crate) fn work_units(&mut self, task: u32) -> Result<()> {
        self.settle(0);
        let task = self.tasks.get_mut(task as usize).and_then(Option::as_mut);
        let work_units =
            task.map(|task| task.answer.work_units(&mut self.repository)).transpose()?;
        let Some(WorkUnits { count, state }) = work_units.flatten() else {
            return Err(Error::new(ErrorKind::BadInput, "the task is not shared"));
        };
        let mut out = fresh(&mut self.output);
        out.u32(count)?;
        out.bytes(&state)
    }

    pub(crate) fn claim(&mut self, task: u32, work_unit: Option<u32>) {
        if let Some(task) = self.tasks.get_mut(task as usize).and_then(Option::as_mut) {
            task.answer.claim(work_unit);
        }
    }

    pub(crate) fn put(&mut self, task: u32) {
        if let Some(task) = self.tasks.get_mut(task as usize).and_then(Option::as_mut) {
            task.answer.put(&self.input);
        }
    }

    pub(crate) fn task_output(&self, task: u32) -> &[u8] {
        self.task(task).map_or(&[], |task| task.output.as_slice())
    }

    pub(crate) fn task_place(&self, task: u32) -> BatchCursor {
        self.task(task).map_or_else(BatchCursor::default, |task| task.place)
    }

    fn task(&self, task: u32) -> Option<&Task> {
        self.tasks.get(task as usize).and_then(Option::as_ref)
    }

    pub(crate) fn task_taken(&mut self, task: u32) {
        if let Some(task) = self.tasks.get_mut(task as usize).and_then(Option::as_mut) {
            self.repository.hand_over(&mut task.output);
        }
    }

    pub(crate) fn end_task(&mut self, task: u32) {
        let ended = self.tasks.get_mut(task as usize).and_then(Option::take);
        self.repository.forget_shared_commits();
        match ended {
            Some(mut task) if task.is_unfinished_batch() => {
                task.output.truncate(0);
                self.unfinished = Some(task);
            }
            _ => self.repository.end_listing(),
        }
    }

    /// Frees output buffers before the next question: a large output, and that of a batch that
    /// may be continued.
    fn give_back(&mut self) {
        self.output.clear(self.kept_output());
        if let Some(task) = &mut self.unfinished {
            task.output.clear(0);
        }
    }

    /// Drops the batch that may be continued; returns whether there was one.
    fn forget_unfinished(&mut self) -> bool {
        let forgotten = self.unfinished.take().is_some();
        if forgotten {
            self.repository.end_listing();
        }
        forgotten
    }

    pub(crate) fn fresh_output(&mut self) -> packlens::Appender<'_> {
        fresh(&mut self.output)
    }

    pub(crate) fn stats(&mut self) -> Result<()> {
        let values = self.repository.stats().values();
        let mut out = fresh(&mut self.output);
        values.into_iter().try_for_each(|value| out.u64(value))
    }
}

/// Empties an output, and opens an appender on it.
fn fresh(output: &mut Output) -> packlens::Appender<'_> {
    output.truncate(0);
    output.appender()
}
