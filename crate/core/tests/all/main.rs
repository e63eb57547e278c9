//! The tests of the core, as one program: building and linking one for each file
//! takes longer than all tests together.
//!
//! On 32 bits (the step `wasi`) the same tests run, but for those of the sources and of the
//! examples, which have no sizes and offsets of their own.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]

mod abbreviations;
mod allocations;
mod attributes;
mod bitmaps;
mod boundaries;
mod chains;
mod changed_paths;
mod checks;
mod common;
mod crc;
mod damage;
mod dates;
#[cfg(not(target_arch = "wasm32"))]
mod examples;
mod filter;
mod fsck;
mod fuzzed;
mod git_bundle;
mod idents;
mod ignores;
mod index_build;
mod index_shared;
mod index_strict;
mod kinds;
mod laws;
#[cfg(not(target_arch = "wasm32"))]
mod layers;
mod listed;
mod long_questions;
mod loose_files;
mod many_packs;
mod multi_pack_index;
mod oracle;
mod packs;
mod parts;
mod promised;
mod ref_available;
mod ref_cursor;
mod reftable;
mod replaced_objects;
mod reverse;
mod revisions;
mod storage;
mod stream;
mod thin;
mod together;
mod walks;
