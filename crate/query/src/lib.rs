//! Repositories and the questions to them: which pack or loose file has an object, what a
//! revision stands for, which commits a walk visits, which refs there are. Does no I/O: what is
//! not in memory comes back as a need.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

pub mod abbreviate;
pub mod all_answers;
pub mod batch;
pub mod cat_file;
pub mod grafts;
pub mod history;
pub mod look_ahead;
pub mod odb;
pub mod peel;
pub mod promised;
pub mod ref_answers;
pub mod repository;
pub mod repository_format;
pub mod revision;
pub mod row;
pub mod stream;
pub mod tracking;
pub mod tree_walk;
pub mod unchecked;
