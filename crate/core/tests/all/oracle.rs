//! Every object of every fixture, every name and every tree equals git's answer.

use crate::common::{base64, expected, fixtures, sha256, sweep, Host};
use packlens::{
    object_id, BatchCursor, BatchPage, BatchReader, ErrorKind, Fields, Filter, HashKind, Limits,
    ObjectId, ObjectList, ObjectType, Options, Order, Output, Room, SpecRequests, TreeWalk, Verify,
    WalkOptions,
};
use serde_json::Value;

const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];

fn id(hash: HashKind, value: &Value) -> ObjectId {
    ObjectId::from_hex(hash, value.as_str().unwrap().as_bytes()).unwrap()
}

#[test]
fn every_object_is_what_git_says_in_parts_of_any_size() {
    let mut compared = 0;
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        for part in sweep::parts(PARTS) {
            let mut host = Host::fixture(name, part);
            let hash = host.repository.hash();
            assert_eq!(answers["objectFormat"] == "sha256", hash == HashKind::Sha256);
            for object in answers["objects"].as_array().unwrap() {
                let id = id(hash, &object["oid"]);
                let mut content = Vec::new();
                let mut object_type = ObjectType::Blob;
                host.ask(|repository| {
                    let mut out = Output::default();
                    let fields = Fields { content: true, storage: false };
                    repository.read_row(id.to_hex().as_bytes(), None, fields, &mut out)?;
                    let size = object["size"].as_u64().unwrap() as usize;
                    let row = out.as_slice();
                    object_type = ObjectType::ALL[usize::from(row[0]) - 1];
                    content = row[packlens::ROW_HEADER_LEN..][..size].to_vec();
                    Ok(())
                })
                .unwrap_or_else(|error| panic!("{name} {id:?} in parts of {part}: {error}"));
                assert_eq!(object_type.name(), object["type"], "{name} {id:?}");
                assert_eq!(sha256(&content), object["sha256"], "{name} {id:?}");
                assert_eq!(object_id(hash, object_type, &content), id);
                compared += 1;
            }
        }
    }
    assert!(compared > sweep::parts(PARTS).len() * 2500, "{compared} objects compared");
}

#[test]
fn stored_sizes_and_delta_bases() {
    let mut deltas = 0;
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        let mut host = Host::fixture(name, 512);
        let hash = host.repository.hash();
        for object in answers["objects"].as_array().unwrap() {
            let Some(disk) = object["disk"].as_u64() else {
                continue;
            };
            let id = id(hash, &object["oid"]);
            let mut header = Vec::new();
            host.ask(|repository| {
                let mut out = Output::default();
                let fields = Fields { content: false, storage: true };
                repository.read_row(id.to_hex().as_bytes(), None, fields, &mut out)?;
                header = out.as_slice().to_vec();
                Ok(())
            })
            .unwrap();
            assert_eq!(header.len(), packlens::ROW_HEADER_LEN);
            let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap());
            assert_eq!(number(8), object["size"].as_u64().unwrap());
            assert_eq!(number(32), disk, "{name} {id:?}");
            let base = ObjectId::from_bytes(hash, &header[88..]).unwrap().to_hex();
            assert_eq!(base, object["deltabase"], "{name} {id:?}");
            deltas += u32::from(header[52] > 0);
        }
    }
    assert!(deltas > 500, "{deltas} deltas");
}

/// Lists all objects, one a question.
fn all_objects(host: &mut Host, order: Order) -> Vec<ObjectId> {
    let mut list = ObjectList::new(order, Filter::default());
    let mut ids = Vec::new();
    while let Some(id) = host.ask(|repo| repo.listed(&mut list, ids.len() as u32)).unwrap() {
        ids.push(id);
    }
    ids
}

#[test]
fn all_objects_are_listed_in_both_orders() {
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        let mut host = Host::fixture(name, 4096);
        let hash = host.repository.hash();
        let expected: Vec<_> =
            answers["objects"].as_array().unwrap().iter().map(|o| id(hash, &o["oid"])).collect();
        assert_eq!(all_objects(&mut host, Order::Sorted), expected, "{name}");
        let mut stored = all_objects(&mut host, Order::Stored);
        if let Some(order) = answers["packOrder"].as_array() {
            let packed: Vec<_> = order.iter().map(|oid| id(hash, oid)).collect();
            assert!(stored.ends_with(&packed), "{name} in the order of its pack");
        }
        stored.sort_unstable();
        assert_eq!(stored, expected, "{name}");
        let mut base_first = all_objects(&mut host, Order::BaseFirst);
        base_first.sort_unstable();
        assert_eq!(base_first, expected, "{name}, bases first");
    }
}

