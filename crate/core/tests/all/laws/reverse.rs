//! A reverse index changes no answer, whatever it says.

use super::base::{self, sealed};
use super::input::Input;
use crate::kinds::Tree;
use packlens::{Fields, Filter, HashKind, ObjectId, ObjectList, Order, Result, Verify};
use std::sync::LazyLock;

/// The size in the pack and the delta base of an object.
type Storage = (u64, Vec<u8>);
type Answers = (Vec<Result<Storage>>, Vec<ObjectId>);

/// Returns the storage of all objects, and their order in the packs.
fn ask(tree: &Tree, hash: HashKind, part: u64) -> Answers {
    let mut host = base::open(tree, hash, part, Verify::Oid);
    let fields = Fields { content: false, storage: true };
    let storage =
        |row: Vec<u8>| (u64::from_le_bytes(row[32..40].try_into().unwrap()), row[88..].to_vec());
    let ids = base::ids(hash);
    let rows = ids.iter().map(|id| host.row(id, fields).map(storage)).collect();
    let mut list = ObjectList::new(Order::Stored, Filter::default());
    let mut stored = Vec::new();
    let mut listed = |at| host.ask(|repository| repository.listed(&mut list, at)).unwrap();
    while let Some(id) = listed(stored.len() as u32) {
        stored.push(id);
    }
    (rows, stored)
}

static PLAIN: LazyLock<[Answers; 2]> =
    LazyLock::new(|| base::HASHES.map(|hash| ask(base::tree(hash, "plain"), hash, 1 << 30)));

/// With a reverse index of any bytes, sealed or not, sizes, bases and order are those without
/// one.
pub fn reverse(data: &[u8]) {
    let mut input = Input(data);
    let (hash, nth) = (input.hash(), input.below(2));
    let (seals, part) = (input.flag(), input.part());
    let mut tree = base::tree(hash, "reverse").clone();
    let name = tree.keys().filter(|path| path.ends_with(".rev")).nth(nth).unwrap().clone();
    tree.insert(name, if seals { sealed(input.0, hash) } else { input.0.to_vec() });
    assert!(ask(&tree, hash, part) == PLAIN[usize::from(hash == HashKind::Sha256)]);
}
