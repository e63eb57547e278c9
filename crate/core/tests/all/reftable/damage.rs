//! Tables that are cut anywhere, or have any byte changed.

use super::stacks::{self, Stack};
use crate::common::{sweep, Host};
use packlens::{
    ErrorKind, HashKind, Limits, LogRecord, ObjectId, RefRecord, Reftable, ReftableOptions,
    ReftableStack, ReftableWriter, Result, TableRef,
};

/// The answers about a stack: the whole listing, and each ref by itself.
#[derive(Debug, PartialEq)]
struct Verdict {
    list: Result<Vec<RefRecord>>,
    logs: Result<Vec<LogRecord>>,
    found: Vec<Result<Option<RefRecord>>>,
}

impl Verdict {
    fn of(stack: &Stack, names: &[Vec<u8>], part: u64) -> Verdict {
        let mut host = stack.host(part);
        let get = |host: &mut Host, name: &[u8]| stack.ask(host, |stack| stack.get(name));
        Verdict {
            list: stack.list(&mut host),
            logs: stack.list_logs(&mut host),
            found: names.iter().map(|name| get(&mut host, name)).collect(),
        }
    }

    fn errors(&self) -> impl Iterator<Item = &packlens::Error> {
        let list = self.list.as_ref().err().into_iter().chain(self.logs.as_ref().err());
        list.chain(self.found.iter().filter_map(|found| found.as_ref().err()))
    }
}

/// The number of changes by their effect.
#[derive(Debug, Default)]
struct Counts {
    changes: usize,
    /// Nothing changed.
    same: usize,
    /// The listing of refs was refused.
    refused: usize,
    /// The listing of refs was wrong.
    wrong: usize,
}

/// Changes the largest table of a stack in all small ways, and compares each answer with the
/// one before.
fn change_everything(stack: Stack, masks: &[u8], sizes: &[u64]) -> Counts {
    change_some(stack, masks, sizes, 1)
}

/// Makes one of `step` changes, like [`change_everything`].
fn change_some(mut stack: Stack, masks: &[u8], sizes: &[u64], step: usize) -> Counts {
    let at = stack.largest();
    let original = stack.files[at].1.clone();
    let list = stack.list(&mut stack.host(1 << 30)).unwrap();
    // Existing names, and some between them.
    let names: Vec<Vec<u8>> = list
        .iter()
        .step_by(list.len().div_ceil(20).max(1))
        .flat_map(|record| [record.name.clone(), [&record.name[..], b"!"].concat()])
        .collect();
    let right = Verdict::of(&stack, &names, 1 << 30);
    let mut counts = Counts::default();
    for (changed, what) in changes(&original, masks).step_by(step) {
        stack.files[at].1 = changed;
        let verdict = Verdict::of(&stack, &names, 1 << 30);
        for error in verdict.errors() {
            let typed = matches!(error.kind(), ErrorKind::Corrupt | ErrorKind::Unsupported);
            assert!(typed, "{what}: {error:?}");
        }
        // zlib's checksum covers logs; but not where their block begins.
        if let (Ok(logs), Ok(all)) = (&verdict.logs, &right.logs) {
            assert_eq!(logs, all, "{what}");
        }
        if let Ok(found) = &verdict.list {
            check_list(&list, found, &what);
        }
        check_look_ups(&names, &right, &verdict, &what);
        for part in sizes {
            assert_eq!(Verdict::of(&stack, &names, *part), verdict, "{what} in parts of {part}");
        }
        counts.changes += 1;
        counts.same += usize::from(verdict == right);
        counts.refused += usize::from(verdict.list.is_err());
        counts.wrong += usize::from(verdict.list.is_ok() && verdict.list != right.list);
    }
    counts
}

/// The most refs from one restart point to the next.
const GROUP: usize = 16;

/// A listing that is not refused differs in one place only: from the changed byte to the next
/// restart point. If names changed, newer tables no longer hide them, and refs that were
/// hidden with them appear.
fn check_list(right: &[RefRecord], found: &[RefRecord], what: &str) {
    let same = |(one, other): &(&RefRecord, &RefRecord)| one == other;
    let before = right.iter().zip(found).take_while(same).count();
    let after = right.iter().rev().zip(found.iter().rev()).take_while(same).count();
    let others = right.len().max(found.len()).saturating_sub(before + after);
    assert!(others <= 2 * GROUP, "{what}: {others} other refs");
}

/// A look-up agrees with the listing. If the listing is refused, it finds the old ref or is
/// refused, except for the refs from the changed byte to the next restart point, whose names
/// or values may have changed.
fn check_look_ups(names: &[Vec<u8>], right: &Verdict, verdict: &Verdict, what: &str) {
    let mut others = 0;
    for ((name, found), before) in names.iter().zip(&verdict.found).zip(&right.found) {
        let Ok(found) = found else { continue };
        match &verdict.list {
            Ok(list) => {
                let listed = list.iter().find(|record| record.name == *name);
                assert_eq!(found.as_ref(), listed, "{what}");
            }
            Err(_) => others += usize::from(Ok(found) != before.as_ref()),
        }
    }
    assert!(others <= GROUP, "{what}: {others} look-ups with another answer");
}

