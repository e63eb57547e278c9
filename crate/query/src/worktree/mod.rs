//! The files of a work tree as a source lists them, beside the entries of the index.

mod content;
mod levels;
mod listed;
mod paths;
mod tracked;

pub(crate) use content::{file_content, gone, index_content};
pub(crate) use levels::{Level, Levels};
pub(crate) use listed::{in_source, listing, stat_index, FileKind, IndexStat, Listed};
pub(crate) use paths::{PathsIn, WorktreePaths};
pub(crate) use tracked::Tracked;
