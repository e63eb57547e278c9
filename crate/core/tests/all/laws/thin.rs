//! Completes thin packs, and checks packs: every object is readable by the index made here,
//! and stricter checks never accept more.

use super::base::{self, assert_typed, records, sealed};
use super::input::Input;
use crate::common::Host;
use crate::kinds::Tree;
use crate::packs::{delta_size, PackWriter};
use packlens::{
    apply, object_id, Delta, HashKind, IndexPack, IndexPackOptions, Limits, ObjectId, ObjectType,
    Output, PackIndex, Result, Strict, Thin, Verify,
};
use std::collections::BTreeMap;
use std::sync::LazyLock;

const HASH: HashKind = HashKind::Sha1;

type Object = (ObjectType, Vec<u8>);
type Objects = BTreeMap<ObjectId, Object>;

/// The objects of the repository.
static OBJECTS: LazyLock<Objects> = LazyLock::new(|| {
    let mut host = base::open(base::tree(HASH, "plain"), HASH, 1 << 30, Verify::Oid);
    base::ids(HASH).into_iter().map(|id| (id, base::read(&mut host, &id).unwrap())).collect()
});

/// The results of indexing a pack.
#[derive(Debug, Default, PartialEq)]
struct Made {
    index: Vec<u8>,
    facts: Vec<u8>,
    tail: Vec<u8>,
}

/// Indexes a pack, with the repository or without one.
fn index(pack: &[u8], is_beside: bool, part: u64, (thin, strict): (Thin, Strict)) -> Result<Made> {
    let mut tree = if is_beside { base::tree(HASH, "plain").clone() } else { Tree::new() };
    tree.insert("thin".into(), pack.to_vec());
    let mut host = base::open(&tree, HASH, part, Verify::Oid);
    let options = IndexPackOptions { index: true, thin, strict, ..IndexPackOptions::default() };
    let mut task = IndexPack::new(b"thin", b"", options, Limits::for_memory(1 << 20));
    let mut made = Made::default();
    for _ in 0..1 << 16 {
        let mut out = Output::default();
        let done = host.ask(|repository| task.fill(repository, 300, &mut out))?;
        for (kind, content) in records(out.as_slice()) {
            match kind {
                1 => made.index.extend(content),
                3 => made.facts.extend(content),
                6 => made.tail.extend(content),
                _ => {}
            }
        }
        if done {
            return Ok(made);
        }
    }
    panic!("the task never ends");
}

/// A valid delta and its result.
fn made_by(base: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let delta = Delta::decode(bytes).ok().filter(|delta| delta.result_size < 1 << 16)?;
    let mut out = vec![0; delta.result_size as usize];
    apply(base, &delta, &mut out).ok().map(|()| out)
}

/// Makes a delta that copies all of its base and adds some bytes.
fn longer(base: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut delta = [delta_size(base.len()), delta_size(base.len() + bytes.len())].concat();
    if !base.is_empty() {
        delta.extend([0xb0, base.len() as u8, (base.len() >> 8) as u8]);
    }
    if !bytes.is_empty() {
        delta.push(bytes.len() as u8);
        delta.extend(bytes);
    }
    delta
}

/// Makes a pack and the objects expected in it, `None` where they are not known.
fn make(mut input: Input<'_>) -> (Vec<u8>, Option<Objects>) {
    let mut writer = PackWriter::new();
    let known: Vec<ObjectId> = OBJECTS.keys().copied().collect();
    let mut right = Some(Objects::new());
    // The offset of each entry, and its type and content if they are known.
    let mut entries: Vec<(u64, Option<Object>)> = Vec::new();
    while !input.0.is_empty() && entries.len() < 20 {
        let (choice, nth) = (input.byte(), usize::from(input.byte()));
        let bytes = input.sized();
        let bytes = &bytes[..bytes.len().min(127)];
        let before = entries.get(nth % entries.len().max(1)).cloned();
        let object = |of: &(ObjectType, Vec<u8>)| {
            let delta = if choice & 0x80 > 0 { bytes.to_vec() } else { longer(&of.1, bytes) };
            let content = made_by(&of.1, &delta);
            (delta, content.map(|content| (of.0, content)))
        };
        let (offset, content) = match (choice % 8, before) {
            (0 | 1, _) => {
                let id = known[nth % known.len()];
                let (delta, made) = object(&OBJECTS[&id]);
                (writer.ref_delta(&id, &delta), made)
            }
            (2, Some((_, Some(of)))) => {
                let (delta, made) = object(&of);
                (writer.ref_delta(&object_id(HASH, of.0, &of.1), &delta), made)
            }
            (3, Some((offset, Some(of)))) => {
                let (delta, made) = object(&of);
                (writer.ofs_delta(offset, &delta), made)
            }
            (4, _) => {
                let id = ObjectId::from_bytes(HASH, &[choice; 20]).unwrap();
                (writer.ref_delta(&id, bytes), None)
            }
            (5, _) => {
                let (object_type, content) = &OBJECTS[&known[nth % known.len()]];
                let offset =
                    writer.entry_of_size(*object_type as u8, content.len() as u64, content);
                (offset, Some((*object_type, content.clone())))
            }
            (kind, _) => {
                let object_type =
                    if kind == 6 { ObjectType::ALL[nth % 4] } else { ObjectType::Blob };
                let offset = writer.entry_of_size(object_type as u8, bytes.len() as u64, bytes);
                (offset, Some((object_type, bytes.to_vec())))
            }
        };
        match (&mut right, &content) {
            (Some(right), Some((object_type, content))) => {
                let id = object_id(HASH, *object_type, content);
                right.insert(id, (*object_type, content.clone()));
            }
            _ => right = None,
        }
        entries.push((offset, content));
    }
    (writer.finish(), right)
}

