//! Counting by bitmaps: what git counts, and no other number without them.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]

mod common;
#[path = "common/kinds.rs"]
mod kinds;

use common::Host;
use kinds::{args_of, cases, open, tree, Tree};
use packlens::{HashKind, Hasher, Output, Result, RevList, RevListOptions};
use serde_json::Value;

const MEMORY: u64 = 16 << 20;
const KINDS: [&str; 6] = [
    "bitmap",
    "bitmap-table",
    "bitmap-pseudo",
    "midx-bitmap",
    "midx-bitmap-table",
    "midx-bitmap-pseudo",
];

/// The cases of which git told a number too.
fn counted(fixture: &str) -> Vec<Value> {
    let mut cases = cases(fixture);
    cases.retain(|case| !case["objects"].is_null());
    cases
}

fn count(host: &mut Host, args: &[&str], objects: bool, use_bitmaps: bool) -> Result<u64> {
    let options = RevListOptions { objects, use_bitmaps, count: true, ..Default::default() };
    let orders = ["--reverse", "--topo-order", "--date-order"];
    let specs = args.iter().filter(|arg| !orders.contains(arg));
    let mut list = RevList::new(specs.map(|arg| arg.as_bytes().to_vec()).collect(), options);
    let mut out = Output::default();
    while !host.ask(|repository| list.fill(repository, 500, &mut out))? {}
    Ok(String::from_utf8_lossy(out.as_slice()).trim().parse().unwrap())
}

#[test]
fn counts_are_gits() {
    for fixture in ["packs", "packs-sha256"] {
        let cases = counted(fixture);
        assert!(cases.len() > 15);
        for (kind, part) in
            KINDS.iter().flat_map(|kind| [1, 7, 512, 65536].map(|part| (kind, part)))
        {
            let mut host = open(&tree(fixture, kind), part, MEMORY);
            for case in &cases {
                let args = args_of(case);
                let what = format!("{fixture}, {kind}, parts of {part}: {args:?}");
                let objects = count(&mut host, &args, true, true).unwrap();
                assert_eq!(objects, case["objects"].as_u64().unwrap(), "{what}");
                let commits = count(&mut host, &args, false, true).unwrap();
                assert_eq!(commits, case["commits"].as_u64().unwrap(), "{what}");
            }
        }
    }
}

/// What a commit with a bitmap leads to is not read.
#[test]
fn few_objects_are_read() {
    for kind in KINDS {
        let mut host = open(&tree("packs", kind), 4096, MEMORY);
        let objects = count(&mut host, &["main"], true, true).unwrap();
        let read = host.repository.stats().objects;
        assert_eq!(objects, 269);
        assert!(read < 40, "{kind}: {read} objects read");
        let mut plain = open(&tree("packs", "plain"), 4096, MEMORY);
        assert_eq!(count(&mut plain, &["main"], true, true).unwrap(), objects);
        assert!(plain.repository.stats().objects > 150);
    }
}

fn counts(tree: &Tree) -> [u64; 3] {
    let mut host = open(tree, 1 << 20, MEMORY);
    [(&["--all"][..], true), (&["main~3"], true), (&["v1.0"], false)]
        .map(|(args, objects)| count(&mut host, args, objects, true).unwrap())
}

/// Every fifth byte changed, every twentieth cut: bitmaps are left aside.
#[test]
fn damaged_ones_are_left_aside() {
    for kind in ["bitmap-table", "midx-bitmap-pseudo"] {
        let whole = tree("packs", kind);
        let expected = counts(&tree("packs", "plain"));
        let name = whole.keys().find(|path| path.ends_with(".bitmap")).unwrap();
        for at in (0..whole[name].len()).step_by(5) {
            let mut damaged = vec![whole.clone()];
            damaged[0].get_mut(name).unwrap()[at] ^= 1 << (at % 8);
            if at % 20 == 0 {
                damaged.push(whole.clone());
                damaged[1].get_mut(name).unwrap().truncate(at);
            }
            for tree in damaged {
                assert_eq!(counts(&tree), expected, "{kind}: {at}");
            }
        }
    }
}

/// Those that are about another pack, by what they say, are not believed.
#[test]
fn bitmaps_of_others_are_left_aside() {
    for kind in KINDS {
        let mut tree = tree("packs", kind);
        let name = tree.keys().find(|path| path.ends_with(".bitmap")).unwrap().clone();
        let bitmap = tree.get_mut(&name).unwrap();
        bitmap[12] ^= 1;
        let end = bitmap.len() - 20;
        let mut hasher = Hasher::new(HashKind::Sha1);
        hasher.update(&bitmap[..end]);
        bitmap[end..].copy_from_slice(hasher.finish().as_bytes());
        let mut host = open(&tree, 4096, MEMORY);
        assert_eq!(count(&mut host, &["main"], true, true).unwrap(), 269);
        assert!(host.repository.stats().objects > 150, "{kind}");
    }
}
