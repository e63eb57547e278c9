//! Checks objects by git's rules: the findings are those of a plain second parser.

use super::base::{self, records, string};
use super::input::Input;
use crate::packs::PackWriter;
use packlens::{
    is_refname, Checks, ErrorKind, Findings, HashKind, IndexPack, IndexPackOptions, Limits,
    MessageId, ObjectId, ObjectType, Output, SpecialFile, Strict,
};
use std::collections::BTreeSet;

/// The findings of an object.
#[derive(Default)]
struct Reported {
    ids: Vec<MessageId>,
    specials: Vec<(SpecialFile, ObjectId)>,
}

impl Findings for Reported {
    fn report(&mut self, id: MessageId, _about: &[u8]) {
        self.ids.push(id);
    }

    fn special(&mut self, file: SpecialFile, id: &ObjectId) {
        self.specials.push((file, *id));
    }
}

fn reported(hash: HashKind, object_type: ObjectType, content: &[u8]) -> Reported {
    let mut reported = Reported::default();
    Checks::new(hash, true, &mut reported).object(object_type, content);
    reported
}

/// Returns the names of the findings when a pack of one object is indexed, in parts; `None`
/// if git fails before it checks the object.
fn reported_of_pack(object_type: ObjectType, content: &[u8], part: u64) -> Option<Vec<String>> {
    let mut pack = PackWriter::new();
    pack.entry_of_size(object_type as u8, content.len() as u64, content);
    let pack = pack.finish();
    let mut host = base::host(&[("pack", &pack)], HashKind::Sha1, part);
    let options = IndexPackOptions { strict: Strict::Objects, ..IndexPackOptions::default() };
    let mut task = IndexPack::new(b"pack", b"", options, Limits::for_memory(1 << 20));
    let mut names = Vec::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| task.fill(repository, 300, &mut out));
        for (kind, record) in records(out.as_slice()) {
            // A finding that is not late: its weight, 0, the id, its name.
            if kind == 7 && record[1] == 0 {
                let mut texts = &record[2..];
                let [_, name] = [(); 2].map(|()| string(&mut texts));
                names.push(String::from_utf8(name.to_vec()).unwrap());
            }
        }
        match done {
            Ok(true) => return Some(names),
            Ok(false) => {}
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
                return Some(names).filter(|names| !names.is_empty());
            }
        }
    }
}

/// The findings do not depend on how the object arrives.
fn check_as_pack(object_type: ObjectType, content: &[u8], part: u64, reported: &Reported) {
    let names: Vec<_> = reported.ids.iter().map(|id| id.name().to_string()).collect();
    let whole = reported_of_pack(object_type, content, 1 << 30);
    assert_eq!(reported_of_pack(object_type, content, part), whole, "in parts of {part}");
    // There are no findings if indexing ended at a parse error, or of missing special files.
    if let Some(of_pack) = whole {
        assert_eq!(of_pack, names);
    }
}

const MODES: &[&str] = &["100644", "40000", "120000", "160000", "100755", "100664", "040000", "0"];

const NAMES: &[&str] = &[
    "a",
    "a",
    "b",
    "a.",
    "a-",
    "a.b",
    "a0",
    "ab",
    ".",
    "..",
    ".git",
    ".GIT",
    "a/b",
    ".gitmodules",
    ".gitattributes",
    "b.",
    "a!",
    "git~1",
    "a.b-",
    "b.c",
];

#[derive(Clone)]
struct Entry {
    mode: &'static str,
    name: Vec<u8>,
    id: u8,
}

impl Entry {
    fn is_tree(&self) -> bool {
        self.mode.ends_with("40000")
    }

    /// Returns the sort key: a directory sorts as if its name ended with a slash.
    fn key(&self) -> Vec<u8> {
        [&self.name[..], if self.is_tree() { b"/" } else { b"\0" }].concat()
    }
}

