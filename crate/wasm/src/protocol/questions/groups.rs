//! Fields that several questions have in common.

use super::Bytes;
use crate::protocol::field::{group, MaybeNames, Text, Types};
use packlens::{
    Algorithm, DiffOptions, Filter, PickaxeKind, PickaxeOptions, RenameKind, RenameOptions,
    RewriteScores, Whitespace, WordDiff, WordMarks, WordStyle,
};

group! {
    /// How texts are compared, and printed.
    TextFields {
        algorithm: Algorithm,
        whitespace: Whitespace,
        ignore_blank_lines: bool,
        without_indent_heuristic: bool,
        /// How many unchanged lines are around a change; 3 by default.
        context: Option<u32>,
        inter_hunk: u32,
    }
}

impl TextFields {
    pub(super) fn options(self) -> DiffOptions {
        let default = DiffOptions::default();
        DiffOptions {
            algorithm: self.algorithm,
            whitespace: self.whitespace,
            ignore_blank_lines: self.ignore_blank_lines,
            indent_heuristic: !self.without_indent_heuristic,
            context: self.context.unwrap_or(default.context),
            inter_hunk: self.inter_hunk,
            ..default
        }
    }
}

group! {
    /// Which lines hunks have.
    HunkFields {
        /// Hunks have the whole functions that they change.
        function_context: bool,
        /// Changes of nothing but lines in which one of these expressions is found are left out.
        ignored_lines: MaybeNames,
        /// How words of changed lines are compared and printed.
        word_diff: Option<WordMarks>,
        /// Words have the colors of a terminal.
        word_colors: bool,
        /// The expression of words; none for those of a file's language.
        word_pattern: Option<Bytes>,
    }
}

impl HunkFields {
    /// Returns the options with those of texts, the expressions of lines, and how words are
    /// compared.
    pub(super) fn options(self, text: TextFields) -> (DiffOptions, Vec<Vec<u8>>, Option<WordDiff>) {
        let HunkFields { function_context, ignored_lines, word_diff, word_colors: colors, .. } =
            self;
        let pattern = self.word_pattern;
        let words = word_diff.map(|marks| WordDiff { style: WordStyle { marks, colors }, pattern });
        (DiffOptions { function_context, ..text.options() }, ignored_lines.0, words)
    }
}

group! {
    /// Which changes are listed, by their contents.
    PickaxeFields {
        pickaxe: PickaxeKind,
        /// The text or the expression that is looked for.
        pickaxe_text: Text,
        pickaxe_ignores_case: bool,
        /// Lists all changes if one is wanted.
        pickaxe_all: bool,
    }
}

impl PickaxeFields {
    pub(super) fn options(self) -> PickaxeOptions {
        PickaxeOptions {
            kind: self.pickaxe,
            text: self.pickaxe_text.0,
            ignore_case: self.pickaxe_ignores_case,
            all: self.pickaxe_all,
        }
    }
}

group! {
    /// How renames, copies and rewrites are found. Scores are parts of 60000.
    RenameFields {
        renames: RenameKind,
        /// How similar a renamed file must be.
        rename_score: Option<u32>,
        rename_limit: Option<u32>,
        skips_empty: bool,
        /// How much a file must have changed to be split; none to split no files.
        split_score: Option<u32>,
        /// How much of a file must be gone so that it is a rewritten one.
        rewritten_score: Option<u32>,
    }
}

impl RenameFields {
    pub(super) fn options(self) -> RenameOptions {
        let (default, scores) = (RenameOptions::default(), RewriteScores::default());
        let rewritten = self.rewritten_score.unwrap_or(scores.rewritten);
        RenameOptions {
            kind: self.renames,
            score: self.rename_score.unwrap_or(default.score),
            limit: self.rename_limit.unwrap_or(default.limit),
            skips_empty: self.skips_empty,
            rewrites: self.split_score.map(|split| RewriteScores { split, rewritten }),
        }
    }
}

group! {
    /// Which objects of a listing, or of a batch, are answered.
    FilterFields {
        types: Types,
        /// The types that only objects from `least` to `most` bytes pass.
        sized: Types,
        least: u64,
        most: Option<u64>,
    }
}

impl FilterFields {
    pub(super) fn filter(self) -> Filter {
        let sizes = self.least..=self.most.unwrap_or(u64::MAX);
        Filter::of_types(self.types.0).with_sizes(self.sized.0, sizes)
    }
}
