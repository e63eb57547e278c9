//! Index files, whole and split: the objects they name are those of a second parser, and `fsck`
//! keeps them.

use super::base::{self, assert_typed, records, sealed, string};
use super::input::Input;
use crate::kinds::Tree;
use packlens::{Commit, Fsck, FsckOptions, HashKind, ObjectId, ObjectType, Output, Tag, Verify};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The links of each object of the repository.
type Links = BTreeMap<ObjectId, (ObjectType, Vec<ObjectId>)>;

static LINKS: LazyLock<[Links; 2]> = LazyLock::new(|| base::HASHES.map(links));

fn links(hash: HashKind) -> Links {
    let mut host = base::open(base::tree(hash, "plain"), hash, 1 << 30, Verify::Oid);
    let of = |id: ObjectId| {
        let (object_type, content) = base::read(&mut host, &id).unwrap();
        let to = match object_type {
            ObjectType::Commit => {
                let commit = Commit::decode(hash, &content).unwrap();
                [&[*commit.tree()], commit.parents()].concat()
            }
            ObjectType::Tree => {
                let entries = packlens::Tree::new(hash, &content).map(Result::unwrap);
                entries.map(|entry| entry.oid).collect()
            }
            ObjectType::Tag => vec![*Tag::decode(hash, &content).unwrap().target()],
            ObjectType::Blob => Vec::new(),
        };
        (id, (object_type, to))
    };
    base::ids(hash).into_iter().map(of).collect()
}

fn of_type(hash: HashKind, object_type: ObjectType) -> Vec<ObjectId> {
    let links = LINKS[usize::from(hash == HashKind::Sha256)].iter();
    links.filter(|(_, (own, _))| *own == object_type).map(|(id, _)| *id).collect()
}

fn blobs(hash: HashKind) -> Vec<ObjectId> {
    of_type(hash, ObjectType::Blob)
}

/// Returns some objects and everything reachable from them.
fn closure(links: &Links, mut open: Vec<ObjectId>) -> BTreeSet<ObjectId> {
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(links.get(&id).iter().flat_map(|(_, to)| to));
        }
    }
    seen
}

/// The findings of a repository: names, and the objects they are about.
type Findings = Vec<(String, Option<ObjectId>)>;

fn check(tree: &Tree, hash: HashKind, part: u64) -> packlens::Result<Findings> {
    let mut host = base::open(tree, hash, part, Verify::Oid);
    let options =
        FsckOptions { connectivity_only: true, unreachable: true, ..FsckOptions::default() };
    let mut fsck = Fsck::new(options);
    let mut findings = Findings::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| fsck.fill(repository, 1000, &mut out))?;
        for (_, record) in records(out.as_slice()).filter(|(kind, _)| *kind == 1) {
            let mut texts = &record[4..];
            let [oid, _, name] = [(); 3].map(|()| string(&mut texts));
            let name = String::from_utf8(name.to_vec()).unwrap();
            findings.push((name, ObjectId::from_bytes(hash, oid)));
        }
        if done {
            return Ok(findings);
        }
    }
}

/// Objects and one ref, without which git would not report unreachable objects: all other
/// objects are reachable from the index only.
fn with_index(hash: HashKind, index: &[u8]) -> Tree {
    let mut tree = base::tree(hash, "plain").clone();
    tree.retain(|path, _| path.starts_with("objects/") || path == "config");
    tree.insert("HEAD".into(), b"ref: refs/heads/none\n".to_vec());
    tree.insert("refs/tags/blob".into(), format!("{}\n", blobs(hash)[0].to_hex()).into_bytes());
    tree.insert("index".into(), index.to_vec());
    tree
}

/// Names with common prefixes, some longer than the length field of the flags can hold.
fn name(input: &mut Input<'_>) -> Vec<u8> {
    let start = input.one_of(&["a", "a/b", "folder/", "é", "b"]);
    let mut name = start.as_bytes().to_vec();
    let length = input.below(6);
    name.extend(input.take(length).iter().map(|byte| (*byte).max(1)));
    if input.byte() == 0xff {
        name = name.repeat(1500);
    }
    name
}

/// An entry: name, stage, mode, and whether it has extended flags.
type Entry = (Vec<u8>, u16, u32, bool, ObjectId);

