//! One element of a pathspec, and the paths that it matches.

use super::parse::Parsed;
use packlens_base::wildmatch::{literal_prefix, Pattern};

/// A path, or a pattern after a path.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// The whole text without a slash at its end.
    text: Vec<u8>,
    /// The text ends with a slash: only a directory or a submodule is meant.
    is_directory: bool,
    /// How many bytes of the text keep their case: those of the current directory.
    exact: usize,
    folds_case: bool,
    /// How many bytes of the text no wildcard is in.
    literal: usize,
    wild: Option<Wild>,
}

/// What follows the literal bytes.
#[derive(Clone, Debug)]
enum Wild {
    /// A `*` and bytes without wildcards, the most common pattern.
    EndsWith(Vec<u8>),
    Pattern(Pattern),
}

impl Element {
    pub(super) fn new(parsed: &Parsed<'_>) -> Element {
        let Parsed { ref path, exact, is_icase, is_glob, is_literal, .. } = *parsed;
        let literal = match is_literal {
            true => path.len(),
            false => literal_prefix(path).len().max(exact),
        };
        let text = path.strip_suffix(b"/").unwrap_or(path);
        // A `**` after the literal bytes is one at the beginning, as in git.
        let pattern = path.get(literal..).unwrap_or_default();
        let wild = (!pattern.is_empty()).then(|| match pattern.strip_prefix(b"*") {
            Some(end) if !is_glob && literal_prefix(end) == end => Wild::EndsWith(end.to_vec()),
            _ if is_glob => Wild::Pattern(Pattern::new(pattern, is_icase)),
            _ => Wild::Pattern(Pattern::across_slashes(pattern, is_icase)),
        });
        Element {
            text: text.to_vec(),
            is_directory: text.len() < path.len(),
            exact,
            folds_case: is_icase,
            literal,
            wild,
        }
    }

    /// Returns the path or pattern without its magic.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    pub(super) fn has_wildcards(&self) -> bool {
        self.wild.is_some()
    }

    pub(super) fn is_all(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether a file or a submodule is selected.
    pub(super) fn matches(&self, path: &[u8], is_submodule: bool) -> bool {
        self.covers(path, is_submodule) || self.matches_wildly(path)
    }

    /// Returns whether a path is this text or below it. Where the text ends with a slash, the path
    /// itself counts if it `may_be_directory`.
    pub(super) fn covers(&self, path: &[u8], may_be_directory: bool) -> bool {
        let Some((head, rest)) = path.split_at_checked(self.text.len()) else {
            return false;
        };
        let ends = self.is_all()
            || rest.first() == Some(&b'/')
            || (rest.is_empty() && (may_be_directory || !self.is_directory));
        ends && self.is_same(head)
    }

    /// Returns what follows this text in the path of a directory below it, from a slash on. The
    /// root is followed by the whole path, with a slash before it.
    pub(super) fn rest_of(&self, directory: &[u8]) -> Option<Vec<u8>> {
        let rest = directory.get(self.text.len()..).filter(|_| self.covers(directory, true))?;
        let slash: &[u8] = if self.is_all() { b"/" } else { b"" };
        Some([slash, rest].concat())
    }

    /// Returns whether this text is a path below a directory.
    pub(super) fn leads_from(&self, directory: &[u8]) -> bool {
        let slash = self.text.get(directory.len());
        slash == Some(&b'/') && self.is_same(directory)
    }

    /// Returns whether the wildcards match a path.
    pub(super) fn matches_wildly(&self, path: &[u8]) -> bool {
        let Some(wild) = &self.wild else { return false };
        let Some((head, rest)) = path.split_at_checked(self.literal) else {
            return false;
        };
        self.is_same(head)
            && match wild {
                Wild::Pattern(pattern) => pattern.matches(rest),
                Wild::EndsWith(end) => {
                    let start = rest.len().checked_sub(end.len());
                    start.and_then(|start| rest.get(start..)).is_some_and(|rest| {
                        rest == end || (self.folds_case && rest.eq_ignore_ascii_case(end))
                    })
                }
            }
    }

    /// Returns whether wildcards may match something in a directory, whose path ends with a slash.
    pub(super) fn may_match_in(&self, directory: &[u8]) -> bool {
        let common = directory.len().min(self.literal);
        self.wild.is_some() && self.is_same(directory.get(..common).unwrap_or_default())
    }

    /// Returns whether the text begins so.
    fn is_same(&self, start: &[u8]) -> bool {
        let Some(own) = self.text.get(..start.len()) else {
            return false;
        };
        let exact = self.exact.min(start.len());
        own == start
            || (self.folds_case
                && own.get(..exact) == start.get(..exact)
                && own.eq_ignore_ascii_case(start))
    }

    /// Returns the path, with its slash, if there are no wildcards.
    pub(super) fn plain_path(&self) -> Option<Vec<u8>> {
        let slash: &[u8] = if self.is_directory { b"/" } else { b"" };
        (self.wild.is_none() && !self.folds_case).then(|| [&self.text, slash].concat())
    }

    /// Returns the path, or the directory that every matching path is in.
    pub(super) fn leading_path(&self) -> &[u8] {
        let most = match self.folds_case {
            true => self.exact,
            false => self.literal,
        };
        if most >= self.text.len() {
            return &self.text;
        }
        let head = self.text.get(..most).unwrap_or_default();
        let end = head.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        head.get(..end).unwrap_or_default()
    }

    pub(super) fn memory(&self) -> u64 {
        let wild = match &self.wild {
            Some(Wild::Pattern(pattern)) => pattern.memory(),
            Some(Wild::EndsWith(end)) => end.capacity() as u64,
            None => 0,
        };
        wild.saturating_add(self.text.capacity().saturating_add(size_of::<Element>()) as u64)
    }
}
