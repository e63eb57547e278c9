//! Reverse indexes give the order of a pack without sorting, and change no answer.

use crate::common::{expected_of, Host};
use crate::kinds::{ids, open, tree, Tree};
use crate::packs::{index, PackWriter};
use packlens::{
    object_id, Fields, Filter, HashKind, Hasher, ObjectId, ObjectList, ObjectType, Order, Output,
};

const MEMORY: u64 = 16 << 20;

/// Returns disk size and delta base of every object, from its row.
fn storage(tree: &Tree, part: u64, memory: u64, ids: &[ObjectId]) -> Vec<(u64, Vec<u8>)> {
    let mut host = open(tree, part, memory);
    ids.iter()
        .map(|id| {
            host.ask(|repository| {
                let mut out = Output::default();
                let fields = Fields { content: false, storage: true };
                repository.read_row(id.to_hex().as_bytes(), None, fields, &mut out)?;
                let row = out.as_slice();
                Ok((u64::from_le_bytes(row[32..40].try_into().unwrap()), row[88..].to_vec()))
            })
            .unwrap()
        })
        .collect()
}

#[test]
fn sizes_and_bases_are_the_same_with_one() {
    for fixture in ["packs", "packs-sha256"] {
        let ids = ids(&expected_of(fixture));
        let plain = storage(&tree(fixture, "plain"), 512, MEMORY, &ids);
        assert!(plain.iter().any(|(_, base)| base.iter().any(|byte| *byte > 0)));
        for part in [1, 7, 512, 65536, 1 << 30] {
            let tree = tree(fixture, "reverse");
            assert_eq!(storage(&tree, part, MEMORY, &ids), plain, "{fixture}, {part}");
        }
    }
}

#[test]
fn damaged_files_are_ignored() {
    let ids = ids(&expected_of("packs"));
    let whole = tree("packs", "reverse");
    let plain = storage(&tree("packs", "plain"), 512, MEMORY, &ids);
    let name = whole.keys().find(|path| path.ends_with(".rev")).unwrap();
    let name = whole.keys().filter(|path| path.ends_with(".rev")).fold(name, |most, name| {
        if whole[name].len() > whole[most].len() {
            name
        } else {
            most
        }
    });
    for at in 0..whole[name].len() {
        for mask in [0, 1, 0x80] {
            let mut tree = whole.clone();
            let bytes = tree.get_mut(name).unwrap();
            match mask {
                0 => bytes.truncate(at),
                _ => bytes[at] ^= mask,
            }
            assert_eq!(storage(&tree, 1 << 20, MEMORY, &ids), plain, "{mask} at {at}");
        }
    }
}

/// A pack of many small blobs, its index and its reverse index.
fn many(count: u32) -> (Tree, Vec<ObjectId>) {
    let mut pack = PackWriter::new();
    let mut entries: Vec<(ObjectId, u64)> = (0..count)
        .map(|at| {
            let content = at.to_be_bytes();
            (object_id(HashKind::Sha1, ObjectType::Blob, &content), pack.blob(&content))
        })
        .collect();
    let in_order: Vec<ObjectId> = entries.iter().map(|(id, _)| *id).collect();
    entries.sort_unstable();
    let mut reverse = b"RIDX\0\0\0\x01\0\0\0\x01".to_vec();
    for id in &in_order {
        let position = entries.binary_search_by_key(id, |(id, _)| *id).unwrap() as u32;
        reverse.extend(position.to_be_bytes());
    }
    // The index does not have its pack's checksum.
    reverse.extend([0; 20]);
    let mut hasher = Hasher::new(HashKind::Sha1);
    hasher.update(&reverse);
    reverse.extend(hasher.finish().as_bytes());
    let mut tree = Tree::new();
    tree.insert("objects/pack/p.pack".into(), pack.finish());
    tree.insert("objects/pack/p.idx".into(), index(HashKind::Sha1, &entries));
    tree.insert("objects/pack/p.rev".into(), reverse);
    (tree, in_order)
}

/// If the order of a pack takes too much memory, the reverse index is read in place.
#[test]
fn a_pack_too_large_to_sort_is_not_scanned_for_each_object() {
    let (with, ids) = many(60_000);
    let asked = [ids[0], ids[31], ids[59_999], ids[30_000], ids[7], ids[44_444]];
    let memory = 200 << 10;
    let mut without = with.clone();
    without.remove("objects/pack/p.rev");
    let read = |tree: &Tree| {
        let mut host: Host = open(tree, 4096, memory);
        let sizes = asked.map(|id| {
            host.ask(|repository| {
                let mut out = Output::default();
                let fields = Fields { content: false, storage: true };
                repository.read_row(id.to_hex().as_bytes(), None, fields, &mut out)?;
                Ok(u64::from_le_bytes(out.as_slice()[32..40].try_into().unwrap()))
            })
            .unwrap()
        });
        (sizes, host.repository.stats().blocks_read)
    };
    let ((sizes, blocks), (plain, more)) = (read(&with), read(&without));
    assert_eq!(sizes, plain);
    // One pass over the reverse index, instead of one over all offsets for each.
    assert!(blocks < 60 + 6 * 24 && more > 6 * 58, "{blocks} and {more} parts");
    let mut list = ObjectList::new(Order::Stored, Filter::default());
    let first = open(&with, 4096, 16 << 20).ask(|repository| repository.listed(&mut list, 0));
    assert_eq!(first.unwrap(), Some(ids[0]));
}
