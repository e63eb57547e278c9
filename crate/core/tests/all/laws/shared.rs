//! An index that instances make together: a leader, a scanner and a helper.

use super::base::records;
use crate::common::Host;
use packlens::{HashKind, IndexPack, IndexPackOptions, IndexRole, Limits, Options, Output, Result};

/// How many pages are asked for at most.
const MOST_PAGES: u32 = 1 << 16;

/// An instance, with a repository of its own.
struct Member {
    host: Host,
    task: IndexPack,
}

impl Member {
    fn new(pack: &[u8], how: &Sharing, role: IndexRole) -> Member {
        let limits =
            Limits { work_unit_entries: how.work_unit_entries, ..Limits::for_memory(how.memory) };
        let options = Options { limits, hash: Some(how.hash), ..Options::default() };
        let host = Host::of_files(&[("pack", pack)], how.part, options).unwrap();
        let options =
            IndexPackOptions { index: true, lines: true, role, ..IndexPackOptions::default() };
        Member { host, task: IndexPack::new(b"pack", b"", options, limits) }
    }

    /// Returns the number of work units, and the fingerprint of the job.
    fn work_units(&mut self) -> Result<(u32, Vec<u8>)> {
        let Member { host, task } = self;
        let work_units = host.ask(|repository| task.work_units(repository))?;
        Ok((work_units.count, work_units.state))
    }

    /// Runs the claimed work, and gives `take` the records, each with its kind.
    fn finish(&mut self, take: &mut dyn FnMut(u8, &[u8])) -> Result<()> {
        let Member { host, task } = self;
        for _ in 0..MOST_PAGES {
            let mut out = Output::default();
            let done = host.ask(|repository| task.fill(repository, 300, &mut out))?;
            records(out.as_slice()).for_each(|(kind, content)| take(kind, content));
            if done {
                return Ok(());
            }
        }
        panic!("the task never ends");
    }
}

/// How an index is shared.
pub struct Sharing {
    pub hash: HashKind,
    /// The size of the parts in which the pack arrives.
    pub part: u64,
    pub memory: u64,
    pub work_unit_entries: u32,
    /// Which instance reads a section: the leader, the scanner, or neither.
    pub reader: fn(u32) -> Option<IndexRole>,
    /// Called with each reported section.
    pub on_section: fn(&mut Vec<u8>),
}

/// The results.
#[derive(Default)]
pub struct Shared {
    pub index: Vec<u8>,
    /// Lines about the entries.
    pub lines: Vec<u8>,
    /// How many sections were reported, and how many work units the helper made.
    pub sections: u32,
    pub helped: u32,
}

/// Returns the index of a pack, or why there is none.
pub fn index(pack: &[u8], how: &Sharing) -> Result<Shared> {
    let [mut lead, mut scan, mut help] = [IndexRole::Leader, IndexRole::Scanner, IndexRole::Helper]
        .map(|role| Member::new(pack, how, role));
    let mut made = Shared::default();
    let nothing = &mut |_, _: &[u8]| {};
    let (count, state) = lead.work_units()?;
    assert_eq!(scan.work_units()?, (count, state.clone()));
    lead.finish(nothing)?;
    // Later sections are added first: the worst order that is allowed.
    for at in (0..count).rev() {
        match (how.reader)(at) {
            Some(IndexRole::Leader) => {
                lead.task.claim(Some(at));
                lead.finish(nothing)?;
            }
            Some(_) => {
                scan.task.claim(Some(at));
                scan.finish(&mut |kind, section| {
                    if kind != SECTION {
                        return;
                    }
                    let mut section = section.to_vec();
                    (how.on_section)(&mut section);
                    lead.task.put(&section);
                    made.sections += 1;
                })?;
            }
            None => {}
        }
    }
    assert_eq!(help.work_units()?, (0, state));
    lead.task.claim(None);
    lead.finish(&mut |kind, rows| {
        if kind == ROWS {
            help.task.put(rows);
        }
    })?;
    help.finish(nothing)?;
    let (count, state) = lead.work_units()?;
    assert_eq!(help.work_units()?, (count, state));
    for at in 0..count.max(1) {
        match at % 2 {
            0 if count > 0 => {
                help.task.claim(Some(at));
                help.finish(&mut |kind, ids| {
                    if kind == IDS {
                        lead.task.put(ids);
                    }
                })?;
                made.helped += 1;
            }
            _ => {
                lead.task.claim(Some(at));
                lead.finish(nothing)?;
            }
        }
    }
    lead.task.claim(None);
    lead.finish(&mut |kind, bytes| match kind {
        INDEX => made.index.extend(bytes),
        TEXT => made.lines.extend(bytes),
        _ => {}
    })?;
    Ok(made)
}

/// Kinds of records.
const INDEX: u8 = 1;
const TEXT: u8 = 4;
const IDS: u8 = 5;
const SECTION: u8 = 8;
const ROWS: u8 = 9;