fn changes<'a>(
    original: &'a [u8],
    masks: &'a [u8],
) -> impl Iterator<Item = (Vec<u8>, String)> + 'a {
    let cuts =
        (0..original.len()).map(|length| (original[..length].to_vec(), format!("cut to {length}")));
    let flips = (0..original.len()).flat_map(|at| masks.iter().map(move |mask| (at, *mask)));
    cuts.chain(flips.map(|(at, mask)| {
        let mut changed = original.to_vec();
        changed[at] ^= mask;
        (changed, format!("byte {at} changed by {mask:#x}"))
    }))
}

/// The changes: they turn block types into others, and lengths into longer and shorter ones.
const MASKS: [u8; 6] = [1, 8, 0x15, 0x1b, 0x80, 0xff];

#[test]
fn a_small_table_with_any_byte_changed() {
    let counts = change_everything(stacks::named("jgit-small"), &MASKS, &[1, 7, 512, 65536]);
    assert_eq!(counts.changes, 266 * 7);
    // Ids are most of the table, and no checksum covers them.
    assert!(counts.refused > 900 && counts.wrong > 600, "{counts:?}");
}

#[test]
fn a_stack_with_any_byte_changed() {
    for name in ["git-stack-sha1", "git-stack-sha256"] {
        let counts = change_some(stacks::named(name), &[1, 0x1b], &[], sweep::step(3));
        assert!(counts.refused > counts.changes / 3, "{counts:?}");
    }
}

/// Tables of other shapes: with an index of several levels, without alignment, with logs
/// alone, with sections of several blocks.
#[test]
fn larger_tables_with_some_bytes_changed() {
    for name in ["git-many-sha1", "jgit-aligned", "jgit-unaligned", "jgit-one-level", "jgit-logs"] {
        let counts = change_some(stacks::named(name), &MASKS, &[], sweep::step(97));
        let fewer = sweep::step(97) / 97;
        let enough = counts.changes > 300 / fewer && counts.refused > 50 / fewer;
        assert!(enough, "{name}: {counts:?}");
    }
}

/// Returns how many refs a table has.
fn count(table: &[u8]) -> Result<usize> {
    let table = Reftable::open(table, HashKind::Sha1, &Limits::default())?;
    let stack = ReftableStack::of(vec![table]);
    let mut refs = stack.refs();
    let mut count = 0;
    while refs.next()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// Three refs, each key written as a whole.
fn three() -> Vec<u8> {
    let options =
        ReftableOptions { restart_interval: 1, ..ReftableOptions::new(HashKind::Sha1, 1) };
    let mut writer = ReftableWriter::new(options).unwrap();
    let id = ObjectId::from_bytes(HashKind::Sha1, &[7; 20]).unwrap();
    writer.add_ref(b"refs/heads/a", 1, TableRef::Symbolic(b"refs/heads/x")).unwrap();
    writer.add_ref(b"refs/heads/b", 1, TableRef::Id(id)).unwrap();
    writer.add_ref(b"refs/heads/c", 1, TableRef::Id(id)).unwrap();
    let table = writer.finish().unwrap();
    assert_eq!(count(&table), Ok(3));
    table
}

fn place_of(table: &[u8], text: &[u8]) -> usize {
    table.windows(text.len()).position(|found| found == text).unwrap()
}

#[test]
fn every_byte_of_header_and_footer_is_checked() {
    let table = three();
    for at in (0..24).chain(table.len() - 68..table.len()) {
        let mut changed = table.clone();
        changed[at] ^= 1;
        assert!(count(&changed).is_err(), "byte {at} of {}", table.len());
    }
}

#[test]
fn refs_are_not_taken_for_logs() {
    let mut table = three();
    table[24] = b'g';
    assert_eq!(count(&table).unwrap_err().kind(), ErrorKind::Corrupt);
}

#[test]
fn a_value_does_not_reach_over_the_next_ref() {
    let mut table = three();
    let target = place_of(&table, b"refs/heads/x");
    // The record of b: two lengths, the name, the transaction, the id.
    table[target - 1] += 2 + 12 + 1 + 20;
    assert_eq!(count(&table).unwrap_err().kind(), ErrorKind::Corrupt);
}

#[test]
fn the_key_of_a_restart_point_is_whole() {
    let mut table = three();
    let name = place_of(&table, b"refs/heads/c");
    // The first letter would be that of b.
    table[name - 2] = 1;
    assert_eq!(count(&table).unwrap_err().kind(), ErrorKind::Corrupt);
}