/// Lists the objects of the work units that `claimed` picks.
fn in_work_units(host: &mut Host, claimed: impl Fn(u32) -> bool) -> Vec<ObjectId> {
    let mut list = ObjectList::new(Order::BaseFirst, Filter::default());
    let work_units = host.ask(|repo| repo.cut(&mut list)).unwrap().unwrap();
    assert!(work_units.count > 0);
    let mut ids = Vec::new();
    assert_eq!(host.ask(|repo| repo.listed(&mut list, 0)).unwrap(), None);
    for work_unit in (0..work_units.count).rev().filter(|at| claimed(*at)) {
        list.claim(work_unit);
        while let Some(id) = host.ask(|repo| repo.listed(&mut list, ids.len() as u32)).unwrap() {
            ids.push(id);
        }
    }
    ids
}

/// Two instances that share a listing list every object once, whichever units each claims.
#[test]
fn work_units_are_a_whole_listing_together() {
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        for work_unit_entries in [1, 3, 10_000] {
            let limits = Limits { work_unit_entries, ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let mut hosts =
                [0, 1].map(|_| Host::open(&fixtures().join(name), 4096, options).unwrap());
            let hash = hosts[0].repository.hash();
            let mut ids = in_work_units(&mut hosts[0], |at| at % 3 == 1);
            ids.extend(in_work_units(&mut hosts[1], |at| at % 3 != 1));
            ids.sort_unstable();
            let objects = answers["objects"].as_array().unwrap().iter();
            let expected: Vec<_> = objects.map(|object| id(hash, &object["oid"])).collect();
            assert_eq!(ids, expected, "{name} in work units of {work_unit_entries}");
        }
    }
}

#[test]
fn listings_with_equal_work_units_have_equal_states() {
    let state = |name| {
        let mut host = Host::fixture(name, 4096);
        let mut list = ObjectList::new(Order::BaseFirst, Filter::default());
        host.ask(|repo| repo.cut(&mut list)).unwrap().unwrap().state
    };
    assert_eq!(state("main"), state("main"));
    assert_ne!(state("main"), state("loose"));
}

/// Not on 32 bits: what a name means does not depend on the width of a pointer.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn names_resolve_as_in_git() {
    let mut resolved = 0;
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        for part in [7, 65536] {
            let mut host = Host::fixture(name, part);
            // Answers that depend on the index or the current time are not comparable.
            let known = |(spec, _): &(&String, &Value)| {
                !spec.contains(" ago") && (!spec.starts_with(':') || spec.starts_with(":/"))
            };
            let more = answers["resolveMore"].as_object().unwrap();
            let all = answers["resolve"].as_object().unwrap().iter();
            for (spec, expected) in all.chain(more.iter().filter(known)) {
                let found = host.ask(|repository| repository.resolve(spec.as_bytes()));
                match (expected.as_str(), found) {
                    (Some(expected), Ok(id)) => assert_eq!(id.to_hex(), expected, "{name} {spec}"),
                    (None, Err(error)) => {
                        let kinds = [
                            ErrorKind::NotFound,
                            ErrorKind::Ambiguous,
                            ErrorKind::Corrupt,
                            ErrorKind::Unsupported,
                        ];
                        assert!(kinds.contains(&error.kind()), "{name} {spec}: {error}");
                    }
                    (expected, found) => panic!("{name} {spec}: {found:?}, git says {expected:?}"),
                }
                resolved += 1;
            }
        }
    }
    assert!(resolved > 2000, "{resolved} names");
}