fn write(
    hash: HashKind,
    version: u32,
    entries: &[Entry],
    extensions: &[(&[u8], Vec<u8>)],
) -> Vec<u8> {
    let mut out = b"DIRC".to_vec();
    out.extend(version.to_be_bytes());
    out.extend((entries.len() as u32).to_be_bytes());
    let mut before: &[u8] = b"";
    for (name, stage, mode, extended, id) in entries {
        let start = out.len();
        out.extend([0x5a; 24]);
        out.extend(mode.to_be_bytes());
        out.extend([0x5a; 12]);
        out.extend(id.as_bytes());
        let extended = *extended && version > 2;
        let flags = stage << 12 | u16::from(extended) << 14 | (name.len() as u16).min(0xfff);
        out.extend(flags.to_be_bytes());
        out.extend(if extended { &[0x40, 0][..] } else { &[] });
        if version == 4 {
            let kept = name.iter().zip(before).take_while(|(one, other)| one == other).count();
            out.extend(offset_number(before.len() - kept));
            out.extend(&name[kept..]);
            out.push(0);
        } else {
            out.extend(name);
            out.resize(out.len() + 8 - (out.len() - start) % 8, 0);
        }
        before = name;
    }
    for (name, content) in extensions {
        out.extend(*name);
        out.extend((content.len() as u32).to_be_bytes());
        out.extend(content);
    }
    out.extend(vec![0; hash.len()]);
    out
}

/// Encodes a number like an offset in packs: each byte but the last counts one more.
fn offset_number(mut value: usize) -> Vec<u8> {
    let mut bytes = vec![(value & 0x7f) as u8];
    while value >> 7 > 0 {
        value = (value >> 7) - 1;
        bytes.insert(0, 0x80 | (value & 0x7f) as u8);
    }
    bytes
}

/// A bitmap of literal words only.
fn compressed(bits: &[bool]) -> Vec<u8> {
    let words = bits.chunks(64).map(|bits| {
        bits.iter().enumerate().fold(0u64, |word, (at, bit)| word | u64::from(*bit) << at)
    });
    let words: Vec<u64> = words.collect();
    let head = (words.len() as u64) << 33;
    let mut out = (bits.len() as u32).to_be_bytes().to_vec();
    out.extend((words.len() as u32 + 1).to_be_bytes());
    [head].iter().chain(&words).for_each(|word| out.extend(word.to_be_bytes()));
    out.extend([0; 4]);
    out
}

/// Moves some entries to a shared file, which has others too that are deleted or replaced: returns
/// the entries that stay, the extension and the shared file with its name.
fn split(
    hash: HashKind,
    version: u32,
    entries: &[Entry],
    other: ObjectId,
) -> (Vec<Entry>, Vec<u8>, (String, Vec<u8>)) {
    let (mut shared, mut marks) = (Vec::new(), Vec::new());
    let (mut replacing, mut added) = (Vec::new(), Vec::new());
    for (at, entry) in entries.iter().enumerate() {
        let (name, stage, ..) = entry;
        match at % 4 {
            0 => added.push(entry.clone()),
            1 => {
                shared.push((name.clone(), *stage, 0o100_644, false, other));
                marks.push((false, true));
                let mut own = entry.clone();
                own.0.clear();
                replacing.push(own);
            }
            kind => {
                shared.push(entry.clone());
                marks.push((false, false));
                let deleted = [name.as_slice(), b"\x01"].concat();
                if kind == 3 && entries.get(at + 1).is_none_or(|next| next.0 > deleted) {
                    shared.push((deleted, 0, 0o100_644, false, other));
                    marks.push((true, false));
                }
            }
        }
    }
    let shared = sealed(&write(hash, version, &shared, &[]), hash);
    let id = ObjectId::from_bytes(hash, &shared[shared.len() - hash.len()..]).unwrap();
    let mut link = id.as_bytes().to_vec();
    link.extend(compressed(&marks.iter().map(|(deleted, _)| *deleted).collect::<Vec<_>>()));
    link.extend(compressed(&marks.iter().map(|(_, replaced)| *replaced).collect::<Vec<_>>()));
    let own = [replacing, added].concat();
    (own, link, (format!("sharedindex.{}", id.to_hex()), shared))
}

