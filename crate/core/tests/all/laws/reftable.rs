//! Reftables: look-ups agree with listings, and written tables are read back.

use super::base::assert_typed;
use super::input::{whole_and_in_parts, Input};
use packlens::{
    is_refname, BlockSource, HashKind, Limits, LogRecord, ObjectId, RefRecord, RefValue, Reftable,
    ReftableOptions, ReftableStack, ReftableWriter, Result, TableRef,
};
use std::collections::BTreeMap;

/// Names, ids and log entries that are looked up in any table.
const NAMES: [&[u8]; 6] =
    [b"", b"HEAD", b"refs/heads/a", b"refs/heads/b00100", b"refs/heads/m", b"refs/tags/v1"];

/// A name, the ref of that name, and the first refs from there on.
type LookedUp = (Vec<u8>, Result<Option<RefRecord>>, Result<Vec<RefRecord>>);

#[derive(Debug, PartialEq)]
struct Read {
    refs: Result<Vec<RefRecord>>,
    logs: Result<Vec<LogRecord>>,
    found: Vec<LookedUp>,
    logged: Vec<(Vec<u8>, Result<Option<LogRecord>>)>,
    pointing: Vec<(ObjectId, Result<Vec<RefRecord>>)>,
}

fn listed<S: BlockSource>(
    stack: &ReftableStack<S>,
    from: &[u8],
    most: usize,
) -> Result<Vec<RefRecord>> {
    let mut refs = stack.refs();
    if !from.is_empty() {
        refs.seek(from)?;
    }
    let mut found = Vec::new();
    while let Some(record) = if found.len() < most { refs.next()? } else { None } {
        found.push(record);
    }
    Ok(found)
}

fn all_logs<S: BlockSource>(stack: &ReftableStack<S>) -> Result<Vec<LogRecord>> {
    let mut logs = stack.logs();
    let mut found = Vec::new();
    while let Some(record) = logs.next()? {
        found.push(record);
    }
    Ok(found)
}

fn read<S: BlockSource>(stack: &ReftableStack<S>) -> Read {
    let refs = listed(stack, b"", usize::MAX);
    let logs = all_logs(stack);
    let some = refs.iter().flatten();
    let step = refs.as_ref().map_or(1, Vec::len).div_ceil(12).max(1);
    let mut names: Vec<Vec<u8>> = NAMES.iter().map(|name| name.to_vec()).collect();
    let mut ids = Vec::new();
    for record in some.step_by(step) {
        names.push(record.name.clone());
        names.push([&record.name[..], b"!"].concat());
        if let RefValue::Id(id) = record.value {
            ids.push(id);
        }
        ids.extend(record.peeled.flatten());
    }
    ids.truncate(6);
    let log_names = logs.iter().flatten().take(5).map(|record| record.name.clone());
    let logged = log_names
        .chain([b"refs/heads/m".to_vec()])
        .map(|name| {
            let mut logs = stack.logs();
            let first = logs.seek(&name).and_then(|()| logs.next());
            (name, first)
        })
        .collect();
    let found = names.into_iter().map(|name| {
        let (one, more) = (stack.get(&name), listed(stack, &name, 3));
        (name, one, more)
    });
    Read {
        found: found.collect(),
        pointing: ids.into_iter().map(|id| (id, stack.pointing_at(&id))).collect(),
        refs,
        logs,
        logged,
    }
}

