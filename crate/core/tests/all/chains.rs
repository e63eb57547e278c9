//! Chains of deltas whose entries are in the base cache, or were evicted.

use crate::common::random::Random;
use crate::common::Host;
use crate::packs::{delta_size, index, PackWriter};
use packlens::{
    object_id, Fields, HashKind, Limits, Need, ObjectId, ObjectType, Options, Output, Repository,
    Result, Verify, ROW_HEADER_LEN,
};

/// The number of bytes that each object copies from its base.
const SHARED: usize = 5000;

/// A pack with a root and deltas, each on the one before, and unrelated blobs around them.
struct Chain {
    pack: Vec<u8>,
    entries: Vec<(ObjectId, u64)>,
    /// The root, the deltas, and one more delta on the last but one.
    objects: Vec<(ObjectId, Vec<u8>)>,
    others: Vec<ObjectId>,
}

impl Chain {
    /// Makes one of `count` deltas with `literal` bytes each, and blobs of `other`.
    fn new(count: usize, literal: usize, other: usize) -> Chain {
        let mut random = Random::new(4);
        let mut bytes = |length| (0..length).map(|_| random.below(256) as u8).collect::<Vec<u8>>();
        let id = |content: &[u8]| object_id(HashKind::Sha1, ObjectType::Blob, content);
        let mut writer = PackWriter::new();
        let (mut entries, mut objects, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let root = bytes(SHARED);
        entries.push((id(&root), writer.stored_blob(&root)));
        objects.push((id(&root), root));
        for at in 0..=count {
            let blob = bytes(other);
            entries.push((id(&blob), writer.stored_blob(&blob)));
            others.push(id(&blob));
            let base = if at == count { count - 1 } else { at };
            let (base_id, base) = &objects[base];
            let new = bytes(literal);
            let result = [&base[..SHARED], &new].concat();
            let copy = [0xb0, SHARED as u8, (SHARED >> 8) as u8].to_vec();
            let mut delta = [delta_size(base.len()), delta_size(result.len()), copy].concat();
            new.chunks(127).for_each(|piece| {
                delta.push(piece.len() as u8);
                delta.extend(piece);
            });
            // Half of them name their base by its id.
            let offset = match at % 2 {
                0 => writer.ref_delta(base_id, &delta),
                _ => {
                    let base = entries.iter().find(|(id, _)| id == base_id).unwrap().1;
                    writer.ofs_delta(base, &delta)
                }
            };
            entries.push((id(&result), offset));
            objects.push((id(&result), result));
        }
        Chain { pack: writer.finish(), entries, objects, others }
    }

    fn open(&self, memory: u64, part: u64) -> Host {
        let index = index(HashKind::Sha1, &self.entries);
        let files: [(&str, &[u8]); 2] =
            [("objects/pack/p.pack", &self.pack), ("objects/pack/p.idx", &index)];
        let options = Options {
            limits: Limits::for_memory(memory),
            verify: Verify::None,
            hash: Some(HashKind::Sha1),
        };
        Host::of_files(&files, part, options).unwrap()
    }

    /// Returns the offset of an object's entry, and of the next.
    fn entry(&self, id: &ObjectId) -> (u64, u64) {
        let at = self.entries.iter().position(|(entry, _)| entry == id).unwrap();
        let end = self.entries.get(at + 1).map_or(self.pack.len() as u64, |(_, next)| *next);
        (self.entries[at].1, end)
    }
}

const CONTENT: Fields = Fields { content: true, storage: false };

fn read(repository: &mut Repository, id: &ObjectId) -> Result<Vec<u8>> {
    let mut out = Output::default();
    repository.read_row(id.to_hex().as_bytes(), None, CONTENT, &mut out)?;
    let size = u64::from_le_bytes(out.as_slice()[8..16].try_into().unwrap()) as usize;
    Ok(out.as_slice()[ROW_HEADER_LEN..][..size].to_vec())
}

#[test]
fn bases_in_the_cache_are_used_without_looking_at_their_pack() {
    let chain = Chain::new(8, 2000, 150_000);
    let mut host = chain.open(1 << 20, 512);
    let (sibling, expected) = chain.objects.last().unwrap();
    assert_eq!(host.object(&chain.objects[8].0, CONTENT).unwrap().1, chain.objects[8].1);
    let evicted = host.repository.stats().blocks_evicted;
    chain.others.iter().for_each(|other| {
        host.object(other, CONTENT).unwrap();
    });
    assert!(host.repository.stats().blocks_evicted - evicted > 1000, "the parts have left");
    let before = host.repository.stats();
    let (own, bases) = (chain.entry(sibling), &chain.objects[..8]);
    let mut places = Vec::new();
    let found = host
        .ask_watched(
            |repository| read(repository, sibling),
            |_, need| {
                if let Need::Bytes { offset, .. } = need {
                    places.push(*offset);
                }
            },
        )
        .unwrap();
    assert_eq!(&found, expected);
    assert!(places.iter().any(|offset| (own.0..own.1).contains(offset)), "{places:?}");
    for (id, _) in bases {
        let (begin, end) = chain.entry(id);
        assert!(
            !places.iter().any(|offset| (begin..end).contains(offset)),
            "{places:?} of {begin}"
        );
    }
    assert!(host.repository.stats().base_cache_hits - before.base_cache_hits >= 8);
}

#[test]
fn bases_that_leave_the_cache_on_the_way_are_read_again() {
    let chain = Chain::new(6, 40_000, 100);
    let mut left = 0;
    for memory in (560..900).step_by(10).map(|kib| kib << 10) {
        let mut host = chain.open(memory, 512);
        for (id, content) in chain.objects.iter().rev() {
            for _ in 0..2 {
                let before = host.repository.stats();
                assert_eq!(&host.object(id, CONTENT).unwrap().1, content, "{memory}");
                let after = host.repository.stats();
                let hits = after.base_cache_hits - before.base_cache_hits;
                let deltas = after.deltas_applied - before.deltas_applied;
                left += u64::from(hits > 0 && hits < deltas);
            }
        }
        assert!(host.repository.stats().memory_high_water <= memory);
    }
    assert!(left > 10, "{left}");
}

/// Entries of a chain that take more memory than the limit are loaded one after the other,
/// and progress is kept: each delta is applied once. The entry headers do not fit either, in
/// parts of 16 KiB.
#[test]
fn a_chain_that_does_not_fit_in_memory_is_read() {
    let chain = Chain::new(30, 40_000, 100);
    for (memory, part) in [320, 400, 520, 700, 1000]
        .into_iter()
        .flat_map(|kib| [512, 4 << 10, 16 << 10].map(|part| (kib << 10, part)))
    {
        let mut host = chain.open(memory, part);
        for depth in [30, 29] {
            let (id, content) = &chain.objects[depth];
            let before = host.repository.stats();
            let mut needs = 0;
            let found = host
                .ask_watched(
                    |repository| read(repository, id),
                    |_, _| {
                        needs += 1;
                        assert!(needs < 1000, "{memory} in {part}: the chain takes some 320");
                    },
                )
                .unwrap();
            assert_eq!(&found, content, "{memory} in {part}");
            let after = host.repository.stats();
            let deltas = after.deltas_applied - before.deltas_applied;
            assert_eq!(deltas, depth as u64, "{memory} in {part}");
        }
        assert!(host.repository.stats().memory_high_water <= memory);
    }
}
