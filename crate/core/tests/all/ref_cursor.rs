//! The cursor over refs: loose and packed refs in one order, from any name on, and the
//! same with any parts, and any header and order of `packed-refs`.

use crate::common::{random::Random, Host};
use packlens::{Error, ErrorKind, HashKind, ObjectId, Options, RefRecord, RefValue, Result};
use std::collections::BTreeMap;

const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];

type Stored = Vec<(String, Vec<u8>)>;

fn host(files: &Stored, part: u64) -> Host {
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_slice())).collect();
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    Host::of_files(&files, part, options).unwrap()
}

/// Lists the refs with a prefix, each step a question of its own.
fn listed(host: &mut Host, prefix: &[u8]) -> Result<Vec<RefRecord>> {
    let mut cursor = host.repository.refs().cursor();
    cursor.seek_prefix(prefix);
    taken(host, &mut cursor, usize::MAX)
}

fn taken(host: &mut Host, cursor: &mut packlens::RefCursor, most: usize) -> Result<Vec<RefRecord>> {
    let mut found = Vec::new();
    while found.len() < most {
        let name = host.ask(|repo| Ok(cursor.peek_name(&repo.files)?.map(<[u8]>::to_vec)))?;
        let record = host.ask(|repo| Ok(cursor.next(&repo.files)?.cloned()))?;
        assert_eq!(name.as_ref(), record.as_ref().map(|record| &record.name));
        match record {
            Some(record) => found.push(record),
            None => break,
        }
    }
    Ok(found)
}

fn id(number: u64) -> ObjectId {
    ObjectId::from_hex(HashKind::Sha1, format!("{number:040x}").as_bytes()).unwrap()
}

/// A name of letters from a small alphabet, so that many share a prefix.
fn name(random: &mut Random) -> String {
    let mut name = "refs/heads".to_string();
    for _ in 0..1 + random.below(4) {
        let letters = ["a", "b", "a-", "a.b", "ab", "\u{e9}"];
        name.push('/');
        name.push_str(letters[random.below(6) as usize]);
    }
    name
}

/// Returns whether a name may exist beside the others.
fn fits(name: &str, others: &BTreeMap<String, RefRecord>) -> bool {
    others.keys().all(|other| {
        !other.starts_with(&format!("{name}/")) && !name.starts_with(&format!("{other}/"))
    })
}

struct Case {
    files: Stored,
    refs: BTreeMap<String, RefRecord>,
}

const HEADERS: [&str; 4] = [
    "# pack-refs with: peeled fully-peeled sorted \n",
    "# pack-refs with: peeled fully-peeled \n",
    "# pack-refs with: peeled \n",
    "",
];

/// Makes refs, each loose, packed or both; `shuffled` packs them in any order, under
/// a header that does not say they are sorted.
fn case(random: &mut Random, shuffled: bool) -> Case {
    let header = HEADERS[if shuffled { 1 + random.below(3) } else { random.below(4) } as usize];
    let mut refs = BTreeMap::new();
    let mut files = Vec::new();
    let mut lines = Vec::new();
    for number in 1..=random.below(30) {
        let name = name(random);
        if !fits(&name, &refs) || refs.contains_key(&name) {
            continue;
        }
        let (mut value, mut peeled) = (RefValue::Id(id(number)), None);
        let stored = random.below(3);
        if stored > 0 {
            let tag = random.below(2) == 0;
            let line = format!("{} {name}\n", id(number).to_hex());
            lines.push(if tag { format!("{line}^{}\n", id(number + 99).to_hex()) } else { line });
            peeled = match (tag, header.contains("fully")) {
                (true, _) => Some(Some(id(number + 99))),
                (false, known) => known.then_some(None),
            };
        }
        if stored < 2 {
            peeled = None;
            let text = match random.below(4) {
                0 => {
                    value = RefValue::Symbolic(b"refs/heads/x".to_vec());
                    "ref: refs/heads/x\n".to_string()
                }
                1 => {
                    value = RefValue::Broken;
                    ["", "0123", "ref: a b", &id(0).to_hex()][random.below(4) as usize].to_string()
                }
                _ => {
                    value = RefValue::Id(id(number + 50));
                    format!("{}\n", id(number + 50).to_hex())
                }
            };
            files.push((name.clone(), text.into_bytes()));
        }
        let record = RefRecord { name: name.clone().into_bytes(), value, peeled };
        refs.insert(name, record);
    }
    match shuffled {
        true => random.shuffle(&mut lines),
        false => lines.sort_by(|one, other| {
            one[41..].split('\n').next().cmp(&other[41..].split('\n').next())
        }),
    }
    if !lines.is_empty() || random.below(2) == 0 {
        files.push(("packed-refs".into(), format!("{header}{}", lines.concat()).into_bytes()));
    }
    Case { files, refs }
}

