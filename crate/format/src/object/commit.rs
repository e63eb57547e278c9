//! Commits.

use super::headers::unfold;
use super::{Headers, Signature};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{split_hex, HashKind, ObjectId};

/// A view of a commit's content.
#[derive(Clone, Debug)]
pub struct Commit<'a> {
    content: &'a [u8],
    tree: ObjectId,
    parents: Vec<ObjectId>,
}

impl<'a> Commit<'a> {
    /// Decodes the parts of a commit that git requires: its tree and parents.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if there is no tree, or a parent is not an object id.
    pub fn decode(hash: HashKind, content: &'a [u8]) -> Result<Commit<'a>> {
        let mut headers = Headers::new(content);
        let tree = match headers.next() {
            Some((b"tree", value)) => whole_id(hash, value)?,
            _ => return Err(Error::new(ErrorKind::Corrupt, "a commit must begin with its tree")),
        };
        let parents = headers
            .take_while(|(key, _)| *key == b"parent")
            .map(|(_, value)| whole_id(hash, value))
            .collect::<Result<_>>()?;
        Ok(Commit { content, tree, parents })
    }

    /// Returns the id of the commit's tree.
    pub fn tree(&self) -> &ObjectId {
        &self.tree
    }

    /// Returns the ids of the parents, in order.
    pub fn parents(&self) -> &[ObjectId] {
        &self.parents
    }

    /// Returns all header lines, including tree and parents.
    pub fn headers(&self) -> Headers<'a> {
        Headers::new(self.content)
    }

    /// Returns the author of the change; all fields are empty if there is none.
    pub fn author(&self) -> Signature<'a> {
        Signature::decode(self.headers().find(b"author").unwrap_or_default())
    }

    /// Returns the committer; all fields are empty if there is none.
    pub fn committer(&self) -> Signature<'a> {
        Signature::decode(self.headers().find(b"committer").unwrap_or_default())
    }

    /// Returns the encoding of the message and the signatures, if the commit names one.
    pub fn encoding(&self) -> Option<&'a [u8]> {
        self.headers().find(b"encoding")
    }

    /// Returns the GPG or SSH signature with its lines unfolded.
    pub fn gpgsig(&self) -> Option<Vec<u8>> {
        self.headers().find(b"gpgsig").map(unfold)
    }

    /// Returns the bytes of the message, unchanged.
    pub fn message(&self) -> &'a [u8] {
        self.headers().message()
    }

    /// Returns the part of the message that searches look at, as git's do: it ends at a zero byte.
    pub fn searched_message(&self) -> &'a [u8] {
        self.message().split(|byte| *byte == 0).next().unwrap_or_default()
    }
}

/// Decodes a header value that must be exactly one object id.
pub(super) fn whole_id(hash: HashKind, value: &[u8]) -> Result<ObjectId> {
    match split_hex(hash, value)? {
        (id, b"") => Ok(id),
        _ => Err(Error::new(ErrorKind::Corrupt, "a header has more than an object id")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

    fn decode(content: &str) -> Result<Commit<'_>> {
        Commit::decode(HashKind::Sha1, content.as_bytes())
    }

    #[test]
    fn everything_is_kept() {
        let content = format!(
            "tree {ID}\nparent {ID}\nparent {ID}\nauthor A <a> 1 +0100\n\
             committer C <c> 2 -0100\ngpgsig one\n two\nencoding latin-1\n\nno line feed"
        );
        let commit = decode(&content).unwrap();
        assert_eq!(commit.tree().to_hex(), ID);
        assert_eq!(commit.parents().len(), 2);
        assert_eq!(commit.author().seconds, Some(1));
        assert_eq!(commit.committer().name, b"C");
        assert_eq!(commit.gpgsig().unwrap(), b"one\ntwo");
        assert_eq!(commit.encoding(), Some(&b"latin-1"[..]));
        assert_eq!(commit.message(), b"no line feed");
    }

    #[test]
    fn a_commit_without_a_tree_is_none() {
        for content in ["", "parent x", "tree", "tree 12\n", &format!("tree {ID}0\n")] {
            assert_eq!(decode(content).unwrap_err().kind(), ErrorKind::Corrupt, "{content}");
        }
        assert!(decode(&format!("tree {ID}\nparent {}\n", &ID[1..])).is_err());
        assert!(decode(&format!("tree {ID}")).is_ok());
    }
}
