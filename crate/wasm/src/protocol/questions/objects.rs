//! Questions for objects: listings, trees, contents and batches.

use super::groups::FilterFields;
use super::{questions, task, Bytes};
use crate::objects::{self, Objects};
use crate::protocol::field::Encoded;
use packlens::{BatchCursor, BatchMode, ContentStream, Fields, ObjectList, TreeWalk, WalkOptions};

questions! { session;
    /// Lists the objects that pass a filter.
    full pages Objects = 7 {
        content: bool,
        storage: bool,
        /// Lists in the order of storage instead of by id.
        stored_order: bool,
        filter: FilterFields,
    } => {
        let list = ObjectList::new(objects::order(stored_order, content), filter.filter());
        task(Objects::new(list, Fields { content, storage }))
    };

    /// Lists the entries of a tree, and of the trees in it.
    reader pages Walk = 8 { spec: Bytes, recursive: bool, only_leaves: bool, sizes: bool, } => {
        let options = WalkOptions { recursive, only_leaves, sizes };
        let depth = session.limits.tree_depth;
        task(TreeWalk::new(&mut session.repository, &spec, options, depth)?)
    };

    /// Reads a range of the content of an object.
    reader pages Content = 9 { spec: Bytes, start: u64, end: Option<u64>, } => {
        task(ContentStream::open(&mut session.repository, &spec, start, end.unwrap_or(u64::MAX))?)
    };

    /// Reads the objects of specs into rows.
    reader pages Batch = 14 {
        specs: Encoded,
        content: bool,
        storage: bool,
        in_pack_order: bool,
        /// Where to resume: the index of a spec, and how many bytes of its content to skip.
        index: u32,
        skip: u64,
    } => session.batch(specs, Fields { content, storage }, in_pack_order, BatchCursor { index, skip });

    /// Answers `cat-file --batch` for all objects.
    full pages BatchAll = 15 { contents: bool, delimiter: u32, stored_order: bool, } => {
        session.answers(BatchMode { contents, delimiter: delimiter as u8 }, stored_order)
    };

    /// Answers requests of `cat-file --batch`.
    full pages BatchQueue = 16 {} => session.queue();

    /// Sets how batch requests are answered. Outputs whether they are split, in one byte.
    full at_once BatchFormat = 29 {
        /// The format of the line for an object.
        format: Bytes,
        filter: FilterFields,
    } => {
        session.filter = filter.filter();
        session.batch_format(&format)
    };
}
