//! Two contents compared.

use super::PatchKind;
use packlens_base::appender::{Append, Output};
use packlens_base::error::Result;
use packlens_base::regex::{Regex, Syntax};
use packlens_diff::{
    is_binary, replacement, DiffOptions, LineCounts, Spans, TextDiff, WordRule, WordStyle,
};

/// How words of changed lines are compared.
#[derive(Clone, Debug, Default)]
pub struct WordDiff {
    /// How they are printed.
    pub style: WordStyle,
    /// An extended regular expression of words; without one, the language of a file decides.
    pub pattern: Option<Vec<u8>>,
}

/// What compares texts beside their options: compiled expressions.
#[derive(Default)]
pub(super) struct TextRules {
    /// Changes of lines that match do not count.
    ignored: Vec<Regex>,
    words: Option<(WordStyle, Option<WordRule>)>,
}

impl TextRules {
    /// Compiles the expressions of lines whose changes do not count, and that of words.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadInput`](packlens_base::error::ErrorKind::BadInput) for a malformed one,
    /// [`ErrorKind::Unsupported`](packlens_base::error::ErrorKind::Unsupported) and
    /// [`ErrorKind::Limit`](packlens_base::error::ErrorKind::Limit) for others.
    pub(super) fn new(ignored: &[Vec<u8>], words: Option<&WordDiff>) -> Result<TextRules> {
        let compiled = |WordDiff { style, pattern }: &WordDiff| {
            let rule = pattern.as_deref().map(WordRule::matching).transpose()?;
            Ok((*style, rule))
        };
        Ok(TextRules { ignored: compiled_lines(ignored)?, words: words.map(compiled).transpose()? })
    }

    /// Prints a comparison.
    fn print(&self, diff: &TextDiff, options: &DiffOptions) -> Result<Vec<u8>> {
        let Some((style, rule)) = &self.words else { return Ok(diff.patch()) };
        match rule {
            Some(rule) => diff.word_patch(rule, *style, options.most_steps),
            None => {
                let rule = options.driver.map_or(WordRule::Spaces, WordRule::of);
                diff.word_patch(&rule, *style, options.most_steps)
            }
        }
    }
}

/// The result of a comparison.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) kind: PatchKind,
    counts: LineCounts,
    pub(super) hunks: Vec<u8>,
}

impl Compared {
    /// Compares two texts.
    ///
    /// # Errors
    ///
    /// Those of [`TextDiff::ignoring`] and [`TextDiff::word_patch`].
    pub(super) fn of(
        old: &[u8],
        new: &[u8],
        options: &DiffOptions,
        rules: &TextRules,
    ) -> Result<Compared> {
        let diff = TextDiff::ignoring(old, new, options, &rules.ignored)?;
        let hunks = rules.print(&diff, options)?;
        Ok(Compared { kind: PatchKind::Text, counts: diff.counts(), hunks })
    }

    /// Replaces all lines of a text; may leave out the old ones.
    ///
    /// # Errors
    ///
    /// Those of [`packlens_diff::replacement`].
    pub(super) fn rewritten(old: &[u8], new: &[u8], without_old: bool) -> Result<Compared> {
        let (counts, hunks) = replacement(old, new, without_old)?;
        Ok(Compared { kind: PatchKind::Text, counts, hunks })
    }

    /// Counts the bytes that are added and removed: all of a file that is only on one side.
    pub(super) fn in_bytes((old, new): &(Vec<u8>, Vec<u8>), exist: [bool; 2]) -> Compared {
        let counts = match exist {
            [true, true] => {
                let shared = Spans::of(old).shared_with(&Spans::of(new));
                let removed = old.len().saturating_sub(shared.copied as usize);
                LineCounts { added: shared.added as usize, removed }
            }
            _ => LineCounts { added: new.len(), removed: old.len() },
        };
        Compared { counts, ..Compared::default() }
    }

    pub(super) fn without_hunks(kind: PatchKind) -> Compared {
        Compared { kind, ..Compared::default() }
    }

    /// Appends the kind and the numbers of added and removed lines, 4 bytes each.
    pub(super) fn append_numbers(&self, to: &mut impl Append) -> Result<()> {
        to.u32(self.kind as u32)?;
        to.u32(self.counts.added as u32)?;
        to.u32(self.counts.removed as u32)
    }
}

fn compiled_lines(patterns: &[Vec<u8>]) -> Result<Vec<Regex>> {
    let compile = |pattern: &Vec<u8>| {
        let regex = Regex::written(pattern, Syntax::Extended, false);
        regex.map(Regex::by_line).map_err(|refused| refused.about(pattern))
    };
    patterns.iter().map(compile).collect()
}

/// The patch between two texts that the caller has.
pub struct TextPatch {
    old: Vec<u8>,
    new: Vec<u8>,
    options: DiffOptions,
    rules: TextRules,
}

impl TextPatch {
    /// Creates the question.
    pub fn new(old: Vec<u8>, new: Vec<u8>, options: DiffOptions) -> TextPatch {
        TextPatch { old, new, options, rules: TextRules::default() }
    }

    /// Leaves out changes, and compares words: see
    /// [`Patches::with_rules`](super::Patches::with_rules).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn with_rules(self, ignored: &[Vec<u8>], words: Option<&WordDiff>) -> Result<TextPatch> {
        Ok(TextPatch { rules: TextRules::new(ignored, words)?, ..self })
    }

    /// Appends the kind of the patch, and how many lines it adds and removes (4 bytes each), and
    /// its hunks.
    ///
    /// # Errors
    ///
    /// Those of [`TextDiff::ignoring`] and [`TextDiff::word_patch`].
    pub fn fill(&mut self, out: &mut Output) -> Result<()> {
        let compared = match is_binary(&self.old) || is_binary(&self.new) {
            true => Compared::without_hunks(PatchKind::Binary),
            false => Compared::of(&self.old, &self.new, &self.options, &self.rules)?,
        };
        let mut to = out.appender();
        compared.append_numbers(&mut to)?;
        to.bytes(&compared.hunks)
    }

    /// Returns how many bytes of memory this takes.
    pub fn memory(&self) -> u64 {
        self.old.capacity().saturating_add(self.new.capacity()) as u64
    }
}
