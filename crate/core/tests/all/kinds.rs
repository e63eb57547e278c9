//! Repositories with files beside their packs, all in memory.

#![allow(dead_code, reason = "each test uses some of it")]

use crate::common::{fixtures, Host};
use packlens::{HashKind, Limits, ObjectId, Options};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The files of a repository by their paths below the git directory.
pub type Tree = BTreeMap<String, Vec<u8>>;

fn add(top: &Path, folder: &Path, prefix: &str, tree: &mut Tree) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add(top, &path, prefix, tree);
        } else {
            let inside = path.strip_prefix(top).unwrap().to_str().unwrap();
            tree.insert(format!("{prefix}{inside}"), std::fs::read(path).unwrap());
        }
    }
}

/// Returns the files of a fixture, with the files that a kind has beside its packs.
pub fn tree(fixture: &str, kind: &str) -> Tree {
    let mut tree = Tree::new();
    let top = fixtures().join(fixture);
    add(&top, &top, "", &mut tree);
    tree.retain(|path, _| !path.starts_with("kinds/"));
    if kind != "plain" {
        let top = top.join("kinds").join(kind);
        add(&top, &top, "objects/pack/", &mut tree);
    }
    tree
}

/// Opens a repository, in parts of a size.
pub fn open(tree: &Tree, part: u64, memory: u64) -> Host {
    let files: Vec<_> =
        tree.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let options = Options { limits: Limits::for_memory(memory), ..Options::default() };
    Host::of_files(&files, part, options).unwrap()
}

/// Returns the ids that git listed.
pub fn ids(answers: &Value) -> Vec<ObjectId> {
    let hash = match answers["objectFormat"].as_str().unwrap() {
        "sha256" => HashKind::Sha256,
        _ => HashKind::Sha1,
    };
    let objects = answers["objects"].as_array().unwrap().iter();
    objects
        .map(|object| ObjectId::from_hex(hash, object["oid"].as_str().unwrap().as_bytes()).unwrap())
        .collect()
}

/// Returns the recorded `git rev-list --objects` questions of a fixture, with their answers.
pub fn cases(fixture: &str) -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/fixtures/listed/{fixture}.json"));
    let answers: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    answers["cases"].as_array().unwrap().clone()
}

pub fn args_of(case: &Value) -> Vec<&str> {
    case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect()
}
