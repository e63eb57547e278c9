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
//! # A host loop
//!
//! This host reads repositories on disk. Its `main` reads an object of a repository that the
//! tests use.
//!
//! ```
#![doc = include_str!("../examples/host/mod.rs")]
//!
//! fn main() -> io::Result<()> {
//!     let git_dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/fixtures/main");
//!     let git_dir = Path::new(git_dir);
//!     let mut repository = open(git_dir)?;
//!     let readme = ask(&mut repository, git_dir, |repository| {
//!         let id = repository.resolve(b"HEAD:README.md")?;
//!         repository.read_of_type(&id, packlens::ObjectType::Blob)
//!     })?;
//!     assert_eq!(readme, b"# packed things\n\nA history to read.\n");
//!     Ok(())
//! }
//! ```
//!
//! Other hosts do more:
//!
//! - [`Need::Bytes`] says how many bytes the reader expects to use, and [`Error::guesses`]
//!   which needs will probably come next. A host whose reads are round trips gets these at
//!   once, and marks its files with [`Files::set_high_latency`]. Beside a [`Need::Range`] it
//!   reads nothing. A host whose short reads are cheap marks its files with
//!   [`Files::set_immediate`], and adds exactly the range of each [`Need::Range`].
//! - git deletes packs when it repacks. A host keeps packs open, or calls
//!   [`Repository::forget_replaced`] for a file that is gone and asks again.
//! - A linked worktree has a git directory of its own and shares most files with the
//!   repository: [`Need`] says which path is in which directory.
//! - Questions may take turns: each has the number that [`Files::new_question`] returned.
//!
//! The folder `examples` of the crate has programs around this loop: `cat` prints an object
//! and `log` lists commits. `index_pack` indexes a pack in memory, which needs no loop.
//!
//! ```sh
//! cargo run -p packlens --example log -- .git HEAD 10
//! ```
//!
//! # Modules
//!
//! The crate has five floors, each a crate of its own and a module here. A floor uses those
//! before it in this list, except that [`mod@format`] does not use [`mod@diff`]:
//!
//! - [`base`] holds what all need: [files in memory](base::block), [errors and
//!   needs](base::error), [ids](base::oid), hashes, inflating.
//! - [`mod@diff`] compares [two texts](diff::TextDiff) as `git diff` does.
//! - [`mod@format`] reads git's file formats, bytes in and values out: [packs](format::pack) and
//!   their [indexes](format::index), [objects](format::object), [refs](format::refs).
//! - [`query`] holds [repositories](query::repository) and the questions to them:
//!   [objects](query::odb), [revisions](query::revision), [walks](query::history).
//! - [`maintain`] holds [`fsck`](maintain::fsck), [`index-pack`](maintain::index_pack),
//!   [`show-index`](maintain::show_index) and [`count-objects`](maintain::count_objects).
//!
//! The module [`prelude`] lists the types that a reader names most often. The root of the
//! crate has the same names: `packlens::Repository` is [`prelude::Repository`].

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

#[doc(inline)]
pub use packlens_base as base;
#[doc(inline)]
pub use packlens_diff as diff;
#[doc(inline)]
pub use packlens_format as format;
#[doc(inline)]
pub use packlens_maintain as maintain;
#[doc(inline)]
pub use packlens_query as query;

pub mod prelude;
#[doc(no_inline)]
pub use prelude::*;
