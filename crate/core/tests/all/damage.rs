//! Damaged files give the right object or a typed error, whatever the bytes are, and the same
//! one in parts of any size.

use crate::common::{expected_of, fixtures, sweep, Host};
use crate::packs::{index, PackWriter};
use packlens::{
    object_id, Error, ErrorKind, Fields, HashKind, Limits, ObjectId, ObjectType, Options, Result,
};

const PACK: &str = "objects/pack/p.pack";
const INDEX: &str = "objects/pack/p.idx";

/// Far more memory than the small repositories of these tests need.
const MEMORY: u64 = 1 << 20;

fn options(hash: HashKind) -> Options {
    Options { limits: Limits::for_memory(MEMORY), hash: Some(hash), ..Options::default() }
}

fn read(host: &mut Host, id: &ObjectId) -> Result<(ObjectType, Vec<u8>)> {
    host.object(id, Fields { content: true, storage: false })
}

/// The answers about a repository: each object, or the error in its place.
type Verdict = Vec<Result<()>>;

fn verdict(hash: HashKind, files: &[(&str, &[u8])], ids: &[ObjectId], part: u64) -> Verdict {
    let mut host = match Host::of_files(files, part, options(hash)) {
        Ok(host) => host,
        Err(error) => return vec![Err(error)],
    };
    let verdict = ids
        .iter()
        .map(|id| {
            let (object_type, content) = read(&mut host, id)?;
            assert_eq!(object_id(hash, object_type, &content), *id, "wrong content");
            Ok(())
        })
        .collect();
    assert!(host.repository.stats().memory_high_water <= MEMORY);
    verdict
}

/// Makes sure that errors are typed, and the same for parts of every size.
fn check(hash: HashKind, files: &[(&str, &[u8])], ids: &[ObjectId], what: &str) -> usize {
    check_in(&[1, 7, 512, 65536], hash, files, ids, what)
}

fn check_in(
    parts: &[u64],
    hash: HashKind,
    files: &[(&str, &[u8])],
    ids: &[ObjectId],
    what: &str,
) -> usize {
    let whole = verdict(hash, files, ids, 1 << 20);
    for error in whole.iter().filter_map(|result| result.as_ref().err()) {
        let kinds =
            [ErrorKind::Corrupt, ErrorKind::NotFound, ErrorKind::Unsupported, ErrorKind::Limit];
        assert!(kinds.contains(&error.kind()), "{what}: {error:?}");
    }
    for part in parts {
        assert_eq!(verdict(hash, files, ids, *part), whole, "{what} in parts of {part}");
    }
    whole.iter().filter(|result| result.is_ok()).count()
}

struct Small {
    hash: HashKind,
    pack: Vec<u8>,
    index: Vec<u8>,
    ids: Vec<ObjectId>,
}

fn small(name: &str) -> Small {
    let answers = expected_of(name);
    let hash = match answers["objectFormat"].as_str().unwrap() {
        "sha256" => HashKind::Sha256,
        _ => HashKind::Sha1,
    };
    let ids = answers["objects"].as_array().unwrap().iter().map(|object| {
        ObjectId::from_hex(hash, object["oid"].as_str().unwrap().as_bytes()).unwrap()
    });
    let folder = fixtures().join(name).join("objects/pack");
    let find = |ending: &str| {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut found = entries.filter(|path| path.to_str().unwrap().ends_with(ending));
        std::fs::read(found.next().unwrap()).unwrap()
    };
    Small { hash, pack: find(".pack"), index: find(".idx"), ids: ids.collect() }
}

