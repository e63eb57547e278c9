//! Stacks that stay open between questions, and the cached properties of their tables.

use crate::common::{expected_of, random::Random, Host};
use packlens::{
    HashKind, ObjectId, Options, Output, RefList, RefListOptions, ReftableOptions, ReftableWriter,
    Result, TableRef,
};
use std::collections::BTreeMap;

type Files = BTreeMap<Vec<u8>, Vec<u8>>;

/// The target of a ref.
#[derive(Clone, Debug)]
enum Target {
    Id(ObjectId),
    /// A tag, and its peeled object.
    Tag(ObjectId, ObjectId),
    /// A tag that is stored without its peeled object.
    Unindexed(ObjectId),
    Symbolic(String),
}

fn table(update_index: u64, refs: &BTreeMap<String, Option<Target>>) -> Vec<u8> {
    let options = ReftableOptions::new(HashKind::Sha1, update_index);
    let mut writer = ReftableWriter::new(options).unwrap();
    for (name, target) in refs {
        let target = match target {
            None => TableRef::Deleted,
            Some(Target::Id(id) | Target::Unindexed(id)) => TableRef::Id(*id),
            Some(Target::Tag(id, peeled)) => TableRef::Tag { id: *id, peeled: *peeled },
            Some(Target::Symbolic(target)) => TableRef::Symbolic(target.as_bytes()),
        };
        writer.add_ref(name.as_bytes(), update_index, target).unwrap();
    }
    writer.finish().unwrap()
}

/// Tables of a repository with the objects of the fixture, the oldest first.
fn stack(tables: &[BTreeMap<String, Option<Target>>]) -> Files {
    let mut files = Files::new();
    let mut list = String::new();
    for (at, refs) in (1..).zip(tables) {
        files.insert(format!("reftable/{at}.ref").into(), table(at, refs));
        list.push_str(&format!("{at}.ref\n"));
    }
    files.insert(b"reftable/tables.list".to_vec(), list.into_bytes());
    files
}

/// The same refs as files.
fn as_files(tables: &[BTreeMap<String, Option<Target>>]) -> Files {
    let mut all = BTreeMap::new();
    for refs in tables {
        all.extend(refs.clone());
    }
    let mut packed = "# pack-refs with: sorted \n".to_string();
    let mut files = Files::new();
    for (name, target) in all {
        match target {
            None => {}
            Some(Target::Symbolic(target)) => {
                files.insert(name.into(), format!("ref: {target}\n").into());
            }
            Some(Target::Id(id) | Target::Unindexed(id) | Target::Tag(id, _)) => {
                packed.push_str(&format!("{} {name}\n", id.to_hex()));
            }
        }
    }
    files.insert(b"packed-refs".to_vec(), packed.into());
    files.insert(b"config".to_vec(), b"[core]\n\trepositoryformatversion = 0\n".to_vec());
    files
}

fn host(files: Files, part: u64) -> Host {
    Host::fixture_with("reftable", files, part, Options::default())
}

/// Returns the records of the refs that lead to an object.
fn leading(host: &mut Host, id: &ObjectId, direct: bool) -> Result<Vec<u8>> {
    let options = RefListOptions {
        points_at: Some(id.to_hex().into()),
        direct,
        peel: true,
        ..RefListOptions::default()
    };
    let mut list = RefList::new(options).unwrap();
    let mut text = Vec::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| list.fill(repository, 500, &mut out))?;
        text.extend(out.as_slice());
        if done {
            return Ok(text);
        }
    }
}

fn all_refs(host: &mut Host) -> usize {
    let refs = host.repository.refs().clone();
    host.ask(|repository| refs.list(&repository.files, b"")).unwrap().len()
}

/// The objects of the fixture: commits, tags, and the peeled objects of these.
struct Objects {
    commits: Vec<ObjectId>,
    tags: Vec<(ObjectId, ObjectId)>,
}