#[test]
fn refs_and_head_are_what_git_says() {
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        let mut host = Host::fixture(name, 64);
        let hash = host.repository.hash();
        let refs = host.repository.refs().clone();
        let found = host.ask(|repository| refs.list(&repository.files, b"refs/")).unwrap();
        let expected = answers["refs"].as_array().unwrap();
        let names: Vec<_> =
            found.iter().map(|r| String::from_utf8_lossy(&r.name).into_owned()).collect();
        let expected_names: Vec<_> = expected.iter().map(|r| r["name"].as_str().unwrap()).collect();
        assert_eq!(names, expected_names, "{name}");
        for (record, expected) in found.iter().zip(expected) {
            let oid = host.ask(|repo| Ok(refs.follow(&repo.files, &record.name)?.1)).unwrap();
            assert_eq!(oid, Some(id(hash, &expected["oid"])), "{name} {record:?}");
            if let Some(Some(peeled)) = record.peeled {
                assert_eq!(peeled.to_hex(), expected["peeled"], "{name} {record:?}");
            }
        }
        let head = host.ask(|repository| refs.follow(&repository.files, b"HEAD")).unwrap();
        assert_eq!(head.1.map(|id| id.to_hex()).as_deref(), answers["head"]["oid"].as_str());
    }
}

#[test]
fn trees_are_walked_as_git_lists_them() {
    for answers in expected() {
        let name = answers["path"].as_str().unwrap();
        let mut host = Host::fixture(name, 4096);
        for (spec, expected) in answers["lsTree"].as_object().unwrap() {
            for (key, recursive) in [("flat", false), ("recursive", true)] {
                let Some(expected) = expected[key].as_str() else {
                    continue;
                };
                for capacity in [1, 1 << 20] {
                    let text = list(&mut host, spec, recursive, capacity);
                    let expected = base64(expected);
                    assert!(
                        text == expected,
                        "{name} {spec} {key}:\n{}\ngit:\n{}",
                        String::from_utf8_lossy(&text).replace('\0', "\n"),
                        String::from_utf8_lossy(&expected).replace('\0', "\n"),
                    );
                }
            }
        }
    }
}

/// Lists a tree in the form of `git ls-tree -t -z -l`.
fn list(host: &mut Host, spec: &str, recursive: bool, capacity: usize) -> Vec<u8> {
    let options = WalkOptions { recursive, only_leaves: false, sizes: true };
    let mut walk = host.ask(|repo| TreeWalk::new(repo, spec.as_bytes(), options, 100)).unwrap();
    let mut text = Vec::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| walk.fill(repository, capacity, &mut out)).unwrap();
        let mut rest = out.as_slice();
        while !rest.is_empty() {
            let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
            let (mode, id_len, path_len) = (number(0), number(4) as usize, number(16) as usize);
            let size = u64::from_le_bytes(rest[8..16].try_into().unwrap());
            let hash = if id_len == 20 { HashKind::Sha1 } else { HashKind::Sha256 };
            let id = ObjectId::from_bytes(hash, &rest[20..]).unwrap();
            let mode = packlens::Mode(mode);
            let size = if size == u64::MAX { "-".to_string() } else { size.to_string() };
            let line = format!(
                "{:06o} {} {} {size:>7}\t",
                mode.canonical().0,
                mode.object_type().name(),
                id.to_hex()
            );
            text.extend(line.as_bytes());
            text.extend(&rest[20 + id_len..][..path_len]);
            text.push(0);
            rest = &rest[20 + id_len + path_len..];
        }
        if done {
            return text;
        }
    }
}

#[test]
fn a_batch_is_right_for_a_buffer_of_every_size() {
    let answers = crate::common::expected_of("main");
    let mut host = Host::fixture("main", 65536);
    let mut specs: Vec<String> = vec!["HEAD".into(), "nothing".into(), "HEAD:".into()];
    specs.extend(
        answers["objects"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|object| object["size"].as_u64().unwrap() < 2000)
            .take(12)
            .map(|object| object["oid"].as_str().unwrap().to_string()),
    );
    let whole = contents(&mut host, &specs, 1 << 20);
    assert_eq!(whole.len(), specs.len());
    assert!(whole[1].is_none() && whole[0].is_some());
    for capacity in packlens::MIN_BATCH_LEN..1000 {
        assert_eq!(contents(&mut host, &specs, capacity), whole, "buffer of {capacity}");
    }
    let mut place = BatchCursor::default();
    let mut reader = BatchReader::new(Fields { content: true, storage: false });
    let mut out = Output::default();
    let too_small = packlens::MIN_BATCH_LEN - 1;
    let mut list = ObjectList::new(Order::Sorted, Filter::default());
    let room = Room::all(too_small);
    let page = BatchPage { place: &mut place, room, out: &mut out };
    let error = reader.read(&mut host.repository, &mut list, page).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadInput);
}

