//! The core of packlens for JavaScript.
//!
//! Only numbers cross this boundary. Bytes are written to and read from memory at the addresses
//! that these functions return. An address is valid until the next call. `js/src/session/instance.ts` is
//! the other side.
//!
//! Functions that answer a question return a status: see `status.rs`. The other numbers that
//! both sides share are in [`protocol`].

mod answers;
mod history;
mod objects;
mod packs;
mod protocol;
mod refs;
mod session;
mod status;
mod task;

use packlens::{Fields, ObjectType};
use session::{with, Session};
use wasm_bindgen::prelude::*;
use web_sys::FileSystemSyncAccessHandle;

/// Returns the memory that all addresses are in. After a reset it is a different one.
#[wasm_bindgen]
pub fn wasm_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// Reports whether the rest of the module is loaded, of a module that is in two files.
#[wasm_bindgen]
pub fn set_rest(is_loaded: bool) {
    packlens::set_rest(is_loaded);
}

/// Creates a session that may take `memory` bytes, and returns its number. Its first question
/// must be `open`.
#[wasm_bindgen]
pub fn open(memory: f64) -> u32 {
    session::open(Session::new(memory as u64))
}

/// Reports that the caller tried to fetch the objects whose ids are in the input.
#[wasm_bindgen]
pub fn fetched(session: u32) {
    with(session, Session::fetched);
}

/// Reports that there are no replace refs, so preparing the repository does not look for them.
#[wasm_bindgen]
pub fn ignore_replace_refs(session: u32) {
    with(session, |session| session.repository.boundaries().replace_base = None);
}

/// Lets the next [`prepare`] read replace refs again.
#[wasm_bindgen]
pub fn refresh(session: u32) {
    with(session, |session| session.repository.refresh());
}

/// Closes a session.
#[wasm_bindgen]
pub fn close(session: u32) {
    session::close(session);
}

/// Returns the address to write input of `length` bytes to; 0 if memory does not allow it.
#[wasm_bindgen]
pub fn input(session: u32, length: u32) -> u32 {
    with(session, |session| session.input(length as usize)).unwrap_or(0)
}

/// Returns the address of the last question's output.
#[wasm_bindgen]
pub fn output(session: u32) -> u32 {
    with(session, |session| session.output.as_slice().as_ptr() as u32).unwrap_or(0)
}

/// Returns the length of the last question's output, in bytes.
#[wasm_bindgen]
pub fn output_length(session: u32) -> u32 {
    with(session, |session| session.output.len() as u32).unwrap_or(0)
}

/// Starts a question and returns its number. `oldest` is the number of the oldest question that
/// is not answered yet, 0 if there is none.
#[wasm_bindgen]
pub fn begin(session: u32, oldest: f64) -> f64 {
    let oldest = Some(oldest as u64).filter(|oldest| *oldest > 0);
    with(session, |session| session.repository.files.new_question(oldest) as f64).unwrap_or(0.0)
}

/// Resumes a question.
#[wasm_bindgen]
pub fn resume(session: u32, question: f64) {
    with(session, |session| session.resume(question as u64));
}

/// Ends a question that waits for missing bytes, and is not resumed.
#[wasm_bindgen]
pub fn leave(session: u32, question: f64) {
    with(session, |session| session.repository.end_question(question as u64));
}

/// Reports that the path in the input is a file; `high_latency` if each read is a round
/// trip, `immediate` if many short reads take little longer than a long one.
/// Returns the file's number.
#[wasm_bindgen]
pub fn found(session: u32, size: f64, stamp: f64, high_latency: bool, immediate: bool) -> u32 {
    let reads = (high_latency, immediate);
    with(session, |session| session.found(size as u64, stamp as u64, reads)).unwrap_or(u32::MAX)
}

/// Reports that a file was deleted or replaced while it was open: a pack, if `file` is the pack
/// or its index; or another file, such as `packed-refs`, which is looked up again.
#[wasm_bindgen]
pub fn forget_replaced(session: u32, file: u32) {
    let file = packlens::FileId::from_number(file);
    with(session, |session| session.repository.forget_replaced(file));
}

/// Reports that a file exists but cannot be read, which counts as damaged.
#[wasm_bindgen]
pub fn unreadable(session: u32, file: u32) {
    with(session, |session| session.unreadable(file));
}

/// Reports that there is no file at the path in the input.
#[wasm_bindgen]
pub fn absent(session: u32) {
    with(session, Session::absent);
}

/// Reports the names in a directory. The input is the path and then the names, each after a
/// NUL; names of directories end with a slash.
#[wasm_bindgen]
pub fn listed(session: u32) {
    with(session, Session::listed);
}

/// Returns the address to write `length` bytes of a file to, before [`provide_range`]; 0 if
/// memory does not suffice.
#[wasm_bindgen]
pub fn range_buffer(session: u32, length: u32) -> u32 {
    with(session, |session| session.range_buffer(length as usize)).unwrap_or(0)
}

/// Fills the buffer of [`range_buffer`] from an access handle, beginning at `offset` in the file,
/// without another copy; returns how many bytes were read.
#[wasm_bindgen]
pub fn fill_range(
    session: u32,
    // TypeScript knows the handle's own type in workers only.
    #[wasm_bindgen(
        unchecked_param_type = "{ read(target: Uint8Array, options: { at: number }): number }"
    )]
    handle: &FileSystemSyncAccessHandle,
    offset: f64,
) -> u32 {
    with(session, |session| session.fill_range(handle, offset)).unwrap_or(0)
}

