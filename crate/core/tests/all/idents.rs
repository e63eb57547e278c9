//! Author lines, malformed ones too, are read as by git: recorded by
//! `tests/fixtures/idents.mjs`.

use packlens::Signature;
use serde_json::Value;

fn answers() -> Vec<Value> {
    let answers: Vec<Value> =
        serde_json::from_str(include_str!("../../../../tests/fixtures/idents.json")).unwrap();
    assert!(answers.len() > 140);
    answers
}

/// Characters of the recording are bytes.
fn bytes(text: &Value) -> Vec<u8> {
    text.as_str().unwrap().chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

/// Returns the output of `git log --date=raw`: seconds beyond 63 bits are 0.
fn raw_date(signature: &Signature<'_>) -> String {
    let Some(seconds) = signature.seconds else {
        return String::new();
    };
    if seconds > i64::MAX as u64 {
        return "0 +0000".to_string();
    }
    let minutes = signature.offset_minutes;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{seconds} {sign}{:04}", minutes.abs() / 60 * 100 + minutes.abs() % 60)
}

/// The same zone with 60 minutes and more in hours.
fn normal(date: &str) -> String {
    let Some((seconds, zone)) = date.split_once(' ') else {
        return String::new();
    };
    let value: i64 = zone[1..].parse().unwrap();
    let minutes = value / 100 * 60 + value % 100;
    format!("{seconds} {}{:04}", &zone[..1], minutes / 60 * 100 + minutes % 60)
}

#[test]
fn signatures_are_those_of_git_log() {
    for answer in answers() {
        let line = bytes(&answer["line"]);
        let signature = Signature::decode(&line);
        assert_eq!(signature.raw, line);
        assert_eq!(signature.name, bytes(&answer["name"]), "{answer}");
        assert_eq!(signature.email, bytes(&answer["email"]), "{answer}");
        assert_eq!(raw_date(&signature), normal(answer["raw"].as_str().unwrap()), "{answer}");
    }
}
