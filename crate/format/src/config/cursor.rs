//! Reads a file in the syntax of git's `config` variable by variable, strictly: to its end or to
//! its first syntax error: <https://git-scm.com/docs/git-config#_syntax>.

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A position in the text of a configuration, which every call of [`ConfigCursor::next`] passes.
#[derive(Clone, Debug)]
pub struct ConfigCursor {
    at: usize,
    /// The number of the line, as git counts: the end of the text ends a line each time it is read.
    line: u32,
    has_ended: bool,
    /// The name of the last variable; its first `section_len` bytes are the section's.
    name: Vec<u8>,
    section_len: usize,
}

/// A line that git refuses.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BadLine {
    /// The number that git reports for the line.
    pub line: u32,
    /// The offset at which reading ended, in bytes.
    pub offset: usize,
}

/// A variable, and its value; no value for a variable without `=`. The name consists of section,
/// subsection if any, and variable, joined by dots, in lower case except for the subsection. As
/// in git, a NUL ends names and values.
pub type NamedValue<'a> = (&'a [u8], Option<Vec<u8>>);

impl ConfigCursor {
    /// Returns the position before the first variable of a file's text.
    pub fn new(text: &[u8]) -> ConfigCursor {
        let at = if text.starts_with(BOM) { BOM.len() } else { 0 };
        ConfigCursor { at, ..ConfigCursor::of_blob() }
    }

    /// Returns the position before the first variable of a blob, where git knows no byte order
    /// mark.
    pub fn of_blob() -> ConfigCursor {
        ConfigCursor { at: 0, line: 1, has_ended: false, name: Vec::new(), section_len: 0 }
    }

