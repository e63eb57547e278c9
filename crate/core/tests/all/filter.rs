//! Filtered listings: the objects that git says are of a type and size, in the order
//! of the whole listing; no other objects are made, except their bases.

use crate::common::{expected, expected_of, fixtures, sweep, Host};
use packlens::{
    BatchCursor, BatchPage, BatchReader, ErrorKind, Fields, Filter, HashKind, Limits, ObjectId,
    ObjectList, ObjectType, Options, Order, Output, Result, Room, ROW_HEADER_LEN,
};
use std::collections::{BTreeMap, BTreeSet};

const ORDERS: [Order; 4] = [Order::Sorted, Order::SortedInfo, Order::Stored, Order::BaseFirst];

/// Filters that users and `git cat-file` make.
fn filters() -> Vec<Filter> {
    let all = Filter::default();
    let blob = [ObjectType::Blob];
    let mut filters: Vec<_> = ObjectType::ALL.map(|of| Filter::of_types([of])).to_vec();
    filters.extend([
        Filter::of_types([]),
        Filter::of_types([ObjectType::Commit, ObjectType::Tree, ObjectType::Tag]),
        all.with_sizes(blob, 0..=0),
        all.with_sizes(blob, 0..=100),
        all.with_sizes(ObjectType::ALL, 200..=u64::MAX),
        Filter::of_types(blob).with_sizes(blob, 300..=2000),
        Filter::of_types([ObjectType::Tree]).with_sizes(ObjectType::ALL, 0..=150),
    ]);
    filters
}

fn listed(host: &mut Host, order: Order, filter: Filter) -> Result<Vec<ObjectId>> {
    let mut list = ObjectList::new(order, filter);
    let mut ids = Vec::new();
    while let Some(id) = host.ask(|repo| repo.listed(&mut list, ids.len() as u32))? {
        ids.push(id);
    }
    Ok(ids)
}

