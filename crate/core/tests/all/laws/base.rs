//! The small repository whose files the fuzzer changes: `tests/fixtures/fuzz`.

pub use crate::common::sealed;
use crate::common::Host;
use crate::kinds::{self, Tree};
use packlens::{
    object_id, Error, ErrorKind, Fields, HashKind, Limits, ObjectId, ObjectType, Options,
    PackIndex, Result, Verify,
};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex};

/// Far more memory than the small repository needs.
pub const MEMORY: u64 = 1 << 20;

pub const HASHES: [HashKind; 2] = [HashKind::Sha1, HashKind::Sha256];

static TREES: LazyLock<Mutex<BTreeMap<String, &'static Tree>>> = LazyLock::new(Mutex::default);

fn folder(hash: HashKind) -> &'static str {
    match hash {
        HashKind::Sha1 => "fuzz/sha1",
        HashKind::Sha256 => "fuzz/sha256",
    }
}

/// Returns the files of the repository, with those of a kind beside its packs.
pub fn tree(hash: HashKind, kind: &str) -> &'static Tree {
    let mut known = TREES.lock().unwrap();
    let read = || -> &'static Tree { Box::leak(Box::new(kinds::tree(folder(hash), kind))) };
    known.entry(format!("{}/{kind}", folder(hash))).or_insert_with(read)
}

/// Returns the files of a commit-graph by their paths in the repository.
pub fn graph(hash: HashKind, kind: &str) -> Tree {
    let prefix = format!("graphs/{kind}/");
    let own = |(path, bytes): (&String, &Vec<u8>)| {
        Some((format!("objects/info/{}", path.strip_prefix(&prefix)?), bytes.clone()))
    };
    tree(hash, "plain").iter().filter_map(own).collect()
}

/// Opens the repository from files in memory.
pub fn open(tree: &Tree, hash: HashKind, part: u64, verify: Verify) -> Host {
    try_open(tree, hash, part, verify).unwrap()
}

/// Like [`open`], for damage in files that opening may need.
pub fn try_open(tree: &Tree, hash: HashKind, part: u64, verify: Verify) -> Result<Host> {
    let files: Vec<_> =
        tree.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let options = Options { limits: Limits::for_memory(MEMORY), verify, hash: Some(hash) };
    Host::of_files(&files, part, options)
}

/// Opens a repository of a few files.
pub fn host(files: &[(&str, &[u8])], hash: HashKind, part: u64) -> Host {
    let limits = Limits::for_memory(MEMORY);
    let options = Options { limits, hash: Some(hash), ..Options::default() };
    Host::of_files(files, part, options).unwrap()
}

/// Splits an answer into records: a number (1 byte), the length of the content (4 bytes), the
/// content.
pub fn records(mut answer: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let (kind, mut rest) = answer.split_first()?;
        let content = string(&mut rest);
        answer = rest;
        Some((*kind, content))
    })
}

/// Takes off a length (4 bytes) and as many bytes.
pub fn string<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let (length, after) = rest.split_first_chunk::<4>().unwrap();
    let (taken, after) = after.split_at(u32::from_le_bytes(*length) as usize);
    *rest = after;
    taken
}

/// Returns the ids of all objects, as the indexes of the packs have them.
pub fn ids(hash: HashKind) -> Vec<ObjectId> {
    let indexes = tree(hash, "plain").iter().filter(|(path, _)| path.ends_with(".idx"));
    let mut ids = Vec::new();
    for (_, bytes) in indexes {
        let source = bytes.as_slice();
        let index = PackIndex::decode(&source, hash).unwrap();
        ids.extend((0..index.count()).map(|at| index.id_at(&source, at).unwrap()));
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Reads an object, and makes sure that it matches its id.
pub fn read(host: &mut Host, id: &ObjectId) -> Result<(ObjectType, Vec<u8>)> {
    let (object_type, content) = host.object(id, Fields { content: true, storage: true })?;
    assert_eq!(object_id(id.hash(), object_type, &content), *id, "wrong content");
    Ok((object_type, content))
}

/// Makes sure that an error is about the bytes, and not about packlens.
pub fn assert_typed(error: &Error) {
    let kinds = [
        ErrorKind::Corrupt,
        ErrorKind::NotFound,
        ErrorKind::Unsupported,
        ErrorKind::Limit,
        ErrorKind::WrongType,
    ];
    assert!(kinds.contains(&error.kind()), "{error:?}");
}

/// Returns the id of an object, the path it has as a loose one, and that file.
pub fn stored(
    hash: HashKind,
    object_type: ObjectType,
    content: &[u8],
) -> (ObjectId, String, Vec<u8>) {
    let id = object_id(hash, object_type, content);
    let hex = id.to_hex();
    let head = format!("{} {}\0", object_type.name(), content.len());
    let level = flate2::Compression::default();
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
    encoder.write_all(&[head.as_bytes(), content].concat()).unwrap();
    (id, format!("objects/{}/{}", &hex[..2], &hex[2..]), encoder.finish().unwrap())
}
