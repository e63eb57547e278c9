//! Checks of objects report what git reports: recorded by `tests/fixtures/checks.mjs`.

use packlens::{Checks, Findings, HashKind, MessageId, ObjectId, ObjectType, SpecialFile};
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Default)]
struct Messages(Vec<String>);

impl Findings for Messages {
    fn report(&mut self, id: MessageId, about: &[u8]) {
        // The recording has only the first line of a URL with a line feed.
        let about = about.split(|byte| *byte == b'\n').next().unwrap();
        self.0.push(format!("{}: {}{}", id.name(), id.text(), from_latin1(about)));
    }

    fn special(&mut self, file: SpecialFile, _id: &ObjectId) {
        let id = match file {
            SpecialFile::Modules => MessageId::GitmodulesMissing,
            SpecialFile::Attributes => MessageId::GitattributesMissing,
        };
        self.report(id, b"");
    }
}

fn from_latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// `hash-object` looks for special blobs only where nothing else is wrong, and once.
fn in_gits_order(messages: Vec<String>) -> Vec<String> {
    let is_last = |message: &String| message.contains("Missing:");
    let (mut last, first): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_last);
    last.dedup();
    if first.is_empty() {
        last
    } else {
        first
    }
}

fn check(hash: HashKind, kind: &str, content: &[u8]) -> Vec<String> {
    let mut messages = Messages::default();
    // `hash-object` is strict.
    let mut checks = Checks::new(hash, true, &mut messages);
    match kind {
        "modules" => checks.special_file(SpecialFile::Modules, Some(content)),
        "attributes" => checks.special_file(SpecialFile::Attributes, Some(content)),
        _ => checks.object(ObjectType::from_name(kind.as_bytes()).unwrap(), content),
    }
    in_gits_order(messages.0)
}

fn answers() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../../tests/fixtures/checks.json")).unwrap()
}

fn content_of(answer: &Value) -> Vec<u8> {
    answer["content"]
        .as_str()
        .unwrap()
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

fn hash_of(answer: &Value) -> HashKind {
    if answer["format"] == "sha256" {
        HashKind::Sha256
    } else {
        HashKind::Sha1
    }
}

#[test]
fn every_message_is_gits() {
    let mut reported = BTreeSet::new();
    for answer in answers() {
        let content = content_of(&answer);
        let expected: Vec<_> =
            answer["messages"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        let kind = answer["type"].as_str().unwrap();
        let messages = check(hash_of(&answer), kind, &content);
        assert_eq!(messages, expected, "{kind} {:?}", from_latin1(&content));
        reported.extend(messages.iter().map(|m| m.split(':').next().unwrap().to_owned()));
    }
    let unreported: Vec<_> = MessageId::ALL
        .iter()
        .map(|id| id.name())
        .filter(|name| !reported.contains(*name))
        .collect();
    // No content of an object causes these, in git or here: lines end where headers do. The
    // others are about other objects, or are not reported by default.
    assert_eq!(
        unreported,
        [
            "badHeaderContinuation",
            "badGpgsig",
            "gitattributesBlob",
            "gitattributesLarge",
            "gitmodulesBlob",
            "gitmodulesLarge",
            "missingTag",
            "missingType",
            "extraHeaderEntry",
        ]
    );
}

/// Any bytes of an object are checked to the end.
#[test]
fn cuts_and_flipped_bytes_do_no_harm() {
    let step = if cfg!(target_arch = "wasm32") { 7 } else { 1 };
    for answer in answers().iter().step_by(5 * step) {
        let (hash, kind) = (hash_of(answer), answer["type"].as_str().unwrap());
        let content = content_of(answer);
        let content = &content[..content.len().min(300)];
        for at in (0..content.len()).step_by(step) {
            check(hash, kind, &content[..at]);
            for flip in [1, 0x20, 0x80, 0xff] {
                let mut damaged = content.to_vec();
                damaged[at] ^= flip;
                check(hash, kind, &damaged);
            }
        }
    }
}
