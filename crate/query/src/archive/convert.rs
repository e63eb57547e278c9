//! How git converts the content of files that it checks out: line ends and `$Id$`, as
//! <https://git-scm.com/docs/gitattributes> describes.

use crate::path_attributes::PathAttributes;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::attributes::AttributeState;
use packlens_format::config::config_value;

/// Which line ends a file gets.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum LineEnds {
    /// Those it has.
    #[default]
    Own,
    /// CRLF, in every file.
    Crlf,
    /// CRLF, unless the content is binary, or has such line ends already.
    CrlfIfText,
}

/// What is converted: of one file, or of all files without attributes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conversion {
    ends: LineEnds,
    /// Whether `$Id$` gets the id of the blob.
    has_ident: bool,
    /// Whether text has CRLF unless attributes say otherwise.
    is_crlf: bool,
}

impl Conversion {
    /// Returns what a configuration says: `core.autocrlf` and `core.eol`.
    pub(super) fn configured(config: &[u8]) -> Conversion {
        let of = |name| config_value(config, "core", name).unwrap_or_default().to_ascii_lowercase();
        let auto = of("autocrlf");
        let is_auto = matches!(auto.as_slice(), b"true" | b"yes" | b"on" | b"1");
        let is_crlf = is_auto || (auto != b"input" && of("eol") == b"crlf");
        let ends = if is_auto { LineEnds::CrlfIfText } else { LineEnds::Own };
        Conversion { ends, has_ident: false, is_crlf }
    }

    /// Returns what is converted in a file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for `working-tree-encoding`.
    pub(super) fn of(&self, attributes: &PathAttributes) -> Result<Conversion> {
        if let Some(AttributeState::Value(name)) = attributes.of("working-tree-encoding") {
            if !name.eq_ignore_ascii_case(b"utf-8") && !name.eq_ignore_ascii_case(b"utf8") {
                let what = "files with `working-tree-encoding` are not converted";
                return Err(Error::new(ErrorKind::Unsupported, what).about(name));
            }
        }
        let value = |name| match attributes.of(name) {
            Some(AttributeState::Value(value)) => value.as_slice(),
            _ => b"",
        };
        let has_ident = attributes.of("ident") == Some(&AttributeState::Set);
        // `crlf` is what `text` was called once.
        let text = ["text", "crlf"].into_iter().find(|name| {
            let is_known = |value: &[u8]| matches!(value, b"auto" | b"input");
            match attributes.of(name) {
                Some(AttributeState::Value(value)) => is_known(value),
                state => state.is_some(),
            }
        });
        let (text, is_auto) = match text {
            Some(name) => (attributes.of(name), value(name) == b"auto"),
            None => (None, false),
        };
        let ends = match (text, value("eol")) {
            (Some(AttributeState::Unset), _) => LineEnds::Own,
            (Some(AttributeState::Value(value)), _) if value == b"input" => LineEnds::Own,
            (_, b"lf") => LineEnds::Own,
            (_, b"crlf") if is_auto => LineEnds::CrlfIfText,
            (_, b"crlf") => LineEnds::Crlf,
            (None, _) => self.ends,
            (Some(_), _) if !self.is_crlf => LineEnds::Own,
            (Some(_), _) if is_auto => LineEnds::CrlfIfText,
            (Some(_), _) => LineEnds::Crlf,
        };
        Ok(Conversion { ends, has_ident, ..*self })
    }

    /// Returns whether any content may change.
    pub(super) fn is_needed(&self) -> bool {
        self.ends != LineEnds::Own || self.has_ident
    }

    /// Converts the content of a blob.
    pub(super) fn converted(&self, content: Vec<u8>, id: &ObjectId) -> Vec<u8> {
        let content = if self.has_ident { with_ident(&content, id) } else { content };
        let is_kept = match self.ends {
            LineEnds::Own => true,
            LineEnds::Crlf => false,
            LineEnds::CrlfIfText => has_carriage_return(&content) || looks_binary(&content),
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
}

fn has_carriage_return(content: &[u8]) -> bool {
    content.contains(&b'\r')
}

/// Returns whether git takes content without carriage returns for binary: it has a NUL, or more
/// than one in 128 of its bytes is another control character.
fn looks_binary(content: &[u8]) -> bool {
    let content = content.strip_suffix(b"\x1a").unwrap_or(content);
    let is_odd = |byte: u8| matches!(byte, 0..=7 | 11 | 14..=26 | 28..=31 | 127);
    let odd = content.iter().filter(|byte| is_odd(**byte)).count();
    let feeds = content.iter().filter(|byte| **byte == b'\n').count();
    let printable = content.len().saturating_sub(odd).saturating_sub(feeds);
    content.contains(&0) || printable >> 7 < odd
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
