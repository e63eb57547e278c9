//! An index made here equals git's, byte for byte.

use crate::common::sealed;
use crate::packs::{one_byte_more, PackWriter};
use packlens::{
    object_id, Build, Collisions, Comparison, Entry, EntryKind, ErrorKind, Files, HashKind, Header,
    Indexes, Inflater, Limits, Need, ObjectType,
};
use std::collections::BTreeSet;
use std::path::Path;

/// Fixtures whose index git wrote with other than its default options.
const OTHER_FORMS: [&str; 3] = ["index-v1", "offset64", "tiny-v1"];

/// The cost of making an index.
#[derive(Default)]
struct Cost {
    inflated: u64,
    applied: u64,
    memory: u64,
}

fn try_make(
    pack: &[u8],
    hash: HashKind,
    limits: &Limits,
) -> Result<(Indexes, Cost), packlens::Error> {
    let mut build = Build::new(&pack, hash)?;
    let mut inflater = Inflater::default();
    let mut cost = Cost::default();
    while !build.step(&pack, &mut inflater, limits)?.is_complete() {
        cost.memory = cost.memory.max(build.memory());
    }
    cost.memory = cost.memory.max(build.memory());
    cost.applied = build.deltas_applied();
    cost.inflated = build.inflated_bytes() + inflater.inflated_bytes();
    Ok((build.finish()?, cost))
}

fn made(pack: &[u8], hash: HashKind) -> Vec<u8> {
    try_make(pack, hash, &Limits::default()).unwrap().0.index().unwrap()
}

/// The inflated bytes of a pack's entries: all of them, plus the entries needed again to
/// resolve the deltas; and the number of deltas.
fn contents_of(pack: &[u8], hash: HashKind) -> (u64, u64, u64) {
    let mut inflater = Inflater::default();
    let mut offset = 12;
    let (mut sizes, mut deltas, mut bases) = (Vec::new(), 0, BTreeSet::new());
    for _ in 0..Header::decode(&pack, hash).unwrap().count {
        let entry = Entry::decode(&pack, hash, offset).unwrap();
        let mut content = vec![0; entry.size as usize];
        let end = inflater.inflate(&pack, entry.data_offset, &mut content).unwrap();
        let id = match entry.kind {
            EntryKind::Whole(object_type) => Some(object_id(hash, object_type, &content)),
            _ => None,
        };
        match entry.kind {
            EntryKind::OfsDelta { base_offset } => _ = bases.insert(Err(base_offset)),
            EntryKind::RefDelta { base } => _ = bases.insert(Ok(base)),
            EntryKind::Whole(_) => {}
        }
        deltas += u64::from(id.is_none());
        sizes.push((offset, entry.size, id));
        offset = end;
    }
    let again = |(offset, _, id): &&(u64, u64, Option<packlens::ObjectId>)| {
        id.is_none_or(|id| bases.contains(&Ok(id)) || bases.contains(&Err(*offset)))
    };
    let all = sizes.iter().map(|(_, size, _)| size).sum();
    (all, sizes.iter().filter(again).map(|(_, size, _)| size).sum(), deltas)
}

fn packs_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "pack")).collect()
}

