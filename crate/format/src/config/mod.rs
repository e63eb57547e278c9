//! Reads variables from the text of git's `config`: of one section, where malformed lines are
//! skipped, or all with [`ConfigCursor`].

mod boolean;
mod cursor;
mod visit;

pub use boolean::{boolean_of, config_boolean, is_true};
pub use cursor::{BadLine, ConfigCursor, NamedValue};
pub use visit::visit_variables;

/// Returns the last value of a variable. `key` is in lower case; for a variable in a
/// subsection it is the subsection's name, a dot and the variable's name. Returns `None` also
/// for a variable without `=`.
///
/// ```
/// let text = b"[extensions]\n\tobjectFormat = sha256 ; a comment\n";
/// let value = packlens_format::config::config_value(text, "extensions", "objectformat");
/// assert_eq!(value.as_deref(), Some(&b"sha256"[..]));
/// ```
pub fn config_value(text: &[u8], section: &str, key: &str) -> Option<Vec<u8>> {
    value_of(&config_section(text, section), key).map(<[u8]>::to_vec)
}

/// As [`config_value`], of the variables of a section.
pub fn value_of<'a>(variables: &'a [Variable], key: &str) -> Option<&'a [u8]> {
    let last = variables.iter().rev().find(|(name, _)| name == key.as_bytes());
    last.and_then(|(_, value)| value.as_deref())
}

/// A variable's name and value; `None` for a variable without `=`.
pub type Variable = (Vec<u8>, Option<Vec<u8>>);

/// Returns the variables of a section in file order. Names are in lower case; those in a
/// subsection come after its name and a dot.
///
/// ```
/// let text = b"[remote]\nA\n[remote \"b.c\"]\n\turl = d\n";
/// let both = packlens_format::config::config_section(text, "remote");
/// assert_eq!(both, [(b"a".to_vec(), None), (b"b.c.url".to_vec(), Some(b"d".to_vec()))]);
/// ```
pub fn config_section(text: &[u8], section: &str) -> Vec<Variable> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut found = Vec::new();
    // The prefix of variable names, inside the section.
    let mut inside: Option<Vec<u8>> = None;
    let mut lines = text.split(|byte| *byte == b'\n');
    while let Some(line) = lines.next() {
        let mut line = line.trim_ascii();
        if let Some(rest) = line.strip_prefix(b"[") {
            let (name, after) = section_head(rest);
            inside = name.and_then(|(name, prefix)| {
                name.eq_ignore_ascii_case(section.as_bytes()).then_some(prefix)
            });
            line = after.trim_ascii_start();
        }
        let end = line
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-')
            .unwrap_or(line.len());
        let (name, rest) = line.split_at_checked(end).unwrap_or((line, b""));
        if name.is_empty() {
            continue;
        }
        let raw = rest.trim_ascii_start().strip_prefix(b"=");
        let value = raw.map(|raw| unquoted(raw, &mut lines));
        if let Some(prefix) = &inside {
            found.push(([prefix, name.to_ascii_lowercase().as_slice()].concat(), value));
        }
    }
    found
}

/// A section's name, and the prefix that its subsection adds to variable names.
type Section<'a> = (&'a [u8], Vec<u8>);

/// Parses a section header after its bracket: returns the section's name, the prefix for
/// variable names, and the rest of the line.
// Engines compile the loop over lines again as a whole.
#[inline(never)]
fn section_head(text: &[u8]) -> (Option<Section<'_>>, &[u8]) {
    let end = text.iter().position(|byte| matches!(byte, b']' | b'"')).unwrap_or(text.len());
    let (name, mut rest) = text.split_at_checked(end).unwrap_or((text, b""));
    let name = name.trim_ascii();
    let Some(mut quoted) = rest.strip_prefix(b"\"") else {
        rest = rest.get(1..).unwrap_or_default();
        // The old syntax for a subsection, which ignores case.
        return match name.iter().position(|byte| *byte == b'.') {
            Some(dot) => {
                let (section, subsection) = name.split_at_checked(dot).unwrap_or((name, b""));
                let subsection = subsection.get(1..).unwrap_or_default().to_ascii_lowercase();
                (Some((section, [subsection.as_slice(), b"."].concat())), rest)
            }
            None => (Some((name, Vec::new())), rest),
        };
    };
    let mut prefix = Vec::new();
    while let Some((byte, after)) = quoted.split_first() {
        quoted = after;
        match byte {
            b'"' => {
                prefix.push(b'.');
                let rest = quoted.strip_prefix(b"]");
                return (rest.map(|_| (name, prefix)), rest.unwrap_or(quoted));
            }
            b'\\' => {
                let (escaped, after) = quoted.split_first().unwrap_or((&b'\\', b""));
                quoted = after;
                prefix.push(*escaped);
            }
            _ => prefix.push(*byte),
        }
    }
    (None, b"")
}

/// Returns a value without quotes, escapes and comments. The value continues on the next line
/// if a line ends with a backslash.
#[inline(never)]
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
            [Two "a\"]\\b"] Key = 1
            [two.OLD] key = 2
        "#;
        let value = |key| config_value(text, "core", key).map(|v| String::from_utf8(v).unwrap());
        assert_eq!(value("bare"), None);
        assert_eq!(config_section(text, "core")[0], (b"bare".to_vec(), None));
        assert_eq!(value("sub.a").as_deref(), Some("not this"));
        assert_eq!(value("a").as_deref(), Some("one two"));
        assert_eq!(value("b").as_deref(), Some("x ; y z more"));
        assert_eq!(value("c").as_deref(), Some("\"q\\"));
        assert_eq!(value("d"), None);
        let all = [
            (b"a\"]\\b.key".to_vec(), Some(b"1".to_vec())),
            (b"old.key".to_vec(), Some(b"2".to_vec())),
        ];
        assert_eq!(config_section(text, "two"), all);
    }
}
