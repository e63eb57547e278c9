//! Reads `.gitmodules`: <https://git-scm.com/docs/gitmodules>.

use crate::config::{BadLine, ConfigCursor};
use packlens_base::sort;

/// A submodule as `.gitmodules` describes it, with the values as they are written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Submodule {
    /// The name: the path at which it was added, as a rule.
    pub name: Vec<u8>,
    /// Where it is checked out, from the root of the tree.
    pub path: Option<Vec<u8>>,
    /// Where it is cloned from; one that begins with `./` or `../` is relative to the remote.
    pub url: Option<Vec<u8>>,
    /// The branch that an update follows; `.` for the name of the current one.
    pub branch: Option<Vec<u8>>,
}

/// A value of a submodule.
struct Setting {
    name: Vec<u8>,
    key: Key,
    value: Vec<u8>,
    /// The position among all.
    at: usize,
}

#[derive(Clone, Copy)]
enum Key {
    Path,
    Url,
    Branch,
}

/// A submodule, and the positions of its first setting and of that of its path.
struct Placed {
    submodule: Submodule,
    first: usize,
    path_at: usize,
}

/// Returns the submodules that a text describes, in the order of their names' first settings. As in
/// git the last of several values counts, and so does the last of several submodules at one path;
/// names that could lead out of a directory, and values that look like options, are ignored.
///
/// # Errors
///
/// A line that breaks the syntax, or a path, URL or branch without a value.
pub fn submodules(text: &[u8]) -> Result<Vec<Submodule>, BadLine> {
    let mut settings = settings_in(text)?;
    sort::by(&mut settings, |one, other| (&one.name, one.at).cmp(&(&other.name, other.at)));
    let mut found: Vec<Placed> = Vec::new();
    for Setting { name, key, value, at } in settings {
        if found.last().is_none_or(|last| last.submodule.name != name) {
            let submodule = Submodule { name, ..Submodule::default() };
            found.push(Placed { submodule, first: at, path_at: at });
        }
        let Some(Placed { submodule, path_at, .. }) = found.last_mut() else {
            continue;
        };
        match key {
            Key::Path => (submodule.path, *path_at) = (Some(value), at),
            Key::Url => submodule.url = Some(value),
            Key::Branch => submodule.branch = Some(value),
        }
    }
    let by_path = |one: &Placed, other: &Placed| {
        (&one.submodule.path, one.path_at).cmp(&(&other.submodule.path, other.path_at))
    };
    sort::by(&mut found, by_path);
    let mut later: Option<Vec<u8>> = None;
    for placed in found.iter_mut().rev() {
        if later.is_some() && placed.submodule.path == later {
            placed.submodule.path = None;
        } else {
            later.clone_from(&placed.submodule.path);
        }
    }
    sort::by(&mut found, |one, other| one.first.cmp(&other.first));
    Ok(found.into_iter().map(|placed| placed.submodule).collect())
}

fn settings_in(text: &[u8]) -> Result<Vec<Setting>, BadLine> {
    let mut settings = Vec::new();
    let mut cursor = ConfigCursor::of_blob();
    while let Some((variable, value)) = cursor.next(text)? {
        let Some((name, key)) = name_and_key(variable) else {
            continue;
        };
        let key = match key {
            b"path" => Key::Path,
            b"url" => Key::Url,
            b"branch" => Key::Branch,
            _ => continue,
        };
        if !is_allowed_name(name) {
            continue;
        }
        let name = name.to_vec();
        let Some(value) = value else {
            return Err(BadLine { line: cursor.line(), offset: text.len() });
        };
        if matches!(key, Key::Branch) || !value.starts_with(b"-") {
            settings.push(Setting { name, key, value, at: settings.len() });
        }
    }
    Ok(settings)
}

/// Splits the name of a variable into the submodule's name and the key.
pub(crate) fn name_and_key(variable: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = variable.strip_prefix(b"submodule.")?;
    let dot = rest.iter().rposition(|byte| *byte == b'.')?;
    Some((rest.get(..dot)?, rest.get(dot.saturating_add(1)..)?))
}

/// Returns whether a submodule's name stays below `modules`, where it is the name of a
/// directory.
pub(crate) fn is_allowed_name(name: &[u8]) -> bool {
    !name.is_empty() && name.split(|byte| matches!(byte, b'/' | b'\\')).all(|part| part != b"..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let shown = |text: Option<Vec<u8>>| {
            text.map_or("-".to_owned(), |text| String::from_utf8(text).unwrap())
        };
        let all = submodules(text.as_bytes()).unwrap().into_iter();
        all.map(|Submodule { name, path, url, branch }| {
            [Some(name), path, url, branch].map(shown).join(" ")
        })
        .collect()
    }

    #[test]
    fn the_last_value_and_the_last_submodule_of_a_path_count() {
        let text = "[submodule \"a\"]\n\tpath = a\n\turl = one\n\tbranch = .\n\
                    [submodule \"B\"]\n\tpath = a\n\turl = b\n[submodule \"a\"]\n\turl = two\n";
        assert_eq!(shown(text), ["a - two .", "B a b -"]);
        let back = format!("{text}\tpath = a\n");
        assert_eq!(shown(&back), ["a a two .", "B - b -"]);
        assert_eq!(shown(&format!("{back}\tpath = c\n")), ["a c two .", "B a b -"]);
    }

    #[test]
    fn what_could_do_harm_is_ignored() {
        let text =
            "[submodule \"../up\"]\n\tpath = up\n[submodule \"a\"]\n\tpath = -a\n\turl = -b\n\
                    [submodule]\n\tpath = x\n[other \"a\"]\n\tpath = y\n";
        assert_eq!(shown(text), [""; 0]);
    }

    #[test]
    fn a_line_that_git_refuses_is_named() {
        for (text, line) in [("[submodule \"a\"]\n\tpath\n", 2), ("\n[submodule \"a\"\n", 3)] {
            assert_eq!(submodules(text.as_bytes()).unwrap_err().line, line, "{text}");
        }
    }
}
