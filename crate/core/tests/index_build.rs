//! An index made here is git's own, byte for byte.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]

mod common;

use packlens::{Build, HashKind, Inflater, Limits};
use std::path::Path;

/// Fixtures whose index git was told to write otherwise than it does by itself.
const OTHER_FORMS: [&str; 3] = ["index-v1", "offset64", "tiny-v1"];

fn made(pack: &[u8], hash: HashKind) -> Vec<u8> {
    let mut build = Build::new(&pack, hash).unwrap();
    let mut inflater = Inflater::default();
    let limits = Limits::default();
    while !build.step(&pack, &mut inflater, &limits).unwrap().is_complete() {}
    build.finish().unwrap()
}

fn packs_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "pack")).collect()
}

#[test]
fn the_index_of_every_pack_is_that_of_git() {
    let mut compared = 0;
    for answers in common::expected() {
        let name = answers["name"].as_str().unwrap();
        let hash = match answers["objectFormat"].as_str().unwrap() {
            "sha256" => HashKind::Sha256,
            _ => HashKind::Sha1,
        };
        let folder = common::fixtures().join(answers["path"].as_str().unwrap());
        for pack in packs_in(&folder.join("objects/pack")) {
            let index = made(&std::fs::read(&pack).unwrap(), hash);
            let git = std::fs::read(pack.with_extension("idx")).unwrap();
            match OTHER_FORMS.contains(&name) {
                true => assert!(index != git, "{name} has an index of another form"),
                false => assert!(index == git, "{name}: {}", pack.display()),
            }
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared} packs");
}

#[test]
fn packs_that_differ_only_in_their_index_get_the_same_one() {
    let index_of = |name: &str| {
        let pack = packs_in(&common::fixtures().join(name).join("objects/pack")).remove(0);
        made(&std::fs::read(pack).unwrap(), HashKind::Sha1)
    };
    assert!(index_of("tiny") == index_of("tiny-v1"));
    assert!(index_of("index-v1") == index_of("offset64"));
}