fn objects() -> Objects {
    let said = expected_of("reftable");
    let id = |text: &serde_json::Value| {
        ObjectId::from_hex(HashKind::Sha1, text.as_str().unwrap().as_bytes()).unwrap()
    };
    let (mut commits, mut tags) = (Vec::new(), Vec::new());
    for found in said["refs"].as_array().unwrap() {
        match found["peeled"].is_string() {
            true => tags.push((id(&found["oid"]), id(&found["peeled"]))),
            false if found["oid"].is_string() => commits.push(id(&found["oid"])),
            false => {}
        }
    }
    commits.sort();
    commits.dedup();
    assert!(commits.len() > 2 && tags.len() > 2, "{} {}", commits.len(), tags.len());
    Objects { commits, tags }
}

/// Tables with refs of every kind, of which newer ones hide some.
fn many(objects: &Objects, count: u64) -> Vec<BTreeMap<String, Option<Target>>> {
    let mut random = Random::new(count);
    let mut target = |at: u64| {
        let pick = |list: usize, random: &mut Random| random.below(list as u64) as usize;
        let tag = objects.tags[pick(objects.tags.len(), &mut random)];
        match at % 97 {
            3 => Target::Tag(tag.0, tag.1),
            5 => Target::Unindexed(tag.0),
            7 => Target::Symbolic(format!("refs/changes/{:06}", at - 1)),
            8 => Target::Symbolic(format!("refs/changes/{:06}", at - 1)),
            11 => Target::Symbolic("refs/heads/nowhere".to_string()),
            // A missing object.
            13 => Target::Id(ObjectId::from_bytes(HashKind::Sha1, &[0x77; 20]).unwrap()),
            // Most point at one commit, for which there is then no object block.
            _ => Target::Id(objects.commits[pick(objects.commits.len(), &mut random)]),
        }
    };
    let name = |at: u64| format!("refs/changes/{at:06}");
    let first = (0..count).map(|at| (name(at), Some(target(at)))).collect();
    let second = (0..count).step_by(11).map(|at| (name(at), Some(target(at + 1)))).collect();
    let third = (0..count).step_by(13).map(|at| (name(at), None)).collect();
    vec![first, second, third]
}

#[test]
fn refs_that_lead_to_an_object_do_not_depend_on_the_ref_storage() {
    let objects = objects();
    let missing = ObjectId::from_bytes(HashKind::Sha1, &[0x77; 20]).unwrap();
    let tags = objects.tags.iter().map(|(tag, _)| tag);
    let expected = objects.commits.iter().chain(tags).chain([&missing]);
    let expected: Vec<ObjectId> = expected.copied().collect();
    for (count, part) in [(40, 7), (2000, 512), (2000, 1 << 30)] {
        let tables = many(&objects, count);
        let mut files = host(as_files(&tables), part);
        let mut stack = host(stack(&tables), part);
        // In any order: cached properties of tables must not matter.
        let mut order = expected.clone();
        Random::new(part).shuffle(&mut order);
        for direct in [true, false] {
            let mut found = 0;
            for id in &order {
                let right = leading(&mut files, id, direct).unwrap();
                assert_eq!(leading(&mut stack, id, direct).unwrap(), right, "{id:?} {direct}");
                found += usize::from(!right.is_empty());
            }
            assert!(found > 3, "{found}");
        }
    }
}

/// Refs wait in batches for the answer whether they point at tags, and only so many names are
/// kept: if more refs are unindexed than that, all refs are examined.
#[test]
fn no_unindexed_ref_is_skipped() {
    let objects = objects();
    let (tag, commit) = objects.tags[0];
    let other = *objects.commits.iter().find(|id| **id != commit).unwrap();
    let name = |at: u64| format!("refs/changes/{at:06}/{}", "long-".repeat(18));
    // The first ref of the second batch is one of them.
    let some = |at| if at % 7 == 4 { Target::Unindexed(tag) } else { Target::Id(other) };
    let too_many = |at| match at {
        699 => Target::Id(commit),
        _ => Target::Symbolic(name(699)),
    };
    let targets: [&dyn Fn(u64) -> Target; 2] = [&some, &too_many];
    for target in targets {
        let tables = [(0..700).map(|at| (name(at), Some(target(at)))).collect()];
        let right = leading(&mut host(as_files(&tables), 512), &commit, false).unwrap();
        assert!(!right.is_empty());
        for part in [512, 1 << 30] {
            let found = leading(&mut host(stack(&tables), part), &commit, false).unwrap();
            assert!(found == right, "in parts of {part}");
        }
    }
}

