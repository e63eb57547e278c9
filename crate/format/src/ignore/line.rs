//! The lines of a file of ignored paths.

/// Returns the patterns with the numbers of their lines.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let numbered = (1..).zip(text.split(|byte| *byte == b'\n'));
    let patterns = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
    patterns.map(|(number, line)| (number, pattern_of(line)))
}

/// Returns a line without its carriage return, and without spaces at its end that no backslash is
/// before.
fn pattern_of(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // git reads C strings.
    let line = line.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut end = 0;
    let mut bytes = line.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b' ' => continue,
            b'\\' if bytes.next().is_none() => return line,
            b'\\' => end = at.saturating_add(2),
            _ => end = at.saturating_add(1),
        }
    }
    line.get(..end).unwrap_or(line)
}
