//! Wrong graphs with a right hash: how much a walk notices, how much it cannot notice, and
//! that a check reports all of it.

use super::{ask, graph, tables, Graph};
use crate::common::{sealed, Host};
use packlens::{Fsck, FsckOptions, HashKind, Options, Output, Result};
use std::collections::BTreeMap;

const QUESTIONS: [&[&str]; 9] = [
    &["rev-list", "--all"],
    &["rev-list", "--objects", "main"],
    &["rev-list", "--topo-order", "main", "^side"],
    &["rev-list", "--date-order", "other...main~1"],
    &["rev-list", "--count", "--first-parent", "main"],
    &["rev-list", "--count", "--all"],
    &["merge-base", "--all", "side", "other"],
    &["merge-base", "--independent", "main~1", "side", "other"],
    &["merge-base", "--is-ancestor", "side", "main"],
];

type Answers = Vec<Result<(u64, String)>>;

fn answers(fixture: &str, graph: &Graph, uses_graphs: bool) -> Answers {
    let mut host = Host::fixture_with(fixture, graph.clone(), 1 << 20, Options::default());
    host.repository.boundaries().uses_graphs = uses_graphs;
    QUESTIONS.iter().map(|args| ask(&mut host, args)).collect()
}

/// Returns whether a check finds a fault in the graph, and whether it is an error for git.
fn reports(fixture: &str, graph: &Graph) -> (bool, bool) {
    let mut host = Host::fixture_with(fixture, graph.clone(), 1 << 20, Options::default());
    let mut fsck = Fsck::new(FsckOptions::default());
    let mut out = Output::default();
    while !host.ask(|repository| fsck.fill(repository, usize::MAX, &mut out)).unwrap() {}
    let has = |name: &str| out.as_slice().windows(name.len()).any(|text| text == name.as_bytes());
    let error = ["badCommitGraph", "brokenCommitGraph", "unusableCommitGraph"].into_iter().any(has);
    (error || has("inexactGeneration"), error)
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Count {
    changed: u32,
    /// An answer differs from that of the commits.
    wrong: u32,
    /// A check does not report it.
    missed: u32,
}

/// Changes each byte of the tables of a graph, some of the ids, and counts the effects by
/// table.
fn count(fixture: &str, kind: &str, hash: HashKind) -> BTreeMap<String, Count> {
    let expected = answers(fixture, &Graph::new(), true);
    assert!(expected.iter().all(Result::is_ok), "{expected:?}");
    let whole = graph(fixture, kind);
    assert_eq!(answers(fixture, &whole, true), expected);
    assert_eq!(reports(fixture, &whole), (false, false));
    let mut counts = BTreeMap::<String, Count>::new();
    for (name, bytes) in whole.iter().filter(|(name, _)| !name.ends_with(b"-chain")) {
        for (table, place) in tables(bytes) {
            if [&b"OIDF"[..], b"BIDX", b"BDAT"].contains(&table) {
                continue;
            }
            let step = if table == b"OIDL" { 7 } else { 1 };
            for at in place.step_by(step) {
                let mut bytes = bytes.clone();
                bytes[at] ^= [0x01, 0x80, 0x12][at % 3];
                let mut changed = whole.clone();
                changed.insert(name.clone(), sealed(&bytes, hash));
                let table = String::from_utf8(table.to_vec()).unwrap();
                let count = counts.entry(table).or_default();
                count.changed += 1;
                count.missed += u32::from(!reports(fixture, &changed).0);
                if answers(fixture, &changed, true) != expected {
                    count.wrong += 1;
                    assert_eq!(answers(fixture, &changed, false), expected);
                }
            }
        }
    }
    counts
}

/// The number of noticed changes is fixed; more would be better. A check misses only a change
/// that no reader sees: the second parent of a commit without a first.
#[test]
fn the_effects_of_changed_graphs() {
    let counted =
        |table: &str, changed, wrong, missed| (table.to_owned(), Count { changed, wrong, missed });
    for (kind, hash, expected) in [
        ("dates", HashKind::Sha1, [counted("CDAT", 216, 1, 4), counted("OIDL", 18, 15, 0)]),
        // A wrong date is noticed if another one is computed from it.
        ("levels", HashKind::Sha1, [counted("CDAT", 216, 16, 4), counted("OIDL", 18, 15, 0)]),
        // A layer names the one below by its hash, so only the top can be changed.
        ("chain", HashKind::Sha1, [counted("CDAT", 216, 2, 0), counted("OIDL", 18, 12, 0)]),
        ("dates", HashKind::Sha256, [counted("CDAT", 288, 1, 4), counted("OIDL", 28, 23, 0)]),
    ] {
        let fixture = if hash == HashKind::Sha1 { "fuzz/sha1" } else { "fuzz/sha256" };
        let counts = count(fixture, kind, hash);
        let mut all = BTreeMap::from(expected);
        all.insert("EDGE".to_owned(), Count { changed: 8, wrong: 1, missed: 0 });
        if kind != "levels" {
            all.insert("GDA2".to_owned(), Count { changed: 24, wrong: 0, missed: 0 });
        }
        if kind == "chain" {
            all.insert("BASE".to_owned(), Count { changed: 20, wrong: 0, missed: 0 });
        }
        assert_eq!(counts, all, "{kind} {hash:?}");
    }
}
