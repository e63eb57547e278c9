//! Compares two texts line by line, with the answers of `git diff`.
//!
//! [`TextDiff`] compares two texts. Its [`changes`](TextDiff::changes) are ranges of lines;
//! [`hunks`](TextDiff::hunks) group them, and [`patch`](TextDiff::patch) prints them: byte for
//! byte what `git diff` prints after the names of the files. Texts are bytes of any encoding.
//!
//! ```
//! use packlens_diff::{DiffOptions, TextDiff};
//!
//! let diff = TextDiff::new(b"one\ntwo\n", b"one\n2\n", &DiffOptions::default())?;
//! assert_eq!(diff.patch(), b"@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
//! # Ok::<(), packlens_base::Error>(())
//! ```
//!
//! A comparison has these steps, each a module: lines become numbers, an algorithm marks the
//! lines without a counterpart, changes move to where they read best, and hunks are printed.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod binary;
mod changes;
mod combined;
mod compact;
mod diff;
mod driver;
mod function_context;
mod heading;
mod histogram;
mod hunks;
mod indent;
mod lines;
mod myers;
mod options;
mod patch;
mod patience;
mod region;
mod same_tail;
mod similar;
mod spans;
mod steps;
mod texts;
mod tokens;
mod word_patch;
mod words;

pub use binary::is_binary;
pub use changes::Change;
pub use combined::combined_patch;
pub use diff::{LineCounts, TextDiff};
pub use driver::Driver;
pub use hunks::Hunk;
pub use lines::line_ends;
pub use options::{Algorithm, DiffOptions, Whitespace};
pub use patch::{replacement, LineKind};
pub use similar::SimilarLines;
pub use spans::{Shared, Spans};
pub use word_patch::{WordMarks, WordStyle};
pub use words::WordRule;
