//! Records of refs.

use packlens_base::oid::ObjectId;

/// The value of a ref.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum RefValue {
    /// The id of an object.
    Id(ObjectId),
    /// The name of another ref.
    Symbolic(Vec<u8>),
    /// A value that cannot be read.
    #[default]
    Broken,
}

/// A ref.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct RefRecord {
    /// The full name.
    pub name: Vec<u8>,
    /// The value: an object id, or the name of another ref.
    pub value: RefValue,
    /// The object that the ref's tag peels to, if that is known; `Some(None)` if the ref's
    /// object is not a tag.
    pub peeled: Option<Option<ObjectId>>,
}

impl Clone for RefRecord {
    fn clone(&self) -> RefRecord {
        let (name, value) = (self.name.clone(), self.value.clone());
        RefRecord { name, value, peeled: self.peeled }
    }

    /// Reuses the memory of the name.
    fn clone_from(&mut self, source: &RefRecord) {
        self.name.clone_from(&source.name);
        self.value.clone_from(&source.value);
        self.peeled = source.peeled;
    }
}
