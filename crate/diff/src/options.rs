//! What a comparison considers, and how its answer is printed.

use crate::driver::Driver;

/// The algorithms of `git diff --diff-algorithm`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Algorithm {
    /// Myers' algorithm with heuristics that bound its time: git's default.
    #[default]
    Myers,
    /// Myers' algorithm without them: the fewest changed lines, in quadratic time at worst.
    Minimal,
    /// Lines that occur once on both sides are matched first.
    Patience,
    /// Lines that occur rarely are matched first.
    Histogram,
}

/// Which differences in white space are none. Space, tab, carriage return and line feed are
/// white space, as in git. Where git is given several such options, the first of `All`,
/// `Amount`, `AtEol`, `CrAtEol` decides.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Whitespace {
    /// All white space counts.
    #[default]
    Exact,
    /// A carriage return before the line feed does not count: `--ignore-cr-at-eol`.
    CrAtEol,
    /// White space at the end of a line does not count: `--ignore-space-at-eol`.
    AtEol,
    /// Nor does the amount of white space elsewhere: `-b`.
    Amount,
    /// No white space counts: `-w`.
    All,
}

/// The options of a comparison. The default is what `git diff` does without options.
#[derive(Clone, Copy, Debug)]
pub struct DiffOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Which differences in white space are none.
    pub whitespace: Whitespace,
    /// Whether changes are left out that only add or remove blank lines:
    /// `--ignore-blank-lines`. Such a change is still printed near another one.
    pub ignore_blank_lines: bool,
    /// Whether a hunk has the whole functions that it changes, and the lines above each that are
    /// not blank: `-W`.
    pub function_context: bool,
    /// Whether indentation decides where a change is shown that may be at several places.
    pub indent_heuristic: bool,
    /// How many unchanged lines are printed before and after a change: `-U`.
    pub context: u32,
    /// How many more unchanged lines may be between changes of one hunk:
    /// `--inter-hunk-context`.
    pub inter_hunk: u32,
    /// Which language decides on the headings of hunks; `None` for git's rule for any file.
    pub driver: Option<Driver>,
    /// The most steps of a comparison, each a few nanoseconds. More are an error of kind
    /// [`Limit`](packlens_base::ErrorKind::Limit). git has no such limit.
    pub most_steps: u64,
}

impl Default for DiffOptions {
    fn default() -> DiffOptions {
        DiffOptions {
            algorithm: Algorithm::Myers,
            whitespace: Whitespace::Exact,
            ignore_blank_lines: false,
            function_context: false,
            indent_heuristic: true,
            context: 3,
            inter_hunk: 0,
            driver: None,
            most_steps: 1 << 34,
        }
    }
}
