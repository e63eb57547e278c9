//! Counts and lists by bitmaps equal git's, and those without bitmaps.

use crate::common::{sealed, sha256, Host};
use crate::kinds::{args_of, cases, open, tree, Tree};
use packlens::{HashKind, Result, RevList, RevListOptions};
use serde_json::Value;

const MEMORY: u64 = 16 << 20;
const KINDS: [&str; 8] = [
    "bitmap",
    "bitmap-table",
    "bitmap-pseudo",
    "midx-bitmap",
    "midx-bitmap-table",
    "midx-bitmap-pseudo",
    "chain-bitmaps",
    "chain-bitmaps-pseudo",
];

/// Each kind, in parts of every size or in small ones.
fn every_part() -> impl Iterator<Item = (&'static str, u64)> {
    KINDS.iter().flat_map(|kind| {
        let parts: &[u64] = if kind.ends_with("pseudo") { &[1, 7, 512, 65536] } else { &[7] };
        parts.iter().map(|part| (*kind, *part))
    })
}

/// The cases for which git's count was recorded too.
fn counted(fixture: &str) -> Vec<Value> {
    let mut cases = cases(fixture);
    cases.retain(|case| !case["objects"].is_null());
    cases
}

fn ask(host: &mut Host, args: &[&str], options: RevListOptions) -> Result<Vec<u8>> {
    let orders = ["--reverse", "--topo-order", "--date-order"];
    let specs = args.iter().filter(|arg| !orders.contains(arg));
    let options = RevListOptions { reverse: args.contains(&"--reverse"), ..options };
    let mut list = RevList::new(specs.map(|arg| arg.as_bytes().to_vec()).collect(), options);
    host.all_of(&mut list)
}

fn count(host: &mut Host, args: &[&str], objects: bool, use_bitmaps: bool) -> Result<u64> {
    let options = RevListOptions { objects, use_bitmaps, count: true, ..Default::default() };
    let text = ask(host, args, options)?;
    Ok(String::from_utf8_lossy(&text).trim().parse().unwrap())
}

fn list(host: &mut Host, args: &[&str], use_bitmaps: bool) -> Result<Vec<u8>> {
    ask(host, args, RevListOptions { objects: true, use_bitmaps, ..Default::default() })
}

#[test]
fn counts_are_gits() {
    for fixture in ["packs", "packs-sha256"] {
        let cases = counted(fixture);
        assert!(cases.len() > 15);
        for (kind, part) in every_part() {
            let mut host = open(&tree(fixture, kind), part, MEMORY);
            for case in &cases {
                let args = args_of(case);
                let what = format!("{fixture}, {kind}, parts of {part}: {args:?}");
                let recorded = case["bitmaps"].get(kind).unwrap_or(case);
                let objects = count(&mut host, &args, true, true).unwrap();
                assert_eq!(objects, recorded["objects"].as_u64().unwrap(), "{what}");
                let commits = count(&mut host, &args, false, true).unwrap();
                assert_eq!(commits, recorded["commits"].as_u64().unwrap(), "{what}");
            }
        }
    }
}

#[test]
fn lists_are_gits() {
    let mut compared = 0;
    for fixture in ["packs", "packs-sha256"] {
        for (kind, part) in every_part() {
            let mut host = open(&tree(fixture, kind), part, MEMORY);
            for case in counted(fixture) {
                let Some(recorded) = case["bitmaps"].get(kind) else { continue };
                let args = args_of(&case);
                let text = list(&mut host, &args, true).unwrap();
                let what = format!("{fixture}, {kind}, parts of {part}: {args:?}");
                assert_eq!(sha256(&text), recorded["sha256"], "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2 * 4 * 20, "{compared} compared");
}

/// Objects reachable from a commit with a bitmap are not read.
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

/// Changes every ninth byte, and cuts a quarter of these: the bitmaps are ignored.
#[test]
fn damaged_bitmaps_are_ignored() {
    let expected = counts(&tree("packs", "plain"));
    for kind in ["bitmap-table", "midx-bitmap-pseudo", "chain-bitmaps"] {
        let whole = tree("packs", kind);
        for name in whole.keys().filter(|path| path.ends_with(".bitmap")) {
            for at in (0..whole[name].len()).step_by(9) {
                let mut damaged = vec![whole.clone()];
                damaged[0].get_mut(name).unwrap()[at] ^= 1 << (at % 8);
                if at % 4 == 0 {
                    damaged.push(whole.clone());
                    damaged[1].get_mut(name).unwrap().truncate(at);
                }
                for tree in damaged {
                    assert_eq!(counts(&tree), expected, "{kind}, {name}: {at}");
                }
            }
        }
    }
}

/// A chain with a layer that has no bitmaps is walked without bitmaps.
#[test]
fn bitmaps_of_all_layers_are_needed() {
    let whole = tree("packs", "chain-bitmaps");
    let bitmaps = whole.keys().filter(|path| path.ends_with(".bitmap"));
    for path in bitmaps.clone() {
        let mut tree = whole.clone();
        tree.remove(path);
        let mut host = open(&tree, 4096, MEMORY);
        let walked = list(&mut host, &["main"], false).unwrap();
        assert_eq!(list(&mut host, &["main"], true).unwrap(), walked, "{path}");
    }
    assert_eq!(bitmaps.count(), 3);
}

/// Bitmaps that name another pack are not trusted.
#[test]
fn bitmaps_of_other_packs_are_ignored() {
    for kind in KINDS {
        let mut tree = tree("packs", kind);
        let name = tree.keys().find(|path| path.ends_with(".bitmap")).unwrap().clone();
        let bitmap = tree.get_mut(&name).unwrap();
        bitmap[12] ^= 1;
        *bitmap = sealed(bitmap, HashKind::Sha1);
        let mut host = open(&tree, 4096, MEMORY);
        assert_eq!(count(&mut host, &["main"], true, true).unwrap(), 269);
        assert!(host.repository.stats().objects > 150, "{kind}");
    }
}
