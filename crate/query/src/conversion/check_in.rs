//! The content of blobs that git makes of files.

use super::encoding::to_utf8;
use super::text::{has_crlf, looks_binary};
use super::{Conversion, LineEnds};
use packlens_base::error::Result;

impl Conversion {
    /// Returns whether the content of any file may change in a blob.
    pub(crate) fn changes_blobs(&self) -> bool {
        self.ends != LineEnds::Own || self.has_ident || self.encoding.is_some()
    }

    /// Converts the content of a file to that of a blob. `indexed` returns the content that the
    /// index has: if that has CRLF and git only guesses that it is text, line ends stay.
    ///
    /// # Errors
    ///
    /// Those of `indexed`; [`Unsupported`](packlens_base::ErrorKind::Unsupported) for encodings
    /// that are not known.
    pub(crate) fn to_blob(
        &self,
        mut content: Vec<u8>,
        indexed: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        if let Some(name) = &self.encoding {
            // As git does with a message: what is not in this encoding stays as it is.
            content = to_utf8(name, &content)?.unwrap_or(content);
        }
        if self.ends != LineEnds::Own && has_crlf(&content) {
            let is_kept = match self.ends {
                LineEnds::Auto { .. } => looks_binary(&content) || is_text_with_crlf(&indexed()?),
                _ => false,
            };
            if !is_kept {
                content = without_crlf(&content);
            }
        }
        if self.has_ident {
            content = without_ident(&content);
        }
        Ok(content)
    }
}

fn is_text_with_crlf(content: &[u8]) -> bool {
    has_crlf(content) && !looks_binary(content)
}

fn without_crlf(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len());
    for byte in content {
        if *byte == b'\n' && out.last() == Some(&b'\r') {
            out.pop();
        }
        out.push(*byte);
    }
    out
}

/// Makes `$Id$` of `$Id: … $` within a line.
fn without_ident(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.windows(4).position(|bytes| bytes == b"$Id:") {
        let (before, found) = rest.split_at_checked(at.saturating_add(3)).unwrap_or_default();
        out.extend_from_slice(before);
        let end = found.iter().position(|byte| matches!(byte, b'$' | b'\n'));
        let end = end.filter(|end| found.get(*end) == Some(&b'$'));
        rest = found.get(end.unwrap_or_default()..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(ends: LineEnds, has_ident: bool, content: &str, indexed: &str) -> String {
        let conversion = Conversion { ends, has_ident, ..Conversion::default() };
        let blob = conversion.to_blob(content.into(), || Ok(indexed.into())).unwrap();
        String::from_utf8(blob).unwrap()
    }

    #[test]
    fn line_ends_of_text_become_line_feeds() {
        let (text, auto) = (LineEnds::Text { crlf: false }, LineEnds::Auto { crlf: true });
        assert_eq!(blob(LineEnds::Own, false, "a\r\nb\r\n", ""), "a\r\nb\r\n");
        assert_eq!(blob(text, false, "a\r\r\nb\rc\r\n", "x\r\n"), "a\r\nb\rc\n");
        assert_eq!(blob(auto, false, "a\r\nb\n", ""), "a\nb\n");
        assert_eq!(blob(auto, false, "a\r\nb\rc", ""), "a\r\nb\rc");
        assert_eq!(blob(auto, false, "a\r\n\0", ""), "a\r\n\0");
        assert_eq!(blob(auto, false, "a\r\n", "x\r\n"), "a\r\n");
        assert_eq!(blob(auto, false, "a\r\n", "x\r\n\0"), "a\n");
    }

    #[test]
    fn an_ident_loses_its_id_within_a_line() {
        let of = |content| blob(LineEnds::Own, true, content, "");
        assert_eq!(of("x $Id: 123 $ y $Id$ $Id: a b$"), "x $Id$ y $Id$ $Id$");
        assert_eq!(of("$Id: 123\n$ $Id:"), "$Id: 123\n$ $Id:");
    }
}
