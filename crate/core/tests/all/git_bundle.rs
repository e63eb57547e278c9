//! Headers of git's bundles: whole, in parts, cut and with bytes changed.

use crate::common::fixtures;
use packlens::{BundleHeader, ErrorKind, Files, HashKind, Limits, Result};

fn decode(bytes: &[u8], part: usize) -> Result<BundleHeader> {
    let mut files = Files::new(1 << 30);
    let file = files.found(b"bundle", bytes.len() as u64, 1);
    let mut at = 0;
    for piece in bytes.chunks(part) {
        files.add(file, at, piece.to_vec()).unwrap();
        at += piece.len() as u64;
    }
    BundleHeader::decode(&files.source(file), &Limits::default())
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("bundles").join(name)).unwrap()
}

#[test]
fn heads_are_what_git_wrote() {
    let expected = [
        ("whole-v2.bundle", 2, HashKind::Sha1, None, 0),
        ("whole-v3.bundle", 3, HashKind::Sha1, None, 0),
        ("thin.bundle", 2, HashKind::Sha1, None, 1),
        ("filtered.bundle", 3, HashKind::Sha1, Some(b"blob:none".to_vec()), 0),
        ("sha256.bundle", 3, HashKind::Sha256, None, 0),
    ];
    for (name, version, hash, filter, prerequisites) in expected {
        let bytes = read(name);
        let header = decode(&bytes, 1 << 30).unwrap();
        assert_eq!((header.version, header.hash), (version, hash), "{name}");
        assert_eq!((&header.filter, header.prerequisites.len()), (&filter, prerequisites));
        assert!(bytes[header.pack_offset as usize..].starts_with(b"PACK"), "{name}");
        assert!(header.refs.iter().any(|(_, refname)| refname == b"refs/heads/main"));
        for part in [1, 7, 512, 65536] {
            assert_eq!(decode(&bytes, part).unwrap(), header, "{name} in parts of {part}");
        }
    }
}

#[test]
fn a_head_cut_anywhere_or_with_any_byte_changed_is_read_or_refused() {
    for name in ["whole-v3.bundle", "thin.bundle", "sha256.bundle"] {
        let bytes = read(name);
        let header = decode(&bytes, 1 << 30).unwrap();
        let head = &bytes[..header.pack_offset as usize + 8];
        let cuts = (0..head.len()).map(|length| head[..length].to_vec());
        let flips = (0..head.len()).flat_map(|at| {
            [1, 0x20, 0xff].map(|mask| {
                let mut changed = head.to_vec();
                changed[at] ^= mask;
                changed
            })
        });
        let mut refused = 0;
        for changed in cuts.chain(flips) {
            let answer = decode(&changed, 1 << 30);
            assert_eq!(decode(&changed, 1), answer);
            if let Err(error) = answer {
                refused += 1;
                let kinds = [ErrorKind::Corrupt, ErrorKind::Unsupported];
                assert!(kinds.contains(&error.kind()), "{error:?}");
            }
        }
        assert!(refused > head.len(), "{name} {refused}");
    }
}

#[test]
fn unknown_capabilities_are_refused_by_name() {
    let kind = |text: &str| {
        let error = decode(text.as_bytes(), 1 << 30).unwrap_err();
        (error.kind(), String::from_utf8(error.subject().to_vec()).unwrap())
    };
    let unsupported = |subject: &str| (ErrorKind::Unsupported, subject.to_string());
    assert_eq!(kind("# v4 git bundle\n\nPACK"), unsupported("4"));
    assert_eq!(kind("# v3 git bundle\n@new\n\nPACK"), unsupported("new"));
    let hash = "object-format=sha512";
    assert_eq!(kind(&format!("# v3 git bundle\n@{hash}\n\nPACK")), unsupported(hash));
    assert_eq!(kind("# v2 git bundle\n@new\n\nPACK").0, ErrorKind::Corrupt);
    let id = "a".repeat(40);
    for line in [format!("{id}x refs/heads/main"), id.clone(), format!("-{id}x"), "-".into()] {
        assert_eq!(kind(&format!("# v2 git bundle\n{line}\n\nPACK")).0, ErrorKind::Corrupt);
    }
    assert_eq!(kind("PACK").0, ErrorKind::Corrupt);
    assert_eq!(kind("").0, ErrorKind::Corrupt);
}

#[test]
fn a_head_without_end_is_refused_before_it_takes_the_memory() {
    let mut text = b"# v2 git bundle\n".to_vec();
    while text.len() < 2 << 20 {
        text.extend_from_slice(
            format!("{} refs/heads/b{}\n", "a".repeat(40), text.len()).as_bytes(),
        );
    }
    let mut files = Files::new(1 << 30);
    let file = files.found(b"bundle", text.len() as u64, 1);
    files.add(file, 0, text).unwrap();
    let limits = Limits::for_memory(1 << 20);
    let error = BundleHeader::decode(&files.source(file), &limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}
