//! Which refs contain commits, and which commits contain refs: git's answers.

use super::{answers, damaged, graph, Graph, FIXTURES, KINDS, PARTS};
use crate::common::Host;
use packlens::{ErrorKind, Options, Output, RefList, RefListOptions, Result, Verify};

/// Asks a question given as arguments of `git for-each-ref`; returns the names of the refs.
fn ask(host: &mut Host, args: &[&str]) -> Result<Vec<String>> {
    let mut options = RefListOptions::default();
    let reach = &mut options.reach;
    for arg in args {
        let Some((option, value)) = arg.split_once('=') else {
            options.patterns.push(arg.as_bytes().to_vec());
            continue;
        };
        let list = match option {
            "--contains" => &mut reach.contains,
            "--no-contains" => &mut reach.no_contains,
            "--merged" => &mut reach.merged,
            "--no-merged" => &mut reach.no_merged,
            _ => panic!("{option}"),
        };
        list.push(value.as_bytes().to_vec());
    }
    let mut list = RefList::new(options).unwrap();
    let mut out = Output::default();
    loop {
        let most = out.len() + 500;
        if host.ask(|repository| list.fill(repository, most, &mut out))? {
            break;
        }
    }
    let mut rest = out.as_slice();
    let mut names = Vec::new();
    while !rest.is_empty() {
        for field in 0..4 {
            let length = u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
            if field == 0 {
                names.push(String::from_utf8(rest[4..][..length].to_vec()).unwrap());
            }
            rest = &rest[4 + length..];
        }
    }
    Ok(names)
}

#[test]
fn refs_are_those_that_git_finds_with_and_without_a_graph() {
    let mut compared = 0;
    for fixture in FIXTURES {
        let answers = answers(&format!("{fixture}-refs"));
        let refs = answers["refs"].as_array().unwrap();
        for (kind, part) in KINDS.iter().flat_map(|kind| PARTS.map(|part| (kind, part))) {
            // Parts of few bytes take long, and few rows of a graph are read.
            let step = if part < 512 { 10 } else { 1 };
            let verify = if part == 7 { Verify::None } else { Verify::Oid };
            let options = Options { verify, ..Options::default() };
            let mut host = Host::fixture_with(fixture, graph(fixture, kind), part, options);
            for case in answers["cases"].as_array().unwrap().iter().step_by(step) {
                let args = case["args"].as_array().unwrap();
                let args: Vec<&str> = args.iter().map(|arg| arg.as_str().unwrap()).collect();
                let places = case["refs"].as_array().unwrap().iter();
                let expected = places.map(|place| &refs[place.as_u64().unwrap() as usize]);
                let expected: Vec<&str> = expected.map(|name| name.as_str().unwrap()).collect();
                let found = ask(&mut host, &args).unwrap();
                assert_eq!(found, expected, "{fixture}, {kind}, parts of {part}: {args:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2 * 4 * 3 * 110, "{compared} answers compared");
}

/// All refs share one walk: no question visits a commit twice, and with generation numbers
/// none visits a commit that cannot matter.
#[test]
fn each_commit_is_walked_once() {
    let commits = answers("walks")["commits"].as_array().unwrap().clone();
    for (option, place, expected) in ASKED {
        let arg = format!("--{option}={}", commits[place].as_str().unwrap());
        let walked = KINDS.map(|kind| {
            let files = graph("walks", kind);
            let mut host = Host::fixture_with("walks", files, 65536, Options::default());
            ask(&mut host, &[&arg]).unwrap();
            host.repository.stats().commits_walked
        });
        assert_eq!(walked, expected, "{arg}: {KINDS:?}");
    }
}

/// How many of the 165 commits are walked for each kind of graph. Their first places
/// are those of the oldest.
const ASKED: [(&str, usize, [u64; 4]); 7] = [
    ("contains", 0, [116, 116, 116, 116]),
    ("contains", 60, [153, 91, 84, 93]),
    ("contains", 150, [165, 43, 41, 81]),
    ("no-contains", 100, [154, 94, 89, 94]),
    ("merged", 10, [45, 35, 45, 35]),
    ("merged", 150, [148, 142, 148, 90]),
    ("no-merged", 150, [148, 142, 148, 90]),
];

const QUESTIONS: [&[&str]; 2] =
    [&["--contains=main~15"], &["--merged=main~1", "--no-contains=main~3"]];

fn ask_all(graph: Graph, verify: Verify) -> Vec<Result<Vec<String>>> {
    let options = Options { verify, ..Options::default() };
    let mut host = Host::fixture_with("walks", graph, 4096, options);
    QUESTIONS.iter().map(|args| ask(&mut host, args)).collect()
}

#[test]
fn a_graph_that_is_damaged_makes_no_difference() {
    let expected = ask_all(Graph::new(), Verify::Oid);
    assert!(expected.iter().all(|found| found.as_ref().is_ok_and(|names| names.len() > 2)));
    for (graph, what) in damaged().into_iter().step_by(37) {
        assert_eq!(ask_all(graph, Verify::Oid), expected, "{what}");
    }
}

#[test]
fn a_graph_that_is_not_checked_ends_as_well() {
    let mut right = 0;
    let expected = ask_all(Graph::new(), Verify::None);
    for (graph, what) in damaged().into_iter().step_by(37) {
        let answers = ask_all(graph, Verify::None);
        right += usize::from(answers == expected);
        for error in answers.into_iter().filter_map(Result::err) {
            let kinds = [ErrorKind::NotFound, ErrorKind::WrongType, ErrorKind::Limit];
            assert!(kinds.contains(&error.kind()), "{what}: {error}");
        }
    }
    assert!(right > 8, "{right} answers are right all the same");
}

#[test]
fn revisions_that_lead_to_no_commit() {
    let mut host = Host::fixture_with("walks", Graph::new(), 512, Options::default());
    let nothing = ask(&mut host, &["--contains=nope"]).unwrap_err();
    assert_eq!(nothing.kind(), ErrorKind::NotFound);
    let blob = ask(&mut host, &["--no-merged=a-blob"]).unwrap_err();
    assert_eq!(blob.kind(), ErrorKind::WrongType);
    assert_eq!(ask(&mut host, &["--contains=main", "refs/tags"]).unwrap().len(), 2);
}
