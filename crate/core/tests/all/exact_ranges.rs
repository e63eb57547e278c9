//! Objects of a batch in any order, read from ranges that are exactly their entries: the same rows
//! as from blocks of the files, whatever the memory and whatever is damaged.

use crate::common::random::Random;
use crate::common::{expected, fixtures, Host};
use packlens::{
    BatchCursor, BatchPage, BatchReader, ErrorKind, Fields, HashKind, Limits, Options, Output,
    Room, SpecRequests,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CONTENT: Fields = Fields { content: true, storage: false };

/// Packlens in JavaScript takes at least twice as much.
const LEAST_MEMORY: u64 = 350_000;

/// A reading of a fixture takes fewer needs.
const MOST_NEEDS: u64 = 100_000;

/// Some names of a fixture's files, and their bytes.
type Files = BTreeMap<Vec<u8>, Vec<u8>>;

/// Reads objects in the order of their specs; returns the rows as they are, `None` if there is too
/// little memory: if the same bytes are needed again and again.
fn rows_of(host: &mut Host, specs: &[Vec<u8>]) -> Option<Vec<u8>> {
    let hash = host.repository.hash();
    let (mut place, mut reader) = (BatchCursor::default(), BatchReader::new(CONTENT));
    let (mut out, mut rows) = (Output::default(), Vec::new());
    let question = host.repository.files.new_question(None);
    while host.answered < MOST_NEEDS {
        let done = host.ask_once(question, |repository| {
            let room = Room::all(20_000);
            let mut requests = SpecRequests { specs, plan: None, hash, ahead: None };
            let page = BatchPage { place: &mut place, room, out: &mut out };
            reader.read(repository, &mut requests, page)
        });
        let done = match done {
            Err(error) if error.kind() == ErrorKind::Limit => return None,
            done => done.unwrap(),
        };
        let Some(done) = done else { continue };
        rows.extend_from_slice(out.as_slice());
        host.repository.hand_over(&mut out);
        if done {
            return Some(rows);
        }
    }
    None
}

fn opened(path: &str, hash: HashKind, files: &Files, memory: u64, immediate: bool) -> Host {
    let options =
        Options { hash: Some(hash), limits: Limits::for_memory(memory), ..Options::default() };
    let mut host = Host::fixture_with(path, files.clone(), 4096, options);
    host.immediate = immediate;
    host
}

/// Returns the packs of a fixture without directories of alternates.
fn packs_of(path: &str) -> Vec<PathBuf> {
    let folder = fixtures().join(path).join("objects/pack");
    let files = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|end| end == "pack")).collect()
}

fn size_of(file: &Path) -> u64 {
    file.metadata().unwrap().len()
}

#[test]
fn rows_do_not_depend_on_how_exactly_is_read() {
    let mut random = Random::from_env("exact_ranges");
    let (mut exact, mut tried) = (0, 0);
    for answers in expected() {
        let path = answers["path"].as_str().unwrap();
        let hash = match answers["objectFormat"].as_str() {
            Some("sha256") => HashKind::Sha256,
            _ => HashKind::Sha1,
        };
        let Some(pack) = packs_of(path).into_iter().max_by_key(|pack| size_of(pack)) else {
            continue;
        };
        // The pack is not small beside it, and it is not so little that objects do not fit.
        let memory = 4 * size_of(&pack) - 1;
        if memory < LEAST_MEMORY {
            continue;
        }
        let objects = answers["objects"].as_array().unwrap().iter();
        let objects = objects.filter(|object| object["size"].as_u64().unwrap() < memory / 16);
        let mut specs: Vec<_> =
            objects.map(|object| object["oid"].as_str().unwrap().as_bytes().to_vec()).collect();
        random.shuffle(&mut specs);
        let name = pack.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&pack).unwrap();
        for nth in 0..30 {
            let mut files = Files::new();
            if nth > 0 {
                let mut bytes = bytes.clone();
                let at = 12 + random.below(bytes.len() as u64 - 12) as usize;
                bytes[at] ^= 1 << random.below(8);
                files.insert(format!("objects/pack/{name}").into_bytes(), bytes);
            }
            // While more than a third of the objects are requested, the pack is read in blocks.
            let some = if nth % 2 == 0 { &specs[..] } else { &specs[..specs.len() / 3] };
            let mut host = opened(path, hash, &files, memory, false);
            let Some(blocks) = rows_of(&mut host, some) else { continue };
            let mut host = opened(path, hash, &files, memory, true);
            let ranges = rows_of(&mut host, some);
            assert!(Some(blocks) == ranges, "{path}, {memory} bytes of memory, change {nth}");
            exact += host.ranges;
            tried += 1;
        }
    }
    assert!(tried >= 30 && exact > 500, "{exact} ranges in {tried} runs");
}
