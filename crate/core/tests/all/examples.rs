//! The examples of the crate print what git prints.

#![allow(
    dead_code,
    clippy::duplicate_mod,
    reason = "each example is a program, with a `main` and the host as its own module"
)]

use crate::common::{base64, expected, fixtures};
use packlens::HashKind;

#[path = "../../examples/cat.rs"]
mod cat;
#[path = "../../examples/index_pack.rs"]
mod index_pack;
#[path = "../../examples/log.rs"]
mod log;

#[test]
fn cat_prints_objects_as_git_does() {
    let mut printed = 0;
    for answers in expected() {
        let folder = fixtures().join(answers["path"].as_str().unwrap());
        // The host of the examples opens no linked worktree.
        if !folder.join("HEAD").is_file() {
            continue;
        }
        for (revision, git) in answers["catFileP"].as_object().unwrap() {
            let git = base64(git.as_str().unwrap());
            // git quotes such names, the example does not.
            if git.windows(2).any(|bytes| bytes == b"\t\"") {
                continue;
            }
            let object = cat::cat(&folder, revision).unwrap();
            assert!(object == git, "{}: {revision}", answers["name"]);
            printed += 1;
        }
    }
    assert!(printed > 100, "{printed} objects");
    let absent = cat::cat(&fixtures().join("main"), "HEAD:no-such-file").unwrap_err();
    assert!(absent.to_string().ends_with("HEAD:no-such-file"), "{absent}");
}

#[test]
fn log_prints_the_newest_commits() {
    // git log -3 --date=raw --format='%H %an %ad %s'
    let git = "\
        c2251e1c5c57d011ad039895164b6119cb9edc62 A U Thor 1112915293 +0000 Finish\n\
        c4b42f27082d379e6eab97b3a172c3ec50276f59 A U Thor 1112915233 +0000 Merge side\n\
        e8298fa66e26c155bd0c077df3a6aa68cf294961 Dave 1112915173 -1100 Side 3\n";
    let lines = log::log(&fixtures().join("main"), "HEAD", 3).unwrap();
    assert_eq!(String::from_utf8(lines).unwrap(), git);
    let all = log::log(&fixtures().join("walks"), "HEAD", u64::MAX).unwrap();
    // git rev-list --count HEAD; a page of ids has fewer.
    assert_eq!(all.split(|byte| *byte == b'\n').count() - 1, 130);
}

#[test]
fn index_pack_makes_the_index_that_git_made() {
    let packs = std::fs::read_dir(fixtures().join("main/objects/pack")).unwrap();
    let paths = packs.map(|entry| entry.unwrap().path());
    let path = paths.into_iter().find(|path| path.extension().is_some_and(|end| end == "pack"));
    let pack = std::fs::read(path.as_ref().unwrap()).unwrap();
    let (checksum, index) = index_pack::index_pack(&pack, HashKind::Sha1).unwrap();
    assert!(pack.ends_with(checksum.as_bytes()));
    assert!(index == std::fs::read(path.unwrap().with_extension("idx")).unwrap());
}
