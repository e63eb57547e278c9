//! Patterns of refnames, as those of git-for-each-ref(1).

use crate::wildmatch::Pattern;

/// Patterns: each a whole name, or the directories it begins with, or one with `*`.
pub(super) struct RefPatterns(Vec<(Vec<u8>, Pattern)>);

impl RefPatterns {
    /// Takes patterns. Where case is ignored, that is for whole names only, as in git.
    pub(super) fn new(patterns: &[Vec<u8>], ignore_case: bool) -> RefPatterns {
        let own = |pattern: &Vec<u8>| (pattern.clone(), Pattern::new(pattern, ignore_case));
        RefPatterns(patterns.iter().map(own).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells whether a name fits one of them.
    pub(super) fn fit(&self, name: &[u8]) -> bool {
        let is_within = |text: &[u8]| {
            name.strip_prefix(text).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(b"/") || text.ends_with(b"/")
            })
        };
        self.0.iter().any(|(text, pattern)| is_within(text) || pattern.matches(name))
    }
}
