//! A look-up reads a handful of blocks, however many refs there are.

use crate::common::Host;
use packlens::{
    HashKind, Limits, ObjectId, OpenFile, Options, ReftableOptions, ReftableStack, ReftableWriter,
    Result, TableRef,
};

const REFS: u64 = 1_000_000;
const BLOCK: u64 = 4096;

fn id(number: u64) -> ObjectId {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    bytes[19] = 1;
    ObjectId::from_bytes(HashKind::Sha1, &bytes).unwrap()
}

fn name(number: u64) -> Vec<u8> {
    format!("refs/changes/{:02}/{number:07}/meta", number * 100 / REFS).into_bytes()
}

fn table() -> Vec<u8> {
    let mut writer = ReftableWriter::new(ReftableOptions::new(HashKind::Sha1, 1)).unwrap();
    for number in 0..REFS {
        // Leaves gaps, so that names between two blocks are looked up as well.
        writer.add_ref(&name(number), 1, TableRef::Id(id(number / 2))).unwrap();
    }
    writer.finish().unwrap()
}

/// Returns how many blocks a question reads in a newly opened repository.
fn blocks<T>(
    table: &[u8],
    question: impl Fn(&ReftableStack<OpenFile<'_>>) -> Result<T>,
) -> (T, u64) {
    let list = b"a.ref\n";
    let files: [(&str, &[u8]); 2] = [("reftable/tables.list", list), ("reftable/a.ref", table)];
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    let mut host = Host::of_files(&files, BLOCK, options).unwrap();
    let answer = host.ask(|repository| {
        let (files, limits) = (&repository.files, Limits::default());
        question(&ReftableStack::open(files, b"reftable", HashKind::Sha1, &limits)?.unwrap())
    });
    // One of the files is tables.list.
    (answer.unwrap(), host.repository.stats().blocks_read - 1)
}

#[test]
fn a_look_up_among_a_million_refs_reads_a_handful_of_blocks() {
    let table = table();
    assert!(table.len() as u64 > 8000 * BLOCK, "{} bytes", table.len());
    let mut most = 0;
    for number in (0..REFS).step_by(99_991) {
        let (found, read) = blocks(&table, |stack| stack.get(&name(number)));
        assert_eq!(found.unwrap().name, name(number));
        most = most.max(read);
        let (next, read) = blocks(&table, |stack| {
            let mut refs = stack.refs();
            refs.seek(&name(number))?;
            refs.next()
        });
        assert_eq!(next.unwrap().name, name(number));
        most = most.max(read);
    }
    // Header, footer, two levels of index, the block.
    assert_eq!(most, 5);

    // A missing name may sort first in its block: then the block before is read.
    let mut most = 0;
    for number in (0..REFS).step_by(99_991) {
        let missing = [&name(number)[..], b"/x"].concat();
        let (found, read) = blocks(&table, |stack| stack.get(&missing));
        assert_eq!(found, None);
        most = most.max(read);
    }
    assert!((5..=7).contains(&most), "{most}");

    // The index of the object blocks as well, and the blocks of both refs.
    let (found, read) = blocks(&table, |stack| stack.pointing_at(&id(77)));
    assert_eq!(
        found.iter().map(|found| found.name.clone()).collect::<Vec<_>>(),
        [name(154), name(155)]
    );
    assert!(read <= 12, "{read}");
}
