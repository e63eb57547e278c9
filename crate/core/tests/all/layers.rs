//! The direction of dependencies: a module uses its own level and those below.

use std::path::{Path, PathBuf};

/// Every module of the crate and its level, as ARCHITECTURE.md draws them.
const LEVELS: &[(&str, u32)] = &[
    ("error", 0),
    ("oid", 0),
    ("limits", 0),
    ("stats", 0),
    ("sort", 0),
    ("stretches", 0),
    ("circle", 0),
    ("hash", 0),
    ("block", 0),
    ("cursor", 0),
    ("inflate", 0),
    ("appender", 0),
    ("wildmatch", 0),
    ("regex", 0),
    ("object", 1),
    ("pack", 1),
    ("index", 1),
    ("index_file", 1),
    ("id_table", 1),
    ("chunk_file", 1),
    ("checksum", 1),
    ("checks", 1),
    ("fsck", 3),
    ("multi_pack_index", 1),
    ("bitmap", 1),
    ("loose", 1),
    ("bundle", 1),
    ("refs", 1),
    ("config", 1),
    ("commit_graph", 1),
    ("repository_format", 2),
    ("grafts", 2),
    ("tracking", 2),
    ("odb", 2),
    ("frame", 1),
    ("row", 2),
    ("repository", 3),
    ("ref_answers", 3),
    ("promised", 3),
    ("peel", 3),
    ("revision", 3),
    ("history", 3),
    ("abbreviate", 3),
    ("batch", 3),
    ("look_ahead", 3),
    ("stream", 3),
    ("tree_walk", 3),
    ("cat_file", 3),
    ("all_answers", 3),
    ("unchecked", 3),
    ("index_pack", 3),
    ("show_index", 3),
    ("count_objects", 3),
];

/// Uses that go up, each with its reason.
const ALLOWED: &[(&str, &str)] = &[
    // The names of the types of objects are part of what is hashed.
    ("hash", "object"),
];

fn level(module: &str) -> Option<u32> {
    LEVELS.iter().find(|(name, _)| *name == module).map(|(_, level)| *level)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn nothing_points_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut checked = 0;
    for file in files {
        let relative = file.strip_prefix(&root).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.strip_suffix(".rs").unwrap_or(first);
        if matches!(module, "lib" | "testing") {
            continue;
        }
        let own = level(module).unwrap_or_else(|| panic!("{module} has no level: give it one"));
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for used in code.split("crate::").skip(1) {
            let end = used.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap();
            let Some(other) = level(&used[..end]) else {
                continue;
            };
            let allowed = ALLOWED.contains(&(module, &used[..end]));
            let place = relative.display();
            assert!(other <= own || allowed, "{place} of level {own} uses {}", &used[..end]);
            checked += 1;
        }
    }
    assert!(checked > 80, "{checked} uses checked");
}

#[test]
fn the_core_knows_no_javascript_and_no_c() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = std::fs::read_to_string(lock).unwrap();
    let dependencies = text.split("[dependencies]").nth(1).unwrap().split('[').next().unwrap();
    for line in dependencies.lines().filter(|line| line.contains('=')) {
        let name = line.split('=').next().unwrap().trim();
        assert!(["crc32fast", "flate2", "sha1-checked", "sha1", "sha2"].contains(&name), "{name}");
    }
}
