//! The modes of path histories: their answers do not depend on which bytes are cached, nor on a
//! damaged graph. What git answers: `tests/node/history-modes.test.ts`.

use super::{graph, tables, Graph};
use crate::common::{sealed, sweep, Host};
use packlens::{
    CommitPatterns, ErrorKind, HashKind, HistoryOptions, Options, Result, RevList, RevListOptions,
    RevOrder, Syntax,
};

const SPECS: [&[&str]; 3] = [&["--all"], &["far", "^main~3"], &["main...far~2"]];

/// Paths, and pathspecs with wildcards, some of which filters know the directories of.
const ELEMENTS: [[&str; 2]; 4] =
    [["src", "many/7"], ["src/*", "many/?"], ["*7", ":!src"], [":(glob)**/*", ":(icase)SRC"]];

fn modes() -> Vec<HistoryOptions> {
    let plain = HistoryOptions::default();
    vec![
        HistoryOptions { full_history: true, parents: true, ..plain },
        HistoryOptions { simplify_merges: true, parents: true, boundary: true, ..plain },
        HistoryOptions { simplify_by_decoration: true, ..plain },
        HistoryOptions { show_pulls: true, parents: true, boundary: true, ..plain },
        HistoryOptions { sparse: true, exclude_first_parent_only: true, ..plain },
        HistoryOptions { children: true, spaced: true, left_right: true, ..plain },
    ]
}

fn patterns() -> CommitPatterns {
    let (author, syntax) = (vec![b"author|a".to_vec()], Syntax::Extended);
    CommitPatterns { author, ignore_case: true, syntax, ..CommitPatterns::default() }
}

/// Returns the answers to all questions.
fn ask_all(files: Graph, part: u64) -> Vec<Result<String>> {
    let mut answers = Vec::new();
    for (at, mode) in modes().into_iter().enumerate() {
        for (order, specs) in
            [RevOrder::Default, RevOrder::Topo].into_iter().zip(SPECS.iter().cycle().skip(at))
        {
            // Each begins with nothing in the cache.
            let mut host = Host::fixture_with("graphs", files.clone(), part, Options::default());
            let options = RevListOptions { order, ..RevListOptions::default() };
            let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
            let elements = ELEMENTS[at % ELEMENTS.len()].map(|element| element.as_bytes().to_vec());
            let list = RevList::new(specs, options)
                .limited_to(&elements, 2048)
                .and_then(|list| list.simplified(mode, Vec::new()))
                .and_then(|list| if at % 2 == 0 { list.matching(&patterns()) } else { Ok(list) });
            let text = list.and_then(|mut list| host.all_of(&mut list));
            answers.push(text.map(|text| String::from_utf8(text).unwrap()));
        }
    }
    answers
}

#[test]
fn cached_ranges_do_not_change_an_answer() {
    for kind in ["plain", "filters-2", "filters-chain"] {
        let expected = ask_all(graph("graphs", kind), 1 << 30);
        let lines = |text: &Result<String>| text.as_ref().unwrap().lines().count();
        assert!(expected.iter().map(lines).sum::<usize>() > 60, "{expected:?}");
        for part in sweep::parts([1, 7, 512, 65536, 1 << 20]) {
            assert_eq!(ask_all(graph("graphs", kind), part), expected, "{kind}, parts of {part}");
        }
    }
}

/// The walk notices a wrong generation number only when it comes to the commit, and restarts.
#[test]
fn a_walk_restarts_without_a_wrong_graph() {
    let expected = ask_all(Graph::new(), 4096);
    let whole = graph("graphs", "filters-2");
    let (name, bytes) = whole.iter().next().unwrap();
    let rows = tables(bytes)[&b"GDA2"[..]].clone();
    for row in rows.step_by(4 * 7) {
        let mut bytes = bytes.clone();
        bytes[row..row + 4].copy_from_slice(&0x0fff_ffffu32.to_be_bytes());
        let changed = Graph::from([(name.clone(), sealed(&bytes, HashKind::Sha1))]);
        assert_eq!(ask_all(changed, 4096), expected, "the row at {row}");
    }
}

#[test]
fn an_ancestry_path_needs_a_commit_to_begin_with() {
    let mut host = Host::fixture_with("graphs", Graph::new(), 512, Options::default());
    let mut ask = |specs: &[&str], of: &[&str]| {
        let all = |list: &[&str]| list.iter().map(|spec| spec.as_bytes().to_vec()).collect();
        let mode = HistoryOptions { ancestry_path: true, ..HistoryOptions::default() };
        let list = RevList::new(all(specs), RevListOptions::default());
        host.all_of(&mut list.simplified(mode, all(of)).unwrap())
    };
    assert_eq!(ask(&["main"], &[]).unwrap_err().kind(), ErrorKind::BadInput);
    assert_eq!(ask(&["main"], &["nope"]).unwrap_err().kind(), ErrorKind::NotFound);
    assert!(!ask(&["main"], &["main~1"]).unwrap().is_empty());
    assert!(!ask(&["main", "^main~3"], &[]).unwrap().is_empty());
}
