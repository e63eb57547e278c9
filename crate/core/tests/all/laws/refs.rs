//! Loose and packed refs, their names, and which names can be created.

use super::base::{self, assert_typed};
use super::input::{whole_and_in_parts, Input};
use crate::common::Host;
use packlens::{
    follows_rules, is_branch_name, is_refname, normalize_refname, Availability,
    AvailabilityOptions, CheckAvailable, ErrorKind, HashKind, Limits, ObjectId, PackedRefs,
    RefCounts, RefRecord, Reflog, ReflogEntry, RefnameRules, Result,
};
use std::collections::{BTreeMap, BTreeSet};

fn host(files: &[(String, Vec<u8>)], hash: HashKind, part: u64) -> Host {
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_slice())).collect();
    base::host(&files, hash, part)
}

/// Lists all refs, and looks names up.
fn ask(
    host: &mut Host,
    names: &[Vec<u8>],
) -> (Result<Vec<RefRecord>>, Vec<Result<Option<RefRecord>>>) {
    let refs = host.repository.refs().clone();
    let list = host.ask(|repository| refs.list(&repository.files, b"refs/"));
    let get = |name: &Vec<u8>| host.ask(|repository| refs.get(&repository.files, name));
    (list, names.iter().map(get).collect())
}

/// Reads any bytes as `packed-refs`, in parts of any size. If the names are sorted, the
/// `sorted` header changes nothing, and look-ups agree with the listing.
pub fn packed_refs(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.one_of(&[1, 7, 64, 512]));
    let text = input.0;
    let direct = whole_and_in_parts(text, part, |source| {
        let packed = PackedRefs::open(source, hash)?;
        let list = packed.list();
        let names = list.iter().flatten().take(20).map(|record| record.name.clone());
        let names: Vec<Vec<u8>> = names.chain([b"refs/heads/main".to_vec()]).collect();
        let found: Vec<_> = names.iter().map(|name| packed.find(name)).collect();
        packlens::Result::Ok((list, names, found))
    });
    let Ok((list, names, found)) = direct else { return };
    let files = |text: &[u8]| [("packed-refs".to_string(), text.to_vec())];
    let answer = ask(&mut host(&files(text), hash, 1 << 30), &names);
    assert!(ask(&mut host(&files(text), hash, part), &names) == answer, "in parts of {part}");
    let Ok(list) = list else { return };
    // `info/refs` does not distinguish a directory from a ref of the same name.
    let in_order = list.is_sorted_by(|one, other| one.name < other.name);
    if !in_order {
        return;
    }
    for (name, found) in names.iter().zip(found) {
        let right = list.iter().find(|record| record.name == *name);
        assert_eq!(found.as_ref().map(Option::as_ref), Ok(right));
    }
    let shown = |record: &&RefRecord| is_refname(&record.name) && record.name.starts_with(b"refs/");
    let right: Vec<&RefRecord> = list.iter().filter(shown).collect();
    assert!(answer.0.unwrap().iter().eq(right), "a list of other refs");
    // The same lines in reverse, in a file without the `sorted` header.
    let Some(rest) = text.strip_prefix(b"# pack-refs with: peeled fully-peeled sorted \n") else {
        return;
    };
    let mut groups: Vec<Vec<u8>> = Vec::new();
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        let line = [line.strip_suffix(b"\n").unwrap_or(line), b"\n"].concat();
        match groups.last_mut().filter(|_| line.starts_with(b"^")) {
            Some(group) => group.extend(line),
            None => groups.push(line),
        }
    }
    groups.reverse();
    let unsorted =
        [b"# pack-refs with: peeled fully-peeled \n", groups.concat().as_slice()].concat();
    let unsorted = ask(&mut host(&files(&unsorted), hash, part), &names);
    let sorted = ask(&mut host(&files(text), hash, part), &names);
    assert!(unsorted == sorted, "another order gives other refs");
}

/// Reads a loose ref slowly.
fn slow_value(hash: HashKind, text: &[u8]) -> Option<std::result::Result<ObjectId, Vec<u8>>> {
    if let Some(target) = text.strip_prefix(b"ref:") {
        let target = target.trim_ascii().to_vec();
        return slow_is_refname(&target, RefnameRules { one_level: true, pattern: false })
            .then_some(Err(target));
    }
    let digits = text.get(..hash.hex_len())?;
    let is_end = text.get(hash.hex_len()).is_none_or(u8::is_ascii_whitespace);
    let number = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let bytes: Option<Vec<u8>> = digits.chunks(2).filter(|_| is_hex).map(number).collect();
    ObjectId::from_bytes(hash, &bytes.filter(|bytes| !bytes.is_empty())?).filter(|_| is_end).map(Ok)
}

