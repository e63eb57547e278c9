//! Multi-pack-indexes save look-ups, and change no answer.

use crate::common::{expected_of, sealed, sweep, Host};
use crate::kinds::{ids, open, tree, Tree};
use packlens::{
    ErrorKind, Fields, Filter, HashKind, Need, ObjectId, ObjectList, ObjectType, Order, Result,
};
use serde_json::Value;

const FIXTURES: [&str; 2] = ["packs", "packs-sha256"];
const KINDS: [&str; 6] = ["midx-1", "midx-2", "chain", "chain-bitmap", "midx-bitmap", "plain"];
const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];
const MEMORY: u64 = 16 << 20;

fn read(host: &mut Host, id: &ObjectId) -> Result<(ObjectType, Vec<u8>)> {
    host.object(id, Fields { content: true, storage: true })
}

fn type_of(host: &mut Host, id: &ObjectId) -> Result<ObjectType> {
    host.ask(|repository| repository.object_type(id))
}

fn listed(host: &mut Host, order: Order) -> Vec<ObjectId> {
    let mut list = ObjectList::new(order, Filter::default());
    let mut found = Vec::new();
    while let Some(id) =
        host.ask(|repository| repository.listed(&mut list, found.len() as u32)).unwrap()
    {
        found.push(id);
    }
    found
}

/// Returns the indexes of single packs that were opened.
fn indexes_opened(host: &Host, tree: &Tree) -> Vec<String> {
    let indexes = tree.keys().filter(|path| path.ends_with(".idx"));
    indexes.filter(|path| host.repository.files.find(path.as_bytes()).is_ok()).cloned().collect()
}

fn is_of_type(object: &Value, found: ObjectType) -> bool {
    object["type"] == found.name()
}

#[test]
fn every_object_is_found_with_any_files_beside_the_packs() {
    for fixture in FIXTURES {
        let answers = expected_of(fixture);
        let (ids, objects) = (ids(&answers), answers["objects"].as_array().unwrap());
        for (kind, part) in KINDS
            .iter()
            .flat_map(|kind| sweep::parts(PARTS).into_iter().map(move |part| (kind, part)))
        {
            let mut host = open(&tree(fixture, kind), part, MEMORY);
            for (id, object) in ids.iter().zip(objects) {
                let what = format!("{fixture}, {kind}, parts of {part}: {id:?}");
                let (object_type, content) =
                    read(&mut host, id).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(is_of_type(object, object_type), "{what}");
                assert_eq!(content.len() as u64, object["size"].as_u64().unwrap(), "{what}");
            }
            let mut stored = listed(&mut host, Order::Stored);
            stored.sort_unstable();
            assert_eq!(stored, ids, "{fixture}, {kind}");
            for order in [Order::Sorted, Order::SortedInfo] {
                assert_eq!(listed(&mut host, order), ids, "{fixture}, {kind}, {order:?}");
            }
        }
    }
}

/// Look-ups of objects, missing objects and shortened ids open no index of a single pack,
/// except those of newer packs.
#[test]
fn indexes_of_single_packs_stay_closed() {
    for (fixture, kind) in FIXTURES.iter().flat_map(|f| KINDS[..3].iter().map(move |k| (f, k))) {
        let tree = tree(fixture, kind);
        let answers = expected_of(fixture);
        let ids = ids(&answers);
        let mut host = open(&tree, 4096, MEMORY);
        for id in &ids {
            type_of(&mut host, id).unwrap();
        }
        let nothing = ObjectId::from_bytes(ids[0].hash(), &[0x5a; 32]).unwrap();
        assert_eq!(type_of(&mut host, &nothing).unwrap_err().kind(), ErrorKind::NotFound);
        let mut plain = open(&crate::kinds::tree(fixture, "plain"), 4096, MEMORY);
        for id in &ids {
            let abbreviate = |host: &mut Host| {
                host.ask(|repository| repository.abbreviate(id, Some(4))).unwrap()
            };
            assert_eq!(abbreviate(&mut host), abbreviate(&mut plain), "{id:?}");
        }
        // A chain has no layer for the packs of unreachable objects.
        let opened = indexes_opened(&host, &tree);
        let most = if *kind == "chain" { 2 } else { 1 };
        assert_eq!(opened.len(), most, "{fixture}, {kind}: {opened:?}");
        let all = tree.keys().filter(|path| path.ends_with(".idx")).count();
        assert_eq!((all, indexes_opened(&plain, &tree).len()), (5, 5));
    }
}

