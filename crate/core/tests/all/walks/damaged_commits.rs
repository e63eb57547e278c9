//! Commits that do not match their ids: a walk reports them, wherever it reaches them and
//! however many it hashes at once.

use super::PARTS;
use crate::common::Host;
use crate::kinds;
use crate::packs::{index, PackWriter};
use packlens::{
    object_id, Error, ErrorKind, HashKind, MergeBase, MergeBaseKind, ObjectId, ObjectType, Options,
    Output, RefList, RefListOptions, RefReachOptions, Repository, Result, RevList, RevListOptions,
    RevOrder,
};

const COMMIT: u8 = 1;
const BLOB: u8 = 3;

/// A line of commits, the newest first, of one tree; and a last one beside them whose parent
/// is the oldest but one.
struct History {
    commits: Vec<(ObjectId, Vec<u8>)>,
    others: Vec<(u8, ObjectId, Vec<u8>)>,
}

/// The object stored in place of a commit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Damage {
    /// The same commit with another message.
    Message,
    /// A commit without parents.
    Root,
    /// A commit with a missing parent.
    Elsewhere,
    /// A commit with a much earlier date.
    Date,
    /// No commit.
    Rubbish,
    OtherType,
}

const DAMAGES: [Damage; 6] = [
    Damage::Message,
    Damage::Root,
    Damage::Elsewhere,
    Damage::Date,
    Damage::Rubbish,
    Damage::OtherType,
];

fn commit(tree: &ObjectId, parent: Option<&ObjectId>, date: u64, message: &str) -> Vec<u8> {
    let parent = parent.map(|id| format!("parent {}\n", id.to_hex())).unwrap_or_default();
    let who = format!("A <a@example.com> {date} +0000");
    let tree = tree.to_hex();
    format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n\n{message}\n").into_bytes()
}

impl History {
    fn new(length: usize) -> History {
        History::above(length, None)
    }

    /// Makes one whose oldest commit builds on another.
    fn above(length: usize, below: Option<ObjectId>) -> History {
        let blob = b"blob\n".to_vec();
        let blob_id = object_id(HashKind::Sha1, ObjectType::Blob, &blob);
        let tree = [&b"100644 file\0"[..], blob_id.as_bytes()].concat();
        let tree_id = object_id(HashKind::Sha1, ObjectType::Tree, &tree);
        let mut commits: Vec<(ObjectId, Vec<u8>)> = Vec::new();
        let add = |parent: Option<&ObjectId>, number: usize| {
            // Blocks of several lengths.
            let message = format!("{number}{}", "-".repeat(number * 7 % 200));
            let content = commit(&tree_id, parent, 1_000_000 + 10 * number as u64, &message);
            (object_id(HashKind::Sha1, ObjectType::Commit, &content), content)
        };
        for number in 0..length {
            let commit = add(commits.last().map(|(id, _)| id).or(below.as_ref()), number);
            commits.push(commit);
        }
        let side = add(Some(&commits[1].0), length);
        commits.reverse();
        let others = vec![(2, tree_id, tree), (BLOB, blob_id, blob), (COMMIT, side.0, side.1)];
        History { commits, others }
    }

    fn length(&self) -> usize {
        self.commits.len()
    }

    fn hex(&self, number: usize) -> String {
        self.commits[number].0.to_hex()
    }

    fn side(&self) -> String {
        self.others[2].1.to_hex()
    }

    fn damaged(&self, number: usize, damage: Damage) -> (u8, Vec<u8>) {
        let content = String::from_utf8(self.commits[number].1.clone()).unwrap();
        let parent = content.lines().nth(1).filter(|line| line.starts_with("parent"));
        let changed = match damage {
            Damage::Message => format!("{content}!"),
            Damage::Root => match parent {
                Some(parent) => content.replace(&format!("{parent}\n"), ""),
                None => format!("{content}?"),
            },
            Damage::Elsewhere => {
                let missing = format!("parent {}", "1".repeat(40));
                match parent {
                    Some(parent) => content.replace(parent, &missing),
                    None => content.replacen("author", &format!("{missing}\nauthor"), 1),
                }
            }
            Damage::Date => content.replace("> 10", "> 9"),
            Damage::Rubbish => "tree of nothing".to_owned(),
            Damage::OtherType => content,
        };
        let kind = if damage == Damage::OtherType { BLOB } else { COMMIT };
        (kind, changed.into_bytes())
    }