#[test]
fn few_blocks_are_read_to_find_refs_that_point_at_an_object() {
    const BLOCK: u64 = 4096;
    let objects = objects();
    let mut tables = many(&objects, 0);
    let (rare, common) = (objects.commits[0], objects.commits[1]);
    tables[0] = (0..30_000)
        .map(|at| {
            let target = match at {
                100 | 20_000 => Target::Id(rare),
                200 => Target::Symbolic("refs/changes/000100".to_string()),
                300 => Target::Unindexed(objects.tags[0].0),
                _ => Target::Id(common),
            };
            (format!("refs/changes/{at:06}"), Some(target))
        })
        .collect();
    let files = stack(&tables[..1]);
    let read = |host: &mut Host, question: &dyn Fn(&mut Host)| {
        let before = host.repository.stats().blocks_read;
        question(host);
        host.repository.stats().blocks_read - before
    };
    let fresh = || host(files.clone(), BLOCK);
    let listing = read(&mut fresh(), &|host| assert_eq!(all_refs(host), 30_000));
    assert!(listing > 100, "{listing}");
    let direct = read(&mut fresh(), &|host| {
        assert!(!leading(host, &rare, true).unwrap().is_empty());
    });
    assert!(direct <= 20, "{direct} of {listing}");
    // After the scan of the table, few blocks are read, though none of it is in memory.
    let limits = packlens::Limits { memory: 1 << 20, ..packlens::Limits::for_memory(1 << 20) };
    let options = Options { limits, ..Options::default() };
    let mut host = Host::fixture_with("reftable", files.clone(), BLOCK, options);
    let first = read(&mut host, &|host| {
        assert!(!leading(host, &rare, false).unwrap().is_empty());
    });
    assert!(first <= listing + 40, "{first}, and {listing} to list all");
    all_refs(&mut host);
    let again = read(&mut host, &|host| {
        assert!(!leading(host, &rare, false).unwrap().is_empty());
    });
    assert!(again <= 20, "{again} of {listing}");
}

#[test]
fn tables_stay_open_as_long_as_they_are_listed() {
    let objects = objects();
    let tables = many(&objects, 300);
    let mut host = host(stack(&tables), 512);
    let refs = host.repository.refs().clone();
    let get = |host: &mut Host, at: u64| {
        let name = format!("refs/changes/{at:06}");
        host.ask(|repository| refs.get(&repository.files, name.as_bytes())).unwrap()
    };
    let opened = |host: &Host| host.repository.stats().tables_opened;
    for at in 0..300 {
        get(&mut host, at);
    }
    assert_eq!(all_refs(&mut host), 300 - 300_usize.div_ceil(13));
    assert_eq!(opened(&host), 3);

    // One more table, then all in one: only new tables are opened.
    let more: BTreeMap<_, _> = [("refs/changes/000001".to_string(), None)].into();
    host.change("reftable/4.ref", Some(table(4, &more)));
    host.change("reftable/tables.list", Some(b"1.ref\n2.ref\n3.ref\n4.ref\n".to_vec()));
    assert!(get(&mut host, 1).is_none() && get(&mut host, 2).is_some());
    assert_eq!(opened(&host), 4);
    let one: BTreeMap<_, _> = [(
        "refs/changes/000001".to_string(),
        Some(tables[0]["refs/changes/000001"].clone().unwrap()),
    )]
    .into();
    host.change("reftable/5.ref", Some(table(5, &one)));
    host.change("reftable/tables.list", Some(b"5.ref\n".to_vec()));
    for at in 1..5 {
        host.change(&format!("reftable/{at}.ref"), None);
    }
    assert!(get(&mut host, 1).is_some() && get(&mut host, 2).is_none());
    assert_eq!((opened(&host), all_refs(&mut host)), (5, 1));
}
