//! Content in chunks: the same bytes for chunks, ranges and parts of any size,
//! in memory that does not depend on the size of the object.

use crate::common::{sweep, Host};
use crate::packs::{index, PackWriter};
use packlens::{
    object_id, ContentStream, ErrorKind, HashKind, Limits, ObjectId, ObjectType, Options, Output,
    Result,
};

const PACK: &str = "objects/pack/p.pack";
const INDEX: &str = "objects/pack/p.idx";

fn stream(host: &mut Host, id: &ObjectId, chunk: usize, range: (u64, u64)) -> Result<Vec<u8>> {
    let spec = id.to_hex();
    let mut stream =
        host.ask(|repo| ContentStream::open(repo, spec.as_bytes(), range.0, range.1))?;
    let mut content = Vec::new();
    loop {
        let mut out = Output::default();
        let done = host.ask(|repository| stream.fill(repository, chunk, &mut out))?;
        assert!(out.len() <= chunk);
        content.extend(out.as_slice());
        if done {
            return Ok(content);
        }
    }
}

const WHOLE: (u64, u64) = (0, u64::MAX);

#[test]
fn every_object_in_chunks_of_any_size() {
    for name in ["tiny", "loose", "sha256-loose", "ref-delta"] {
        let answers = crate::common::expected_of(name);
        for (part, chunk) in [(1, 4096), (7, 1), (512, 7), (65536, 65536)] {
            let mut host = Host::fixture(name, part);
            let hash = host.repository.hash();
            for object in answers["objects"].as_array().unwrap().iter().take(60) {
                let id = ObjectId::from_hex(hash, object["oid"].as_str().unwrap().as_bytes());
                let id = id.unwrap();
                let content = stream(&mut host, &id, chunk, WHOLE).unwrap();
                assert_eq!(content.len() as u64, object["size"].as_u64().unwrap());
                let types = ObjectType::ALL;
                assert!(types.iter().any(|known| object_id(hash, *known, &content) == id));
                let (start, end) = (content.len() / 3, content.len() / 2);
                let range = (start as u64, end as u64);
                let part = stream(&mut host, &id, chunk, range).unwrap();
                assert!(part == content[start..end], "{name} {id:?} {range:?}");
                let after = (content.len() as u64, u64::MAX);
                assert_eq!(stream(&mut host, &id, chunk, after).unwrap(), b"");
            }
        }
    }
}

/// Bytes that deflate hardly at all.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1u64;
    let next = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    (0..length).map(next).collect()
}

fn large_pack(content: &[u8]) -> (Vec<u8>, Vec<u8>, ObjectId) {
    let mut pack = PackWriter::new();
    let id = object_id(HashKind::Sha1, ObjectType::Blob, content);
    let entries = [(id, pack.blob(content))];
    (pack.finish(), index(HashKind::Sha1, &entries), id)
}

fn options(memory: u64) -> Options {
    let hash = Some(HashKind::Sha1);
    Options { limits: Limits::for_memory(memory), hash, ..Options::default() }
}

#[test]
fn an_object_far_larger_than_the_ceiling() {
    let content = noise(12 << 20);
    let (pack, index, id) = large_pack(&content);
    let mut host =
        Host::of_files(&[(PACK, &pack), (INDEX, &index)], 65536, options(1 << 20)).unwrap();
    let streamed = stream(&mut host, &id, 32 << 10, WHOLE).unwrap();
    assert!(streamed == content);
    let stats = host.repository.stats();
    assert!(stats.memory_high_water <= 1 << 20, "{stats:?}");
    assert!(stats.blocks_evicted > 100);
}

#[test]
fn a_stream_continues_after_its_file_was_closed() {
    let mut host = Host::fixture("loose", 64);
    let answers = crate::common::expected_of("loose");
    let objects = answers["objects"].as_array().unwrap();
    let large = objects.iter().max_by_key(|object| object["size"].as_u64()).unwrap();
    let oid = large["oid"].as_str().unwrap();
    let id = ObjectId::from_hex(HashKind::Sha1, oid.as_bytes()).unwrap();
    let whole = stream(&mut host, &id, 1 << 20, WHOLE).unwrap();
    let mut stream =
        host.ask(|repo| ContentStream::open(repo, oid.as_bytes(), 0, u64::MAX)).unwrap();
    let path = format!("objects/{}/{}", &oid[..2], &oid[2..]);
    let mut content: Vec<u8> = Vec::new();
    for chunk in 1.. {
        let mut out = Output::default();
        if chunk % 3 == 2 {
            host.repository.files.forget(path.as_bytes());
        }
        let end = chunk * (whole.len() / 7 + 1) - content.len();
        let done = host.ask(|repo| stream.fill(repo, end, &mut out)).unwrap();
        content.extend(out.as_slice());
        if done {
            break;
        }
    }
    assert!(content == whole);
}

#[test]
fn damage_is_reported_at_the_end_at_the_latest() {
    for length in [3000, 40_000] {
        check_damage(length);
    }
}

fn check_damage(length: usize) {
    let (pack, index, id) = large_pack(&noise(length));
    for at in (12..pack.len() - 20).step_by(sweep::step(length / 400)) {
        let mut damaged = pack.clone();
        damaged[at] ^= 0x55;
        let files: [(&str, &[u8]); 2] = [(PACK, &damaged), (INDEX, &index)];
        let outcome = |part| {
            let mut host = Host::of_files(&files, part, options(1 << 20)).unwrap();
            stream(&mut host, &id, 100, WHOLE).map_err(|error| (error.kind(), error.what()))
        };
        let whole = outcome(1 << 20);
        assert_eq!(whole.as_ref().unwrap_err().0, ErrorKind::Corrupt, "byte {at}");
        for part in [1, 7, 512] {
            assert_eq!(outcome(part), whole, "byte {at} in parts of {part}");
        }
    }
}

/// A small object is made completely before any of it is returned.
#[test]
fn nothing_of_a_small_damaged_object_is_returned() {
    for (length, is_small) in [(32 << 10, true), ((32 << 10) + 1, false)] {
        let (mut pack, index, id) = large_pack(&noise(length));
        let checksum = pack.len() - 21;
        pack[checksum] ^= 1;
        let files: [(&str, &[u8]); 2] = [(PACK, &pack), (INDEX, &index)];
        let mut host = Host::of_files(&files, 512, options(1 << 20)).unwrap();
        let spec = id.to_hex();
        let opened =
            host.ask(|repo| ContentStream::open(repo, spec.as_bytes(), 0, u64::MAX).map(|_| ()));
        assert_eq!(opened.is_err(), is_small, "{length} bytes");
    }
}
