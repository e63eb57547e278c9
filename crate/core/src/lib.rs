//! The core of packlens: reads ranges of git repositories, without doing I/O.
//!
//! The caller puts the bytes of a repository into [`Files`], range by range, and
//! [`Repository`] answers questions from them. Missing data is an error of kind
//! [`ErrorKind::Missing`] that names what to provide.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "tests may panic"))]

mod abbreviate;
mod all_answers;
mod batch;
mod bitmap;
mod bundle;
mod cat_file;
mod checks;
mod checksum;
mod chunk_file;
mod commit_graph;
mod config;
mod count_objects;
mod frame;
mod fsck;
mod grafts;
mod history;
mod id_table;
mod index;
mod index_file;
mod index_pack;
mod look_ahead;
mod loose;
mod multi_pack_index;
mod object;
mod odb;
mod pack;
mod peel;
mod promised;
mod ref_answers;
mod refs;
mod repository;
mod repository_format;
mod revision;
mod row;
mod show_index;
mod stream;
#[cfg(test)]
#[path = "../../base/src/testing.rs"]
mod testing;
mod tracking;
mod tree_walk;
mod unchecked;

pub use all_answers::AllAnswers;
pub use batch::{BatchCursor, Fields, Room, Wanted, MIN_BATCH_LEN};
pub use bundle::BundleHeader;
pub use cat_file::{Answer, BatchFormat, BatchMode, LargeAnswer};
pub use checks::{Checks, Findings, MessageId, Severities, Severity, SpecialFile};
pub use commit_graph::ChangedPath;
pub use config::{config_section, config_value};
pub use count_objects::CountObjects;
pub use frame::{FrameEvent, FrameReader, FrameWriter, DEFAULT_FRAME_LEN, INTERRUPT};
pub use fsck::{FindingLevel, Fsck, FsckOptions, FsckPhase, FsckRecord};
pub use history::{
    LinkRows, MergeBase, MergeBaseKind, RefReachOptions, RevList, RevListOptions, RevOrder,
};
pub use index::{
    Build, Checking, Comparison, Extents, Indexes, Listing, PackFinding, PackIndex, Progress,
    Share, Strict, Thin,
};
pub use index_pack::{IndexPack, IndexRecord, IndexWishes};
pub use object::{Commit, Headers, Mode, ObjectType, Signature, Tag, Tree, TreeEntry};
pub use odb::{
    alternates_in, Filter, Layout, Location, ObjectInfo, ObjectList, Odb, Order, Plan,
    Replacements, Stored, Verify,
};
pub use pack::{apply, BaseCache, Delta, Entry, EntryKind, Header};
pub use packlens_base::appender::{Append, Appender, Filler, Output, ReservedAppender};
pub use packlens_base::block::{BlockSource, FileId, Files, OpenFile};
pub use packlens_base::error::{Error, ErrorKind, Need, NeedKind, Result};
pub use packlens_base::hash::{object_id, Collisions, Hasher};
pub use packlens_base::inflate::{Inflater, Stream};
pub use packlens_base::limits::Limits;
pub use packlens_base::oid::{HashKind, ObjectId, Prefix};
pub use packlens_base::stats::Stats;
pub use packlens_base::stretches::Stretches;
pub use packlens_base::wildmatch::Pattern;
pub use ref_answers::{RefList, RefListOptions, RefLog, RefTable};
pub use refs::{
    follows_rules, is_branch_name, is_refname, normalize_refname, Availability,
    AvailabilityOptions, CheckAvailable, LogCursor, LogRecord, PackedRefs, RefCounts, RefCursor,
    RefRecord, RefStorage, RefValue, Reflog, ReflogEntry, RefnameRules, Refs, Reftable,
    ReftableOptions, ReftableStack, ReftableWriter, TableLogs, TableRef, TableRefs,
};
pub use repository::{Boundaries, Options, Repository};
pub use row::{Row, RowKind, ROW_HEADER_LEN};
pub use show_index::ShowIndex;
pub use stream::ContentStream;
pub use tree_walk::{TreeWalk, WalkOptions};
