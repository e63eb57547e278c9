//! How often directories of loose objects are listed for abbreviated ids.

use crate::common::Host;
use packlens::{Error, HashKind, Layout, Need, ObjectId, Options};

const ID: &str = "abcdef0000000000000000000000000000000001";
const LATER: &str = "ab00000000000000000000000000000000000003";

fn id(hex: &str) -> ObjectId {
    ObjectId::from_hex(HashKind::Sha1, hex.as_bytes()).unwrap()
}

fn path(hex: &str) -> String {
    format!("objects/{}/{}", &hex[..2], &hex[2..])
}

fn host(lists_loose_once: bool) -> Host {
    let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
    let mut host = Host::of_files(&[(&path(ID), b"")], 1 << 30, options).unwrap();
    host.repository.configure(options, Layout { lists_loose_once, ..Layout::default() });
    host
}

/// Asks, and counts how often the directory of the id was listed.
fn listings<T>(
    host: &mut Host,
    ask: impl FnMut(&mut packlens::Repository) -> Result<T, Error>,
) -> (Result<T, Error>, usize) {
    let mut count = 0;
    let answer = host.ask_watched(ask, |_, need| {
        count += usize::from(matches!(need, Need::Directory(path) if path == b"objects/ab"));
    });
    (answer, count)
}

#[test]
fn each_question_lists_loose_objects_unless_they_are_listed_once() {
    for (once, expected) in [(false, [1, 1, 1]), (true, [1, 0, 0])] {
        let mut host = host(once);
        let counts = expected.map(|_| {
            let (digits, count) =
                listings(&mut host, |repository| repository.abbreviate(&id(ID), Some(7)));
            assert_eq!(digits.unwrap(), 7);
            count
        });
        assert_eq!(counts, expected, "once: {once}");
    }
}

#[test]
fn an_abbreviated_id_that_is_not_found_is_looked_for_again() {
    for once in [false, true] {
        let mut host = host(once);
        let find =
            |host: &mut Host| host.ask(|repository| repository.resolve(&LATER.as_bytes()[..9]));
        assert!(find(&mut host).is_err());
        host.change(&path(LATER), Some(Vec::new()));
        assert_eq!(find(&mut host).unwrap(), id(LATER), "once: {once}");
    }
}
