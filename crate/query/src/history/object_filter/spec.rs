//! Parses filters: `blob:none`, `combine:tree:2+blob:limit=1k` and the like.

use super::size::size_of;
use super::{Part, SparsePatterns, MOST_PARTS};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_format::object::ObjectType;

/// The characters that must be escaped in the parts of a combined filter, besides white space.
const RESERVED: &[u8] = b"~`!@#$^&*()[]{}\\;'\",<>?";

/// Adds the parts of a filter.
///
/// # Errors
///
/// [`Limit`](ErrorKind::Limit) if it combines too many filters, or is nested too deeply: each level
/// takes stack, and time for all that is in it.
pub(super) fn parse(spec: &[u8], parts: &mut Vec<Part>) -> Result<()> {
    parse_nested(spec, 0, parts)
}

fn parse_nested(spec: &[u8], depth: usize, parts: &mut Vec<Part>) -> Result<()> {
    if parts.len() > MOST_PARTS || depth > MOST_PARTS {
        return Err(Error::new(ErrorKind::Limit, "too many filters are combined"));
    }
    let part = if spec == b"blob:none" {
        Part::BlobLimit(0)
    } else if let Some(limit) = spec.strip_prefix(b"blob:limit=") {
        Part::BlobLimit(size_of(limit).ok_or_else(|| invalid(spec))?)
    } else if let Some(depth) = spec.strip_prefix(b"tree:") {
        let what = "a filter of trees needs a depth, as in 'tree:<depth>'";
        let wrong = || Error::new(ErrorKind::BadInput, what).about(spec);
        Part::TreeDepth(size_of(depth).ok_or_else(wrong)?)
    } else if let Some(name) = spec.strip_prefix(b"object:type=") {
        Part::Type(match name {
            b"commit" => ObjectType::Commit,
            b"tree" => ObjectType::Tree,
            b"blob" => ObjectType::Blob,
            b"tag" => ObjectType::Tag,
            _ => {
                let what = "'object:type=<type>' needs a valid object type";
                return Err(Error::new(ErrorKind::BadInput, what).about(name));
            }
        })
    } else if let Some(name) = spec.strip_prefix(b"sparse:oid=") {
        Part::Sparse(SparsePatterns::Named(name.to_vec()))
    } else if let Some(combined) = spec.strip_prefix(b"combine:") {
        return parse_combined(combined, depth, parts);
    } else {
        return Err(invalid(spec));
    };
    parts.push(part);
    Ok(())
}

fn parse_combined(combined: &[u8], depth: usize, parts: &mut Vec<Part>) -> Result<()> {
    // As in git since 2.47, nothing need follow the last plus sign.
    let combined = combined.strip_suffix(b"+").unwrap_or(combined);
    if combined.is_empty() {
        let what = "expected something after combine:";
        return Err(Error::new(ErrorKind::BadInput, what));
    }
    for encoded in combined.split(|byte| *byte == b'+') {
        if let Some(byte) = encoded.iter().find(|byte| **byte <= b' ' || RESERVED.contains(byte)) {
            let what = "a character of a combined filter must be escaped";
            return Err(Error::new(ErrorKind::BadInput, what).about(&[*byte][..]));
        }
        parse_nested(&decoded(encoded), depth.saturating_add(1), parts)?;
    }
    Ok(())
}

/// Replaces `%` and two hex digits with their byte; others are kept, as by git.
fn decoded(encoded: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(encoded.len());
    let mut rest = encoded;
    while let Some((byte, after)) = rest.split_first() {
        let digits = after.first_chunk::<2>().filter(|_| *byte == b'%');
        let hex = |digit: u8| char::from(digit).to_digit(16);
        match digits.and_then(|[high, low]| Some((hex(*high)? << 4 | hex(*low)?) as u8)) {
            Some(escaped) if escaped != 0 => {
                out.push(escaped);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    out
}

fn invalid(spec: &[u8]) -> Error {
    Error::new(ErrorKind::BadInput, "invalid filter-spec").about(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(spec: &str) -> Result<String> {
        let mut parts = Vec::new();
        parse(spec.as_bytes(), &mut parts)?;
        Ok(format!("{parts:?}"))
    }

    #[test]
    fn combined_filters_are_joined() {
        let joined = "[TreeDepth(2), BlobLimit(0), Type(Tag)]";
        assert_eq!(parsed("combine:tree:2+blob:none+object:type=tag").unwrap(), joined);
        assert_eq!(
            parsed("combine:combine:tree%3a2%2Bblob:none+object:type=tag+").unwrap(),
            joined
        );
        let many = format!("combine:{}", "tree:1+".repeat(100));
        assert_eq!(parsed(&many).unwrap_err().kind(), ErrorKind::Limit);
        let deep = format!("{}blob:none", "combine:".repeat(20_000));
        assert_eq!(parsed(&deep).unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        let wrong =
            ["", "foo", "blob:limit=", "tree:", "tree:x", "object:type=x", "combine:", "auto"];
        for spec in wrong.into_iter().chain(["combine:+", "combine:a*b", "combine:tree%zz1"]) {
            assert_eq!(parsed(spec).unwrap_err().kind(), ErrorKind::BadInput, "{spec}");
        }
    }
}
