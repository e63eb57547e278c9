//! Thin packs: completed as by git, or read beside the packs with their bases.

use crate::common::{fixtures, sealed, Host};
use crate::packs::{one_byte_more, PackWriter};
use packlens::{
    object_id, Build, Entry, EntryKind, Error, ErrorKind, Fields, HashKind, Header, IndexPack,
    IndexPackOptions, Inflater, Layout, Limits, Need, ObjectId, ObjectType, Options, Output,
    PackIndex, Result, Thin,
};
use std::collections::BTreeMap;

const KINDS: [(&str, HashKind); 2] = [("thin", HashKind::Sha1), ("thin/sha256", HashKind::Sha256)];

/// The step between tested bytes: a 32-bit program takes several times as long.
const STEP: usize = if cfg!(target_arch = "wasm32") { 7 } else { 1 };

fn read(folder: &str, name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(folder).join(name)).unwrap()
}

/// The results of indexing a pack.
#[derive(Debug, Default, PartialEq)]
struct Made {
    index: Vec<u8>,
    reverse: Vec<u8>,
    tail: Vec<u8>,
    facts: Vec<u8>,
}

impl Made {
    fn take(&mut self, records: &[u8]) {
        let mut rest = records;
        while let Some((head, after)) = rest.split_first_chunk::<5>() {
            let length = u32::from_le_bytes(head[1..].try_into().unwrap()) as usize;
            let (content, after) = after.split_at(length);
            match head[0] {
                1 => self.index.extend(content),
                2 => self.reverse.extend(content),
                3 => self.facts.extend(content),
                6 => self.tail.extend(content),
                _ => {}
            }
            rest = after;
        }
    }
}

fn try_fix(host: &mut Host, limits: Limits) -> Result<Made> {
    let options = IndexPackOptions {
        index: true,
        reverse: true,
        thin: Thin::Fix,
        ..IndexPackOptions::default()
    };
    let mut task = IndexPack::new(b"thin", b"", options, limits);
    let mut made = Made::default();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| task.fill(repository, 300, &mut out))?;
        assert!(task.memory() <= limits.memory);
        made.take(out.as_slice());
        if done {
            return Ok(made);
        }
    }
}

fn beside(repository: &str, pack: &[u8], part: u64) -> Host {
    let files = BTreeMap::from([(b"thin".to_vec(), pack.to_vec())]);
    Host::fixture_with(repository, files, part, Options::default())
}

fn fix(repository: &str, pack: &[u8], part: u64) -> Result<Made> {
    try_fix(&mut beside(repository, pack, part), Limits::default())
}

/// Joins a thin pack with its completion.
fn completed(pack: &[u8], made: &Made, hash: HashKind) -> Vec<u8> {
    let entries = &pack[12..pack.len() - hash.len()];
    [&pack[..8], &made.facts[..4].iter().rev().copied().collect::<Vec<_>>(), entries, &made.tail]
        .concat()
}

/// Returns the entries of a pack in its order: offset and id.
fn listed(index: &[u8], hash: HashKind) -> Vec<(u64, ObjectId, Option<u32>)> {
    let layout = PackIndex::decode(&index, hash).unwrap();
    let mut list: Vec<_> = (0..layout.count())
        .map(|at| {
            let offset = layout.offset_at(&index, at).unwrap();
            (offset, layout.id_at(&index, at).unwrap(), layout.crc_at(&index, at).unwrap())
        })
        .collect();
    list.sort();
    list
}

fn index_of(pack: &[u8], hash: HashKind) -> (Vec<u8>, Vec<u8>) {
    let (mut inflater, limits) = (Inflater::default(), Limits::default());
    let mut build = Build::new(&pack, hash).unwrap();
    while !build.step(&pack, &mut inflater, &limits).unwrap().is_complete() {}
    let indexes = build.finish().unwrap();
    (indexes.index().unwrap(), indexes.reverse_index().unwrap())
}

