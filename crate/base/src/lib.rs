//! The base of every format and question: files in memory, errors, ids, hashes, inflating.
//!
//! This is the lowest floor of packlens. The only thing it knows of git's formats is the head
//! of an object, which is part of what is hashed. [`block`] holds the bytes of files that the
//! host has brought, [`error`] the needs by which a question asks for more. [`oid`], [`hash`]
//! and [`object_type`] are about ids, [`inflate`], [`deflate`], [`cursor`] and [`appender`]
//! read and write bytes; [`wildmatch`] and [`regex`] match names and messages.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

// Tests of other floors include `testing`, which names this one as they do.
#[cfg(test)]
extern crate self as packlens_base;

pub mod appender;
pub mod block;
pub mod circle;
pub mod cursor;
pub mod deflate;
pub mod error;
pub mod hash;
pub mod inflate;
pub mod limits;
pub mod module;
pub mod object_type;
pub mod occurrences;
pub mod oid;
pub mod quote;
pub mod regex;
pub mod sort;
pub mod sorted_map;
pub mod stats;
#[cfg(test)]
mod testing;
pub mod wildmatch;
pub mod words;
pub mod work_units;

pub use block::FileId;
pub use error::{Error, ErrorKind, Need, NeedKind, Result};
pub use limits::Limits;
pub use oid::{HashKind, ObjectId};
pub use work_units::WorkUnits;
