//! Runs a program and records the CPU time and memory it took: `spent FILE PROGRAM [ARG...]`.
//!
//! The figures are the system's own, of the whole process with those it waited
//! for. This program is small, so that what a child is charged before it has
//! become its program is small too.
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::time::TimeValLike;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Linux counts the peak in KiB, macOS in bytes.
const PEAK_UNIT: i64 = if cfg!(target_os = "macos") { 1 } else { 1024 };

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let (Some(file), Some(program)) = (args.next(), args.next()) else {
        eprintln!("usage: spent FILE PROGRAM [ARG...]");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let status = match Command::new(&program).args(args).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("spent: {}: {error}", program.to_string_lossy());
            return ExitCode::from(127);
        }
    };
    let wall = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("a process may ask about its children");
    let seconds = |time: nix::sys::time::TimeVal| time.num_microseconds() as f64 / 1e6;
    let (user, system) = (seconds(usage.user_time()), seconds(usage.system_time()));
    let peak = usage.max_rss() * PEAK_UNIT;
    let figures =
        format!("{{\"user\":{user},\"system\":{system},\"wall\":{wall},\"peak\":{peak}}}\n");
    if let Err(error) = std::fs::write(&file, figures) {
        eprintln!("spent: {}: {error}", file.to_string_lossy());
        return ExitCode::from(126);
    }
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(125))
}
