//! Ids that packs of a promisor refer to: as many are kept as memory allows.

use crate::common::Host;
use crate::packs::{index, PackWriter};
use packlens::{object_id, ErrorKind, HashKind, Limits, ObjectId, ObjectType, Options, Repository};

const MEMORY: u64 = 1 << 20;

/// An eighth of the memory holds so many: see `promised.rs` of the core.
const MOST: u64 = MEMORY / 8 / 16;

fn id(number: u64) -> ObjectId {
    object_id(HashKind::Sha1, ObjectType::Blob, &number.to_le_bytes())
}

/// Opens a partial clone that has one tree, of so many blobs it lacks.
fn lacking(blobs: u64) -> Host {
    let mut tree = Vec::new();
    for number in 0..blobs {
        tree.extend(format!("100644 {number:08}\0").into_bytes());
        tree.extend(id(number).as_bytes());
    }
    let mut writer = PackWriter::new();
    let offset = writer.entry_of_size(2, tree.len() as u64, &tree);
    let tree_id = object_id(HashKind::Sha1, ObjectType::Tree, &tree);
    let idx = index(HashKind::Sha1, &[(tree_id, offset)]);
    let pack = writer.finish();
    let limits = Limits::for_memory(MEMORY);
    let options = Options { hash: Some(HashKind::Sha1), limits, ..Options::default() };
    let files: [(&str, &[u8]); 3] = [
        ("objects/pack/pack-1.pack", &pack),
        ("objects/pack/pack-1.idx", &idx),
        ("objects/pack/pack-1.promisor", b""),
    ];
    Host::of_files(&files, 1 << 30, options).unwrap()
}

fn kind_of(host: &mut Host, id: ObjectId) -> ErrorKind {
    let ask = |repository: &mut Repository| {
        let error = repository.object_type(&id).unwrap_err();
        Err::<(), _>(if error.is_missing() { error } else { repository.as_promised(error)? })
    };
    host.ask(ask).unwrap_err().kind()
}

#[test]
fn promised_objects_differ_from_missing_ones() {
    let mut host = lacking(MOST - 10);
    assert_eq!(kind_of(&mut host, id(7)), ErrorKind::Promised);
    assert_eq!(kind_of(&mut host, id(MOST)), ErrorKind::NotFound);
}

#[test]
fn with_too_many_promised_objects_every_missing_one_is_promised() {
    let mut host = lacking(MOST + 1);
    assert_eq!(kind_of(&mut host, id(7)), ErrorKind::Promised);
    assert_eq!(kind_of(&mut host, id(MOST + 5)), ErrorKind::Promised);
}