/// Reads a pack with its index; each object must match its id. Of an object that is stored
/// twice, the look-up may find a copy whose chain is a circle: that copy and the deltas on it
/// cannot be read.
fn read_back(pack: &[u8], index: &[u8]) -> BTreeMap<ObjectId, Option<Object>> {
    let tree = Tree::from([
        ("objects/pack/p.pack".to_string(), pack.to_vec()),
        ("objects/pack/p.idx".to_string(), index.to_vec()),
    ]);
    let mut host: Host = base::open(&tree, HASH, 512, Verify::Oid);
    let layout = PackIndex::decode(&index, HASH).unwrap();
    let ids: Vec<ObjectId> =
        (0..layout.count()).map(|at| layout.id_at(&index, at).unwrap()).collect();
    let has_twice = ids.windows(2).any(|pair| pair[0] == pair[1]);
    let mut read = |id: &ObjectId| {
        let object = base::read(&mut host, id);
        assert!(object.is_ok() || has_twice, "{id:?}: {object:?}");
        (*id, object.ok())
    };
    ids.iter().map(&mut read).collect()
}

/// A pack whose bases are in it or in the repository is completed to a self-contained one
/// with all results of its deltas. `--fix-thin` does not change a pack that needs no bases; a
/// pack that is refused without checks is refused with them.
pub fn thin(data: &[u8]) {
    let mut input = Input(data);
    let (part, kind) = (input.part(), input.byte());
    let (pack, right) = match kind % 4 {
        0 => (sealed(input.0, HASH), None),
        _ => make(input),
    };
    let plain = index(&pack, false, 1 << 30, (Thin::Refuse, Strict::No));
    let fixed = index(&pack, true, 1 << 30, (Thin::Fix, Strict::No));
    assert_eq!(index(&pack, true, part, (Thin::Fix, Strict::No)), fixed, "in parts of {part}");
    for strict in [Strict::Objects, Strict::Links] {
        let checked = index(&pack, true, part, (Thin::Refuse, strict));
        match (&plain, checked) {
            (Ok(plain), Ok(checked)) => assert_eq!(*plain, checked, "{strict:?}"),
            (Err(_), Ok(_)) => panic!("{strict:?} accepts what is refused without"),
            (_, Err(error)) => assert_typed(&error),
        }
    }
    plain.as_ref().err().into_iter().for_each(assert_typed);
    match (plain, fixed) {
        (Ok(plain), Ok(fixed)) => assert_eq!(fixed, plain, "nothing was missing"),
        (Ok(_), Err(error)) => panic!("accepted without a repository: {error}"),
        (Err(_), Ok(fixed)) => {
            let end = pack.len() - HASH.len();
            let count: Vec<u8> = fixed.facts[..4].iter().rev().copied().collect();
            let whole = [&pack[..8], &count, &pack[12..end], &fixed.tail].concat();
            let alone = index(&whole, false, part, (Thin::Refuse, Strict::No)).unwrap();
            assert_eq!(alone.index, fixed.index);
            let objects = read_back(&whole, &fixed.index);
            for (id, object) in right.iter().flatten() {
                assert!(objects[id].as_ref().is_none_or(|found| found == object), "{id:?}");
            }
            let own = |id: &&ObjectId| right.as_ref().is_some_and(|right| right.contains_key(id));
            let mut added = objects.keys().filter(|id| !own(id));
            assert!(right.is_none() || added.all(|id| OBJECTS.contains_key(id)));
        }
        (Err(_), Err(error)) => {
            assert_typed(&error);
            assert!(right.is_none(), "no base is missing: {error}");
        }
    }
}
