//! Walks that depend on dates: with wrong clocks, with several commits in one second, and
//! with a limit at that very second. The answers are those of git 2.55.

use crate::loose_files::LooseFiles;
use packlens::{ObjectId, Output, RevList, RevListOptions, RevOrder};

const START: u64 = 1_400_000_000;

fn listed(files: &LooseFiles, specs: &[String], options: RevListOptions) -> Vec<String> {
    let mut list =
        RevList::new(specs.iter().map(|spec| spec.as_bytes().to_vec()).collect(), options);
    let mut host = files.open();
    let mut out = Output::default();
    while !host.ask(|repository| list.fill(repository, 1 << 20, &mut out)).unwrap() {}
    String::from_utf8(out.as_slice().to_vec()).unwrap().lines().map(String::from).collect()
}

/// Lists a commit and its parent, excluding a line of commits that ends at that parent:
/// returns whether the parent is excluded.
fn is_left_out(line: impl Iterator<Item = u64>) -> bool {
    let mut files = LooseFiles::default();
    let parent = files.commit(900, &[]);
    let expected = files.commit(1000, &[parent]);
    let last = line.fold(parent, |last, date| files.commit(date, &[last]));
    let specs = [expected.to_hex(), format!("^{}", last.to_hex())];
    let found = listed(&files, &specs, RevListOptions::default());
    assert_eq!(found.first(), Some(&expected.to_hex()));
    found.len() == 1
}

#[test]
fn a_few_commits_that_seem_too_old_do_not_end_the_walk() {
    for (length, left_out) in [(3, true), (5, true), (6, true), (7, false), (9, false)] {
        let older = (1..=length).map(|at| 99 - length + at);
        assert_eq!(is_left_out(older), left_out, "{length}");
    }
}

#[test]
fn commits_of_the_second_of_the_last_one_do_not_seem_too_old() {
    for length in [3, 5, 7, 9, 12] {
        assert!(is_left_out((0..length).map(|_| 900)), "{length}");
    }
}

#[test]
fn a_commit_of_the_very_second_is_listed() {
    let mut files = LooseFiles::default();
    let parent = files.commit(900, &[]);
    let last = files.commit(1000, &[parent]);
    let specs = [last.to_hex()];
    let counts = |ids: &[ObjectId]| ids.iter().map(ObjectId::to_hex).collect::<Vec<_>>();
    for order in [RevOrder::Default, RevOrder::Topo, RevOrder::Date] {
        for (second, until, since) in [
            (899, &[][..], &[last, parent][..]),
            (900, &[parent], &[last, parent]),
            (901, &[parent], &[last]),
            (999, &[parent], &[last]),
            (1000, &[last, parent], &[last]),
            (1001, &[last, parent], &[]),
        ] {
            let options =
                RevListOptions { order, until: Some(START + second), ..Default::default() };
            assert_eq!(listed(&files, &specs, options), counts(until), "until {second}");
            let options =
                RevListOptions { order, since: Some(START + second), ..Default::default() };
            assert_eq!(listed(&files, &specs, options), counts(since), "since {second}");
        }
    }
}
