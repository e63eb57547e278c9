//! How git converts contents between blobs and the files of a work tree: line ends, `$Id$` and
//! encodings, as <https://git-scm.com/docs/gitattributes> describes.

mod check_in;
mod check_out;
mod encoding;
mod text;

use crate::path_attributes::PathAttributes;
use packlens_format::attributes::AttributeState;
use packlens_format::config::config_value;

/// What is known of the line ends of a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum LineEnds {
    /// They are not converted.
    #[default]
    Own,
    /// The file is text: blobs have LF, files CRLF if `crlf`.
    Text { crlf: bool },
    /// The same if the content looks like text.
    Auto { crlf: bool },
}

/// What is converted: of one file, or of all files without attributes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conversion {
    ends: LineEnds,
    /// Whether `$Id$` is followed by the id of the blob in files.
    has_ident: bool,
    /// Whether text has CRLF in files unless attributes say otherwise.
    is_crlf: bool,
    /// The encoding of the file, if it is not UTF-8.
    encoding: Option<Vec<u8>>,
}

impl Conversion {
    /// Returns what a configuration says: `core.autocrlf` and `core.eol`.
    pub(crate) fn configured(config: &[u8]) -> Conversion {
        let of = |name| config_value(config, "core", name).unwrap_or_default().to_ascii_lowercase();
        let auto = of("autocrlf");
        let is_auto = matches!(auto.as_slice(), b"true" | b"yes" | b"on" | b"1");
        let is_input = auto == b"input";
        let is_crlf = is_auto || (!is_input && of("eol") == b"crlf");
        let ends = match is_auto || is_input {
            true => LineEnds::Auto { crlf: is_auto },
            false => LineEnds::Own,
        };
        Conversion { ends, is_crlf, ..Conversion::default() }
    }

    /// Returns what is converted in a file.
    pub(crate) fn of(&self, attributes: &PathAttributes) -> Conversion {
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
        let ends = |crlf| match is_auto {
            true => LineEnds::Auto { crlf },
            false => LineEnds::Text { crlf },
        };
        let ends = match (text, value("eol")) {
            (Some(AttributeState::Unset), _) => LineEnds::Own,
            (Some(AttributeState::Value(value)), _) if value == b"input" => ends(false),
            (_, b"lf") => ends(false),
            (_, b"crlf") => ends(true),
            (None, _) => self.ends,
            (Some(_), _) => ends(self.is_crlf),
        };
        let encoding = Some(value("working-tree-encoding"));
        let encoding = encoding.filter(|name| !name.is_empty() && !encoding::is_utf8(name));
        Conversion {
            ends,
            has_ident,
            is_crlf: self.is_crlf,
            encoding: encoding.map(<[u8]>::to_vec),
        }
    }

    /// Returns the encoding of the file, if it is not UTF-8.
    pub(crate) fn encoding(&self) -> Option<&[u8]> {
        self.encoding.as_deref()
    }
}