#[test]
fn filtered_listings_keep_the_order_of_all_objects() {
    let mut compared = 0;
    for answers in expected() {
        let path = answers["path"].as_str().unwrap();
        let mut expected_by = BTreeMap::new();
        for object in answers["objects"].as_array().unwrap() {
            let object_type = ObjectType::from_name(object["type"].as_str().unwrap().as_bytes());
            let size = object["size"].as_u64().unwrap();
            expected_by.insert(object["oid"].as_str().unwrap(), (object_type.unwrap(), size));
        }
        for part in [512, 65536] {
            let mut host = Host::fixture(path, part);
            for order in ORDERS {
                let all = listed(&mut host, order, Filter::default()).unwrap();
                for filter in filters() {
                    let expected = |id: &&ObjectId| {
                        let (object_type, size) = expected_by[id.to_hex().as_str()];
                        filter.wants(object_type, size)
                    };
                    let expected: Vec<_> = all.iter().filter(expected).copied().collect();
                    let found = listed(&mut host, order, filter).unwrap();
                    assert_eq!(found, expected, "{path}, {order:?}, {filter:?}");
                    compared += found.len();
                }
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn work_units_are_a_whole_listing_together() {
    for name in ["main", "big-chain"] {
        for filter in filters() {
            let options = Options {
                limits: Limits { work_unit_entries: 100, ..Limits::default() },
                ..Options::default()
            };
            let mut host = Host::open(&fixtures().join(name), 4096, options).unwrap();
            let mut list = ObjectList::new(Order::BaseFirst, filter);
            let work_units = host.ask(|repo| repo.cut(&mut list)).unwrap().unwrap();
            let mut ids = Vec::new();
            for work_unit in (0..work_units.count).rev() {
                list.claim(work_unit);
                while let Some(id) =
                    host.ask(|repo| repo.listed(&mut list, ids.len() as u32)).unwrap()
                {
                    ids.push(id);
                }
            }
            ids.sort_unstable();
            let expected = listed(&mut host, Order::Sorted, filter).unwrap();
            assert_eq!(ids, expected, "{name} {filter:?}");
        }
    }
}

/// Reads the objects that pass a filter; returns their ids.
fn read(host: &mut Host, order: Order, filter: Filter) -> BTreeSet<String> {
    let mut list = ObjectList::new(order, filter);
    let (mut place, mut ids) = (BatchCursor::default(), BTreeSet::new());
    let mut reader = BatchReader::new(Fields { content: true, storage: false });
    let mut out = Output::default();
    loop {
        let done = host.ask(|repository| {
            let room = Room::all(100_000);
            let page = BatchPage { place: &mut place, room, out: &mut out };
            reader.read(repository, &mut list, page)
        });
        let mut rest = out.as_slice();
        while let Some(head) = rest.get(..ROW_HEADER_LEN) {
            let id = &head[56..][..usize::from(head[1])];
            ids.insert(id.iter().map(|byte| format!("{byte:02x}")).collect());
            let length = u64::from_le_bytes(head[24..32].try_into().unwrap());
            rest = &rest[ROW_HEADER_LEN + length.next_multiple_of(8) as usize..];
        }
        host.repository.hand_over(&mut out);
        if done.unwrap() {
            return ids;
        }
    }
}

#[test]
fn bases_of_requested_objects_are_made_once() {
    let mut skipped = 0;
    for name in ["main", "big-chain", "sha256"] {
        let answers = expected_of(name);
        let objects = answers["objects"].as_array().unwrap();
        let base_of: BTreeMap<_, _> = objects
            .iter()
            .map(|object| (object["oid"].as_str().unwrap(), object["deltabase"].as_str().unwrap()))
            .filter(|(_, base)| base.bytes().any(|byte| byte != b'0'))
            .collect();
        for filter in filters() {
            let mut host = Host::fixture(name, 65536);
            let ids = read(&mut host, Order::BaseFirst, filter);
            let mut made = BTreeSet::new();
            for id in &ids {
                let mut next = id.as_str();
                while let Some(base) = base_of.get(next) {
                    made.insert(next);
                    next = base;
                }
            }
            let stats = host.repository.stats();
            assert_eq!(stats.deltas_applied, made.len() as u64, "{name} {filter:?}");
            assert_eq!(stats.objects, ids.len() as u64, "{name} {filter:?}");
            skipped += base_of.len() - made.len();
        }
    }
    assert!(skipped > 1000, "{skipped}");
}

#[test]
fn types_that_a_filter_excludes_are_not_inflated() {
    // The size of a tag that is a delta is inflated if the metadata is read.
    let orders = ORDERS.into_iter().filter(|order| *order != Order::SortedInfo);
    let each = orders.flat_map(|order| ["main", "big-chain"].map(|name| (name, order)));
    for (name, order) in each {
        let mut host = Host::fixture(name, 65536);
        let tags = listed(&mut host, order, Filter::of_types([ObjectType::Tag])).unwrap();
        assert_eq!(host.repository.stats().inflated_bytes, 0, "{name} {order:?}, {}", tags.len());
    }
}

/// A tree of deltas of which some sizes are known when others are missing is listed once.
#[test]
fn each_object_is_listed_once_however_few_bytes_are_read() {
    let mut compared = 0;
    for name in ["tiny", "main", "sha256"] {
        for filter in filters() {
            let mut host = Host::fixture(name, 64);
            let sorted = listed(&mut host, Order::Sorted, filter).unwrap();
            for order in [Order::Stored, Order::BaseFirst] {
                let mut host = Host::fixture(name, 64);
                host.ahead = 64;
                let mut ids = listed(&mut host, order, filter).unwrap();
                ids.sort_unstable();
                assert_eq!(ids, sorted, "{name}, {order:?}, {filter:?}");
                compared += ids.len();
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Returns the pack and the index of a small fixture.
fn tiny_pack() -> [Vec<u8>; 2] {
    let folder = fixtures().join("tiny/objects/pack");
    [".pack", ".idx"].map(|ending| {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        std::fs::read(
            entries.into_iter().find(|path| path.to_str().unwrap().ends_with(ending)).unwrap(),
        )
        .unwrap()
    })
}

/// Whoever reads it gets the error; nobody would if the listing left it out.
#[test]
fn a_damaged_object_passes_every_filter() {
    let [mut pack, index] = tiny_pack();
    let loose = "objects/11/11111111111111111111111111111111111111";
    let open = |pack: &[u8], loose_object: &[u8]| {
        let files: [(&str, &[u8]); 3] =
            [("objects/pack/p.pack", pack), ("objects/pack/p.idx", &index), (loose, loose_object)];
        let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
        Host::of_files(&files, 512, options).unwrap()
    };
    let sizes = 1 << 40..=u64::MAX;
    let none = [Filter::of_types([]), Filter::default().with_sizes(ObjectType::ALL, sizes)];
    // No entry has the type 0.
    pack[12] &= 0x8f;
    for (order, filter) in ORDERS.iter().flat_map(|order| none.map(|filter| (*order, filter))) {
        let mut host = open(&pack, b"no stream");
        let ids = listed(&mut host, order, filter).unwrap();
        let what = format!("{order:?}, {filter:?}: {ids:?}");
        let is_loose = |id: &ObjectId| id.to_hex().starts_with("1111111");
        assert!(ids.iter().any(is_loose) && !ids.iter().all(is_loose), "{what}");
        for id in ids {
            let error = host.ask(|repository| repository.object_type(&id)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{what}: {error}");
        }
    }
}

/// With any bytes of a pack, in parts of any size, each order lists the same objects.
#[test]
fn every_order_lists_the_same_objects_of_a_damaged_pack() {
    let [pack, index] = tiny_pack();
    let mut compared = 0;
    for (at, mask) in sweep::flips(12..pack.len() - 20, &[0x40, 0xff]) {
        let mut changed = pack.clone();
        changed[at] ^= mask;
        let files: [(&str, &[u8]); 2] =
            [("objects/pack/p.pack", &changed), ("objects/pack/p.idx", &index)];
        for filter in filters().into_iter().skip(1).step_by(4) {
            let of = |order, part| {
                let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
                let mut host = Host::of_files(&files, part, options).unwrap();
                let mut ids = listed(&mut host, order, filter).unwrap();
                ids.sort_unstable();
                ids
            };
            let sorted = of(Order::Sorted, 65536);
            let what = format!("byte {at} changed by {mask:#x}, {filter:?}");
            assert_eq!(of(Order::Stored, 65536), sorted, "{what}");
            assert_eq!(of(Order::BaseFirst, 65536), sorted, "{what}");
            assert_eq!(of(Order::BaseFirst, 7), sorted, "{what}, in parts");
            compared += sorted.len();
        }
    }
    assert!(compared > 1000, "{compared}");
}
