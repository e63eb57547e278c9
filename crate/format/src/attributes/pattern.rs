//! Patterns of paths, as in files of attributes and of ignored files.

use packlens_base::wildmatch::{literal_prefix, Pattern};

/// A pattern for the paths below the directory of its file.
#[derive(Clone, Debug)]
pub struct PathPattern {
    /// The pattern has no slash before its end: it is compared with the last name of a path.
    is_name: bool,
    /// The pattern ends with a slash: only directories match.
    is_directory: bool,
    /// The beginning, up to the first special character.
    literal: Vec<u8>,
    /// `None` for a pattern without special characters.
    wild: Option<Wild>,
    /// ASCII letters of both cases are the same: `core.ignoreCase`.
    fold_case: bool,
}

#[derive(Clone, Debug)]
enum Wild {
    /// A star and bytes without special characters, which is the whole pattern of a name.
    End(Vec<u8>),
    Pattern(Pattern),
}

impl PathPattern {
    /// Parses a pattern; with `fold_case` one that ignores the case of ASCII letters.
    pub fn new(pattern: &[u8], fold_case: bool) -> PathPattern {
        let is_directory = pattern.ends_with(b"/");
        let pattern = pattern.strip_suffix(b"/").unwrap_or(pattern);
        let is_name = !pattern.contains(&b'/');
        let pattern = if is_name { pattern } else { pattern.strip_prefix(b"/").unwrap_or(pattern) };
        let literal = literal_prefix(pattern);
        let end = pattern.strip_prefix(b"*").filter(|end| literal_prefix(end) == *end);
        let wild = match end {
            _ if literal == pattern => None,
            Some(end) if is_name => Some(Wild::End(end.to_vec())),
            _ if is_name => Some(Wild::Pattern(Pattern::across_slashes(pattern, fold_case))),
            _ => Some(Wild::Pattern(Pattern::new(pattern, fold_case))),
        };
        PathPattern { is_name, is_directory, literal: literal.to_vec(), wild, fold_case }
    }

    /// Returns whether a path matches: one below the directory `base`, which is empty or ends
    /// with a slash.
    pub fn matches(&self, base: &[u8], path: &[u8], is_directory: bool) -> bool {
        if self.is_directory && !is_directory {
            return false;
        }
        let Some(below) = path.strip_prefix(base) else {
            return false;
        };
        let text = match self.is_name {
            true => below.rsplit(|byte| *byte == b'/').next().unwrap_or_default(),
            false => below,
        };
        let Some((literal, rest)) = text.split_at_checked(self.literal.len()) else {
            return false;
        };
        if !self.is_same(literal, &self.literal) {
            return false;
        }
        match &self.wild {
            None => rest.is_empty(),
            Some(Wild::End(end)) => {
                let start = rest.len().checked_sub(end.len());
                start
                    .and_then(|start| rest.get(start..))
                    .is_some_and(|rest| self.is_same(rest, end))
            }
            Some(Wild::Pattern(pattern)) => pattern.matches(text),
        }
    }

    fn is_same(&self, one: &[u8], other: &[u8]) -> bool {
        one == other || (self.fold_case && one.eq_ignore_ascii_case(other))
    }

    pub(crate) fn memory(&self) -> usize {
        let wild = match &self.wild {
            None => 0,
            Some(Wild::End(end)) => end.len(),
            Some(Wild::Pattern(pattern)) => pattern.memory() as usize,
        };
        self.literal.len().saturating_add(wild)
    }
}