/// Makes a file of entries and extensions, some of which name missing objects; or any bytes,
/// with a right hash at the end or not.
pub fn index_file(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part, kind) = (input.hash(), input.part(), input.byte());
    if kind % 4 > 0 {
        let index = if kind % 4 == 1 { sealed(input.0, hash) } else { input.0.to_vec() };
        return any_bytes(hash, part, &index);
    }
    let links = &LINKS[usize::from(hash == HashKind::Sha256)];
    let (blobs, trees) = (blobs(hash), of_type(hash, ObjectType::Tree));
    let version = 2 + u32::from(kind >> 2) % 3;
    let mut named = vec![blobs[0]];
    let mut entries: BTreeMap<(Vec<u8>, u16), (u32, bool, ObjectId)> = BTreeMap::new();
    let mut cached = Vec::new();
    let mut undone = Vec::new();
    let mut count = 0;
    while !input.0.is_empty() && count < 30 {
        count += 1;
        let (choice, nth) = (input.byte(), usize::from(input.byte()));
        let (blob, tree) = (blobs[nth % blobs.len()], trees[nth % trees.len()]);
        match choice % 8 {
            0..=4 => {
                let mode = [0o100_644, 0o120_000, 0o160_000, 0o040_000, 0o100_755]
                    [usize::from(choice % 8)];
                let id = if mode == 0o040_000 { tree } else { blob };
                // The stages of a path are adjacent; an entry of stage 0 is the only one.
                let stage = u16::from(choice >> 4) % 4;
                let key = (name(&mut input), stage);
                let is_alone = entries.keys().all(|(own, other)| {
                    *own != key.0 || (stage > 0 && *other > 0 && *other != stage)
                });
                if is_alone {
                    named.extend(Some(id).filter(|_| mode != 0o160_000));
                    entries.insert(key, (mode, choice & 8 > 0, id));
                }
            }
            5 | 6 => {
                cached.push(tree);
                named.push(tree);
            }
            _ => {
                let mode = if choice & 8 > 0 { 0o100_644 } else { 0o120_000 };
                undone.extend(format!("u{count}\0{mode:o}\0").bytes());
                undone.extend(b"0\x000\0");
                undone.extend(blob.as_bytes());
                named.extend(Some(blob).filter(|_| mode == 0o100_644));
            }
        }
    }
    let mut extensions: Vec<(&[u8], Vec<u8>)> = Vec::new();
    if let Some((first, others)) = cached.split_first() {
        let mut content = format!("\x001 {}\n", others.len()).into_bytes();
        content.extend(first.as_bytes());
        for (at, tree) in others.iter().enumerate() {
            content.extend(format!("t{at}\x001 0\n").bytes());
            content.extend(tree.as_bytes());
        }
        extensions.push((b"TREE", content));
    }
    if !undone.is_empty() {
        extensions.push((b"REUC", undone));
    }
    extensions.push((b"ABCD", vec![7; 3]));
    let mut entries: Vec<Entry> = entries
        .into_iter()
        .map(|((name, stage), (mode, extended, id))| (name, stage, mode, extended, id))
        .collect();
    let mut shared = None;
    if kind & 0x80 > 0 {
        let (own, link, file) = split(hash, version, &entries, blobs[blobs.len() - 1]);
        entries = own;
        extensions.push((b"link", link));
        shared = Some(file);
    }
    let mut index = write(hash, version, &entries, &extensions);
    // A file without a hash is as valid.
    if kind & 0x40 > 0 {
        index = sealed(&index, hash);
    }
    let mut tree = with_index(hash, &index);
    tree.extend(shared);
    let findings = check(&tree, hash, 1 << 30).unwrap();
    assert_eq!(check(&tree, hash, part).unwrap(), findings, "in parts of {part}");
    let reached = closure(links, named);
    let lost: BTreeSet<ObjectId> = findings
        .iter()
        .filter(|(name, _)| name == "unreachable")
        .filter_map(|(_, id)| *id)
        .collect();
    let right = links.keys().filter(|id| !reached.contains(id)).copied().collect();
    assert_eq!(lost, right, "version {version}: {findings:?}");
    assert!(!findings.iter().any(|(name, _)| name.contains("ndex")), "{findings:?}");
}

/// Any bytes: the same findings in parts, and no object becomes unreachable.
fn any_bytes(hash: HashKind, part: u64, index: &[u8]) {
    let tree = with_index(hash, index);
    let found = check(&tree, hash, 1 << 30);
    assert_eq!(check(&tree, hash, part), found, "in parts of {part}");
    let findings = match found {
        Ok(findings) => findings,
        Err(error) => return assert_typed(&error),
    };
    let damaged = findings.iter().any(|(name, _)| {
        ["shortIndexFile", "badIndexFile", "badIndexEntries"].contains(&name.as_str())
    });
    let lost = findings.iter().filter(|(name, _)| name == "unreachable").count();
    let links = &LINKS[usize::from(hash == HashKind::Sha256)];
    assert!(!damaged || lost + 1 == links.len(), "of a damaged one something is believed");
    let names = slow_names(index, hash);
    let is_sorted = names.as_ref().is_none_or(|names| names.is_sorted());
    assert!(damaged || is_sorted, "unsorted entries are not reported");
}

/// Reads the names and stages of a file of version 2 or 3 slowly.
fn slow_names(index: &[u8], hash: HashKind) -> Option<Vec<(Vec<u8>, u16)>> {
    let number = |at: usize| Some(u32::from_be_bytes(index.get(at..at + 4)?.try_into().unwrap()));
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=3).contains(&version) {
        return None;
    }
    let (mut at, mut names) = (12, Vec::new());
    for _ in 0..count {
        let start = at;
        at += 40 + hash.len();
        let flags = u16::from_be_bytes(index.get(at..at + 2)?.try_into().unwrap());
        at += if flags & 0x4000 > 0 { 4 } else { 2 };
        let rest = index.get(at..)?;
        let length = match flags & 0xfff {
            0xfff => rest.iter().position(|byte| *byte == 0)?,
            length => usize::from(length),
        };
        names.push((rest.get(..length)?.to_vec(), flags >> 12 & 3));
        at += length;
        at += 8 - (at - start) % 8;
    }
    Some(names)
}
