//! Where patterns match in a text that is already in memory, such as the message of a commit.

use super::expression::{Expression, Matching};
use packlens_base::appender::Append;
use packlens_base::error::Result;

/// Outputs the first byte of each match in the lines of a text and the byte after it, in 4 bytes
/// each, in their order. Of several matches at one place the longest counts; an empty match ends
/// the search of its line. Tokens of an expression as for [`Grep`](super::Grep).
///
/// # Errors
///
/// [`ErrorKind::BadInput`](packlens_base::ErrorKind::BadInput),
/// [`ErrorKind::Unsupported`](packlens_base::ErrorKind::Unsupported),
/// [`ErrorKind::Limit`](packlens_base::ErrorKind::Limit).
pub fn match_spans<A: Append>(
    expression: &[Vec<u8>],
    matching: Matching,
    text: &[u8],
    out: &mut A,
) -> Result<()> {
    let mut expression = Expression::new(expression, matching)?;
    let mut from = 0;
    while let Some(start) = expression.next_line(text, from) {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        for span in expression.spans(rest.get(..length).unwrap_or_default())? {
            out.u32(start.saturating_add(span.start) as u32)?;
            out.u32(start.saturating_add(span.end) as u32)?;
        }
        if length == rest.len() {
            break;
        }
        from = start.saturating_add(length).saturating_add(1);
    }
    Ok(())
}