/// Resolves loose refs of any bytes that may point at each other.
pub fn loose_refs(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.one_of(&[1, 7, 512]));
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for name in ["HEAD", "refs/heads/a", "refs/heads/b"] {
        files.push((name.to_string(), input.sized().to_vec()));
    }
    let texts: BTreeMap<Vec<u8>, Vec<u8>> =
        files.iter().map(|(name, text)| (name.clone().into_bytes(), text.clone())).collect();
    for start in texts.keys() {
        let follow = |part| {
            let mut host = host(&files, hash, part);
            let refs = host.repository.refs().clone();
            host.ask(|repository| refs.follow(&repository.files, start))
        };
        let found = follow(1 << 30);
        assert_eq!(follow(part), found);
        // Follows the refs one by one. More than three steps are a circle.
        let mut name = start.clone();
        let mut right = None;
        for _ in 0..4 {
            right = Some(match texts.get(&name).map(|text| slow_value(hash, text)) {
                None => Ok((name, None)),
                Some(Some(Ok(id))) => Ok((name, Some(id))),
                Some(None) => Err(ErrorKind::Corrupt),
                Some(Some(Err(target))) => {
                    name = target;
                    continue;
                }
            });
            break;
        }
        let right = right.unwrap_or(Err(ErrorKind::Limit));
        assert_eq!(found.map_err(|error| error.kind()), right);
    }
}

/// Checks the rules of `git check-ref-format` one by one over the bytes.
fn slow_is_refname(name: &[u8], rules: RefnameRules) -> bool {
    let mut stars = 0;
    let mut before = b'/';
    let mut part = Vec::new();
    let mut parts = 0;
    if name == b"@" || name.is_empty() {
        return false;
    }
    for (at, byte) in name.iter().chain(b"/").enumerate() {
        match byte {
            0..=32 | 127 | b'~' | b'^' | b':' | b'?' | b'[' | b'\\' => return false,
            b'*' => stars += 1,
            b'.' if before == b'.' || before == b'/' => return false,
            b'{' if before == b'@' => return false,
            b'/' => {
                if part.is_empty() || part.ends_with(b".lock") {
                    return false;
                }
                if at == name.len() && part.ends_with(b".") {
                    return false;
                }
                part.clear();
                parts += 1;
                before = b'/';
                continue;
            }
            _ => {}
        }
        part.push(*byte);
        before = *byte;
    }
    stars <= usize::from(rules.pattern) && (rules.one_level || parts > 1)
}

/// A name is valid if the slow reader accepts it.
pub fn refname(data: &[u8]) {
    let mut input = Input(data);
    let rules = RefnameRules { one_level: input.flag(), pattern: input.flag() };
    let name = input.0;
    assert_eq!(follows_rules(name, rules), slow_is_refname(name, rules));
    let plain = RefnameRules { one_level: true, pattern: false };
    assert_eq!(is_refname(name), slow_is_refname(name, plain));
    let normal = normalize_refname(name);
    assert_eq!(normalize_refname(&normal), normal);
    assert!(!normal.starts_with(b"/") && !normal.windows(2).any(|pair| pair == b"//"));
    if follows_rules(name, rules) {
        assert_eq!(normal, name);
    }
    let is_branch = is_branch_name(name);
    let full = [b"refs/heads/", name].concat();
    assert!(!is_branch || (is_refname(&full) && !name.starts_with(b"-")));
}

const OID: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Picks one of few names that are nested in each other.
fn name(input: &mut Input<'_>) -> Vec<u8> {
    let byte = input.byte();
    let letter = |bits: u8| [b'a', b'b', b'c', b'.'][usize::from(bits & 3)];
    let mut name = b"refs/heads".to_vec();
    for part in 0..=(byte >> 6) {
        name.push(b'/');
        let letter = letter(byte >> (2 * (part % 3)));
        name.push(if letter == b'.' && byte & 1 == 0 { b'd' } else { letter });
    }
    name
}

fn names(input: &mut Input<'_>, most: usize) -> Vec<Vec<u8>> {
    (0..input.below(most)).map(|_| name(input)).collect()
}

/// Returns whether a name can be created, by comparing it with each of the others.
fn slow_available(
    name: &[u8],
    existing: &BTreeSet<Vec<u8>>,
    planned: &BTreeSet<Vec<u8>>,
    options: &AvailabilityOptions,
) -> Availability {
    if !is_refname(name) {
        return Availability::BadName;
    }
    let gone = |other: &Vec<u8>| options.deleting.contains(other);
    let there = |other: &Vec<u8>| existing.contains(other) && !options.initial;
    let below = |one: &[u8], other: &[u8]| one.starts_with(&[other, b"/"].concat());
    let mut above: Vec<Vec<u8>> = existing.union(planned).cloned().collect();
    above.retain(|other| below(name, other) && !gone(other));
    above.sort_by_key(Vec::len);
    for other in above {
        if there(&other) {
            return Availability::Exists(other);
        }
        if planned.contains(&other) {
            return Availability::PlannedTogether(other);
        }
    }
    let first = |others: &BTreeSet<Vec<u8>>| {
        others.iter().find(|other| below(other, name) && !gone(other)).cloned()
    };
    let existing = if options.initial { &BTreeSet::new() } else { existing };
    match (first(existing), first(planned)) {
        (Some(other), _) => Availability::IsPrefixOf(other),
        (None, Some(other)) => Availability::PlannedTogether(other),
        (None, None) => Availability::Available,
    }
}

