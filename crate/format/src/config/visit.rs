//! Visits the variables of a text in the syntax of git's `config`.

use super::cursor::ConfigCursor;

/// Calls `visit` with each variable from `cursor` on and its value; `None` for a variable without
/// `=`. Names are as in [`NamedValue`](super::NamedValue). Returns whether the whole text could be
/// read.
pub fn visit_variables(
    mut cursor: ConfigCursor,
    text: &[u8],
    mut visit: impl FnMut(&[u8], Option<&[u8]>),
) -> bool {
    loop {
        match cursor.next(text) {
            Ok(Some((name, value))) => visit(name, value.as_deref()),
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}
