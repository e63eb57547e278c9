//! Repositories and the questions to them: objects, revisions, walks over commits, refs.
//!
//! Below this floor are `packlens-format`, `packlens-diff` and `packlens-base`. It does no I/O: a question that
//! lacks something returns it as a need, and resumes when it is asked again. Start at
//! [`repository::Repository`]; [`revision`] and other modules add methods to it. [`odb`] finds
//! and reads objects, [`batch`] and [`stream`] many or large ones. [`history`],
//! [`tree_walk`], [`changes`], [`patches`] and [`ref_answers`] hold the long questions: values that the
//! caller keeps, most of them with a `fill` that appends part of an answer.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

pub mod abbreviate;
pub mod all_answers;
pub mod archive;
pub mod batch;
pub mod cat_file;
pub mod changes;
pub mod check_attr;
pub mod config;
mod configured_path;
mod conversion;
mod counts;
mod file_walk;
pub mod grafts;
pub mod grep;
pub mod history;
pub mod ignored;
pub mod index_entries;
mod kept;
pub mod look_ahead;
pub mod odb;
pub mod patches;
mod path_attributes;
pub mod peel;
pub mod promised;
pub mod ref_answers;
pub mod repository;
pub mod repository_format;
pub mod revision;
pub mod row;
pub mod status;
pub mod stream;
pub mod submodules;
pub mod tracking;
pub mod tree_walk;
pub mod unchecked;
mod worktree;
