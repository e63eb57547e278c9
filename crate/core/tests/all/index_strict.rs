//! Packs that are checked while they are indexed: `tests/fixtures/strict-packs.mjs` recorded
//! git's answers.

use crate::common::Host;
use crate::packs::PackWriter;
use packlens::{
    Build, Error, ErrorKind, HashKind, IndexPack, IndexPackOptions, Inflater, Limits, Options,
    Output, Severities, Strict,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Smaller parts take long in a 32-bit program.
const PARTS: &[u64] =
    if cfg!(target_arch = "wasm32") { &[7, 512] } else { &[1, 7, 512, 65536, 1 << 30] };

/// The result for a pack: messages in git's form, and the error that ended the check.
#[derive(Debug, PartialEq)]
struct Checked {
    lines: String,
    error: Option<(ErrorKind, String)>,
}

fn string<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let (length, after) = rest.split_first_chunk::<4>().unwrap();
    let (text, after) = after.split_at(u32::from_le_bytes(*length) as usize);
    *rest = after;
    text
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the findings among records.
fn lines_of(records: &[u8]) -> String {
    let mut lines = String::new();
    let mut rest = records;
    while let Some((head, after)) = rest.split_first_chunk::<5>() {
        let length = u32::from_le_bytes(head[1..].try_into().unwrap()) as usize;
        let (content, after) = after.split_at(length);
        rest = after;
        if head[0] == 7 && content[0] < 2 {
            let severity = ["error", "warning"][usize::from(content[0])];
            let mut fields = &content[2..];
            let oid = hex(string(&mut fields));
            let [id, message] = [(); 2].map(|()| String::from_utf8_lossy(string(&mut fields)));
            lines += &format!("{severity}: object {oid}: {id}: {message}\n");
        }
    }
    lines
}

fn check(host: &mut Host, strict: Strict, limits: Limits) -> Checked {
    check_by(host, strict, Severities::new(true), limits)
}

fn check_by(host: &mut Host, strict: Strict, severities: Severities, limits: Limits) -> Checked {
    let options = IndexPackOptions { index: true, strict, ..IndexPackOptions::default() };
    let mut task = IndexPack::new(b"strict", b"", options, limits).with_severities(severities);
    let mut lines = String::new();
    loop {
        let mut out = Output::default();
        let filled = host.ask(|repository| task.fill(repository, 300, &mut out));
        assert!(task.memory() <= limits.memory);
        lines += &lines_of(out.as_slice());
        let of = |error: Error| (error.kind(), String::from_utf8_lossy(error.subject()).into());
        match filled {
            Ok(false) => {}
            Ok(true) => return Checked { lines, error: None },
            Err(error) => return Checked { lines, error: Some(of(error)) },
        }
    }
}

/// Opens a repository with other packs beside the checked one.
fn beside(hash: HashKind, packs: &[Vec<u8>], part: u64) -> Host {
    let folder = match hash {
        HashKind::Sha1 => "thin/older.git",
        HashKind::Sha256 => "thin/sha256/older.git",
    };
    let mut files = BTreeMap::from([(b"strict".to_vec(), packs[0].clone())]);
    for pack in &packs[1..] {
        let mut build = Build::new(&pack.as_slice(), hash).unwrap();
        let mut inflater = Inflater::default();
        let limits = Limits::default();
        while !build.step(&pack.as_slice(), &mut inflater, &limits).unwrap().is_complete() {}
        let index = build.finish().unwrap().index().unwrap();
        files.insert(b"objects/pack/pack-more.pack".to_vec(), pack.clone());
        files.insert(b"objects/pack/pack-more.idx".to_vec(), index);
    }
    Host::fixture_with(folder, files, part, Options::default())
}

/// Returns the severities that an option sets; `None` if git refuses the option.
fn severities_of(answer: &Value, hash: HashKind) -> Option<Severities> {
    let mut severities = Severities::new(true);
    let (_, list) = answer["option"].as_str().unwrap().split_once('=').unwrap_or_default();
    for item in list.split([' ', ',', '|']).filter(|item| !item.is_empty()) {
        let lines = match item {
            "skiplist=skipped" => answer["skipped"].as_str().unwrap().to_owned(),
            _ => item.to_lowercase().replacen(':', "=", usize::from(!item.contains('='))),
        };
        let taken = severities.take_lines(hash, lines.as_bytes());
        if let Err(error) = taken {
            assert_eq!(error.kind(), ErrorKind::BadInput, "{item}");
            return None;
        }
    }
    Some(severities)
}

#[test]
fn packs_are_judged_as_by_git() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/strict-packs.json");
    let answers: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(answers.len() > 140);
    for answer in &answers {
        let hash = match answer["format"].as_str().unwrap() {
            "sha1" => HashKind::Sha1,
            _ => HashKind::Sha256,
        };
        let bytes = |text: &Value| {
            let digits = text.as_str().unwrap().as_bytes();
            let byte =
                |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap();
            digits.chunks(2).map(byte).collect::<Vec<u8>>()
        };
        let packs: Vec<_> = answer["packs"].as_array().unwrap().iter().map(bytes).collect();
        let option = answer["option"].as_str().unwrap();
        let strict = match option.starts_with("--strict") {
            true => Strict::Links,
            false => Strict::Objects,
        };
        let Some(severities) = severities_of(answer, hash) else {
            assert_eq!(answer["exit"], 128, "{option}");
            continue;
        };
        let stderr = answer["stderr"].as_str().unwrap();
        let about = |line: &&str| line.contains(": object ") && line.matches(": ").count() > 2;
        let expected: String = stderr.split_inclusive('\n').filter(about).collect();
        let mut first = None;
        for part in PARTS {
            let mut host = beside(hash, &packs, *part);
            let checked = check_by(&mut host, strict, severities.clone(), Limits::default());
            let place = format!("{} {option} {hash:?} by {part}", answer["name"]);
            assert_eq!(checked.lines, expected, "{place}");
            assert_eq!(checked.error.is_none(), answer["exit"] == 0, "{place}");
            if let Some((kind, subject)) = &checked.error {
                assert_eq!(*kind, ErrorKind::Corrupt, "{place}");
                let named = stderr.contains(subject.as_str());
                assert!(named || answer["name"] == "a commit for a blob", "{place}: {subject}");
            }
            assert_eq!(*first.get_or_insert(checked.error.clone()), checked.error, "{place}");
        }
    }
}

