//! Reftables: refs and their logs in sorted blocks, in files that never change:
//! <https://git-scm.com/docs/reftable>.
//!
//! A checksum covers header and footer only. What else a table says is checked for
//! its form: lengths, the order of keys, restart points that begin records, blocks
//! that follow each other up to the end of their section. A changed byte of an id,
//! or of a name that still sorts where it is, cannot be told. Logs are deflated, and
//! zlib's checksum covers them.

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
mod untold;
mod write;

pub use logs::{LogRecord, TableLogs};
pub(crate) use opened::Stacks;
pub use refs::TableRefs;
pub use stack::ReftableStack;
pub use table::Reftable;
pub use write::{ReftableOptions, ReftableWriter, TableRef};
