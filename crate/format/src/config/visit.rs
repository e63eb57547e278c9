//! Visits the variables of a text in the syntax of git's `config`.

use super::cursor::ConfigCursor;

/// Calls `visit` with each variable and its value; `None` for a variable without `=`. Names are
/// as in [`NamedValue`](super::NamedValue). Returns whether the whole text could be read.
pub fn visit_variables(text: &[u8], mut visit: impl FnMut(&[u8], Option<&[u8]>)) -> bool {
    let mut cursor = ConfigCursor::new(text);
    loop {
        match cursor.next(text) {
            Ok(Some((name, value))) => visit(name, value.as_deref()),
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}
