//! Which refs can be created, compared with git's answers: `tests/fixtures/refs`. The ref
//! storage must not matter: git gave the same answers for all cases with reftables.

use crate::common::{random::Random, Host};
use packlens::{
    Availability, AvailabilityOptions, CheckAvailable, ErrorKind, HashKind, ObjectId, Options,
    RefCounts, ReftableOptions, ReftableWriter, Result, TableRef,
};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

const REFTABLE: &str =
    "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n";

const OID: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// A case: see `tests/fixtures/refs/record-available.mjs`.
struct Case {
    existing: Vec<Vec<u8>>,
    deleting: Vec<Vec<u8>>,
    planned: Vec<Vec<u8>>,
    said: Vec<String>,
}

fn names(list: &serde_json::Value) -> Vec<Vec<u8>> {
    let names = list.as_str().unwrap().split(' ').filter(|name| !name.is_empty());
    names.map(|name| format!("refs/heads/{name}").into_bytes()).collect()
}

/// Returns the recorded cases, or those in the file that `PACKLENS_REF_CASES` names.
fn cases() -> Vec<Case> {
    let mut text = String::new();
    if let Ok(file) = std::env::var("PACKLENS_REF_CASES") {
        text = std::fs::read_to_string(file).unwrap();
    } else {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/refs");
        let packed = std::fs::read(root.join("available.json.gz")).unwrap();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
    }
    let case = |line: &str| {
        let fields: serde_json::Value = serde_json::from_str(line).unwrap();
        let said = fields[3].as_array().unwrap().iter();
        Case {
            existing: names(&fields[0]),
            deleting: names(&fields[1]),
            planned: names(&fields[2]),
            said: said.map(|said| said.as_str().unwrap().to_string()).collect(),
        }
    };
    text.lines().map(case).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn host(files: &[(String, Vec<u8>)], part: u64) -> Host {
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_slice())).collect();
    Host::of_files(&files, part, Options::default()).unwrap()
}

/// Stores refs: loose, packed or both.
fn stored(existing: &[Vec<u8>], random: &mut Random) -> Vec<(String, Vec<u8>)> {
    let manner = random.below(3);
    let mut packed = "# pack-refs with: peeled fully-peeled sorted \n".to_string();
    let mut files = Vec::new();
    let mut existing = existing.to_vec();
    existing.sort();
    for name in existing.iter().map(|name| text(name)) {
        let loose = manner == 0 || (manner == 1 && random.below(2) == 0);
        if !loose || random.below(4) == 0 {
            packed.push_str(&format!("{OID} {name}\n"));
        }
        if loose {
            // A broken ref conflicts as well.
            let broken = random.below(8) == 0;
            files
                .push((name, if broken { b"?".to_vec() } else { format!("{OID}\n").into_bytes() }));
        }
    }
    files.push(("packed-refs".to_string(), packed.into_bytes()));
    files
}

/// Stores refs in several tables, some of which delete refs of others.
fn stored_in_tables(existing: &[Vec<u8>], random: &mut Random) -> Vec<(String, Vec<u8>)> {
    let id = TableRef::Id(ObjectId::from_hex(HashKind::Sha1, OID.as_bytes()).unwrap());
    let symbolic = TableRef::Symbolic(b"refs/heads/nowhere");
    let count = 1 + random.below(4);
    let mut tables: Vec<BTreeMap<Vec<u8>, TableRef<'_>>> = vec![BTreeMap::new(); count as usize];
    for name in existing {
        let at = random.below(count) as usize;
        // A dangling symbolic ref conflicts as well.
        tables[at].insert(name.clone(), if random.below(8) == 0 { symbolic } else { id });
        // Older tables may have any value.
        for older in &mut tables[..at] {
            let said = [None, Some(TableRef::Deleted), Some(id), None];
            if let Some(said) = said[random.below(4) as usize] {
                older.insert(name.clone(), said);
            }
        }
    }
    for name in ["a", "b", "a/b", "b/a", "a/a/b", "b/b/a/a"] {
        let name = format!("refs/heads/{name}").into_bytes();
        let at = random.below(count) as usize;
        if !existing.contains(&name) && random.below(2) == 0 {
            tables[at].insert(name.clone(), TableRef::Deleted);
            for older in &mut tables[..at] {
                older.insert(name.clone(), id);
            }
        }
    }
    let mut list = String::new();
    let mut files = vec![("config".to_string(), REFTABLE.into())];
    for (number, refs) in (1..).zip(tables) {
        let options = ReftableOptions {
            // The shortest blocks that hold such names: indexes of several levels.
            block_size: 128,
            is_aligned: random.below(2) == 0,
            ..ReftableOptions::new(HashKind::Sha1, number)
        };
        let mut writer = ReftableWriter::new(options).unwrap();
        for (name, target) in refs {
            writer.add_ref(&name, number, target).unwrap();
        }
        files.push((format!("reftable/{number}.ref"), writer.finish().unwrap()));
        list.push_str(&format!("{number}.ref\n"));
    }
    files.push(("reftable/tables.list".to_string(), list.into_bytes()));
    files
}

