//! The direction of dependencies: a crate uses lower crates, a module of `query` its own level
//! and lower ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every module of `crate/query` and its level, as ARCHITECTURE.md draws them.
const LEVELS: &[(&str, u32)] = &[
    ("repository_format", 2),
    ("grafts", 2),
    ("tracking", 2),
    ("odb", 2),
    ("row", 2),
    ("repository", 3),
    ("kept", 3),
    ("counts", 3),
    ("ref_answers", 3),
    ("promised", 3),
    ("peel", 3),
    ("revision", 3),
    ("history", 3),
    ("ignored", 3),
    ("index_entries", 3),
    ("submodules", 3),
    ("abbreviate", 3),
    ("batch", 3),
    ("look_ahead", 3),
    ("stream", 3),
    ("tree_walk", 3),
    ("file_walk", 3),
    ("archive", 3),
    ("grep", 3),
    ("changes", 3),
    ("check_attr", 3),
    ("config", 3),
    ("configured_path", 3),
    ("conversion", 3),
    ("patches", 3),
    ("path_attributes", 3),
    ("cat_file", 3),
    ("status", 3),
    ("worktree", 3),
    ("all_answers", 3),
    ("unchecked", 3),
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../query/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut checked = 0;
    for file in files {
        let relative = file.strip_prefix(&root).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.strip_suffix(".rs").unwrap_or(first);
        if module == "lib" {
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
            let place = relative.display();
            assert!(other <= own, "{place} of level {own} uses {}", &used[..end]);
            checked += 1;
        }
    }
    assert!(checked > 80, "{checked} uses checked");
}

/// The crates, the lowest first, and what each may be built from.
const FLOORS: [(&str, &[&str]); 6] = [
    ("base", &["flate2", "sha1", "sha1-checked", "sha2", "simd-adler32", "sirocco"]),
    ("diff", &["packlens-base"]),
    ("format", &["packlens-base"]),
    ("query", &["packlens-base", "packlens-diff", "packlens-format"]),
    ("maintain", &["packlens-base", "packlens-format", "packlens-query"]),
    (
        "core",
        &[
            "packlens-base",
            "packlens-diff",
            "packlens-format",
            "packlens-maintain",
            "packlens-query",
        ],
    ),
];

/// Returns the tables of a TOML file, each with its name and its lines.
fn tables(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut tables = vec![("", Vec::new())];
    for line in text.lines() {
        let name = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        match (name, tables.last_mut()) {
            (Some((name, _)), _) => tables.push((name.trim_start_matches('['), Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    tables
}

/// Returns what a manifest depends on when it is built: for any target, in any form.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (table, lines) in tables(manifest) {
        for kind in ["dependencies", "build-dependencies"] {
            let Some((before, rest)) = table.split_once(kind) else {
                continue;
            };
            // `dev-dependencies` are not built.
            if !(before.is_empty() || before.ends_with('.')) {
                continue;
            }
            if rest.is_empty() {
                let keys = lines.iter().filter_map(|line| line.split_once(['=', '.']));
                names.extend(keys.map(|(name, _)| name.trim()));
            } else if let Some(name) = rest.strip_prefix('.') {
                names.insert(name);
            }
        }
    }
    names
}

/// Returns a package of the lock file and all that it is built from.
fn locked<'l>(lock: &[(&'l str, Vec<&'l str>)], name: &'l str, found: &mut BTreeSet<&'l str>) {
    if !found.insert(name) {
        return;
    }
    let header = format!("name = \"{name}\"");
    for (_, lines) in lock.iter().filter(|(_, lines)| lines.contains(&header.as_str())) {
        for line in lines.iter().skip_while(|line| !line.starts_with("dependencies")) {
            if let Some((_, rest)) = line.split_once('"') {
                locked(lock, rest.split(['"', ' ']).next().unwrap_or(rest), found);
            }
        }
    }
}

#[test]
fn the_core_knows_no_javascript_and_no_c() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let lock = std::fs::read_to_string(crates.join("../Cargo.lock")).unwrap();
    let (lock, mut found) = (tables(&lock), BTreeSet::new());
    for (floor, allowed) in FLOORS {
        let manifest = std::fs::read_to_string(crates.join(floor).join("Cargo.toml")).unwrap();
        assert_eq!(dependencies(&manifest), allowed.iter().copied().collect(), "{floor}");
        for name in allowed.iter().filter(|name| !name.starts_with("packlens")) {
            locked(&lock, name, &mut found);
        }
    }
    assert!(found.len() > 15 && found.contains("miniz_oxide"), "{found:?}");
    let compiles_c = ["cc", "cmake", "pkg-config", "bindgen"];
    for name in found {
        let foreign = name.ends_with("-sys") || name.starts_with("wasm-bindgen");
        assert!(!foreign && !compiles_c.contains(&name), "{name}");
    }
}

/// A crate whose manifest says `test = false` has no tests that would then not run; any other
/// has some, for which building a program is worth the time.
#[test]
fn crates_without_tests_say_so() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in FLOORS.map(|(floor, _)| floor).into_iter().chain(["crc32", "wasm"]) {
        let mut files = Vec::new();
        sources(&crates.join(name).join("src"), &mut files);
        let has_tests =
            files.iter().any(|file| std::fs::read_to_string(file).unwrap().contains("#[test]"));
        let manifest = std::fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
        let says_none = tables(&manifest)
            .iter()
            .any(|(table, lines)| *table == "lib" && lines.contains(&"test = false"));
        assert_eq!(has_tests, !says_none, "`test` under [lib] in the manifest of {name}");
    }
}

#[test]
fn dependencies_are_found_in_all_their_forms() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n\
        one = { version = \"1\", features = [\"a\"] }\ntwo.workspace = true\n\
        [dependencies.three]\nversion = \"3\"\n[dev-dependencies]\nnot = \"1\"\n\
        [target.'cfg(unix)'.dependencies]\nfour = \"4\"\n[build-dependencies]\ncc = \"1\"\n";
    assert_eq!(dependencies(manifest), BTreeSet::from(["one", "two", "three", "four", "cc"]));
}
