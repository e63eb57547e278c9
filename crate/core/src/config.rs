//! The file `config`, as far as it says how to read a repository.

/// Returns the last value of a variable without subsection; names are in lower
/// case. A variable without `=` is `true`.
///
/// ```
/// let text = b"[extensions]\n\tobjectFormat = sha256 ; a comment\n";
/// let value = packlens::config_value(text, "extensions", "objectformat");
/// assert_eq!(value.as_deref(), Some(&b"sha256"[..]));
/// ```
pub fn config_value(text: &[u8], section: &str, key: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut inside = false;
    let mut found = None;
    let mut lines = text.split(|byte| *byte == b'\n');
    while let Some(line) = lines.next() {
        let mut line = line.trim_ascii();
        if let Some(rest) = line.strip_prefix(b"[") {
            let end = rest.iter().position(|byte| *byte == b']').unwrap_or(rest.len());
            let (name, rest) = rest.split_at_checked(end).unwrap_or((rest, b""));
            inside = name.trim_ascii().eq_ignore_ascii_case(section.as_bytes());
            line = rest.get(1..).unwrap_or_default().trim_ascii_start();
        }
        let end = line
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
            .unwrap_or(line.len());
        let (name, rest) = line.split_at_checked(end).unwrap_or((line, b""));
        if name.is_empty() {
            continue;
        }
        let value = match rest.trim_ascii_start().strip_prefix(b"=") {
            Some(raw) => unquoted(raw, &mut lines),
            None => b"true".to_vec(),
        };
        if inside && name.eq_ignore_ascii_case(key.as_bytes()) {
            found = Some(value);
        }
    }
    found
}

/// Takes quotes, escapes and comments out of a value, which goes on in the next
/// line where a line ends with a backslash.
fn unquoted<'a>(raw: &'a [u8], lines: &mut impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut value = Vec::new();
    let mut quoted = false;
    let mut kept = 0;
    let mut rest = raw.trim_ascii_start().iter();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' => match rest.next() {
                Some(b'n') => value.push(b'\n'),
                Some(b't') => value.push(b'\t'),
                Some(b'b') => value.push(8),
                Some(other) => value.push(*other),
                None => {
                    rest = lines.next().unwrap_or_default().iter();
                    continue;
                }
            },
            b'#' | b';' if !quoted => break,
            _ => value.push(*byte),
        }
        if quoted || !byte.is_ascii_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_git_reads_them() {
        let text = br#"
            [core] bare
            [Core]
                a = one two  # comment
                b = "x ; y" z\
 more
                c="\"q\\"
            [core "sub"]
                a = not this
            [other]
                a = nor this
        "#;
        let value = |key| config_value(text, "core", key).map(|v| String::from_utf8(v).unwrap());
        assert_eq!(value("bare").as_deref(), Some("true"));
        assert_eq!(value("a").as_deref(), Some("one two"));
        assert_eq!(value("b").as_deref(), Some("x ; y z more"));
        assert_eq!(value("c").as_deref(), Some("\"q\\"));
        assert_eq!(value("d"), None);
    }
}
