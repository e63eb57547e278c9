//! Paths in quotes, as git prints those that have special bytes:
//! <https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath>.

/// Returns a path after a prefix, in quotes if it has bytes that git quotes by default.
pub fn quoted(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    match path.iter().all(is_plain) {
        true => [prefix, path].concat(),
        false => in_quotes(prefix, path),
    }
}

/// Returns a path after a prefix, in quotes.
pub fn in_quotes(prefix: &[u8], path: &[u8]) -> Vec<u8> {
    let mut out = [b"\"", prefix].concat();
    for byte in path {
        let letter = match byte {
            0x07 => b'a',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0b => b'v',
            0x0c => b'f',
            b'\r' => b'r',
            b'"' | b'\\' => *byte,
            b' '..=b'~' => {
                out.push(*byte);
                continue;
            }
            _ => {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', letter]);
    }
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_git_quotes_them() {
        let cases: [(&[u8], &[u8]); 4] = [
            (b"d/f x", b"a/d/f x"),
            (b"q\"\\", b"\"a/q\\\"\\\\\""),
            (b"\x07\x08\t\n\x0b\x0c\r", b"\"a/\\a\\b\\t\\n\\v\\f\\r\""),
            (b"\xc3\xa4\x01\x7f", b"\"a/\\303\\244\\001\\177\""),
        ];
        for (path, expected) in cases {
            assert_eq!(quoted(b"a/", path), expected);
        }
    }
}
