//! Which content is binary, as git decides without attributes.

/// How many bytes are looked at.
const LOOKED_AT: usize = 8000;

/// Returns whether a content is binary: there is a NUL among its first 8000 bytes.
pub fn is_binary(content: &[u8]) -> bool {
    content.iter().take(LOOKED_AT).any(|byte| *byte == 0)
}
