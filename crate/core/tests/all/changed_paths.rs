//! Commit-graphs with changed-path filters: the filters never deny a change, and walks visit
//! the same commits with them.

use crate::common::{base64, fixtures, Host};
use packlens::{
    ChangedPath, HashKind, ObjectId, Options, Result, RevList, RevListOptions, RevOrder,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const KINDS: [&str; 3] = ["filters-1", "filters-2", "filters-chain"];

type Graph = BTreeMap<Vec<u8>, Vec<u8>>;

/// Returns the files of a graph that is stored beside the fixture.
fn graph(kind: &str) -> Graph {
    let top = fixtures().join("graphs/graphs").join(kind);
    let read = |inside: &str| {
        let folder = top.join(inside);
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.is_file());
        files
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap();
                let name = format!("objects/info/{inside}{name}");
                (name.into_bytes(), std::fs::read(path).unwrap())
            })
            .collect()
    };
    if kind == "filters-chain" {
        read("commit-graphs/")
    } else {
        read("")
    }
}

struct Answers {
    paths: Vec<Vec<u8>>,
    commits: Vec<(ObjectId, BTreeSet<usize>)>,
}

fn answers() -> Answers {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/changed-paths/graphs.json");
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let paths = json["paths"].as_array().unwrap().iter();
    let paths = paths.map(|path| base64(path.as_str().unwrap())).collect();
    let commits = json["commits"].as_object().unwrap().iter().map(|(id, changed)| {
        let changed = changed.as_array().unwrap().iter();
        let changed = changed.map(|place| place.as_u64().unwrap() as usize).collect();
        (ObjectId::from_hex(HashKind::Sha1, id.as_bytes()).unwrap(), changed)
    });
    Answers { paths, commits: commits.collect() }
}

fn may_have_changed(host: &mut Host, commit: &ObjectId, path: &[u8]) -> bool {
    let path = ChangedPath::new(path);
    host.ask(|repository| repository.may_have_changed(commit, &path)).unwrap()
}

#[test]
fn filters_never_deny_a_change() {
    let Answers { paths, commits } = answers();
    let many = paths.iter().filter(|path| path.starts_with(b"many")).count();
    assert!(paths.iter().any(|path| path.iter().any(|byte| *byte >= 0x80)) && many == 601);
    for (kind, part) in KINDS.iter().flat_map(|kind| [7, 1 << 30].map(|part| (kind, part))) {
        let mut host = Host::fixture_with("graphs", graph(kind), part, Options::default());
        let (mut denied, mut asked) = (0, 0);
        for (commit, changed) in &commits {
            for (at, path) in paths.iter().enumerate().filter(|(at, _)| *at % 9 < 8) {
                // One of the many commits suffices for most.
                if path.starts_with(b"many/") && at % 25 > 0 {
                    continue;
                }
                let may = may_have_changed(&mut host, commit, path);
                assert!(may || !changed.contains(&at), "{kind}: {commit:?}, {path:?}");
                if !changed.contains(&at) {
                    asked += 1;
                    denied += u32::from(!may);
                }
            }
        }
        // About one in a hundred is unknown, and so is everything in a layer without filters.
        let least = if *kind == "filters-chain" { 10 } else { 95 };
        assert!(denied * 100 > asked * least, "{kind}: {denied} of {asked}");
    }
}

#[test]
fn a_folder_is_asked_about_with_or_without_its_slash() {
    let Answers { commits, .. } = answers();
    let mut host = Host::fixture_with("graphs", graph("filters-2"), 512, Options::default());
    let count = |host: &mut Host, path: &[u8]| {
        commits.iter().filter(|(commit, _)| may_have_changed(host, commit, path)).count()
    };
    let with = count(&mut host, b"src/");
    assert_eq!(with, count(&mut host, b"src"));
    assert!(with > 10 && with < commits.len() / 2, "{with} of {}", commits.len());
    assert_eq!(count(&mut host, b"nothing/of/this/name"), 1, "the commit of too many paths");
    let mut plain = Host::fixture_with("graphs", Graph::new(), 512, Options::default());
    assert_eq!(count(&mut plain, b"nothing/of/this/name"), commits.len());
}

fn walk(graph: Graph, order: RevOrder, specs: &[&str]) -> Result<String> {
    let mut host = Host::fixture_with("graphs", graph, 1 << 30, Options::default());
    let options = RevListOptions { order, ..RevListOptions::default() };
    let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
    let mut list = RevList::new(specs, options);
    Ok(String::from_utf8(host.all_of(&mut list)?).unwrap())
}

const WALKS: [(RevOrder, &[&str]); 3] = [
    (RevOrder::Default, &["--all"]),
    (RevOrder::Topo, &["far", "^main~3"]),
    (RevOrder::Date, &["main...far~2"]),
];

fn walks(graph: &Graph) -> Vec<Result<String>> {
    WALKS.iter().map(|(order, specs)| walk(graph.clone(), *order, specs)).collect()
}

/// Between two commits that may have changed the path it is the same, so that one tree of each such
/// commit is enough to compare it with its parent.
#[test]
fn a_path_history_reads_a_tree_for_each_commit_that_may_have_changed_the_path() {
    let Answers { paths, .. } = answers();
    let options = RevListOptions { first_parent: true, ..RevListOptions::default() };
    let mut host = Host::fixture_with("graphs", graph("filters-2"), 1 << 30, Options::default());
    let mut walked = RevList::new(vec![b"main".to_vec()], options);
    let walked = String::from_utf8(host.all_of(&mut walked).unwrap()).unwrap();
    let commits = walked.lines().map(|id| ObjectId::from_hex(HashKind::Sha1, id.as_bytes()));
    let commits: Vec<ObjectId> = commits.map(Option::unwrap).collect();
    let mut changes = 0;
    for path in paths.iter().filter(|path| !path.contains(&b'/')) {
        let may_have = commits.iter().filter(|commit| may_have_changed(&mut host, commit, path));
        let trees = may_have.count() as u64;
        let before = host.repository.stats().objects;
        let list = RevList::new(vec![b"main".to_vec()], options);
        let mut list = list.limited_to(std::slice::from_ref(path), 2048).unwrap();
        let listed = host.all_of(&mut list).unwrap();
        let read = host.repository.stats().objects - before;
        let listed = listed.iter().filter(|byte| **byte == b'\n').count() as u64;
        // The commit of `main` is read, too.
        assert!(read <= trees + 1, "{read} objects, {trees} commits: {}", path.escape_ascii());
        changes += listed;
    }
    assert!(changes > 20, "{changes}");
}

/// Changes every byte of a small graph: it is ignored, and walks visit the same commits.
#[test]
fn a_graph_changed_anywhere_changes_no_walk() {
    let expected = walks(&Graph::new());
    for kind in KINDS {
        assert_eq!(walks(&graph(kind)), expected, "{kind}");
    }
    let whole = graph("filters-2");
    let (name, bytes) = whole.iter().next().unwrap();
    assert!(bytes.windows(4).any(|name| name == b"GDO2") && bytes.windows(4).any(|n| n == b"EDGE"));
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let graph = Graph::from([(name.clone(), changed)]);
        let (order, specs) = WALKS[1];
        assert_eq!(walk(graph, order, specs), expected[1], "byte {at}");
    }
}
