//! Configurations: what is written as git writes it is read.

use super::input::Input;
use packlens::{config_section, config_value};

/// A value in quotes, as git writes those that need them.
fn quoted(value: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for byte in value {
        match byte {
            b'\n' => out.extend(b"\\n"),
            b'\t' => out.extend(b"\\t"),
            8 => out.extend(b"\\b"),
            b'"' | b'\\' => out.extend([b'\\', *byte]),
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
    out
}

/// A value without quotes, where none are needed.
fn plain(value: &[u8]) -> Option<Vec<u8>> {
    let odd = |byte: &u8| b"\n\t\r\"\\;#\x08\x0b\x0c".contains(byte);
    let spaced = value.trim_ascii() != value;
    (!spaced && !value.iter().any(odd)).then(|| value.to_vec())
}

pub fn config(data: &[u8]) {
    let mut input = Input(data);
    match input.flag() {
        true => written(input),
        false => raw(input.0),
    }
}

/// Reads any bytes: the last value of a variable counts, and text after a new section means
/// what it means alone.
fn raw(text: &[u8]) {
    for section in ["core", "extensions", "a.b"] {
        let variables = config_section(text, section);
        for (name, _) in &variables {
            let Ok(key) = std::str::from_utf8(name) else { continue };
            let last = variables.iter().rev().find(|(other, _)| other == name).unwrap();
            assert_eq!(config_value(text, section, key), last.1);
        }
        assert_eq!(config_section(text, &section.to_ascii_uppercase()), variables);
        if !text.starts_with(b"\xef\xbb\xbf") {
            let marked = [b"\xef\xbb\xbf", text].concat();
            assert_eq!(config_section(&marked, section), variables);
        }
        // An empty line ends a continued line.
        let tail = b"\n\n[core]\nlast = 1\n[Extensions]\nlast = 2\n[a.b]\n";
        let longer = config_section(&[text, tail].concat(), section);
        assert!(longer.starts_with(&variables));
        let more: Vec<_> = longer[variables.len()..].to_vec();
        assert_eq!(more, config_section(tail, section));
    }
}

fn written(mut input: Input<'_>) {
    let mut text = Vec::new();
    let mut right: Vec<(Vec<u8>, Option<Vec<u8>>)> = Vec::new();
    while !input.0.is_empty() {
        let choice = input.byte();
        let is_core = choice & 1 == 0;
        let section = match choice & 3 {
            0 => "core",
            2 => "CoRe",
            _ => "other",
        };
        let sub: Option<Vec<u8>> = (choice & 4 > 0).then(|| {
            let sub = input.take(usize::from(choice >> 5));
            sub.iter().copied().filter(|byte| *byte != b'\n' && *byte != 0).collect()
        });
        text.extend(format!("[{section}").bytes());
        if let Some(sub) = &sub {
            text.extend(b" \"");
            for byte in sub {
                if b"\"\\".contains(byte) {
                    text.push(b'\\');
                }
                text.push(*byte);
            }
            text.push(b'"');
        }
        text.extend(if choice & 8 > 0 { &b"]\n"[..] } else { b"] " });
        let key = ["key", "Other-Key", "x9"][input.below(3)];
        let value: Vec<u8> = input.sized().iter().copied().filter(|byte| *byte != 0).collect();
        let value = (choice & 0x10 == 0).then_some(value);
        text.extend(key.bytes());
        if let Some(value) = &value {
            text.extend(b" = ");
            text.extend(
                plain(value).filter(|_| choice & 0x20 > 0).unwrap_or_else(|| quoted(value)),
            );
        }
        text.extend(if choice & 0x40 > 0 { &b" ; a comment \" \\\\\n"[..] } else { b"\r\n" });
        if is_core {
            let mut name = sub.map_or(Vec::new(), |sub| [sub.as_slice(), b"."].concat());
            name.extend(key.to_ascii_lowercase().bytes());
            right.push((name, value));
        }
    }
    assert_eq!(config_section(&text, "core"), right, "{}", text.escape_ascii());
}
