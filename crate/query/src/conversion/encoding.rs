//! The encodings of the attribute `working-tree-encoding`.

use packlens_base::error::{Error, ErrorKind, Result};

/// The bytes of a unit, and whether the lowest comes first; `None` if a mark at the beginning of
/// the content decides.
type Units = (usize, Option<bool>);

/// Returns whether a name is that of UTF-8.
pub(super) fn is_utf8(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"utf-8") || name.eq_ignore_ascii_case(b"utf8")
}

/// Returns a content in UTF-8; `None` if it is not in the encoding of this name.
///
/// # Errors
///
/// [`ErrorKind::Unsupported`] for other encodings than UTF-16, UTF-32 and ISO-8859-1.
pub(super) fn to_utf8(name: &[u8], content: &[u8]) -> Result<Option<Vec<u8>>> {
    let name = name.to_ascii_uppercase();
    let short = name.strip_prefix(b"UTF").map(|rest| rest.strip_prefix(b"-").unwrap_or(rest));
    let (units, needs_mark): (Units, bool) = match short {
        Some(b"16") => ((2, None), true),
        Some(b"16LE") => ((2, Some(true)), false),
        Some(b"16BE") => ((2, Some(false)), false),
        Some(b"16LE-BOM") => ((2, Some(true)), true),
        Some(b"16BE-BOM") => ((2, Some(false)), true),
        Some(b"32") => ((4, None), true),
        Some(b"32LE") => ((4, Some(true)), false),
        Some(b"32BE") => ((4, Some(false)), false),
        _ if matches!(name.as_slice(), b"ISO-8859-1" | b"ISO8859-1" | b"LATIN1" | b"LATIN-1") => {
            let text: String = content.iter().map(|byte| char::from(*byte)).collect();
            return Ok(Some(text.into_bytes()));
        }
        _ => {
            let what = "files with this `working-tree-encoding` are not converted";
            return Err(Error::new(ErrorKind::Unsupported, what).about(name));
        }
    };
    Ok(from_units(content, units, needs_mark))
}

fn from_units(content: &[u8], (size, low_first): Units, needs_mark: bool) -> Option<Vec<u8>> {
    if !content.len().is_multiple_of(size) {
        return None;
    }
    let unit = |bytes: &[u8], low_first: bool| {
        let add = |sum: u32, byte: &u8| (sum << 8) | u32::from(*byte);
        match low_first {
            true => bytes.iter().rev().fold(0, add),
            false => bytes.iter().fold(0, add),
        }
    };
    let mark = content.get(..size).map(|first| [false, true].map(|low| unit(first, low) == 0xfeff));
    let low_first = match (mark, low_first) {
        (Some([true, _]), None) => false,
        (Some([_, true]), None) => true,
        (_, None) if content.is_empty() => false,
        (_, None) => return None,
        (Some([false, false]) | None, Some(_)) if needs_mark && !content.is_empty() => return None,
        (Some([true, _] | [_, true]), Some(_)) if !needs_mark => return None,
        (_, Some(low_first)) => low_first,
    };
    let skipped = if needs_mark { size } else { 0 };
    let units = content.get(skipped..).unwrap_or_default().chunks(size);
    let units = units.map(|bytes| unit(bytes, low_first));
    let text: Option<String> = match size {
        2 => {
            let halves = units.map(|unit| unit as u16);
            char::decode_utf16(halves).collect::<std::result::Result<_, _>>().ok()
        }
        _ => units.map(char::from_u32).collect(),
    };
    text.map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, content: &[u8]) -> Option<String> {
        to_utf8(name.as_bytes(), content).unwrap().map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn contents_become_utf8() {
        let text_of = |name: &str, content: &[u8]| text(name, content).unwrap();
        assert_eq!(text_of("utf-16", b"\xff\xfea\0\xe9\0"), "a\u{e9}");
        assert_eq!(text_of("UTF-16", b"\xfe\xff\0a\xd8\x3d\xde\0"), "a\u{1f600}");
        assert_eq!(text_of("UTF-16LE", b"a\0\xe9\0"), "a\u{e9}");
        assert_eq!(text_of("UTF-16LE-BOM", b"\xff\xfea\0"), "a");
        assert_eq!(text_of("UTF-32BE", b"\0\x01\xf6\0"), "\u{1f600}");
        assert_eq!(text_of("latin1", b"\xe9"), "\u{e9}");
        assert_eq!(text_of("UTF-16", b""), "");
    }

    #[test]
    fn contents_in_another_encoding_are_none() {
        assert_eq!(text("UTF-16", b"a\0"), None);
        assert_eq!(text("UTF-16LE", b"\xff\xfea\0"), None);
        assert_eq!(text("UTF-16LE", b"a"), None);
        assert_eq!(text("UTF-16BE", b"\xd8\0\0a"), None);
        assert_eq!(text("UTF-32LE", b"\0\0\0\xff"), None);
        let error = to_utf8(b"EUC-JP", b"").unwrap_err();
        assert_eq!((error.kind(), error.subject()), (ErrorKind::Unsupported, &b"EUC-JP"[..]));
    }
}