#[test]
fn loose_and_packed_refs_come_in_one_order() {
    let mut random = Random::from_env("ref_cursor");
    for round in 0..400 {
        let case = case(&mut random, round % 2 == 1);
        let all: Vec<RefRecord> = case.refs.values().cloned().collect();
        let part = PARTS[round % PARTS.len()];
        let mut host = host(&case.files, part);
        assert_eq!(listed(&mut host, b"").unwrap(), all, "{:?}", case.files);
        for record in &all {
            let refs = host.repository.refs().clone();
            let found = host.ask(|repo| refs.get(&repo.files, &record.name)).unwrap().unwrap();
            if !matches!(record.value, RefValue::Broken) {
                assert_eq!(&found, record);
            }
        }
        // A cursor that moves to and fro answers like a new one.
        let mut cursor = host.repository.refs().cursor();
        for _ in 0..10 {
            let place =
                format!("{}{}", name(&mut random), ["", "/", "/a"][random.below(3) as usize]);
            let most = random.below(4) as usize;
            if random.below(2) == 0 {
                cursor.seek(place.as_bytes());
                let from = case.refs.range(place.clone()..).map(|(_, record)| record.clone());
                let expected: Vec<RefRecord> = from.take(most).collect();
                assert_eq!(taken(&mut host, &mut cursor, most).unwrap(), expected, "from {place}");
            } else {
                cursor.seek_prefix(place.as_bytes());
                let within = all.iter().filter(|record| record.name.starts_with(place.as_bytes()));
                let expected: Vec<RefRecord> = within.take(most).cloned().collect();
                assert_eq!(taken(&mut host, &mut cursor, most).unwrap(), expected, "in {place}");
            }
        }
    }
}

fn packed(lines: &[(u64, &str)], header: &str) -> Vec<u8> {
    let line = |(number, name): &(u64, &str)| format!("{} {name}\n", id(*number).to_hex());
    format!("{header}{}", lines.iter().map(line).collect::<String>()).into_bytes()
}

fn names(records: &[RefRecord]) -> Vec<String> {
    records.iter().map(|record| String::from_utf8_lossy(&record.name).into_owned()).collect()
}

#[test]
fn an_unsorted_file_with_a_sorted_header_is_sorted_here() {
    // Sorted by the rules of a language.
    let lines = ["refs/heads/a", "refs/heads/B", "refs/heads/c", "refs/tags/v", "refs/remotes/x"];
    let lines: Vec<_> = (1u64..).zip(lines).collect();
    let text = packed(&lines, HEADERS[0]);
    let expected =
        ["refs/heads/B", "refs/heads/a", "refs/heads/c", "refs/remotes/x", "refs/tags/v"];
    for part in PARTS {
        let mut host = host(&vec![("packed-refs".into(), text.clone())], part);
        assert_eq!(names(&listed(&mut host, b"").unwrap()), expected);
        assert_eq!(names(&listed(&mut host, b"refs/heads/").unwrap()), expected[..3]);
        assert_eq!(names(&listed(&mut host, b"refs/remotes/").unwrap()), expected[3..4]);
        for (at, name) in &lines {
            let found =
                host.ask(|repository| repository.refs().get(&repository.files, name.as_bytes()));
            assert_eq!(found.unwrap().unwrap().value, RefValue::Id(id(*at)), "{name}");
        }
        let none = host.ask(|repository| repository.refs().get(&repository.files, b"refs/heads/b"));
        assert_eq!(none, Ok(None));
    }
}

#[test]
fn a_large_file_with_a_sorted_header_is_trusted_until_disorder_is_seen() {
    let mut names: Vec<_> = (0..5000).map(|at| format!("refs/heads/b{at:05}")).collect();
    names.push("refs/heads/a".to_string());
    let lines: Vec<_> = names.iter().map(|name| (1, name.as_str())).collect();
    let text = packed(&lines, HEADERS[0]);
    assert!(text.len() > 256 << 10);
    let mut host = host(&vec![("packed-refs".into(), text.clone())], 65536);
    let error: Error = listed(&mut host, b"").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
    assert_eq!(error.place().unwrap().1, (text.len() - 54) as u64);
}

#[test]
fn the_first_of_lines_with_the_same_name_counts() {
    let text = packed(&[(1, "refs/heads/b"), (2, "refs/heads/a"), (3, "refs/heads/b")], "");
    let mut host = host(&vec![("packed-refs".into(), text)], 7);
    let found = listed(&mut host, b"").unwrap();
    let values: Vec<RefValue> = found.into_iter().map(|record| record.value).collect();
    assert_eq!(values, [RefValue::Id(id(2)), RefValue::Id(id(1))]);
}

#[test]
fn invalid_names_are_listed_as_broken() {
    let value = format!("{}\n", id(1).to_hex()).into_bytes();
    let loose = ["refs/heads/a..b", "refs/heads/.c", "refs/heads/d.lock", "refs/heads/e"];
    let mut files: Stored = loose.map(|name| (name.to_string(), value.clone())).into();
    files.push(("packed-refs".into(), packed(&[(2, "refs/heads/b b")], HEADERS[0])));
    let found = listed(&mut host(&files, 512), b"").unwrap();
    assert_eq!(names(&found), ["refs/heads/a..b", "refs/heads/b b", "refs/heads/e"]);
    assert_eq!(found[0].value, RefValue::Broken);
    assert_eq!(found[1].value, RefValue::Broken);
    assert_eq!(found[2].value, RefValue::Id(id(1)));
}

