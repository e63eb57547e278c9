//! Patches of binary files, as `git apply` takes them: both contents, each deflated and written in
//! 85 characters.

use packlens_base::deflate::deflate;
use packlens_base::error::Result;

/// How many bytes a line has at most.
const LINE: usize = 52;

/// The digits of numbers to the base 85.
const DIGITS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Appends what replaces the old content by the new one, and the reverse.
///
/// # Errors
///
/// [`ErrorKind::Limit`](packlens_base::error::ErrorKind::Limit) without memory.
pub(super) fn append([old, new]: [&[u8]; 2], out: &mut Vec<u8>) -> Result<()> {
    out.extend_from_slice(b"GIT binary patch\n");
    append_literal(new, out)?;
    append_literal(old, out)
}

fn append_literal(content: &[u8], out: &mut Vec<u8>) -> Result<()> {
    out.extend_from_slice(format!("literal {}\n", content.len()).as_bytes());
    let mut deflated = Vec::new();
    deflate(content, &mut deflated)?;
    for line in deflated.chunks(LINE) {
        // The length is a letter: `A` to `Z` for 1 to 26, `a` to `z` for 27 to 52.
        let count = line.len() as u8;
        out.push(if count <= 26 { b'@'.wrapping_add(count) } else { b'F'.wrapping_add(count) });
        line.chunks(4).for_each(|bytes| append_digits(bytes, out));
        out.push(b'\n');
    }
    out.push(b'\n');
    Ok(())
}

/// Appends the five digits of four bytes; zeros follow bytes that are fewer.
fn append_digits(bytes: &[u8], out: &mut Vec<u8>) {
    let mut number = [0; 4];
    number.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    let number = u32::from_be_bytes(number);
    for power in [85_u32.pow(4), 85_u32.pow(3), 85 * 85, 85, 1] {
        let digit = number.checked_div(power).unwrap_or(0) % 85;
        out.push(DIGITS.get(digit as usize).copied().unwrap_or(b'0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_git() {
        let digits = |bytes: &[u8]| {
            let mut out = Vec::new();
            append_digits(bytes, &mut out);
            String::from_utf8(out).unwrap()
        };
        // The empty content that git 2.55 deflates: `HcmV?d00001`.
        assert_eq!(digits(&[0x78, 0x01, 0x03, 0x00]), "cmV?d");
        assert_eq!(digits(&[0, 0, 0, 1]), "00001");
        assert_eq!(digits(&[0xff; 4]), "|NsC0");
        assert_eq!(digits(&[0xff]), digits(&[0xff, 0, 0, 0]));
    }

    #[test]
    fn lines_begin_with_their_length() {
        // Random bytes, which deflating does not shorten.
        let content: Vec<u8> =
            (0..100_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut out = Vec::new();
        append([b"", &content], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("GIT binary patch\nliteral 100\nz"), "{text}");
        assert!(text.contains("\n\nliteral 0\nH"), "{text}");
        assert!(text.ends_with("\n\n"), "{text}");
    }
}
