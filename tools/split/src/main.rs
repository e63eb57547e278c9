//! Cuts the full module in two: what a page needs first, and the rest, which is loaded into the
//! same instance later.
//!
//! ```text
//! packlens-split LINKED BOUND FIRST REST
//! ```
//!
//! LINKED is the module as the linker made it, with relocations (`--emit-relocs`); BOUND is the
//! same module with its bindings. What only functions named `in_rest` reach goes to REST, all else
//! to FIRST. The two files share a memory and a table: a call from FIRST into REST goes through the
//! table, whose places REST fills when it is instantiated.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "it runs on this machine only, and an overflow ends it"
)]

mod cut;
mod linked;

use std::process::ExitCode;
use std::{env, fs};

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match run(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("packlens-split: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<()> {
    let [linked, bound, first, rest] = args else {
        return Err("usage: packlens-split LINKED BOUND FIRST REST".into());
    };
    let read = |path: &String| fs::read(path).map_err(|error| format!("{path}: {error}"));
    let apart = linked::only_in_rest(&read(linked)?)?;
    let (first_module, rest_module) = cut::cut(&read(bound)?, &apart)?;
    let write =
        |path: &String, bytes| fs::write(path, bytes).map_err(|error| format!("{path}: {error}"));
    write(first, first_module)?;
    write(rest, rest_module)
}
