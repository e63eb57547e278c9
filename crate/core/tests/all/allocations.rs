//! Reading takes no memory of its own once its buffers are there.

use crate::common::{expected, Host};
use packlens::{
    BatchCursor, BatchPage, BatchReader, Fields, Filter, Need, ObjectList, Order, Output,
    Repository, Result, Room,
};

const FIELDS: Fields = Fields { content: true, storage: false };

/// Returns the ids of a fixture whose objects are all in one pack, as text.
fn ids(name: &str) -> Vec<Vec<u8>> {
    let answers = expected().into_iter().find(|answers| answers["path"] == name).unwrap();
    let order = answers["packOrder"].as_array().unwrap();
    order.iter().map(|id| id.as_str().unwrap().as_bytes().to_vec()).collect()
}

/// Counts what a second round of reading allocates, when the first found all bytes
/// and has made all buffers.
fn allocated_by(host: &mut Host, mut round: impl FnMut(&mut Repository)) -> u64 {
    round(&mut host.repository);
    allocation_counter::measure(|| round(&mut host.repository)).count_total
}

#[test]
fn single_reads_allocate_nothing() {
    for name in ["main", "sha256", "big-chain"] {
        let ids = ids(name);
        let mut host = Host::fixture(name, 65536);
        for id in &ids {
            host.ask(|repository| repository.read_row(id, None, FIELDS, &mut Output::default()))
                .unwrap();
        }
        let mut out = Output::default();
        let allocated = allocated_by(&mut host, |repository| {
            for id in &ids {
                out.truncate(0);
                repository.read_row(id, None, FIELDS, &mut out).unwrap();
            }
        });
        assert_eq!(allocated, 0, "{name}");
    }
}

/// Lists all contents, and returns how many there were.
fn list(repository: &mut Repository, out: &mut Output) -> Result<u64> {
    let mut list = ObjectList::new(Order::BaseFirst, Filter::default());
    let mut reader = BatchReader::new(FIELDS);
    let mut place = BatchCursor::default();
    out.truncate(0);
    let room = Room::all(8 << 20);
    loop {
        let page = BatchPage { place: &mut place, room, out };
        match reader.read(repository, &mut list, page) {
            Err(error) if error.need() == Some(&Need::Turn) => {}
            done => {
                assert!(done?);
                return Ok(place.index.into());
            }
        }
    }
}

/// The memory for the order and forest of the pack, and a bit for each of 256 directories of
/// loose objects.
const FOR_A_LISTING: u64 = 300;

#[test]
fn a_listing_allocates_for_the_pack_and_not_for_its_objects() {
    let allocated = ["main", "big-chain"].map(|name| {
        let mut host = Host::fixture(name, 65536);
        let mut out = Output::default();
        let count = host.ask(|repository| list(repository, &mut out)).unwrap();
        let measured = allocation_counter::measure(|| {
            assert_eq!(list(&mut host.repository, &mut out).unwrap(), count);
        });
        (measured.count_total, count)
    });
    assert!(allocated.iter().all(|(count, _)| *count < FOR_A_LISTING), "{allocated:?}");
}
