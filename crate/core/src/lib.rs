//! Reads git repositories without doing I/O: packs and their indexes, loose objects, refs,
//! commit-graphs, revisions, walks over commits, `fsck`.
//!
//! # Needs
//!
//! The core opens no file. A call that lacks bytes, a file or a directory returns an error of
//! kind [`ErrorKind::Missing`], and [`Error::need`] returns a [`Need`], which names what is
//! missing. The host does the I/O in its own way: from a disk, by requests to a server, from
//! memory. It stores the result in [`Repository::files`] and makes the same call again, until
//! the call returns an answer or another error. Progress is kept between the calls.
//!
//! # Modules
//!
//! The crate has four floors, each a crate of its own and a module here. A floor uses those
//! above it in this table:
//!
//! | module | what it holds | start at |
//! | --- | --- | --- |
//! | [`base`] | files in memory, needs and errors, ids, hashes, inflating | [`base::block`], [`base::error`] |
//! | [`format`](mod@format) | git's file formats: bytes in, values out | [`format::pack`], [`format::object`], [`format::refs`] |
//! | [`query`] | repositories and the questions to them | [`query::repository`], [`query::revision`], [`query::history`] |
//! | [`maintain`] | `fsck`, `index-pack`, `show-index`, `count-objects` | [`maintain::fsck`], [`maintain::index_pack`] |
//!
//! The module [`prelude`] lists the types that a reader names most often. The root of the
//! crate has the same names: `packlens::Repository` is [`prelude::Repository`].

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

#[doc(inline)]
pub use packlens_base as base;
#[doc(inline)]
pub use packlens_format as format;
#[doc(inline)]
pub use packlens_maintain as maintain;
#[doc(inline)]
pub use packlens_query as query;

pub mod prelude;
#[doc(no_inline)]
pub use prelude::*;
