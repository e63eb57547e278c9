//! Packs: entry headers, deltas, and whole packs that are indexed here.

use super::base::{assert_typed, MEMORY};
use super::input::{whole_and_in_parts, Input};
use super::shared::{self, Sharing};
use crate::common::Host;
use crate::packs::PackWriter;
use packlens::{
    apply, object_id, Build, Delta, Entry, EntryKind, ErrorKind, Fields, HashKind, Hasher,
    IndexRole, Inflater, Limits, ObjectId, ObjectType, Options, PackIndex, Result,
};
use std::collections::BTreeMap;

/// Reads the header of an entry a byte at a time: kind, size, base, and the length of the
/// header.
fn slow_head(pack: &[u8], offset: usize, hash: HashKind) -> Option<(u8, u64, Vec<u8>, usize)> {
    let mut at = offset;
    let mut next = || {
        at += 1;
        pack.get(at - 1).copied()
    };
    let first = next()?;
    let (kind, mut size, mut shift) = (first >> 4 & 7, u128::from(first & 15), 4);
    let mut byte = first;
    while byte & 0x80 != 0 {
        byte = next()?;
        // Even zeros are refused after 64 bits.
        if shift >= 64 {
            return None;
        }
        size |= u128::from(byte & 0x7f) << shift;
        shift += 7;
    }
    let size = u64::try_from(size).ok()?;
    let mut base = Vec::new();
    match kind {
        1..=4 => {}
        6 => {
            let mut byte = next()?;
            let mut back = u128::from(byte & 0x7f);
            while byte & 0x80 != 0 {
                byte = next()?;
                back = (back + 1) << 7 | u128::from(byte & 0x7f);
                u64::try_from(back).ok()?;
            }
            let found = u128::try_from(offset).unwrap().checked_sub(back)?;
            if back == 0 || found < 12 {
                return None;
            }
            base = (found as u64).to_be_bytes().to_vec();
        }
        7 => {
            for _ in 0..hash.len() {
                base.push(next()?);
            }
        }
        _ => return None,
    }
    Some((kind, size, base, at))
}

/// An entry header equals that of the slow reader, or both refuse it.
pub fn pack_entry(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.one_of(&[1, 7, 3, 64]));
    let offset = usize::from(input.byte());
    let pack = input.0;
    let found = whole_and_in_parts(pack, part, |source| Entry::decode(source, hash, offset as u64));
    found.as_ref().err().into_iter().for_each(assert_typed);
    let found = found.ok().map(|Entry { kind, size, data_offset }| {
        let (kind, base) = match kind {
            EntryKind::Whole(ObjectType::Commit) => (1, Vec::new()),
            EntryKind::Whole(ObjectType::Tree) => (2, Vec::new()),
            EntryKind::Whole(ObjectType::Blob) => (3, Vec::new()),
            EntryKind::Whole(ObjectType::Tag) => (4, Vec::new()),
            EntryKind::OfsDelta { base_offset } => (6, base_offset.to_be_bytes().to_vec()),
            EntryKind::RefDelta { base } => (7, base.as_bytes().to_vec()),
        };
        (kind, size, base, data_offset as usize)
    });
    assert_eq!(found, slow_head(pack, offset, hash));
}

/// Applies a delta an instruction at a time; `None` if it is invalid.
fn slow_delta(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = delta.iter().copied();
    let mut size = || -> Option<u128> {
        let (mut value, mut shift) = (0u128, 0);
        loop {
            let byte = bytes.next()?;
            if shift >= 64 {
                return None;
            }
            value |= u128::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return (value <= u128::from(u64::MAX)).then_some(value);
            }
        }
    };
    let (base_size, result_size) = (size()?, size()?);
    if base_size != base.len() as u128 {
        return None;
    }
    let mut out = Vec::new();
    while let Some(code) = bytes.next() {
        if code & 0x80 == 0 {
            if code == 0 {
                return None;
            }
            for _ in 0..code {
                out.push(bytes.next()?);
            }
        } else {
            let (mut offset, mut length) = (0, 0);
            for bit in 0..7 {
                if code & 1 << bit != 0 {
                    let byte = usize::from(bytes.next()?);
                    match bit {
                        0..4 => offset |= byte << (8 * bit),
                        _ => length |= byte << (8 * (bit - 4)),
                    }
                }
            }
            length = if length == 0 { 0x10000 } else { length };
            out.extend(base.get(offset..offset.checked_add(length)?)?);
        }
        if out.len() as u128 > result_size {
            return None;
        }
    }
    (out.len() as u128 == result_size).then_some(out)
}

