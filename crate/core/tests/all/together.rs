//! Contents that are hashed several at a time: every row equals that of the object read
//! alone, whatever is damaged.

use crate::common::{expected_of, fixtures, sweep, Host};
use packlens::{
    AllAnswers, BatchCursor, BatchFormat, BatchMode, BatchPage, BatchReader, BatchRequest,
    BatchRequests, Fields, Filter, FullOnly, HashKind, ObjectId, ObjectList, Options, Order,
    Output, Plan, Repository, Result, Room, SpecRequests, SpecsAhead, Verify, ROW_HEADER_LEN,
};
use std::collections::BTreeMap;

const CONTENT: Fields = Fields { content: true, storage: false };
const INFO: Fields = Fields { content: false, storage: true };

/// The header and content of a row without its index and the location of the object, which
/// may be any of several; for an unreadable object the error.
type Row = (Vec<u8>, Vec<u8>);

fn split_row(row: &[u8]) -> Row {
    let length = u64::from_le_bytes(row[24..32].try_into().unwrap()) as usize;
    let mut header = row[..ROW_HEADER_LEN].to_vec();
    header[4..8].fill(0);
    header[32..56].fill(0);
    header[88..].fill(0);
    (header, row[ROW_HEADER_LEN..][..length].to_vec())
}

fn alone(host: &mut Host, id: &ObjectId, fields: Fields) -> Row {
    let mut out = Output::default();
    let read = host.ask(|repository| {
        out.truncate(0);
        repository.read_row(id.to_hex().as_bytes(), None, fields, &mut out)
    });
    match read {
        Ok(()) => split_row(out.as_slice()),
        Err(error) => (vec![6], error.to_record()),
    }
}

/// Reads all objects, in buffers of `capacity` bytes; returns the rows by their index.
fn rows(
    host: &mut Host,
    capacity: usize,
    mut fill: impl FnMut(&mut Repository, BatchPage<'_>) -> packlens::Result<bool>,
) -> BTreeMap<u32, Row> {
    let (mut place, mut rows) = (BatchCursor::default(), BTreeMap::new());
    let mut out = Output::default();
    loop {
        let room = Room::all(capacity);
        let done = host.ask(|repository| {
            fill(repository, BatchPage { place: &mut place, room, out: &mut out })
        });
        assert!(out.len() <= capacity);
        let mut rest = out.as_slice();
        while !rest.is_empty() {
            let (mut header, content) = split_row(rest);
            let length = (ROW_HEADER_LEN + content.len()).next_multiple_of(8);
            let index = u32::from_le_bytes(rest[4..8].try_into().unwrap());
            if header[0] == 6 {
                header.truncate(1);
            }
            assert_eq!(rows.insert(index, (header, content)), None, "reported once");
            rest = &rest[length..];
        }
        host.repository.hand_over(&mut out);
        if done.unwrap() {
            return rows;
        }
    }
}

/// A list that notes the id of each request.
struct Noted<'l> {
    list: &'l mut ObjectList,
    ids: &'l mut BTreeMap<u32, ObjectId>,
}

impl BatchRequests for Noted<'_> {
    fn get(
        &mut self,
        repository: &mut Repository,
        at: u32,
    ) -> Result<Option<(u32, BatchRequest<'_>)>> {
        let found = BatchRequests::get(self.list, repository, at)?;
        if let Some((_, BatchRequest::Id(id, _))) = found {
            self.ids.insert(at, id);
        }
        Ok(found)
    }
}

fn listed(host: &mut Host, order: Order, fields: Fields) -> Vec<(ObjectId, Row)> {
    let (mut list, mut ids) = (ObjectList::new(order, Filter::default()), BTreeMap::new());
    let mut reader = BatchReader::new(fields);
    let rows = rows(host, 1 << 20, |repository, page| {
        let mut noted = Noted { list: &mut list, ids: &mut ids };
        reader.read(repository, &mut noted, page)
    });
    assert!(rows.keys().eq(ids.keys()));
    ids.into_values().zip(rows.into_values()).collect()
}

