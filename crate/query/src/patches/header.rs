//! The lines of a patch before its hunks: <https://git-scm.com/docs/diff-format>.

use crate::changes::{OriginKind, TreeChange, MAX_SCORE};
use packlens_base::quote::quoted;
use packlens_format::object::Mode;

/// What the header says about one side of a file.
pub(super) struct Side<'a> {
    pub(super) mode: Mode,
    /// The digits of the id.
    pub(super) id: &'a str,
}

/// How the contents are compared.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Body {
    /// Hunks follow.
    Hunks,
    /// The contents are binary.
    Binary,
    /// Nothing follows: the contents are equal, or one is empty and the other does not exist.
    Nothing,
}

/// Appends the header of a change. `null` are the digits of the id of a missing side; those of a
/// reversed comparison have each other's prefixes.
pub(super) fn append_header(
    change: &TreeChange,
    [old, new]: [Option<&Side<'_>>; 2],
    (null, is_reversed): (&str, bool),
    body: Body,
    out: &mut Vec<u8>,
) {
    let paths = [change.old_path(), &change.path];
    let [a, b]: [&[u8]; 2] = if is_reversed { [b"b/", b"a/"] } else { [b"a/", b"b/"] };
    let names = [quoted(a, paths[0]), quoted(b, paths[1])];
    let mut line = |parts: &[&[u8]]| {
        parts.iter().for_each(|part| out.extend_from_slice(part));
        out.push(b'\n');
    };
    line(&[b"diff --git ", &names[0], b" ", &names[1]]);
    let mode = |side: &Side<'_>| format!("{:06o}", side.mode.canonical().0).into_bytes();
    let mut kept = Vec::new();
    match (old, new) {
        (Some(old), Some(new)) if mode(old) == mode(new) => kept = [vec![b' '], mode(new)].concat(),
        (Some(old), Some(new)) => {
            line(&[b"old mode ", &mode(old)]);
            line(&[b"new mode ", &mode(new)]);
        }
        (Some(old), None) => line(&[b"deleted file mode ", &mode(old)]),
        (None, Some(new)) => line(&[b"new file mode ", &mode(new)]),
        (None, None) => {}
    }
    if let Some(origin) = &change.origin {
        let percent = origin.score / (MAX_SCORE / 100);
        let (index, verb): (&[u8], &[u8]) = match origin.kind {
            OriginKind::Named => (b"", b""),
            OriginKind::Rewritten => (b"dissimilarity", b""),
            OriginKind::Renamed => (b"similarity", b"rename"),
            OriginKind::Copied => (b"similarity", b"copy"),
        };
        if !index.is_empty() {
            line(&[index, b" index ", percent.to_string().as_bytes(), b"%"]);
        }
        if !verb.is_empty() {
            line(&[verb, b" from ", &quoted(b"", paths[0])]);
            line(&[verb, b" to ", &quoted(b"", paths[1])]);
        }
    }
    let [from, to] = [old, new].map(|side| side.map_or(null, |side| side.id));
    if from != to {
        line(&[b"index ", from.as_bytes(), b"..", to.as_bytes(), &kept]);
    }
    // These are git's lines of a rewritten file, whose prefixes are never swapped.
    let is_rewritten =
        change.origin.as_ref().is_some_and(|origin| origin.kind == OriginKind::Rewritten);
    let shown = match body == Body::Hunks && is_rewritten {
        true => [quoted(b"a/", paths[0]), quoted(b"b/", paths[1])],
        false => names,
    };
    let [from, to] = [(old, &shown[0]), (new, &shown[1])].map(|(side, name)| match side {
        Some(_) => name.as_slice(),
        None => b"/dev/null",
    });
    match body {
        Body::Nothing => {}
        Body::Binary => line(&[b"Binary files ", from, b" and ", to, b" differ"]),
        Body::Hunks => {
            // Programs that read patches end a name at a tab, not at a space.
            let end = |side: Option<&Side<'_>>, path: &[u8]| match side.is_some()
                && path.contains(&b' ')
            {
                true => b"\t".as_slice(),
                false => b"",
            };
            line(&[b"--- ", from, end(old, paths[0])]);
            line(&[b"+++ ", to, end(new, paths[1])]);
        }
    }
}

/// What the header of a file of a merge says.
pub(super) struct CombinedHeader<'a> {
    pub(super) path: &'a [u8],
    /// The modes of the parents and of the result; 0 where there is no file.
    pub(super) modes: &'a [u32],
    /// The digits of their ids.
    pub(super) digits: &'a [String],
    /// The paths in the parents, if each is named.
    pub(super) old_paths: Option<Vec<&'a [u8]>>,
    pub(super) is_dense: bool,
    pub(super) has_binary: bool,
}

/// Appends the header of a file of a merge.
pub(super) fn append_combined_header(header: &CombinedHeader<'_>, out: &mut Vec<u8>) {
    let CombinedHeader { path, modes, digits, .. } = header;
    let mut line = |parts: &[&[u8]]| {
        parts.iter().for_each(|part| out.extend_from_slice(part));
        out.push(b'\n');
    };
    let verb: &[u8] = if header.is_dense { b"diff --cc " } else { b"diff --combined " };
    line(&[verb, &quoted(b"", path)]);
    let (Some((result, olds)), Some((mode, old_modes))) = (digits.split_last(), modes.split_last())
    else {
        return;
    };
    line(&[b"index ", olds.join(",").as_bytes(), b"..", result.as_bytes()]);
    let is_new = old_modes.iter().all(|old| *old == 0);
    if old_modes.iter().any(|old| old != mode) {
        let printed: Vec<String> = old_modes.iter().map(|mode| format!("{mode:06o}")).collect();
        let printed = printed.join(",");
        let mode_text = format!("{mode:06o}");
        match (*mode, is_new) {
            (0, _) => line(&[b"deleted file mode ", printed.as_bytes()]),
            (_, true) => line(&[b"new file mode ", mode_text.as_bytes()]),
            _ => line(&[b"mode ", printed.as_bytes(), b"..", mode_text.as_bytes()]),
        }
    }
    if header.has_binary {
        return line(&[b"Binary files differ"]);
    }
    let name = |prefix: &[u8], path: &[u8], is_missing: bool| match is_missing {
        true => b"/dev/null".to_vec(),
        false => quoted(prefix, path),
    };
    match &header.old_paths {
        None => line(&[b"--- ", &name(b"a/", path, is_new)]),
        Some(paths) => paths
            .iter()
            .zip(old_modes)
            .for_each(|(path, mode)| line(&[b"--- ", &name(b"a/", path, *mode == 0)])),
    }
    line(&[b"+++ ", &name(b"b/", path, *mode == 0)]);
}
