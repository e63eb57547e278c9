//! The objects reachable from commits, as `git rev-list --objects` lists them.

use crate::common::{sha256, Host};
use crate::kinds::{args_of, cases, open, tree, Tree};
use packlens::{ErrorKind, Fields, ObjectId, Result, RevList, RevListOptions, RevOrder};
use std::io::Write;

const MEMORY: u64 = 16 << 20;

fn list(host: &mut Host, args: &[&str], options: RevListOptions) -> Result<Vec<u8>> {
    let mut options = RevListOptions { objects: true, ..options };
    let mut specs = Vec::new();
    for arg in args {
        let number = || arg.split('=').nth(1).unwrap().parse::<u64>().unwrap();
        match arg.split('=').next().unwrap() {
            "--topo-order" => options.order = RevOrder::Topo,
            "--date-order" => options.order = RevOrder::Date,
            "--reverse" => options.reverse = true,
            "--first-parent" => options.first_parent = true,
            "--no-merges" => options.max_parents = Some(1),
            "--max-count" => options.limit = Some(number()),
            "--skip" => options.skip = number(),
            _ => specs.push(arg.as_bytes().to_vec()),
        }
    }
    let mut list = RevList::new(specs, options);
    host.all_of(&mut list)
}

#[test]
fn every_line_is_gits() {
    for fixture in ["packs", "packs-sha256"] {
        let cases = cases(fixture);
        assert!(cases.len() > 20);
        for part in [1, 7, 512, 65536, 1 << 30] {
            let mut host = open(&tree(fixture, "plain"), part, MEMORY);
            for case in &cases {
                let args = args_of(case);
                let what = format!("{fixture}, parts of {part}: {args:?}");
                let text = list(&mut host, &args, RevListOptions::default())
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                let lines = text.iter().filter(|byte| **byte == b'\n').count() as u64;
                assert_eq!(lines, case["lines"].as_u64().unwrap(), "{what}");
                assert_eq!(sha256(&text), case["sha256"], "{what}");
                let options = RevListOptions { count: true, ..RevListOptions::default() };
                let count = list(&mut host, &args, options).unwrap();
                assert_eq!(count, format!("{lines}\n").into_bytes(), "{what}");
            }
        }
    }
}

/// A commit-graph changes how many uninteresting commits git visits, and so do we.
#[test]
fn every_line_is_gits_with_a_graph() {
    let cases = cases("graphs");
    let differ = cases.iter().filter(|case| case["plain"] != case["filters-2"]).count();
    assert!(cases.len() > 100 && differ > 2);
    let files = tree("graphs", "plain");
    for kind in ["plain", "filters-2", "filters-chain"] {
        let mut tree = files.clone();
        let folder = format!("graphs/{kind}/");
        for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with(&folder)) {
            tree.insert(path.replace(&folder, "objects/info/"), bytes.clone());
        }
        let mut host = open(&tree, 65536, MEMORY);
        for case in &cases {
            let args = args_of(case);
            let text = list(&mut host, &args, RevListOptions::default()).unwrap();
            assert_eq!(sha256(&text), case[kind], "{kind}: {args:?}");
        }
    }
}

/// Each tree and commit is read once, and a blob is looked for, not read.
#[test]
fn no_blob_is_read() {
    let mut host = open(&tree("packs", "plain"), 4096, MEMORY);
    let text = list(&mut host, &["HEAD"], RevListOptions::default()).unwrap();
    let trees = String::from_utf8_lossy(&text).lines().count();
    let objects = host.repository.stats().objects;
    // Commits twice: for their parents, for their trees.
    assert!(objects < trees as u64 + 10, "{objects} read for {trees} lines");
}

#[test]
fn missing_objects_are_reported() {
    let mut tree = tree("packs", "plain");
    let loose: Vec<String> = tree
        .keys()
        .filter(|path| path.starts_with("objects/") && path.as_bytes()[10] == b'/')
        .cloned()
        .collect();
    let whole = list(&mut open(&tree, 4096, MEMORY), &["--all"], RevListOptions::default());
    let whole = String::from_utf8_lossy(&whole.unwrap()).into_owned();
    let mut reported = 0;
    for path in &loose {
        let id = path.strip_prefix("objects/").unwrap().replace('/', "");
        let object = tree.remove(path).unwrap();
        let mut host = open(&tree, 4096, MEMORY);
        let listed = list(&mut host, &["--all"], RevListOptions::default());
        assert_eq!(listed.is_err(), whole.contains(&id), "{path}");
        if let Err(error) = listed {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{path}: {error}");
            reported += 1;
        }
        tree.insert(path.clone(), object);
    }
    assert!(reported >= 3, "{reported} of {}", loose.len());
}

