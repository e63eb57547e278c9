//! Revisions that depend on reflogs, `config` and messages resolve as in git, with both ref
//! storages and with parts of any size.

use crate::common::{base64, fixtures, Host};
use packlens::{ErrorKind, Fields, Limits, Options, Output, Repository, Result};
use serde_json::Value;
use std::path::Path;

/// Returns what git answered to `rev-parse --verify`, as recorded under a name: folder,
/// revision, id and error.
fn asked(name: &str) -> Vec<(String, String, String, String)> {
    let file = format!("../../tests/fixtures/batch/{name}-newer.json");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let recorded: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let mut found = Vec::new();
    for case in recorded["cases"].as_array().unwrap() {
        let args: Vec<&str> =
            case["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        // The command line alone reads variables: it may name another index to the core.
        if case.get("env").is_some() {
            continue;
        }
        // The command line joins the two ends of a range.
        if let ["rev-parse", "--verify", spec] = args.as_slice() {
            if !spec.contains("..") {
                let printed = base64(case["stdout"].as_str().unwrap());
                let printed = String::from_utf8(printed).unwrap().trim_end().to_string();
                let stderr = case["stderr"].as_str().unwrap().to_string();
                found.push((
                    case["cwd"].as_str().unwrap().into(),
                    spec.to_string(),
                    printed,
                    stderr,
                ));
            }
        }
    }
    found
}

fn resolved(host: &mut Host, spec: &str) -> Result<String> {
    host.ask(|repository: &mut Repository| repository.resolve(spec.as_bytes()))
        .map(|id| id.to_hex())
}

#[test]
fn revisions_resolve_as_in_git() {
    let asked = asked("reflogs");
    assert!(asked.len() > 160, "{} asked", asked.len());
    for part in [1, 7, 512, 65536] {
        for folder in ["reflogs/files", "reflogs/tables"] {
            let mut host = Host::fixture(folder, part);
            for (_, spec, id, stderr) in asked.iter().filter(|(own, ..)| own == folder) {
                let what = format!("{folder}, parts of {part}: {spec}");
                match resolved(&mut host, spec) {
                    Ok(found) => assert_eq!(found, *id, "{what}"),
                    Err(error) => {
                        assert!(id.is_empty(), "{what}: {error}");
                        let subject = String::from_utf8_lossy(error.subject());
                        let own = ["log for", "upstream", "branch", "push", "resolve"];
                        let line = stderr.lines().find_map(|line| line.strip_prefix("fatal: "));
                        if own.iter().any(|word| line.unwrap_or("").contains(word)) {
                            assert_eq!(subject, line.unwrap(), "{what}");
                        }
                        let index = spec.starts_with(':') && error.kind() == ErrorKind::Unsupported;
                        assert!(error.kind() == ErrorKind::NotFound || index, "{what}: {error}");
                    }
                }
            }
        }
    }
}

/// A question resumes where it was when bytes were missing.
/// Covers both hashes, all versions of the file, and paths that it leaves to trees.
#[test]
fn paths_in_the_index_resolve_as_in_git() {
    let asked = asked("index-files");
    let mut found = 0;
    for part in [1, 7, 512, 65536] {
        for (folder, spec, id, stderr) in asked.iter().filter(|of| of.0.starts_with("index-files"))
        {
            let what = format!("{folder}, parts of {part}: {spec}");
            match resolved(&mut Host::fixture(folder, part), spec) {
                Ok(own) => {
                    assert_eq!(own, *id, "{what}");
                    found += 1;
                }
                Err(error) => {
                    assert!(id.is_empty(), "{what}: {error}");
                    let kind = match stderr.contains("Needed a single revision") {
                        true => ErrorKind::NotFound,
                        false => ErrorKind::Corrupt,
                    };
                    assert_eq!(error.kind(), kind, "{what}");
                }
            }
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn a_search_reads_each_commit_once() {
    let folder = fixtures().join("walks");
    let mut host = Host::open(&folder, 512, Options::default()).unwrap();
    assert_eq!(resolved(&mut host, ":/no such message").unwrap_err().kind(), ErrorKind::NotFound);
    let stats = host.repository.stats();
    assert!(host.answered > 20, "{} needs", host.answered);
    // All 165 commits, two of them by tags.
    assert!(stats.objects < 175, "{} objects read", stats.objects);
}

#[test]
fn trees_that_paths_go_through_are_read_once() {
    for part in [64, 65536] {
        let mut host = Host::fixture("main", part);
        let hashed = |host: &mut Host, spec: &str| {
            let before = host.repository.stats().hashed_bytes;
            let found = resolved(host, spec).map_err(|error| error.kind());
            (found, host.repository.stats().hashed_bytes - before)
        };
        let size = |host: &mut Host, spec: &str| {
            let id = host.ask(|repository| repository.resolve(spec.as_bytes())).unwrap();
            let fields = Fields { content: true, storage: false };
            host.object(&id, fields).unwrap().1.len() as u64
        };
        let commit = size(&mut host, "HEAD");
        let trees = size(&mut host, "HEAD^{tree}") + size(&mut host, "HEAD:imported/other");
        let (left, first) = hashed(&mut host, "HEAD:cross/left.txt");
        let (right, then) = hashed(&mut host, "HEAD:cross/right.txt");
        assert!(left.is_ok() && right.is_ok() && left != right);
        assert!(first > commit);
        assert_eq!(then, commit);
        assert_eq!(hashed(&mut host, "HEAD:cross/nothing"), (Err(ErrorKind::NotFound), commit));
        // Replace refs may have changed by then.
        host.repository.refresh();
        host.ask(Repository::prepare).unwrap();
        let (again, all) = hashed(&mut host, "HEAD:imported/other/README.md");
        assert!(again.is_ok() && all > commit + trees, "{all}");
    }
}

/// Resolving a text costs the same, however often the question resumes.
#[test]
fn a_text_is_resolved_once() {
    let cost = |part| {
        let mut host = Host::fixture("main", part);
        let (needs, before) = (host.answered, host.repository.stats());
        let mut out = Output::default();
        let fields = Fields { content: true, storage: false };
        host.ask(|repository| {
            out.truncate(0);
            repository.read_row(b"HEAD:imported/other/README.md", None, fields, &mut out)
        })
        .unwrap();
        let stats = host.repository.stats();
        (host.answered - needs, stats.objects - before.objects, stats.lookups - before.lookups)
    };
    let (needs, objects, lookups) = cost(16);
    assert!(needs > 10, "{needs} needs");
    // Without progress that is kept, it would be 11 and 23.
    assert!(objects <= 8 && lookups <= 14, "{objects} objects, {lookups} lookups");
}

#[test]
fn searches_that_take_too_much_are_refused() {
    let limits = Limits { memory: 96 << 10, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut host = Host::open(&fixtures().join("walks"), 512, options).unwrap();
    assert_eq!(resolved(&mut host, ":/no such message").unwrap_err().kind(), ErrorKind::Limit);
    let mut host = Host::fixture("reflogs/files", 512);
    for (spec, kind) in [
        ("HEAD^{/((a{999}){999}){999}}", ErrorKind::Limit),
        (":/(a)\\1", ErrorKind::Unsupported),
        ("HEAD@{yesterday}", ErrorKind::Unsupported),
        ("HEAD@{2005-04-07}", ErrorKind::Unsupported),
        (":one.txt", ErrorKind::NotFound),
        ("nope@{yesterday}", ErrorKind::NotFound),
    ] {
        assert_eq!(resolved(&mut host, spec).unwrap_err().kind(), kind, "{spec}");
    }
    let error = resolved(&mut host, "HEAD@{yesterday}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "dates in `@{...}` need a day and a time, or seconds since 1970: yesterday"
    );
}

/// A resolved text is kept for one question only: a ref may have changed by the next.
#[test]
fn a_resolved_text_is_forgotten_with_its_question() {
    let mut host = Host::fixture("main", 65536);
    let head = resolved(&mut host, "HEAD").unwrap();
    let parent = resolved(&mut host, "HEAD~1").unwrap();
    let specs = ["refs/heads/moving", "moving~0", "moving^{commit}", "moving^{tree}", "moving:"];
    let all = |host: &mut Host| specs.map(|spec| resolved(host, spec).unwrap());
    host.change("refs/heads/moving", Some(format!("{head}\n").into_bytes()));
    let before = all(&mut host);
    assert_eq!(before[0], head);
    host.change("refs/heads/moving", Some(format!("{parent}\n").into_bytes()));
    let after = all(&mut host);
    assert!(after[..3].iter().all(|id| *id == parent));
    assert!(before.iter().zip(&after).all(|(before, after)| before != after));
}
