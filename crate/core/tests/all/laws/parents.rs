//! Files that change the parents of commits, or add object directories: `info/grafts`,
//! `shallow`, `info/alternates`.

use super::base::{self, assert_typed};
use super::input::Input;
use packlens::{
    alternates_in, Commit, HashKind, ObjectId, ObjectType, Result, RevList, RevListOptions, Verify,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

type Parents = BTreeMap<ObjectId, Vec<ObjectId>>;

static PARENTS: LazyLock<[Parents; 2]> = LazyLock::new(|| base::HASHES.map(parents));

fn parents(hash: HashKind) -> Parents {
    let mut host = base::open(base::tree(hash, "plain"), hash, 1 << 30, Verify::Oid);
    let mut found = Parents::new();
    for id in base::ids(hash) {
        let (object_type, content) = base::read(&mut host, &id).unwrap();
        if object_type == ObjectType::Commit {
            let commit = Commit::decode(hash, &content).unwrap();
            found.insert(id, commit.parents().to_vec());
        }
    }
    found
}

/// A line of grafts: a commit and its parents, a space before each.
fn slow_graft(hash: HashKind, line: &[u8]) -> Option<Vec<ObjectId>> {
    let line = line.trim_ascii_end();
    if line.starts_with(b"#") || line.is_empty() {
        return None;
    }
    let each = hash.hex_len() + 1;
    line.chunks(each)
        .enumerate()
        .map(|(at, chunk)| {
            let is_last = (at + 1) * each > line.len();
            let (hex, space) = chunk.split_at_checked(hash.hex_len())?;
            let ends = if is_last { space.is_empty() } else { space[0].is_ascii_whitespace() };
            ObjectId::from_hex(hash, hex).filter(|_| ends)
        })
        .collect()
}

/// Reads any bytes as `info/grafts` and as `shallow`: walks follow the parents given there.
pub fn grafts(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part, which) = (input.hash(), input.one_of(&[512, 64, 7]), input.below(2));
    // Numbers of commits between bars are their ids.
    let commits: Vec<ObjectId> =
        PARENTS[usize::from(hash == HashKind::Sha256)].keys().copied().collect();
    let mut text = Vec::new();
    while !input.0.is_empty() {
        match input.byte() {
            byte @ 0x80.. => {
                let id = commits[usize::from(byte) % commits.len()];
                text.extend(id.to_hex().bytes());
            }
            byte => text.push(byte),
        }
    }
    let mut tree = base::tree(hash, "plain").clone();
    let path = ["info/grafts", "shallow"][which];
    tree.insert(path.to_string(), text.clone());
    let walk = |part| -> Result<Vec<u8>> {
        let mut host = base::open(&tree, hash, part, Verify::Oid);
        let specs = vec![b"refs/heads/main".to_vec(), b"refs/heads/other".to_vec()];
        host.all_of(&mut RevList::new(specs, RevListOptions::default()))
    };
    let found = walk(1 << 30);
    assert!(walk(part) == found, "in parts of {part}");
    let mut parents = PARENTS[usize::from(hash == HashKind::Sha256)].clone();
    if which == 0 {
        let mut changed = BTreeSet::new();
        for ids in text.split(|byte| *byte == b'\n').filter_map(|line| slow_graft(hash, line)) {
            if changed.insert(ids[0]) {
                parents.insert(ids[0], ids[1..].to_vec());
            }
        }
    } else {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let hex = line.get(..hash.hex_len());
            let Some(id) = hex.and_then(|hex| ObjectId::from_hex(hash, hex)) else {
                assert!(found.is_err(), "a line that is no id is accepted");
                return;
            };
            parents.insert(id, Vec::new());
        }
    }
    // Walks from both tips; a missing commit ends the walk with an error.
    let mut host = base::open(base::tree(hash, "plain"), hash, 1 << 30, Verify::Oid);
    let tips = ["refs/heads/main", "refs/heads/other"];
    let mut open: Vec<ObjectId> =
        tips.map(|tip| host.ask(|repository| repository.resolve(tip.as_bytes())).unwrap()).to_vec();
    let mut seen = BTreeSet::new();
    let known = &PARENTS[usize::from(hash == HashKind::Sha256)];
    while let Some(id) = open.pop() {
        if !known.contains_key(&id) {
            assert!(found.is_err(), "{id:?} is missing");
            return;
        }
        if seen.insert(id) {
            open.extend(&parents[&id]);
        }
    }
    match &found {
        Ok(text) => {
            let lines = String::from_utf8_lossy(text);
            let lines: Vec<&str> = lines.lines().collect();
            assert_eq!(lines.len(), seen.len(), "each once");
            assert!(seen.iter().all(|id| lines.contains(&id.to_hex().as_str())));
        }
        Err(error) => {
            assert_typed(error);
            panic!("no commit is missing: {error}");
        }
    }
}

/// Quotes a path as in C.
fn quoted(path: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for byte in path {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', *byte]),
            b'\n' => out.extend(b"\\n"),
            b'\t' => out.extend(b"\\t"),
            0x20..0x7f => out.push(*byte),
            _ => out.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    out.push(b'"');
    out
}

/// Normalizes a path: removes `.` and, where possible, `..`.
fn slow_path(base: &[u8], named: &[u8]) -> Vec<u8> {
    let is_whole = named.starts_with(b"/") || base.starts_with(b"/");
    let joined = match named.starts_with(b"/") || base.is_empty() {
        true => named.to_vec(),
        false => [base, b"/", named].concat(),
    };
    let mut out: Vec<&[u8]> = Vec::new();
    for part in joined.split(|byte| *byte == b'/') {
        if part.is_empty() || part == b"." {
            continue;
        }
        if part == b".." {
            if out.last().is_some_and(|last| *last != b"..") {
                out.pop();
                continue;
            }
            if is_whole {
                continue;
            }
        }
        out.push(part);
    }
    [if is_whole { &b"/"[..] } else { b"" }, &out.join(&b'/')].concat()
}

/// Paths that are written as git reads them are read, quoted or not.
pub fn alternates(data: &[u8]) {
    let mut input = Input(data);
    let base: &[u8] = input.one_of(&[&b"objects"[..], b"/srv/objects", b""]);
    let separator = input.one_of(b"\n:;");
    if input.flag() {
        for path in alternates_in(input.0, separator, base) {
            assert!(!path.contains(&0));
            assert_eq!(slow_path(b"", &path), path, "it is a plain path");
        }
        return;
    }
    let mut text = Vec::new();
    let mut right = Vec::new();
    while !input.0.is_empty() {
        let (choice, length) = (input.byte(), input.below(12));
        let path: Vec<u8> =
            input.take(length).iter().map(|byte| if *byte == 0 { b'/' } else { *byte }).collect();
        let plain =
            !path.contains(&separator) && !path.starts_with(b"\"") && !path.starts_with(b"#");
        if plain && choice & 1 == 0 {
            text.extend(&path);
        } else {
            text.extend(quoted(&path));
        }
        if !path.is_empty() {
            right.push(slow_path(base, &path));
        }
        text.push(separator);
    }
    assert_eq!(alternates_in(&text, separator, base), right, "{}", text.escape_ascii());
}