/// Gives an object the offset of another in the index of a pack.
fn misplace(tree: &mut Tree, object: &ObjectId, other: &ObjectId) -> bool {
    let indexes: Vec<String> = tree.keys().filter(|path| path.ends_with(".idx")).cloned().collect();
    let mut found = false;
    for path in indexes {
        let index = tree.get_mut(&path).unwrap();
        let count = u32::from_be_bytes(index[1028..1032].try_into().unwrap()) as usize;
        let ids = 8 + 1024;
        let place = |id: &ObjectId| {
            let at = (0..count).find(|at| index[ids + at * 20..][..20] == *id.as_bytes())?;
            Some(ids + count * 24 + at * 4)
        };
        if let (Some(to), Some(from)) = (place(object), place(other)) {
            index.copy_within(from..from + 4, to);
            found = true;
        }
    }
    found
}

/// Returns path and bytes of a loose object.
fn loose_tree(id: &ObjectId, content: &[u8]) -> (String, Vec<u8>) {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(format!("tree {}\0", content.len()).as_bytes()).unwrap();
    encoder.write_all(content).unwrap();
    let digits = id.to_hex();
    (format!("objects/{}/{}", &digits[..2], &digits[2..]), encoder.finish().unwrap())
}

/// A tree that does not match its id is detected before any object reachable from it is
/// listed; if there is a right copy elsewhere, that one is walked.
#[test]
fn trees_are_what_their_ids_say() {
    let whole = tree("packs", "plain");
    let mut host = open(&whole, 4096, MEMORY);
    let trees: Vec<ObjectId> = (0..30)
        .map(|back| {
            host.ask(|repository| repository.resolve(format!("main~{back}^{{tree}}").as_bytes()))
        })
        .map(Result::unwrap)
        .collect();
    let expected = list(&mut host, &["main"], RevListOptions::default()).unwrap();
    let counting = RevListOptions { count: true, ..RevListOptions::default() };
    let (mut tried, mut refused, mut healed) = (0, 0, 0);
    for pair in trees.windows(2).filter(|pair| pair[0] != pair[1]) {
        let mut tree = whole.clone();
        if !misplace(&mut tree, &pair[0], &pair[1]) {
            continue;
        }
        tried += 1;
        match list(&mut open(&tree, 4096, MEMORY), &["main"], RevListOptions::default()) {
            // Another pack has it.
            Ok(listed) => assert!(listed == expected, "{}", pair[0].to_hex()),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corrupt);
                refused += 1;
            }
        }
        let (_, content) = host.object(&pair[0], Fields { content: true, storage: false }).unwrap();
        let (path, loose) = loose_tree(&pair[0], &content);
        tree.insert(path, loose);
        let mut damaged = open(&tree, 4096, MEMORY);
        match list(&mut damaged, &["main"], RevListOptions::default()) {
            Ok(listed) => assert!(listed == expected, "{}", pair[0].to_hex()),
            // Deltas on it in that pack are damaged as well.
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corrupt);
                continue;
            }
        }
        healed += 1;
        let count = list(&mut damaged, &["main"], counting).unwrap();
        assert_eq!(String::from_utf8_lossy(&count), "269\n");
    }
    assert!(tried > 10 && refused > 5 && healed > 5, "{tried}, {refused}, {healed}");
}

/// Trees are made from the trees before them, and hashed once.
#[test]
fn trees_are_made_of_the_last_ones() {
    let mut host = open(&tree("main", "plain"), 1 << 20, MEMORY);
    list(&mut host, &["--all"], RevListOptions::default()).unwrap();
    let stats = host.repository.stats();
    assert!(stats.deltas_applied < stats.objects, "{stats:?}");
}
