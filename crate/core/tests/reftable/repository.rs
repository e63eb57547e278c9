//! Repositories that store refs in reftables: what is asked of refs has the answers
//! that it has of files.

use crate::common::{expected_of, random::Random, Host};
use packlens::{
    AvailabilityOptions, CheckAvailable, HashKind, ObjectId, Options, RefCounts, RefCursor,
    RefRecord, ReftableOptions, ReftableWriter, TableRef,
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

/// Takes the refs from where a cursor is; each step may be a question of its own.
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
fn a_cursor_goes_over_the_refs_that_git_lists() {
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
        // From any name on, and of any beginning, forth and back.
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
            let wanted =
                |name: &&&str| if is_prefix { name.starts_with(from) } else { **name >= from };
            let right: Vec<&[u8]> =
                names.iter().filter(wanted).map(|name| name.as_bytes()).collect();
            let found: Vec<&[u8]> = found.iter().map(|found| found.name.as_slice()).collect();
            assert_eq!(found, right, "{name} from {from}, a prefix: {is_prefix}");
        }
    }
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
fn names_that_can_be_created_do_not_depend_on_what_refs_are_stored_in() {
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
        // In two tables, of which the newer hides some that are not there.
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
fn a_log_is_told_from_its_newest_entry_on() {
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
