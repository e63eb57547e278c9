//! Walks that use commits read by another instance: the same answers and errors as without.

use super::{answers, args_of, ask, printed, rev_list, Graph, FIXTURES, PARTS};
use crate::common::Host;
use packlens::{ErrorKind, Limits, LinkRows, Options, Output, Repository, Result, Verify};

/// A work unit has the commits among so many entries.
const WORK_UNIT: u32 = 16;

fn options(verify: Verify) -> Options {
    let limits = Limits { work_unit_entries: WORK_UNIT, ..Limits::default() };
    Options { verify, limits, ..Options::default() }
}

/// Returns the rows of all commits in packs, a work unit at a time.
fn rows(host: &mut Host) -> Result<Vec<Vec<u8>>> {
    let mut rows = LinkRows::new(&host.repository);
    let count = host.ask(|repository| rows.work_units(repository))?.count;
    let mut all = Vec::new();
    for work_unit in 0..count {
        rows.claim(work_unit);
        let mut rows_out = Output::default();
        while !host.ask(|repository| rows.fill(repository, rows_out.len() + 100, &mut rows_out))? {}
        all.push(rows_out.into_vec());
    }
    Ok(all)
}

#[test]
fn every_answer_is_gits_with_shared_commits() {
    let mut compared = 0;
    for fixture in FIXTURES {
        let answers = answers(fixture);
        let commits: Vec<&str> =
            answers["commits"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        for (at, part) in PARTS.into_iter().enumerate() {
            let verify = [Verify::Oid, Verify::None, Verify::Crc][at % 3];
            let open = |part| Host::fixture_with(fixture, Graph::new(), part, options(verify));
            let known = rows(&mut open(part)).unwrap();
            assert!(known.len() > 8, "{} work units", known.len());
            let mut host = open(4096);
            for rows in &known {
                assert!(host.repository.share_commits(rows).unwrap());
            }
            for case in answers["cases"].as_array().unwrap() {
                let args = args_of(case);
                if args[0] == "rev-parse" {
                    continue;
                }
                let what = format!("{fixture}, rows in parts of {part}: {args:?}");
                let (_, text) = ask(&mut host, &args).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_eq!(text, printed(case, "plain", &commits), "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2 * 5 * 200, "{compared} answers compared");
}

#[test]
fn shared_commits_are_not_read_until_they_are_forgotten() {
    for fixture in FIXTURES {
        let open = || Host::fixture_with(fixture, Graph::new(), 512, options(Verify::Oid));
        let known = rows(&mut open()).unwrap();
        let mut host = open();
        let read = |host: &mut Host| {
            let before = host.repository.stats().objects;
            assert_eq!(rev_list(host, &["--count", "main"]).unwrap(), "130\n");
            host.repository.stats().objects - before
        };
        // Each commit is kept once, however often it is shared.
        for rows in known.iter().chain(&known) {
            assert!(host.repository.share_commits(rows).unwrap());
        }
        assert_eq!(read(&mut host), 0);
        host.repository.forget_shared_commits();
        assert_eq!(read(&mut host), 130);
        // A walk begins with the newest commits.
        let dates = known.iter().map(|rows| u64::from_le_bytes(rows[4..12].try_into().unwrap()));
        let dates: Vec<u64> = dates.collect();
        assert!(dates.is_sorted() && dates[0] < dates[dates.len() - 1], "{dates:?}");
    }
}

/// Bytes that are no rows are refused, and change nothing.
#[test]
fn incomplete_rows_are_refused() {
    for fixture in FIXTURES {
        let open = || Host::fixture_with(fixture, Graph::new(), 1 << 30, options(Verify::Oid));
        let known = rows(&mut open()).unwrap().concat();
        let id = if fixture == "walks" { 20 } else { 32 };
        let mut ends = vec![0];
        while *ends.last().unwrap() < known.len() {
            let at = *ends.last().unwrap();
            let parents = u32::from_le_bytes(known[at..at + 4].try_into().unwrap()) as usize;
            ends.push(at + 12 + (2 + parents) * id);
        }
        let mut host = open();
        for length in (0..known.len().min(2000)).filter(|length| !ends.contains(length)) {
            let error = host.repository.share_commits(&known[..length]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadInput, "{length}");
            let start = ends.iter().rev().find(|end| **end < length).unwrap();
            assert!(error.to_string().contains(&format!("byte {start}")), "{error}");
        }
        // A number of parents that no row can have.
        for (place, byte) in [(3, 0xff), (3, 0x7f), (1, 0xff)] {
            let mut changed = known.clone();
            changed[place] = byte;
            let error = host.repository.share_commits(&changed).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BadInput);
        }
        assert_eq!(rev_list(&mut host, &["--count", "main"]).unwrap(), "130\n");
        assert_eq!(host.repository.stats().objects, 130);
    }
}

/// Past its share of the memory nothing is kept, and the rest is read.
#[test]
fn shared_commits_obey_the_memory_limit() {
    let open = || Host::fixture_with("walks", Graph::new(), 512, options(Verify::Oid));
    let known = rows(&mut open()).unwrap();
    let limits = Limits { work_unit_entries: WORK_UNIT, ..Limits::for_memory(100_000) };
    let options = Options { limits, ..Options::default() };
    let mut host = Host::fixture_with("walks", Graph::new(), 512, options);
    let kept = known.iter().filter(|rows| host.repository.share_commits(rows).unwrap()).count();
    assert!(kept > 0 && kept < known.len() - 1, "{kept} of {}", known.len());
    assert_eq!(rev_list(&mut host, &["--count", "main"]).unwrap(), "130\n");
    let read = host.repository.stats().objects;
    assert!(read > 10 && read < 120, "{read} commits read");
}

/// A walk reads the replacement of a commit, and follows its parents, whatever another
/// instance shared of the stored commit.
#[test]
fn boundaries_are_where_they_were() {
    for name in ["replaced.git", "grafted.git", "pruned.git", "shallow.git"] {
        let path = format!("boundaries/{name}");
        let open = || Host::fixture_with(&path, Graph::new(), 512, options(Verify::Oid));
        let list =
            |host: &mut Host| [&["main"][..], &["--objects", "main"]].map(|of| rev_list(host, of));
        let alone = list(&mut open());
        assert!(alone[0].is_ok(), "{alone:?}");
        for replaces in [true, false] {
            let mut other = Repository::new(options(Verify::Oid));
            if !replaces {
                other.boundaries().replace_base = None;
            }
            let known = rows(&mut Host::fixture_of(other, &path)).unwrap();
            let mut host = open();
            for rows in &known {
                assert!(host.repository.share_commits(rows).unwrap());
            }
            assert_eq!(list(&mut host), alone, "{name}");
        }
    }
}

/// Returns a file of the pack of a fixture: its path there, and its bytes.
fn pack_file(ending: &str) -> (Vec<u8>, Vec<u8>) {
    let folder = crate::common::fixtures().join("walks/objects/pack");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let path = files.filter(|path| path.extension().is_some_and(|of| of == ending)).last().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    (format!("objects/pack/{name}").into_bytes(), std::fs::read(&path).unwrap())
}

/// Checks that damage gives the same answer, whichever instance read it; returns whether that
/// is an error.
fn fails(files: &Graph, what: &str) -> bool {
    let open = || Host::fixture_with("walks", files.clone(), 1 << 30, options(Verify::Oid));
    let list = |host: &mut Host| rev_list(host, &["--topo-order", "--all"]);
    let mut host = open();
    for rows in &rows(&mut open()).unwrap() {
        assert!(host.repository.share_commits(rows).unwrap());
    }
    let alone = list(&mut open());
    assert_eq!(list(&mut host), alone, "{what}");
    alone.is_err()
}

#[test]
fn a_damaged_pack_gives_the_same_error_with_shared_commits() {
    let (name, whole) = pack_file("pack");
    let step = if cfg!(target_arch = "wasm32") { 487 } else { 97 };
    let (mut tried, mut failed) = (0, 0);
    for at in (12..whole.len()).step_by(step) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        failed += u32::from(fails(&Graph::from([(name.clone(), bytes)]), &format!("byte {at}")));
        tried += 1;
    }
    assert!(failed > 20 && failed < tried, "{failed} of {tried}");
}

/// Intact commits that do not match the ids in the index.
#[test]
fn commits_with_other_ids_give_the_same_error_with_shared_commits() {
    let (name, whole) = pack_file("idx");
    let count = u32::from_be_bytes(whole[8 + 255 * 4..][..4].try_into().unwrap()) as usize;
    let offsets = 8 + 1024 + count * (20 + 4);
    let mut failed = 0;
    for at in (0..count - 1).step_by(15) {
        let mut bytes = whole.clone();
        let (one, other) = bytes[offsets + at * 4..][..8].split_at_mut(4);
        one.swap_with_slice(other);
        let files = Graph::from([(name.clone(), bytes)]);
        failed += u32::from(fails(&files, &format!("entry {at}")));
    }
    assert!(failed > 8, "{failed} errors");
}