/// Checks that look-ups agree with the listing, or are refused.
fn check(read: &Read) {
    let errors = read.refs.as_ref().err().into_iter().chain(read.logs.as_ref().err());
    errors.for_each(assert_typed);
    if let Ok(refs) = &read.refs {
        assert!(refs.is_sorted_by(|one, other| one.name < other.name), "refs out of order");
        for (name, one, more) in &read.found {
            let at = refs.partition_point(|record| record.name < *name);
            let there = refs.get(at).filter(|record| record.name == *name);
            if let Ok(found) = one {
                assert_eq!(found.as_ref(), there, "{:?}", name.escape_ascii().to_string());
            }
            if let Ok(more) = more {
                assert!(refs[at..].iter().take(3).eq(more), "a seek leads elsewhere");
            }
        }
        for (id, found) in &read.pointing {
            let points = |record: &&RefRecord| {
                record.value == RefValue::Id(*id) || record.peeled == Some(Some(*id))
            };
            let right: Vec<&RefRecord> = refs.iter().filter(points).collect();
            if let Ok(found) = found {
                assert!(found.iter().all(|record| right.contains(&record)), "points elsewhere");
            }
        }
    }
    if let Ok(logs) = &read.logs {
        for (name, first) in &read.logged {
            let right = logs.iter().find(|record| record.name >= *name);
            if let Ok(first) = first {
                assert_eq!(first.as_ref(), right, "a seek in logs leads elsewhere");
            }
        }
    }
}

/// Makes header and footer agree, and the footer's checksum right.
fn sealed(table: &[u8]) -> Vec<u8> {
    let mut table = table.to_vec();
    let (head, foot) = if table.get(4) == Some(&1) { (24, 68) } else { (28, 72) };
    if table.len() >= head + foot {
        let footer = table.len() - foot;
        table.copy_within(..head, footer);
        let end = table.len() - 4;
        let crc = crc32fast::hash(&table[footer..end]);
        table[end..].copy_from_slice(&crc.to_be_bytes());
    }
    table
}

/// Any bytes as a table: a look-up finds what is listed, in parts of any size.
pub fn reftable(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part, seals) = (input.hash(), input.one_of(&[7, 1, 64, 512]), input.flag());
    let table = if seals { sealed(input.0) } else { input.0.to_vec() };
    let answer = whole_and_in_parts(&table, part, |source| {
        let limits = Limits::for_memory(1 << 20);
        // A table that is opened from a file borrows it.
        let bytes = Borrowed(source);
        Reftable::open(bytes, hash, &limits).map(|table| read(&ReftableStack::of(vec![table])))
    });
    match answer {
        Ok(read) => check(&read),
        Err(error) => assert_typed(&error),
    }
}

struct Borrowed<'a, 'f>(&'a packlens::OpenFile<'f>);

impl BlockSource for Borrowed<'_, '_> {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn file(&self) -> packlens::FileId {
        self.0.file()
    }
    fn run_at(&self, offset: u64) -> Result<&[u8]> {
        self.0.run_at(offset)
    }
}

fn id(hash: HashKind, number: u8) -> ObjectId {
    let mut bytes = [number; 32];
    // Some ids share a prefix.
    bytes[..3].fill(number / 3 + 1);
    ObjectId::from_bytes(hash, &bytes).unwrap()
}

fn name(input: &mut Input<'_>) -> Vec<u8> {
    let folder: &[u8] = input.one_of(&[&b"refs/heads/"[..], b"refs/tags/d/e/", b"refs/", b""]);
    let length = input.below(12);
    [folder, input.take(length)].concat()
}

type Refs = BTreeMap<Vec<u8>, Option<(RefValue, Option<Option<ObjectId>>)>>;
type Logs = BTreeMap<(Vec<u8>, u64), Option<LogRecord>>;

fn options(input: &mut Input<'_>, hash: HashKind) -> ReftableOptions {
    ReftableOptions {
        block_size: input.one_of(&[200, 256, 512, 4096]),
        is_aligned: input.flag(),
        restart_interval: input.one_of(&[1, 2, 16, u16::MAX]),
        min_update_index: 1,
        max_update_index: 5,
        ..ReftableOptions::new(hash, 1)
    }
}

