//! Repositories that store refs in reftables: questions about refs have the answers that they
//! have with files.

use crate::common::{expected_of, random::Random, Host};
use packlens::{
    AvailabilityOptions, CheckAvailable, HashKind, LogRecord, ObjectId, Options, RefCounts,
    RefCursor, RefRecord, RefValue, ReftableOptions, ReftableWriter, TableRef,
};
use std::collections::BTreeSet;

const CONFIG: &[u8] =
    b"[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n";

fn id() -> ObjectId {
    ObjectId::from_bytes(HashKind::Sha1, &[7; 20]).unwrap()
}

fn table(update_index: u64, refs: &[(&str, TableRef<'_>)]) -> Vec<u8> {
    let options =
        ReftableOptions { block_size: 512, ..ReftableOptions::new(HashKind::Sha1, update_index) };
    let mut writer = ReftableWriter::new(options).unwrap();
    for (name, target) in refs {
        writer.add_ref(name.as_bytes(), update_index, *target).unwrap();
    }
    writer.finish().unwrap()
}

/// Takes the refs from a cursor's position on; each step may be a question of its own.
fn taken(host: &mut Host, cursor: &mut RefCursor) -> Vec<RefRecord> {
    let mut found = Vec::new();
    loop {
        let name = host.ask(|repo| Ok(cursor.peek_name(&repo.files)?.map(<[u8]>::to_vec)));
        let record = host.ask(|repo| Ok(cursor.next(&repo.files)?.cloned())).unwrap();
        assert_eq!(name.unwrap().as_ref(), record.as_ref().map(|record| &record.name));
        match record {
            Some(record) => found.push(record),
            None => return found,
        }
    }
}

#[test]
fn a_cursor_lists_the_refs_that_git_lists() {
    for name in ["reftable", "reftable-sha256", "reftable-worktree", "reftable-linked"] {
        let answers = expected_of(name);
        let refs = answers["refs"].as_array().unwrap();
        let names: Vec<&str> = refs.iter().map(|said| said["name"].as_str().unwrap()).collect();
        for part in [1, 7, 512, 65536] {
            let mut host = Host::fixture(answers["path"].as_str().unwrap(), part);
            let mut cursor = host.repository.refs().cursor();
            let found = taken(&mut host, &mut cursor);
            let found: Vec<&str> =
                found.iter().map(|found| std::str::from_utf8(&found.name).unwrap()).collect();
            assert_eq!(found, names, "{name} in parts of {part}");
        }
        // From any name on, and with any prefix, forwards and backwards.
        let mut host = Host::fixture(answers["path"].as_str().unwrap(), 512);
        let mut cursor = host.repository.refs().cursor();
        let mut random = Random::new(3);
        for _ in 0..60 {
            let from = names[random.below(names.len() as u64) as usize];
            let from = &from[..5 + random.below(from.len() as u64 - 4) as usize];
            let is_prefix = random.below(2) == 0;
            match is_prefix {
                true => cursor.seek_prefix(from.as_bytes()),
                false => cursor.seek(from.as_bytes()),
            }
            let found = taken(&mut host, &mut cursor);
            let expected =
                |name: &&&str| if is_prefix { name.starts_with(from) } else { **name >= from };
            let right: Vec<&[u8]> =
                names.iter().filter(expected).map(|name| name.as_bytes()).collect();
            let found: Vec<&[u8]> = found.iter().map(|found| found.name.as_slice()).collect();
            assert_eq!(found, right, "{name} from {from}, a prefix: {is_prefix}");
        }
    }
}

/// Within one question a cursor keeps the refs that it read; this must not change answers.
#[test]
fn a_cursor_moves_to_and_fro_within_a_question() {
    let id = id();
    // Leaves room between the names for missing ones.
    let names: Vec<String> = (0..300).map(|at| format!("refs/heads/b{:04}", at * 3)).collect();
    let mut refs: Vec<_> = names.iter().map(|name| (name.as_str(), TableRef::Id(id))).collect();
    // Refs outside refs/ are not listed.
    refs.insert(0, ("HEAD", TableRef::Symbolic(b"refs/heads/b0000")));
    refs.push(("zzz/other", TableRef::Id(id)));
    let table = table(1, &refs);
    let files = [
        ("config", CONFIG),
        ("reftable/tables.list", b"one.ref\n".as_slice()),
        ("reftable/one.ref", table.as_slice()),
    ];
    for part in [512, 1 << 30] {
        let mut host = Host::of_files(&files, part, Options::default()).unwrap();
        let refs = host.repository.refs().clone();
        for seed in 0..20 {
            host.ask(|repo| {
                let mut cursor = refs.cursor();
                let mut random = Random::new(seed);
                let mut rest: Vec<&str> = names.iter().map(String::as_str).collect();
                for _ in 0..60 {
                    let place = match random.below(8) {
                        0 => "refs/".to_string(),
                        1 => "refs/i".to_string(),
                        // Most names are close to each other, so that the kept refs are used.
                        _ => format!("refs/heads/b{:04}", seed * 40 + random.below(60)),
                    };
                    let all = names.iter().map(String::as_str);
                    match random.below(6) {
                        0 => {
                            cursor.seek_prefix(place.as_bytes());
                            rest = all.filter(|name| name.starts_with(&place)).collect();
                        }
                        1 => {
                            let below = format!("{place}/");
                            cursor.seek_prefix(below.as_bytes());
                            rest.clear();
                        }
                        2 => {
                            cursor.seek(place.as_bytes());
                            rest = all.filter(|name| *name >= place.as_str()).collect();
                        }
                        3 => {
                            let name = cursor.peek_name(&repo.files)?;
                            assert_eq!(name, rest.first().map(|name| name.as_bytes()), "{seed}");
                        }
                        _ => {
                            for _ in 0..random.below(30) {
                                let found = cursor.next(&repo.files)?.map(|found| &found.name[..]);
                                let right = (!rest.is_empty()).then(|| rest.remove(0));
                                assert_eq!(found, right.map(str::as_bytes), "{seed}");
                            }
                        }
                    }
                }
                Ok(())
            })
            .unwrap();
        }
    }
}

#[test]
fn the_stack_of_a_worktree_has_its_own_refs_only() {
    let (id, symbolic) = (id(), TableRef::Symbolic(b"refs/heads/shared"));
    let shared = [
        ("refs/bisect/bad", TableRef::Id(id)),
        ("refs/heads/shared", TableRef::Id(id)),
        ("refs/worktree/mark", TableRef::Id(id)),
    ];
    // git looks only for names in the middle here.
    let own = [
        ("refs/heads/other", TableRef::Id(id)),
        ("refs/heads/shared", symbolic),
        ("refs/worktree/mark", symbolic),
    ];
    let (shared, own) = (table(1, &shared), table(1, &own));
    let files = [
        ("config", CONFIG),
        ("reftable/tables.list", b"one.ref\n".as_slice()),
        ("reftable/one.ref", &shared),
        (".worktree/reftable/tables.list", b"own.ref\n"),
        (".worktree/reftable/own.ref", &own),
    ];
    let mut host = Host::of_files(&files, 512, Options::default()).unwrap();
    let mut cursor = host.repository.refs().cursor();
    let found = taken(&mut host, &mut cursor);
    let found: Vec<_> =
        found.iter().map(|found| (&found.name[..], found.value == RefValue::Id(id))).collect();
    let right: [(&[u8], bool); 2] = [(b"refs/heads/shared", true), (b"refs/worktree/mark", false)];
    assert_eq!(found, right);
}

#[test]
fn a_worktree_has_refs_of_its_own() {
    let mut linked = Host::fixture("reftable-worktree/linked", 512);
    let mut main = Host::fixture("reftable-worktree/repo", 512);
    let get = |host: &mut Host, name: &str| {
        let refs = host.repository.refs().clone();
        host.ask(|repo| refs.get(&repo.files, name.as_bytes())).unwrap().map(|found| found.value)
    };
    let head = get(&mut main, "HEAD");
    assert_ne!(get(&mut linked, "HEAD"), head);
    assert_eq!(get(&mut linked, "main-worktree/HEAD"), head);
    assert_eq!(get(&mut main, "main-worktree/HEAD"), head);
    assert_eq!(get(&mut main, "worktrees/linked/HEAD"), get(&mut linked, "HEAD"));
    for (own, other) in [("refs/bisect/good", "refs/bisect/bad"), ("refs/worktree/mark", "x")] {
        assert!(get(&mut linked, own).is_some() && get(&mut main, own).is_none(), "{own}");
        assert!(get(&mut linked, other).is_none(), "{other}");
    }
    assert!(get(&mut main, "refs/bisect/bad").is_some());
    assert_eq!(get(&mut linked, "refs/heads/main"), get(&mut main, "refs/heads/main"));
}

#[test]
fn available_names_do_not_depend_on_the_ref_storage() {
    let mut random = Random::new(5);
    let mut conflicts = 0;
    for round in 0..40 {
        let mut name = || {
            let parts = 1 + random.below(4);
            let part = |_| ["a", "b", "a-", "a.b"][random.below(4) as usize];
            let parts: Vec<&str> = (0..parts).map(part).collect();
            format!("refs/heads/{}", parts.join("/"))
        };
        let existing: BTreeSet<String> = (0..30).map(|_| name()).collect();
        let asked: Vec<Vec<u8>> = (0..40).map(|_| name().into_bytes()).collect();
        let options = AvailabilityOptions {
            deleting: (0..5).map(|_| name().into_bytes()).collect(),
            extra: (0..5).map(|_| name().into_bytes()).collect(),
            initial: false,
        };
        let id = id();
        let mut packed = "# pack-refs with: peeled fully-peeled sorted \n".to_string();
        for name in &existing {
            packed.push_str(&format!("{} {name}\n", id.to_hex()));
        }
        // In two tables; the newer one deletes some missing entries too.
        let mut old: Vec<(&str, TableRef<'_>)> =
            existing.iter().map(|name| (name.as_str(), TableRef::Id(id))).collect();
        old.push(("refs/heads/gone/a", TableRef::Id(id)));
        old.sort_by_key(|(name, _)| *name);
        let new = [("refs/heads/gone/a", TableRef::Deleted)];
        let (old, new) = (table(1, &old), table(2, &new));
        let as_files: Vec<(&str, &[u8])> = vec![("packed-refs", packed.as_bytes())];
        let as_tables: Vec<(&str, &[u8])> = vec![
            ("config", CONFIG),
            ("reftable/tables.list", b"old.ref\nnew.ref\n"),
            ("reftable/old.ref", &old),
            ("reftable/new.ref", &new),
        ];
        let answers = [as_files, as_tables].map(|files| {
            let mut host = Host::of_files(&files, 512, Options::default()).unwrap();
            let refs = host.repository.refs().clone();
            let mut check = CheckAvailable::new(asked.clone(), options.clone());
            let mut counts = RefCounts::default();
            let said = host.ask(|repo| {
                let said = check.run(&refs, &repo.files, &mut counts)?;
                Ok(said.map(|(_, said)| said.clone()).collect::<Vec<_>>())
            });
            (said.unwrap(), counts)
        });
        assert_eq!(answers[0], answers[1], "round {round}");
        conflicts += answers[0].0.iter().filter(|said| said.number() != 0).count();
    }
    assert!(conflicts > 500, "{conflicts}");
}

#[test]
fn a_log_begins_with_its_newest_entry() {
    let mut host = Host::fixture("reftable", 512);
    let mut log = host.repository.refs().log(b"refs/heads/main");
    let mut found = Vec::new();
    while let Some(entry) = host.ask(|repo| log.next(&repo.files)).unwrap() {
        found.push(entry);
    }
    assert_eq!(found.len(), 4);
    assert!(found.windows(2).all(|pair| pair[0].old == pair[1].new));
    assert!(found[3].old.is_null());
    let head = &expected_of("reftable")["head"]["oid"];
    assert_eq!(found[0].new.to_hex(), head.as_str().unwrap());
    assert_eq!(found[0].committer, b"C O Mitter <committer@example.com> 1112912413 +0000");
    let mut none = host.repository.refs().log(b"refs/heads/nowhere");
    assert_eq!(host.ask(|repo| none.next(&repo.files)).unwrap(), None);
}

/// More entries than are read at a time, in two tables; the newer one deletes some.
#[test]
fn each_entry_of_a_long_log_is_listed() {
    let mut id = [7; 20];
    let mut ids = |at: u64| {
        id[0] = at as u8;
        ObjectId::from_bytes(HashKind::Sha1, &id).unwrap()
    };
    let null = ObjectId::from_bytes(HashKind::Sha1, &[0; 20]).unwrap();
    let mut entry = |at: u64| LogRecord {
        name: b"refs/heads/long".to_vec(),
        update_index: at,
        // git keeps an empty log by such an entry.
        old: if at % 10 == 4 { null } else { ids(at - 1) },
        new: if at % 10 == 4 { null } else { ids(at) },
        who: b"A B".to_vec(),
        email: b"a@b".to_vec(),
        seconds: 1000 + at,
        zone: if at.is_multiple_of(2) { 130 } else { -700 },
        message: if at.is_multiple_of(3) { b"no feed".to_vec() } else { b"why\n".to_vec() },
    };
    let mut made = |range: std::ops::RangeInclusive<u64>, deleted: &[u64]| {
        let options = ReftableOptions {
            block_size: 512,
            max_update_index: *range.end(),
            ..ReftableOptions::new(HashKind::Sha1, 1)
        };
        let mut writer = ReftableWriter::new(options).unwrap();
        let mut all: Vec<u64> = range.chain(deleted.iter().copied()).collect();
        all.sort_unstable();
        for at in all.into_iter().rev() {
            match deleted.contains(&at) {
                true => writer.delete_log(b"refs/heads/long", at).unwrap(),
                false => writer.add_log(&entry(at)).unwrap(),
            }
        }
        writer.finish().unwrap()
    };
    let (old, new) = (made(1..=150, &[]), made(151..=200, &[7, 137]));
    let files = [
        ("config", CONFIG),
        ("reftable/tables.list", b"old.ref\nnew.ref\n".as_slice()),
        ("reftable/old.ref", &old),
        ("reftable/new.ref", &new),
    ];
    let is_listed = |at: &u64| at % 10 != 4 && *at != 7 && *at != 137;
    for part in [1, 512, 1 << 30] {
        let mut host = Host::of_files(&files, part, Options::default()).unwrap();
        let mut log = host.repository.refs().log(b"refs/heads/long");
        for at in (1..=200).rev().filter(is_listed) {
            let found = host.ask(|repo| log.next(&repo.files)).unwrap().unwrap();
            let zone = if at.is_multiple_of(2) { "+0130" } else { "-0700" };
            let who = format!("A B <a@b> {} {zone}", 1000 + at);
            let why: &[u8] = if at.is_multiple_of(3) { b"no feed" } else { b"why" };
            assert_eq!(String::from_utf8_lossy(&found.committer), who);
            assert_eq!((found.new.as_bytes()[0], &found.message[..]), (at as u8, why));
        }
        assert_eq!(host.ask(|repo| log.next(&repo.files)).unwrap(), None);
    }
}