/// The largest result that is compared.
const MOST: u64 = 1 << 18;

fn fast_delta(base: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let delta = Delta::decode(bytes).ok()?;
    if delta.result_size > MOST {
        return None;
    }
    let mut out = vec![0; delta.result_size as usize];
    apply(base, &delta, &mut out).ok().map(|()| out)
}

/// The result of a delta equals that of the slow reader, or both refuse it.
pub fn delta(data: &[u8]) {
    let mut input = Input(data);
    // The base is long enough for a copy instruction without a length.
    let times = if input.byte() == 0xff { 3000 } else { 1 };
    let base = input.sized().repeat(times);
    let slow = slow_delta(&base, input.0).filter(|out| out.len() as u64 <= MOST);
    assert!(fast_delta(&base, input.0) == slow);
}

/// Returns the index of a pack, or why there is none.
fn build(pack: &[u8], hash: HashKind, part: u64) -> Result<(Vec<u8>, Vec<u8>)> {
    let files = super::input::in_parts(pack, part);
    let source = files.source(packlens::FileId::from_number(0));
    let mut build = Build::new(&source, hash)?;
    let mut inflater = Inflater::default();
    let limits = Limits::for_memory(1 << 20);
    for _ in 0..1 << 16 {
        if build.step(&source, &mut inflater, &limits)?.is_complete() {
            let indexes = build.finish()?;
            return Ok((indexes.index()?, indexes.reverse_index()?));
        }
    }
    panic!("the task never ends");
}

/// The objects of an indexed pack, by id.
type Objects = BTreeMap<ObjectId, (ObjectType, Vec<u8>)>;

/// Indexes a pack, and reads its objects with that index. Each object must match its id, and
/// the size of the parts must change nothing. Returns no objects if one is stored twice and
/// cannot be read.
fn index_and_read(pack: &[u8], hash: HashKind, part: u64) -> Result<Objects> {
    let built = build(pack, hash, 1 << 30);
    let in_parts = build(pack, hash, part);
    assert_eq!(in_parts.as_ref().err(), built.as_ref().err(), "in parts of {part}");
    assert!(in_parts == built, "in parts of {part}");
    built.as_ref().err().into_iter().for_each(assert_typed);
    check_shared(pack, hash, part, &built);
    let (index, reverse) = built?;
    let files: [(&str, &[u8]); 3] = [
        ("objects/pack/p.pack", pack),
        ("objects/pack/p.idx", &index),
        ("objects/pack/p.rev", &reverse),
    ];
    let options =
        Options { limits: Limits::for_memory(1 << 20), hash: Some(hash), ..Options::default() };
    let mut host = Host::of_files(&files, 512, options).unwrap();
    let source = index.as_slice();
    let layout = PackIndex::decode(&source, hash).unwrap();
    let mut objects = Objects::new();
    let ids: Vec<ObjectId> =
        (0..layout.count()).map(|at| layout.id_at(&source, at).unwrap()).collect();
    let twice: Vec<ObjectId> =
        ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    for id in ids {
        let (object_type, content) =
            match host.object(&id, Fields { content: true, storage: false }) {
                Ok(found) => found,
                // Of an object that is stored twice, the look-up may find a circular copy.
                Err(error) if twice.contains(&id) => {
                    assert_typed(&error);
                    objects.clear();
                    return Ok(objects);
                }
                Err(error) => panic!("{id:?}: {error}"),
            };
        assert_eq!(object_id(hash, object_type, &content), id, "wrong content");
        objects.insert(id, (object_type, content));
    }
    Ok(objects)
}