/// Compares all but the deflated bytes of the bases, which depend on the zlib: the bytes
/// before them, the ids of the bases, and their order.
#[test]
fn a_thin_pack_is_completed_to_that_of_git() {
    for (folder, hash) in KINDS {
        let (thin, git) = (read(folder, "thin.pack"), read(folder, "fixed.pack"));
        let made = fix(&format!("{folder}/older.git"), &thin, 1 << 30).unwrap();
        let fixed = completed(&thin, &made, hash);
        let end = thin.len() - hash.len();
        assert!(
            fixed[..end] == git[..end],
            "{folder}: the entries stay, and their number is git's"
        );
        let own = Header::decode(&&thin[..], hash).unwrap().count as usize;
        let (ours, theirs) = (listed(&made.index, hash), listed(&read(folder, "fixed.idx"), hash));
        assert_eq!(ours[..=own].len(), own + 1);
        assert_eq!(ours[..own], theirs[..own], "{folder}");
        let ids = |list: &[(u64, ObjectId, Option<u32>)]| {
            list.iter().map(|(_, id, _)| *id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&ours), ids(&theirs), "{folder}: the same bases in the same order");
        assert!(ours.len() > own + 1, "{folder}: more than one");
        let facts =
            [&(ours.len() as u32).to_le_bytes(), &fixed[fixed.len() - hash.len()..]].concat();
        assert_eq!(made.facts, facts, "{folder}");
        // The completed pack is self-contained, and the indexes are those of the completed pack.
        assert!(index_of(&fixed, hash) == (made.index, made.reverse), "{folder}");
    }
}

#[test]
fn where_a_part_ends_changes_nothing() {
    for (folder, _) in KINDS {
        let (older, thin) = (format!("{folder}/older.git"), read(folder, "thin.pack"));
        let whole = fix(&older, &thin, 1 << 30).unwrap();
        for part in [1, 7, 512, 65536] {
            assert!(fix(&older, &thin, part).unwrap() == whole, "{folder} by {part}");
        }
    }
}

#[test]
fn a_pack_that_lacks_nothing_stays_as_it_is() {
    let git = read("thin", "fixed.pack");
    let made = fix("thin/older.git", &git, 512).unwrap();
    assert!(made.index == read("thin", "fixed.idx") && made.reverse == read("thin", "fixed.rev"));
    assert!(made.tail.is_empty());
}

#[test]
fn missing_bases_are_an_error() {
    let thin = read("thin", "thin.pack");
    for part in [7, 1 << 30] {
        let error = fix("tiny", &thin, part).unwrap_err();
        let what = "the base of a delta is not in the pack";
        assert_eq!((error.kind(), error.what()), (ErrorKind::Corrupt, what));
        assert!(error.place().is_some());
    }
}

#[test]
fn damage_is_reported() {
    for (folder, hash) in KINDS {
        let (older, thin) = (format!("{folder}/older.git"), read(folder, "thin.pack"));
        let cuts = (0..thin.len()).step_by(STEP).map(|length| thin[..length].to_vec());
        let flips = (0..thin.len()).step_by(STEP).map(|at| {
            let mut changed = thin.clone();
            changed[at] ^= 1 << (at % 8);
            changed
        });
        for damaged in cuts.chain(flips) {
            let error = fix(&older, &damaged, 1 << 30).unwrap_err();
            let kinds = [ErrorKind::Corrupt, ErrorKind::Unsupported, ErrorKind::Limit];
            assert!(kinds.contains(&error.kind()), "{folder}: {error}");
        }
        assert!(fix(&older, &thin, 1 << 30).unwrap().tail.len() > hash.len());
    }
}

