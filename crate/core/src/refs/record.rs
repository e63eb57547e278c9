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
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct RefRecord {
    /// Its full name.
    pub name: Vec<u8>,
    /// What it points at.
    pub value: RefValue,
    /// What its tag peels to, if that is known: `Some(None)` is no tag.
    pub peeled: Option<Option<ObjectId>>,
}
