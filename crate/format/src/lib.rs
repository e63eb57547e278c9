//! The formats of git repositories: packfiles and their indexes, loose objects, commits and
//! trees, refs, `config`, the index of a worktree, commit-graphs. Bytes in, values out; which
//! file answers a question is not known here.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

pub mod bitmap;
pub mod bundle;
pub mod checks;
pub mod checksum;
pub mod chunk_file;
pub mod commit_graph;
pub mod config;
pub mod frame;
pub mod id_table;
pub mod index;
pub mod index_file;
pub mod loose;
pub mod multi_pack_index;
pub mod object;
pub mod pack;
pub mod refs;
#[cfg(test)]
#[path = "../../base/src/testing.rs"]
mod testing;
