//! The types of objects: their names are part of what is hashed.

/// The type of an object, with the number that packs use for it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
#[repr(u8)]
pub enum ObjectType {
    /// A commit.
    Commit = 1,
    /// A tree.
    Tree = 2,
    /// A blob.
    Blob = 3,
    /// An annotated tag.
    Tag = 4,
}

impl ObjectType {
    /// All types.
    pub const ALL: [ObjectType; 4] =
        [ObjectType::Commit, ObjectType::Tree, ObjectType::Blob, ObjectType::Tag];

    /// Returns git's name for the type.
    pub const fn name(self) -> &'static str {
        match self {
            ObjectType::Commit => "commit",
            ObjectType::Tree => "tree",
            ObjectType::Blob => "blob",
            ObjectType::Tag => "tag",
        }
    }

    /// Returns the type with a number in packs.
    pub fn from_number(number: u8) -> Option<ObjectType> {
        Self::ALL.into_iter().find(|object_type| *object_type as u8 == number)
    }

    /// Returns the type with git's name.
    pub fn from_name(name: &[u8]) -> Option<ObjectType> {
        Self::ALL.into_iter().find(|object_type| object_type.name().as_bytes() == name)
    }
}
