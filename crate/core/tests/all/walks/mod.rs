//! Walks over commits: git's answers, with and without a commit-graph.

#[cfg(not(target_arch = "wasm32"))]
mod changed_graphs;
#[cfg(not(target_arch = "wasm32"))]
mod counting;
#[cfg(not(target_arch = "wasm32"))]
mod damaged_commits;
#[cfg(not(target_arch = "wasm32"))]
mod link_rows;
#[cfg(not(target_arch = "wasm32"))]
mod modes;
#[cfg(not(target_arch = "wasm32"))]
mod ref_reach;

use crate::common::{fixtures, sealed, sweep, Host};
use packlens::{
    ErrorKind, HashKind, MergeBase, MergeBaseKind, Options, Output, Result, RevList,
    RevListOptions, RevOrder, Verify,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const FIXTURES: [&str; 2] = ["walks", "walks-sha256"];
const KINDS: [&str; 4] = ["plain", "dates", "levels", "chain"];
const PARTS: [u64; 5] = [1, 7, 512, 65536, 1 << 30];

type Graph = BTreeMap<Vec<u8>, Vec<u8>>;

/// Returns the files of a graph that is stored beside a fixture, by their paths in the
/// repository.
fn graph(fixture: &str, kind: &str) -> Graph {
    let mut found = Graph::new();
    let top = fixtures().join(fixture).join("graphs").join(kind);
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop().filter(|_| kind != "plain") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(&top).unwrap().to_str().unwrap().to_string();
            let name = format!("objects/info/{inside}").into_bytes();
            found.insert(name, std::fs::read(path).unwrap());
        }
    }
    assert_eq!(found.is_empty(), kind == "plain");
    found
}

