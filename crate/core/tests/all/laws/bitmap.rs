//! Bitmaps change no count.

use super::base::{self, assert_typed, sealed};
use super::input::Input;
use crate::kinds::Tree;
use packlens::{HashKind, Output, Result, RevList, RevListOptions, Verify};
use std::sync::LazyLock;

/// Kinds of bitmaps, and which of their files is changed. Bitmaps of pseudo-merges have a
/// lookup table as well.
const KINDS: [(&str, usize); 6] = [
    ("bitmap", 0),
    ("midx-bitmap", 0),
    ("bitmap-pseudo", 0),
    ("midx-bitmap-pseudo", 0),
    ("chain-bitmap", 0),
    ("chain-bitmap", 1),
];

const COUNTS: [(&[&str], bool); 4] = [
    (&["refs/heads/main", "refs/heads/side", "refs/tags/v1-again"], true),
    (&["refs/heads/main", "^refs/heads/side"], true),
    (&["refs/heads/main~1"], false),
    (&["refs/heads/other", "^refs/heads/main~2"], true),
];

fn counts(tree: &Tree, hash: HashKind, part: u64) -> Vec<Result<Vec<u8>>> {
    let mut host = base::open(tree, hash, part, Verify::Oid);
    COUNTS
        .iter()
        .map(|(specs, objects)| {
            let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
            let options = RevListOptions {
                objects: *objects,
                use_bitmaps: true,
                count: true,
                ..Default::default()
            };
            let mut list = RevList::new(specs, options);
            let mut out = Output::default();
            while !host.ask(|repository| list.fill(repository, 500, &mut out))? {}
            Ok(out.as_slice().to_vec())
        })
        .collect()
}

static PLAIN: LazyLock<[Vec<Result<Vec<u8>>>; 2]> =
    LazyLock::new(|| base::HASHES.map(|hash| counts(base::tree(hash, "plain"), hash, 1 << 30)));

/// With damaged bitmaps the counts are those without bitmaps. Walks with wrong bitmaps that
/// have a right hash at their end finish, with the same answers in parts.
pub fn bitmap(data: &[u8]) {
    let mut input = Input(data);
    let (hash, (kind, nth)) = (input.hash(), input.one_of(&KINDS));
    let (seals, part) = (input.flag(), input.part());
    let mut tree = base::tree(hash, kind).clone();
    let mut names = tree.keys().filter(|path| path.ends_with(".bitmap"));
    let name = names.nth(nth).unwrap().clone();
    tree.insert(name, if seals { sealed(input.0, hash) } else { input.0.to_vec() });
    let answers = counts(&tree, hash, part);
    if !seals {
        assert_eq!(answers, PLAIN[usize::from(hash == HashKind::Sha256)]);
        return;
    }
    assert_eq!(answers, counts(&tree, hash, 1 << 30));
    answers.iter().filter_map(|count| count.as_ref().err()).for_each(assert_typed);
}