/// Checks a file changed in all small ways; returns how many objects were right
/// and how many were asked for.
fn change_everything(
    small: &Small,
    original: &[u8],
    files: impl Fn(&[u8]) -> Vec<(&'static str, Vec<u8>)>,
) -> (usize, usize) {
    let mut right = 0;
    let mut asked = 0;
    let mut nth = 0;
    let mut try_bytes = |bytes: &[u8], what: String| {
        let files = files(bytes);
        let files: Vec<_> = files.iter().map(|(path, bytes)| (*path, bytes.as_slice())).collect();
        right += check_in(sweep::parts_of_turn(nth), small.hash, &files, &small.ids, &what);
        nth += 1;
        asked += small.ids.len();
    };
    for length in 0..original.len() {
        try_bytes(&original[..length], format!("cut to {length}"));
    }
    for (at, mask) in sweep::flips(0..original.len(), &[1, 0x10, 0x80, 0xff]) {
        let mut changed = original.to_vec();
        changed[at] ^= mask;
        try_bytes(&changed, format!("byte {at} changed by {mask:#x}"));
    }
    (right, asked)
}

#[test]
fn a_pack_cut_anywhere_or_with_any_byte_changed() {
    for name in ["tiny", "tiny-sha256"] {
        let small = small(name);
        let (right, asked) = change_everything(&small, &small.pack, |pack| {
            vec![(PACK, pack.to_vec()), (INDEX, small.index.clone())]
        });
        assert!(right > asked / 4 && right < asked, "{name}: {right} of {asked}");
    }
}

#[test]
fn an_index_cut_anywhere_or_with_any_byte_changed() {
    for name in ["tiny", "tiny-v1"] {
        let small = small(name);
        let (right, asked) = change_everything(&small, &small.index, |index| {
            vec![(PACK, small.pack.clone()), (INDEX, index.to_vec())]
        });
        assert!(right > 0 && right < asked, "{name}: {right} of {asked}");
    }
}

#[test]
fn a_pack_without_index_cut_anywhere_or_with_any_byte_changed() {
    let small = small("tiny");
    let (right, _) = change_everything(&small, &small.pack, |pack| vec![(PACK, pack.to_vec())]);
    assert_eq!(right, 0, "the checksum of the pack covers every byte");
}

#[test]
fn a_good_copy_elsewhere_is_read() {
    let small = small("tiny");
    let mut bad = small.pack.clone();
    for byte in &mut bad[14..300] {
        *byte ^= 0x55;
    }
    let files: [(&str, &[u8]); 4] = [
        ("objects/pack/a.pack", &bad),
        ("objects/pack/a.idx", &small.index),
        ("objects/pack/b.pack", &small.pack),
        ("objects/pack/b.idx", &small.index),
    ];
    assert_eq!(check(small.hash, &files, &small.ids, "two packs"), small.ids.len());
}

/// Reads objects of a pack made by hand.
fn outcome(pack: &[u8], entries: &[(ObjectId, u64)], id: &ObjectId) -> Result<Vec<u8>> {
    let index = index(HashKind::Sha1, entries);
    let files: [(&str, &[u8]); 2] = [(PACK, pack), (INDEX, &index)];
    check(HashKind::Sha1, &files, &[*id], "made by hand");
    let mut host = Host::of_files(&files, 512, options(HashKind::Sha1))?;
    read(&mut host, id).map(|(_, content)| content)
}

fn fake_id(byte: u8) -> ObjectId {
    ObjectId::from_bytes(HashKind::Sha1, &[byte; 20]).unwrap()
}

#[track_caller]
fn assert_corrupt(result: Result<Vec<u8>>, what: &str) {
    let error: Error = result.unwrap_err();
    assert_eq!((error.kind(), error.what()), (ErrorKind::Corrupt, what));
}

#[test]
fn deltas_in_circles() {
    for length in [1u8, 2, 3, 10] {
        let mut pack = PackWriter::new();
        let mut entries = Vec::new();
        for at in 0..length {
            let base = fake_id((at + 1) % length);
            entries.push((fake_id(at), pack.ref_delta(&base, &[1, 1, 1, b'x'])));
        }
        let result = outcome(&pack.finish(), &entries, &fake_id(0));
        assert_corrupt(result, "a chain of deltas is a circle");
    }
}

#[test]
fn a_missing_base() {
    let mut pack = PackWriter::new();
    let entries = [(fake_id(1), pack.ref_delta(&fake_id(9), &[1, 1, 1, b'x']))];
    let result = outcome(&pack.finish(), &entries, &fake_id(1));
    assert_corrupt(result, "the base of a delta was not found");
}

#[test]
fn sizes_that_cannot_be() {
    for size in [1 << 30, 1 << 40, (1 << 32) + 1, u64::MAX] {
        let mut pack = PackWriter::new();
        let entries = [(fake_id(1), pack.entry_of_size(3, size, b"x"))];
        let result = outcome(&pack.finish(), &entries, &fake_id(1));
        assert_corrupt(result, "an entry announces more bytes than it can inflate to");
    }
    for size in [0, 2, 100] {
        let mut pack = PackWriter::new();
        let entries = [(fake_id(1), pack.entry_of_size(3, size, b"x"))];
        let error = outcome(&pack.finish(), &entries, &fake_id(1)).unwrap_err();
        assert!(error.what().contains("bytes than announced"), "{error}");
    }
}

#[test]
fn a_delta_that_makes_more_than_memory_allows() {
    let mut pack = PackWriter::new();
    let base = b"0123456789";
    let base_id = object_id(HashKind::Sha1, ObjectType::Blob, base);
    let mut delta = vec![10];
    delta.extend([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);
    delta.extend([0x90, 10]);
    let entries = [(base_id, pack.blob(base)), (fake_id(1), pack.ref_delta(&base_id, &delta))];
    let error = outcome(&pack.finish(), &entries, &fake_id(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.what().contains("`memory`"), "{error}");
}

#[test]
fn a_chain_of_5000_deltas_with_and_without_an_index() {
    let mut pack = PackWriter::new();
    let mut content = b"begin".to_vec();
    let mut entries = vec![(object_id(HashKind::Sha1, ObjectType::Blob, &content), 12)];
    pack.blob(&content);
    for at in 0..5000u32 {
        let length = content.len() as u8;
        let byte = (at % 251) as u8;
        let mut delta = vec![length, length];
        // Copies all but the first byte, and appends a new one.
        delta.extend([0x91, 1, length - 1, 1, byte]);
        content.remove(0);
        content.push(byte);
        let offset = pack.ofs_delta(entries.last().unwrap().1, &delta);
        entries.push((object_id(HashKind::Sha1, ObjectType::Blob, &content), offset));
    }
    let (last, _) = *entries.last().unwrap();
    let pack = pack.finish();
    let made = index(HashKind::Sha1, &entries);
    let with: [(&str, &[u8]); 2] = [(PACK, &pack), (INDEX, &made)];
    let without: [(&str, &[u8]); 1] = [(PACK, &pack)];
    for files in [&with[..], &without[..]] {
        let mut host = Host::of_files(files, 512, options(HashKind::Sha1)).unwrap();
        assert_eq!(read(&mut host, &last).unwrap().1, content);
        assert!(host.repository.stats().memory_high_water <= MEMORY);
    }
}

#[test]
fn an_index_that_points_outside_its_pack() {
    let mut pack = PackWriter::new();
    let first = pack.blob(b"x");
    pack.blob(b"y");
    let pack = pack.finish();
    let end = pack.len() as u64 - 20;
    for offset in [0, 11, end, end + 20, 1 << 31, (1 << 32) + 12, u64::MAX] {
        let entries = [(fake_id(1), offset), (fake_id(2), first)];
        let result = outcome(&pack, &entries, &fake_id(1));
        assert_corrupt(result, "an index points outside its pack");
    }
}

#[test]
fn counts_that_disagree() {
    let mut pack = PackWriter::new();
    let id = object_id(HashKind::Sha1, ObjectType::Blob, b"x");
    let offset = pack.blob(b"x");
    let entries = [(id, offset), (fake_id(1), offset)];
    let what = "a pack and its index differ in their number of objects";
    assert_corrupt(outcome(&pack.finish(), &entries, &id), what);
}

#[test]
fn offsets_that_are_swapped_are_noticed_by_the_id() {
    let mut pack = PackWriter::new();
    let ids = [b"x", b"y"].map(|content| object_id(HashKind::Sha1, ObjectType::Blob, content));
    let offsets = [pack.blob(b"x"), pack.blob(b"y")];
    let entries = [(ids[0], offsets[1]), (ids[1], offsets[0])];
    let result = outcome(&pack.finish(), &entries, &ids[0]);
    assert_corrupt(result, "the content does not match its object id");
}
