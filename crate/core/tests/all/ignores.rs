//! Paths are ignored by the lines that git finds: recorded by `tests/fixtures/ignores.mjs`.

use packlens::{ignore_rule, Ignores, PlacedIgnores};
use serde_json::Value;

fn recorded() -> Value {
    match std::env::var("PACKLENS_IGNORES_CASES") {
        Ok(file) => serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(),
        Err(_) => {
            let own = include_str!("../../../../tests/fixtures/ignores.json");
            serde_json::from_str(own).unwrap()
        }
    }
}

fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// A file: its name in git's answers, its directory, and its lines.
type File = (String, Vec<u8>, Ignores);

/// Returns the line that decides about a path, as `git check-ignore -v` prints it.
fn found(files: &[File], path: &[u8]) -> String {
    let is_directory = path.ends_with(b"/");
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let placed: Vec<_> = files.iter().map(|(_, base, file)| PlacedIgnores { base, file }).collect();
    match ignore_rule(&placed, path, is_directory) {
        Some((at, rule)) => format!("{}:{}:{}", files[at].0, rule.line, text(&rule.text)),
        None => "::".to_owned(),
    }
}

#[test]
fn paths_are_ignored_by_the_lines_that_git_finds() {
    let recorded = recorded();
    let (mut checked, mut decided, mut differing) = (0, 0, Vec::new());
    for (number, tree) in recorded["trees"].as_array().unwrap().iter().enumerate() {
        let whole = |name: &str| Ignores::parse(&bytes(tree[name].as_str().unwrap()));
        let mut files = vec![
            (".git/user".to_owned(), Vec::new(), whole("user")),
            (".git/info/exclude".to_owned(), Vec::new(), whole("info")),
        ];
        let mut own: Vec<File> = tree["files"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(base, content)| {
                let content = Ignores::parse(&bytes(content.as_str().unwrap()));
                (format!("{base}.gitignore"), bytes(base), content)
            })
            .collect();
        own.sort_by_key(|(_, base, _)| base.len());
        files.extend(own);
        for (path, answer) in tree["paths"].as_object().unwrap() {
            let (own, answer) = (found(&files, &bytes(path)), answer.as_str().unwrap());
            checked += 1;
            decided += u32::from(answer != "::");
            if own != answer {
                differing.push(format!("tree {number}, {path}: {own}, git says {answer}"));
            }
        }
    }
    assert!(checked > 900 && decided > 300, "{decided} of {checked} paths have a rule");
    let first: Vec<_> = differing.iter().take(20).collect();
    assert!(differing.is_empty(), "{} of {checked} differ: {first:#?}", differing.len());
}
