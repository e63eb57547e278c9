//! The floor of packlens: blocks of files that are in memory, object ids, hashes, inflating,
//! output, errors and limits. It knows no format of git but the head of an object.

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
pub mod oid;
pub mod regex;
pub mod sort;
pub mod sorted_map;
pub mod stats;
pub mod stretches;
#[cfg(test)]
mod testing;
pub mod wildmatch;
pub mod words;

pub use block::FileId;
pub use error::{Error, ErrorKind, Need, NeedKind, Result};
pub use limits::Limits;
pub use oid::{HashKind, ObjectId};
pub use stretches::Stretches;