    /// Returns the next variable; `None` at the end of the text.
    ///
    /// # Errors
    ///
    /// A line that breaks the syntax; the call after that continues anywhere.
    pub fn next(&mut self, text: &[u8]) -> Result<Option<NamedValue<'_>>, BadLine> {
        match self.variable(text) {
            None => Err(BadLine { line: self.line, offset: self.at.min(text.len()) }),
            Some(None) => Ok(None),
            Some(Some(value)) => {
                let value = value.map(|value| up_to_nul(&value).to_vec());
                Ok(Some((up_to_nul(&self.name), value)))
            }
        }
    }

    /// Returns the number of the line that the last variable ends in.
    pub fn line(&self) -> u32 {
        self.line.saturating_sub(1)
    }

    /// Reads up to the end of a variable, and returns its value; `Some(None)` at the end of the
    /// text, `None` at a syntax error.
    #[expect(clippy::option_option, reason = "each has another meaning")]
    fn variable(&mut self, text: &[u8]) -> Option<Option<Option<Vec<u8>>>> {
        loop {
            match self.byte(text) {
                b'\n' if self.has_ended => return Some(None),
                b'#' | b';' => self.pass_line(text),
                b'[' => {
                    self.name.clear();
                    self.section(text)?;
                    self.name.push(b'.');
                    self.section_len = self.name.len();
                }
                byte if is_space(byte) => {}
                byte if byte.is_ascii_alphabetic() => {
                    self.name.truncate(self.section_len);
                    self.name.push(byte.to_ascii_lowercase());
                    return self.rest_of_variable(text).map(Some);
                }
                _ => return None,
            }
        }
    }

    /// Reads a byte; a carriage return before a line feed is skipped, and the end of the text is
    /// a line feed.
    fn byte(&mut self, text: &[u8]) -> u8 {
        let rest = text.get(self.at..).unwrap_or_default();
        let (byte, length) = match rest {
            [b'\r', b'\n', ..] => (b'\n', 2),
            [byte, ..] => (*byte, 1),
            [] => {
                self.has_ended = true;
                (b'\n', 0)
            }
        };
        self.at = self.at.saturating_add(length);
        if byte == b'\n' {
            self.line = self.line.saturating_add(1);
        }
        byte
    }

    fn pass_line(&mut self, text: &[u8]) {
        while self.byte(text) != b'\n' {}
    }

    /// Takes a line feed back for the number of the line, where git does.
    fn incomplete_line<T>(&mut self) -> Option<T> {
        self.line = self.line.saturating_sub(1);
        None
    }

    /// Reads a section header after its bracket.
    fn section(&mut self, text: &[u8]) -> Option<()> {
        loop {
            match self.byte(text) {
                _ if self.has_ended => return None,
                b']' => return (!self.name.is_empty()).then_some(()),
                byte if is_space(byte) => return self.subsection(byte, text),
                byte if is_of_key(byte) || byte == b'.' => {
                    self.name.push(byte.to_ascii_lowercase());
                }
                _ => return None,
            }
        }
    }

    fn subsection(&mut self, mut byte: u8, text: &[u8]) -> Option<()> {
        while is_space(byte) {
            if byte == b'\n' {
                return self.incomplete_line();
            }
            byte = self.byte(text);
        }
        if byte != b'"' {
            return None;
        }
        self.name.push(b'.');
        loop {
            let byte = match self.byte(text) {
                b'"' => return (self.byte(text) == b']').then_some(()),
                b'\\' => self.byte(text),
                byte => byte,
            };
            if byte == b'\n' {
                return self.incomplete_line();
            }
            self.name.push(byte);
        }
    }

    /// Reads the rest of a name, and its value; `Some(None)` if there is no `=`.
    #[expect(clippy::option_option, reason = "each has another meaning")]
    fn rest_of_variable(&mut self, text: &[u8]) -> Option<Option<Vec<u8>>> {
        let mut byte = self.byte(text);
        while is_of_key(byte) {
            self.name.push(byte.to_ascii_lowercase());
            byte = self.byte(text);
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.byte(text);
        }
        match byte {
            b'\n' => Some(None),
            b'=' => self.value(text).map(Some),
            _ => None,
        }
    }

    fn value(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        let mut quoted = false;
        // The length of the value up to the last byte that is not trailing white space.
        let mut kept = 0;
        loop {
            let byte = self.byte(text);
            match byte {
                b'\n' if quoted => return self.incomplete_line(),
                b'\n' => break,
                b'#' | b';' if !quoted => {
                    self.pass_line(text);
                    break;
                }
                _ if is_space(byte) && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.byte(text) {
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

fn up_to_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
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

    /// Returns the variables of a text, and the number of the line that is refused.
    fn read(text: &[u8]) -> (Vec<String>, Option<u32>) {
        let mut found = Vec::new();
        let mut cursor = ConfigCursor::new(text);
        loop {
            match cursor.next(text) {
                Ok(None) => return (found, None),
                Ok(Some((name, value))) => {
                    let value = value
                        .as_deref()
                        .map_or("<none>".into(), |value| value.escape_ascii().to_string());
                    found.push(format!("{}={value}", name.escape_ascii()));
                }
                Err(BadLine { line, offset }) => {
                    assert!(offset <= text.len());
                    return (found, Some(line));
                }
            }
        }
    }

    /// The answers of `git config -f FILE --list` of git 2.55.
    #[test]
    fn configurations_are_read_as_by_git() {
        for (text, found) in [
            (
                &b"[A \"b.C\"]\n\tUrl = x y \t# z\n Flag\n"[..],
                &["a.b.C.url=x y", "a.b.C.flag=<none>"][..],
            ),
            (b"[a.B] c=\" x \" ; y\r\nd = 1\\\n 2", &["a.b.c= x ", "a.b.d=1 2"]),
            (b"; nothing\n[a] [b]\nc=\\\"\\n", &["b.c=\\\"\\n"]),
            (b"a=1", &["a=1"]),
            (b"", &[]),
            (b"\xef\xbb\xbf[a]\nb=1\n", &["a.b=1"]),
            (b"[a]\nb = c\\", &["a.b=c"]),
            (b"[a \"b\0c\"]\nd=1\0 2\n", &["a.b=1"]),
            (b"[a]\nb=1\rc\r", &["a.b=1\\rc"]),
            (b"[a]\nb=x  \"\"  \n", &["a.b=x  "]),
            (b"[.]a=1\n[ \"s\"]b=1", &["..a=1", ".s.b=1"]),
            (b"[a.B.C \"D\"]\nb=x\n", &["a.b.c.D.b=x"]),
        ] {
            let found = found.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(read(text), (found, None), "{}", text.escape_ascii());
        }
    }

    /// As above; git reports these lines.
    #[test]
    fn lines_that_git_refuses_have_its_numbers() {
        for (text, line) in [
            (&b"[a"[..], 2),
            (b"[a\n", 1),
            (b"[a \"b\n\"]", 1),
            (b"[a \"b\"\n]", 2),
            (b"[a \"b\"x]", 1),
            (b"[a b]", 1),
            (b"[a?]", 1),
            (b"[a]\n[]", 2),
            (b"1=2", 1),
            (b"[a]\nb ? c", 2),
            (b"[a]\nb # c", 2),
            (b"[a]\nb = \"c", 2),
            (b"[a]\nb = \"c\\", 3),
            (b"[a]\nb = \\x", 2),
            (b"\n\n=", 3),
            (b"\0", 1),
            (b"\xef\xbb[a]\nb=1\n", 1),
            (b"[a]\n\x0bb=1\n", 2),
            (b"[a]\nb=1\n[c", 4),
        ] {
            assert_eq!(read(text).1, Some(line), "{}", text.escape_ascii());
        }
    }
}
