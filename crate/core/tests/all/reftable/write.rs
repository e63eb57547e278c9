//! Tables written here are read back, by packlens and by git.

use crate::common::random::Random;
use packlens::{
    ErrorKind, HashKind, Limits, LogRecord, ObjectId, RefRecord, RefValue, Reftable,
    ReftableOptions, ReftableStack, ReftableWriter, Result, TableRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// The content of a table.
#[derive(Clone, Debug, Default)]
struct Content {
    refs: BTreeMap<String, Target>,
    /// Keyed by name and by the inverted number of the transaction.
    logs: BTreeMap<(String, u64), Option<LogRecord>>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Target {
    Deleted,
    Id(ObjectId),
    Tag(ObjectId, ObjectId),
    Symbolic(String),
}

fn id(hash: HashKind, number: u64) -> ObjectId {
    let mut bytes = [number as u8; 32];
    // Some ids share a prefix.
    bytes[..8].copy_from_slice(&(number / 3 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    ObjectId::from_bytes(hash, &bytes).unwrap()
}

fn content(random: &mut Random, hash: HashKind, refs: u64, logs: u64) -> Content {
    let mut content = Content::default();
    let objects = 1 + random.below(300);
    let name = |random: &mut Random| {
        let folder = ["refs/heads", "refs/tags/deep/er", "refs/changes"][random.below(3) as usize];
        format!("{folder}/{:x}", random.below(refs * 4 + 4))
    };
    for _ in 0..refs {
        let object = id(hash, random.below(objects));
        let target = match random.below(20) {
            0 => Target::Deleted,
            1 => Target::Symbolic(name(random)),
            2..5 => Target::Tag(object, id(hash, random.below(objects))),
            _ => Target::Id(object),
        };
        content.refs.insert(name(random), target);
    }
    for _ in 0..logs {
        let (name, update_index) = (name(random), 1 + random.below(5));
        let message = "x".repeat(random.below(60) as usize);
        let record = LogRecord {
            name: name.clone().into_bytes(),
            update_index,
            old: id(hash, random.below(objects)),
            new: id(hash, random.below(objects)),
            who: b"C O Mitter".to_vec(),
            email: b"committer@example.com".to_vec(),
            seconds: random.below(1 << 33),
            zone: random.below(2400) as i16 - 1200,
            message: format!("{message}\n").into_bytes(),
        };
        let is_deleted = random.below(10) == 0;
        content.logs.insert((name, !update_index), (!is_deleted).then_some(record));
    }
    content
}

fn write(options: ReftableOptions, content: &Content) -> Result<Vec<u8>> {
    let mut writer = ReftableWriter::new(options)?;
    for (name, target) in &content.refs {
        let target = match target {
            Target::Deleted => TableRef::Deleted,
            Target::Id(id) => TableRef::Id(*id),
            Target::Tag(id, peeled) => TableRef::Tag { id: *id, peeled: *peeled },
            Target::Symbolic(target) => TableRef::Symbolic(target.as_bytes()),
        };
        writer.add_ref(name.as_bytes(), options.min_update_index, target)?;
    }
    for ((name, index), log) in &content.logs {
        match log {
            Some(log) => writer.add_log(log)?,
            None => writer.delete_log(name.as_bytes(), !*index)?,
        }
    }
    writer.finish()
}

fn stack<'a>(hash: HashKind, tables: &'a [Vec<u8>]) -> ReftableStack<&'a [u8]> {
    let open =
        |bytes: &'a Vec<u8>| Reftable::open(bytes.as_slice(), hash, &Limits::default()).unwrap();
    ReftableStack::of(tables.iter().map(open).collect())
}

fn list(stack: &ReftableStack<&[u8]>) -> Vec<RefRecord> {
    let mut refs = stack.refs();
    std::iter::from_fn(|| refs.next().unwrap()).collect()
}

fn list_logs(stack: &ReftableStack<&[u8]>) -> Vec<LogRecord> {
    let mut logs = stack.logs();
    std::iter::from_fn(|| logs.next().unwrap()).collect()
}

fn expected(name: &str, target: &Target) -> Option<RefRecord> {
    let (value, peeled) = match target {
        Target::Deleted => return None,
        Target::Id(id) => (RefValue::Id(*id), None),
        Target::Tag(id, peeled) => (RefValue::Id(*id), Some(Some(*peeled))),
        Target::Symbolic(target) => (RefValue::Symbolic(target.clone().into_bytes()), None),
    };
    Some(RefRecord { name: name.as_bytes().to_vec(), value, peeled })
}

fn random_options(random: &mut Random, hash: HashKind) -> ReftableOptions {
    ReftableOptions {
        block_size: [200, 256, 512, 4096, 1 << 16][random.below(5) as usize],
        is_aligned: random.below(3) > 0,
        restart_interval: [1, 2, 16, 64, u16::MAX][random.below(5) as usize],
        min_update_index: 1,
        max_update_index: 5,
        ..ReftableOptions::new(hash, 1)
    }
}

#[test]
fn written_tables_are_read_back() {
    let mut random = Random::new(1);
    for round in 0..60 {
        let hash = [HashKind::Sha1, HashKind::Sha256][round % 2];
        // With several tables, the newest counts.
        let mut all = Content::default();
        let mut tables = Vec::new();
        for _ in 0..1 + random.below(4) {
            let (refs, logs) = (random.below(400), random.below(200));
            let content = content(&mut random, hash, refs, logs);
            tables.push(write(random_options(&mut random, hash), &content).unwrap());
            all.refs.extend(content.refs);
            all.logs.extend(content.logs);
        }
        let stack = stack(hash, &tables);
        let right: Vec<RefRecord> =
            all.refs.iter().filter_map(|(name, target)| expected(name, target)).collect();
        assert_eq!(list(&stack), right, "round {round}");
        let logs: Vec<LogRecord> = all.logs.values().flatten().cloned().collect();
        assert_eq!(list_logs(&stack), logs, "round {round}");
        for (name, target) in &all.refs {
            let found = stack.get(name.as_bytes()).unwrap();
            assert_eq!(found, expected(name, target), "round {round}");
            let missing = format!("{name}/x");
            assert_eq!(stack.get(missing.as_bytes()).unwrap(), None, "round {round}");
        }
        let ids: BTreeSet<ObjectId> = (0..30).map(|number| id(hash, number)).collect();
        for id in ids {
            let points = |record: &&RefRecord| {
                record.value == RefValue::Id(id) || record.peeled == Some(Some(id))
            };
            let right: Vec<RefRecord> = right.iter().filter(points).cloned().collect();
            assert_eq!(stack.pointing_at(&id).unwrap(), right, "round {round}");
        }
    }
}

#[test]
fn records_that_no_table_can_have_are_refused() {
    let options = ReftableOptions { block_size: 256, ..ReftableOptions::new(HashKind::Sha1, 3) };
    let (sha1, sha256) = (id(HashKind::Sha1, 1), id(HashKind::Sha256, 1));
    let refused = |name: &[u8], update_index, target| {
        let mut writer = ReftableWriter::new(options).unwrap();
        writer.add_ref(b"refs/heads/m", 3, TableRef::Id(sha1)).unwrap();
        let error = writer.add_ref(name, update_index, target).unwrap_err();
        // The record is skipped, and the table is intact.
        let table = [writer.finish().unwrap()];
        assert_eq!(list(&stack(HashKind::Sha1, &table)).len(), 1);
        error.kind()
    };
    let bad = ErrorKind::BadInput;
    assert_eq!(refused(b"refs/heads/a", 3, TableRef::Id(sha1)), bad);
    assert_eq!(refused(b"refs/heads/m", 3, TableRef::Deleted), bad);
    assert_eq!(refused(b"refs/heads/n..o", 3, TableRef::Deleted), bad);
    assert_eq!(refused(b"refs/heads/n", 4, TableRef::Id(sha1)), bad);
    assert_eq!(refused(b"refs/heads/n", 3, TableRef::Id(sha256)), bad);
    assert_eq!(refused(b"refs/heads/n", 3, TableRef::Symbolic(b"no name")), bad);
    let null = ObjectId::from_bytes(HashKind::Sha1, &[0; 20]).unwrap();
    assert_eq!(refused(b"refs/heads/n", 3, TableRef::Id(null)), bad);
    let long = [&b"refs/heads/"[..], &[b'n'; 250]].concat();
    assert_eq!(refused(&long, 3, TableRef::Deleted), ErrorKind::Limit);
    let backwards = ReftableOptions { max_update_index: 2, ..options };
    assert_eq!(ReftableWriter::new(backwards).err().unwrap().kind(), bad);
}

#[test]
fn an_empty_table_is_one() {
    for hash in [HashKind::Sha1, HashKind::Sha256] {
        let table = [write(ReftableOptions::new(hash, 1), &Content::default()).unwrap()];
        assert_eq!(table[0].len(), if hash == HashKind::Sha1 { 24 + 68 } else { 28 + 72 });
        let stack = stack(hash, &table);
        assert_eq!((list(&stack), list_logs(&stack)), (vec![], vec![]));
        assert_eq!(stack.get(b"HEAD").unwrap(), None);
        assert_eq!(stack.pointing_at(&id(hash, 1)).unwrap(), []);
    }
}

/// git reads the same refs, and the logs of one of them.
#[test]
#[ignore = "needs git 2.45 or newer: PACKLENS_GIT=git cargo test reftable:: -- --ignored"]
fn git_reads_written_tables() {
    let git = std::env::var("PACKLENS_GIT").unwrap_or("git".into());
    let mut random = Random::from_env("git_reads_written_tables");
    for round in 0..40 {
        let hash = [HashKind::Sha1, HashKind::Sha256][round % 2];
        let folder = std::env::temp_dir().join(format!("packlens-{}-{round}", std::process::id()));
        let run = |arguments: &[&str]| {
            let mut command = std::process::Command::new(&git);
            let out = command.arg("-C").arg(&folder).args(arguments).output().unwrap();
            assert!(out.status.success(), "{arguments:?}: {out:?}");
            String::from_utf8(out.stdout).unwrap()
        };
        std::fs::create_dir(&folder).unwrap();
        let format = if hash == HashKind::Sha1 { "sha1" } else { "sha256" };
        run(&["init", "-q", "--bare", "--ref-format=reftable", "--object-format", format, "."]);
        let (refs, logs) = (random.below(900), random.below(300));
        let content = content(&mut random, hash, refs, logs);
        let options = random_options(&mut random, hash);
        std::fs::write(folder.join("reftable/a.ref"), write(options, &content).unwrap()).unwrap();
        std::fs::write(folder.join("reftable/tables.list"), "a.ref\n").unwrap();

        let lines: Vec<String> = content
            .refs
            .iter()
            .filter_map(|(name, target)| match target {
                Target::Id(id) | Target::Tag(id, _) => Some(format!("{} {name}", id.to_hex())),
                _ => None,
            })
            .collect();
        let listed = run(&[
            "for-each-ref",
            "--format=%(if)%(symref)%(then)%(else)%(objectname) %(refname)%(end)",
        ]);
        let listed: Vec<&str> = listed.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(listed, lines, "round {round}");
        for (name, target) in content.refs.iter().step_by(9) {
            if let Target::Id(id) = target {
                assert_eq!(run(&["rev-parse", name]).trim(), id.to_hex(), "round {round}");
            }
        }
        let logged: BTreeSet<&str> = content
            .logs
            .iter()
            .filter(|(_, log)| log.is_some())
            .map(|((name, _), _)| name.as_str())
            .collect();
        let listed = run(&["reflog", "list"]);
        assert_eq!(listed.lines().collect::<BTreeSet<&str>>(), logged, "round {round}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
