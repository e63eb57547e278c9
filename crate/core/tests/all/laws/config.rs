//! Configurations: what is written as git writes it is read.

use super::input::Input;
use packlens::{config_section, config_value, submodules, BadLine, ConfigCursor};
use std::collections::BTreeSet;

type Variables = Vec<(Vec<u8>, Option<Vec<u8>>)>;

/// Reads all variables strictly.
fn strictly(text: &[u8]) -> Result<Variables, BadLine> {
    let mut cursor = ConfigCursor::new(text);
    let mut all = Variables::new();
    while let Some((name, value)) = cursor.next(text)? {
        all.push((name.to_vec(), value));
    }
    Ok(all)
}

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
        false => {
            raw(input.0);
            strict(input.0);
            described(input.0);
        }
    }
}

/// Reads any bytes as `.gitmodules`: no submodule is described twice, no path is that of two, and
/// none looks like an option.
fn described(text: &[u8]) {
    let Ok(found) = submodules(text) else { return };
    let names: BTreeSet<_> = found.iter().map(|submodule| &submodule.name).collect();
    assert_eq!(names.len(), found.len());
    let paths: Vec<_> = found.iter().filter_map(|submodule| submodule.path.as_ref()).collect();
    assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), paths.len());
    assert!(paths.iter().all(|path| !path.starts_with(b"-")));
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

/// Reads any bytes strictly: a refused line is one of the text, and text after it means what it
/// means alone.
fn strict(text: &[u8]) {
    let read = strictly(text);
    if !text.starts_with(b"\xef") {
        let marked = [b"\xef\xbb\xbf", text].concat();
        let offset = |bad: BadLine| BadLine { offset: bad.offset - 3, ..bad };
        assert_eq!(strictly(&marked).map_err(offset), read);
    }
    match read {
        Err(BadLine { line, offset }) => {
            assert!(offset <= text.len());
            // The end of the text counts up to twice.
            let lines = text.iter().filter(|byte| **byte == b'\n').count() + 3;
            assert!(line >= 1 && line as usize <= lines, "line {line} of {lines}");
        }
        Ok(mut all) => {
            // An empty line ends a continued line.
            let tail = b"\n\n[core]\nlast = 1\n";
            all.push((b"core.last".to_vec(), Some(b"1".to_vec())));
            assert_eq!(strictly(&[text, tail].concat()), Ok(all));
        }
    }
}

fn written(mut input: Input<'_>) {
    let mut text = Vec::new();
    let mut right = Variables::new();
    let mut all = Variables::new();
    // git refuses a comment right after a variable without `=`.
    let mut is_refused = false;
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
        is_refused |= value.is_none() && choice & 0x40 > 0;
        let mut name = sub.map_or(Vec::new(), |sub| [sub.as_slice(), b"."].concat());
        name.extend(key.to_ascii_lowercase().bytes());
        let full = [section.to_ascii_lowercase().as_bytes(), b".", &name].concat();
        all.push((full, value.clone()));
        if is_core {
            right.push((name, value));
        }
    }
    match is_refused {
        true => assert!(strictly(&text).is_err(), "{}", text.escape_ascii()),
        false => assert_eq!(strictly(&text), Ok(all), "{}", text.escape_ascii()),
    }
    assert_eq!(config_section(&text, "core"), right, "{}", text.escape_ascii());
}
