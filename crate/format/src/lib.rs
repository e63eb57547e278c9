//! The file formats of git repositories: bytes in, values out.
//!
//! Below this floor is `packlens-base`, from whose sources of bytes it reads. Which file
//! answers a question is not known here. Objects are stored in [`pack`]s, found by [`index`]
//! or [`multi_pack_index`], or as [`loose`] files; [`object`] views their content, [`checks`]
//! applies git's rules to it. [`commit_graph`] and [`bitmap`] speed up walks. [`refs`],
//! [`config`] and [`index_file`] read the other files of a repository, [`attributes`] those of a
//! tree that describe its paths; [`bundle`] reads and writes the header of a bundle. [`pathspec`]
//! matches paths, [`submodules`] reads `.gitmodules`.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

pub mod attributes;
pub mod bitmap;
pub mod bundle;
pub mod checks;
pub mod checksum;
pub mod chunk_file;
pub mod commit_graph;
pub mod config;
pub mod id_table;
pub mod ignore;
pub mod index;
pub mod index_file;
pub mod loose;
pub mod multi_pack_index;
pub mod object;
pub mod pack;
pub mod pathspec;
pub mod refs;
pub mod submodules;
#[cfg(test)]
#[path = "../../base/src/testing.rs"]
mod testing;
