//! Bundle headers: the same in parts, and when written again.

use super::base::assert_typed;
use super::input::{whole_and_in_parts, Input};
use packlens::{BundleHeader, HashKind, Limits};

/// Writes the header as git does.
fn printed(header: &BundleHeader) -> Vec<u8> {
    let mut out = format!("# v{} git bundle\n", header.version).into_bytes();
    if header.hash == HashKind::Sha256 {
        out.extend(b"@object-format=sha256\n");
    }
    if let Some(filter) = &header.filter {
        out.extend([b"@filter=", filter.as_slice(), b"\n"].concat());
    }
    for (id, about) in &header.prerequisites {
        out.extend([b"-", id.to_hex().as_bytes(), b" ", about, b"\n"].concat());
    }
    for (id, name) in &header.refs {
        out.extend([id.to_hex().as_bytes(), b" ", name, b"\n"].concat());
    }
    out.extend(b"\n");
    out
}

pub fn bundle(data: &[u8]) {
    let mut input = Input(data);
    let part = input.one_of(&[1, 7, 64, 512]);
    let limits = Limits::for_memory(1 << 20);
    let decoded = whole_and_in_parts(input.0, part, |file| BundleHeader::decode(file, &limits));
    let header = match decoded {
        Ok(header) => header,
        Err(error) => return assert_typed(&error),
    };
    assert!(header.pack_offset <= input.0.len() as u64);
    let ids = header.prerequisites.iter().chain(&header.refs);
    if ids.clone().any(|(id, _)| id.hash() != header.hash) {
        // The hash came after them: no writer does that.
        return;
    }
    let text = printed(&header);
    let again = BundleHeader::decode(&text.as_slice(), &limits).unwrap();
    let expected = BundleHeader { pack_offset: text.len() as u64, ..header.clone() };
    assert_eq!(again, expected);
    // The written header equals git's.
    let head = &input.0[..header.pack_offset as usize];
    assert!(ids.count() <= head.iter().filter(|byte| **byte == b'\n').count() + 1);
}
