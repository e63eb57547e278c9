//! Objects: their types, and views of their content that keep every byte.

mod commit;
mod commit_links;
mod headers;
mod signature;
mod tag;
mod tree;

pub use commit::Commit;
pub(crate) use commit_links::date_of;
pub use commit_links::CommitLinks;
pub use headers::Headers;
pub use packlens_base::object_type::ObjectType;
pub use signature::Signature;
pub use tag::Tag;
pub use tree::{byte_in_order, tree_order, Mode, Tree, TreeEntry};