/// The storage of refs.
type Stored = fn(&[Vec<u8>], &mut Random) -> Vec<(String, Vec<u8>)>;

/// Asks about names, and returns the counters as well.
fn check(
    host: &mut Host,
    names: &[Vec<u8>],
    options: &AvailabilityOptions,
) -> Result<(Vec<Availability>, RefCounts)> {
    let mut counts = RefCounts::default();
    let mut check = CheckAvailable::new(names.to_vec(), options.clone());
    let found = host.ask(|repository| {
        let found = check.run(repository.refs(), &repository.files, &mut counts)?;
        Ok(found.map(|(_, availability)| availability.clone()).collect())
    })?;
    Ok((found, counts))
}

#[test]
fn names_are_refused_as_git_refuses_them() {
    check_refused(stored);
}

#[test]
fn names_are_refused_as_git_refuses_them_over_tables() {
    check_refused(stored_in_tables);
}

fn check_refused(stored: Stored) {
    let mut random = Random::from_env("ref_available");
    let cases = cases();
    assert!(cases.len() > 3000 || std::env::var("PACKLENS_REF_CASES").is_ok());
    let mut refused = [0; 5];
    for (at, case) in cases.iter().enumerate() {
        let part = [1, 7, 512, 65536, 1 << 30][at % 5];
        let mut host = host(&stored(&case.existing, &mut random), part);
        // Like git: one after the other, and refused names are no longer planned.
        let mut planned = case.planned.clone();
        for (name, said) in case.planned.iter().zip(&case.said) {
            let options = AvailabilityOptions {
                deleting: case.deleting.clone(),
                extra: planned.clone(),
                initial: false,
            };
            let (found, _) = check(&mut host, std::slice::from_ref(name), &options).unwrap();
            assert_eq!(text(&found[0].message(name)), *said, "case {at}, {}", text(name));
            if found[0] != Availability::Available {
                planned.retain(|other| other != name);
            }
            refused[found[0].number() as usize] += 1;
        }
    }
    // Every kind of conflict occurred often.
    assert!(refused[..4].iter().all(|count| *count > cases.len() / 20), "{refused:?}");
}

/// Many names at once get the answers that each gets alone, in any order.
#[test]
fn many_at_once_are_as_each_alone() {
    check_many(stored);
}

#[test]
fn many_at_once_are_as_each_alone_over_tables() {
    check_many(stored_in_tables);
}

fn check_many(stored: Stored) {
    let mut random = Random::from_env("ref_available");
    for case in cases() {
        let mut names = case.planned.clone();
        names.push(b"refs/heads/bad..name".to_vec());
        random.shuffle(&mut names);
        let extra = names.split_off(random.below(names.len() as u64) as usize);
        let mut host = host(&stored(&case.existing, &mut random), 1 << 30);
        let options = AvailabilityOptions {
            deleting: case.deleting.clone(),
            extra,
            initial: random.below(4) == 0,
        };
        let (found, counts) = check(&mut host, &names, &options).unwrap();
        assert!(counts.seeks <= names.len() as u64);
        for (name, availability) in names.iter().zip(found) {
            let mut alone = options.clone();
            alone.extra.extend(names.iter().cloned());
            let (found, _) = check(&mut host, std::slice::from_ref(name), &alone).unwrap();
            assert_eq!(found[0], availability, "{}", text(name));
            let looked =
                matches!(availability, Availability::Exists(_) | Availability::IsPrefixOf(_));
            assert!(!options.initial || !looked, "nothing exists yet");
        }
    }
}

