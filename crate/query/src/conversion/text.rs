//! Which contents are text.

/// The line ends and odd bytes of a content.
struct Counts {
    crlf: usize,
    lf: usize,
    cr: usize,
    odd: usize,
}

fn counts(content: &[u8]) -> Counts {
    let mut counts = Counts { crlf: 0, lf: 0, cr: 0, odd: 0 };
    let mut last = 0;
    for byte in content.strip_suffix(b"\x1a").unwrap_or(content) {
        let counted = match byte {
            b'\n' if last == b'\r' => {
                counts.cr = counts.cr.saturating_sub(1);
                &mut counts.crlf
            }
            b'\n' => &mut counts.lf,
            b'\r' => &mut counts.cr,
            0..=7 | 11 | 14..=26 | 28..=31 | 127 => &mut counts.odd,
            _ => {
                last = *byte;
                continue;
            }
        };
        *counted = counted.saturating_add(1);
        last = *byte;
    }
    counts
}

/// Returns whether git takes a content for binary: it has a NUL, a carriage return that ends no
/// line, or more than one in 128 of its bytes is another control character.
pub(super) fn looks_binary(content: &[u8]) -> bool {
    let Counts { crlf, lf, cr, odd } = counts(content);
    let ends = crlf.saturating_mul(2).saturating_add(lf);
    let whole = content.strip_suffix(b"\x1a").unwrap_or(content).len();
    let printable = whole.saturating_sub(odd).saturating_sub(ends);
    cr > 0 || content.contains(&0) || printable >> 7 < odd
}

/// Returns whether a content has a line that ends with CRLF.
pub(super) fn has_crlf(content: &[u8]) -> bool {
    content.windows(2).any(|bytes| bytes == b"\r\n")
}
