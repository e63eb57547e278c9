//! The core of packlens for JavaScript.
//!
//! Only numbers cross this boundary; bytes are written into and read from
//! memory at the places these functions name. `js/src/core.ts` is the other
//! side. A place is good until the next call.
//!
//! Functions that answer a question return a status: see `status.rs`. What else both sides
//! know by numbers is in [`protocol`].

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

/// Returns the memory that all places are in. It is another one after a reset.
#[wasm_bindgen]
pub fn wasm_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// Makes a session that may take `memory` bytes, and returns its number: it is to be asked
/// the question `open` first.
#[wasm_bindgen]
pub fn open(memory: f64) -> u32 {
    session::open(Session::new(memory as u64))
}

/// Answers that the objects whose ids are the input were asked for.
#[wasm_bindgen]
pub fn fetched(session: u32) {
    with(session, Session::fetched);
}

/// Has replace refs not looked for when the repository is prepared: there are none.
#[wasm_bindgen]
pub fn ignore_replace_refs(session: u32) {
    with(session, |session| session.repository.boundaries().replace_base = None);
}

/// Has replace refs looked at again when the repository is next prepared.
#[wasm_bindgen]
pub fn refresh(session: u32) {
    with(session, |session| session.repository.refresh());
}

/// Closes a session.
#[wasm_bindgen]
pub fn close(session: u32) {
    session::close(session);
}

/// Returns where input of `length` bytes is to be written, 0 if that is more than
/// memory allows.
#[wasm_bindgen]
pub fn input(session: u32, length: u32) -> u32 {
    with(session, |session| session.input(length as usize)).unwrap_or(0)
}

/// Returns where the output of the last question begins.
#[wasm_bindgen]
pub fn output(session: u32) -> u32 {
    with(session, |session| session.output.as_slice().as_ptr() as u32).unwrap_or(0)
}

/// Returns how long the output of the last question is.
#[wasm_bindgen]
pub fn output_length(session: u32) -> u32 {
    with(session, |session| session.output.len() as u32).unwrap_or(0)
}

/// Starts a question and returns its number; `oldest` is that of the first which is not
/// answered yet, 0 if there is none.
#[wasm_bindgen]
pub fn begin(session: u32, oldest: f64) -> f64 {
    let oldest = Some(oldest as u64).filter(|oldest| *oldest > 0);
    with(session, |session| session.repository.files.new_question(oldest) as f64).unwrap_or(0.0)
}

/// Goes on with a question.
#[wasm_bindgen]
pub fn resume(session: u32, question: f64) {
    with(session, |session| session.resume(question as u64));
}

/// Ends a question that lacked something and is not asked again.
#[wasm_bindgen]
pub fn leave(session: u32, question: f64) {
    with(session, |session| session.repository.end_question(question as u64));
}

/// Answers that the path in the input is a file, and whether each read of it is a
/// way to go; returns the file's number.
#[wasm_bindgen]
pub fn found(session: u32, size: f64, stamp: f64, far: bool) -> u32 {
    with(session, |session| session.found(size as u64, stamp as u64, far)).unwrap_or(u32::MAX)
}

/// Tells that the pack which `file` is, or is the index of, was deleted; or that git
/// wrote another list of packed refs than the one which `file` is.
#[wasm_bindgen]
pub fn gone(session: u32, file: u32) {
    let file = packlens::FileId::from_number(file);
    with(session, |session| session.repository.forget_replaced(file));
}

/// Answers that a file is there, but cannot be read: as if it were damaged.
#[wasm_bindgen]
pub fn unreadable(session: u32, file: u32) {
    with(session, |session| session.unreadable(file));
}

/// Answers that there is no file at the path in the input.
#[wasm_bindgen]
pub fn absent(session: u32) {
    with(session, Session::absent);
}

/// Answers what names a directory has: the input is its path and then the
/// names, each behind a NUL; those of directories end with a slash.
#[wasm_bindgen]
pub fn listed(session: u32) {
    with(session, Session::listed);
}

/// Returns where `length` bytes of a file are to be written before
/// [`part_written`], 0 if there is no memory for them.
#[wasm_bindgen]
pub fn part(session: u32, length: u32) -> u32 {
    with(session, |session| session.part(length as usize)).unwrap_or(0)
}

/// Fills [`part`] from `offset` on with what an access handle reads, without
/// another copy; returns how many bytes that were.
#[wasm_bindgen]
pub fn part_from(
    session: u32,
    // Its own type is known to TypeScript in workers only.
    #[wasm_bindgen(
        unchecked_param_type = "{ read(target: Uint8Array, options: { at: number }): number }"
    )]
    handle: &FileSystemSyncAccessHandle,
    offset: f64,
) -> u32 {
    with(session, |session| session.part_from(handle, offset)).unwrap_or(0)
}