    /// Returns a pack, its index, and where the commits are.
    fn pack(&self, damaged: Option<(usize, Damage)>) -> (Vec<u8>, Vec<u8>, Vec<u64>) {
        let mut writer = PackWriter::new();
        let mut entries = Vec::new();
        for (number, (id, content)) in self.commits.iter().enumerate() {
            let (kind, content) = match damaged {
                Some((at, damage)) if at == number => self.damaged(number, damage),
                _ => (COMMIT, content.clone()),
            };
            entries.push((*id, writer.entry_of_size(kind, content.len() as u64, &content)));
        }
        let offsets = entries.iter().map(|(_, offset)| *offset).collect();
        for (kind, id, content) in &self.others {
            entries.push((*id, writer.entry_of_size(*kind, content.len() as u64, content)));
        }
        (writer.finish(), index(HashKind::Sha1, &entries), offsets)
    }

    fn host(&self, packs: &[(Vec<u8>, Vec<u8>, Vec<u64>)], part: u64) -> Host {
        let refs = [(self.hex(0), "main"), (self.side(), "side")];
        let refs = refs.map(|(id, name)| format!("{id} refs/heads/{name}\n")).concat();
        let refs = format!("# pack-refs with: peeled fully-peeled sorted \n{refs}");
        let paths = ["objects/pack/a.pack", "objects/pack/a.idx"];
        let others = ["objects/pack/b.pack", "objects/pack/b.idx"];
        let mut files = vec![("packed-refs", refs.as_bytes()), ("HEAD", b"ref: refs/heads/main\n")];
        for ((pack, index, _), [pack_path, index_path]) in packs.iter().zip([paths, others]) {
            files.extend([(pack_path, pack.as_slice()), (index_path, index.as_slice())]);
        }
        Host::of_files(&files, part, Options::default()).unwrap()
    }
}

/// Lists commits; returns the lines of the output, including those before an error.
fn list(host: &mut Host, specs: &[String], options: RevListOptions) -> (String, Result<()>) {
    let specs = specs.iter().map(|spec| spec.clone().into_bytes()).collect();
    let mut list = RevList::new(specs, options);
    let mut text = String::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| list.fill(repository, 5000, &mut out));
        text.push_str(std::str::from_utf8(out.as_slice()).unwrap());
        match done {
            Ok(false) => {}
            Ok(true) => return (text, Ok(())),
            Err(error) => return (text, Err(error)),
        }
    }
}

fn merge_base(host: &mut Host, specs: &[&String], kind: MergeBaseKind) -> Result<String> {
    let specs = specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
    let mut question = MergeBase::new(specs, kind)?;
    let mut out = Output::default();
    host.ask(|repository| question.answer(repository, &mut out))?;
    Ok(String::from_utf8(out.as_slice().to_vec()).unwrap())
}

/// Returns how long the list of refs is.
fn refs(host: &mut Host, reach: RefReachOptions) -> Result<usize> {
    let mut list = RefList::new(RefListOptions { reach, ..RefListOptions::default() }).unwrap();
    let mut out = Output::default();
    while !host.ask(|repository| list.fill(repository, 1 << 20, &mut out))? {}
    let text = String::from_utf8_lossy(out.as_slice()).into_owned();
    Ok(text.matches("refs/heads/").count())
}

