//! A commit-graph changes no walk, and its filters deny no change.

use super::base::{self, assert_typed, sealed};
use super::input::Input;
use crate::common::Host;
use crate::kinds::Tree;
use packlens::{
    ChangedPath, Commit, HashKind, MergeBase, MergeBaseKind, Mode, ObjectId, ObjectType, Output,
    Result, RevList, RevListOptions, RevOrder, Verify,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The kinds of graphs, and which of their files is changed.
const KINDS: [(&str, usize); 5] =
    [("dates", 0), ("levels", 0), ("chain", 0), ("chain", 1), ("chain", 2)];

const WALKS: [(RevOrder, &[&str]); 3] = [
    (RevOrder::Default, &["refs/heads/main", "refs/tags/v1-again"]),
    (RevOrder::Topo, &["refs/heads/main", "^refs/heads/side"]),
    (RevOrder::Date, &["refs/heads/other...refs/heads/main~1"]),
];

fn walks(tree: &Tree, hash: HashKind, part: u64, verify: Verify) -> Vec<Result<Vec<u8>>> {
    let mut host = base::open(tree, hash, part, verify);
    let mut answers: Vec<_> = WALKS
        .iter()
        .map(|(order, specs)| {
            let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
            let options = RevListOptions { order: *order, ..Default::default() };
            host.all_of(&mut RevList::new(specs, options))
        })
        .collect();
    let specs = ["refs/heads/main~1", "refs/heads/side", "refs/heads/other"];
    let specs = specs.map(|spec| spec.as_bytes().to_vec()).to_vec();
    for kind in [MergeBaseKind::Common, MergeBaseKind::Octopus, MergeBaseKind::Independent] {
        let mut question = MergeBase::new(specs.clone(), kind).unwrap();
        let mut out = Output::default();
        let answer = host.ask(|repository| question.answer(repository, &mut out));
        answers.push(answer.map(|_| out.as_slice().to_vec()));
    }
    answers
}

static PLAIN: LazyLock<[Vec<Result<Vec<u8>>>; 2]> = LazyLock::new(|| {
    base::HASHES.map(|hash| walks(base::tree(hash, "plain"), hash, 1 << 30, Verify::Oid))
});

/// Puts a graph of which a file is changed beside the repository.
fn changed(input: &mut Input<'_>, hash: HashKind) -> (Tree, bool) {
    let (kind, nth) = input.one_of(&KINDS);
    let seals = input.flag();
    let mut tree = base::tree(hash, "plain").clone();
    tree.extend(base::graph(hash, kind));
    let name = tree.keys().filter(|path| path.starts_with("objects/info/")).nth(nth).unwrap();
    let (name, is_file) = (name.clone(), !name.ends_with("-chain"));
    let seals = seals && is_file;
    tree.insert(name, if seals { sealed(input.0, hash) } else { input.0.to_vec() });
    (tree, seals)
}

/// A damaged commit-graph is ignored. With a wrong one that has a right hash at its end, or
/// whose hash is not checked, walks finish, with the same answers in parts.
pub fn commit_graph(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.part());
    let verify = if input.byte() % 4 == 3 { Verify::None } else { Verify::Oid };
    let (tree, seals) = changed(&mut input, hash);
    let answers = walks(&tree, hash, part, verify);
    if !seals && verify == Verify::Oid {
        assert_eq!(answers, PLAIN[usize::from(hash == HashKind::Sha256)]);
        return;
    }
    assert_eq!(answers, walks(&tree, hash, 1 << 30, verify));
    answers.iter().filter_map(|answer| answer.as_ref().err()).for_each(assert_typed);
}

/// Returns the paths that each commit changed against its first parent, from the trees.
type Changes = Vec<(ObjectId, BTreeSet<Vec<u8>>)>;

static CHANGES: LazyLock<[Changes; 2]> = LazyLock::new(|| base::HASHES.map(changes));

fn changes(hash: HashKind) -> Changes {
    let mut host = base::open(base::tree(hash, "plain"), hash, 1 << 30, Verify::Oid);
    let mut found = Vec::new();
    for id in base::ids(hash) {
        let (object_type, content) = base::read(&mut host, &id).unwrap();
        if object_type != ObjectType::Commit {
            continue;
        }
        let commit = Commit::decode(hash, &content).unwrap();
        let mut before = BTreeMap::new();
        if let Some(parent) = commit.parents().first() {
            let (_, content) = base::read(&mut host, parent).unwrap();
            let tree = *Commit::decode(hash, &content).unwrap().tree();
            files_of(&mut host, &tree, b"", &mut before);
        }
        let mut after = BTreeMap::new();
        files_of(&mut host, commit.tree(), b"", &mut after);
        let paths = before.keys().chain(after.keys());
        let paths: BTreeSet<Vec<u8>> =
            paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect();
        found.push((id, paths));
    }
    found
}

fn files_of(
    host: &mut Host,
    tree: &ObjectId,
    prefix: &[u8],
    found: &mut BTreeMap<Vec<u8>, ObjectId>,
) {
    let (_, content) = base::read(host, tree).unwrap();
    for entry in packlens::Tree::new(tree.hash(), &content) {
        let entry = entry.unwrap();
        let path = [prefix, entry.name].concat();
        found.insert(path.clone(), entry.oid);
        if Mode::is_tree(entry.mode) {
            files_of(host, &entry.oid, &[&path, &b"/"[..]].concat(), found);
        }
    }
}

/// A filter of a damaged graph never denies a change; a wrong filter gives the same answers
/// in parts.
pub fn changed_paths(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.part());
    let (tree, seals) = changed(&mut input, hash);
    let ask = |part| -> Vec<Result<bool>> {
        let mut host = base::open(&tree, hash, part, Verify::Oid);
        let mut answers = Vec::new();
        for (commit, paths) in &CHANGES[usize::from(hash == HashKind::Sha256)] {
            for path in paths.iter().map(Vec::as_slice).chain([&b"nothing"[..]]) {
                let path = ChangedPath::new(path);
                let may = host.ask(|repository| repository.may_have_changed(commit, &path));
                answers.push(may);
            }
        }
        answers
    };
    let answers = ask(part);
    assert_eq!(answers, ask(1 << 30));
    let mut at = 0;
    for (commit, paths) in &CHANGES[usize::from(hash == HashKind::Sha256)] {
        for path in paths {
            assert!(seals || answers[at] == Ok(true), "{commit:?} {path:?}: {:?}", answers[at]);
            at += 1;
        }
        at += 1;
    }
}
