//! `ShowIndex` and `CountObjects`: in parts of every size, with files cut and with bytes
//! changed.

use crate::common::{fixtures, Host};
use packlens::{
    CountObjects, ErrorKind, HashKind, ObjectId, Options, Output, PackIndex, Result, ShowIndex,
};

const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];

fn index(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("storage/ids").join(name)).unwrap()
}

fn shown(bytes: &[u8], hash: HashKind, part: u64) -> Result<Vec<u8>> {
    let options = Options { hash: Some(hash), ..Options::default() };
    let mut host = Host::of_files(&[("idx", bytes)], part, options).unwrap();
    let mut entries = ShowIndex::new(b"idx");
    let mut rows = Vec::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| entries.fill(repository, 100, &mut out))?;
        assert!(out.len() <= 100 && (done || out.len() >= 16 + hash.len()));
        rows.extend(out.as_slice());
        if done {
            return Ok(rows);
        }
    }
}

#[test]
fn an_index_says_the_same_whatever_its_version_and_its_parts() {
    let hash = HashKind::Sha1;
    let bytes = index("two.idx");
    let layout = PackIndex::decode(&bytes.as_slice(), hash).unwrap();
    let mut expected = Vec::new();
    for at in 0..layout.count() {
        let source = &bytes.as_slice();
        expected.extend(layout.offset_at(source, at).unwrap().to_le_bytes());
        expected.extend(layout.crc_at(source, at).unwrap().unwrap().to_le_bytes());
        expected.extend(1u32.to_le_bytes());
        expected.extend(layout.id_at(source, at).unwrap().as_bytes());
    }
    let without_crcs: Vec<u8> =
        expected.chunks(36).flat_map(|row| [&row[..8], &[0; 8], &row[16..]].concat()).collect();
    for part in PARTS {
        assert!(shown(&bytes, hash, part).unwrap() == expected);
        assert!(shown(&index("long.idx"), hash, part).unwrap() == expected);
        assert!(shown(&index("one.idx"), hash, part).unwrap() == without_crcs);
        let rows = shown(&index("sha256.idx"), HashKind::Sha256, part).unwrap();
        assert_eq!(rows.len(), 2 * 48);
    }
}

#[test]
fn a_damaged_index_is_reported_or_names_another_place() {
    for name in ["one.idx", "two.idx", "long.idx"] {
        let bytes = index(name);
        for length in 0..bytes.len() {
            let error = shown(&bytes[..length], HashKind::Sha1, 1 << 30).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt, "{name} cut to {length}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            let answers = [7, 1 << 30].map(|part| shown(&changed, HashKind::Sha1, part));
            match answers {
                [Ok(one), Ok(other)] => assert!(one == other, "{name} at {at}"),
                [Err(one), Err(other)] => {
                    assert_eq!(one.kind(), other.kind(), "{name} at {at}");
                    let kinds = [ErrorKind::Corrupt, ErrorKind::Unsupported];
                    assert!(kinds.contains(&one.kind()), "{name} at {at}: {one}");
                }
                _ => panic!("{name} at {at}: the answers differ by part"),
            }
        }
    }
}

fn counted(host: &mut Host) -> Result<Vec<u8>> {
    let mut count = CountObjects::default();
    let mut out = Output::default();
    while !host.ask(|repository| count.fill(repository, &mut out))? {}
    Ok(out.as_slice().to_vec())
}

#[test]
fn counts_are_the_same_in_parts_of_every_size() {
    let whole = counted(&mut Host::fixture("storage/repo.git", 1 << 30)).unwrap();
    let numbers: Vec<_> = whole.chunks(8).map(|bytes| bytes[0]).collect();
    assert_eq!((numbers[0], numbers[2]), (7, 3));
    assert_eq!(whole[24..28], [5, 0, 0, 0]);
    for part in PARTS {
        assert!(counted(&mut Host::fixture("storage/repo.git", part)).unwrap() == whole);
    }
}

/// Each loose object is opened once, and none is kept open.
#[test]
fn counting_opens_each_file_once() {
    let mut host = Host::fixture("storage/repo.git", 1 << 30);
    counted(&mut host).unwrap();
    let opened = host.repository.stats().files_opened;
    assert!(opened <= 7 + 2 * 5 + 7 + 4, "{opened}");
}

/// A new pack in a repository has no index at first: it is not used.
#[test]
fn a_pack_without_an_index_is_ignored_once_the_repository_is_open() {
    let mut host = Host::fixture("storage/other.git", 1 << 30);
    let id = ObjectId::from_hex(HashKind::Sha1, &[b'1'; 40]).unwrap();
    let fields = packlens::Fields { content: true, storage: false };
    assert_eq!(host.object(&id, fields).unwrap_err().kind(), ErrorKind::NotFound);
    host.change("objects/pack/pack-9.pack", Some(b"PACK and more".to_vec()));
    assert_eq!(host.object(&id, fields).unwrap_err().kind(), ErrorKind::NotFound);
}
