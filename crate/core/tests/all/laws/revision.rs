//! Revisions: the same answer in parts, on a retry, and in another spelling.

use super::base::{self, assert_typed};
use super::input::Input;
use crate::common::Host;
use packlens::{ErrorKind, ObjectId, Result, Verify};

const WORDS: [&str; 28] = [
    "HEAD",
    "@",
    "main",
    "refs/heads/side",
    "v1-again",
    "tags/v1",
    "^",
    "~",
    "^{}",
    "^{tree}",
    "^{commit}",
    "^{tag}",
    "^{blob}",
    "^{object}",
    "^0",
    "~0",
    "2",
    "3",
    "9",
    ":",
    "folder",
    "/",
    "text",
    "deep",
    "-g",
    "{",
    "}",
    "@{",
];

fn resolve(host: &mut Host, spec: &[u8]) -> Result<ObjectId> {
    host.ask(|repository| repository.resolve(spec))
}

pub fn revision(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.one_of(&[512, 64, 7]));
    let mut spec = Vec::new();
    if input.flag() {
        spec = input.0.to_vec();
    } else {
        while let [byte, ..] = input.0 {
            match WORDS.get(usize::from(*byte) % 32) {
                Some(word) => {
                    input.byte();
                    spec.extend(word.bytes());
                }
                None => {
                    // A prefix of an id.
                    let (digits, nth) = (4 + input.below(8), input.byte());
                    let ids = base::ids(hash);
                    let id = ids[usize::from(nth) % ids.len()].to_hex();
                    spec.extend(id.bytes().take(digits));
                }
            }
        }
    }
    let tree = base::tree(hash, "plain");
    let mut host = base::open(tree, hash, 1 << 30, Verify::Oid);
    let found = resolve(&mut host, &spec);
    assert_eq!(resolve(&mut base::open(tree, hash, part, Verify::Oid), &spec), found);
    assert_eq!(resolve(&mut host, &spec), found, "asked again");
    let mut also = |ending: &str| resolve(&mut host, &[&spec, ending.as_bytes()].concat());
    match &found {
        Ok(id) => {
            let hex = id.to_hex();
            assert_eq!(
                resolve(&mut base::open(tree, hash, 512, Verify::Oid), hex.as_bytes()),
                Ok(*id)
            );
        }
        Err(error) if error.kind() == ErrorKind::Ambiguous => {}
        Err(error) => assert_typed(error),
    }
    // After a path or an open brace, endings mean something else.
    let plain = !spec.iter().any(|byte| b":{}@".contains(byte)) && !spec.is_empty();
    let same = |one: Result<ObjectId>, other: Result<ObjectId>| {
        assert_eq!(one.map_err(|error| error.kind()), other.map_err(|error| error.kind()));
    };
    if plain && found.is_ok() {
        same(also("^{object}"), found.clone());
        same(also("^0"), also("^{commit}"));
        same(also("~2"), also("^^"));
        same(also("~1"), also("^1"));
        same(also("^{tree}"), also(":"));
        same(also("^{}^{}"), also("^{}"));
        same(also("^0^{tree}"), also("~0:"));
    }
}
