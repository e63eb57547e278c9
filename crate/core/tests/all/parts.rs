//! Part boundaries never change an answer: loose objects and refs, intact and damaged, give
//! the same answers and the same errors in parts of any size.

use crate::common::Host;
use packlens::{
    object_id, Error, ErrorKind, Fields, HashKind, ObjectId, ObjectType, Options, RefRecord, Result,
};
use std::io::Write;

/// Asks the same of a repository in parts of every size; the answers must agree.
fn in_all_parts<T: PartialEq + std::fmt::Debug>(
    files: &[(&str, &[u8])],
    what: &str,
    ask: impl Fn(&mut Host) -> T,
) -> T {
    let answer = |part| {
        let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
        ask(&mut Host::of_files(files, part, options).unwrap())
    };
    let whole = answer(1 << 30);
    for part in [1, 7, 512, 65536] {
        assert_eq!(answer(part), whole, "{what} in parts of {part}");
    }
    whole
}

/// Calls `check` with every cut of some bytes, and with every byte changed.
fn changed_in_all_ways(bytes: &[u8], mut check: impl FnMut(&[u8], String)) {
    for length in 0..bytes.len() {
        check(&bytes[..length], format!("cut to {length}"));
    }
    for (at, mask) in (0..bytes.len()).flat_map(|at| [1u8, 4, 0x20, 0xff].map(|m| (at, m))) {
        let mut changed = bytes.to_vec();
        changed[at] ^= mask;
        check(&changed, format!("byte {at} changed by {mask:#x}"));
    }
}

fn assert_typed(error: &Error, what: &str) {
    let kinds = [ErrorKind::Corrupt, ErrorKind::NotFound, ErrorKind::Limit];
    assert!(kinds.contains(&error.kind()), "{what}: {error:?}");
}

fn loose(content: &[u8]) -> (String, ObjectId, Vec<u8>) {
    let id = object_id(HashKind::Sha1, ObjectType::Blob, content);
    let level = flate2::Compression::default();
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
    write!(encoder, "blob {}\0", content.len()).unwrap();
    encoder.write_all(content).unwrap();
    let hex = id.to_hex();
    (format!("objects/{}/{}", &hex[..2], &hex[2..]), id, encoder.finish().unwrap())
}

fn content(host: &mut Host, id: &ObjectId) -> Result<Vec<u8>> {
    host.row(id, Fields { content: true, storage: false })
        .map(|row| row[packlens::ROW_HEADER_LEN..].to_vec())
}

#[test]
fn a_loose_object_cut_anywhere_or_with_any_byte_changed() {
    let text = b"a loose object, long enough that a header and some matches matter, matters";
    let (path, id, stored) = loose(text);
    let right = in_all_parts(&[(&path, &stored)], "whole", |host| content(host, &id)).unwrap();
    assert!(right.starts_with(text));
    let mut refused = 0;
    changed_in_all_ways(&stored, |bytes, what| {
        match in_all_parts(&[(&path, bytes)], &what, |host| content(host, &id)) {
            Ok(found) => assert_eq!(found, right, "{what}"),
            Err(error) => {
                assert_typed(&error, &what);
                refused += 1;
            }
        }
    });
    assert!(refused > stored.len() * 4, "{refused} refused");
}

const PACKED: &[u8] = b"# pack-refs with: peeled fully-peeled sorted \n\
    1111111111111111111111111111111111111111 refs/heads/a\n\
    2222222222222222222222222222222222222222 refs/heads/b\n\
    3333333333333333333333333333333333333333 refs/tags/v1\n\
    ^4444444444444444444444444444444444444444\n\
    5555555555555555555555555555555555555555 refs/tags/v2\n";

fn refs(host: &mut Host) -> (Result<Vec<RefRecord>>, Vec<Result<Option<RefRecord>>>) {
    let refs = host.repository.refs().clone();
    let list = host.ask(|repository| refs.list(&repository.files, b"refs/"));
    let names = ["refs/heads/a", "refs/heads/b", "refs/tags/v1", "refs/tags/v2", "refs/x"];
    let get = |name: &str| host.ask(|repo| refs.get(&repo.files, name.as_bytes()));
    (list, names.map(get).into())
}

#[test]
fn packed_refs_cut_anywhere_or_with_any_byte_changed() {
    let (list, _) = in_all_parts(&[("packed-refs", PACKED)], "whole", refs);
    assert_eq!(list.unwrap().len(), 4);
    let mut refused = 0;
    changed_in_all_ways(PACKED, |bytes, what| {
        let (list, found) = in_all_parts(&[("packed-refs", bytes)], &what, refs);
        for error in
            found.iter().filter_map(|found| found.as_ref().err()).chain(list.as_ref().err())
        {
            assert_typed(error, &what);
            refused += 1;
        }
    });
    assert!(refused > 100, "{refused} refused");
}

#[test]
fn a_loose_ref_cut_anywhere_or_with_any_byte_changed() {
    let head = b"ref: refs/heads/a\n";
    let follow = |host: &mut Host| {
        let refs = host.repository.refs().clone();
        host.ask(|repository| refs.follow(&repository.files, b"HEAD"))
    };
    let files = |head: &[u8]| {
        let (_, id) = in_all_parts(&[("HEAD", head), ("packed-refs", PACKED)], "HEAD", follow)?;
        Ok(id)
    };
    assert_eq!(files(head).unwrap().unwrap().to_hex(), "1".repeat(40));
    changed_in_all_ways(head, |bytes, what| match files(bytes) {
        Ok(_) => {}
        Err(error) => assert_typed(&error, &what),
    });
}

#[test]
fn symbolic_refs_in_a_circle_end() {
    let files: [(&str, &[u8]); 2] =
        [("HEAD", b"ref: refs/heads/a"), ("refs/heads/a", b"ref: HEAD")];
    let error = in_all_parts(&files, "a circle", |host| {
        let refs = host.repository.refs().clone();
        host.ask(|repository| refs.follow(&repository.files, b"HEAD")).unwrap_err()
    });
    assert_eq!(error.kind(), ErrorKind::Limit);
}