#[test]
fn the_index_of_every_pack_is_that_of_git() {
    let mut compared = 0;
    for answers in crate::common::expected() {
        let name = answers["name"].as_str().unwrap();
        let hash = match answers["objectFormat"].as_str().unwrap() {
            "sha256" => HashKind::Sha256,
            _ => HashKind::Sha1,
        };
        let folder = crate::common::fixtures().join(answers["path"].as_str().unwrap());
        for pack in packs_in(&folder.join("objects/pack")) {
            let index = made(&std::fs::read(&pack).unwrap(), hash);
            let git = std::fs::read(pack.with_extension("idx")).unwrap();
            match OTHER_FORMS.contains(&name) {
                true => assert!(index != git, "{name} has an index of another form"),
                false => assert!(index == git, "{name}: {}", pack.display()),
            }
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared} packs");
}

#[test]
fn looking_for_collisions_changes_no_index() {
    let pack = packs_in(&crate::common::fixtures().join("main/objects/pack")).remove(0);
    let pack = std::fs::read(pack).unwrap();
    let mut build = Build::new(&pack.as_slice(), HashKind::Sha1).unwrap();
    build = build.with_collisions(Collisions::Detect);
    let (mut inflater, limits) = (Inflater::default(), Limits::default());
    while !build.step(&pack.as_slice(), &mut inflater, &limits).unwrap().is_complete() {}
    assert!(build.finish().unwrap().index().unwrap() == made(&pack, HashKind::Sha1));
}

#[test]
fn packs_that_differ_only_in_their_index_get_the_same_one() {
    let index_of = |name: &str| {
        let pack = packs_in(&crate::common::fixtures().join(name).join("objects/pack")).remove(0);
        made(&std::fs::read(pack).unwrap(), HashKind::Sha1)
    };
    assert!(index_of("tiny") == index_of("tiny-v1"));
    assert!(index_of("index-v1") == index_of("offset64"));
}

/// Every entry is inflated once to find its type and end; deltas and their bases once
/// more.
#[test]
fn no_entry_is_inflated_a_third_time_and_no_delta_applied_twice() {
    let mut deltas_seen = 0;
    for (name, hash) in [
        ("main", HashKind::Sha1),
        ("ref-delta", HashKind::Sha1),
        ("big-chain", HashKind::Sha1),
        ("sha256", HashKind::Sha256),
    ] {
        let pack = packs_in(&crate::common::fixtures().join(name).join("objects/pack")).remove(0);
        let pack = std::fs::read(pack).unwrap();
        let (_, cost) = try_make(&pack, hash, &Limits::default()).unwrap();
        let (all, again, deltas) = contents_of(&pack, hash);
        // Entries over half a megabyte take the path for entries larger than memory.
        assert_eq!((cost.inflated, cost.applied), (all + again, deltas), "{name}");
        deltas_seen += deltas;
    }
    assert!(deltas_seen > 300, "{deltas_seen} deltas");
}

/// Entries of 60,000 bytes: each delta has two deltas on it; the second one comes after
/// the first and all deltas on that were made.
fn deep_pack(depth: u32) -> (Vec<u8>, usize) {
    let content: Vec<u8> = (0..60_000u32).map(|at| ((at * at) >> 7) as u8).collect();
    let mut writer = PackWriter::new();
    let mut base = writer.blob(&content);
    let mut size = content.len();
    for byte in 0..depth {
        // The last delta is made first, whichever it is.
        if byte % 2 == 0 {
            writer.ofs_delta(base, &one_byte_more(size, 255 - byte as u8));
        }
        let first = writer.ofs_delta(base, &one_byte_more(size, byte as u8));
        if byte % 2 == 1 {
            writer.ofs_delta(base, &one_byte_more(size, 255 - byte as u8));
        }
        (base, size) = (first, size + 1);
    }
    (writer.finish(), 2 * depth as usize)
}

#[test]
fn memory_obeys_its_ceiling_whatever_has_to_be_made_again() {
    let (pack, deltas) = deep_pack(60);
    let (indexes, roomy) = try_make(&pack, HashKind::Sha1, &Limits::default()).unwrap();
    assert_eq!(roomy.applied, deltas as u64);
    assert!(roomy.memory > 1 << 20, "{}", roomy.memory);
    for memory in [1 << 20, 2 << 20] {
        let limits = Limits::for_memory(memory);
        let (narrow, cost) = try_make(&pack, HashKind::Sha1, &limits).unwrap();
        assert!(cost.memory <= memory, "{} of {memory}", cost.memory);
        assert!(cost.applied > roomy.applied, "what was not kept is made again");
        assert!(narrow.index().unwrap() == indexes.index().unwrap());
    }
    let error = try_make(&pack, HashKind::Sha1, &Limits::for_memory(100_000)).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn a_pack_that_announces_more_entries_than_it_can_hold_takes_no_memory_for_them() {
    let mut writer = PackWriter::new();
    writer.blob(b"alone");
    let mut pack = writer.finish();
    pack[8..12].copy_from_slice(&[0xff; 4]);
    let error = try_make(&pack, HashKind::Sha1, &Limits::default()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
}

/// An object stored twice that is the base of others by its id, and deltas whose bases
/// come after them.
#[test]
fn deltas_find_their_bases_by_id_at_any_offset() {
    let root: &[u8] = b"the root of them all, which is there twice";
    let first = [root, b"1"].concat();
    let second = [root, b"12"].concat();
    let id = |content: &[u8]| object_id(HashKind::Sha1, ObjectType::Blob, content);
    let mut writer = PackWriter::new();
    let size = root.len();
    writer.ref_delta(&id(&second), &one_byte_more(size + 2, b'3'));
    writer.ref_delta(&id(&first), &one_byte_more(size + 1, b'2'));
    let at = writer.blob(root);
    writer.ref_delta(&id(root), &one_byte_more(size, b'1'));
    writer.blob(root);
    writer.ofs_delta(at, &one_byte_more(size, b'x'));
    let pack = writer.finish();
    let (indexes, cost) = try_make(&pack, HashKind::Sha1, &Limits::default()).unwrap();
    assert_eq!((indexes.count(), cost.applied), (6, 4));
    let index = indexes.index().unwrap();
    let contents = [root, root, &first, &second, &[root, b"123"].concat(), &[root, b"x"].concat()];
    let mut ids: Vec<_> = contents.iter().map(|content| id(content)).collect();
    ids.sort_unstable();
    let listed: Vec<_> = index[1032..1032 + 6 * 20].chunks(20).collect();
    assert_eq!(listed, ids.iter().map(|id| id.as_bytes()).collect::<Vec<_>>());
    let twice = ids.iter().position(|other| *other == id(root)).unwrap();
    let offsets: Vec<_> = index[1032 + 6 * 24..1032 + 6 * 28].chunks(4).collect();
    assert!(offsets[twice] < offsets[twice + 1], "the same id in the order of the pack");
}

#[test]
fn deltas_that_build_on_each_other_are_an_error() {
    let (one, other) = (b"one", b"other");
    let id = |content: &[u8]| object_id(HashKind::Sha1, ObjectType::Blob, content);
    let mut writer = PackWriter::new();
    writer.blob(b"something else");
    let at = writer.ref_delta(&id(other), &one_byte_more(5, b'.'));
    writer.ref_delta(&id(one), &one_byte_more(3, b'.'));
    let error = try_make(&writer.finish(), HashKind::Sha1, &Limits::default()).err().unwrap();
    assert_eq!((error.kind(), error.place().unwrap().1), (ErrorKind::Corrupt, at));
}

#[test]
fn an_intact_index_of_another_pack_is_not_the_right_one() {
    let pack = packs_in(&crate::common::fixtures().join("tiny/objects/pack")).remove(0);
    let right = std::fs::read(pack.with_extension("idx")).unwrap();
    let pack = std::fs::read(pack).unwrap();
    let (indexes, _) = try_make(&pack, HashKind::Sha1, &Limits::default()).unwrap();
    let compared = |index: &[u8]| indexes.compare(&index, &mut Comparison::new(HashKind::Sha1));
    compared(&right).unwrap();
    compared(&sealed(&right, HashKind::Sha1)).unwrap();
    let count = 5;
    let (ids, crcs, offsets) = (1032, 1032 + count * 20, 1032 + count * 24);
    for (at, what) in [
        (ids + 19, "the index has an object id that its pack lacks"),
        (crcs + 7, "the index has a wrong checksum for an entry"),
        (offsets + 11, "the index has a wrong offset for an object"),
        (offsets + count * 4, "the index has the checksum of another pack"),
    ] {
        let mut other = right.clone();
        other[at] ^= 1;
        let error = compared(&sealed(&other, HashKind::Sha1)).unwrap_err();
        assert_eq!((error.kind(), error.what()), (ErrorKind::Corrupt, what));
    }
    let mut other = right.clone();
    *other.last_mut().unwrap() ^= 1;
    let error = compared(&other).unwrap_err();
    assert_eq!(error.what(), "the index does not match its checksum");
}

/// Missing bytes arrive part by part, and each part is requested once.
#[test]
fn an_index_is_compared_part_by_part() {
    let pack = packs_in(&crate::common::fixtures().join("main/objects/pack")).remove(0);
    let index = std::fs::read(pack.with_extension("idx")).unwrap();
    let pack = std::fs::read(pack).unwrap();
    let (indexes, _) = try_make(&pack, HashKind::Sha1, &Limits::default()).unwrap();
    let mut files = Files::new(1 << 20);
    let file = files.found(b"idx", index.len() as u64, 0);
    let mut comparison = Comparison::new(HashKind::Sha1);
    let mut asked = 0;
    while let Err(error) = indexes.compare(&files.source(file), &mut comparison) {
        let Some(Need::Bytes { offset, .. }) = error.need() else { panic!("{error}") };
        let start = *offset as usize / 64 * 64;
        let end = index.len().min(start + 64);
        files.add(file, start as u64, index[start..end].to_vec()).unwrap();
        asked += 1;
    }
    assert_eq!(asked, index.len().div_ceil(64));
}