/// The questions; each but the lists visits every commit of the line.
fn ask(host: &mut Host, history: &History, question: &str, limit: u64) -> (usize, Result<()>) {
    let (main, side) = (history.hex(0), history.side());
    let root = history.hex(history.length() - 1);
    let ones = |specs: &[&String]| specs.iter().map(|spec| spec.as_bytes().to_vec()).collect();
    let all = RevListOptions::default();
    let lines = |(text, error): (String, Result<()>)| (text.lines().count(), error);
    let counted = |counted: Result<usize>| match counted {
        Ok(count) => (count, Ok(())),
        Err(error) => (0, Err(error)),
    };
    let lengths = |text: Result<String>| counted(text.map(|text| text.lines().count()));
    match question {
        "list" => lines(list(host, &[main], all)),
        "limit" => lines(list(host, &[main], RevListOptions { limit: Some(limit), ..all })),
        "limit --objects" => {
            let objects = RevListOptions { limit: Some(limit), objects: true, ..all };
            lines(list(host, &[main], objects))
        }
        "--objects" => lines(list(host, &[main], RevListOptions { objects: true, ..all })),
        "--count" => lines(list(host, &[main], RevListOptions { count: true, ..all })),
        "--objects --count" => {
            let objects = RevListOptions { objects: true, count: true, ..all };
            lines(list(host, &[main], objects))
        }
        "--topo-order" => {
            lines(list(host, &[main], RevListOptions { order: RevOrder::Topo, ..all }))
        }
        "--date-order" => {
            lines(list(host, &[main], RevListOptions { order: RevOrder::Date, ..all }))
        }
        "--reverse" => lines(list(host, &[main], RevListOptions { reverse: true, ..all })),
        "--skip" => lines(list(host, &[main], RevListOptions { skip: 1 << 20, ..all })),
        "not root" => lines(list(host, &[main, format!("^{root}")], all)),
        "symmetric" => lines(list(host, &[format!("{main}...{side}")], all)),
        "merge-base" => lengths(merge_base(host, &[&main, &side], MergeBaseKind::Common)),
        "octopus" => lengths(merge_base(host, &[&main, &side], MergeBaseKind::Octopus)),
        "independent" => lengths(merge_base(host, &[&side, &main], MergeBaseKind::Independent)),
        "is-ancestor" => {
            let found = merge_base(host, &[&root, &main], MergeBaseKind::Ancestor);
            counted(found.map(|text| text.parse().unwrap()))
        }
        "contains" => {
            counted(refs(host, RefReachOptions { contains: ones(&[&root]), ..Default::default() }))
        }
        "no-contains" => counted(refs(
            host,
            RefReachOptions { no_contains: ones(&[&root]), ..Default::default() },
        )),
        "merged" => {
            counted(refs(host, RefReachOptions { merged: ones(&[&main]), ..Default::default() }))
        }
        "no-merged" => {
            counted(refs(host, RefReachOptions { no_merged: ones(&[&main]), ..Default::default() }))
        }
        _ => panic!("{question}"),
    }
}

const QUESTIONS: [&str; 18] = [
    "list",
    "--objects",
    "--count",
    "--objects --count",
    "--topo-order",
    "--date-order",
    "--reverse",
    "--skip",
    "not root",
    "symmetric",
    "merge-base",
    "octopus",
    "independent",
    "is-ancestor",
    "contains",
    "no-contains",
    "merged",
    "no-merged",
];

/// Makes sure that an error names the damaged commit.
fn is_of(error: &Error, history: &History, number: usize, offset: u64, what: &str) {
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{what}: {error}");
    assert_eq!(error.what(), "the content does not match its object id", "{what}: {error}");
    assert_eq!(error.subject(), history.hex(number).as_bytes(), "{what}");
    assert_eq!(error.place().map(|(_, offset)| offset), Some(offset), "{what}");
}

/// Longer and shorter than the number of commits that are hashed alone at first.
fn lengths() -> [usize; 2] {
    [600, 40]
}