/// Adds the bytes in the buffer of [`range_buffer`] to a file's cached ranges, from `offset` on.
#[wasm_bindgen]
pub fn provide_range(session: u32, file: u32, offset: f64, length: u32) -> u32 {
    status::between(session, |session| session.provide_range(file, offset as u64, length as usize))
}

/// Outputs the numbers of the files that were closed (u32 each).
#[wasm_bindgen]
pub fn closed(session: u32) -> u32 {
    status::between(session, Session::closed)
}

/// Takes a step of opening the repository; outputs how much is done and how much there is in
/// total (u64 each).
#[wasm_bindgen]
pub fn prepare(session: u32) -> u32 {
    status::more(session, Session::prepare)
}

/// Returns the length of ids in bytes, once the repository is prepared.
#[wasm_bindgen]
pub fn oid_length(session: u32) -> u32 {
    with(session, |session| session.repository.hash().len() as u32).unwrap_or(0)
}

/// Returns whether to warn of ambiguous refnames, once the repository is prepared.
#[wasm_bindgen]
pub fn warns_ambiguous_refs(session: u32) -> bool {
    with(session, |session| session.repository.warns_ambiguous_refs()).unwrap_or(true)
}

const CONTENT: u8 = 1;
const STORAGE: u8 = 2;

/// The fields that [`read`] can output: the word and the bit of each.
#[cfg(test)]
pub(crate) const READ_FIELDS: [(&str, u8); 2] = [("content", CONTENT), ("storage", STORAGE)];

fn fields(bits: u8) -> Fields {
    Fields { content: bits & CONTENT != 0, storage: bits & STORAGE != 0 }
}

/// Outputs the row of the object that the input names, with the `READ_FIELDS` of `bits`.
/// `object_type` is a type's number in packs: the object is then dereferenced to that
/// type; 0 accepts any type.
#[wasm_bindgen]
pub fn read(session: u32, bits: u8, object_type: u8) -> u32 {
    #[cfg(feature = "test-trap")]
    with(session, |session| session.trap_if_asked());
    status::of(session, |session| session.read(ObjectType::from_number(object_type), fields(bits)))
}

/// Asks the question in the input: see [`protocol`]. A question that is answered in pages
/// begins a task, and outputs its number (u32).
#[wasm_bindgen]
pub fn ask(session: u32) -> u32 {
    status::of(session, Session::ask)
}

/// Fills the output of a task until it is about `capacity` bytes long.
#[wasm_bindgen]
pub fn fill(session: u32, task: u32, capacity: u32) -> u32 {
    status::more(session, |session| session.fill(task, capacity as usize))
}

/// Splits a task into work units that instances claim one by one. Outputs their number (u32),
/// then the state that instances must have in common to share the task: see
/// [`packlens::WorkUnits`].
#[wasm_bindgen]
pub fn work_units(session: u32, task: u32) -> u32 {
    status::of(session, |session| session.work_units(task))
}

/// Claims a work unit of a task. A number below 0 says that there are no more work units.
#[wasm_bindgen]
pub fn claim(session: u32, task: u32, work_unit: i32) {
    with(session, |session| session.claim(task, u32::try_from(work_unit).ok()));
}

/// Gives a task the input, which another instance made.
#[wasm_bindgen]
pub fn put(session: u32, task: u32) {
    with(session, |session| session.put(task));
}

/// Returns the address of a task's output.
#[wasm_bindgen]
pub fn task_output(session: u32, task: u32) -> u32 {
    with(session, |session| session.task_output(task).as_ptr() as u32).unwrap_or(0)
}

/// Returns the length of a task's output, in bytes.
#[wasm_bindgen]
pub fn task_output_length(session: u32, task: u32) -> u32 {
    with(session, |session| session.task_output(task).len() as u32).unwrap_or(0)
}

/// Counts the output of a task as returned, and empties it.
#[wasm_bindgen]
pub fn task_taken(session: u32, task: u32) {
    with(session, |session| session.task_taken(task));
}

/// Returns the index of the spec that a task continues with.
#[wasm_bindgen]
pub fn task_index(session: u32, task: u32) -> u32 {
    with(session, |session| session.task_place(task).index).unwrap_or(0)
}

/// Returns how many bytes of that spec's content were returned.
#[wasm_bindgen]
pub fn task_skip(session: u32, task: u32) -> f64 {
    with(session, |session| session.task_place(task).skip as f64).unwrap_or(0.0)
}

/// Ends a task.
#[wasm_bindgen]
pub fn end_task(session: u32, task: u32) {
    with(session, |session| session.end_task(task));
}

/// Outputs the counters (u64 each), in the order of [`packlens::Stats::NAMES`].
#[wasm_bindgen]
pub fn stats(session: u32) -> u32 {
    status::between(session, Session::stats)
}

/// Counts `length` bytes of output as returned.
#[wasm_bindgen]
pub fn count_output(session: u32, length: u32) {
    with(session, |session| session.repository.count_output(length as usize));
}