/// A tree with so many entries, the last of a mode that is written as `mode`.
fn large_tree(entries: Range<u32>, mode: &str) -> Vec<u8> {
    let mut tree = Vec::new();
    for at in entries.clone() {
        let mode = if at + 1 == entries.end { mode } else { "100644" };
        tree.extend(format!("{mode} {at:010}\0").as_bytes());
        tree.extend([7; 16]);
        tree.extend(at.to_be_bytes());
    }
    tree
}

fn pack_of_trees(contents: &[Vec<u8>]) -> Vec<u8> {
    let mut pack = PackWriter::new();
    for content in contents {
        pack.entry_of_size(2, content.len() as u64, content);
    }
    pack.finish()
}

#[test]
fn a_tree_that_is_read_part_by_part_is_checked_to_its_end() {
    let pack = pack_of_trees(&[large_tree(0..20_000, "0100644")]);
    for part in [4096, 1 << 30] {
        let mut host = beside(HashKind::Sha1, std::slice::from_ref(&pack), part);
        let checked = check(&mut host, Strict::Objects, Limits::default());
        assert!(checked.lines.ends_with("zeroPaddedFilemode: contains zero-padded file modes\n"));
        assert_eq!(checked.error.unwrap().0, ErrorKind::Corrupt);
    }
}

#[test]
fn more_links_than_memory_holds_are_a_limit() {
    let limits = Limits::for_memory(4 << 20);
    let ask = |trees: u32, strict| {
        let tree = |at: u32| large_tree(at * 6000..(at + 1) * 6000, "100644");
        let pack = pack_of_trees(&(0..trees).map(tree).collect::<Vec<_>>());
        check(&mut beside(HashKind::Sha1, &[pack], 512), strict, limits).error
    };
    // All links are read, and every target is missing. A map of 96 bytes each took too much.
    let lowest = format!("{}{:08x}", "07".repeat(16), 0);
    assert_eq!(ask(4, Strict::Links), Some((ErrorKind::Corrupt, lowest)));
    assert_eq!(ask(15, Strict::Links).unwrap().0, ErrorKind::Limit);
    assert_eq!(ask(15, Strict::Objects), None);
}
