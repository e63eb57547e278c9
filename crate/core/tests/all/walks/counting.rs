//! Counts of all that revisions reach: as many as a list has, but with less memory and work.

use super::{graph, FIXTURES, KINDS, PARTS};
use crate::common::Host;
use packlens::{Options, Output, RevList, RevListOptions};

const SPECS: [&[&str]; 4] = [&["main"], &["--all"], &["main~3", "main~9"], &["main~15"]];

/// Returns the lines of a list, how many commits it walked, and the memory that it took last.
fn list(host: &mut Host, specs: &[&str], count: bool) -> (Vec<String>, u64, u64) {
    let options = RevListOptions { count, ..RevListOptions::default() };
    let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
    let mut list = RevList::new(specs, options);
    let mut out = Output::default();
    let before = host.repository.stats().commits_walked;
    while !host.ask(|repository| list.fill(repository, 1 << 20, &mut out)).unwrap() {}
    let text = String::from_utf8(out.as_slice().to_vec()).unwrap();
    let walked = host.repository.stats().commits_walked - before;
    (text.lines().map(str::to_owned).collect(), walked, list.memory())
}

#[test]
fn a_count_visits_each_commit_once() {
    for fixture in FIXTURES {
        for (kind, part) in KINDS.iter().flat_map(|kind| PARTS.map(|part| (kind, part))) {
            let files = graph(fixture, kind);
            let mut host = Host::fixture_with(fixture, files, part, Options::default());
            for specs in SPECS {
                let (lines, walked, _) = list(&mut host, specs, false);
                assert_eq!(walked, lines.len() as u64);
                let counted = list(&mut host, specs, true);
                let expected = (vec![lines.len().to_string()], walked);
                let about = format!("{fixture}, {kind}, parts of {part}: {specs:?}");
                assert_eq!((counted.0, counted.1), expected, "{about}");
            }
        }
    }
}

#[test]
fn a_count_by_a_graph_takes_little_memory() {
    for (kind, is_less) in [("plain", false), ("dates", true), ("levels", true)] {
        let files = graph("walks", kind);
        let mut host = Host::fixture_with("walks", files, 65536, Options::default());
        let (_, _, listed) = list(&mut host, &["--all"], false);
        let (_, _, counted) = list(&mut host, &["--all"], true);
        assert_eq!(counted < listed / 2, is_less, "{kind}: {counted} of {listed}");
    }
}