/// Takes the bytes written to [`part`] as those of a file from `offset` on.
#[wasm_bindgen]
pub fn part_written(session: u32, file: u32, offset: f64, length: u32) -> u32 {
    status::between(session, |session| session.part_written(file, offset as u64, length as usize))
}

/// Outputs the numbers of the files that were closed.
#[wasm_bindgen]
pub fn closed(session: u32) -> u32 {
    status::between(session, Session::closed)
}

/// Goes on with opening; outputs how much is done of how much, 8 bytes each.
#[wasm_bindgen]
pub fn prepare(session: u32) -> u32 {
    status::more(session, Session::prepare)
}

/// Returns how many bytes ids have, once the repository is prepared.
#[wasm_bindgen]
pub fn oid_length(session: u32) -> u32 {
    with(session, |session| session.repository.hash().len() as u32).unwrap_or(0)
}

/// Tells whether refnames that may stand for several refs are to be warned of, once
/// the repository is prepared.
#[wasm_bindgen]
pub fn warns_ambiguous_refs(session: u32) -> bool {
    with(session, |session| session.repository.warns_ambiguous_refs()).unwrap_or(true)
}

fn fields(bits: u32) -> Fields {
    Fields { content: bits & 1 != 0, storage: bits & 2 != 0 }
}

/// Outputs the row of the object that the input stands for. Bit 0 of `bits`
/// asks for the content, bit 1 for how it is stored. `object_type`, as packs number
/// types, asks for the object of that type which the input leads to; 0 for any.
#[wasm_bindgen]
pub fn read(session: u32, bits: u32, object_type: u8) -> u32 {
    #[cfg(feature = "test-trap")]
    with(session, |session| session.trap_if_asked());
    status::of(session, |session| session.read(ObjectType::from_number(object_type), fields(bits)))
}

/// Asks the question in the input: see [`protocol`]. One that is answered in pages begins a
/// task; its number, in 4 bytes, is the output then.
#[wasm_bindgen]
pub fn ask(session: u32) -> u32 {
    status::of(session, Session::ask)
}

/// Goes on with a task until its output is `capacity` bytes long.
#[wasm_bindgen]
pub fn fill(session: u32, task: u32, capacity: u32) -> u32 {
    status::more(session, |session| session.fill(task, capacity as usize))
}

/// Has a task made in stretches, each when it is claimed; outputs how many there are
/// in 4 bytes, and then what has to be alike for another instance to make some: see
/// [`packlens::Stretches`].
#[wasm_bindgen]
pub fn stretches(session: u32, task: u32) -> u32 {
    status::of(session, |session| session.stretches(task))
}

/// Goes on with a stretch of a task, or with what comes behind them all: below 0.
#[wasm_bindgen]
pub fn claim(session: u32, task: u32, stretch: i32) {
    with(session, |session| session.claim(task, u32::try_from(stretch).ok()));
}

/// Gives a task what is in the input, which another instance told.
#[wasm_bindgen]
pub fn put(session: u32, task: u32) {
    with(session, |session| session.put(task));
}

/// Returns where the output of a task begins.
#[wasm_bindgen]
pub fn task_output(session: u32, task: u32) -> u32 {
    with(session, |session| session.task_output(task).as_ptr() as u32).unwrap_or(0)
}

/// Returns how long the output of a task is.
#[wasm_bindgen]
pub fn task_output_length(session: u32, task: u32) -> u32 {
    with(session, |session| session.task_output(task).len() as u32).unwrap_or(0)
}

/// Takes the output of a task as handed over.
#[wasm_bindgen]
pub fn task_taken(session: u32, task: u32) {
    with(session, |session| session.task_taken(task));
}

/// Returns at which of its specs a task stands.
#[wasm_bindgen]
pub fn task_index(session: u32, task: u32) -> u32 {
    with(session, |session| session.task_place(task).index).unwrap_or(0)
}

/// Returns how many bytes of that spec's content are done.
#[wasm_bindgen]
pub fn task_skip(session: u32, task: u32) -> f64 {
    with(session, |session| session.task_place(task).skip as f64).unwrap_or(0.0)
}

/// Ends a task.
#[wasm_bindgen]
pub fn end_task(session: u32, task: u32) {
    with(session, |session| session.end_task(task));
}

/// Outputs the counters, 8 bytes each, in the order of [`packlens::Stats::NAMES`].
#[wasm_bindgen]
pub fn stats(session: u32) -> u32 {
    status::between(session, Session::stats)
}

/// Counts output as handed over.
#[wasm_bindgen]
pub fn count_output(session: u32, length: u32) {
    with(session, |session| session.repository.count_output(length as usize));
}
