//! `.gitmodules`: names, paths and addresses of submodules that would do harm where
//! they are cloned.

use super::submodule_url::is_allowed;
use super::MessageId;
use crate::config::visit_variables;

/// Something that a submodule must not be.
pub(super) struct Problem<'a> {
    pub(super) id: MessageId,
    /// What it is.
    pub(super) about: &'a [u8],
}

/// Tells of the problems in the text of `.gitmodules`; returns whether it could be read.
pub(super) fn problems_of_modules(text: &[u8], tell: &mut dyn FnMut(Problem<'_>)) -> bool {
    // git takes this byte for the end of a text that is in memory.
    let text = text.split(|byte| *byte == 0xff).next().unwrap_or_default();
    visit_variables(text, |variable, value| {
        let Some((name, key)) = submodule(variable) else {
            return;
        };
        // As text that a NUL ends.
        let name = until_nul(name);
        if !is_allowed_name(name) {
            tell(Problem { id: MessageId::GitmodulesName, about: name });
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
        tell(Problem { id, about: value });
    })
}

/// Takes the name of a submodule and of what is said of it out of a variable's name.
fn submodule(variable: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = variable.strip_prefix(b"submodule.")?;
    let dot = rest.iter().rposition(|byte| *byte == b'.')?;
    Some((rest.get(..dot)?, rest.get(dot.saturating_add(1)..)?))
}

fn until_nul(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Tells whether a name, which is that of a folder below `modules`, stays there.
fn is_allowed_name(name: &[u8]) -> bool {
    !name.is_empty() && name.split(|byte| matches!(byte, b'/' | b'\\')).all(|part| part != b"..")
}
