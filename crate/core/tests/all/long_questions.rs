//! Questions about long chains of tags, parents and refs read each object once, end at
//! circles, and give their caller a turn.

use crate::common::Host;
use crate::loose_files::LooseFiles;
use packlens::{
    ErrorKind, MergeBase, MergeBaseKind, Need, ObjectId, ObjectType, Output, RefList,
    RefListOptions, RefReachOptions, Repository, Result, RevList, RevListOptions,
};

/// How many units of work come between two turns: see `block/pace.rs`.
const WORK: u64 = 4096;

/// Asks a question; returns the answer, how many turns it gave and the look-ups.
fn cost<T>(
    host: &mut Host,
    question: impl FnMut(&mut Repository) -> Result<T>,
) -> (Result<T>, u64, u64) {
    let before = host.repository.stats().lookups;
    let mut turns = 0;
    let answer = host.ask_watched(question, |_, need| turns += u64::from(*need == Need::Turn));
    (answer, turns, host.repository.stats().lookups - before)
}

fn resolve(spec: &str) -> impl FnMut(&mut Repository) -> Result<ObjectId> + '_ {
    |repository| repository.resolve(spec.as_bytes())
}

/// The lists of refs in these tests fit one page.
fn refs(host: &mut Host, options: RefListOptions) -> (Result<Vec<u8>>, u64, u64) {
    let mut list = RefList::new(options).unwrap();
    let mut out = Output::default();
    cost(host, |repository| {
        assert!(list.fill(repository, 1 << 20, &mut out)?);
        Ok(out.as_slice().to_vec())
    })
}

fn count(host: &mut Host, specs: &[&str]) -> (Result<Vec<u8>>, u64, u64) {
    let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
    let mut list = RevList::new(specs, RevListOptions { count: true, ..Default::default() });
    let mut out = Output::default();
    cost(host, |repository| {
        while !list.fill(repository, 1 << 20, &mut out)? {}
        Ok(out.as_slice().to_vec())
    })
}

#[test]
fn each_tag_of_a_line_is_read_once() {
    const TAGS: u64 = 500;
    let mut files = LooseFiles::default();
    let commit = files.commit(1, &[]);
    let last = files.tags(TAGS as usize, &commit);
    files.reference("refs/tags/chain", &last);
    let most = 3 * TAGS;
    for spec in ["chain^{commit}", "chain^{}", "chain~0", &format!("{}^0", last.to_hex())] {
        let (found, _, lookups) = cost(&mut files.open(), resolve(spec));
        assert_eq!(found.unwrap(), commit, "{spec}");
        assert!(lookups < most, "{spec}: {lookups}");
    }
    let (rows, _, lookups) =
        refs(&mut files.open(), RefListOptions { peel: true, ..Default::default() });
    assert!(rows.unwrap().ends_with(commit.as_bytes()));
    assert!(lookups < most, "peeling: {lookups}");
    let points_at = Some(commit.to_hex().into_bytes());
    let options = RefListOptions { points_at, ..Default::default() };
    let (rows, _, lookups) = refs(&mut files.open(), options);
    assert!(!rows.unwrap().is_empty());
    assert!(lookups < most, "pointing: {lookups}");
    let contains = vec![b"chain".to_vec(), b"chain^{}".to_vec()];
    let reach = RefReachOptions { contains, ..Default::default() };
    let options = RefListOptions { reach, peel: true, ..Default::default() };
    let (rows, _, lookups) = refs(&mut files.open(), options);
    assert!(!rows.unwrap().is_empty());
    assert!(lookups < 3 * most, "containing: {lookups}");
    let (counted, _, lookups) = count(&mut files.open(), &["--all"]);
    assert_eq!(counted.unwrap(), b"1\n");
    assert!(lookups < most, "counting: {lookups}");
}

/// git 2.55 answers the same: a commit that is replaced by a child is its own parent.
#[test]
fn a_circle_of_parents_is_walked_only_as_often_as_needed() {
    let mut files = LooseFiles::default();
    let first = files.commit(1, &[]);
    let second = files.commit(2, &[first]);
    let third = files.commit(3, &[second]);
    files.reference("refs/heads/main", &third);
    files.reference(&format!("refs/replace/{}", first.to_hex()), &third);
    // After the third the second and the first alternate.
    let cases = [(1, second), (2, first), (3, second), (1_000_000, first), (1_000_001, second)];
    for (generations, expected) in cases.into_iter().chain([(2_147_483_647, second)]) {
        let spec = format!("main~{generations}");
        let (found, _, lookups) = cost(&mut files.open(), resolve(&spec));
        assert_eq!(found.unwrap(), expected, "{spec}");
        assert!(lookups < 40, "{spec}: {lookups}");
    }
    let (counted, ..) = count(&mut files.open(), &["main"]);
    assert_eq!(counted.unwrap(), b"3\n");
}

