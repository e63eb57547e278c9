//! A multi-pack-index changes no answer.

use super::base::{self, assert_typed, sealed};
use super::input::Input;
use crate::common::Host;
use crate::kinds::Tree;
use packlens::{Filter, HashKind, ObjectId, ObjectList, ObjectType, Order, Result, Verify};
use std::sync::LazyLock;

/// The files of each kind; the first one is changed.
const KINDS: [(&str, usize); 6] =
    [("midx-2", 0), ("midx-1", 0), ("chain", 0), ("chain", 1), ("chain", 2), ("midx-bitmap", 0)];

#[derive(Debug, PartialEq)]
struct Answers {
    objects: Vec<Result<(ObjectType, Vec<u8>)>>,
    none: Result<ObjectType>,
    listed: Result<Vec<ObjectId>>,
    short: Vec<Result<usize>>,
}

fn ask(tree: &Tree, hash: HashKind, part: u64) -> Answers {
    let mut host = base::open(tree, hash, part, Verify::Oid);
    let ids = &IDS[usize::from(hash == HashKind::Sha256)];
    let nothing = ObjectId::from_bytes(hash, &[0x5a; 32]).unwrap();
    let abbreviate =
        |host: &mut Host, id: &ObjectId| host.ask(|repository| repository.abbreviate(id, Some(4)));
    Answers {
        none: host.ask(|repository| repository.object_type(&nothing)),
        objects: ids.iter().map(|id| base::read(&mut host, id)).collect(),
        listed: listed(&mut host),
        short: ids.iter().step_by(5).map(|id| abbreviate(&mut host, id)).collect(),
    }
}

fn listed(host: &mut Host) -> Result<Vec<ObjectId>> {
    let mut list = ObjectList::new(Order::Sorted, Filter::default());
    let mut found = Vec::new();
    while let Some(id) = host.ask(|repository| repository.listed(&mut list, found.len() as u32))? {
        found.push(id);
    }
    Ok(found)
}

static IDS: LazyLock<[Vec<ObjectId>; 2]> = LazyLock::new(|| base::HASHES.map(base::ids));
static PLAIN: LazyLock<[Answers; 2]> =
    LazyLock::new(|| base::HASHES.map(|hash| ask(base::tree(hash, "plain"), hash, 1 << 30)));

/// A damaged multi-pack-index is ignored. A wrong one with a right hash at its end makes no
/// wrong object, and gives the same answers in parts.
pub fn multi_pack_index(data: &[u8]) {
    let mut input = Input(data);
    let (hash, (kind, nth)) = (input.hash(), input.one_of(&KINDS));
    let (seals, part) = (input.flag(), input.part());
    let mut tree = base::tree(hash, kind).clone();
    let names = tree.keys().filter(|path| path.contains("multi-pack-index"));
    let name = names.filter(|path| !path.ends_with(".bitmap")).nth(nth).unwrap().clone();
    let is_file = !name.ends_with("-chain");
    let bytes = if seals && is_file { sealed(input.0, hash) } else { input.0.to_vec() };
    tree.insert(name, bytes);
    let answers = ask(&tree, hash, part);
    if !seals || !is_file {
        assert!(answers == PLAIN[usize::from(hash == HashKind::Sha256)]);
        return;
    }
    assert!(answers == ask(&tree, hash, 1 << 30), "in parts of {part}");
    answers.objects.iter().filter_map(|found| found.as_ref().err()).for_each(assert_typed);
    answers.listed.as_ref().err().into_iter().for_each(assert_typed);
}
