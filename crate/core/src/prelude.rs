//! The types that readers of repositories name most often, from all floors in one list.

pub use packlens_base::appender::{Append, Appender, Filler, Output};
pub use packlens_base::block::{BlockSource, FileId, Files, OpenFile};
pub use packlens_base::error::{Error, ErrorKind, Need, NeedKind, Result};
pub use packlens_base::hash::{object_id, Collisions, Hasher};
pub use packlens_base::inflate::{Inflater, Stream};
pub use packlens_base::limits::Limits;
pub use packlens_base::module::{require_full, require_rest, set_rest, FullOnly, IS_FULL};
pub use packlens_base::oid::{HashKind, ObjectId, Prefix};
pub use packlens_base::regex::Syntax;
pub use packlens_base::stats::Stats;
pub use packlens_base::wildmatch::Pattern;
pub use packlens_base::work_units::WorkUnits;
pub use packlens_diff::{Algorithm, DiffOptions, Whitespace, WordMarks, WordStyle};
pub use packlens_format::attributes::{
    attribute, attributes, AttributeState, Attributes, AttributesOrigin, PathPattern,
    PlacedAttributes,
};
pub use packlens_format::bundle::BundleHeader;
pub use packlens_format::checks::{Checks, Findings, MessageId, Severities, Severity, SpecialFile};
pub use packlens_format::commit_graph::ChangedPath;
pub use packlens_format::config::{config_section, config_value, BadLine, ConfigCursor};
pub use packlens_format::ignore::{ignore_rule, IgnoreRule, Ignores, PlacedIgnores};
pub use packlens_format::index::{
    Build, Checking, Comparison, Extents, IndexHelper, IndexLeader, IndexRole, Indexes, Listing,
    PackFinding, PackIndex, Progress, SectionScanner, Strict, Thin,
};
pub use packlens_format::object::{
    Commit, Headers, Mode, ObjectType, Signature, Tag, Tree, TreeEntry,
};
pub use packlens_format::pack::{apply, BaseCache, Delta, Entry, EntryKind, Header};
pub use packlens_format::pathspec::{Pathspec, Selection};
pub use packlens_format::refs::{
    follows_rules, is_branch_name, is_refname, normalize_refname, Availability,
    AvailabilityOptions, CheckAvailable, LogCursor, LogRecord, PackedRefs, RefCounts, RefCursor,
    RefRecord, RefStorage, RefValue, Reflog, ReflogEntry, RefnameRules, Refs, Reftable,
    ReftableOptions, ReftableStack, ReftableWriter, TableLogs, TableRef, TableRefs,
};
pub use packlens_format::submodules::{submodules, Submodule};
pub use packlens_maintain::count_objects::{CountObjects, Garbage, PACK_FILES};
pub use packlens_maintain::fsck::{
    FindingLevel, Fsck, FsckOptions, FsckPhase, FsckRecord, FsckRole,
};
pub use packlens_maintain::index_pack::{IndexPack, IndexPackOptions, IndexRecord};
pub use packlens_maintain::show_index::ShowIndex;
pub use packlens_query::all_answers::AllAnswers;
pub use packlens_query::archive::{Archive, ArchiveFormat, ArchiveOptions};
pub use packlens_query::batch::{
    BatchCursor, BatchPage, BatchReader, BatchRequest, BatchRequests, Fields, Room, SpecRequests,
    SpecsAhead, MIN_BATCH_LEN,
};
pub use packlens_query::cat_file::{Answer, BatchFormat, BatchMode, LargeAnswer};
pub use packlens_query::changes::{
    ChangeOptions, Changes, Origin, OriginKind, PickaxeKind, PickaxeOptions, RenameKind,
    RenameNotice, RenameOptions, RewriteScores, TreeChange, TreeDiffOptions, CHANGE_RECORDS,
    MAX_SCORE,
};
pub use packlens_query::check_attr::{AttributesIn, PathsAttributes};
pub use packlens_query::config::{
    ConfigFiles, ConfigList, ConfigOptions, ConfigRecord, ConfigScope, SkippedWhy,
};
pub use packlens_query::grep::{
    match_spans, Grep, GrepAnswer, GrepBinary, GrepOptions, GrepRecord, Matching,
};
pub use packlens_query::history::{
    AheadBehind, Blame, BlameOptions, CommitPatterns, Copies, Describe, DescribeOptions,
    HistoryOptions, LastModified, LastModifiedOptions, LinkRows, MergeBase, MergeBaseKind,
    MissingObjects, NameRev, NameRevOptions, ObjectFilterOptions, RefReachOptions, RevList,
    RevListOptions, RevOrder,
};
pub use packlens_query::ignored::IgnoredPaths;
pub use packlens_query::index_entries::IndexEntries;
pub use packlens_query::odb::{
    alternates_in, Filter, Layout, Location, ObjectInfo, ObjectList, Odb, Order, Plan, ReadHint,
    Replacements, Stored, Verify,
};
pub use packlens_query::patches::{
    CombinedPatches, PatchKind, PatchOptions, Patches, TextPatch, WordDiff,
};
pub use packlens_query::ref_answers::{RefList, RefListOptions, RefLog, RefTable};
pub use packlens_query::repository::{Boundaries, Options, Repository};
pub use packlens_query::row::{Row, RowKind, ROW_FLAGS, ROW_HEADER_LEN};
pub use packlens_query::status::{
    IgnoredFiles, IgnoredSubmodules, Status, StatusOptions, StatusRecord, UntrackedFiles,
};
pub use packlens_query::stream::ContentStream;
pub use packlens_query::submodules::Submodules;
pub use packlens_query::tree_walk::{TreeWalk, WalkOptions};
