//! Checks of whole repositories: the findings do not depend on how the bytes arrive, and
//! a check of any bytes ends. `tests/node/fsck.test.ts` compares the findings with git's,
//! by the command line.

use crate::common::{fixtures, Host};
use packlens::{Fsck, FsckOptions, Options, Output};
use std::path::PathBuf;

/// Checks a repository; returns the records of its findings, in order.
pub fn check(host: &mut Host, options: FsckOptions) -> Vec<Vec<u8>> {
    let mut fsck = Fsck::new(options);
    let mut findings = Vec::new();
    for _ in 0..1_000_000 {
        let mut out = Output::default();
        let done = host.ask(|repository| fsck.fill(repository, 1000, &mut out)).unwrap();
        findings.extend(findings_in(out.as_slice()));
        if done {
            return findings;
        }
    }
    panic!("the check never ends");
}

/// Returns the records of findings in a page.
pub fn findings_in(page: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut findings) = (page, Vec::new());
    while let Some((kind, after)) = rest.split_first() {
        let length = u32::from_le_bytes(after[..4].try_into().unwrap()) as usize;
        if *kind == 1 {
            findings.push(after[4..][..length].to_vec());
        }
        rest = &after[4 + length..];
    }
    findings
}

/// Returns the names of the findings.
pub fn names(findings: &[Vec<u8>]) -> Vec<String> {
    let string = |record: &[u8], at: &mut usize| {
        let length = u32::from_le_bytes(record[*at..][..4].try_into().unwrap()) as usize;
        let text = record[*at + 4..][..length].to_vec();
        *at += 4 + length;
        text
    };
    let name = |record: &Vec<u8>| {
        let mut at = 4;
        string(record, &mut at);
        string(record, &mut at);
        String::from_utf8(string(record, &mut at)).unwrap()
    };
    findings.iter().map(name).collect()
}

pub fn repositories() -> Vec<String> {
    let all = std::fs::read_dir(fixtures().join("fsck")).unwrap();
    let mut names: Vec<String> =
        all.map(|entry| format!("fsck/{}", entry.unwrap().file_name().to_str().unwrap())).collect();
    names.extend(["main", "sha256", "packs", "reftable", "empty"].map(str::to_owned));
    names.sort();
    names
}

fn is_the_same_in_parts(name: &str) {
    let wasm = cfg!(target_arch = "wasm32");
    for options in [
        FsckOptions::default(),
        FsckOptions { connectivity_only: true, unreachable: true, ..FsckOptions::default() },
        FsckOptions { name_objects: true, root: true, tags: true, ..FsckOptions::default() },
    ] {
        let whole = check(&mut Host::fixture(name, 1 << 30), options);
        for part in if wasm { vec![512] } else { vec![97, 1024] } {
            let parts = check(&mut Host::fixture(name, part), options);
            assert_eq!(names(&parts), names(&whole), "{name} in parts of {part}");
            assert_eq!(parts, whole, "{name} in parts of {part}");
        }
    }
}

#[test]
fn where_a_part_ends_changes_nothing() {
    let step = if cfg!(target_arch = "wasm32") { 11 } else { 4 };
    repositories().iter().step_by(step).for_each(|name| is_the_same_in_parts(name));
    // Damage in an index is reported once, though the same file is read again.
    for name in ["wrong-type", "missing-tree", "linked"] {
        is_the_same_in_parts(&format!("index-files/{name}"));
    }
}

fn packs() -> Vec<PathBuf> {
    let folder = fixtures().join("fsck/packed/objects/pack");
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.collect()
}

/// Each flipped byte of a pack and of its index is found, and no error.
#[test]
fn every_flipped_byte_is_found() {
    let good = names(&check(&mut Host::fixture("fsck/packed", 1 << 30), FsckOptions::default()));
    assert!(good.iter().all(|name| name == "dangling"), "{good:?}");
    let step = if cfg!(target_arch = "wasm32") { 311 } else { 61 };
    for path in packs() {
        let ending = path.extension().unwrap().to_str().unwrap().to_owned();
        if !["pack", "idx"].contains(&ending.as_str()) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let place = format!("objects/pack/{}", path.file_name().unwrap().to_str().unwrap());
        for at in (0..bytes.len()).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40;
            let files = [(place.clone().into_bytes(), damaged)].into();
            let mut host = Host::fixture_with("fsck/packed", files, 1 << 30, Options::default());
            let found = names(&check(&mut host, FsckOptions::default()));
            let wrong = found.iter().any(|name| name.contains("ack") || name == "missing");
            assert!(wrong, "byte {at} of the {ending}: {found:?}");
        }
    }
}

/// Loose objects that are cut or flipped are reported, and the objects they link to.
#[test]
fn every_cut_of_a_loose_object_is_found() {
    let folder = fixtures().join("fsck/good/objects");
    let mut paths = Vec::new();
    for byte in 0..=255u8 {
        let Ok(all) = std::fs::read_dir(folder.join(format!("{byte:02x}"))) else { continue };
        paths.extend(all.map(|entry| (byte, entry.unwrap().path())));
    }
    let wasm = cfg!(target_arch = "wasm32");
    let step = if wasm { 41 } else { 17 };
    for (byte, path) in paths.iter().step_by(step) {
        let bytes = std::fs::read(path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let place = format!("objects/{byte:02x}/{name}").into_bytes();
        for length in (0..bytes.len()).step_by(if wasm { 31 } else { 13 }) {
            let files = [(place.clone(), bytes[..length].to_vec())].into();
            let mut host = Host::fixture_with("fsck/good", files, 1 << 30, Options::default());
            let found = names(&check(&mut host, FsckOptions::default()));
            assert!(found.iter().any(|name| name == "corruptLoose"), "{length}: {found:?}");
        }
    }
}

/// Objects that only an index file names are not dangling; missing ones are reported with
/// the file.
#[test]
fn index_files_are_roots() {
    let found = |name: &str| {
        names(&check(&mut Host::fixture(&format!("index-files/{name}"), 512), Default::default()))
    };
    for name in ["v2", "v3", "v4", "v4sha256", "linked", "stages"] {
        assert_eq!(found(name), ["dangling"], "{name}");
    }
    assert_eq!(found("missing"), ["dangling", "missing", "missing"]);
    assert_eq!(found("bad-flipped")[0], "badIndexFile");
}

/// Without its shared file a split index names nothing.
#[test]
fn a_split_index_needs_its_shared_file() {
    let mut index = std::fs::read(fixtures().join("index-files/v2/index")).unwrap();
    index.truncate(index.len() - 20);
    index.extend([&b"link\0\0\0\x14"[..], &[1; 20], &[0; 20]].concat());
    let files = [(b"index".to_vec(), index)].into();
    let mut host = Host::fixture_with("index-files/v2", files, 512, Options::default());
    assert_eq!(names(&check(&mut host, FsckOptions::default()))[0], "badIndexFile");
}
