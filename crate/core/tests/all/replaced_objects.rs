//! Objects with replace refs: listings return them in their stored form, names what replaces
//! them.

use crate::common::Host;
use crate::loose_files::LooseFiles;
use packlens::{
    BatchCursor, BatchFormat, BatchMode, BatchPage, BatchReader, Fields, Filter, HashKind,
    ObjectId, ObjectList, ObjectType, Order, Output, Room, ROW_HEADER_LEN,
};

const CONTENT: Fields = Fields { content: true, storage: false };

/// Two blobs, the small one replaced by the large one, and perhaps an object before both that
/// does not match its id.
fn host(damaged: bool) -> (Host, [ObjectId; 2]) {
    let mut files = LooseFiles::default();
    let small = files.put(ObjectType::Blob, b"small\n");
    let large = files.put(ObjectType::Blob, &[b'x'; 3000]);
    files.reference(&format!("refs/replace/{}", small.to_hex()), &large);
    if damaged {
        let first = ObjectId::from_bytes(HashKind::Sha1, &[0; 20]).unwrap();
        files.put_as(&first, ObjectType::Blob, b"damaged\n");
    }
    (files.open(), [small, large])
}

/// Lists all objects; returns the type of each row and the size of its content.
fn listed(host: &mut Host) -> Vec<(u8, u64)> {
    let mut out = Output::default();
    // Each try begins anew, so the last one finds all files and hashes all objects together.
    let done = host.ask(|repository| {
        out.truncate(0);
        let mut list = ObjectList::new(Order::Sorted, Filter::default());
        let (mut place, room) = (BatchCursor::default(), Room::all(1 << 20));
        let page = BatchPage { place: &mut place, room, out: &mut out };
        BatchReader::new(CONTENT).read(repository, &mut list, page)
    });
    assert!(done.unwrap());
    let (mut rows, mut rest) = (Vec::new(), out.as_slice());
    while let Some(head) = rest.get(..ROW_HEADER_LEN) {
        let length = u64::from_le_bytes(head[24..32].try_into().unwrap());
        rows.push((head[0], length));
        rest = &rest[ROW_HEADER_LEN + length.next_multiple_of(8) as usize..];
    }
    rows
}

#[test]
fn a_listing_returns_the_stored_form_even_after_a_damaged_object() {
    let (mut host, [small, large]) = self::host(false);
    assert!(large > small);
    let whole = vec![(ObjectType::Blob as u8, 6), (ObjectType::Blob as u8, 3000)];
    assert_eq!(listed(&mut host), whole);
    // The objects after the damaged one are listed twice: hashed together, then one by one.
    let rows = listed(&mut self::host(true).0);
    assert_eq!(rows[1..], whole);
}

#[test]
fn a_filter_judges_what_replaces_a_named_object() {
    let (mut host, [small, large]) = host(false);
    let format = BatchFormat::parse(BatchFormat::DEFAULT).unwrap();
    let mode = BatchMode { contents: false, delimiter: b'\n' };
    let mut answer = |id: &ObjectId, most: u64| {
        let filter = Filter::default().with_sizes(ObjectType::ALL, 0..=most);
        let name = id.to_hex().into_bytes();
        let mut out = Output::default();
        host.ask(|repository| repository.answer(&name, b"", &format, mode, &filter, &mut out))
            .unwrap();
        String::from_utf8(out.as_slice()[41..].to_vec()).unwrap()
    };
    // As git 2.55 answers `cat-file --batch-check --filter=blob:limit=…`.
    for id in [small, large] {
        assert_eq!(answer(&id, 100), "excluded\n");
        assert_eq!(answer(&id, 3000), "blob 3000\n");
    }
}
