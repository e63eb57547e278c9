//! Entries that are verified by the checksums of their index instead of their hash.

use crate::common::{expected_of, fixtures, Host};
use packlens::{ErrorKind, Fields, HashKind, Limits, ObjectId, Options, Verify};
use std::path::PathBuf;

const CONTENT: Fields = Fields { content: true, storage: false };

fn open(name: &str, part: u64, verify: Verify) -> Host {
    let options = Options { verify, ..Options::default() };
    Host::open(&fixtures().join(name), part, options).unwrap()
}

fn ids(name: &str) -> Vec<ObjectId> {
    let answers = expected_of(name);
    let hash = if answers["objectFormat"] == "sha256" { HashKind::Sha256 } else { HashKind::Sha1 };
    let id = |object: &serde_json::Value| {
        ObjectId::from_hex(hash, object["oid"].as_str().unwrap().as_bytes()).unwrap()
    };
    answers["objects"].as_array().unwrap().iter().map(id).collect()
}

fn packs(name: &str) -> Vec<PathBuf> {
    let folder = fixtures().join(name).join("objects/pack");
    let all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|ending| ending == "pack")).collect()
}

#[test]
fn objects_are_the_same_and_nothing_is_hashed() {
    for (name, hashes) in [
        ("main", false),
        ("sha256", false),
        ("ref-delta", false),
        ("index-v1", true),
        ("loose", true),
    ] {
        for part in [7, 512, 1 << 30] {
            let (mut crc, mut oid) = (open(name, part, Verify::Crc), open(name, part, Verify::Oid));
            let all = ids(name);
            let step = match part {
                7 => 19,
                512 => 5,
                _ => 1,
            };
            for id in all.iter().step_by(step) {
                assert_eq!(crc.row(id, CONTENT).unwrap(), oid.row(id, CONTENT).unwrap());
            }
            let stats = crc.repository.stats();
            assert_eq!(stats.hashed_bytes > 0, hashes, "{name}");
            assert_eq!(stats.crc_bytes > 0, !hashes, "{name}");
            assert_eq!(oid.repository.stats().crc_bytes, 0);
        }
    }
}

/// Entries whose checksums would take too much memory to compare are hashed.
#[test]
fn large_objects_are_hashed() {
    let size_of = |host: &mut Host, id: &ObjectId| host.object(id, CONTENT).unwrap().1.len() as u64;
    let mut whole = open("main", 1 << 30, Verify::Oid);
    let largest = ids("main").into_iter().max_by_key(|id| size_of(&mut whole, id)).unwrap();
    let size = size_of(&mut whole, &largest);
    for (times, hashes) in [(4, true), (16, false)] {
        let limits = Limits::for_memory(size * times);
        let options = Options { limits, verify: Verify::Crc, ..Options::default() };
        let mut host = Host::open(&fixtures().join("main"), 512, options).unwrap();
        assert_eq!(size_of(&mut host, &largest), size);
        assert_eq!(host.repository.stats().hashed_bytes > 0, hashes, "{times} times");
    }
}

/// Flips a byte of any entry: the result is the old object, or the same error.
#[test]
fn flipped_bytes_are_found_as_hashes_find_them() {
    let path = packs("tiny").pop().unwrap();
    let pack = std::fs::read(&path).unwrap();
    let relative = format!("objects/pack/{}", path.file_name().unwrap().to_str().unwrap());
    let all = ids("tiny");
    let mut whole = open("tiny", 1 << 30, Verify::Oid);
    let good: Vec<_> = all.iter().map(|id| whole.object(id, CONTENT).unwrap()).collect();
    let step = if cfg!(target_arch = "wasm32") { 41 } else { 9 };
    let (mut found, mut by_checksum) = (0, 0);
    for at in (12..pack.len() - 20).step_by(step) {
        let mut damaged = pack.clone();
        damaged[at] ^= 0x10;
        let files = [(relative.clone().into_bytes(), damaged)].into();
        let options = Options { verify: Verify::Crc, ..Options::default() };
        let mut host = Host::fixture_with("tiny", files, 1 << 30, options);
        let mut wrong = 0;
        for (id, good) in all.iter().zip(&good) {
            match host.object(id, CONTENT) {
                Ok(object) => assert_eq!(&object, good, "byte {at}"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Corrupt, "byte {at}");
                    wrong += 1;
                    by_checksum += usize::from(error.what().contains("checksum"));
                }
            }
        }
        assert!(wrong > 0, "byte {at} is part of an entry");
        found += wrong;
        assert_eq!(host.repository.stats().hashed_bytes, 0);
    }
    assert!(found > 8 && by_checksum * 2 > found, "{by_checksum} of {found}");
}
