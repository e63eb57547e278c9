//! The links of objects, parsed as strictly as git does.

use super::begins_as_tree;
use crate::object::{CommitLinks, ObjectType, Tree};
use packlens_base::oid::{split_hex, HashKind, ObjectId};

/// A link to another object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Link<'a> {
    /// The id of the linked object.
    pub id: ObjectId,
    /// The type that the linking object expects; of a tag's target, the type that the tag
    /// states.
    pub object_type: ObjectType,
    /// The name of a tree's entry, or of the tag.
    pub name: &'a [u8],
}

/// An object that could be parsed.
pub enum Parsed<'a> {
    /// A commit.
    Commit {
        /// The tree.
        tree: ObjectId,
        /// The parents, in order.
        parents: Vec<ObjectId>,
    },
    /// A tree.
    Tree,
    /// A blob.
    Blob,
    /// An annotated tag.
    Tag {
        /// The object that the tag points at.
        target: Link<'a>,
    },
}

/// Parses as much of an object as git does before it checks the object. The error is git's
/// message; empty where git has none.
pub fn parse<'a>(
    hash: HashKind,
    object_type: ObjectType,
    content: &'a [u8],
) -> Result<Parsed<'a>, &'static str> {
    match object_type {
        ObjectType::Blob => Ok(Parsed::Blob),
        ObjectType::Tree => Ok(Parsed::Tree),
        ObjectType::Commit => parse_commit(hash, content),
        ObjectType::Tag => match parse_tag(hash, content) {
            Some(target) => Ok(Parsed::Tag { target }),
            None => Err(""),
        },
    }
}

fn parse_commit(hash: HashKind, content: &[u8]) -> Result<Parsed<'static>, &'static str> {
    let tree_line = hash.hex_len().saturating_add(6);
    let ends = content.get(tree_line.saturating_sub(1)) == Some(&b'\n');
    if content.len() <= tree_line || !content.starts_with(b"tree ") || !ends {
        return Err("bogus commit object ");
    }
    if content.get(5..).and_then(|rest| split_hex(hash, rest).ok()).is_none() {
        return Err("bad tree pointer in commit ");
    }
    let mut parents = Vec::new();
    match CommitLinks::decode(hash, content, |parent| parents.push(parent)) {
        Ok(CommitLinks { tree, .. }) => Ok(Parsed::Commit { tree, parents }),
        Err(_) => Err("bad parents in commit "),
    }
}

/// The longest name of a type that git accepts.
const MOST_TYPE_LEN: usize = 19;

fn parse_tag(hash: HashKind, content: &[u8]) -> Option<Link<'_>> {
    if content.len() < hash.hex_len().saturating_add(24) {
        return None;
    }
    let (id, rest) = split_hex(hash, content.strip_prefix(b"object ")?).ok()?;
    let rest = rest.strip_prefix(b"\ntype ")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (name, rest) = rest.split_at_checked(end)?;
    let object_type = ObjectType::from_name(name).filter(|_| end <= MOST_TYPE_LEN)?;
    let rest = rest.strip_prefix(b"\ntag ").filter(|rest| !rest.is_empty())?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    Some(Link { id, object_type, name: rest.get(..end)? })
}

/// Returns the links of a tree, up to the first damaged entry.
pub fn links_of_tree(hash: HashKind, content: &[u8]) -> impl Iterator<Item = Link<'_>> {
    let content = if begins_as_tree(hash, content) { content } else { &[] };
    let entries = Tree::new(hash, content).map_while(Result::ok);
    let own = entries.filter(|entry| entry.mode.canonical().object_type() != ObjectType::Commit);
    own.map(|entry| {
        let object_type = entry.mode.canonical().object_type();
        Link { id: entry.oid, object_type, name: entry.name }
    })
}