/// Instances that share the job make the same index.
fn check_shared(pack: &[u8], hash: HashKind, part: u64, built: &Result<(Vec<u8>, Vec<u8>)>) {
    let reader = |at: u32| (at % 3 != 1).then_some(IndexRole::Scanner);
    let sharing =
        Sharing { hash, part, memory: MEMORY, work_unit_entries: 2, reader, on_section: |_| {} };
    let shared = shared::index(pack, &sharing);
    let shared = shared.map(|made| made.index);
    assert_eq!(shared.as_ref().err(), built.as_ref().err());
    assert!(shared.ok() == built.as_ref().ok().map(|(index, _)| index.clone()));
}

/// Indexes any bytes, sealed as a pack: an error, or an index that finds every object.
pub fn index_pack(data: &[u8]) {
    let mut input = Input(data);
    let (hash, part) = (input.hash(), input.part());
    let mut pack = b"PACK\0\0\0\x02\0\0\0".to_vec();
    pack.extend(input.0);
    let mut checksum = Hasher::new(hash);
    checksum.update(&pack);
    pack.extend(checksum.finish().as_bytes());
    let _ = index_and_read(&pack, hash, part);
}

/// Indexes a pack written entry by entry, with deltas of any bytes on earlier, later and
/// missing entries: the objects are those of the slow reader.
pub fn made_pack(data: &[u8]) {
    let mut input = Input(data);
    let part = input.part();
    let mut pack = PackWriter::new();
    // The offsets of entries, and their objects where these are known.
    let mut places: Vec<u64> = Vec::new();
    let mut made: Vec<Option<Vec<u8>>> = Vec::new();
    let mut later: Vec<(usize, ObjectId, Vec<u8>)> = Vec::new();
    while !input.0.is_empty() && places.len() < 30 {
        let (choice, bytes) = (input.byte(), input.sized());
        let at = places.len();
        let nth = usize::from(choice >> 2) % at.max(1);
        match choice % 4 {
            1 | 2 if at > 0 => {
                places.push(pack.ofs_delta(places[nth], bytes));
                made.push(made[nth].as_ref().and_then(|base| fast_delta(base, bytes)));
            }
            3 => {
                let id = match made.get(nth) {
                    Some(Some(base)) => object_id(HashKind::Sha1, ObjectType::Blob, base),
                    // The base may come later.
                    _ => object_id(HashKind::Sha1, ObjectType::Blob, &[choice]),
                };
                places.push(pack.ref_delta(&id, bytes));
                made.push(None);
                later.push((at, id, bytes.to_vec()));
            }
            _ => {
                places.push(pack.blob(bytes));
                made.push(Some(bytes.to_vec()));
            }
        }
    }
    // A delta by id waits for its base; the results of deltas on it were not known above.
    let by_id = |made: &[Option<Vec<u8>>]| -> BTreeMap<ObjectId, Vec<u8>> {
        let known = made.iter().flatten();
        known.map(|own| (object_id(HashKind::Sha1, ObjectType::Blob, own), own.clone())).collect()
    };
    let mut input = Input(data);
    input.part();
    let mut chosen = Vec::new();
    while chosen.len() < places.len() {
        chosen.push((input.byte(), input.sized()));
    }
    for _ in 0..places.len() {
        let known = by_id(&made);
        for (at, id, bytes) in &later {
            if let (None, Some(base)) = (&made[*at], known.get(id)) {
                made[*at] = fast_delta(base, bytes);
            }
        }
        for (at, (choice, bytes)) in chosen.iter().enumerate() {
            if matches!(choice % 4, 1 | 2) && at > 0 && made[at].is_none() {
                let base = made[usize::from(choice >> 2) % at].as_ref();
                made[at] = base.and_then(|base| fast_delta(base, bytes));
            }
        }
    }
    match index_and_read(&pack.finish(), HashKind::Sha1, part) {
        Ok(objects) => {
            let known = by_id(&made);
            assert!(made.iter().all(Option::is_some), "an invalid delta is indexed");
            let contents = objects.into_iter().map(|(id, (_, content))| (id, content));
            let contents: BTreeMap<_, _> = contents.collect();
            assert!(contents.is_empty() || contents == known, "other objects");
        }
        Err(error) => {
            let is_whole = made.iter().all(Option::is_some);
            let too_large = error.kind() == ErrorKind::Limit;
            assert!(!is_whole || too_large, "an intact pack is refused: {error}");
        }
    }
}
