//! The paths that limit a comparison of two trees.

use packlens_format::object::Mode;

/// Paths from the root: files, and directories with all that is in them. Without paths everything
/// is compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiffLimit {
    paths: Vec<Vec<u8>>,
}

impl DiffLimit {
    /// Creates a limit. A path that ends with a slash is that of a directory or a submodule; the
    /// empty one stands for everything.
    pub fn new(paths: Vec<Vec<u8>>) -> DiffLimit {
        DiffLimit { paths }
    }

    /// Returns whether an entry is one of the paths, is in one of them, or leads to one.
    pub fn has(&self, entry: &[u8], mode: Mode) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|path| leads_to(path, entry, mode))
    }
}

fn leads_to(path: &[u8], entry: &[u8], mode: Mode) -> bool {
    let name = path.strip_suffix(b"/").unwrap_or(path);
    if let Some(below) = entry.strip_prefix(name) {
        let is_same = below.is_empty();
        let needs_directory = is_same && name.len() < path.len();
        let is_directory = mode.is_tree() || mode.is_gitlink();
        return name.is_empty()
            || (is_same && (is_directory || !needs_directory))
            || below.starts_with(b"/");
    }
    let above = name.strip_prefix(entry);
    mode.is_tree() && above.is_some_and(|rest| rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use super::DiffLimit;
    use packlens_format::object::Mode;

    #[test]
    fn takes_a_path_what_is_in_it_and_what_leads_to_it() {
        let limit = DiffLimit::new(vec![b"a/b".to_vec(), b"d/".to_vec()]);
        let (tree, file) = (Mode(0o40000), Mode(0o100_644));
        for (path, mode, expected) in [
            (&b"a"[..], tree, true),
            (b"a", file, false),
            (b"a/b", file, true),
            (b"a/b", tree, true),
            (b"a/b/c", file, true),
            (b"a/bc", file, false),
            (b"d", tree, true),
            (b"d", Mode(0o160_000), true),
            (b"d", file, false),
            (b"d/e", file, true),
            (b"b", file, false),
        ] {
            assert_eq!(limit.has(path, mode), expected, "{}", path.escape_ascii());
        }
        assert!(DiffLimit::default().has(b"x", file));
        assert!(DiffLimit::new(vec![Vec::new()]).has(b"x", file));
    }
}