/// Checks trees of names that are likely to be wrong, in order or not.
fn tree(mut input: Input<'_>) {
    let (hash, part, sorts) = (input.hash(), input.part(), input.flag());
    let mut entries = Vec::new();
    while !input.0.is_empty() && entries.len() < 40 {
        let (mode, id) = (input.one_of(MODES), input.byte() % 8);
        let mut name = input.one_of(NAMES).as_bytes().to_vec();
        if id == 5 {
            name.extend(input.take(1).iter().filter(|byte| **byte > 0));
        }
        if id == 6 && entries.len() == 3 {
            name = name.repeat(3000);
        }
        entries.push(Entry { mode, name, id });
    }
    if sorts {
        entries.sort_by_key(Entry::key);
    }
    let content: Vec<u8> = entries
        .iter()
        .flat_map(|Entry { mode, name, id }| {
            [mode.as_bytes(), b" ", name, b"\0", &vec![*id; hash.len()]].concat()
        })
        .collect();
    let reported = reported(hash, ObjectType::Tree, &content);
    if hash == HashKind::Sha1 {
        check_as_pack(ObjectType::Tree, &content, part, &reported);
    }
    let ids: BTreeSet<MessageId> = reported.ids.iter().copied().collect();
    let any = |what: fn(&Entry) -> bool| entries.iter().any(what);
    for (id, right) in [
        (MessageId::NullSha1, any(|entry| entry.id == 0)),
        (MessageId::FullPathname, any(|entry| entry.name.contains(&b'/'))),
        (MessageId::HasDot, any(|entry| entry.name == b".")),
        (MessageId::HasDotdot, any(|entry| entry.name == b"..")),
        (MessageId::ZeroPaddedFilemode, any(|entry| entry.mode.starts_with('0'))),
        (MessageId::BadFilemode, any(|entry| matches!(entry.mode, "100664" | "0"))),
        (MessageId::LargePathname, any(|entry| entry.name.len() > 4096)),
    ] {
        assert_eq!(ids.contains(&id), right, "{}", id.name());
    }
    let dotgit =
        any(|entry| matches!(entry.name.to_ascii_lowercase().as_slice(), b".git" | b"git~1"));
    assert!(!dotgit || ids.contains(&MessageId::HasDotgit));
    let settings = |file: &SpecialFile| reported.specials.iter().any(|(own, _)| own == file);
    let links = [MessageId::GitmodulesSymlink, MessageId::GitattributesSymlink];
    for ((name, file), link) in
        [(".gitmodules", SpecialFile::Modules), (".gitattributes", SpecialFile::Attributes)]
            .iter()
            .zip(links)
    {
        let own = || entries.iter().filter(|entry| entry.name == name.as_bytes());
        assert!(own().all(|entry| entry.mode == "120000" || settings(file)), "{name}");
        assert!(own().all(|entry| entry.mode != "120000" || ids.contains(&link)), "{name}");
    }
    // A name that contains a slash cannot name a file.
    if !any(|entry| entry.name.contains(&b'/')) {
        check_order(&entries, &ids);
    }
}

fn check_order(entries: &[Entry], ids: &BTreeSet<MessageId>) {
    let names: BTreeSet<_> = entries.iter().map(|entry| &entry.name).collect();
    let has_twice = names.len() < entries.len();
    let is_unsorted =
        |pair: &[Entry]| pair[0].name != pair[1].name && pair[0].key() > pair[1].key();
    let unsorted = entries.windows(2).any(is_unsorted);
    assert_eq!(ids.contains(&MessageId::TreeNotSorted), unsorted, "order");
    let reported_twice = ids.contains(&MessageId::DuplicateEntries);
    assert!(!reported_twice || has_twice, "no entry is duplicated");
    // In an unsorted tree git finds only some duplicates.
    assert!(unsorted || reported_twice == has_twice, "an entry is duplicated");
}

/// Returns whether a line names an author or committer and a date.
fn is_identity(line: &[u8]) -> bool {
    // All bytes outside ASCII are equivalent here.
    let line: String =
        line.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { 'x' }).collect();
    let Some((name, rest)) = line.split_once('<') else { return false };
    let Some((email, rest)) = rest.split_once('>') else { return false };
    let Some(date) = rest.strip_prefix(' ') else { return false };
    let Some((seconds, zone)) = date.trim_start_matches([' ', '\t']).split_once(' ') else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zone = zone.len() == 5 && zone.starts_with(['+', '-']) && is_number(&zone[1..]);
    let is_date = is_number(seconds)
        && (seconds == "0" || !seconds.starts_with('0'))
        && seconds.parse::<i64>().is_ok();
    name.ends_with(' ') && !(name.to_string() + email).contains(['<', '>']) && is_date && is_zone
}

/// Returns the lines of headers, each with a line feed, if they are whole.
fn header_lines(content: &[u8]) -> Option<Vec<&[u8]>> {
    let end = content.windows(2).position(|pair| pair == b"\n\n").map(|end| end + 1);
    let header = &content[..end.unwrap_or(content.len())];
    let is_whole = header.ends_with(b"\n") && !header.contains(&0);
    is_whole.then(|| {
        content.strip_suffix(b"\n").unwrap_or(content).split(|byte| *byte == b'\n').collect()
    })
}

fn is_id(hash: HashKind, line: Option<&&[u8]>, key: &str) -> bool {
    let hex = line.and_then(|line| line.strip_prefix(key.as_bytes()));
    hex.is_some_and(|hex| hex.len() == hash.hex_len() && ObjectId::from_hex(hash, hex).is_some())
}

/// Returns whether a commit is valid.
fn is_good_commit(hash: HashKind, content: &[u8]) -> bool {
    let Some(lines) = header_lines(content) else { return false };
    let parents = lines.iter().skip(1).take_while(|line| line.starts_with(b"parent ")).count();
    let by = |line: Option<&&[u8]>, key: &str| {
        line.and_then(|line| line.strip_prefix(key.as_bytes())).is_some_and(is_identity)
    };
    is_id(hash, lines.first(), "tree ")
        && lines[1..].iter().take(parents).all(|line| is_id(hash, Some(line), "parent "))
        && by(lines.get(1 + parents), "author ")
        && by(lines.get(2 + parents), "committer ")
        && !content.contains(&0)
}

