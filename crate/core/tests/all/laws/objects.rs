//! Trees, commits, tags and loose objects: written again they are the same bytes, and their
//! fields equal those of slow readers.

use super::base::{self, assert_typed};
use super::input::Input;
use crate::common::Host;
use packlens::{
    Commit, Fields, HashKind, Headers, Limits, ObjectId, ObjectType, Options, Signature, Tag, Tree,
    Verify,
};
use std::io::Write;

/// Mode, name and id.
type SlowEntry = (u64, Vec<u8>, Vec<u8>);

/// Reads the entries of a tree slowly, and returns whether damage follows them.
fn slow_tree(hash: HashKind, content: &[u8]) -> (Vec<SlowEntry>, bool) {
    let mut entries = Vec::new();
    let mut rest = content;
    while !rest.is_empty() {
        let mut next = || {
            let nul = rest.iter().position(|byte| *byte == 0)?;
            let space = rest[..nul].iter().position(|byte| *byte == b' ')?;
            let mode = std::str::from_utf8(&rest[..space]).ok()?;
            let digits = mode.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
            let mode = u64::from_str_radix(mode, 8).ok().filter(|_| digits && mode.len() < 12)?;
            let name = &rest[space + 1..nul];
            let id = rest.get(nul + 1..nul + 1 + hash.len())?;
            rest = &rest[nul + 1 + hash.len()..];
            let whole = !name.is_empty() && mode <= u64::from(u32::MAX);
            whole.then(|| (mode, name.to_vec(), id.to_vec()))
        };
        match next() {
            Some(entry) => entries.push(entry),
            None => return (entries, true),
        }
    }
    (entries, false)
}

pub fn tree(data: &[u8]) {
    let mut input = Input(data);
    let hash = input.hash();
    let content = input.0;
    let mut tree = Tree::new(hash, content);
    let mut entries = Vec::new();
    let mut printed = Vec::new();
    let mut damaged = false;
    loop {
        let before = tree.rest();
        let Some(entry) = tree.next() else { break };
        let Ok(entry) = entry else {
            damaged = true;
            break;
        };
        let raw = &before[..before.len() - tree.rest().len()];
        let zeros = raw.iter().take_while(|byte| **byte == b'0').count();
        let digits = format!("{}{:o}", "0".repeat(zeros), entry.mode.0);
        // A mode of zeros alone keeps one of them.
        let digits = if entry.mode.0 == 0 { "0".repeat(zeros) } else { digits };
        let line = [digits.as_bytes(), b" ", entry.name, b"\0", entry.oid.as_bytes()].concat();
        assert_eq!(raw, line);
        printed.extend(line);
        entries.push((u64::from(entry.mode.0), entry.name.to_vec(), entry.oid.as_bytes().to_vec()));
    }
    assert!(tree.next().is_none(), "after an error it ends");
    assert!(content.starts_with(&printed) && (damaged || printed == content));
    assert_eq!((&entries, damaged), (&slow_tree(hash, content).0, slow_tree(hash, content).1));
    if let Some((_, name, _)) = entries.last() {
        let found = Tree::new(hash, content).find_entry(name).unwrap().unwrap();
        let first = entries.iter().find(|(_, other, _)| other == name).unwrap();
        assert_eq!(found.oid.as_bytes(), first.2);
    }
}

/// Header lines and the message, printed again, are the content.
fn check_headers(content: &[u8]) {
    let headers = Headers::new(content);
    let mut printed = Vec::new();
    for (key, value) in headers.clone() {
        let line = [key, b" ", value, b"\n"].concat();
        // A line of a key alone has no space, and the last may have no line feed.
        let rest = &content[printed.len()..];
        let bare = [key, value, b"\n"].concat();
        let taken = if rest.starts_with(&line) {
            line
        } else if rest.starts_with(&bare) {
            assert!(value.is_empty() || value.starts_with(b"\n "), "a key goes on");
            bare
        } else {
            let last = [&line[..line.len() - 1], &bare[..bare.len() - 1]];
            assert!(last.contains(&rest), "the last line");
            rest.to_vec()
        };
        printed.extend(taken);
        assert!(!key.contains(&b' ') && !key.contains(&b'\n'));
        assert!(headers.clone().find(key).is_some());
    }
    let message = headers.message();
    if content.len() > printed.len() {
        printed.push(b'\n');
    }
    printed.extend(message);
    assert_eq!(printed, content);
}

/// The fields of a signature are pieces of it, in order.
fn check_signature(signature: &Signature<'_>) {
    let Signature { raw, name, email, seconds, offset_minutes } = *signature;
    assert!(raw.windows(name.len().max(1)).any(|found| found == name) || name.is_empty());
    assert!(!email.contains(&b'>') && !name.contains(&b'<'));
    if seconds.is_none() {
        assert_eq!(offset_minutes, 0);
    }
    if let Some(close) = raw.iter().rposition(|byte| *byte == b'>') {
        let after = String::from_utf8_lossy(&raw[close + 1..]).into_owned();
        let is_space = |c: char| " \t\n\r".contains(c);
        let start = after.trim_start_matches(is_space);
        let rest = start.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &start[..start.len() - rest.len()];
        let zone = rest.trim_start_matches(is_space).as_bytes();
        let has_zone = matches!(zone, [b'+' | b'-', b'0'..=b'9', ..]);
        let has_open = raw[..close].contains(&b'<');
        let number = digits.parse::<u128>().map(|number| number.min(u64::MAX.into()) as u64);
        if digits.len() < 30 {
            assert_eq!(seconds, number.ok().filter(|_| has_open && has_zone));
        }
    }
}

