//! Stacks that git compacts while they are read.

use super::stacks::{list_from, DIRECTORY};
use packlens::{
    ErrorKind, Files, HashKind, Limits, Need, ObjectId, RefRecord, ReftableOptions, ReftableStack,
    ReftableWriter, Result, TableRef,
};
use std::collections::BTreeMap;

/// A folder whose files may change between two looks.
struct Folder {
    files: BTreeMap<Vec<u8>, Vec<u8>>,
    stamp: u64,
    asked: Vec<Vec<u8>>,
}

impl Folder {
    /// Answers one need with the current files.
    fn provide(&mut self, files: &mut Files, need: &Need) {
        match need {
            Need::File { path, .. } => {
                self.asked.push(path.clone());
                match self.files.get(path) {
                    Some(bytes) => {
                        files.found(path, bytes.len() as u64, self.stamp);
                    }
                    None => files.absent(path),
                }
            }
            Need::Bytes { file, .. } => {
                let bytes = &self.files[files.path(*file).unwrap()];
                files.add(*file, 0, bytes.clone()).unwrap();
            }
            need => panic!("this asks for a file only: {need:?}"),
        }
    }
}

fn open(files: &Files) -> Result<Vec<RefRecord>> {
    let stack = ReftableStack::open(files, DIRECTORY, HashKind::Sha1, &Limits::default())?;
    list_from(&stack.unwrap(), b"")
}

fn table(name: &[u8]) -> Vec<u8> {
    let mut writer = ReftableWriter::new(ReftableOptions::new(HashKind::Sha1, 1)).unwrap();
    let id = ObjectId::from_bytes(HashKind::Sha1, &[7; 20]).unwrap();
    writer.add_ref(name, 1, TableRef::Id(id)).unwrap();
    writer.finish().unwrap()
}

/// Asks until there is an answer; calls `change` before the need of a number.
fn ask(change: impl Fn(usize, &mut Folder)) -> (Result<Vec<RefRecord>>, Folder) {
    let mut folder = Folder { files: BTreeMap::new(), stamp: 1, asked: Vec::new() };
    let mut put = |name: &str, bytes: Vec<u8>| {
        folder.files.insert(format!("reftable/{name}").into_bytes(), bytes);
    };
    put("a.ref", table(b"refs/heads/a"));
    put("b.ref", table(b"refs/heads/b"));
    put("tables.list", b"a.ref\nb.ref\n".to_vec());
    let mut files = Files::new(1 << 20);
    files.new_question(None);
    for number in 0..50 {
        match open(&files) {
            Err(error) if error.is_missing() => {
                change(number, &mut folder);
                folder.provide(&mut files, error.need().unwrap());
            }
            answer => return (answer, folder),
        }
    }
    panic!("asked 50 times, for {:?}", folder.asked);
}

fn compact(folder: &mut Folder) {
    folder.files.remove(&b"reftable/a.ref"[..]);
    folder.files.remove(&b"reftable/b.ref"[..]);
    folder.files.insert(b"reftable/c.ref".to_vec(), table(b"refs/heads/c"));
    folder.files.insert(b"reftable/tables.list".to_vec(), b"c.ref\n".to_vec());
    folder.stamp = 2;
}

#[test]
fn the_list_is_read_again_after_a_table_is_gone() {
    // Before the list is found and read, and before each table is.
    for (moment, name) in [(0, "c"), (2, "c"), (9, "a")] {
        let (answer, folder) = ask(|number, folder| {
            if number == moment {
                compact(folder);
            }
        });
        let names: Vec<Vec<u8>> = answer.unwrap().into_iter().map(|record| record.name).collect();
        assert_eq!(names[0], format!("refs/heads/{name}").as_bytes(), "{:?}", folder.asked);
        let lists = folder.asked.iter().filter(|path| path.ends_with(b"list")).count();
        assert_eq!(lists, if moment == 2 { 2 } else { 1 });
    }
}

#[test]
fn a_table_that_is_listed_still_is_missing() {
    let (answer, folder) = ask(|_, folder| {
        folder.files.remove(&b"reftable/b.ref"[..]);
    });
    let error = answer.unwrap_err();
    assert_eq!((error.kind(), error.subject()), (ErrorKind::Corrupt, &b"b.ref"[..]));
    let lists = folder.asked.iter().filter(|path| path.ends_with(b"list")).count();
    assert_eq!(lists, 2);
}

#[test]
fn names_of_tables_cannot_leave_their_folder() {
    for list in ["../config\n", "a/b.ref\n", ".hidden\n", "a\0b\n"] {
        let (answer, _) = ask(|_, folder| {
            folder.files.insert(b"reftable/tables.list".to_vec(), list.into());
        });
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::Corrupt, "{list:?}");
    }
}