fn asked_for(
    host: &mut Host,
    ids: &[ObjectId],
    in_pack_order: bool,
    fields: Fields,
) -> BTreeMap<u32, Row> {
    let specs: Vec<_> = ids.iter().map(|id| id.to_hex().into_bytes()).collect();
    let mut plan = FullOnly::new(Box::<Plan>::default).unwrap();
    let mut ahead = SpecsAhead::new(fields, &specs, in_pack_order);
    let mut reader = BatchReader::new(fields);
    rows(host, 1 << 20, |repository, page| {
        if in_pack_order {
            repository.plan(&mut plan, &specs, fields.content)?;
        }
        let (plan, hash) = (in_pack_order.then_some(&plan), repository.hash());
        let ahead = ahead.as_mut();
        let mut requests = SpecRequests { specs: &specs, plan, hash, ahead };
        reader.read(repository, &mut requests, page)
    })
}

/// Compares many objects read together with each read alone; returns how many could not be
/// read.
fn check(
    path: &str,
    hash: HashKind,
    files: &BTreeMap<Vec<u8>, Vec<u8>>,
    ids: &[ObjectId],
) -> usize {
    let open = || {
        let options = Options { hash: Some(hash), ..Options::default() };
        Host::fixture_with(path, files.clone(), 65536, options)
    };
    let contents = [Order::BaseFirst, Order::Stored, Order::Sorted];
    let failed = rows_are_those_of_each(path, &open, ids, (CONTENT, &contents));
    // Of several copies the metadata of any is reported.
    if path != "mixed" {
        rows_are_those_of_each(path, &open, ids, (INFO, &[Order::Stored, Order::SortedInfo]));
    }
    answers_are_those_of_each(&open, ids);
    failed
}

/// Compares rows of lists and of requests with those of each object; returns how many objects could
/// not be read.
fn rows_are_those_of_each(
    path: &str,
    open: &dyn Fn() -> Host,
    ids: &[ObjectId],
    (fields, orders): (Fields, &[Order]),
) -> usize {
    let mut host = open();
    let expected: BTreeMap<_, _> =
        ids.iter().map(|id| (*id, alone(&mut host, id, fields))).collect();
    let is_same = |row: &Row, id: &ObjectId| {
        // Of several damaged copies another may be reported.
        let any = path == "mixed" && row.0[0] == 6;
        if any {
            row.0 == expected[id].0
        } else {
            *row == expected[id]
        }
    };
    for order in orders.iter().copied() {
        for (id, row) in listed(&mut open(), order, fields) {
            assert!(is_same(&row, &id), "{path}, {order:?}: {id:?}");
        }
    }
    for in_pack_order in [false, true] {
        let rows = asked_for(&mut open(), ids, in_pack_order, fields);
        assert_eq!(rows.len(), ids.len());
        for (at, row) in rows {
            let id = ids[at as usize];
            assert!(is_same(&row, &id), "{path}, asked for, {in_pack_order}: {id:?}");
        }
    }
    expected.values().filter(|(header, _)| header[0] == 6).count()
}

/// Compares `cat-file --batch-all-objects` with the answers for single objects.
fn answers_are_those_of_each(open: &dyn Fn() -> Host, ids: &[ObjectId]) {
    let format = BatchFormat::parse(BatchFormat::DEFAULT).unwrap();
    let mode = BatchMode { contents: true, delimiter: b'\n' };
    let (mut host, mut expected) = (open(), Vec::new());
    for id in ids {
        let (name, all) = (id.to_hex().into_bytes(), Filter::default());
        let mut out = Output::default();
        let answer = host.ask(|repository| {
            out.truncate(0);
            repository.answer(&name, b"", &format, mode, &all, &mut out)
        });
        match answer {
            Ok(_) => expected.extend_from_slice(out.as_slice()),
            Err(_) => expected.extend_from_slice(id.as_bytes()),
        }
    }
    let (mut host, mut found) = (open(), Vec::new());
    let list = ObjectList::new(Order::Sorted, Filter::default());
    let mut answers = AllAnswers::new(list, format, mode);
    let room = Room::to_be_hashed(400_000);
    let (mut place, mut out) = (BatchCursor::default(), Output::default());
    loop {
        let filled = host
            .ask(|repo| answers.fill(repo, BatchPage { place: &mut place, room, out: &mut out }));
        found.extend_from_slice(out.as_slice());
        host.repository.hand_over(&mut out);
        match filled {
            Ok(true) => break,
            Ok(false) => {}
            Err(_) => {
                let id = host.ask(|repo| answers.skip_object(repo, &mut place)).unwrap().unwrap();
                found.extend_from_slice(id.as_bytes());
            }
        }
    }
    assert!(found == expected, "{} bytes instead of {}", found.len(), expected.len());
}