/// Reads everything; damage must be reported.
fn wrong(tree: &Tree, answers: &Value, part: u64, memory: u64, content: bool) -> Vec<String> {
    let mut host = open(tree, part, memory);
    let mut wrong = Vec::new();
    for (id, object) in ids(answers).iter().zip(answers["objects"].as_array().unwrap()) {
        let found = match content {
            true => read(&mut host, id).map(|(object_type, _)| object_type),
            false => type_of(&mut host, id),
        };
        match found {
            Ok(found) if is_of_type(object, found) => {}
            found => wrong.push(format!("{id:?}: {found:?}")),
        }
    }
    wrong
}

/// Every damage to the files of a kind that make a multi-pack-index.
fn damaged(tree: &Tree, mut check: impl FnMut(&Tree, String)) {
    let names = tree.keys().filter(|path| path.contains("multi-pack-index"));
    for name in names {
        let bytes = &tree[name];
        let step = bytes.len() / 120 + 1;
        for at in (0..bytes.len().min(140)).chain((140..bytes.len()).step_by(step)) {
            for mask in [0, 0x01, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                match mask {
                    0 => bytes.truncate(at),
                    _ => bytes[at] ^= mask,
                }
                let mut tree = tree.clone();
                tree.insert(name.clone(), bytes);
                check(&tree, format!("{name}: {mask:#x} at {at}"));
            }
        }
    }
}

#[test]
fn damaged_files_are_ignored() {
    let answers = expected_of("packs");
    let mut checked = 0;
    for kind in ["midx-2", "chain"] {
        damaged(&tree("packs", kind), |tree, what| {
            assert_eq!(wrong(tree, &answers, 1 << 30, MEMORY, false), [""; 0], "{what}");
            checked += 1;
        });
    }
    assert!(checked > 3000, "{checked}");
}

/// A file too large to be hashed is trusted for the objects it has, which are hashed;
/// other objects are looked up in the indexes.
#[test]
fn unchecked_files_do_no_harm() {
    let answers = expected_of("packs");
    // 64 KiB would not suffice for the packs; files up to a 64th of it are hashed.
    let memory = 256 << 10;
    damaged(&tree("packs", "midx-2"), |tree, what| {
        assert_eq!(wrong(tree, &answers, 4096, memory, true), [""; 0], "{what}");
    });
}

#[test]
fn a_file_that_names_a_missing_pack_is_not_trusted() {
    let answers = expected_of("packs");
    for kind in ["midx-1", "midx-2", "chain"] {
        let whole = tree("packs", kind);
        let packs: Vec<&String> = whole.keys().filter(|path| path.ends_with(".pack")).collect();
        for gone in packs {
            let mut without = whole.clone();
            without.remove(gone);
            without.remove(&gone.replace(".pack", ".idx"));
            let mut plain = without.clone();
            plain.retain(|path, _| !path.contains("multi-pack-index"));
            let missing = wrong(&plain, &answers, 4096, MEMORY, false);
            assert_eq!(wrong(&without, &answers, 4096, MEMORY, false), missing, "{kind}, {gone}");
        }
    }
}

#[test]
fn packs_of_a_set_without_an_index_get_one() {
    for (fixture, kind) in FIXTURES.iter().flat_map(|f| KINDS[..3].iter().map(move |k| (f, k))) {
        let answers = expected_of(fixture);
        let mut without = tree(fixture, kind);
        without.retain(|path, _| !path.ends_with(".idx") && !path.ends_with(".rev"));
        assert_eq!(wrong(&without, &answers, 4096, MEMORY, true), [""; 0], "{fixture}, {kind}");
        let mut host = open(&without, 4096, MEMORY);
        assert_eq!(listed(&mut host, Order::Sorted), ids(&answers), "{fixture}, {kind}");
    }
}

/// git deletes the index of a pack first, once another pack has its objects.
#[test]
fn objects_of_a_pack_that_is_gone_are_found_in_another() {
    let answers = expected_of("packs");
    for kind in ["midx-1", "midx-2"] {
        let tree = tree("packs", kind);
        let mut host = open(&tree, 4096, MEMORY);
        let opened = indexes_opened(&host, &tree);
        let storage = Fields { content: false, storage: true };
        let rows = |host: &mut Host| -> Vec<_> {
            ids(&answers).iter().map(|id| host.row(id, storage).map_err(|e| e.kind())).collect()
        };
        for (path, bytes) in &tree {
            let Some(stem) = path.strip_suffix(".idx").filter(|_| !opened.contains(path)) else {
                continue;
            };
            host.change(&format!("{stem}0.pack"), Some(tree[&format!("{stem}.pack")].clone()));
            host.change(&format!("{stem}0.idx"), Some(bytes.clone()));
            host.change(path, None);
        }
        assert!(rows(&mut host).iter().all(|row| row.is_ok()), "{kind}: {:?}", rows(&mut host));
    }
}

