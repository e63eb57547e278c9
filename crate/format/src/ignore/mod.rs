//! The files `.gitignore`, `info/exclude` and that of `core.excludesFile`:
//! <https://git-scm.com/docs/gitignore>.

mod line;

use crate::attributes::PathPattern;
use line::lines;

/// The size from which git ignores a file.
pub const MAX_IGNORES_LEN: u64 = 100 << 20;

/// The lines of a file that have a pattern.
#[derive(Clone, Debug, Default)]
pub struct Ignores {
    rules: Vec<IgnoreRule>,
}

/// A line with a pattern.
#[derive(Clone, Debug)]
pub struct IgnoreRule {
    /// The number of the line, from 1.
    pub line: u32,
    /// The line without what git leaves out, such as spaces at its end.
    pub text: Vec<u8>,
    /// Whether the line begins with `!`: what matches is included again.
    pub is_negative: bool,
    pattern: PathPattern,
}

/// A file of ignored paths, and the directory that it is about: empty, or with a slash at its end.
#[derive(Clone, Copy, Debug)]
pub struct PlacedIgnores<'a> {
    /// The directory.
    pub base: &'a [u8],
    /// The lines.
    pub file: &'a Ignores,
}

impl Ignores {
    /// Parses a file.
    pub fn parse(text: &[u8]) -> Ignores {
        Ignores::parse_with_case(text, false)
    }

    /// As [`Ignores::parse`]; with `fold_case`, the case of ASCII letters does not count.
    pub fn parse_with_case(text: &[u8], fold_case: bool) -> Ignores {
        if text.len() as u64 >= MAX_IGNORES_LEN {
            return Ignores::default();
        }
        let rules = lines(text).map(|(line, text)| {
            let (is_negative, pattern) = match text.strip_prefix(b"!") {
                Some(pattern) => (true, pattern),
                None => (false, text),
            };
            let pattern = PathPattern::new(pattern, fold_case);
            IgnoreRule { line, text: text.to_vec(), is_negative, pattern }
        });
        Ignores { rules: rules.collect() }
    }

    /// Returns the last rule that a path matches.
    fn last_match(&self, base: &[u8], path: &[u8], is_directory: bool) -> Option<&IgnoreRule> {
        let mut last_first = self.rules.iter().rev();
        last_first.find(|rule| rule.pattern.matches(base, path, is_directory))
    }

    /// Returns whether the last matching line selects a path, as the lines of a file of sparse
    /// checkouts do; `None` if no line matches.
    pub fn selects(&self, path: &[u8], is_directory: bool) -> Option<bool> {
        self.last_match(b"", path, is_directory).map(|rule| !rule.is_negative)
    }

    /// Returns how many bytes of memory the lines take.
    pub fn memory(&self) -> u64 {
        let own = |rule: &IgnoreRule| {
            let texts = rule.text.capacity().saturating_add(rule.pattern.memory());
            texts.saturating_add(size_of::<IgnoreRule>()) as u64
        };
        self.rules.iter().map(own).fold(0, u64::saturating_add)
    }
}

/// Returns the rule that decides about a path, and which of the files has it; `None` if no rule
/// does. The path is ignored if the rule is not negative. Files with the least weight come first:
/// that of `core.excludesFile`, `info/exclude`, the `.gitignore` at the top, those in directories
/// above the path.
///
/// What is in an ignored directory is ignored by the rule of that directory.
pub fn ignore_rule<'a>(
    files: &[PlacedIgnores<'a>],
    path: &[u8],
    is_directory: bool,
) -> Option<(usize, &'a IgnoreRule)> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    for (at, _) in slashes {
        let directory = path.get(..at).unwrap_or_default();
        let found = rule_of(files, directory, true).filter(|(_, rule)| !rule.is_negative);
        if found.is_some() {
            return found;
        }
    }
    rule_of(files, path, is_directory)
}

/// Returns the rule of a path whose directories are not ignored.
fn rule_of<'a>(
    files: &[PlacedIgnores<'a>],
    path: &[u8],
    is_directory: bool,
) -> Option<(usize, &'a IgnoreRule)> {
    let mut last_first = files.iter().enumerate().rev();
    last_first.find_map(|(at, PlacedIgnores { base, file })| {
        file.last_match(base, path, is_directory).map(|rule| (at, rule))
    })
}
