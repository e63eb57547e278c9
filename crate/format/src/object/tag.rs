//! Annotated tags.

use super::commit::whole_id;
use super::{Headers, ObjectType, Signature};
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::{HashKind, ObjectId};

/// A view of a tag's content.
#[derive(Clone, Debug)]
pub struct Tag<'a> {
    content: &'a [u8],
    target: ObjectId,
    target_type: ObjectType,
    name: &'a [u8],
}

impl<'a> Tag<'a> {
    /// Decodes the parts of a tag that git requires: its target and its name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Corrupt`] if one of them is missing.
    pub fn decode(hash: HashKind, content: &'a [u8]) -> Result<Tag<'a>> {
        let mut headers = Headers::new(content);
        let mut expect = |expected: &[u8]| match headers.next() {
            Some((key, value)) if key == expected => Ok(value),
            _ => Err(Error::new(ErrorKind::Corrupt, "a tag must name its object, type and name")),
        };
        let target = whole_id(hash, expect(b"object")?)?;
        let target_type = ObjectType::from_name(expect(b"type")?)
            .ok_or_else(|| Error::new(ErrorKind::Corrupt, "a tag names an unknown object type"))?;
        let name = expect(b"tag")?;
        Ok(Tag { content, target, target_type, name })
    }

    /// Returns the id of the target.
    pub fn target(&self) -> &ObjectId {
        &self.target
    }

    /// Returns the type that the tag gives for its target.
    pub fn target_type(&self) -> ObjectType {
        self.target_type
    }

    /// Returns the bytes of the tag's name, unchanged.
    pub fn name(&self) -> &'a [u8] {
        self.name
    }

    /// Returns the tagger; the oldest tags have none.
    pub fn tagger(&self) -> Option<Signature<'a>> {
        Headers::new(self.content).find(b"tagger").map(Signature::decode)
    }

    /// Returns the bytes of the message, unchanged, with any signature at its end.
    pub fn message(&self) -> &'a [u8] {
        Headers::new(self.content).message()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

    #[test]
    fn a_tagger_may_be_missing() {
        let content = format!("object {ID}\ntype blob\ntag v1\n\nhello\n");
        let tag = Tag::decode(HashKind::Sha1, content.as_bytes()).unwrap();
        assert_eq!((tag.target().to_hex().as_str(), tag.target_type()), (ID, ObjectType::Blob));
        assert_eq!((tag.name(), tag.message()), (&b"v1"[..], &b"hello\n"[..]));
        assert_eq!(tag.tagger(), None);
    }

    #[test]
    fn what_it_points_at_may_not() {
        for content in ["", "object x\n", &format!("object {ID}\ntype thing\ntag v\n")] {
            let error = Tag::decode(HashKind::Sha1, content.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt);
        }
    }
}
