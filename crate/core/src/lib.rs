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
mod cat_file;
mod count_objects;
mod fsck;
mod grafts;
mod history;
mod index_pack;
mod look_ahead;
mod odb;
mod peel;
mod promised;
mod ref_answers;
mod repository;
mod repository_format;
mod revision;
mod row;
mod show_index;
mod stream;
mod tracking;
mod tree_walk;
mod unchecked;

pub use all_answers::AllAnswers;
pub use batch::{BatchCursor, Fields, Room, Wanted, MIN_BATCH_LEN};
pub use cat_file::{Answer, BatchFormat, BatchMode, LargeAnswer};
pub use count_objects::CountObjects;
pub use fsck::{FindingLevel, Fsck, FsckOptions, FsckPhase, FsckRecord};
pub use history::{
    LinkRows, MergeBase, MergeBaseKind, RefReachOptions, RevList, RevListOptions, RevOrder,
};
pub use index_pack::{IndexPack, IndexRecord, IndexWishes};
pub use odb::{
    alternates_in, Filter, Layout, Location, ObjectInfo, ObjectList, Odb, Order, Plan,
    Replacements, Stored, Verify,
};
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
pub use packlens_format::bundle::BundleHeader;
pub use packlens_format::checks::{Checks, Findings, MessageId, Severities, Severity, SpecialFile};
pub use packlens_format::commit_graph::ChangedPath;
pub use packlens_format::config::{config_section, config_value};
pub use packlens_format::frame::{
    FrameEvent, FrameReader, FrameWriter, DEFAULT_FRAME_LEN, INTERRUPT,
};
pub use packlens_format::index::{
    Build, Checking, Comparison, Extents, Indexes, Listing, PackFinding, PackIndex, Progress,
    Share, Strict, Thin,
};
pub use packlens_format::object::{
    Commit, Headers, Mode, ObjectType, Signature, Tag, Tree, TreeEntry,
};
pub use packlens_format::pack::{apply, BaseCache, Delta, Entry, EntryKind, Header};
pub use packlens_format::refs::{
    follows_rules, is_branch_name, is_refname, normalize_refname, Availability,
    AvailabilityOptions, CheckAvailable, LogCursor, LogRecord, PackedRefs, RefCounts, RefCursor,
    RefRecord, RefStorage, RefValue, Reflog, ReflogEntry, RefnameRules, Refs, Reftable,
    ReftableOptions, ReftableStack, ReftableWriter, TableLogs, TableRef, TableRefs,
};
pub use ref_answers::{RefList, RefListOptions, RefLog, RefTable};
pub use repository::{Boundaries, Options, Repository};
pub use row::{Row, RowKind, ROW_HEADER_LEN};
pub use show_index::ShowIndex;
pub use stream::ContentStream;
pub use tree_walk::{TreeWalk, WalkOptions};
