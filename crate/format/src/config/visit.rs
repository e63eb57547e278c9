//! Reads a file in the syntax of git's `config`, strictly: to its end or to its first syntax
//! error: <https://git-scm.com/docs/git-config#_syntax>.

/// Calls `visit` with each variable and its value; `None` for a variable without `=`. A name
/// consists of section, subsection if any, and variable, joined by dots, in lower case except
/// for the subsection. Returns whether the whole text could be read.
pub fn visit_variables(text: &[u8], mut visit: impl FnMut(&[u8], Option<&[u8]>)) -> bool {
    let mut reader = Reader { rest: text };
    let mut name = Vec::new();
    let mut section_len = 0;
    while let Some(byte) = reader.next() {
        match byte {
            b'#' | b';' => reader.pass_line(),
            b'[' => {
                name.clear();
                if reader.section(&mut name).is_none() {
                    return false;
                }
                name.push(b'.');
                section_len = name.len();
            }
            _ if is_space(byte) => {}
            _ if byte.is_ascii_alphabetic() => {
                name.truncate(section_len);
                name.push(byte.to_ascii_lowercase());
                match reader.variable(&mut name) {
                    Some(value) => visit(&name, value.as_deref()),
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    true
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// Returns the next byte; a carriage return before a line feed is skipped.
    fn next(&mut self) -> Option<u8> {
        let rest = match self.rest {
            [b'\r', rest @ ..] if rest.first() == Some(&b'\n') => rest,
            rest => rest,
        };
        let (byte, rest) = rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    fn pass_line(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    /// Reads a section header after its bracket.
    fn section(&mut self, name: &mut Vec<u8>) -> Option<()> {
        loop {
            match self.next()? {
                b']' => return Some(()),
                byte if is_space(byte) => return self.subsection(byte, name),
                byte if is_of_key(byte) || byte == b'.' => name.push(byte.to_ascii_lowercase()),
                _ => return None,
            }
        }
    }

    fn subsection(&mut self, mut byte: u8, name: &mut Vec<u8>) -> Option<()> {
        while is_space(byte) {
            byte = if byte == b'\n' { return None } else { self.next()? };
        }
        if byte != b'"' {
            return None;
        }
        name.push(b'.');
        loop {
            match self.next()? {
                b'"' => return (self.next()? == b']').then_some(()),
                b'\\' => name.push(self.next().filter(|byte| *byte != b'\n')?),
                b'\n' => return None,
                byte => name.push(byte),
            }
        }
    }

    /// Reads the rest of a name, and its value; `Some(None)` if there is no `=`.
    fn variable(&mut self, name: &mut Vec<u8>) -> Option<Option<Vec<u8>>> {
        // The end of the file ends the line.
        let mut byte = self.next().unwrap_or(b'\n');
        while is_of_key(byte) {
            name.push(byte.to_ascii_lowercase());
            byte = self.next().unwrap_or(b'\n');
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.next().unwrap_or(b'\n');
        }
        match byte {
            b'\n' => Some(None),
            b'=' => self.value().map(Some),
            _ => None,
        }
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        let mut quoted = false;
        // The length of the value up to the last byte that is not trailing white space.
        let mut kept = 0;
        loop {
            let byte = self.next().unwrap_or(b'\n');
            match byte {
                b'\n' if quoted => return None,
                b'\n' => break,
                b'#' | b';' if !quoted => {
                    self.pass_line();
                    break;
                }
                _ if is_space(byte) && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.next().unwrap_or(b'\n') {
                    b'\n' => {}
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    b'n' => value.push(b'\n'),
                    byte @ (b'\\' | b'"') => value.push(byte),
                    _ => return None,
                },
                _ => value.push(byte),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (bool, Vec<String>) {
        let mut found = Vec::new();
        let whole = visit_variables(text.as_bytes(), |name, value| {
            let name = String::from_utf8_lossy(name).into_owned();
            let value = value.map(|value| String::from_utf8_lossy(value).into_owned());
            found.push(format!("{name}={}", value.as_deref().unwrap_or("<none>")));
        });
        (whole, found)
    }

    #[test]
    fn configurations_are_read_as_by_git() {
        for (text, found) in [
            (
                "[A \"b.C\"]\n\tUrl = x y \t# z\n Flag\n",
                &["a.b.C.url=x y", "a.b.C.flag=<none>"][..],
            ),
            ("[a.B] c=\" x \" ; y\r\nd = 1\\\n 2", &["a.b.c= x ", "a.b.d=1 2"]),
            ("; nothing\n[a] [b]\nc=\\\"\\n", &["b.c=\"\n"]),
            ("a=1", &["a=1"]),
            ("", &[]),
        ] {
            let found: Vec<String> = found.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(read(text), (true, found), "{text}");
        }
        for text in [
            "[a",
            "[a \"b\n\"]",
            "[a \"b\"x]",
            "[a b]",
            "[a?]",
            "1=2",
            "[a]\nb ? c",
            "[a]\nb = \"c",
            "[a]\nb = \\x",
            "=",
            "\0",
        ] {
            assert!(!read(text).0, "{text}");
        }
    }
}