#[test]
fn each_directory_is_looked_up_once() {
    let lines = (0..100_000).map(|at| format!("{OID} refs/heads/m{at:06}\n"));
    let header = "# pack-refs with: peeled fully-peeled sorted \n".to_string();
    let packed = header + &lines.collect::<String>();
    let mut host = host(&[("packed-refs".to_string(), packed.into_bytes())], 65536);
    let names: Vec<Vec<u8>> =
        (0..10_000).map(|at| format!("refs/heads/n{at}").into_bytes()).collect();
    let asked = host.answered;
    let (found, counts) = check(&mut host, &names, &AvailabilityOptions::default()).unwrap();
    assert!(found.iter().all(|availability| *availability == Availability::Available));
    assert_eq!(counts, RefCounts { prefix_checks: 2, seeks: 10_000 });
    // `packed-refs`, two directories, two names, and the parts that the binary search reads.
    assert!(host.answered - asked < 20, "{}", host.answered - asked);
}

#[test]
fn all_names_below_a_ref_are_refused() {
    let mut host = host(&[("refs/heads/a".to_string(), format!("{OID}\n").into_bytes())], 7);
    let names: Vec<Vec<u8>> =
        (0..100).map(|at| format!("refs/heads/a/{at}").into_bytes()).collect();
    let (found, counts) = check(&mut host, &names, &AvailabilityOptions::default()).unwrap();
    let other = Availability::Exists(b"refs/heads/a".to_vec());
    assert!(found.iter().all(|availability| *availability == other));
    assert_eq!(counts, RefCounts { prefix_checks: 3, seeks: 0 });
}

/// Names to be deleted do not conflict, though they are planned as well.
#[test]
fn names_to_be_deleted_do_not_conflict_with_a_plan() {
    let asked = |name: &str, extra: &str, deleting: &[&str]| {
        let mut host = host(&[], 1 << 30);
        let own = |names: &[&str]| names.iter().map(|name| name.as_bytes().to_vec()).collect();
        let options =
            AvailabilityOptions { deleting: own(deleting), extra: own(&[extra]), initial: false };
        check(&mut host, &own(&[name]), &options).unwrap().0.remove(0)
    };
    for (name, other) in [("refs/heads/a", "refs/heads/a/b"), ("refs/heads/a/b", "refs/heads/a")] {
        let together = Availability::PlannedTogether(other.into());
        assert_eq!(asked(name, other, &["refs/heads/c"]), together);
        assert_eq!(asked(name, other, &[other]), Availability::Available);
    }
}

/// Refs lost from packed-refs are not found, or the damage is reported; never anything else.
#[test]
fn a_damaged_list_of_refs_never_traps() {
    let mut random = Random::new(1);
    let existing = [&b"refs/heads/a"[..], b"refs/heads/b/c", b"refs/tags/v"].map(<[u8]>::to_vec);
    let names = [&b"refs/heads/a/x"[..], b"refs/heads/b", b"refs/heads/d"].map(<[u8]>::to_vec);
    let mut files = stored(&existing, &mut random);
    files.retain(|(path, _)| path == "packed-refs");
    let lines = existing.map(|name| format!("{OID} {}\n", text(&name)));
    let packed = format!("# pack-refs with: peeled fully-peeled sorted \n{}", lines.concat());
    for (at, mask) in (0..packed.len()).flat_map(|at| [1u8, 4, 0x20, 0xff].map(|mask| (at, mask))) {
        let mut bytes = packed.clone().into_bytes();
        bytes[at] ^= mask;
        for bytes in [&bytes[..], &packed.as_bytes()[..at]] {
            let answer = |part| {
                let mut host = host(&[("packed-refs".to_string(), bytes.to_vec())], part);
                check(&mut host, &names, &AvailabilityOptions::default())
            };
            let whole = answer(1 << 30);
            if let Err(error) = &whole {
                assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
            }
            for part in [1, 7] {
                assert_eq!(answer(part), whole, "byte {at} changed by {mask} in parts of {part}");
            }
        }
    }
}
