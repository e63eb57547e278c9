//! The tests of the core, as one program: building and linking one for each file
//! takes longer than all tests together.
//!
//! On 32 bits (the step `wasi`) those run that sizes, offsets and limits can make fail there: of each
//! format, and of reading, building indexes and memory. What is answered about names, commits, paths
//! and listings does not depend on the width of a pointer once the files are read.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may panic"
)]
#![cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "what tests of other modules share"))]

#[cfg(not(target_arch = "wasm32"))]
mod abbreviations;
mod allocations;
#[cfg(not(target_arch = "wasm32"))]
mod attributes;
mod bitmaps;
mod boundaries;
mod chains;
mod changed_paths;
#[cfg(not(target_arch = "wasm32"))]
mod checks;
mod common;
mod crc;
mod damage;
#[cfg(not(target_arch = "wasm32"))]
mod dates;
#[cfg(not(target_arch = "wasm32"))]
mod exact_ranges;
#[cfg(not(target_arch = "wasm32"))]
mod examples;
#[cfg(not(target_arch = "wasm32"))]
mod filter;
mod fsck;
mod fsck_shared;
mod fuzzed;
mod git_bundle;
#[cfg(not(target_arch = "wasm32"))]
mod idents;
#[cfg(not(target_arch = "wasm32"))]
mod ignores;
mod index_build;
mod index_shared;
mod index_strict;
mod kinds;
mod laws;
#[cfg(not(target_arch = "wasm32"))]
mod layers;
#[cfg(not(target_arch = "wasm32"))]
mod listed;
#[cfg(not(target_arch = "wasm32"))]
mod long_questions;
mod loose_files;
#[cfg(not(target_arch = "wasm32"))]
mod many_packs;
mod multi_pack_index;
mod oracle;
mod packs;
mod parts;
#[cfg(not(target_arch = "wasm32"))]
mod promised;
#[cfg(not(target_arch = "wasm32"))]
mod ref_available;
#[cfg(not(target_arch = "wasm32"))]
mod ref_cursor;
mod reftable;
#[cfg(not(target_arch = "wasm32"))]
mod replaced_objects;
mod reverse;
#[cfg(not(target_arch = "wasm32"))]
mod revisions;
mod storage;
mod stream;
mod thin;
mod together;
mod walks;
