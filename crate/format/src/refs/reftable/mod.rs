//! Reftables: refs and their logs in sorted blocks, in files that never change:
//! <https://git-scm.com/docs/reftable>.
//!
//! Only header and footer have a checksum. The rest of a table is checked for its form:
//! lengths, the order of keys, restart points at records, and blocks that follow each other to
//! the end of their section. A changed byte in an id, or in a name that keeps its place in the
//! order, cannot be detected. Log blocks are deflated, so zlib's checksum covers them.

mod block;
mod cursor;
mod layout;
mod logs;
mod merged;
mod opened;
mod pointing;
mod record;
mod refs;
mod stack;
mod table;
mod unindexed;
mod write;

pub use logs::{LogRecord, TableLogs};
pub(crate) use opened::Stacks;
pub use refs::TableRefs;
pub use stack::ReftableStack;
pub use table::Reftable;
pub use write::{ReftableOptions, ReftableWriter, TableRef};