/// A listing resumes at its position in the `packed-refs` of that time.
#[test]
fn a_cursor_survives_a_repack() {
    let refs = ["refs/heads/a", "refs/heads/c", "refs/heads/e"];
    let lines: Vec<(u64, &str)> = (1..).zip(refs).collect();
    let loose = ("refs/heads/b".to_string(), format!("{}\n", id(9).to_hex()).into_bytes());
    let mut host = host(&vec![("packed-refs".into(), packed(&lines, HEADERS[0])), loose], 16);
    let mut cursor = host.repository.refs().cursor();
    assert_eq!(names(&taken(&mut host, &mut cursor, 1).unwrap()), ["refs/heads/a"]);
    let later = packed(&[(4, "refs/heads/a"), (5, "refs/heads/b"), (6, "refs/heads/d")], "");
    host.change("packed-refs", Some(later));
    host.change("refs/heads/b", None);
    let rest = taken(&mut host, &mut cursor, 9).unwrap();
    assert_eq!(names(&rest), ["refs/heads/b", "refs/heads/d"]);
    assert_eq!(rest[0].value, RefValue::Id(id(5)));
}

/// The file of a loose ref is gone when its turn comes, since it was packed.
#[test]
fn a_ref_that_is_packed_during_a_question_is_seen() {
    check_packed_meanwhile(true);
    check_packed_meanwhile(false);
}

fn check_packed_meanwhile(was_packed: bool) {
    let mut files =
        vec![("refs/heads/b".to_string(), format!("{}\n", id(9).to_hex()).into_bytes())];
    if was_packed {
        files.push(("packed-refs".into(), packed(&[(1, "refs/heads/a")], HEADERS[0])));
    }
    let mut host = host(&files, 1 << 30);
    let mut cursor = host.repository.refs().cursor();
    let mut changed = false;
    let found = host.ask_watched(
        |repo| {
            let mut found = Vec::new();
            while let Some(record) = cursor.next(&repo.files)? {
                found.push(record.clone());
            }
            Ok(found)
        },
        |host, need| {
            if !changed
                && matches!(need, packlens::Need::File { path, .. } if path == b"refs/heads/b")
            {
                changed = true;
                host.change("refs/heads/b", None);
                let now = packed(&[(1, "refs/heads/a"), (2, "refs/heads/b")], HEADERS[0]);
                host.change("packed-refs", Some(now));
            }
        },
    );
    assert!(changed);
    // At its offset in the old file, a was listed before.
    let right: &[&str] =
        if was_packed { &["refs/heads/b"] } else { &["refs/heads/a", "refs/heads/b"] };
    assert_eq!(names(&found.unwrap()), right);
}

/// A listed name that cannot be opened, such as a dangling symbolic link, is no ref. A
/// listing of all refs in one step must not ask for its file for ever.
#[test]
fn names_that_cannot_be_opened_are_no_refs() {
    let value = format!("{}\n", id(1).to_hex()).into_bytes();
    let loose = |at: u32| (format!("refs/heads/n{at:02}"), value.clone());
    for packs in [false, true] {
        let mut files: Stored = (0..20).map(loose).collect();
        if packs {
            files.push(("packed-refs".into(), packed(&[(2, "refs/heads/n05")], HEADERS[0])));
        }
        let mut host = host(&files, 1 << 30);
        let before = host.answered;
        let found = host.ask_watched(
            |repo| repo.refs().list(&repo.files, b"refs/"),
            |host, need| {
                assert!(host.answered - before < 200, "the same files again and again");
                if let packlens::Need::File { path, .. } = need {
                    let name = String::from_utf8_lossy(path).into_owned();
                    if name.starts_with("refs/") && name.as_str() != "refs/heads/n07" {
                        host.change(&name, None);
                    }
                }
            },
        );
        let there: &[&str] =
            if packs { &["refs/heads/n05", "refs/heads/n07"] } else { &["refs/heads/n07"] };
        assert_eq!(names(&found.unwrap()), there);
    }
}

/// No directory is listed twice, and no file is opened that was not asked for.
#[test]
fn seeking_looks_at_each_directory_once() {
    let value = format!("{}\n", id(1).to_hex()).into_bytes();
    let loose = |at: u32| (format!("refs/heads/n{at:03}"), value.clone());
    let files: Stored = (0..100).map(loose).collect();
    let mut host = host(&files, 1 << 30);
    let mut cursor = host.repository.refs().cursor();
    let asked = host.answered;
    for at in 0..100 {
        cursor.seek_prefix(format!("refs/heads/n{at:03}/").as_bytes());
        let found = host.ask(|repo| Ok(cursor.peek_name(&repo.files)?.is_some())).unwrap();
        assert!(!found);
    }
    for at in 0..100 {
        cursor.seek_prefix(format!("refs/heads/z{at:03}/").as_bytes());
        assert!(!host.ask(|repo| Ok(cursor.peek_name(&repo.files)?.is_some())).unwrap());
    }
    // Two directories, and `packed-refs`.
    assert_eq!(host.answered - asked, 3);
}
