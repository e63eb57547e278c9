//! Checks `.gitmodules` for names, paths and URLs of submodules that would do harm in a clone.

use super::submodule_url::is_allowed;
use super::MessageId;
use crate::config::{visit_variables, ConfigCursor};
use crate::submodules::{is_allowed_name, name_and_key};

/// A disallowed setting of a submodule.
pub(super) struct Problem<'a> {
    pub(super) id: MessageId,
    /// The text of the name or value.
    pub(super) about: &'a [u8],
}

/// Calls `report` for each problem in the text of `.gitmodules`; returns whether it could be
/// parsed.
pub(super) fn problems_of_modules(text: &[u8], report: &mut dyn FnMut(Problem<'_>)) -> bool {
    // git treats this byte as the end of a text that is in memory.
    let text = text.split(|byte| *byte == 0xff).next().unwrap_or_default();
    visit_variables(ConfigCursor::of_blob(), text, |variable, value| {
        let Some((name, key)) = name_and_key(variable) else {
            return;
        };
        // git reads names and values as strings that end at the first NUL.
        let name = until_nul(name);
        if !is_allowed_name(name) {
            report(Problem { id: MessageId::GitmodulesName, about: name });
        }
        let Some(value) = value.map(until_nul) else {
            return;
        };
        let id = match key {
            b"url" if !is_allowed(value) => MessageId::GitmodulesUrl,
            b"path" if value.starts_with(b"-") => MessageId::GitmodulesPath,
            b"update" if value.starts_with(b"!") => MessageId::GitmodulesUpdate,
            _ => return,
        };
        report(Problem { id, about: value });
    })
}

fn until_nul(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}