/// Returns whether a tag is valid.
fn is_good_tag(hash: HashKind, content: &[u8]) -> bool {
    let Some(lines) = header_lines(content) else { return false };
    let of = |at: usize, key: &str| lines.get(at)?.strip_prefix(key.as_bytes());
    is_id(hash, lines.first(), "object ")
        && of(1, "type ").is_some_and(|name| ObjectType::from_name(name).is_some())
        && of(2, "tag ").is_some_and(|name| is_refname(&[b"refs/tags/", name].concat()))
        && of(3, "tagger ").is_some_and(is_identity)
}

/// Pieces of headers, each nearly valid.
const PIECES: &[&str] = &[
    "tree ",
    "parent ",
    "author ",
    "committer ",
    "object ",
    "type ",
    "tag ",
    "tagger ",
    "\n",
    "\n\n",
    "A U Thor ",
    "<a@b>",
    " ",
    "1112911993",
    "0",
    " +0000",
    " -0730",
    "commit",
    "v1.0",
    "<",
    ">",
    "9223372036854775807",
    "9223372036854775808",
    "é",
    "gpgsig x\n y\n",
    "\0",
    "0000",
    "0123",
];

/// Checks commits and tags made of such pieces, or valid ones with some bytes changed.
fn headers(mut input: Input<'_>, object_type: ObjectType) {
    let (hash, part) = (input.hash(), input.part());
    let id = "1".repeat(hash.hex_len());
    let is_commit = object_type == ObjectType::Commit;
    let mut content = Vec::new();
    let edits = input.byte();
    if edits % 4 < 3 {
        let who = "A U Thor <a@b> 1112911993 +0200";
        let text = match is_commit {
            true => format!("tree {id}\nparent {id}\nauthor {who}\ncommitter {who}\n\nText\n"),
            false => format!("object {id}\ntype commit\ntag v1.0\ntagger {who}\n\nText\n"),
        };
        content = text.into_bytes();
        for _ in 0..=edits % 4 {
            let at = usize::from(u16::from_be_bytes([input.byte(), input.byte()])) % content.len();
            match input.byte() {
                choice @ 0..0x60 => {
                    let piece = PIECES[usize::from(choice) % PIECES.len()];
                    content.splice(at..at, piece.bytes());
                }
                0x60..0x90 => _ = content.drain(at..(at + input.below(40)).min(content.len())),
                0x90..0xc0 => content.truncate(at + 1),
                _ => content[at] = input.byte(),
            }
            if content.is_empty() {
                return;
            }
        }
    } else {
        while !input.0.is_empty() && content.len() < 1000 {
            match input.byte() {
                0xff => content.extend(id.bytes()),
                0xfe => content.extend(input.sized()),
                byte => content.extend(PIECES[usize::from(byte) % PIECES.len()].bytes()),
            }
        }
    }
    let reported = reported(hash, object_type, &content);
    if hash == HashKind::Sha1 {
        check_as_pack(object_type, &content, part, &reported);
    }
    let is_good = match is_commit {
        true => is_good_commit(hash, &content),
        false => is_good_tag(hash, &content),
    };
    assert_eq!(reported.ids.is_empty(), is_good, "{:?}: {}", reported.ids, content.escape_ascii());
}

/// Checks submodule names that leave their folder, and URLs and paths that look like options.
fn modules(mut input: Input<'_>) {
    let mut text = String::new();
    let mut wrong = BTreeSet::new();
    for _ in 0..=input.below(3) {
        let name =
            ["a", "..", "a/..", "../b", "a\\\\..\\\\b", "...", "a..b", "..a"][input.below(8)];
        let (is_outside, count) =
            (name.split(['/', '\\']).any(|part| part == ".."), input.below(4));
        // git never sees the name of a section without variables.
        if is_outside && count > 0 {
            wrong.insert(MessageId::GitmodulesName);
        }
        text.push_str(&format!("[submodule \"{name}\"]\n"));
        for _ in 0..count {
            let (key, id) = [
                ("path", MessageId::GitmodulesPath),
                ("url", MessageId::GitmodulesUrl),
                ("update", MessageId::GitmodulesUpdate),
            ][input.below(3)];
            let value = ["x", "-x", "./a", "!x", "https://h/a", "-"][input.below(6)];
            let is_wrong = match key {
                "update" => value.starts_with('!'),
                _ => value.starts_with('-'),
            };
            if is_wrong {
                wrong.insert(id);
            }
            text.push_str(&format!("\t{key} = {value}\n"));
        }
    }
    let mut reported = Reported::default();
    Checks::new(HashKind::Sha1, true, &mut reported)
        .special_file(SpecialFile::Modules, Some(text.as_bytes()));
    assert_eq!(reported.ids.into_iter().collect::<BTreeSet<_>>(), wrong, "{text}");
}

/// Checks objects that are nearly valid.
pub fn checks(data: &[u8]) {
    let mut input = Input(data);
    match input.byte() % 4 {
        0 => tree(input),
        1 => headers(input, ObjectType::Commit),
        2 => headers(input, ObjectType::Tag),
        _ => modules(input),
    }
}