#[test]
fn everything_is_read_under_a_small_ceiling() {
    let limits = packlens::Limits::for_memory(2 << 20);
    let options = packlens::Options { limits, ..packlens::Options::default() };
    for name in ["main", "big-chain", "mixed"] {
        let answers = crate::common::expected_of(name);
        let folder = crate::common::fixtures().join(name);
        let mut host = Host::open(&folder, 4096, options).unwrap();
        let objects = answers["objects"].as_array().unwrap();
        let specs: Vec<_> =
            objects.iter().map(|object| object["oid"].as_str().unwrap().to_string()).collect();
        let found = contents(&mut host, &specs, 64 << 20);
        for (content, object) in found.iter().zip(objects) {
            assert_eq!(sha256(content.as_ref().unwrap()), object["sha256"], "{name} {object}");
        }
        assert!(host.repository.stats().memory_high_water <= limits.memory);
    }
}

/// Reads specs into buffers of `capacity`, and joins the pieces.
fn contents(host: &mut Host, specs: &[String], capacity: usize) -> Vec<Option<Vec<u8>>> {
    let mut found: Vec<Option<Vec<u8>>> = Vec::new();
    let mut place = BatchCursor::default();
    let mut reader = BatchReader::new(Fields { content: true, storage: false });
    let specs: Vec<_> = specs.iter().map(|spec| spec.clone().into_bytes()).collect();
    let mut requests =
        SpecRequests { specs: &specs, plan: None, hash: host.repository.hash(), ahead: None };
    loop {
        let mut out = Output::default();
        let done = host
            .ask(|repo| {
                let room = Room::all(capacity);
                let page = BatchPage { place: &mut place, room, out: &mut out };
                reader.read(repo, &mut requests, page)
            })
            .unwrap();
        assert!(out.len() <= capacity && !out.is_empty());
        let mut rest = out.as_slice();
        while !rest.is_empty() {
            let number = |at: usize| {
                usize::try_from(u64::from_le_bytes(rest[at..at + 8].try_into().unwrap())).unwrap()
            };
            let (from, length) = (number(16), number(24));
            let index = u32::from_le_bytes(rest[4..8].try_into().unwrap()) as usize;
            let content = &rest[packlens::ROW_HEADER_LEN..][..length];
            if from == 0 {
                assert_eq!(index, found.len());
                found.push((rest[0] != 0).then(|| content.to_vec()));
            } else {
                let before = found[index].as_mut().unwrap();
                assert_eq!(before.len(), from);
                before.extend(content);
            }
            rest = &rest[packlens::ROW_HEADER_LEN + length.div_ceil(8) * 8..];
        }
        if done {
            return found;
        }
    }
}

#[test]
fn looking_an_object_up_takes_one_lookup() {
    let answers = crate::common::expected_of("big-chain");
    let mut host = Host::fixture("big-chain", 65536);
    let before = host.repository.stats();
    let objects = answers["objects"].as_array().unwrap();
    let specs: Vec<_> = objects.iter().map(|o| o["oid"].as_str().unwrap().to_string()).collect();
    for capacity in [1000, 1 << 20] {
        contents(&mut host, &specs, capacity);
    }
    let after = host.repository.stats();
    assert_eq!(after.objects - before.objects, 2 * specs.len() as u64);
    assert_eq!(after.lookups - before.lookups, 2 * specs.len() as u64);
    assert!(after.base_cache_hits > 0);
}

#[test]
fn content_that_does_not_match_its_id_is_refused() {
    let answers = crate::common::expected_of("tiny");
    let mut options = packlens::Options::default();
    for verify in [Verify::Oid, Verify::None] {
        options.verify = verify;
        let folder = crate::common::fixtures().join("tiny");
        let mut host = Host::open(&folder, 512, options).unwrap();
        let blobs: Vec<_> = answers["objects"].as_array().unwrap().iter().collect();
        let oid = blobs[0]["oid"].as_str().unwrap();
        host.ask(|repo| {
            let fields = Fields { content: true, storage: false };
            repo.read_row(oid.as_bytes(), None, fields, &mut Output::default())
        })
        .unwrap();
        let size = blobs[0]["size"].as_u64().unwrap();
        let hashed = host.repository.stats().hashed_bytes;
        assert_eq!(hashed, if verify == Verify::Oid { size } else { 0 });
    }
}