fn hex_value(hash: HashKind, line: Option<&[u8]>, key: &str) -> Option<ObjectId> {
    let value = line?.strip_prefix(key.as_bytes())?;
    (value.len() == hash.hex_len()).then(|| ObjectId::from_hex(hash, value)).flatten()
}

pub fn commit(data: &[u8]) {
    let mut input = Input(data);
    let hash = input.hash();
    let content = input.0;
    check_headers(content);
    let Ok(commit) = Commit::decode(hash, content).map_err(|error| assert_typed(&error)) else {
        return;
    };
    // Reads the first lines slowly.
    let mut lines = content.split(|byte| *byte == b'\n');
    assert_eq!(Some(*commit.tree()), hex_value(hash, lines.next(), "tree "));
    for parent in commit.parents() {
        assert_eq!(Some(*parent), hex_value(hash, lines.next(), "parent "));
    }
    check_signature(&commit.author());
    check_signature(&commit.committer());
    assert!(content.ends_with(commit.message()));
    if let Some(signature) = commit.gpgsig() {
        let folded = commit.headers().find(b"gpgsig").unwrap();
        let lines: Vec<&[u8]> = signature.split(|byte| *byte == b'\n').collect();
        assert_eq!(lines.join(&b"\n "[..]), folded);
    }
}

pub fn tag(data: &[u8]) {
    let mut input = Input(data);
    let hash = input.hash();
    let content = input.0;
    check_headers(content);
    let Ok(tag) = Tag::decode(hash, content).map_err(|error| assert_typed(&error)) else {
        return;
    };
    let head = format!("object {}\ntype {}\ntag", tag.target().to_hex(), tag.target_type().name());
    let lower = content[..head.len()].to_ascii_lowercase();
    assert_eq!(lower, head.as_bytes());
    assert!(
        content.windows(tag.name().len().max(1)).any(|found| found == tag.name())
            || tag.name().is_empty()
    );
    tag.tagger().iter().for_each(check_signature);
    assert!(content.ends_with(tag.message()));
}

/// Reads a loose object slowly: type and content; the stream must use the whole file.
fn slow_loose(file: &[u8]) -> Option<(ObjectType, Vec<u8>)> {
    let mut inflater = flate2::Decompress::new(true);
    let mut text = Vec::with_capacity(1 << 16);
    let status = inflater.decompress_vec(file, &mut text, flate2::FlushDecompress::Finish);
    if !matches!(status, Ok(flate2::Status::StreamEnd)) || inflater.total_in() != file.len() as u64
    {
        return None;
    }
    let nul = text.iter().position(|byte| *byte == 0).filter(|nul| *nul < 32)?;
    let head = std::str::from_utf8(&text[..nul]).ok()?;
    let (name, size) = head.split_once(' ')?;
    let object_type = ObjectType::from_name(name.as_bytes())?;
    let content = text[nul + 1..].to_vec();
    (size == content.len().to_string()).then_some((object_type, content))
}

/// A loose object equals that of the slow reader, or both refuse it; with checks it matches
/// its id.
pub fn loose(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part, deflates) = (input.hash(), input.one_of(&[1, 7, 64, 512]), input.flag());
    let mut file = input.0.to_vec();
    if deflates {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Default::default());
        encoder.write_all(input.0).unwrap();
        file = encoder.finish().unwrap();
    }
    if file.len() > 1 << 12 {
        return;
    }
    let right = slow_loose(&file);
    let id = match &right {
        Some((object_type, content)) => packlens::object_id(hash, *object_type, content),
        None => ObjectId::from_bytes(hash, &[7; 32]).unwrap(),
    };
    let other = ObjectId::from_bytes(hash, &[9; 32]).unwrap();
    for (id, verify, expected) in [
        (id, Verify::Oid, right.as_ref()),
        (other, Verify::None, right.as_ref()),
        (other, Verify::Oid, None),
    ] {
        let hex = id.to_hex();
        let path = format!("objects/{}/{}", &hex[..2], &hex[2..]);
        let ask = |part| {
            let options = Options { limits: Limits::for_memory(1 << 20), verify, hash: Some(hash) };
            let mut host = Host::of_files(&[(&path, &file)], part, options).unwrap();
            host.object(&id, Fields { content: true, storage: false })
        };
        let found = ask(1 << 30);
        assert!(ask(part) == found, "in parts of {part}");
        found.as_ref().err().into_iter().for_each(assert_typed);
        assert!(found.as_ref().ok() == expected, "another object");
    }
    let _ = base::HASHES;
}
