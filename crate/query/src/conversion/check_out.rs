//! The content of files that git checks out.

use super::text::looks_binary;
use super::{Conversion, LineEnds};
use packlens_base::oid::ObjectId;

/// Which line ends a file gets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum FileEnds {
    /// Those of the blob.
    Own,
    /// CRLF, in every file.
    Crlf,
    /// CRLF, unless the content is binary, or has such line ends already.
    CrlfIfText,
}

impl Conversion {
    /// Returns whether the content of any blob may change in a file.
    pub(crate) fn changes_files(&self) -> bool {
        self.file_ends() != FileEnds::Own || self.has_ident
    }

    /// Converts the content of a blob to that of a file.
    pub(crate) fn to_file(&self, content: Vec<u8>, id: &ObjectId) -> Vec<u8> {
        let content = if self.has_ident { with_ident(&content, id) } else { content };
        let is_kept = match self.file_ends() {
            FileEnds::Own => true,
            FileEnds::Crlf => false,
            FileEnds::CrlfIfText => has_carriage_return(&content) || looks_binary(&content),
        };
        if is_kept {
            return content;
        }
        let mut out = Vec::with_capacity(content.len());
        let mut last = 0;
        for byte in content {
            if byte == b'\n' && last != b'\r' {
                out.push(b'\r');
            }
            out.push(byte);
            last = byte;
        }
        out
    }

    fn file_ends(&self) -> FileEnds {
        match self.ends {
            LineEnds::Text { crlf: true } => FileEnds::Crlf,
            LineEnds::Auto { crlf: true } => FileEnds::CrlfIfText,
            _ => FileEnds::Own,
        }
    }
}

fn has_carriage_return(content: &[u8]) -> bool {
    content.contains(&b'\r')
}

/// Writes the id of the blob into `$Id$`, and over an id that is there.
fn with_ident(content: &[u8], id: &ObjectId) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.windows(3).position(|bytes| bytes == b"$Id") {
        let (before, found) = rest.split_at_checked(at.saturating_add(3)).unwrap_or_default();
        out.extend_from_slice(before);
        let end = match found.first() {
            Some(b'$') => Some(0),
            Some(b':') => end_of_ident(found),
            _ => None,
        };
        rest = found;
        if let Some(end) = end {
            out.extend_from_slice(format!(": {} $", id.to_hex()).as_bytes());
            rest = found.get(end.saturating_add(1)..).unwrap_or_default();
        }
    }
    out.extend_from_slice(rest);
    out
}

/// Returns where the dollar after an id is; `None` if the line ends before, or if what is there
/// is of another program: it has several words.
fn end_of_ident(found: &[u8]) -> Option<usize> {
    let end = found.iter().position(|byte| matches!(byte, b'$' | b'\n'))?;
    let inner = found.get(1..end)?;
    let inner = inner.strip_prefix(b" ").unwrap_or(inner);
    let space = inner.iter().position(|byte| *byte == b' ');
    let is_last = space.is_none_or(|space| space.saturating_add(1) == inner.len());
    (found.get(end) == Some(&b'$') && is_last).then_some(end)
}
