//! Peels tags and commits to the objects that they lead to.

use crate::odb::ReadHint;
use crate::repository::Repository;
use crate::revision::Peeling;
use packlens_base::circle::Circle;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::{Commit, ObjectType, Tag};

impl Repository {
    /// Peels an object: follows tags, and a commit to its tree, to an object of a type; `None`
    /// stops at the first object that is not a tag.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::WrongType`] if no such object is reached; [`ErrorKind::Corrupt`] for a
    /// cycle of tags, and for a tag that gives another type than its target has; those of
    /// reading.
    pub fn peel(&mut self, id: &ObjectId, target_type: Option<ObjectType>) -> Result<ObjectId> {
        let peeling = self.progress().peeling.take();
        let mut peeling =
            match peeling.filter(|own| own.from == *id && own.target_type == target_type) {
                Some(peeling) => peeling,
                None => Peeling {
                    from: *id,
                    target_type,
                    at: *id,
                    tagged_as: None,
                    circle: Circle::new(*id),
                },
            };
        let peeled = self.resume_peel(&mut peeling);
        let at = peeling.at;
        if at != *id {
            self.progress().peeling = Some(peeling);
        }
        peeled.map(|()| at)
    }

    /// Continues to peel from the last object that was reached.
    fn resume_peel(
        &mut self,
        Peeling { from, target_type, at, tagged_as, circle }: &mut Peeling,
    ) -> Result<()> {
        let target_type = *target_type;
        loop {
            // The first object is rarely a tag of a blob, but mostly a commit if a tree is wanted.
            let is_likely = |of: &ObjectType| at != from || *of != ObjectType::Tree;
            let likely_type = tagged_as.or(target_type.filter(is_likely));
            let asked = (&*at, &ReadHint::of_likely_type(likely_type));
            let object_type = self.odb.info_hinted(&mut self.files, asked)?.object_type;
            if tagged_as.is_some_and(|tagged_as| tagged_as != object_type) {
                let what = "a tag names another type than its object has";
                return Err(Error::new(ErrorKind::Corrupt, what).about(at.to_hex()));
            }
            if target_type == Some(object_type)
                || (target_type.is_none() && object_type != ObjectType::Tag)
            {
                return Ok(());
            }
            let (next, next_tagged_as) = match (object_type, target_type) {
                (ObjectType::Tag, _) => self.target(at).map(|(id, of)| (id, Some(of)))?,
                (ObjectType::Commit, Some(ObjectType::Tree)) => {
                    let content = self.read_of_type(at, ObjectType::Commit)?;
                    (*Commit::decode(self.hash(), &content)?.tree(), None)
                }
                _ => {
                    let what = match target_type {
                        Some(ObjectType::Commit) => "expected a commit, or a tag of one",
                        Some(ObjectType::Tree) => "expected a tree, a commit, or a tag of one",
                        Some(ObjectType::Blob) => "expected a blob, or a tag of one",
                        _ => "expected an annotated tag",
                    };
                    return Err(Error::new(ErrorKind::WrongType, what).about(at.to_hex()));
                }
            };
            if circle.closed_by(&next).is_some() {
                let what = "tags point at each other in a circle";
                return Err(Error::new(ErrorKind::Corrupt, what).about(next.to_hex()));
            }
            (*at, *tagged_as) = (next, next_tagged_as);
            self.files.step()?;
        }
    }

    /// Returns the object that a tag peels to; `None` if the object is not a tag, is missing
    /// or is damaged, so that the ref can be listed all the same.
    pub(crate) fn peeled(&mut self, id: &ObjectId) -> Result<Option<ObjectId>> {
        match self.peel(id, None) {
            Ok(peeled) => Ok(Some(peeled).filter(|peeled| peeled != id)),
            Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::Limit) => {
                Err(error)
            }
            Err(_) => Ok(None),
        }
    }

    /// Returns the target of a tag.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::WrongType`] if the object is not a tag; the errors of reading.
    pub(crate) fn tagged(&mut self, id: &ObjectId) -> Result<ObjectId> {
        self.target(id).map(|(target, _)| target)
    }

    /// Like [`Repository::tagged`], with the type that the tag gives for its target.
    fn target(&mut self, id: &ObjectId) -> Result<(ObjectId, ObjectType)> {
        let content = self.read_of_type(id, ObjectType::Tag)?;
        let tag = Tag::decode(self.hash(), &content)?;
        Ok((*tag.target(), tag.target_type()))
    }
}
