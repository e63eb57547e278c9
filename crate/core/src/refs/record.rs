//! What a ref is.

use crate::oid::ObjectId;

/// What a ref points at.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum RefValue {
    /// An object.
    Id(ObjectId),
    /// Another ref.
    Symbolic(Vec<u8>),
    /// Nothing that can be made out.
    #[default]
    Broken,
}

/// A ref.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct RefRecord {
    /// Its full name.
    pub name: Vec<u8>,
    /// What it points at.
    pub value: RefValue,
    /// What its tag peels to, if that is known: `Some(None)` is no tag.
    pub peeled: Option<Option<ObjectId>>,
}

impl Clone for RefRecord {
    fn clone(&self) -> RefRecord {
        let (name, value) = (self.name.clone(), self.value.clone());
        RefRecord { name, value, peeled: self.peeled }
    }

    /// Uses the memory of the name again.
    fn clone_from(&mut self, source: &RefRecord) {
        self.name.clone_from(&source.name);
        self.value.clone_from(&source.value);
        self.peeled = source.peeled;
    }
}