/// Many names at once get the answers that each gets alone and that a slow check gives, with
/// every ref storage.
pub fn available(data: &[u8]) {
    let mut input = Input(data);
    let (choice, part) = (input.byte(), input.one_of(&[1, 7, 64, 512]));
    let mut existing: BTreeSet<Vec<u8>> = names(&mut input, 10).into_iter().collect();
    existing.retain(|name| is_refname(name));
    let options = AvailabilityOptions {
        deleting: names(&mut input, 5),
        extra: names(&mut input, 5),
        initial: choice % 8 == 7,
    };
    let asked = names(&mut input, 12);
    // A file cannot be a directory: of nested refs, the outer ones are packed.
    let is_outer = |name: &Vec<u8>| {
        existing.iter().any(|other| other.starts_with(&[name, &b"/"[..]].concat()))
    };
    let mut packed = "# pack-refs with: peeled fully-peeled sorted \n".to_string();
    let mut files = Vec::new();
    for (at, name) in existing.iter().enumerate() {
        let text = String::from_utf8(name.clone()).unwrap();
        if is_outer(name) || choice >> (at % 8) & 1 == 0 {
            packed.push_str(&format!("{OID} {text}\n"));
        } else {
            let broken = at % 3 == 2;
            files
                .push((text, if broken { b"?".to_vec() } else { format!("{OID}\n").into_bytes() }));
        }
    }
    files.push(("packed-refs".to_string(), packed.into_bytes()));
    let mut host = host(&files, HashKind::Sha1, part);
    let mut check = |names: &[Vec<u8>], options: &AvailabilityOptions| -> Vec<Availability> {
        let mut counts = RefCounts::default();
        let mut check = CheckAvailable::new(names.to_vec(), options.clone());
        let found = host.ask(|repository| {
            let found = check.run(repository.refs(), &repository.files, &mut counts)?;
            Ok(found.map(|(_, found)| found.clone()).collect())
        });
        assert!(counts.seeks <= names.len() as u64);
        found.unwrap()
    };
    let together = check(&asked, &options);
    let planned: BTreeSet<Vec<u8>> = asked.iter().chain(&options.extra).cloned().collect();
    let mut alone = options.clone();
    alone.extra.extend(asked.iter().cloned());
    for (name, found) in asked.iter().zip(together) {
        assert_eq!(check(std::slice::from_ref(name), &alone), std::slice::from_ref(&found));
        assert_eq!(found, slow_available(name, &existing, &planned, &options));
    }
}

/// Reads an entry of a reflog slowly: ids, identity, seconds, time zone, a tab, message.
fn slow_entry(hash: HashKind, line: &str) -> Option<ReflogEntry> {
    let (ids, why) = line.split_once('>')?;
    let hex = hash.hex_len();
    let id = |text: &str| ObjectId::from_hex(hash, text.as_bytes());
    let (old, new, who) =
        (ids.get(..hex)?, ids.get(hex + 1..2 * hex + 1)?, ids.get(2 * hex + 2..)?);
    if ids.get(hex..=hex)? != " " || ids.get(2 * hex + 1..2 * hex + 2)? != " " {
        return None;
    }
    let (seconds, rest) = why.strip_prefix(' ')?.split_once(' ')?;
    let (zone, message) = rest.split_at_checked(5)?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_sign = zone.starts_with(['+', '-']);
    let is_nothing = seconds.bytes().all(|digit| digit == b'0');
    if !is_number(seconds) || is_nothing || !has_sign || !is_number(&zone[1..]) {
        return None;
    }
    Some(ReflogEntry {
        old: id(old)?,
        new: id(new)?,
        committer: format!("{who}> {seconds} {zone}").into_bytes(),
        message: message.strip_prefix('\t').unwrap_or(message).as_bytes().to_vec(),
    })
}

/// Reads any bytes as a reflog: its valid lines, the last one first.
pub fn reflog(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part, times) = (input.hash(), input.one_of(&[7, 64, 512]), input.byte());
    let text = input.0.repeat(if times == 0xff { 40 } else { 1 });
    let answer = |part| {
        let mut host = host(&[("logs/HEAD".to_string(), text.clone())], hash, part);
        let mut log = Reflog::new(b"HEAD", hash, Limits::for_memory(1 << 20));
        let mut entries = Vec::new();
        while let Some(entry) = host.ask(|repository| log.next(&repository.files)).unwrap() {
            entries.push(entry);
        }
        entries
    };
    let entries = answer(1 << 30);
    assert!(answer(part) == entries, "in parts of {part}");
    if let Ok(text) = std::str::from_utf8(&text) {
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let mut right: Vec<_> = whole.filter_map(|line| slow_entry(hash, line)).collect();
        right.reverse();
        assert!(entries == right, "other entries");
    }
    let _ = assert_typed;
}
