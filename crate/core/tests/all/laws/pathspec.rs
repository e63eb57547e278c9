//! What a pathspec says of a path, it says of the directories above it.

use super::input::Input;
use packlens::{ErrorKind, Mode, Pathspec};

const TREE: Mode = Mode(0o40000);
const FILE: Mode = Mode(0o100644);

/// Any elements are a typed error, or select paths that are found by going down from the root.
pub fn pathspec(data: &[u8]) {
    let mut input = Input(data);
    let elements: Vec<&[u8]> = (0..usize::from(input.byte() % 4)).map(|_| input.sized()).collect();
    let path: &[u8] = input.0;
    let pathspec = match Pathspec::parse(&elements) {
        Ok(pathspec) => pathspec,
        Err(error) => {
            let expected = [ErrorKind::BadInput, ErrorKind::Unsupported];
            assert!(expected.contains(&error.kind()) && !error.subject().is_empty(), "{error}");
            return;
        }
    };
    let has_names =
        path.split(|byte| *byte == b'/').all(|name| !matches!(name, b"" | b"." | b".."));
    if !has_names || path.contains(&0) {
        return;
    }
    let directory =
        |path: &[u8]| path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let selected = pathspec.select(path, directory(path), FILE, true);
    assert!(!selected.descends, "a file has no entries");
    assert!(selected.is_selected || !pathspec.is_all(), "all paths are selected");
    if !selected.is_selected {
        return;
    }
    for (end, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        let above = &path[..end];
        let tree = pathspec.select(above, directory(above), TREE, true);
        assert!(tree.descends, "nothing leads to a selected path");
    }
    if let Some(paths) = pathspec.leading_paths() {
        let leads = |leading: &&[u8]| {
            path.strip_prefix(*leading).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        };
        assert!(paths.iter().any(leads), "no leading path has a selected path");
    }
    if let Some(paths) = pathspec.plain_paths() {
        let is_plain = |plain: &Vec<u8>| plain.is_empty() || path.starts_with(plain);
        assert!(paths.is_empty() || paths.iter().any(is_plain), "no plain path is selected");
    }
}