#[test]
fn damage_with_a_right_checksum_is_reported_or_is_another_pack() {
    let thin = read("thin", "thin.pack");
    let mut refused = 0;
    for at in (0..thin.len() - 20).step_by(STEP) {
        let mut changed = thin.clone();
        changed[at] ^= 1 << (at % 8);
        let changed = sealed(&changed, HashKind::Sha1);
        match fix("thin/older.git", &changed, 1 << 30) {
            Ok(made) => {
                let fixed = completed(&changed, &made, HashKind::Sha1);
                assert!(index_of(&fixed, HashKind::Sha1).0 == made.index, "byte {at}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000 / STEP, "{refused}");
}

fn blob_id(content: &[u8]) -> ObjectId {
    object_id(HashKind::Sha1, ObjectType::Blob, content)
}

fn loose(content: &[u8]) -> (String, Vec<u8>) {
    use std::io::Write;
    let hex = blob_id(content).to_hex();
    let mut deflated = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    deflated.write_all(format!("blob {}\0", content.len()).as_bytes()).unwrap();
    deflated.write_all(content).unwrap();
    (format!("objects/{}/{}", &hex[..2], &hex[2..]), deflated.finish().unwrap())
}

fn with_loose(pack: Vec<u8>, contents: &[&[u8]], layout: &Layout) -> Host {
    let mut files: Vec<(String, Vec<u8>)> = contents.iter().map(|content| loose(content)).collect();
    files.push(("thin".into(), pack));
    let files: Vec<_> =
        files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    let mut host = Host::of_files(&files, 1 << 30, options).unwrap();
    host.repository.configure(options, layout.clone());
    host
}

/// The second delta builds on the result of the first, and comes before it: its base is in
/// no repository, but the build makes it.
#[test]
fn a_base_that_is_made_of_another_is_not_looked_for_in_vain() {
    let (one, two, three) = (b"base", b"base!", b"base!?");
    let mut writer = PackWriter::new();
    writer.ref_delta(&blob_id(two), &one_byte_more(two.len(), b'?'));
    writer.ref_delta(&blob_id(one), &one_byte_more(one.len(), b'!'));
    let pack = writer.finish();
    let mut host = with_loose(pack.clone(), &[one], &Layout::default());
    let made = try_fix(&mut host, Limits::default()).unwrap();
    let ids: Vec<_> = listed(&made.index, HashKind::Sha1).iter().map(|(_, id, _)| *id).collect();
    assert_eq!(ids, [three.as_slice(), two, one].map(blob_id));
    // Like git, which adds every base it finds: the pack gets both.
    let mut host = with_loose(pack, &[one, two], &Layout::default());
    let made = try_fix(&mut host, Limits::default()).unwrap();
    assert_eq!(u32::from_le_bytes(made.facts[..4].try_into().unwrap()), 4);
}

#[test]
fn a_base_that_is_damaged_is_not_built_on() {
    let mut writer = PackWriter::new();
    writer.ref_delta(&blob_id(b"base"), &one_byte_more(b"base".len(), b'!'));
    let mut files = vec![("thin".to_owned(), writer.finish())];
    files.push((loose(b"base").0, loose(b"bass").1));
    let files: Vec<_> =
        files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    let mut host = Host::of_files(&files, 1 << 30, options).unwrap();
    let error = try_fix(&mut host, Limits::default()).unwrap_err();
    assert_eq!(error.what(), "the content does not match its object id");
}

/// All missing bases are requested at once, before any delta on them is applied.
#[test]
fn missing_bases_are_requested_together() {
    let mut writer = PackWriter::new();
    for content in [b"base", b"best", b"bust"] {
        writer.ref_delta(&blob_id(content), &one_byte_more(content.len(), b'!'));
    }
    let layout = Layout { fetches: true, ..Layout::default() };
    let mut host = with_loose(writer.finish(), &[b"best"], &layout);
    let options = IndexPackOptions { thin: Thin::Fix, ..IndexPackOptions::default() };
    let mut task = IndexPack::new(b"thin", b"", options, Limits::default());
    let mut asked = Vec::new();
    let error = loop {
        let filled = host.ask_watched(
            |repository| task.fill(repository, 300, &mut Output::default()),
            |_, need| {
                if let Need::Objects(ids) = need {
                    asked.push(ids.clone());
                }
            },
        );
        if let Err(error) = filled {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    let mut both = vec![blob_id(b"base"), blob_id(b"bust")];
    both.sort();
    asked.iter_mut().for_each(|ids| ids.sort());
    assert_eq!(asked.first(), Some(&both));
}

/// Long chains on a base that is not in the pack, with little memory: the base is available
/// whenever an object has to be made again.
#[test]
fn memory_obeys_its_ceiling() {
    let content: Vec<u8> = (0..60_000u32).map(|at| ((at * at) >> 7) as u8).collect();
    let mut writer = PackWriter::new();
    let mut base = writer.ref_delta(&blob_id(&content), &one_byte_more(content.len(), 0));
    for (size, byte) in (content.len() + 1..).zip(0..60) {
        writer.ofs_delta(base, &one_byte_more(size, 255 - byte));
        base = writer.ofs_delta(base, &one_byte_more(size, byte));
        writer.ofs_delta(base, &one_byte_more(size + 1, byte));
    }
    let pack = writer.finish();
    let made = |memory: u64| {
        let mut host = with_loose(pack.clone(), &[&content], &Layout::default());
        try_fix(&mut host, Limits::for_memory(memory))
    };
    let roomy = made(64 << 20).unwrap();
    for memory in [1 << 20, 2 << 20] {
        assert!(made(memory).unwrap() == roomy, "{memory}");
    }
    assert_eq!(made(150_000).unwrap_err().kind(), ErrorKind::Limit);
}

fn all_there(host: &mut Host, pack: &[u8], hash: HashKind) -> std::result::Result<(), Error> {
    for (_, id, _) in listed(&index_of(pack, hash).0, hash) {
        let (object_type, content) = host.object(&id, Fields { content: true, storage: false })?;
        assert_eq!(object_id(hash, object_type, &content), id);
    }
    Ok(())
}

/// A pack without an index gets one of its own objects; their bases are read from other
/// packs. Of two packs that build on each other, each is resumed after the other.
#[test]
fn a_thin_pack_is_read_beside_what_it_builds_on() {
    for (folder, hash) in KINDS {
        let bundle = read(folder, "later.bundle");
        let begin = bundle.windows(4).position(|bytes| bytes == b"PACK").unwrap();
        let (thin, later) = (read(folder, "thin.pack"), &bundle[begin..]);
        let counts = [&thin[..], later].map(|pack| Header::decode(&pack, hash).unwrap().count);
        assert!(counts[1] > 0);
        for names in [["a", "b"], ["b", "a"]] {
            for part in [1, 512, 1 << 30] {
                let path = |name| format!("objects/pack/pack-{name}.pack").into_bytes();
                let files = BTreeMap::from([
                    (path(names[0]), thin.clone()),
                    (path(names[1]), later.to_vec()),
                ]);
                let older = format!("{folder}/older.git");
                let mut host = Host::fixture_with(&older, files, part, Options::default());
                all_there(&mut host, &read(folder, "fixed.pack"), hash).unwrap();
            }
        }
    }
}

/// The first pack needs a base that only the second has, which is thin itself.
#[test]
fn thin_packs_wait_for_each_other() {
    let (one, two, three) = (b"base", b"base!", b"base!?");
    let pack = |base: &[u8], byte: u8| {
        let mut writer = PackWriter::new();
        writer.ref_delta(&blob_id(base), &one_byte_more(base.len(), byte));
        writer.finish()
    };
    let (path, content) = loose(one);
    let (first, second) = (pack(two, b'?'), pack(one, b'!'));
    let files: [(&str, &[u8]); 3] = [
        (&path, &content),
        ("objects/pack/pack-a.pack", &first),
        ("objects/pack/pack-b.pack", &second),
    ];
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    let mut host = Host::of_files(&files, 1 << 30, options).unwrap();
    let (_, content) =
        host.object(&blob_id(three), Fields { content: true, storage: false }).unwrap();
    assert_eq!(content, three);
    let error = Host::of_files(&files[1..], 1 << 30, options).err().unwrap();
    assert_eq!(error.what(), "the base of a delta is not in the pack");
}

/// The packs are git's own, so the packs compared with them are known to be thin.
#[test]
fn the_fixtures_are_thin() {
    for (folder, hash) in KINDS {
        let thin = read(folder, "thin.pack");
        let mut deltas = 0;
        let (mut offset, mut inflater) = (12, Inflater::default());
        for _ in 0..Header::decode(&&thin[..], hash).unwrap().count {
            let entry = Entry::decode(&&thin[..], hash, offset).unwrap();
            deltas += usize::from(matches!(entry.kind, EntryKind::RefDelta { .. }));
            let mut content = vec![0; entry.size as usize];
            offset = inflater.inflate(&&thin[..], entry.data_offset, &mut content).unwrap();
        }
        assert!(deltas > 1, "{folder}: {deltas}");
    }
}
