//! Histories changed by grafts, shallow boundaries and replace refs, in parts of every size
//! and damaged.

use crate::common::{fixtures, Host};
use crate::loose_files::LooseFiles;
use packlens::{ErrorKind, ObjectId, Options, Output, Result, RevList, RevListOptions};
use std::collections::BTreeMap;

const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];

type Files = BTreeMap<Vec<u8>, Vec<u8>>;

fn history(host: &mut Host) -> Result<String> {
    let mut list = RevList::new(vec![b"main".to_vec()], RevListOptions::default());
    let mut out = Output::default();
    while !host.ask(|repository| list.fill(repository, 1 << 20, &mut out))? {}
    Ok(String::from_utf8(out.as_slice().to_vec()).unwrap())
}

fn open(name: &str, files: &Files, part: u64) -> Host {
    let path = format!("boundaries/{name}");
    Host::fixture_with(&path, files.clone(), part, Options::default())
}

#[test]
fn where_a_part_ends_changes_nothing() {
    for (name, commits) in
        [("replaced.git", 3), ("grafted.git", 2), ("pruned.git", 4), ("shallow.git", 2)]
    {
        let whole = history(&mut open(name, &Files::new(), 1 << 30)).unwrap();
        assert_eq!(whole.lines().count(), commits, "{name}");
        for part in PARTS {
            assert_eq!(history(&mut open(name, &Files::new(), part)).unwrap(), whole, "{name}");
        }
    }
}

/// A damaged file changes the boundary of the history, or is refused; walks never fail
/// otherwise, and never list missing commits.
fn damaged(name: &str, file: &str) -> (usize, usize) {
    let bytes = std::fs::read(fixtures().join("boundaries").join(name).join(file)).unwrap();
    damaged_from(name, file, &bytes)
}

/// Like [`damaged`], for a file at another path of the fixture.
fn damaged_from(name: &str, file: &str, bytes: &[u8]) -> (usize, usize) {
    let cuts = (0..bytes.len()).map(|length| bytes[..length].to_vec());
    let flips = (0..bytes.len()).map(|at| {
        let mut changed = bytes.to_vec();
        changed[at] ^= 4;
        changed
    });
    let (mut right, mut refused) = (0, 0);
    for changed in cuts.chain(flips) {
        let files = Files::from([(file.as_bytes().to_vec(), changed.clone())]);
        let answers: Vec<_> =
            [1, 1 << 30].map(|part| history(&mut open(name, &files, part))).into();
        assert_eq!(answers[0], answers[1]);
        match &answers[0] {
            Ok(text) => {
                right += 1;
                assert!(text.lines().all(|line| line.len() == 40));
            }
            Err(error) => {
                refused += 1;
                let kinds = [ErrorKind::Corrupt, ErrorKind::NotFound];
                assert!(kinds.contains(&error.kind()), "{error:?} {changed:?}");
            }
        }
    }
    (right, refused)
}

#[test]
fn a_damaged_file_gives_a_history_or_a_typed_error() {
    let (right, refused) = damaged("pruned.git", "shallow");
    assert!(right > 50 && refused > 70, "{right} {refused}");
    let (right, refused) = damaged("grafted.git", "info/grafts");
    assert!(right > 300 && refused == 0, "{right} {refused}");
}

/// With an unreadable replace ref the commit itself is shown, or the walk is refused.
#[test]
fn a_damaged_replace_ref_gives_a_history_or_a_typed_error() {
    // The merge, and the parent that replaces it.
    let (merge, parent) =
        ("a2c749dd597c3fab9886ded87731a19fa2fd1148", "8740329461b910fa8fde454d2daaabf970bdc2d2");
    let file = format!("refs/replace/{merge}");
    let whole = Files::from([(file.clone().into_bytes(), format!("{parent}\n").into_bytes())]);
    let replaced = history(&mut open("replaced.git", &whole, 1 << 30)).unwrap();
    assert!(replaced.contains(merge), "{replaced}");
    let (right, refused) = damaged_from("replaced.git", &file, format!("{parent}\n").as_bytes());
    // With text that is no id the commit itself is shown; objects of other ids are missing.
    assert!(right > 40 && refused > 20, "{right} {refused}");
}

#[test]
fn promised_objects_do_not_depend_on_parts_or_order() {
    let text = include_str!("../../../../tests/fixtures/partial.json");
    let answers: serde_json::Value = serde_json::from_str(text).unwrap();
    for (name, answers) in answers.as_object().unwrap() {
        let ids = |key: &str| -> Vec<String> {
            let list = answers[key].as_array().unwrap().iter();
            list.map(|id| id.as_str().unwrap().to_string()).collect()
        };
        for part in PARTS {
            let mut host = Host::fixture(&format!("partial/{name}.git"), part);
            let hash = host.repository.hash();
            let mut kind = |id: &str| {
                let id = ObjectId::from_hex(hash, id.as_bytes()).unwrap();
                let result = host.ask(|repository| {
                    let error = repository.object_type(&id).unwrap_err();
                    match error.is_missing() {
                        true => Err(error),
                        false => repository.as_promised(error),
                    }
                });
                result.unwrap().kind()
            };
            for id in ids("promised") {
                assert_eq!(kind(&id), ErrorKind::Promised, "{name} {id}");
            }
            for id in ids("missing") {
                assert_eq!(kind(&id), ErrorKind::NotFound, "{name} {id}");
            }
        }
    }
}

/// Revisions follow the same parents as walks.
#[test]
fn parents_that_are_named_are_those_of_grafts_and_shallow_clones() {
    let mut files = LooseFiles::default();
    let [first, second, third] = [1, 2, 3].map(|number| files.commit(number, &[]));
    let child = files.commit(4, &[first]);
    files.reference("refs/heads/main", &child);
    let found = |files: &LooseFiles, spec: &str| {
        files.open().ask(|repository| repository.resolve(spec.as_bytes())).ok()
    };
    let specs = ["main~1", "main^", "main^2", "main~2"];
    assert_eq!(specs.map(|spec| found(&files, spec)), [Some(first), Some(first), None, None]);
    let grafts = [
        format!("{} {} {}\n", child.to_hex(), second.to_hex(), first.to_hex()),
        format!("{} {}\n", second.to_hex(), third.to_hex()),
    ];
    files.text("info/grafts", &grafts.concat());
    let grafted = [Some(second), Some(second), Some(first), Some(third)];
    assert_eq!(specs.map(|spec| found(&files, spec)), grafted);
    // The shallow boundary takes precedence, as in git.
    files.text("shallow", &format!("{}\n", child.to_hex()));
    assert_eq!(specs.map(|spec| found(&files, spec)), [None; 4]);
}