struct Fixture {
    ids: Vec<ObjectId>,
    hash: HashKind,
    /// The paths of its packs, and of their indexes.
    packs: Vec<Vec<u8>>,
    indexes: Vec<Vec<u8>>,
}

fn fixture(name: &str) -> Fixture {
    let answers = expected_of(name);
    let hash = if name == "sha256" { HashKind::Sha256 } else { HashKind::Sha1 };
    let objects = answers["objects"].as_array().unwrap().iter();
    let ids = objects
        .map(|object| ObjectId::from_hex(hash, object["oid"].as_str().unwrap().as_bytes()).unwrap())
        .collect();
    let folder = fixtures().join(name).join("objects/pack");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let of = |ending: &str| {
        let found = names.iter().filter(|name| name.ends_with(ending));
        found.map(|name| format!("objects/pack/{name}").into_bytes()).collect()
    };
    Fixture { ids, hash, packs: of(".pack"), indexes: of(".idx") }
}

fn bytes_of(name: &str, path: &[u8]) -> Vec<u8> {
    std::fs::read(fixtures().join(name).join(std::str::from_utf8(path).unwrap())).unwrap()
}

/// Swaps the offsets of some objects in an index: neither matches its id.
fn swapped(mut index: Vec<u8>, hash_len: usize, pairs: &[(usize, usize)]) -> Vec<u8> {
    let count = u32::from_be_bytes(index[8 + 255 * 4..][..4].try_into().unwrap()) as usize;
    let offsets = 8 + 1024 + count * (hash_len + 4);
    for (one, other) in pairs {
        for byte in 0..4 {
            index.swap(offsets + one % count * 4 + byte, offsets + other % count * 4 + byte);
        }
    }
    index
}

#[test]
fn content_with_another_id_is_reported_or_found_elsewhere() {
    let mut failed = 0;
    for name in ["main", "mixed", "big-chain", "sha256"] {
        let fixture = fixture(name);
        let hash_len = fixture.hash.len();
        for index in &fixture.indexes {
            for pairs in [
                vec![],
                vec![(0, 1)],
                vec![(5, 90), (17, 18), (40, 3)],
                vec![(200, 1000), (7, 250)],
            ] {
                let bytes = swapped(bytes_of(name, index), hash_len, &pairs);
                let files = [(index.clone(), bytes)].into_iter().collect();
                let found = check(name, fixture.hash, &files, &fixture.ids);
                assert!(found == 0 || !pairs.is_empty(), "{name}");
                failed += found;
            }
        }
    }
    assert!(failed > 30, "{failed}");
}

#[test]
fn rows_of_a_damaged_pack_equal_single_reads() {
    let fixture = fixture("tiny");
    let pack = bytes_of("tiny", &fixture.packs[0]);
    let (mut failed, mut tried) = (0, 0);
    for (at, mask) in sweep::flips(12..pack.len() - 20, &[1, 0x20, 0xff]) {
        let mut changed = pack.clone();
        changed[at] ^= mask;
        let files = [(fixture.packs[0].clone(), changed)].into_iter().collect();
        failed += check("tiny", fixture.hash, &files, &fixture.ids);
        tried += 1;
    }
    assert!(failed > tried, "{failed} of {tried}");
}

/// An output that is long enough still grows if the last contents would be hashed alone.
#[test]
fn large_contents_wait_for_others_to_be_hashed_with() {
    let first_rows = |verify: Verify, name: &str| {
        let options = Options { verify, ..Options::default() };
        let mut host = Host::open(&fixtures().join(name), 65536, options).unwrap();
        let mut list = ObjectList::new(Order::BaseFirst, Filter::default());
        let (mut place, mut out) = (BatchCursor::default(), Output::default());
        let room = Room { most: 4 << 20, enough: 1 };
        host.ask(|repository| {
            let page = BatchPage { place: &mut place, room, out: &mut out };
            BatchReader::new(CONTENT).read(repository, &mut list, page)
        })
        .unwrap();
        place.index
    };
    assert_eq!(first_rows(Verify::None, "big-chain"), 1);
    assert!(first_rows(Verify::Oid, "big-chain") >= 4);
    // SHA-256 is not hashed by lanes.
    assert_eq!(first_rows(Verify::Oid, "sha256"), 1);
}