#[test]
fn a_circle_of_tags_is_an_error() {
    let mut files = LooseFiles::default();
    let commit = files.commit(1, &[]);
    let one = files.tag("one", &commit, ObjectType::Commit);
    let two = files.tag("two", &one, ObjectType::Tag);
    files.reference("refs/tags/two", &two);
    files.reference(&format!("refs/replace/{}", one.to_hex()), &two);
    for spec in ["two^{}", "two^{commit}", "two~1", "two:path"] {
        let error = cost(&mut files.open(), resolve(spec)).0.unwrap_err();
        assert_eq!(error.what(), "tags point at each other in a circle", "{spec}");
    }
    let points_at = Some(commit.to_hex().into_bytes());
    let options = RefListOptions { points_at, ..Default::default() };
    assert!(refs(&mut files.open(), options).0.unwrap().is_empty());
    // A listing continues, and shows the tag without a peeled object.
    let options = RefListOptions { peel: true, ..Default::default() };
    let rows = refs(&mut files.open(), options).0.unwrap();
    assert!(rows.windows(13).any(|name| name == b"refs/tags/two"));
    assert!(!rows.windows(20).any(|id| id == commit.as_bytes()));
}

#[test]
fn peeling_to_another_type_names_the_expected_one() {
    let mut files = LooseFiles::default();
    let commit = files.commit(1, &[]);
    let cases = [
        (ObjectType::Blob, "expected a blob, or a tag of one"),
        (ObjectType::Tag, "expected an annotated tag"),
    ];
    for (expected, what) in cases {
        let peel = |repository: &mut Repository| repository.peel(&commit, Some(expected));
        let error = cost(&mut files.open(), peel).0.unwrap_err();
        assert_eq!((error.kind(), error.what()), (ErrorKind::WrongType, what));
    }
}

#[test]
fn long_lines_give_the_caller_turns() {
    const COMMITS: u64 = 1500;
    let mut files = LooseFiles::default();
    let [first, last] = files.history(COMMITS);
    files.reference("refs/heads/main", &last);
    let ancestor = format!("main~{}", COMMITS - 1);
    let message = ":/^0".to_string();
    let hex = first.to_hex();
    // A loose commit takes two needs, of 8 units each.
    let least = COMMITS * 16 / WORK;
    for spec in [ancestor, message] {
        let (found, turns, lookups) = cost(&mut files.open(), resolve(&spec));
        assert_eq!(found.unwrap(), first, "{spec}");
        assert!(turns >= least && turns < 3 * least, "{spec}: {turns} turns");
        assert!(lookups < 5 * COMMITS, "{spec}: {lookups}");
    }
    for kind in [MergeBaseKind::Common, MergeBaseKind::Ancestor] {
        let specs = vec![hex.clone().into_bytes(), b"main".to_vec()];
        let mut question = MergeBase::new(specs, kind).unwrap();
        let mut out = Output::default();
        let (answer, turns, _) =
            cost(&mut files.open(), |repository| question.answer(repository, &mut out));
        answer.unwrap();
        assert!(turns >= least && turns < 3 * least, "{kind:?}: {turns} turns");
        assert!([format!("{hex}\n").as_bytes(), b"1"].contains(&out.as_slice()));
    }
}

/// Two questions take turns a step at a time, and both make progress.
#[test]
fn questions_that_take_turns_do_nothing_twice() {
    const COMMITS: u64 = 1000;
    let mut files = LooseFiles::default();
    let [first, last] = files.history(COMMITS);
    files.reference("refs/heads/main", &last);
    let specs = [format!("main~{}", COMMITS - 1), ":/^0".into(), "main^{/^0}^{}~0".into()];
    let mut host = files.open();
    let mut asked: Vec<_> = specs
        .iter()
        .map(|spec| (host.repository.files.new_question(None), spec.as_bytes(), None))
        .collect();
    let before = host.repository.stats().lookups;
    while asked.iter().any(|(_, _, found)| found.is_none()) {
        for (question, spec, found) in asked.iter_mut().filter(|(_, _, found)| found.is_none()) {
            *found = host.ask_once(*question, |repository| repository.resolve(spec)).unwrap();
        }
    }
    assert!(asked.iter().all(|(_, _, found)| *found == Some(first)));
    let lookups = host.repository.stats().lookups - before;
    assert!(lookups < 3 * 5 * COMMITS, "{lookups}");
}

#[test]
fn each_loose_ref_is_read_once() {
    const REFS: u64 = 800;
    let mut files = LooseFiles::default();
    let commit = files.commit(1, &[]);
    for at in 0..REFS {
        files.reference(&format!("refs/heads/b{at}"), &commit);
    }
    // Each commit takes two needs, of 8 units, and a step or two. Restarting at each need would
    // take some 300 turns.
    let most = REFS * 20 / WORK + 2;
    let (counted, turns, _) = count(&mut files.open(), &["--all"]);
    assert_eq!(counted.unwrap(), b"1\n");
    assert!(turns <= most, "{turns} turns");
    let (found, turns, _) = cost(&mut files.open(), resolve(":/1"));
    assert_eq!(found.unwrap(), commit);
    assert!(turns <= most, "{turns} turns");
    for at in 0..REFS {
        files.reference(&format!("refs/replace/{:040x}", at + 1), &commit);
    }
    let mut host = files.open();
    host.repository.refresh();
    let (ready, turns, _) = cost(&mut host, Repository::prepare);
    assert!(ready.unwrap().is_none());
    assert!(turns <= most, "{turns} turns");
}
