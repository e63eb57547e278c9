//! The header lines at the start of commits and tags.

/// The header lines of a commit or tag, and the message after them.
///
/// A line has a key, a space and a value, or a key alone; a line that begins with a space
/// continues the value before it. The first empty line ends the headers.
#[derive(Clone, Debug)]
pub struct Headers<'a> {
    rest: &'a [u8],
}

impl<'a> Headers<'a> {
    /// Starts at the beginning of an object's content.
    pub fn new(content: &'a [u8]) -> Headers<'a> {
        Headers { rest: content }
    }

    /// Returns the message: all bytes after the empty line.
    pub fn message(mut self) -> &'a [u8] {
        while self.next().is_some() {}
        self.rest.strip_prefix(b"\n").unwrap_or(self.rest)
    }

    /// Returns the value of the first header with a key.
    pub fn find(mut self, key: &[u8]) -> Option<&'a [u8]> {
        self.find_map(|(found, value)| (found == key).then_some(value))
    }
}

impl<'a> Iterator for Headers<'a> {
    /// The key and the value; a folded value still has its line breaks and spaces.
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.rest.starts_with(b"\n") {
            return None;
        }
        let first = line_end(self.rest, 0);
        let mut end = first;
        while self.rest.get(end.saturating_add(1)) == Some(&b' ') {
            end = line_end(self.rest, end.saturating_add(1));
        }
        let (line, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..).unwrap_or_default();
        let space = line.iter().take(first).position(|byte| *byte == b' ').unwrap_or(first);
        let (key, value) = line.split_at_checked(space)?;
        Some((key, value.strip_prefix(b" ").unwrap_or(value)))
    }
}

/// Returns the end of the line that contains `from`: the offset of its line feed, or the end
/// of the content.
fn line_end(content: &[u8], from: usize) -> usize {
    let rest = content.get(from..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    from.saturating_add(length)
}

/// Returns a folded value without the spaces that git added.
pub(super) fn unfold(value: &[u8]) -> Vec<u8> {
    let mut lines = value.split(|byte| *byte == b'\n');
    let mut out = lines.next().unwrap_or_default().to_vec();
    for line in lines {
        out.push(b'\n');
        out.extend_from_slice(line.strip_prefix(b" ").unwrap_or(line));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_values_and_the_message_keep_their_bytes() {
        let content = b"tree 1\nsig a\n b\n \n c\nkey\n\n msg\n\nmore";
        let headers: Vec<_> = Headers::new(content).collect();
        let (sig, key): (&[u8], &[u8]) = (b"a\n b\n \n c", b"");
        assert_eq!(headers, [(&b"tree"[..], &b"1"[..]), (b"sig", sig), (b"key", key)]);
        assert_eq!(Headers::new(content).message(), b" msg\n\nmore");
        assert_eq!(unfold(sig), b"a\nb\n\nc");
    }

    #[test]
    fn a_key_ends_with_its_line() {
        let headers: Vec<_> = Headers::new(b"key\n a b\nother\n \n c\n\nm").collect();
        assert_eq!(headers, [(&b"key"[..], &b"\n a b"[..]), (b"other", b"\n \n c")]);
        assert_eq!(unfold(headers[1].1), b"\n\nc");
    }

    #[test]
    fn content_without_an_empty_line_has_no_message() {
        for content in [&b""[..], b"tree 1", b"tree 1\n", b"tree 1\n\n"] {
            assert_eq!(Headers::new(content).message(), b"");
            assert!(Headers::new(content).count() <= 1);
        }
    }
}
