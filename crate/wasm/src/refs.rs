//! Questions about refs.

use crate::session::Session;
use crate::status;
use crate::task::{Filling, LongAnswer, Task};
use packlens::{
    follows_rules, is_branch_name, normalize_refname, Append, AvailabilityOptions, CheckAvailable,
    ObjectId, RefList, RefListOptions, RefLog, RefReachOptions, RefTable, RefnameRules, Repository,
    Result,
};
use wasm_bindgen::prelude::*;

/// Begins a list of refs; outputs the number of the task. The input is what their
/// names begin with, a revision that they must point at, and patterns; behind them so
/// many revisions that they must contain, or must not, or be merged into, or not, and
/// patterns of what is left out. Each is behind its length in 4 bytes. Bits: 1 peels
/// tags, 2 takes broken names, 4 looks what they point at, 8 patterns fit letters of
/// either case, 16 they must point there themselves.
#[wasm_bindgen]
pub fn refs(
    session: u32,
    bits: u32,
    contains: u32,
    no_contains: u32,
    merged: u32,
    no_merged: u32,
    exclude: u32,
) -> u32 {
    let counts = [contains, no_contains, merged, no_merged, exclude];
    status::of(session, |session| session.refs(bits, counts))
}

/// Outputs the record of the ref called as the input, nothing if there is none. A
/// short name is one that need not be spelled out.
#[wasm_bindgen]
pub fn reference(session: u32, short: bool) -> u32 {
    status::of(session, |session| session.reference(short))
}

/// Outputs the name that the input, which is part of a revision, stands for: the full
/// name of a ref for `main@{upstream}`, a branch for `@{-1}`; the input if it is a name.
#[wasm_bindgen]
pub fn interpret(session: u32) -> u32 {
    status::of(session, Session::interpret)
}

/// Outputs what the branch called as the input builds on and is pushed to: see
/// [`Repository::tracking`](packlens::Repository::tracking).
#[wasm_bindgen]
pub fn tracking(session: u32) -> u32 {
    status::of(session, Session::tracking)
}

/// Begins to look which refs can be created; outputs the number of the task. The
/// input is their names, behind them as many as are to be deleted and as many others
/// of the same plan, each behind its length in 4 bytes.
#[wasm_bindgen]
pub fn check_available(session: u32, deleting: u32, extra: u32, initial: bool) -> u32 {
    status::of(session, |session| session.check_available(deleting, extra, initial))
}

/// Begins to hand out the reflog of the ref called as the input, the newest entry
/// first; outputs the number of the task.
#[wasm_bindgen]
pub fn reflog(session: u32) -> u32 {
    status::of(session, Session::reflog)
}

/// Begins to hand out one reftable with all refs as they would be; outputs the number
/// of the task. The input is the name of each ref that changes and the id it points at
/// then, of no bytes if it is gone, each behind its length in 4 bytes.
#[wasm_bindgen]
pub fn ref_table(session: u32) -> u32 {
    status::of(session, Session::ref_table)
}

/// Outputs whether the ref called as the input has a reflog, in one byte.
#[wasm_bindgen]
pub fn has_reflog(session: u32) -> u32 {
    status::of(session, Session::has_reflog)
}

/// Outputs the name that is the input if git would take it, else nothing. Bits: 1 it
/// may have one part, 2 it may be a pattern, 4 slashes that say nothing are left out
/// first, 8 it is that of a branch.
#[wasm_bindgen]
pub fn check_refname(session: u32, bits: u32) -> u32 {
    status::of(session, |session| session.check_refname(bits))
}

impl LongAnswer for RefList {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for RefLog {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for RefTable {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        self.fill(repository, filling.capacity, filling.output)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl LongAnswer for CheckAvailable {
    fn fill(&mut self, repository: &mut Repository, filling: Filling<'_>) -> Result<bool> {
        repository.check_available(self, filling.output).map(|()| true)
    }

    fn memory(&self) -> u64 {
        self.memory()
    }
}

impl Session {
    fn reflog(&mut self) -> Result<()> {
        let log = RefLog::new(&self.input);
        self.start(Task::new(Box::new(log)))
    }

    fn ref_table(&mut self) -> Result<()> {
        let hash = self.repository.hash();
        let changes = self.specs();
        let changes = changes.chunks(2).filter_map(|change| match change {
            [name, after] => Some((name.clone(), ObjectId::from_hex(hash, after))),
            _ => None,
        });
        let table = RefTable::new(changes);
        self.start(Task::new(Box::new(table)))
    }

    fn has_reflog(&mut self) -> Result<()> {
        let has = self.repository.refs().log(&self.input).exists(&self.repository.files)?;
        self.fresh_output().u8(u8::from(has))
    }

    fn check_refname(&mut self, bits: u32) -> Result<()> {
        let name = match bits & 4 {
            0 => self.input.clone(),
            _ => normalize_refname(&self.input),
        };
        let rules = RefnameRules { one_level: bits & 1 != 0, pattern: bits & 2 != 0 };
        let taken = match bits & 8 {
            0 => follows_rules(&name, rules),
            _ => is_branch_name(&name),
        };
        let mut out = self.fresh_output();
        match taken {
            true => out.bytes(&name),
            false => Ok(()),
        }
    }

    fn refs(&mut self, bits: u32, counts: [u32; 5]) -> Result<()> {
        let mut specs = self.specs();
        let mut last = counts.map(|_| Vec::new());
        for (list, count) in last.iter_mut().zip(counts).rev() {
            *list = last_of(&mut specs, count);
        }
        let [contains, no_contains, merged, no_merged, exclude] = last;
        let mut specs = specs.into_iter();
        let prefix = specs.next().unwrap_or_default();
        let points_at = specs.next().filter(|_| bits & 4 != 0);
        let options = RefListOptions {
            prefix,
            points_at,
            patterns: specs.collect(),
            exclude,
            reach: RefReachOptions { contains, no_contains, merged, no_merged },
            ignore_case: bits & 8 != 0,
            peel: bits & 1 != 0,
            bad_names: bits & 2 != 0,
            direct: bits & 16 != 0,
        };
        self.start(Task::new(Box::new(RefList::new(options))))
    }

    fn reference(&mut self, short: bool) -> Result<()> {
        self.fresh_output();
        self.repository.ref_row(&self.input, short, &mut self.output)
    }

    fn interpret(&mut self) -> Result<()> {
        let found = self.repository.interpret(&self.input)?;
        let name = found.unwrap_or_else(|| self.input.clone());
        self.fresh_output().bytes(&name)
    }

    fn tracking(&mut self) -> Result<()> {
        self.fresh_output();
        self.repository.tracking(&self.input, &mut self.output)
    }

    fn check_available(&mut self, deleting: u32, extra: u32, initial: bool) -> Result<()> {
        let mut names = self.specs();
        let extra = last_of(&mut names, extra);
        let deleting = last_of(&mut names, deleting);
        let check = CheckAvailable::new(names, AvailabilityOptions { deleting, extra, initial });
        self.start(Task::new(Box::new(check)))
    }
}

fn last_of(names: &mut Vec<Vec<u8>>, count: u32) -> Vec<Vec<u8>> {
    names.split_off(names.len().saturating_sub(count as usize))
}
