//! Walks over commits: lists, merge bases, what refs reach, and the links of all commits.

mod absent;
mod ahead_behind;
mod answer;
mod author_dates;
mod bitmap_walk;
mod blame;
mod changed_paths;
mod commits;
mod containing;
mod counting;
mod describe;
mod frontier;
mod last_modified;
mod limited;
mod link_rows;
mod listed_refs;
mod marks;
mod merge_base;
mod merged;
mod modes;
mod name_rev;
mod object_filter;
mod objects;
mod open_graph;
mod paint;
mod path_limit;
mod queue;
mod ref_reach;
mod rev_list;
mod seen_trees;
mod shared_commits;
mod stage;
mod step;
mod tips;
mod topo_walk;
mod topological;
mod tree_cache;
mod trees_below;
mod unchecked_trees;
mod waiting;

pub use ahead_behind::AheadBehind;
pub use blame::{Blame, BlameOptions, Copies};
pub(crate) use commits::BeginningLength;
pub use describe::{Describe, DescribeOptions};
pub use last_modified::{LastModified, LastModifiedOptions};
pub use link_rows::LinkRows;
pub use merge_base::{MergeBase, MergeBaseKind};
pub use modes::{CommitPatterns, HistoryOptions};
pub use name_rev::{NameRev, NameRevOptions};
pub use object_filter::{MissingObjects, ObjectFilterOptions};
pub(crate) use open_graph::GraphChecks;
pub(crate) use ref_reach::RefReach;
pub use ref_reach::RefReachOptions;
pub(crate) use rev_list::MOST_STEPS;
pub use rev_list::{RevList, RevListOptions, RevOrder};
pub(crate) use shared_commits::SharedCommits;

use packlens_base::appender::Appender;
use packlens_base::error::Result;
use packlens_base::oid::{hex_digits, ObjectId};

/// Appends an id as hex digits, and a line feed.
fn write_id(id: &ObjectId, out: &mut Appender<'_>) -> Result<()> {
    let line = out.space(id.hash().hex_len().saturating_add(1))?;
    line.fill(b'\n');
    for (pair, byte) in line.chunks_exact_mut(2).zip(id.as_bytes()) {
        pair.copy_from_slice(&hex_digits(*byte));
    }
    Ok(())
}