/// git deletes the packs of a set once others have their objects, between a listing's look
/// at their names and at their indexes.
#[test]
fn a_listing_resumes_after_the_packs_of_a_set_were_replaced() {
    let answers = expected_of("packs");
    for (kind, order) in KINDS[..5].iter().flat_map(|kind| {
        [Order::Sorted, Order::Stored, Order::BaseFirst].map(|order| (*kind, order))
    }) {
        let tree = tree("packs", kind);
        let mut host = open(&tree, 4096, MEMORY);
        let mut list = ObjectList::new(order, Filter::default());
        let mut found = Vec::new();
        let mut replaced = false;
        loop {
            let index = found.len() as u32;
            let listed = host.ask_watched(
                |repository| repository.listed(&mut list, index),
                |host, need| match need {
                    Need::File { path, .. } if path.ends_with(b".idx") && !replaced => {
                        replace_packs(host, &tree);
                        replaced = true;
                    }
                    _ => {}
                },
            );
            match listed.unwrap() {
                Some(id) => found.push(id),
                None => break,
            }
        }
        assert!(replaced, "{kind}, {order:?}");
        found.sort();
        assert_eq!(found, ids(&answers), "{kind}, {order:?}");
    }
}

/// Gives all packs other names, without a set.
fn replace_packs(host: &mut Host, tree: &Tree) {
    for (path, bytes) in tree {
        if let Some((stem, ending)) =
            path.rsplit_once('.').filter(|(stem, _)| stem.contains("/pack-"))
        {
            host.change(&format!("{stem}0.{ending}"), Some(bytes.clone()));
            host.change(path, None);
        } else if path.contains("multi-pack-index") {
            host.change(path, None);
        }
    }
}

/// Moves all offsets of a multi-pack-index to a table of long ones.
fn with_long_offsets(midx: &[u8]) -> Vec<u8> {
    let row = |at: usize| &midx[12 + 12 * at..][..12];
    let begin = |at: usize| u64::from_be_bytes(row(at)[4..].try_into().unwrap()) as usize;
    let count = usize::from(midx[6]);
    let mut chunks: Vec<(Vec<u8>, Vec<u8>)> = (0..count)
        .map(|at| (row(at)[..4].to_vec(), midx[begin(at)..begin(at + 1)].to_vec()))
        .collect();
    let mut long = Vec::new();
    let places = chunks.iter_mut().find(|(name, _)| name == b"OOFF").unwrap();
    for (at, place) in places.1.chunks_exact_mut(8).enumerate() {
        long.extend([0; 4]);
        long.extend(&place[4..]);
        place[4..].copy_from_slice(&(at as u32 | 1 << 31).to_be_bytes());
    }
    chunks.push((b"LOFF".to_vec(), long));
    let mut out = midx[..12].to_vec();
    out[6] += 1;
    let mut at = out.len() as u64 + 12 * (chunks.len() as u64 + 1);
    for (name, bytes) in &chunks {
        out.extend(name);
        out.extend(at.to_be_bytes());
        at += bytes.len() as u64;
    }
    out.extend([0; 4]);
    out.extend(at.to_be_bytes());
    chunks.iter().for_each(|(_, bytes)| out.extend(bytes));
    out.extend([0; 20]);
    sealed(&out, HashKind::Sha1)
}

#[test]
fn offsets_may_be_long() {
    let answers = expected_of("packs");
    let mut tree = tree("packs", "midx-2");
    let name = "objects/pack/multi-pack-index".to_string();
    let long = with_long_offsets(&tree[&name]);
    tree.insert(name.clone(), long.clone());
    for part in PARTS {
        assert_eq!(wrong(&tree, &answers, part, MEMORY, true), [""; 0]);
    }
    let mut host = open(&tree, 4096, MEMORY);
    ids(&answers).iter().for_each(|id| assert!(type_of(&mut host, id).is_ok()));
    assert_eq!(indexes_opened(&host, &tree).len(), 1);
    // A file with too few rows is trusted as little as one with another hash.
    let places = long.windows(4).position(|bytes| bytes == b"OOFF").unwrap();
    let places = u64::from_be_bytes(long[places + 4..][..8].try_into().unwrap()) as usize;
    let mut short = long.clone();
    short[places + 5] = 0xff;
    tree.insert(name.clone(), sealed(&short, HashKind::Sha1));
    assert_eq!(wrong(&tree, &answers, 4096, MEMORY, true), [""; 0]);
    let mut other = long;
    other[5] = 2;
    tree.insert(name, sealed(&other, HashKind::Sha1));
    assert_eq!(wrong(&tree, &answers, 4096, MEMORY, true), [""; 0]);
}
