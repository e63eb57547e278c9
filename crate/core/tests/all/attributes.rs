//! Paths have the attributes that git finds: recorded by `tests/fixtures/attributes.mjs`.

use packlens::{attributes, AttributeState, Attributes, AttributesOrigin, PlacedAttributes};
use serde_json::Value;

fn recorded() -> Value {
    match std::env::var("PACKLENS_ATTRIBUTES_CASES") {
        Ok(file) => serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(),
        Err(_) => {
            let own = include_str!("../../../../tests/fixtures/attributes.json");
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

/// Returns the attributes of a path, as `git check-attr -a` prints them.
fn found(files: &[(Vec<u8>, Attributes)], path: &[u8]) -> Vec<String> {
    let is_directory = path.ends_with(b"/");
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let above = files.iter().filter(|(base, _)| path.starts_with(base));
    let placed: Vec<_> = above.map(|(base, file)| PlacedAttributes { base, file }).collect();
    let mut all: Vec<String> = attributes(&placed, path, is_directory)
        .into_iter()
        .filter_map(|(name, state)| {
            let state = match state {
                AttributeState::Set => "set".to_owned(),
                AttributeState::Unset => "unset".to_owned(),
                AttributeState::Unspecified => return None,
                AttributeState::Value(value) => text(&value),
            };
            Some(format!("{}: {state}", text(&name)))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn paths_have_gits_attributes() {
    let recorded = recorded();
    let (mut checked, mut differing) = (0, Vec::new());
    for (number, tree) in recorded["trees"].as_array().unwrap().iter().enumerate() {
        let own = tree["files"].as_object().unwrap().iter();
        let mut files: Vec<(Vec<u8>, Attributes)> = own
            .map(|(base, content)| {
                let origin = match base.as_str() {
                    "" => AttributesOrigin::Top,
                    _ => AttributesOrigin::Subtree,
                };
                let content = bytes(content.as_str().unwrap());
                (bytes(base), Attributes::parse(&content, origin))
            })
            .collect();
        files.sort_by_key(|(base, _)| base.len());
        let info = bytes(tree["info"].as_str().unwrap());
        files.push((Vec::new(), Attributes::parse(&info, AttributesOrigin::Info)));
        for (path, expected) in tree["paths"].as_object().unwrap() {
            let found = found(&files, &bytes(path));
            let expected: Vec<&str> =
                expected.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
            if found != expected {
                differing.push(format!("tree {number}, {path}: {found:?}, git {expected:?}"));
            }
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked} paths");
    assert!(differing.is_empty(), "{} of {checked}: {differing:#?}", differing.len());
}