#[test]
fn every_walk_reports_a_damaged_commit() {
    for length in lengths() {
        let history = History::new(length);
        for number in [0, 1, length / 2, length - 30, length - 1] {
            for damage in DAMAGES {
                // The commit that the question names is read before the walk, and is no commit.
                if [0, length - 1].contains(&number) && damage == Damage::OtherType {
                    continue;
                }
                let pack = history.pack(Some((number, damage)));
                let offset = pack.2[number];
                let mut host = history.host(&[pack], 65536);
                for question in QUESTIONS {
                    let what = format!("{question}: {number} of {length}, {damage:?}");
                    let (lines, found) = ask(&mut host, &history, question, 0);
                    let error = found.err().unwrap_or_else(|| panic!("{what}: no error"));
                    is_of(&error, &history, number, offset, &what);
                    let before = match question {
                        "list" | "--objects" => number.saturating_sub(1),
                        _ => 0,
                    };
                    assert_eq!(lines, before, "{what}");
                }
            }
        }
    }
}

/// The parents of a commit are read before it is listed.
#[test]
fn a_list_that_ends_before_a_damaged_commit_is_good() {
    for length in lengths() {
        let history = History::new(length);
        for number in [2, length / 2, length - 1] {
            for damage in DAMAGES {
                let pack = history.pack(Some((number, damage)));
                let offset = pack.2[number];
                for part in [512, 1 << 30] {
                    let mut host = history.host(std::slice::from_ref(&pack), part);
                    for (question, objects) in [("limit", 0), ("limit --objects", 2)] {
                        let what = format!("{question}: {number} of {length}, {damage:?}");
                        let before = number - 1;
                        let (lines, found) = ask(&mut host, &history, question, before as u64);
                        assert_eq!((lines, found), (before + objects, Ok(())), "{what}");
                        let (lines, found) = ask(&mut host, &history, question, number as u64);
                        assert_eq!(lines, before, "{what}");
                        is_of(&found.unwrap_err(), &history, number, offset, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn a_walk_continues_with_a_good_copy_elsewhere() {
    let history = History::new(400);
    let good = history.pack(None);
    let mut host = history.host(std::slice::from_ref(&good), 65536);
    let expected = QUESTIONS.map(|question| ask(&mut host, &history, question, 0));
    assert_eq!(expected[0], (400, Ok(())));
    assert!(expected.iter().all(|(_, found)| found.is_ok()));
    for damage in DAMAGES {
        let bad = history.pack(Some((300, damage)));
        for packs in [[bad.clone(), good.clone()], [good.clone(), bad]] {
            let mut host = history.host(&packs, 65536);
            let found = QUESTIONS.map(|question| ask(&mut host, &history, question, 0));
            assert_eq!(found, expected, "{damage:?}");
        }
    }
}

#[test]
fn part_boundaries_never_change_what_is_reported() {
    let history = History::new(300);
    let number = 290;
    for damage in [Damage::Message, Damage::Elsewhere] {
        let pack = history.pack(Some((number, damage)));
        for part in PARTS {
            let mut host = history.host(std::slice::from_ref(&pack), part);
            for question in ["list", "merge-base"] {
                let (lines, found) = ask(&mut host, &history, question, 0);
                let what = format!("{question}, parts of {part}, {damage:?}");
                is_of(&found.unwrap_err(), &history, number, pack.2[number], &what);
                assert_eq!(lines, if question == "list" { number - 1 } else { 0 }, "{what}");
            }
        }
    }
}

/// Commits above a bitmap are read, and checked before anything is listed by it.
#[test]
fn bitmaps_are_listed_when_commits_above_them_are_good() {
    let mut tree = kinds::tree("packs", "bitmap");
    let mut host = kinds::open(&tree, 65536, 16 << 20);
    let below = host.ask(|repository| repository.resolve(b"main")).unwrap();
    let history = History::above(300, Some(below));
    let mut ask = |damaged: Option<(usize, Damage)>, count, objects| {
        let (pack, index, offsets) = history.pack(damaged);
        tree.insert("objects/pack/b.pack".to_owned(), pack);
        tree.insert("objects/pack/b.idx".to_owned(), index);
        let mut host = kinds::open(&tree, 65536, 16 << 20);
        let options = RevListOptions { objects, use_bitmaps: true, count, ..Default::default() };
        (list(&mut host, &[history.hex(0)], options), offsets)
    };
    for objects in [false, true] {
        let ((text, found), _) = ask(None, true, objects);
        assert_eq!(found, Ok(()));
        let count = text.trim().parse::<usize>().unwrap();
        let ((text, found), _) = ask(None, false, objects);
        assert_eq!((text.lines().count(), found), (count, Ok(())));
        for number in [280, 299] {
            for count in [true, false] {
                for damage in DAMAGES {
                    let what = format!("{number}, objects {objects}, count {count}, {damage:?}");
                    let ((text, found), offsets) = ask(Some((number, damage)), count, objects);
                    let error = found.err().unwrap_or_else(|| panic!("{what}: no error"));
                    is_of(&error, &history, number, offsets[number], &what);
                    let before = if count { 0 } else { number - 1 };
                    assert_eq!(text.lines().count(), before, "{what}");
                }
            }
        }
    }
}

/// No object is requested that only a damaged commit names.
#[test]
fn nothing_is_needed_that_a_damaged_commit_names() {
    let history = History::new(400);
    let pack = history.pack(Some((300, Damage::Elsewhere)));
    let mut host = history.host(std::slice::from_ref(&pack), 1 << 30);
    let mut question = RevList::new(vec![b"main".to_vec()], RevListOptions::default());
    let mut needs = Vec::new();
    let error = loop {
        let mut out = Output::default();
        let fill = |repository: &mut Repository| question.fill(repository, 1 << 30, &mut out);
        match host.ask_watched(fill, |_, need| needs.push(format!("{need:?}"))) {
            Ok(done) => assert!(!done),
            Err(error) => break error,
        }
    };
    is_of(&error, &history, 300, pack.2[300], "in one page");
    let missing = [&b"objects/11"[..], &[0x11; 20]].map(|bytes| format!("{bytes:?}"));
    let named =
        |need: &String| missing.iter().any(|name| need.contains(name.trim_matches(['[', ']'])));
    assert!(needs.len() > 2 && !needs.iter().any(named), "{needs:?}");
}

/// A replacement is checked against its own id.
#[test]
fn a_commit_that_is_replaced_is_read_once() {
    let history = History::new(400);
    let (pack, index, _) = history.pack(None);
    // The replacement's parent is the oldest but one.
    let packed = format!("{} refs/replace/{}\n", history.side(), history.hex(350));
    let files = [
        ("objects/pack/x.pack", pack),
        ("objects/pack/x.idx", index),
        ("packed-refs", packed.into_bytes()),
    ];
    let files = files.map(|(path, bytes)| (path.as_bytes().to_vec(), bytes));
    let mut host = Host::fixture_with("walks", files.into(), 65536, Options::default());
    let listed = list(&mut host, &[history.hex(0)], RevListOptions::default());
    assert_eq!((listed.0.lines().count(), listed.1), (353, Ok(())));
    assert_eq!(host.repository.stats().objects, 353);
}

/// Each commit is hashed once, whether alone or with others.
#[test]
fn hashed_commits_are_counted() {
    for length in lengths() {
        let history = History::new(length);
        let mut host = history.host(&[history.pack(None)], 65536);
        assert_eq!(ask(&mut host, &history, "--count", 0), (1, Ok(())));
        let all: usize = history.commits.iter().map(|(_, content)| content.len()).sum();
        let stats = host.repository.stats();
        assert_eq!((stats.hashed_bytes, stats.objects), (all as u64, length as u64));
    }
}
