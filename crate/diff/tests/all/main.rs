//! The tests of the crate, as one program.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]

mod function_context;
mod headings;
mod model;
mod options;
mod recorded;
mod reference;
mod spans;
mod words;