fn answers(fixture: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/fixtures/walks/{fixture}.json"));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// Answers the command line of a recorded git call; returns exit code and output.
fn ask(host: &mut Host, args: &[&str]) -> Result<(u64, String)> {
    let (command, args) = args.split_first().unwrap();
    if *command == "rev-list" {
        return rev_list(host, args).map(|text| (0, text));
    }
    let (mut kind, mut all) = (MergeBaseKind::Common, false);
    let mut specs = Vec::new();
    for arg in args {
        match *arg {
            "--all" => all = true,
            "--octopus" => kind = MergeBaseKind::Octopus,
            "--independent" => (kind, all) = (MergeBaseKind::Independent, true),
            "--is-ancestor" => kind = MergeBaseKind::Ancestor,
            spec => specs.push(spec.as_bytes().to_vec()),
        }
    }
    let mut question = MergeBase::new(specs, kind)?;
    let mut out = Output::default();
    host.ask(|repository| question.answer(repository, &mut out))?;
    let text = String::from_utf8(out.as_slice().to_vec()).unwrap();
    Ok(match kind {
        MergeBaseKind::Ancestor => (u64::from(text == "0"), String::new()),
        _ if text.is_empty() => (1, text),
        _ if all => (0, text),
        _ => (0, text.lines().take(1).map(|line| format!("{line}\n")).collect()),
    })
}

fn rev_list(host: &mut Host, args: &[&str]) -> Result<String> {
    let mut options = RevListOptions::default();
    let mut specs = Vec::new();
    for arg in args {
        let number = || arg.split('=').nth(1).unwrap().parse::<u64>().unwrap();
        match arg.split('=').next().unwrap() {
            "--count" => options.count = true,
            "--objects" => options.objects = true,
            "--topo-order" => options.order = RevOrder::Topo,
            "--date-order" => options.order = RevOrder::Date,
            "--reverse" => options.reverse = true,
            "--first-parent" => options.first_parent = true,
            "--merges" => options.min_parents = 2,
            "--no-merges" => options.max_parents = Some(1),
            "--max-count" => options.limit = Some(number()),
            "--skip" => options.skip = number(),
            "--since" => options.since = Some(number()),
            "--until" => options.until = Some(number()),
            _ => specs.push(arg.as_bytes().to_vec()),
        }
    }
    let mut list = RevList::new(specs, options);
    Ok(String::from_utf8(host.all_of(&mut list)?).unwrap())
}

/// Returns the arguments of a case.
fn args_of(case: &Value) -> Vec<&str> {
    case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect()
}

/// Returns what git printed.
fn printed(case: &Value, kind: &str, commits: &[&str]) -> String {
    match case.get(kind).unwrap_or(&case["plain"]) {
        Value::Array(places) => places
            .iter()
            .map(|place| format!("{}\n", commits[place.as_u64().unwrap() as usize]))
            .collect(),
        count => format!("{count}\n"),
    }
}

#[test]
fn every_answer_is_gits_with_and_without_a_graph() {
    let mut compared = 0;
    for fixture in FIXTURES {
        let answers = answers(fixture);
        let commits: Vec<&str> =
            answers["commits"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        for (kind, part) in KINDS
            .iter()
            .flat_map(|kind| sweep::parts(PARTS).into_iter().map(move |part| (kind, part)))
        {
            let files = graph(fixture, kind);
            // Without checks, commits are not inflated to their end.
            let verify = if part == 7 { Verify::None } else { Verify::Oid };
            let options = Options { verify, ..Options::default() };
            let mut host = Host::fixture_with(fixture, files, part, options);
            for case in answers["cases"].as_array().unwrap() {
                let args = args_of(case);
                // The command line joins the output of rev-parse for these.
                if args[0] == "rev-parse" {
                    continue;
                }
                let what = format!("{fixture}, {kind}, parts of {part}: {args:?}");
                let (exit, text) = ask(&mut host, &args).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_eq!(text, printed(case, kind, &commits), "{what}");
                assert_eq!(exit, case["exit"].as_u64().unwrap(), "{what}");
                compared += 1;
            }
        }
    }
    assert!(compared > 2 * 4 * sweep::parts(PARTS).len() * 200, "{compared} answers compared");
}

/// With a graph no commit is read, without one each is, once.
#[test]
fn walks_read_only_the_commits_they_need() {
    for kind in KINDS {
        let mut host = Host::fixture_with("walks", graph("walks", kind), 512, Options::default());
        let count: u64 = rev_list(&mut host, &["--count", "main"]).unwrap().trim().parse().unwrap();
        assert_eq!(count, 130);
        let objects = host.repository.stats().objects;
        match kind {
            "plain" => assert_eq!(objects, 130),
            // The newest are in no layer.
            "chain" => assert_eq!(objects, 26),
            _ => assert_eq!(objects, 0),
        }
    }
}

const QUESTIONS: [&[&str]; 4] = [
    &["rev-list", "--all"],
    &["rev-list", "--topo-order", "main~3..", "tips/003"],
    &["merge-base", "--all", "cross/left", "cross/right"],
    &["merge-base", "--is-ancestor", "main~4", "main"],
];

fn ask_all(graph: Graph, verify: Verify) -> Vec<Result<(u64, String)>> {
    let options = Options { verify, ..Options::default() };
    let mut host = Host::fixture_with("walks", graph, 4096, options);
    QUESTIONS.iter().map(|args| ask(&mut host, args)).collect()
}

/// Returns every damaged graph of a fixture, with the kind of damage.
fn damaged() -> Vec<(Graph, String)> {
    let mut all = Vec::new();
    for kind in &KINDS[1..] {
        let whole = graph("walks", kind);
        for (name, bytes) in &whole {
            // All bytes before the tables, and some bytes of the tables.
            let step = bytes.len() / 150 + 1;
            for at in (0..bytes.len().min(100)).chain((100..bytes.len()).step_by(step)) {
                for (flip, mask) in [(true, 0x80), (true, 0x11), (false, 0)] {
                    let mut bytes = bytes.clone();
                    match flip {
                        true => bytes[at] ^= mask,
                        false => bytes.truncate(at),
                    }
                    let mut graph = whole.clone();
                    graph.insert(name.clone(), bytes);
                    let name = String::from_utf8_lossy(name);
                    all.push((graph, format!("{kind}, {name}: {mask} at {at}, cut: {}", !flip)));
                }
            }
        }
    }
    assert!(all.len() > 3000, "{} graphs", all.len());
    // On 32 bits fewer: an odd one, so that cuts and both masks take their turns.
    all.into_iter().step_by(sweep::step(1)).collect()
}

#[test]
fn damaged_graphs_are_ignored() {
    let expected = ask_all(Graph::new(), Verify::Oid);
    for (graph, what) in damaged() {
        assert_eq!(ask_all(graph, Verify::Oid), expected, "{what}");
    }
}

/// Returns where the rows of commits are, and those of corrected dates, in a graph.
fn tables(bytes: &[u8]) -> BTreeMap<&[u8], std::ops::Range<usize>> {
    let row = |at: usize| &bytes[8 + at * 12..][..24];
    let offset = |row: &[u8]| u64::from_be_bytes(row.try_into().unwrap()) as usize;
    let chunks = 0..usize::from(bytes[6]);
    chunks.map(|at| (&row(at)[..4], offset(&row(at)[4..12])..offset(&row(at)[16..]))).collect()
}

/// A graph with impossible generation numbers and a right hash is ignored.
#[test]
fn decreasing_generation_numbers_are_not_trusted() {
    let questions: [&[&str]; 5] = [
        &["merge-base", "--is-ancestor", "main~4", "main"],
        &["rev-list", "--topo-order", "main", "^main~3"],
        &["rev-list", "--date-order", "--all", "--not", "main~5"],
        &["rev-list", "cross/left...main~4"],
        &["merge-base", "--all", "cross/left", "cross/right"],
    ];
    let answers = |graph: Graph| {
        let mut host = Host::fixture_with("walks", graph, 4096, Options::default());
        questions.map(|args| {
            let (exit, text) = ask(&mut host, args).unwrap();
            let mut lines: Vec<String> = text.lines().map(String::from).collect();
            lines.sort();
            (exit, lines)
        })
    };
    let expected = answers(Graph::new());
    for (kind, table, width, at) in [("levels", b"CDAT", 36, 28), ("dates", b"GDA2", 4, 0)] {
        let whole = graph("walks", kind);
        let (name, bytes) = whole.iter().next().unwrap();
        let rows = tables(bytes)[&table[..]].clone();
        // A level that is too low ends the search for an ancestor.
        let (step, numbers) =
            if kind == "levels" { (1, &[1u32][..]) } else { (5, &[1, 0x0fff_ffff][..]) };
        for row in rows.step_by(width * step) {
            for number in numbers {
                let mut bytes = bytes.clone();
                let place = &mut bytes[row + at..][..4];
                // Beside a level are two bits of the date.
                let kept = if kind == "levels" { place[3] & 3 } else { 0 };
                place.copy_from_slice(&(number << 2).to_be_bytes());
                place[3] |= kept;
                let changed = Graph::from([(name.clone(), sealed(&bytes, HashKind::Sha1))]);
                assert_eq!(answers(changed), expected, "{kind}: {row} {number}");
            }
        }
    }
}

/// Without checks a wrong graph may cause wrong answers, and nothing worse.
#[test]
fn a_graph_that_is_not_checked_does_no_harm() {
    let expected = ask_all(Graph::new(), Verify::None);
    let mut right = 0;
    for (graph, what) in damaged() {
        let answers = ask_all(graph, Verify::None);
        right += usize::from(answers == expected);
        for error in answers.into_iter().filter_map(Result::err) {
            let kinds = [ErrorKind::NotFound, ErrorKind::WrongType, ErrorKind::Limit];
            assert!(kinds.contains(&error.kind()), "{what}: {error}");
        }
    }
    assert!(right > 300 / sweep::step(1), "{right} answers are right all the same");
}

#[test]
fn unknown_revisions() {
    let mut host = Host::fixture_with("walks", Graph::new(), 512, Options::default());
    let nothing = "1".repeat(40);
    for (args, kind) in [
        (["rev-list", "nope"], ErrorKind::NotFound),
        (["rev-list", "main..nope"], ErrorKind::NotFound),
        (["rev-list", &nothing], ErrorKind::NotFound),
        (["rev-list", "a-blob...main"], ErrorKind::WrongType),
        (["rev-list", "--nope"], ErrorKind::BadInput),
        (["merge-base", "main"], ErrorKind::BadInput),
    ] {
        assert_eq!(ask(&mut host, &args).unwrap_err().kind(), kind, "{args:?}");
    }
    let blob = ask(&mut host, &["merge-base", "main", "a-blob"]).unwrap_err();
    assert_eq!(blob.kind(), ErrorKind::WrongType);
}
