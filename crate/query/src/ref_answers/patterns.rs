//! Patterns of refnames, like those of git-for-each-ref(1).

use packlens_base::error::Result;
use packlens_base::module::FullOnly;
use packlens_base::wildmatch::Pattern;

/// Patterns: each is a whole name, the directories it begins with, or a glob with `*`.
pub(super) struct RefPatterns(Vec<FullOnly<(Vec<u8>, Pattern)>>);

impl RefPatterns {
    /// Compiles patterns. `ignore_case` applies to whole-name matches only, as in git.
    ///
    /// # Errors
    ///
    /// A need for the full module, unless there are no patterns.
    pub fn new(patterns: &[Vec<u8>], ignore_case: bool) -> Result<RefPatterns> {
        let own = |pattern: &Vec<u8>| {
            FullOnly::new(|| (pattern.clone(), Pattern::new(pattern, ignore_case)))
        };
        Ok(RefPatterns(patterns.iter().map(own).collect::<Result<_>>()?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a name matches one of the patterns.
    pub(super) fn fit(&self, name: &[u8]) -> bool {
        let is_within = |text: &[u8]| {
            name.strip_prefix(text).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(b"/") || text.ends_with(b"/")
            })
        };
        self.0.iter().any(|own| is_within(&own.0) || own.1.matches(name))
    }
}