/// Writes a table, and adds its records to those of older tables.
fn write(input: &mut Input<'_>, hash: HashKind, refs: &mut Refs, logs: &mut Logs) -> Vec<u8> {
    let mut own_refs = Refs::new();
    let mut own_logs = Logs::new();
    let count = input.below(60);
    let options = options(input, hash);
    for _ in 0..count {
        let (choice, name, number) = (input.byte(), name(input), input.byte());
        let own = id(hash, number);
        let other = id(hash, number.wrapping_add(3));
        match choice % 8 {
            0 => own_refs.insert(name, None),
            1 => own_refs.insert(name, Some((RefValue::Symbolic(self::name(input)), None))),
            2 => own_refs.insert(name, Some((RefValue::Id(own), Some(Some(other))))),
            3 => {
                let index = u64::from(number) % 5 + 1;
                let record = LogRecord {
                    name: name.clone(),
                    update_index: index,
                    old: own,
                    new: other,
                    who: b"C O Mitter".to_vec(),
                    email: input.take(usize::from(number) % 9).to_vec(),
                    seconds: u64::from(number) << (number % 40),
                    zone: i16::from(number as i8),
                    message: input.take(usize::from(number) % 50).to_vec(),
                };
                own_logs.insert((name, !index), (number % 4 > 0).then_some(record));
                None
            }
            _ => own_refs.insert(name, Some((RefValue::Id(own), None))),
        };
    }
    let mut writer = ReftableWriter::new(options).unwrap();
    // The writer refuses records that a table cannot have, and skips them.
    own_refs.retain(|name, target| {
        let added = writer.add_ref(
            name,
            1,
            match target {
                None => TableRef::Deleted,
                Some((RefValue::Symbolic(target), _)) => TableRef::Symbolic(target),
                Some((RefValue::Id(id), Some(Some(peeled)))) => {
                    TableRef::Tag { id: *id, peeled: *peeled }
                }
                Some((RefValue::Id(id), _)) => TableRef::Id(*id),
                Some((RefValue::Broken, _)) => unreachable!(),
            },
        );
        assert!(added.is_err() || is_refname(name));
        added.is_ok()
    });
    own_logs.retain(|(name, index), log| {
        let added = match log {
            Some(log) => writer.add_log(log),
            None => writer.delete_log(name, !*index),
        };
        added.is_ok()
    });
    refs.extend(own_refs);
    logs.extend(own_logs);
    writer.finish().unwrap()
}

/// Written records are read back, by look-ups and listings, in parts; the newest table wins.
pub fn reftable_write(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part, count) = (input.hash(), input.one_of(&[7, 64, 512]), 1 + input.below(3));
    let (mut refs, mut logs) = (Refs::new(), Logs::new());
    let tables: Vec<Vec<u8>> =
        (0..count).map(|_| write(&mut input, hash, &mut refs, &mut logs)).collect();
    for part in [part, 1 << 30] {
        let limits = Limits::for_memory(1 << 20);
        let files: Vec<_> =
            tables.iter().map(|table| super::input::in_parts(table, part)).collect();
        let sources = files.iter().map(|file| file.source(packlens::FileId::from_number(0)));
        let open = |source| Reftable::open(source, hash, &limits).unwrap();
        let stack = ReftableStack::of(sources.map(open).collect());
        let read = read(&stack);
        check(&read);
        let right = refs.iter().filter_map(|(name, target)| {
            let (value, peeled) = target.clone()?;
            Some(RefRecord { name: name.clone(), value, peeled })
        });
        assert!(read.refs.unwrap().into_iter().eq(right), "other refs");
        assert!(read.logs.unwrap().iter().eq(logs.values().flatten()), "other logs");
        for (id, found) in &read.pointing {
            let found = found.as_ref().unwrap();
            let right = refs.iter().filter(|(_, target)| {
                target.as_ref().is_some_and(|(value, peeled)| {
                    *value == RefValue::Id(*id) || *peeled == Some(Some(*id))
                })
            });
            assert!(found.iter().map(|record| &record.name).eq(right.map(|(name, _)| name)));
        }
        for (name, target) in &refs {
            let found = stack.get(name).unwrap();
            assert_eq!(found.map(|record| (record.value, record.peeled)), *target);
        }
    }
}
